"""Tests of ARO's cases on scene graphs written by hand."""

from stages.negatives.evidence import Evidence
from stages.suites.aro_cases import ATTRIBUTION, RELATION, cases, drawn
from tests.negatives.known import MEANINGS

FULL = {"x": 0, "y": 0, "width": 300, "height": 300}


def image(objects, attributes=(), relations=(), boxes=None):
    return {
        "image_id": 7,
        "image_width": 400,
        "image_height": 400,
        "objects": list(objects),
        "attributes": [{"object": o, "attribute": a} for o, a in attributes],
        "relations": [{"subject": s, "relation": r, "object": o} for s, r, o in relations],
        "object_ids": list(range(len(objects))),
        "boxes": boxes or [FULL] * len(objects),
        "aliases": [[] for _ in objects],
        "plurals": [],
        "unsayable": [],
    }


def asked(row):
    return [(case, fault) for case, fault in cases(row, Evidence.of(row, [], MEANINGS), 0.25)]


def test_a_relation_and_its_exchange():
    ((case, fault),) = asked(image(["horse", "grass"], relations=[(0, "eat", 1)]))
    assert fault is None and case.type == RELATION and case.group == "eating"
    assert (case.truth, case.negative) == ("the horse is eating the grass", "the grass is eating the horse")
    assert case.row(7)["negatives"][0]["relations"] == [{"subject": 1, "relation": "eat", "object": 0}]


def test_verbs_agree_with_their_subject():
    ((case, _),) = asked(image(["people", "bench"], relations=[(0, "sit on", 1)]))
    assert (case.truth, case.negative) == ("the people are sitting on the bench", "the bench is sitting on the people")


def test_what_is_several_stays_several():
    row = image(["curtain", "wall"], [(0, "blue"), (1, "green")], [(0, "hang on", 1)]) | {"plurals": [0]}
    (relation, _), (attribution, _) = asked(row)
    assert (relation.truth, relation.negative) == ("the curtains are hanging on the wall", "the wall is hanging on the curtains")
    assert attribution.truth == "the blue curtains and the green wall"


def test_what_cannot_be_asked_has_its_reason():
    for relation, reason in (("next to", "symmetric"), ("sit across from", "symmetric"), ("have", "possession")):
        ((_, fault),) = asked(image(["dog", "tree"], relations=[(0, relation, 1)]))
        assert fault == reason
    ((_, fault),) = asked(image(["man", "woman"], relations=[(0, "walk with", 1)]))
    assert fault == "symmetric", "the woman is walking with the man as well"
    ((_, fault),) = asked(image(["dog", "puppy"], relations=[(0, "behind", 1)]))
    assert fault == "same_name"
    found = asked(image(["man", "woman"], relations=[(0, "watch", 1), (1, "watch", 0)]))
    assert {fault for _, fault in found} == {"may_be_true"}


def test_attributes_change_places():
    ((case, fault),) = asked(image(["sofa", "door"], [(0, "green"), (1, "purple")]))
    assert fault is None and case.type == ATTRIBUTION and case.group == "green vs purple"
    assert (case.truth, case.negative) == ("the green sofa and the purple door", "the purple sofa and the green door")


def test_what_no_such_thing_can_be_or_do_is_false():
    """Once, only five of 143 cases of real annotations remained: anything often mentioned might be true once more."""
    ((_, fault),) = asked(image(["zebra", "door"], [(0, "clean"), (1, "wooden")]))
    assert fault is None, "no zebra is wooden"
    things = ["horse", "grass", *["horse", "grass"] * 4]
    ((_, fault),) = asked(image(things, relations=[(0, "eat", 1)]))
    assert fault is None


def test_what_no_caption_says_well_is_not_asked():
    """No caption says "the computer tower cpu and the white table"."""
    row = image(["sofa", "door", "horse", "grass"], [(0, "green"), (1, "purple")], [(2, "eat", 3)])
    for atom, type_ in ((("attribute", 1), ATTRIBUTION), (("object", 0), ATTRIBUTION), (("relation", 0), RELATION)):
        kind, index = atom
        found = asked(row | {"unsayable": [{"kind": kind, "index": index, "reason": "vague"}]})
        assert {case.type for case, fault in found if fault == "unsayable"} == {type_}
        assert {case.type for case, fault in found if fault is None} == {RELATION, ATTRIBUTION} - {type_}


def test_attributes_that_may_both_hold_are_no_case():
    ((_, fault),) = asked(image(["table", "door"], [(0, "dirty"), (1, "wooden")]))
    assert fault == "may_be_true"
    ((_, fault),) = asked(image(["cat", "door"], [(0, "black"), (1, "black")]))
    assert fault == "same_attribute"


def test_small_objects_are_none():
    small = {"x": 0, "y": 0, "width": 99, "height": 300}
    assert not asked(image(["horse", "grass"], relations=[(0, "eat", 1)], boxes=[FULL, small]))
    just = small | {"width": 100}
    assert asked(image(["horse", "grass"], relations=[(0, "eat", 1)], boxes=[FULL, just]))


def test_the_crop_is_the_smallest_box_around_both():
    boxes = [{"x": 0, "y": 10, "width": 100, "height": 100}, {"x": 150, "y": 200, "width": 100, "height": 110}]
    ((case, _),) = asked(image(["horse", "grass"], relations=[(0, "eat", 1)], boxes=boxes))
    assert case.crop == (0, 10, 250, 300)


def test_one_crop_is_asked_about_a_wording_once():
    """Two benches are in front of all of the grass and share a crop; a third, outside it, has another crop."""
    left, outside = FULL | {"width": 100}, FULL | {"y": 100}
    relations = [(bench, "on", 1) for bench in (0, 2, 3)]
    found = asked(image(["bench", "grass", "bench", "bench"], relations=relations, boxes=[FULL, FULL, left, outside]))
    assert [(case.case_id, fault) for case, fault in found] == [
        ("aro-relation-7-0", None),
        ("aro-relation-7-1", "duplicate"),
        ("aro-relation-7-2", None),
    ]
    # The same two things in the other order.
    found = asked(image(["bench", "door", "bench"], [(0, "green"), (1, "purple"), (2, "green")]))
    assert [fault for case, fault in found if set(case.graph.objects) == {"bench", "door"}] == [None, "duplicate"]


def test_an_image_gives_no_more_than_its_share():
    found = [case for case, _ in asked(image(["cat", "door"], [(0, a) for a in ("black", "wet", "old")] + [(1, "white")]))]
    assert len(drawn(found, 2, 0)) == 2 and drawn(found, 2, 0) == drawn(found[::-1], 2, 0)
