"""Visual Genome's annotated scene graphs in the normal form of captions: with other words, "seen" would mean nothing.

Names, attributes and predicates are phrases that people typed. Each phrase comes as a :class:`Reading`; here the readings
of one image become its graph. Atoms that do not fit into captions, or contradict themselves, stay in the graph as evidence
and are listed as ``unsayable``.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from stages.annotations.visual_genome import Fault, SceneRecord
from stages.graphs.box import Box
from stages.graphs.graph import SceneGraph
from stages.text.attributes import MATERIALS, contradict, is_participle, modifies, near_colours, say_the_same
from stages.text.forms import getLemma
from stages.text.inflection import is_verbal
from stages.text.normal import COLOURS, verb_base
from stages.text.same_names import name_one_thing
from stages.text.unusual_words import fits
from stages.text.usage import usage
from stages.text.word_classes import PREDICATIVE, attribute_place, is_person


class Reading(NamedTuple):
    """The reading of a phrase: the name of an object or a relation, and what else the phrase states.

    ``attributes`` belong to the object named, to the object that has the attribute, or to a predicate's object; ``relations`` are
    to a further thing, by its name. ``turned`` predicates have subject and object exchanged ("worn by"). ``unsayable`` is why no
    caption states it, ``fault`` why it is no atom at all.
    """

    name: str = ""
    plural: bool = False
    attributes: tuple[str, ...] = ()
    relations: tuple[tuple[str, str], ...] = ()
    turned: bool = False
    unsayable: str = ""
    fault: str = ""


Readings = Mapping[tuple[str, str], Reading]
"""By kind (``object``, ``attribute``, ``relation``) and the phrase as typed."""
HALF_A_NAME = "half_a_name"
"""The reason why neither a noun that was typed as an attribute nor its thing is used in captions: a "beanie" "baby" is no baby, and
nobody calls a "utensil" "fork" just a fork."""
MAX_COLOURS = 2
"""Maximum number of a thing's colours: with more, annotators mean alternatives."""


def phrases(record: SceneRecord) -> Iterator[tuple[str, str]]:
    """Yield the phrases of a record, with their kinds."""
    for o in record.objects:
        yield from (("object", name) for name in o.names)
        yield from (("attribute", text) for text in o.attributes)
    yield from (("relation", relation.predicate) for relation in record.relations)


