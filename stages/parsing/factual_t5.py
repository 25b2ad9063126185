"""FACTUAL's own parser, a fine-tuned T5, in place of the rules: an example of a plugged-in parser.

``params.yaml``: ``language.parser: stages.parsing.factual_t5.FactualT5``. It needs ``pip install FactualSceneGraph`` and
downloads a checkpoint (or is given the path of one as
``language.parser_options: {checkpoint: PATH}``). It is more accurate than the rules and some hundred times slower.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from stages.contract.errors import MissingPackage
from stages.graphs.graph import SceneGraph, Span, Spans
from stages.parameters.sections import Language
from stages.parsing.factual_gold import facts_of_text
from stages.parsing.parser import Parsed
from stages.text import normal

CHECKPOINT = "lizhuang144/flan-t5-base-VG-factual-sg"
BATCH = 64


class FactualT5:
    """Parses with the package FactualSceneGraph; its graphs are converted to this project's normal form."""

    def __init__(self, settings: Language):
        try:
            from factual_scene_graph.parser.scene_graph_parser import SceneGraphParser
        except ImportError:
            raise MissingPackage("FactualSceneGraph", "params.yaml, language.parser: FactualT5") from None
        options = settings.parser_options
        self.model = SceneGraphParser(options.get("checkpoint", CHECKPOINT), device=options.get("device", "cpu"))

    def parse(self, captions: Iterable[str]) -> Iterator[Parsed]:
        """Yield the parsed captions, in order, a batch at a time."""
        captions = iter(captions)
        while batch := list(islice(captions, BATCH)):
            texts = self.model.parse(batch, beam_size=1, batch_size=BATCH, return_text=True)
            for caption, text in zip(batch, texts, strict=True):
                yield Parsed(caption, *located(caption, text))


def located(caption: str, text: str) -> tuple[SceneGraph, Spans]:
    """Return the graph that ``text`` has in FACTUAL's notation, in normal form, and the places of its words in ``caption``.

    >>> located("a man on two horses", "( man , on , horses ) , ( horses , is , 2 )")[0].relations
    ((0, 'on', 1),)
    """
    facts = [f for f in facts_of_text(text) if all(f) and len(f) in (1, 3)]
    names = dict.fromkeys(f[0] for f in facts)
    names |= dict.fromkeys(f[2] for f in facts if len(f) == 3 and f[1] != "is")
    index = {name: i for i, name in enumerate(names)}
    attributes = dict.fromkeys((index[f[0]], f[2]) for f in facts if len(f) == 3 and f[1] == "is")
    relations = dict.fromkeys((index[f[0]], f[1], index[f[2]]) for f in facts if len(f) == 3 and f[1] != "is" and f[0] != f[2])
    graph = SceneGraph(
        tuple(normal.object_name(name) for name in names),
        tuple((o, normal.attribute(text)) for o, text in attributes),
        tuple((s, normal.relation(text), o) for s, text, o in relations),
    )
    return graph, Spans(
        tuple(_find(caption, name) for name in names),
        tuple(_find(caption, text) for _, text in attributes),
        tuple(_find(caption, text) for _, text, _ in relations),
    )


def _find(caption: str, words: str) -> Span | None:
    """Return the span of the words, if they are in the caption exactly once; verbs in base form are not found."""
    matches = list(re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", caption, re.IGNORECASE))
    return (matches[0].start(), matches[0].end()) if len(matches) == 1 else None
