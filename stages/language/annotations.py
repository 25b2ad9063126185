"""Visual Genome's annotated scene graphs in the normal form of captions: the same words, or "seen" would mean nothing."""

from __future__ import annotations

from typing import Any

from stages.genome.boxes import Box, cut, overlap
from stages.genome.files import Fault, SceneRecord
from stages.graphs.graph import SceneGraph
from stages.language import normal


class Normalising:
    """One image's graph as it grows: objects, then their attributes, then relations; what is dropped is noted in ``faults``."""

    def __init__(self, record: SceneRecord, same_object: float):
        self.record, self.same_object = record, same_object
        self.faults = list(record.faults)
        self.place: dict[int, int] = {}
        self.names: list[tuple[str, ...]] = []
        self.ids: list[int] = []
        self.boxes: list[Box] = []
        self.attributes: dict[tuple[int, str], None] = {}
        self.relations: dict[tuple[int, str, int], None] = {}

    def row(self) -> dict[str, Any]:
        """The image's row of ``scene_graphs``."""
        for o in self.record.objects:
            self._object(o.object_id, o.names, o.box)
        for o in self.record.objects:
            for attribute in o.attributes:
                self._add(
                    self.attributes, "attribute", f"object {o.object_id}", attribute, (o.object_id, normal.attribute(attribute))
                )
        for s, predicate, o in self.record.relations:
            self._add(self.relations, "relation", f"objects {s} and {o}", predicate, (s, normal.relation(predicate), o))
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

    def _object(self, object_id: int, given: tuple[str, ...], given_box: Box) -> None:
        names = tuple(dict.fromkeys(name for name in map(normal.object_name, given) if name))
        box = cut(given_box, self.record.image_width, self.record.image_height)
        if object_id in self.place:
            reason = "object_duplicate_id"
        elif not names:
            reason = "object_no_name"
        elif box is None:
            reason = "object_outside"
        elif (same := self._same(names[0], box)) is not None:
            reason, self.place[object_id] = "object_duplicate", same
        else:
            self.place[object_id] = len(self.ids)
            self.names.append(names)
            self.ids.append(object_id)
            self.boxes.append(box)
            return
        self.faults.append(Fault(f"object {object_id}", given[0], reason))

    def _same(self, name: str, box: Box) -> int | None:
        """The place of an object of that name in the same place of the image."""
        alike = (i for i, names in enumerate(self.names) if names[0] == name)
        return next((i for i in alike if overlap(self.boxes[i], box) >= self.same_object), None)

    def _add(self, known: dict, kind: str, item: str, text: str, parts: tuple) -> None:
        """Add an attribute or a relation between object ids to those that are ``known`` between places."""
        ends = [self.place.get(part) if isinstance(part, int) else part for part in parts]
        if None in ends:
            reason = "no_object"
        elif not parts[1]:
            reason = "no_text"
        elif kind == "relation" and ends[0] == ends[2]:
            reason = "to_itself"
        elif tuple(ends) in known:
            reason = "duplicate"
        else:
            known[tuple(ends)] = None
            return
        self.faults.append(Fault(item, text, f"{kind}_{reason}"))


def size(record: SceneRecord) -> int:
    """How many annotations the record has: itself, its objects, their attributes, its relations, and the rows that had faults."""
    return 1 + len(record.objects) + sum(len(o.attributes) for o in record.objects) + len(record.relations) + len(record.faults)
