"""What tests know of words: WordNet, the shipped counts, and no more."""

from collections.abc import Sequence
from functools import cache
from math import nan

from stages.contract import tables
from stages.foils import meanings
from stages.foils.evidence import Evidence
from stages.foils.knowledge import Knowledge
from stages.foils.known_things import Thing
from stages.foils.meanings import Meanings
from stages.foils.sense import SHIPPED, Sense
from stages.foils.vocabulary import Vocabulary
from stages.geometry.box import Box
from stages.graphs.graph import SceneGraph

MEANINGS = meanings.shipped()
MAX_TRUE = 0.05
NOWHERE = Box(nan, nan, nan, nan)


def evidence_of(graph: SceneGraph, of_words: Meanings = MEANINGS) -> Evidence:
    """What one graph tells, each object of which is a thing of its own, and in a box of which nothing follows."""
    things = [Thing((name,), NOWHERE, True, set(graph.attributes_of(o))) for o, name in enumerate(graph.objects)]
    return Evidence(things, list(graph.relations), of_words, said=frozenset(graph.objects))


def in_boxes(graph: SceneGraph, boxes: Sequence[Box], facts: Sequence[dict] = (), of_words: Meanings = MEANINGS) -> Evidence:
    """What an annotated graph, whose objects lie in ``boxes``, and descriptions tell of an image."""
    columns = graph.columns() | {"aliases": [[] for _ in boxes], "boxes": [box._asdict() for box in boxes]}
    return Evidence.of(columns | {"image_width": 800, "image_height": 600}, facts, of_words)


def fact(graph: SceneGraph, where: Box) -> dict:
    """What the description of a region says."""
    return {**graph.columns(), "box": where._asdict()}


def knowing(words: Vocabulary) -> Knowledge:
    """The knowledge of a worker whose foils are ``words``."""
    return Knowledge(words, MEANINGS, Sense.none(), MAX_TRUE)


def named(*nouns: str) -> Knowledge:
    """The knowledge of one whose captions name ``nouns``, equally often, and say no more."""
    return knowing(Vocabulary({"object": dict.fromkeys(nouns, 9), "attribute": {}, "relation": {}}))


@cache
def people() -> Sense:
    """The sense of those who made the shipped scene graphs."""
    return Sense.of(tables.read_arrow("seen_compounds", SHIPPED), 0.5)
