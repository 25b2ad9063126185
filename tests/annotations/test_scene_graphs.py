"""Tests of annotated scene graphs in normal form: captions and annotations share one form, and every loss has a reason."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stages.annotations.scene_graphs import HALF_A_NAME, size
from stages.annotations.visual_genome import Fault, SceneRecord
from tests.bad_input import visual_genome
from tests.bad_input.visual_genome import OBJECT, OTHER, RELATION


def normalised(
    tmp_path: Path, objects: list, relations: list, same_object: float = 1.0
) -> tuple[dict[str, Any], list[Fault], SceneRecord]:
    normalising, record = visual_genome.normalised(tmp_path, objects, relations, same_object)
    return normalising.row(), normalising.faults, record


def test_names_attributes_and_predicates_are_in_normal_form(tmp_path):
    objects = [OBJECT | {"names": ["The BUSES", "coaches"], "attributes": ["Grey "]}, OTHER | {"names": ["men"]}]
    row, faults, _ = normalised(tmp_path, objects, [RELATION | {"predicate": "is WEARING"}])
    assert (row["objects"], row["aliases"], faults) == (["bus", "man"], [["coach"], []], [])
    assert row["attributes"] == [{"object": 0, "attribute": "gray"}]
    assert row["relations"] == [{"subject": 1, "relation": "wear", "object": 0}]
    assert row["boxes"][0] == {"x": 10, "y": 10, "width": 300, "height": 300}


def test_what_is_said_of_the_second_annotation_of_an_object_is_said_of_the_first(tmp_path):
    twin = OBJECT | {"object_id": 8, "attributes": ["old"]}
    row, faults, _ = normalised(tmp_path, [OBJECT, twin, OTHER], [RELATION, RELATION | {"object_id": 8, "predicate": "near"}])
    assert row["attributes"] == [{"object": 0, "attribute": "red"}, {"object": 0, "attribute": "old"}]
    assert [(r["relation"], r["object"]) for r in row["relations"]] == [("on", 0), ("near", 0)]
    assert [fault.reason for fault in faults] == ["object_duplicate"]


def test_further_names_of_the_second_annotation_of_an_object_are_names_of_the_first(tmp_path):
    one, twin = OTHER | {"names": ["man"]}, OTHER | {"object_id": 8, "names": ["man", "surfer"]}
    row, faults, _ = normalised(tmp_path, [one, twin], [])
    assert (row["objects"], row["aliases"]) == (["man"], [["surfer"]])
    assert [fault.reason for fault in faults if fault.reason.startswith("object")] == ["object_duplicate"]


@pytest.mark.parametrize(("same_object", "n"), [(1.0, 2), (0.5, 1)])
def test_how_much_two_boxes_of_one_object_overlap_is_a_parameter(same_object, n, tmp_path):
    row, _, _ = normalised(tmp_path, [OBJECT, OBJECT | {"object_id": 8, "x": 60}], [], same_object)
    assert len(row["objects"]) == n


def test_a_second_object_of_the_same_id_gives_the_first_nothing(tmp_path):
    row, faults, _ = normalised(tmp_path, [OBJECT, OTHER | {"object_id": 5, "attributes": ["tall"]}], [])
    assert row["attributes"] == [{"object": 0, "attribute": "red"}]
    assert [fault.reason for fault in faults] == ["object_duplicate_id", "attribute_no_object"]


def test_the_relations_of_a_dropped_object_go_with_it(tmp_path):
    row, faults, _ = normalised(tmp_path, [OBJECT | {"x": 900}, OTHER], [RELATION])
    assert row["relations"] == []
    assert [fault.reason for fault in faults] == ["object_outside", "relation_no_object", "attribute_no_object"]


def test_a_relation_typed_as_an_attribute_stands_beside_another_of_the_two(tmp_path):
    """A man is near a bus, and his attribute says that he is riding it: no negative may say "a man riding a bus"."""
    near = RELATION | {"predicate": "near"}
    row, faults, _ = normalised(tmp_path, [OBJECT, OTHER | {"attributes": ["riding the bus", "near the bus"]}], [near])
    assert [(r["subject"], r["relation"], r["object"]) for r in row["relations"]] == [(1, "near", 0), (1, "ride", 0)]
    assert [fault.reason for fault in faults] == ["attribute_said_twice"]


def test_a_thing_with_half_a_name_is_evidence_only(tmp_path):
    """A "beanie" "baby" is not a baby that a caption may mention; a red office chair is a chair."""
    objects = [
        OBJECT | {"names": ["baby"], "attributes": ["beanie", "small"]},
        OTHER | {"names": ["chair"], "attributes": ["office", "red"]},
    ]
    row, _, _ = normalised(tmp_path, objects, [])
    assert row["objects"] == ["baby", "chair"]
    unsayable = [(atom["kind"], atom["index"], atom["reason"]) for atom in row["unsayable"]]
    assert unsayable == [("object", 0, HALF_A_NAME), ("attribute", 0, HALF_A_NAME)]


def test_of_colours_that_are_two_peoples_words_for_one_the_first_is_said(tmp_path):
    """A "white" and "cream" wall has one colour under two names, but a bottle can be red and white."""
    objects = [
        OBJECT | {"names": ["wall"], "attributes": ["white", "cream colored"]},
        OTHER | {"names": ["bottle"], "attributes": ["red", "white"]},
    ]
    row, _, _ = normalised(tmp_path, objects, [])
    assert [atom["attribute"] for atom in row["attributes"]] == ["white", "cream", "red", "white"]
    assert row["unsayable"] == [{"kind": "attribute", "index": 1, "reason": "another_opinion"}]


OBJECTS = st.lists(
    st.fixed_dictionaries(
        {"object_id": st.integers(1, 4), "names": st.lists(st.sampled_from(["dog", "Dogs", "cat", ""]), max_size=2)},
        optional={
            **{side: st.integers(-100, 900) | st.none() for side in "xywh"},
            "attributes": st.lists(st.sampled_from(["red", "Red ", "big", None]), max_size=3),
        },
    ),
    max_size=5,
)
RELATIONS = st.lists(
    st.fixed_dictionaries(
        {"subject_id": st.integers(1, 4), "predicate": st.sampled_from(["on", "ON", "is on"]), "object_id": st.integers(1, 4)}
    ),
    max_size=4,
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(OBJECTS, RELATIONS)
def test_every_annotation_is_kept_once_or_dropped_once(tmp_path, objects, relations):
    row, faults, record = normalised(tmp_path, objects, relations)
    kept = sum(len(row[kind]) for kind in ("objects", "attributes", "relations"))
    assert 1 + kept + len(faults) == size(record)
    assert len(row["objects"]) == len(row["object_ids"]) == len(row["boxes"]) == len(row["aliases"])
    for relation in row["relations"]:
        assert 0 <= relation["subject"] != relation["object"] < len(row["objects"])
