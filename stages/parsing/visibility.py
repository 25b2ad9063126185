"""Filter the atoms of web captions: those that a picture shows stay; parts of names, titles and slogans go.

A web caption that is no plain sentence is often a title, and no word list can separate "Dance Legend" from "Dance Shoes", or "a way
of life" from "a way through the woods". So each atom is scored by a few cheap features: its words and those they depend on, the
kind of the noun and its frequency in captions, the caption's other words, its typography, and what the parser left out. ``python -m
stages.parser_training.learn_visibility`` learned the weights (logistic regression) from captions with hand-written graphs, and from
region descriptions, in which everything is visible.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from stages.parsing.draft import Draft
from stages.parsing.signs import Features
from stages.parsing.surface import Surface

WEIGHTS = Path(__file__).with_name("visibility.json.gz")
SURE = {"o": 1.0, "a": 0.8, "r": 0.2}
"""Minimum scores of an object, an attribute and a relation: a single invisible one spoils the graph."""
SURE_IN_TITLES = 0.6
"""The minimum score of an object in a title: a title mostly names one thing, and to miss it spoils the graph as much."""
STYLES = "plain", "title", "marked"
PARTS = ("o word", "a word", "a of", "r by", "r subject", "r object", *(f"{kind} {style} has" for kind in SURE for style in STYLES))
"""The features that name a word, whose weights depend on its meaning: an unseen word has the weight of similar words."""


class Shown:
    """Weights of features; an atom is shown where its features plus the mean of its caption's are clearly positive in sum."""

    def __init__(self, weights: dict[str, float]):
        self.weights = weights

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> Shown:
        return cls.of(**json.loads(gzip.decompress(path.read_bytes())))

    @classmethod
    def of(cls, features: dict[str, float], words: dict[str, list[int]]) -> Shown:
        """Return the model of weights of features and, in hundredths, of words in each of the ``PARTS``."""
        return cls(
            {f"{part}={word}": n / 100 for word, row in words.items() for part, n in zip(PARTS, row, strict=True)} | features
        )

    def only(self, draft: Draft, surface: Surface) -> Draft:
        """Return the draft with only the atoms that a picture shows."""
        if not draft.objects:
            draft.attributes, draft.relations = [], []
            return draft
        features = Features(draft, surface)
        sure = SURE | {"o": SURE_IN_TITLES} if features.style == "title" else SURE
        o, a, r = (least - self._sum([features.of_caption(kind)]) / max(1, len(draft.words)) for kind, least in sure.items())
        objects = {head: name for head, name in draft.objects.items() if self._sum(features.object_parts(head)) > o}
        draft.attributes = [
            one for one in draft.attributes if one.owner in objects and self._sum(features.attribute_parts(one)) > a
        ]
        draft.relations = [
            one
            for one in draft.relations
            if one.subject in objects and one.object in objects and self._sum(features.relation_parts(one)) > r
        ]
        draft.objects = objects
        return draft

    def _sum(self, parts: list[list[str]]) -> float:
        get = self.weights.get
        return sum([sum([get(feature, 0.0) for feature in part]) for part in parts])
