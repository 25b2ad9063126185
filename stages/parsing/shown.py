"""Which atoms of a web caption a picture shows, and which are parts of names, titles and slogans, or were read out of these.

A caption from the web that is no plain sentence is a title as often as not, and no list of words tells "Dance Legend" from "Dance
Shoes", or "a way of life" from "a way through the woods". So each atom is weighed by a few cheap signs: the words that say it and
those it hangs on, what sort of noun it is and how often captions have it, the caption's other words, how it is written and what was
left out of it. ``python -m stages.parser_training.shown`` learned the weights (logistic regression) from captions whose graphs
readers wrote, and from descriptions of regions, where everything is shown.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from stages.parsing.draft import Draft
from stages.parsing.signs import Part, Signs
from stages.parsing.surface import Surface

KEPT = 1 << 17
"""Parts whose weights are kept."""
WEIGHTS = Path(__file__).with_name("shown.json.gz")
SURE = {"o": 1.0, "a": 0.8, "r": 0.2}
"""What the signs of an object, an attribute and a relation must weigh: one that is not shown spoils the graph."""
SURE_IN_TITLES = 0.6
"""The same of an object in a title: that names one thing mostly, and to leave it out spoils the graph as much."""
STYLES = "plain", "title", "marked"
PARTS = ("o word", "a word", "a of", "r by", "r subject", "r object", *(f"{kind} {style} has" for kind in SURE for style in STYLES))
"""The signs that name a word, whose weights hang on what it means: words that no annotated caption has weigh as their like do."""


class Shown:
    """Weights of signs; an atom is shown where those of its signs, and the mean of its caption's, are surely positive in sum."""

    def __init__(self, weights: dict[str, float]):
        self.weights = weights
        # A part that is kept costs a twentieth.
        self._part = lru_cache(KEPT)(self._weight)

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> Shown:
        return cls.of(**json.loads(gzip.decompress(path.read_bytes())))

    @classmethod
    def of(cls, signs: dict[str, float], words: dict[str, list[int]]) -> Shown:
        """By weights of signs, and in hundredths of words in each of the ``PARTS``."""
        return cls({f"{part}={word}": n / 100 for word, row in words.items() for part, n in zip(PARTS, row, strict=True)} | signs)

    def only(self, draft: Draft, surface: Surface) -> Draft:
        """The draft with only those atoms that a picture shows."""
        if not draft.objects:
            draft.attributes, draft.relations = [], []
            return draft
        signs = Signs(draft, surface)
        sure = SURE | {"o": SURE_IN_TITLES} if signs.style == "title" else SURE
        o, a, r = (least - self._sum(signs.caption(kind)) / max(1, len(draft.words)) for kind, least in sure.items())
        objects = {head: name for head, name in draft.objects.items() if self._sum(signs.object_parts(head)) > o}
        draft.attributes = [one for one in draft.attributes if one.owner in objects and self._sum(signs.attribute_parts(one)) > a]
        draft.relations = [
            one
            for one in draft.relations
            if one.subject in objects and one.object in objects and self._sum(signs.relation_parts(one)) > r
        ]
        draft.objects = objects
        return draft

    def _sum(self, parts: list[Part]) -> float:
        return sum([self._part(*part) for part in parts])

    def _weight(self, make: Callable[..., list[str]], arguments: tuple[Any, ...]) -> float:
        """The weight of all signs of a part."""
        get = self.weights.get
        return sum([get(sign, 0.0) for sign in make(*arguments)])
