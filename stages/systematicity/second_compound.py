"""The second compound that a balanced HN-Comp truth has: what somebody wrote, or annotated, of another part of the crop.

"A pink car and a black wheel". Negatives are two compounds each; were the truth one, it would be half as long, and whoever takes
the shortest caption would be right each time.

Only what people say is said: boxes show what stands beside what, but not whether anybody would say so of a meadow or a hat.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from math import log
from typing import Any

from stages.foils.caption import lowered
from stages.foils.evidence import Evidence
from stages.foils.knowledge import Knowledge
from stages.foils.known_things import LIKELY, Thing
from stages.foils.vocabulary import Vocabulary
from stages.geometry.box import Box
from stages.graphs.graph import SceneGraph
from stages.language.lexicon import words
from stages.semantics import attributes, relations, wordnet
from stages.systematicity.frame import Half, cased, in_frame, plain
from stages.wording.word_classes import attribute_place, is_body_part

Row = dict[str, Any]
_END = re.compile(r"[\s.,;:!]+$")


def joined(one: str, other: str) -> str:
    """Two captions as one, by "and": the first loses its full stop, the second its capital where the first word has one.

    >>> joined("A blue car.", "A pink toy."), joined("a TV", "USA flag")
    ('A blue car and a pink toy.', 'a TV and USA flag')
    """
    return f"{_END.sub('', one)} and {lowered(other) if one[:1].isupper() else other}"


def joined_graph(one: SceneGraph, other: SceneGraph) -> SceneGraph:
    """The graph of both, whose objects are all different things.

    >>> joined_graph(SceneGraph(("dog",), ((0, "red"),)), SceneGraph(("dog", "car"), (), ((0, "on", 1),)))
    SceneGraph(objects=('dog', 'dog', 'car'), attributes=((0, 'red'),), relations=((1, 'on', 2),))
    """
    n = len(one.objects)
    return SceneGraph(
        one.objects + other.objects,
        one.attributes + tuple((o + n, text) for o, text in other.attributes),
        one.relations + tuple((s + n, text, o + n) for s, text, o in other.relations),
    )


@dataclass(frozen=True)
class Truth:
    """What a set's negatives stand beside: the region's own caption, or it and a second compound, in either order."""

    caption: str
    graph: SceneGraph
    second: Half | None = None
    second_first: bool = False

    @cached_property
    def whole(self) -> tuple[str, SceneGraph]:
        """The caption that is true, and its graph."""
        if self.second is None:
            return self.caption, self.graph
        if self.second_first:
            return joined(self.second.caption, self.caption), joined_graph(self.second.graph, self.graph)
        return joined(self.caption, self.second.caption), joined_graph(self.graph, self.second.graph)

    @cached_property
    def offset(self) -> int:
        """How far the region's own caption is moved to the right in the whole one."""
        return len(self.whole[0]) - len(self.caption) if self.second_first else 0

    @property
    def second_offset(self) -> int:
        """The same of the second compound."""
        return 0 if self.second_first or self.second is None else len(self.whole[0]) - len(self.second.caption)


def with_second(row: Row, regions: Iterable[Row], known: Evidence, knowledge: Knowledge, seed: int) -> Iterator[Truth]:
    """The region's caption and each other compound that is known of the crop and can be said well, the best first.

    What somebody wrote of a part of the crop is said best; what is annotated takes the places of the caption's own words, or of
    those of a plain one of its sort. Which of the two is said first is drawn from the seed and the region's id.

    Args:
        regions: of one compound each, of the same image.
        known: of the crop.
    """
    own = Half.of(row)
    if not own.whole or not _spelt(own.graph, knowledge.vocabulary):
        return
    crop, first = Box.of(row), random.Random(f"{seed}:{row['region_id']}:second").random() < 0.5
    seconds = chain(
        _written(own, row, regions, known, knowledge),
        _annotated(own, own, crop, known, knowledge),
        _annotated(own, plain(own), crop, known, knowledge),
    )
    yield from (Truth(own.caption, own.graph, second, first) for second in seconds)