class Normalising:
    """One image's graph under construction: objects, then relations, then attributes; dropped rows are noted in ``faults``."""

    def __init__(self, record: SceneRecord, same_object: float, readings: Readings):
        self.record, self.same_object, self.readings = record, same_object, readings
        self.size = (record.image_width or 0, record.image_height or 0)
        self.faults = list(record.faults)
        self.place: dict[int, int] = {}
        self.names: list[tuple[str, ...]] = []
        self.ids: list[int] = []
        self.boxes: list[Box] = []
        self.plural: set[int] = set()
        self.attributes: dict[tuple[int, str], str] = {}
        self.relations: dict[tuple[int, str, int], str] = {}
        self.unsayable_objects: dict[int, str] = {}

    def row(self) -> dict[str, Any]:
        """Return the image's row of ``scene_graphs``."""
        places = [self._object(o.object_id, o.names, o.box) for o in self.record.objects]
        for subject, text, object_ in self.record.relations:
            self._relation(subject, text, object_)
        for place, o in zip(places, self.record.objects, strict=True):
            if place is not None:
                for name in o.names:
                    self._say(place, self.readings["object", name]._replace(unsayable=""))
            for text in o.attributes:
                self._attribute(place, f"object {o.object_id}", text)
        graph = SceneGraph(tuple(names[0] for names in self.names), tuple(self.attributes), tuple(self.relations))
        return {
            "image_id": self.record.image_id,
            "image_width": self.record.image_width,
            "image_height": self.record.image_height,
            **graph.columns(),
            "object_ids": self.ids,
            "boxes": [box._asdict() for box in self.boxes],
            "aliases": [list(names[1:]) for names in self.names],
            "plurals": sorted(self.plural),
            "unsayable": list(self._unsayable(graph)),
        }

    # --- Objects ----

    def _object(self, object_id: int, given: tuple[str, ...], given_box: Box) -> int | None:
        """Add an object, or note why not; return its index in the graph, or that of an equal one."""
        readings = [self.readings["object", text] for text in given]
        # Names that fit into captions come before others: "top" and "t-shirt" are a t-shirt.
        named = sorted((reading for reading in readings if not reading.fault), key=lambda reading: bool(reading.unsayable))
        names = tuple(dict.fromkeys(reading.name for reading in named))
        box = given_box.cut(*self.size)
        if object_id in self.place:
            place, reason = None, "object_duplicate_id"
        elif not names:
            place, reason = None, f"object_{readings[0].fault}"
        elif box is None:
            place, reason = None, "object_outside"
        elif (same := self._same(names[0], box)) is not None:
            place, reason = same, "object_duplicate"
            self.names[same] = tuple(dict.fromkeys([*self.names[same], *names]))
        else:
            place, reason = len(self.ids), None
            self.names.append(names)
            self.ids.append(object_id)
            self.boxes.append(box)
            if named[0].unsayable:
                self.unsayable_objects[place] = named[0].unsayable
        if place is not None:
            first, *others = self.names[place]
            if any(not name_one_thing(first, other) for other in others):
                self.unsayable_objects[place] = "names_differ"
            self.place[object_id] = place
            if named[0].plural:
                self.plural.add(place)
        if reason is not None:
            self.faults.append(Fault(f"object {object_id}", given[0], reason))
        return place

    def _same(self, name: str, box: Box) -> int | None:
        """Return the index of an object of that name in the same place of the image."""
        alike = (i for i, names in enumerate(self.names) if names[0] == name)
        return next((i for i in alike if self.boxes[i].iou(box) >= self.same_object), None)

    # --- Relations ----

    def _relation(self, subject: int, text: str, object_: int) -> None:
        reading = self.readings["relation", text]
        s, o = self.place.get(subject), self.place.get(object_)
        if s is None or o is None:
            reason = "no_object"
        elif reading.fault:
            reason = reading.fault
        elif s == o:
            reason = "to_itself"
        else:
            parts = (o, reading.name, s) if reading.turned else (s, reading.name, o)
            self._say(o, reading._replace(relations=(), unsayable=""))
            if parts not in self.relations:
                self.relations[parts] = reading.unsayable
                return
            reason = "duplicate"
        self.faults.append(Fault(f"objects {subject} and {object_}", text, f"relation_{reason}"))

    def _linked(self, place: int, relation: str, name: str) -> bool | None:
        """Add a relation to the only thing of that name: return True if it is new, None if there is not exactly one such thing."""
        alike = [i for i, names in enumerate(self.names) if name in names and i != place]
        near = [i for i in alike if self.boxes[i].shared(self.boxes[place]) > 0]
        meant = near if len(near) == 1 else alike
        if len(meant) != 1:
            return None
        # A second relation of the two is no reason: a negative could state what is left out here.
        if (place, relation, meant[0]) in self.relations:
            return False
        self.relations[place, relation, meant[0]] = ""
        return True

    # --- Attributes ----

    def _attribute(self, place: int | None, item: str, text: str) -> None:
        reading = self.readings["attribute", text]
        if place is None:
            reason = "no_object"
        elif reading.fault:
            reason = reading.fault
        elif reading.relations:
            linked = [self._linked(place, relation, name) for relation, name in reading.relations]
            reason = "" if any(linked) else "said_twice" if False in linked else "thing_not_annotated"
        else:
            reason = "" if self._say(place, reading) else "said_twice"
        if reason:
            self.faults.append(Fault(item, text, f"attribute_{reason}"))

    def _say(self, place: int, reading: Reading) -> bool:
        """Add the other parts of a reading to a thing, each once; return whether one of its attributes was new."""
        if reading.plural and not reading.name:
            self.plural.add(place)
        new = False
        for attribute in reading.attributes:
            present = [known for o, known in self.attributes if o == place]
            if not any(say_the_same(attribute, known) for known in present):
                self.attributes[place, attribute] = reading.unsayable
                new = True
        for relation, name in reading.relations:
            self._linked(place, relation, name)
        return new

    # --- Unmentioned in captions ----

    def _unsayable(self, graph: SceneGraph) -> Iterator[dict[str, Any]]:
        """Yield the atoms that captions leave out, with the reason.

        One is a thing whose name is complete only with a noun that was typed as its attribute, as the "beanie" of a "baby".
        """
        halves = {place: HALF_A_NAME for place, attribute in self.attributes if not modifies(attribute, graph.objects[place])}
        for place, reason in sorted((halves | self.unsayable_objects).items()):
            yield {"kind": "object", "index": place, "reason": reason}
        for index, ((place, attribute), reason) in enumerate(self.attributes.items()):
            if reason := reason or self._unfit(graph, place, attribute):
                yield {"kind": "attribute", "index": index, "reason": reason}
        for index, ((s, relation, o), reason) in enumerate(self.relations.items()):
            if reason := reason or ("" if fits(graph.objects[s], relation, graph.objects[o]) else "never_written"):
                yield {"kind": "relation", "index": index, "reason": reason}

    def _unfit(self, graph: SceneGraph, place: int, attribute: str) -> str:
        others = [other for other in graph.attributes_of(place) if other != attribute]
        before = graph.attributes_of(place)[: graph.attributes_of(place).index(attribute)]
        verbs = {relation.split()[0] for s, relation, _ in graph.relations if s == place and is_verbal(relation)}
        if any(contradict(attribute, other) for other in others):
            return "contradicted"
        if is_comparative(attribute):
            return "compared"
        if attribute in COLOURS and is_person(graph.objects[place]):
            return "colour_of_person"
        if any(near_colours(attribute, other) for other in before):
            return "another_opinion"
        if attribute in COLOURS and sum(other in COLOURS for other in before) >= MAX_COLOURS:
            return "many_colours"
        if attribute in MATERIALS and any(other in MATERIALS for other in before):
            return "many_materials"
        if verb_base(attribute.split()[0]) in verbs:
            return "said_by_relation"
        if not is_written(attribute):
            return "never_written"
        return "" if modifies(attribute, graph.objects[place]) else HALF_A_NAME


def size(record: SceneRecord) -> int:
    """Return the number of annotations of the record: itself, objects, their attributes, relations, and faulty rows."""
    return 1 + len(record.objects) + sum(len(o.attributes) for o in record.objects) + len(record.relations) + len(record.faults)


@cache
def is_written(attribute: str) -> bool:
    """Return whether people write an attribute; participles, and words after the noun that are no action, need an example in usage.

    >>> [is_written(attribute) for attribute in ("parked", "arranged", "far away", "walking away", "off", "blank")]
    [True, False, False, True, True, True]
    """
    after = attribute_place(attribute) == "after" and attribute not in PREDICATIVE and not attribute.split()[0].endswith("ing")
    return attribute in usage().attributes or not (after or is_participle(attribute))


@cache
def is_comparative(attribute: str) -> bool:
    """Return whether an attribute compares its thing with another that is not in the caption.

    >>> is_comparative("smaller"), is_comparative("leather"), is_comparative("silver")
    (True, False, False)
    """
    return attribute.endswith("er") and any(lemma != attribute for lemma in getLemma(attribute, "ADJ", lemmatize_oov=False))
