"""Visual Genome's annotated scene graphs in the normal form of captions: the same words, or "seen" would mean nothing."""

from __future__ import annotations

from typing import Any

from stages.graphs.box import Box
from stages.graphs.graph import SceneGraph
from stages.language import normal
from stages.visual_genome.files import Fault, SceneRecord


class Normalising:
    """One image's graph as it grows: objects, then their attributes, then relations; what is dropped is noted in ``faults``."""

    def __init__(self, record: SceneRecord, same_object: float):
        self.record, self.same_object = record, same_object
        self.size = (record.image_width or 0, record.image_height or 0)
        self.faults = list(record.faults)
        self.place: dict[int, int] = {}
        self.names: list[tuple[str, ...]] = []
        self.ids: list[int] = []
        self.boxes: list[Box] = []
        self.attributes: dict[tuple[int, str], None] = {}
        self.relations: dict[tuple[int, str, int], None] = {}

    def row(self) -> dict[str, Any]:
        """The image's row of ``scene_graphs``."""
        places = [self._object(o.object_id, o.names, o.box) for o in self.record.objects]
        for place, o in zip(places, self.record.objects, strict=True):
            for text in o.attributes:
                self._add(self.attributes, "attribute", f"object {o.object_id}", text, (place, normal.attribute(text)))
        for subject, text, object_ in self.record.relations:
            ends = (self.place.get(subject), normal.relation(text), self.place.get(object_))
            self._add(self.relations, "relation", f"objects {subject} and {object_}", text, ends)
        graph = SceneGraph(tuple(names[0] for names in self.names), tuple(self.attributes), tuple(self.relations))
        return {
            "image_id": self.record.image_id,
            "image_width": self.record.image_width,
            "image_height": self.record.image_height,
            **graph.columns(),
            "object_ids": self.ids,
            "boxes": [box._asdict() for box in self.boxes],
            "aliases": [list(names[1:]) for names in self.names],
        }

    def _object(self, object_id: int, given: tuple[str, ...], given_box: Box) -> int | None:
        """Add an object, or note why not; its place in the graph, or that of the one it is the same as."""
        names = tuple(dict.fromkeys(name for name in map(normal.object_name, given) if name))
        box = given_box.cut(*self.size)
        if object_id in self.place:
            place, reason = None, "object_duplicate_id"
        elif not names:
            place, reason = None, "object_no_name"
        elif box is None:
            place, reason = None, "object_outside"
        elif (same := self._same(names[0], box)) is not None:
            place, reason = same, "object_duplicate"
        else:
            place, reason = len(self.ids), None
            self.names.append(names)
            self.ids.append(object_id)
            self.boxes.append(box)
        if place is not None:
            self.place[object_id] = place
        if reason is not None:
            self.faults.append(Fault(f"object {object_id}", given[0], reason))
        return place

    def _same(self, name: str, box: Box) -> int | None:
        """The place of an object of that name in the same place of the image."""
        alike = (i for i, names in enumerate(self.names) if names[0] == name)
        return next((i for i in alike if self.boxes[i].iou(box) >= self.same_object), None)

    def _add(self, known: dict, kind: str, item: str, text: str, parts: tuple) -> None:
        """Add an attribute (place, text) or a relation (place, text, place) to those that are ``known``, or note why not."""
        if None in parts:
            reason = "no_object"
        elif not parts[1]:
            reason = "no_text"
        elif kind == "relation" and parts[0] == parts[2]:
            reason = "to_itself"
        elif parts in known:
            reason = "duplicate"
        else:
            known[parts] = None
            return
        self.faults.append(Fault(item, text, f"{kind}_{reason}"))


def size(record: SceneRecord) -> int:
    """How many annotations the record has: itself, its objects, their attributes, its relations, and the rows that had faults."""
    return 1 + len(record.objects) + sum(len(o.attributes) for o in record.objects) + len(record.relations) + len(record.faults)