def _spelt(graph: SceneGraph, vocabulary: Vocabulary) -> bool:
    """Does WordNet or a training caption have each name? Nobody can tell that "a padna" is the panda of the other half."""
    return all(vocabulary.counts["object"].get(name) or wordnet.senses(name.rsplit(" ", 1)[-1], "n") for name in graph.objects)


# --- What somebody wrote of a part of the crop ------------------------------------------------------------------------------------


def _written(own: Half, row: Row, regions: Iterable[Row], known: Evidence, knowledge: Knowledge) -> list[Half]:
    """What is said of another region, in the very words: a sentence beside a sentence, of things that lie in the crop.

    Those come first that say the same kind of compound, and of these the rarest, for two common ones would make a truth that no
    pair of foils is as plausible as.
    """
    crop, alike = Box.of(row), known.meanings.alike

    def order(half: Half) -> tuple[Any, ...]:
        return (
            bool(half.graph.attributes) != bool(own.graph.attributes),
            _commonness(half.graph, knowledge.vocabulary),
            half.caption,
        )

    inside = [other for other in regions if other["region_id"] != row["region_id"] and _lies_in(Box.of(other), crop)]
    halves = [Half.of({**other, "caption": cased(other["caption"], own.caption)}) for other in inside]
    fit = [
        half
        for half in halves
        if half.whole and half.sentence == own.sentence and _spelt(half.graph, knowledge.vocabulary)
        if _of_other_things(own.graph, half.graph, alike)
        if known.probability(half.graph) >= LIKELY and not knowledge.sense.senseless(half.graph)
    ]
    return sorted(fit, key=order)


def _of_other_things(one: SceneGraph, other: SceneGraph, alike: Callable[[str, str], bool]) -> bool:
    """Whether two compounds are told apart by their things: two relations may share what both are related to.

    Not who they are of: "a man with a shirt and a man with glasses" are two men.
    """
    pairs = product(enumerate(one.objects), enumerate(other.objects))
    same = [(a, b) for (a, x), (b, y) in pairs if alike(x, y) or _one_word(x) == _one_word(y)]
    if not (one.relations and other.relations):
        said = [(a, b) for _, a in one.attributes for _, b in other.attributes]
        apart = not any(attributes.implies(a, b) or attributes.implies(b, a) for a, b in said)
        return not same and apart
    (_, relation, o), (_, also, p) = one.relations[0], other.relations[0]
    return len(same) + relations.implies(relation, also) + relations.implies(also, relation) <= 1 and {*same} <= {(o, p)}


def _one_word(name: str) -> str:
    """A "book shelf" is a "bookshelf"."""
    return name.replace(" ", "").replace("-", "")


def _lies_in(box: Box, crop: Box) -> bool:
    """Whether a crop shows what is somewhere in ``box``."""
    return box.covered_by(crop) >= INSIDE and crop.covered_by(box) >= SPECK


# --- What is annotated, in the caption's own words' places ------------------------------------------------------------------------


def _annotated(own: Half, frame: Half, crop: Box, known: Evidence, knowledge: Knowledge) -> Iterator[Half]:
    """Other compounds that are known of the crop than ``own``, in the places of the words of ``frame``.

    Those relations come first that several people say, for one may err, and then what is rarest. A caption of other words than its
    atoms and articles, as "several", "almost" or "lots of", says what need not fit another compound, and gives none.
    """
    if not FRAME.issuperset(frame.rest):
        return
    counted = _second_graphs(frame, known, crop, knowledge.vocabulary)

    def order(other: SceneGraph) -> tuple[Any, ...]:
        said = other.objects, other.attributes, other.relations
        return -min(counted[other], AGREED), _commonness(other, knowledge.vocabulary), said

    for other in sorted(counted, key=order):
        if frame is not own and not _of_other_things(own.graph, other, known.meanings.alike):
            continue
        if knowledge.sense.senseless(other) or not PIECES.isdisjoint(name.split()[-1] for name in other.objects):
            continue
        if framed := in_frame(frame, other, known):
            yield framed


