"""ARO's cases of relation and attribution: two large objects, and the caption in which they, or their attributes, change places.

Yuksekgonul et al., ICLR 2023, section 2.1 and appendix A.1. Differences from the paper: verbs agree with their subject, and
possessions and parts ("the dog has the tail") are left out, because their exchange is nonsense; and an exchanged caption must be
ruled out by the crop's facts, or by usage in general, where the paper only leaves out relations that are symmetric as words. Atoms
that do not fit into captions (``scene_graphs``' column ``unsayable``) are not used.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from stages.graphs.box import Box, union
from stages.graphs.graph import SceneGraph
from stages.negatives.evidence import Evidence
from stages.semantics import attributes, relations
from stages.semantics.usage import MIN_ASSOCIATION, shipped
from stages.text.inflection import clause_form, number_of, plural
from stages.text.word_classes import attribute_place

RELATION, ATTRIBUTION = "VG-Relation", "VG-Attribution"
MAX_TRUE = 0.05
"""Maximum probability of being true for an exchanged caption."""
POSSESSION = frozenset({"have", "of", "with", "part of", "belong to"})


class Case(NamedTuple):
    """A truth and its exchange for one crop.

    Attributes:
        type: :data:`RELATION` or :data:`ATTRIBUTION`.
        group: the unit of the macro accuracy: the relation as worded, or the pair of attributes in alphabetical order.
        moved: the parts that change places, in normal form.
        graph, exchanged: of the truth, and of the negative.
        atoms: the truth's atoms, as kinds and indices of the image's own graph.
    """

    case_id: str
    type: str
    group: str
    moved: tuple[str, str]
    truth: str
    negative: str
    graph: SceneGraph
    exchanged: SceneGraph
    crop: Box
    atoms: frozenset[tuple[str, int]]

    def row(self, image_id: int) -> dict[str, Any]:
        """Return the case as a row of the table ``queries``."""
        return {
            "protocol": None,
            "query_id": self.case_id,
            "type": self.type,
            "image_id": image_id,
            **self.crop._asdict(),
            "n": self.graph.n,
            "truth": self.truth,
            "denied": None,
            **self.graph.columns(),
            "splits": [],
            "negatives": [
                {
                    **{"caption": self.negative, "edit": self.group, "atom": " | ".join(self.moved), "spans": []},
                    **self.exchanged.columns(),
                }
            ],
        }


def large(box: Box, image_width: int, image_height: int, least: float) -> bool:
    """Return whether a box has at least the fraction ``least`` of the image's width, and of its height (a quarter in the paper)."""
    return box.width >= least * image_width and box.height >= least * image_height


def cases(image: Mapping[str, Any], known: Evidence, least: float) -> Iterator[tuple[Case, str | None]]:
    """Yield every case of an image, with the reason if it cannot be used.

    Equal captions come once: of two benches on the grass, "the bench is on the grass" may be two cases of one crop.

    Args:
        image: a row of ``scene_graphs``.
    """
    graph, boxes = SceneGraph.from_columns(image), [Box(**box) for box in image["boxes"]]
    said = [plural(name) if i in image["plurals"] else name for i, name in enumerate(graph.objects)]
    big = {i for i, box in enumerate(boxes) if large(box, image["image_width"], image["image_height"], least)}
    asked = set[tuple[Any, ...]]()
    unsayable = {(atom["kind"], atom["index"]) for atom in image["unsayable"]}
    for found, fault in ((_relations, _relation_fault), (_attributions, _attribution_fault)):
        for case in found(image["image_id"], graph, said, boxes, big):
            here = known.within(case.crop)
            # Two objects of one category are no pair (appendix A.1, step 3), nor are two that may share a name.
            reason = "same_name" if here.meanings.alike(*case.graph.objects) else fault(case, here)
            # Atoms that scene_graphs lists as evidence only do not fit into captions: "the computer tower cpu and the white table".
            reason = "unsayable" if case.atoms & unsayable else reason
            # The crop and the truth, in either order of its things, identify the case.
            question = (case.crop, case.graph.canonical())
            yield case, "duplicate" if reason is None and question in asked else reason
            asked.add(question)


