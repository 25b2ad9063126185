"""Evidence and knowledge for tests, from WordNet and the shipped counts alone."""

from collections.abc import Iterable, Sequence
from functools import cache
from math import nan
from pathlib import Path
from tempfile import TemporaryDirectory

from stages.graphs.box import Box
from stages.graphs.graph import SceneGraph
from stages.negatives import meanings
from stages.negatives.counts import Counts, Habits
from stages.negatives.evidence import Evidence
from stages.negatives.knowledge import Knowledge
from stages.negatives.known_things import Thing
from stages.negatives.meanings import Meanings
from stages.negatives.vocabulary import Vocabulary
from stages.parameters.sections import Run
from stages.semantics import usage
from tests.running import section

MEANINGS = meanings.shipped()
MAX_TRUE = 0.05
NOWHERE = Box(nan, nan, nan, nan)


def evidence_of(graph: SceneGraph, of_words: Meanings = MEANINGS) -> Evidence:
    """Return the evidence of one graph, each object of which is a separate thing in an uninformative box."""
    things = [Thing((name,), NOWHERE, True, set(graph.attributes_of(o))) for o, name in enumerate(graph.objects)]
    return Evidence(things, list(graph.relations), of_words, said=frozenset(graph.objects))


def in_boxes(graph: SceneGraph, boxes: Sequence[Box], facts: Sequence[dict] = (), of_words: Meanings = MEANINGS) -> Evidence:
    """Return the evidence about an image from an annotated graph, whose objects lie in ``boxes``, and from descriptions."""
    columns = graph.columns() | {"aliases": [[] for _ in boxes], "boxes": [box._asdict() for box in boxes]}
    return Evidence.of(columns | {"image_width": 800, "image_height": 600}, facts, of_words)


def fact(graph: SceneGraph, where: Box) -> dict:
    """Return the fact that the description of a region states."""
    return {**graph.columns(), "box": where._asdict()}


def vocabulary(objects: Sequence[str] = (), attributes: Sequence[str] = (), relations: Sequence[str] = ()) -> Vocabulary:
    """Return a vocabulary whose words are equally common."""
    kinds = {"object": objects, "attribute": attributes, "relation": relations}
    return Vocabulary({kind: dict.fromkeys(own, 9) for kind, own in kinds.items()})


def knowing(words: Vocabulary, of_words: Meanings = MEANINGS, **changes: float) -> Knowledge:
    """Return the knowledge of a worker whose foils are ``words``; ``changes`` override its probabilities."""
    return Knowledge(words, of_words, **{"max_true": MAX_TRUE, "least_association": 0.0} | changes)


def named(*nouns: str) -> Knowledge:
    """Return the knowledge of a worker whose captions and annotations name ``nouns`` equally often, and nothing else."""
    return knowing(vocabulary(nouns), annotated(nouns))


def annotated(nouns: Iterable[str]) -> Meanings:
    """Return meanings that know which ``nouns`` are annotated."""
    habits = Habits(Counts(said={noun: [9, 0, 0] for noun in nouns}), MEANINGS.habits.prior)
    return Meanings({}, {}, habits, MEANINGS.usage)


@cache
def with_usage() -> Meanings:
    """Return meanings that know, from the shipped counts, what people say of what."""
    with TemporaryDirectory() as folder:
        usage.write(Path(folder), [], None, 10**6, section(Run, workers=1))
        return Meanings({}, {}, MEANINGS.habits, usage.read(Path(folder)))