FRAME = words("a an the there is are that which who")
PIECES = words(
    "back bottom bunch corner edge end front group half inside lot middle part piece portion rear row section side tip top"
)
"""What is a piece of a thing, and named only with it."""
INSIDE, SPECK = 0.9, 0.001
"""The share of a region that surely lies in a crop, and that of a crop that is more than a speck."""
AGREED = 3
"""So many that say the same are as good as more."""


def _second_graphs(own: Half, known: Evidence, crop: Box, vocabulary: Vocabulary) -> dict[SceneGraph, int]:
    """What else is known of the crop, in graphs built as the caption's is, and how often each relation is said."""
    graph, counts, alike = own.graph, vocabulary.counts, known.meanings.alike
    fit = [_shown(thing, crop) and vocabulary.is_noun(thing.names[0]) for thing in known.things]
    if graph.attributes:
        (_, attribute), (name,) = graph.attributes[0], graph.objects
        return {
            SceneGraph((thing.names[0],), ((0, other),)): 1
            for thing, good in zip(known.things, fit, strict=True)
            if good and not alike(thing.names[0], name)
            for other in thing.attributes
            if other in counts["attribute"] and other != attribute and other not in thing.names[0].split()
            if attributes.same_class(attribute, other) or not own.sentence
            if attribute_place(attribute) == attribute_place(other) == "before"
            if not any(attributes.excludes(also, other) for also in thing.attributes)
        }
    (s, relation, o) = graph.relations[0]
    subject, object_ = graph.objects[s], graph.objects[o]
    counted: dict[SceneGraph, int] = {}
    for a, stated, b in known.relations:
        other = relation if _says(stated, relation) else stated
        if not (fit[a] and fit[b]) or other not in counts["relation"]:
            continue
        between = [(r, c == b) for c, r, d in known.relations if {c, d} == {a, b}]
        # People err, and what is asked must be true: neither the boxes nor somebody else may say otherwise.
        if known.placed_otherwise(a, other, b) or any(relations.excludes(r, other, turned) for r, turned in between):
            continue
        names = (_named(known, a, subject), _named(known, b, object_))
        equal = (names[0] == subject) + (relation == other) + (names[1] == object_)
        same = alike(names[0], subject) + relations.implies(relation, other) + alike(names[1], object_)
        turned = alike(names[0], object_) or alike(names[1], subject)
        if equal == same <= 1 and not (turned or alike(*names) or alike(names[0], subject) or is_body_part(names[1])):
            said = SceneGraph(names if s < o else names[::-1], (), ((s, other, o),))
            counted[said] = sum(relations.implies(r, other, turned) for r, turned in between)
    return counted


def _shown(thing: Thing, crop: Box) -> bool:
    """Whether a crop shows a thing: most of it, or so much, as of the sky, that it fills a good part of the crop.

    What is only described has the box of its region, all of which must lie in the crop.
    """
    if thing.described:
        return _lies_in(thing.box, crop)
    return thing.box.covered_by(crop) >= MOST or (thing.distinct and crop.covered_by(thing.box) >= FILLS)


MOST, FILLS = 0.6, 0.2
"""The share of a thing that is most of it, and that of a crop that is a good part of it."""


def _named(known: Evidence, thing: int, name: str) -> str:
    """What a thing is called: ``name``, if it is the only thing that may be called so."""
    return name if known.called(name) == (thing,) else known.things[thing].names[0]


def _says(known: str, asked: str) -> bool:
    """Whether "A known B" surely says "A asked B": who sits on top of a bench is on it, what is beside a tree is near it."""
    one, other = relations.read(known), relations.read(asked)
    return other in (one, ("", one.place)) or (one.place, other) == ("beside", ("", "near"))


def _commonness(graph: SceneGraph, vocabulary: Vocabulary) -> float:
    return round(sum(log(vocabulary.counts[atom.kind].get(atom.text, 1)) for atom in graph.atoms()), 6)
