"""The second compound of an HN-Comp truth of ``cleared``: a known fact of the image besides the caption's compound.

It is put in the places of the caption's own words ("a pink car", "a black wheel"), so that the truth's two halves have the same
form, as the negatives' two halves do. The crop is the union of the region and the boxes of the second compound's things, as for a
subgraph (section 4.2).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from stages.graphs.box import Box, union
from stages.graphs.graph import SceneGraph
from stages.negatives.caption import Caption, lowered
from stages.negatives.evidence import Evidence
from stages.negatives.frame import in_frame
from stages.negatives.knowledge import Knowledge
from stages.semantics import attributes, relations
from stages.semantics.usage import MIN_ASSOCIATION
from stages.text.lexicon import words
from stages.text.word_classes import attribute_place, is_body_part

_END = re.compile(r"[\s.,;:!]+$")
FRAME = words("a an the there is are that which who")
"""Words besides its atoms that a caption may have to serve as a frame; "several" need not hold of another compound."""


class Found(NamedTuple):
    """A caption and a second compound, both with the facts of the crop that shows both."""

    caption: Caption
    second: Caption
    crop: Box


def joined(one: str, other: str) -> str:
    """Return two captions joined by "and": the first loses its full stop, the second its sentence capital.

    >>> joined("A blue car.", "A pink toy."), joined("a TV", "USA flag")
    ('A blue car and a pink toy.', 'a TV and USA flag')
    """
    return f"{_END.sub('', one)} and {lowered(other) if one[:1].isupper() else other}"


def joined_graph(one: SceneGraph, other: SceneGraph) -> SceneGraph:
    """Return the graph of both, whose objects are all different things.

    >>> joined_graph(SceneGraph(("dog",), ((0, "red"),)), SceneGraph(("dog", "car"), (), ((0, "on", 1),)))
    SceneGraph(objects=('dog', 'dog', 'car'), attributes=((0, 'red'),), relations=((1, 'on', 2),))
    """
    n = len(one.objects)
    return SceneGraph(
        one.objects + other.objects,
        one.attributes + tuple((o + n, text) for o, text in other.attributes),
        one.relations + tuple((s + n, text, o + n) for s, text, o in other.relations),
    )


def second_compounds(
    caption: Caption, image: Evidence, crop: Box, fit: Callable[[Box], bool], knowledge: Knowledge
) -> Iterator[Found]:
    """Yield other known compounds of the image, of other things, in the places of the caption's words.

    Those with the same relation come first, then those whose crop is smallest.

    Args:
        image: the facts of the whole image.
        crop: the caption's.
        fit: whether a crop is fit to be a query.
    """
    first = caption.graph
    if not FRAME.issuperset(caption.other_words()):
        return
    counts, alike, usual = knowledge.vocabulary.counts, knowledge.meanings.alike, knowledge.meanings.usage.sensible
    found: dict[SceneGraph, Box] = {}
    for graph, boxes in _attributes(first, image) if first.attributes else _relations(first, image):
        around = union([crop, *boxes])
        known = all(counts[atom.kind].get(atom.text) for atom in graph.atoms())
        smallest = graph not in found or around.area < found[graph].area
        if known and smallest and fit(around) and _of_other_things(first, graph, alike) and usual(graph, MIN_ASSOCIATION, first):
            found[graph] = around

    def order(graph: SceneGraph) -> tuple[bool, float, tuple[str, ...]]:
        others = [r for _, r, _ in graph.relations] != [r for _, r, _ in first.relations]
        return others, found[graph].area, graph.objects

    for graph in sorted(found, key=order):
        known_there = image.within(found[graph])
        here = replace(caption, known=known_there)
        if framed := in_frame(here, graph):
            yield Found(here, framed, found[graph])


def _of_other_things(one: SceneGraph, other: SceneGraph, alike: Callable[[str, str], bool]) -> bool:
    return not any(alike(a, b) for a, b in product(one.objects, other.objects)) and not (
        len(other.objects) > 1 and alike(*other.objects)
    )


def _attributes(graph: SceneGraph, image: Evidence) -> Iterator[tuple[SceneGraph, list[Box]]]:
    """Yield known attributes of annotated things that can take the place of the caption's, with the things' boxes."""
    _, attribute = graph.attributes[0]
    for thing in image.things:
        for other in () if thing.described else sorted(thing.attributes):
            disputed = any(attributes.excludes(also, other) for also in thing.attributes)
            said = other in thing.names[0].split() or attribute_place(other) != attribute_place(attribute)
            if not disputed and not said and other != attribute and attributes.same_class(attribute, other):
                yield SceneGraph((thing.names[0],), ((0, other),)), [thing.box]


def _relations(graph: SceneGraph, image: Evidence) -> Iterator[tuple[SceneGraph, list[Box]]]:
    """Yield known relations of two annotated things that neither boxes nor other relations contradict, with the things' boxes."""
    s, _, o = graph.relations[0]
    for a, relation, b in image.relations:
        one, other = image.things[a], image.things[b]
        if a == b or one.described or other.described or image.placed_otherwise(a, relation, b):
            continue
        between = [(r, c == b) for c, r, d in image.relations if {c, d} == {a, b}]
        names = one.names[0], other.names[0]
        if not any(relations.excludes(r, relation, turned) for r, turned in between) and not is_body_part(names[1]):
            yield SceneGraph(names if s < o else names[::-1], (), ((s, relation, o),)), [one.box, other.box]