def drawn(image_cases: Iterable[Case], most: int, seed: int) -> list[Case]:
    """Return at most ``most`` cases of each type of an image, drawn by the seed and their ids: some would have thousands."""
    order = sorted(image_cases, key=lambda case: Random(f"{seed}:{case.case_id}").random())
    return [case for kind in (RELATION, ATTRIBUTION) for case in [c for c in order if c.type == kind][:most]]


# --- "the dog is behind the tree" / "the tree is behind the dog" ----


def _relations(image_id: int, graph: SceneGraph, said: list[str], boxes: list[Box], big: set[int]) -> Iterator[Case]:
    for i, (s, relation, o) in enumerate(graph.relations):
        if s in big and o in big and s != o:
            one, other = graph.objects[s], graph.objects[o]
            yield Case(
                f"aro-relation-{image_id}-{i}",
                RELATION,
                " ".join(clause_form(relation)).removeprefix("is ").strip(),
                (one, other),
                _clause(said[s], relation, said[o]),
                _clause(said[o], relation, said[s]),
                SceneGraph((one, other), (), ((0, relation, 1),)),
                SceneGraph((one, other), (), ((1, relation, 0),)),
                union([boxes[s], boxes[o]]),
                frozenset({("object", s), ("object", o), ("relation", i)}),
            )


def _clause(subject: str, relation: str, object_: str) -> str:
    verb = " ".join(clause_form(relation, "plural" if number_of(subject) == "plural" else "singular")).strip()
    return f"the {subject} {verb} the {object_}"


def _relation_fault(case: Case, known: Evidence) -> str | None:
    (subject, object_), relation = case.moved, case.graph.relations[0][1]
    if relation in POSSESSION:
        return "possession"
    if relations.symmetric(relation):
        return "symmetric"
    if shipped().relation(object_, relation, subject) < MIN_ASSOCIATION:
        return None
    return None if known.triple(object_, relation, subject) <= MAX_TRUE else "may_be_true"


# --- "the crouched cat and the open door" / "the open cat and the crouched door" ----


def _attributions(image_id: int, graph: SceneGraph, said: list[str], boxes: list[Box], big: set[int]) -> Iterator[Case]:
    places = {(o, a): place for place, (o, a) in reversed([*enumerate(graph.attributes)])}
    described = [(o, a) for o, a in dict.fromkeys(graph.attributes) if o in big and attribute_place(a) == "before"]
    for (i, a), (j, b) in combinations(described, 2):
        if i != j:
            one, other = graph.objects[i], graph.objects[j]
            yield Case(
                f"aro-attribution-{image_id}-{i}-{j}-{a}-{b}".replace(" ", "_"),
                ATTRIBUTION,
                " vs ".join(sorted((a, b))),
                (a, b),
                f"the {a} {said[i]} and the {b} {said[j]}",
                f"the {b} {said[i]} and the {a} {said[j]}",
                SceneGraph((one, other), ((0, a), (1, b))),
                SceneGraph((one, other), ((0, b), (1, a))),
                union([boxes[i], boxes[j]]),
                frozenset({("object", i), ("object", j), ("attribute", places[i, a]), ("attribute", places[j, b])}),
            )


def _attribution_fault(case: Case, known: Evidence) -> str | None:
    (one, other), (a, b) = case.graph.objects, case.moved
    if attributes.implies(a, b) or attributes.implies(b, a):
        return "same_attribute"
    # The exchanged caption makes two claims, and is false where either is.
    if min(shipped().attribute(one, b), shipped().attribute(other, a)) < MIN_ASSOCIATION:
        return None
    return None if min(known.attribute(one, b), known.attribute(other, a)) <= MAX_TRUE else "may_be_true"
