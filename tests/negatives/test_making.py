"""Tests of a worker's task on a small made-up image: the candidates of each type, by both protocols."""

from fractions import Fraction
from pathlib import Path

import pytest

from stages.contract import tables
from stages.contract.schemas import CLEARED, PAPER, PROTOCOLS
from stages.graphs.box import Box
from stages.graphs.graph import SceneGraph
from stages.images.crop_rule import CropRule
from stages.negatives import knowledge, making
from stages.negatives.image_context import Image
from stages.negatives.knowledge import Sources
from stages.negatives.making import ATOM, COMP, NEG, SWAP, Task
from stages.parameters.sections import Foils, Run
from tests.negatives import regions
from tests.negatives.captions import caption_row, region_row
from tests.negatives.known import annotated, knowing, vocabulary
from tests.running import section

OBJECTS = ("car", "dog", "table", "cup", "grass", "lamp")
GRAPH = SceneGraph(OBJECTS, ((0, "red"), (1, "black"), (3, "green")), ((1, "on", 2), (3, "on", 4)))
BOXES = [Box(20 + 60 * o, 20, 50, 50) for o in range(6)]
BOXES[1], BOXES[3] = BOXES[2], BOXES[4]
WORDS = vocabulary(
    (*OBJECTS, "bus", "truck", "cat", "horse", "bed", "bottle", "mug"), ("red", "black", "green", "blue"), ("on", "under", "in")
)
SAID = SceneGraph(("car", "dog", "table"), ((0, "red"), (1, "black")), ((1, "on", 2),))
WHOLE = Box(0, 0, 400, 300)


def rule(min_area=1, max_ratio=99):
    return CropRule(min_area, Fraction(0), Fraction(0), Fraction(max_ratio))


@pytest.fixture
def worker(monkeypatch):
    """Return a function that makes tasks, whose knowledge comes from no folder."""
    monkeypatch.setattr(making, "load", lambda folder: knowing(WORDS, annotated(WORDS.counts["object"])))
    return lambda rows, **changes: Task([image(rows)], Path(), **{"foils": 9, "rejects": 99, "seed": 0} | changes)


def image(rows):
    row = GRAPH.columns() | {"aliases": [[] for _ in BOXES], "boxes": [box._asdict() for box in BOXES]}
    return Image(1, rows, row | {"image_width": 400, "image_height": 300}, [])


def region(text, graph, crop=WHOLE):
    return region_row(text, graph, crop) | {"image_width": 400, "image_height": 300}


def caption(graph=SAID, crop=WHOLE):
    return caption_row(graph, "1-6-0") | crop._asdict()


def valid(made):
    return [[candidate for candidate in found if candidate.reason is None] for _, found in made.alternatives]


def test_a_region_gets_its_atoms_replaced_by_both_protocols(worker):
    made = making.atoms_of_regions(worker([region("a red car", SceneGraph(("car",), ((0, "red"),)))]))
    assert [(m.query_id, m.image_id, m.type, m.protocol, m.reason) for m in made] == [
        ("region-7", 1, ATOM, protocol, None) for protocol in PROTOCOLS
    ]
    for one in made:
        ((truth, _),) = one.alternatives
        assert truth.caption == "a red car" and truth.denied is None and truth.crop is None
        assert {"a blue car", "a green car"} <= {candidate.caption for candidate in valid(one)[0]}
    paper, cleared = ({c.nearness for own in valid(one) for c in own} for one in made)
    assert "further" not in paper and paper <= cleared


def test_a_region_gets_its_compound_split_by_both_protocols(worker):
    paper, cleared = making.compounds_of_regions(worker([region("a red car", SceneGraph(("car",), ((0, "red"),)))]))
    assert (paper.type, paper.protocol, cleared.type, cleared.protocol) == (COMP, PAPER, COMP, CLEARED)
    assert [truth.caption for truth, _ in paper.alternatives] == ["a red car"]
    assert valid(paper)[0] and all(" and " in candidate.caption for candidate in valid(paper)[0])
    assert {frozenset(truth.caption.split(" and ")) for truth, _ in cleared.alternatives} == {
        frozenset(("a red car", "a black dog")),
        frozenset(("a red car", "a green cup")),
    }
    assert all(valid(cleared)) and len(cleared.alternatives) == 2


def test_the_crop_of_two_compounds_shows_both_and_follows_the_rule(worker):
    crop = Box(0, 0, 100, 100)
    rows = [region("a red car", SceneGraph(("car",), ((0, "red"),)), crop)]
    found = making.compounds_of_regions(worker(rows))[1]
    assert [truth.crop for truth, _ in found.alternatives] == [Box(0, 0, 190, 100), Box(0, 0, 310, 100)]
    found = making.compounds_of_regions(worker(rows, crop=rule(max_ratio=2)))[1]
    assert [truth.crop for truth, _ in found.alternatives] == [Box(0, 0, 190, 100)]


def test_a_region_alone_in_its_image_has_no_second_compound(worker):
    rows = [region("a dog in a table", SceneGraph(("dog", "table"), (), ((0, "in", 1),)))]
    found = making.compounds_of_regions(worker(rows, crop=rule(min_area=10**9)))
    assert found[1].reason == "no_second_compound" and found[1].alternatives == []
    assert found[0].reason is None


def test_a_caption_gets_every_type_of_productivity_by_both_protocols(worker):
    made = making.negatives_of_captions(worker([caption()]))
    assert [(m.type, m.protocol) for m in made] == [(kind, protocol) for kind in (ATOM, SWAP, NEG) for protocol in PROTOCOLS]
    assert {m.query_id for m in made} == {"walk-1-6-0"}
    assert all(own for one in made for own in valid(one))


def test_cleared_denials_have_several_truths_and_the_same_candidates(worker):
    made = making.negatives_of_captions(worker([caption()]))[-1]
    truths = [truth for truth, _ in made.alternatives]
    assert len(truths) > 1 and len({truth.denied for truth in truths}) == len(truths)
    assert all(f" no {truth.denied} in sight" in truth.caption and truth.graph == SAID for truth in truths)
    first, *further = (found for _, found in made.alternatives)
    assert all(own == first for own in further)
    assert {candidate.atom for candidate in valid(made)[0]} == {"cup", "grass", "lamp"}
    assert {truth.denied for truth in truths}.isdisjoint(OBJECTS)


def test_where_the_crop_shows_nothing_else_nothing_can_be_denied(worker):
    made = making.negatives_of_captions(worker([caption(crop=Box(0, 0, 200, 100))]))[-1]
    assert (made.reason, made.alternatives) == ("nothing_to_deny", [])


def test_no_more_refused_candidates_are_shown_than_asked_and_all_valid_ones(worker):
    few, many = (making.negatives_of_captions(worker([caption()], rejects=rejects)) for rejects in (1, 99))
    for one, other in zip(few, many, strict=True):
        assert valid(one) == valid(other)
        for _, found in one.alternatives:
            assert sum(candidate.reason is not None for candidate in found) <= 1
        assert all(candidate.caption for _, found in other.alternatives for candidate in found)


def test_the_same_task_gives_the_same_candidates(worker):
    rows = [caption(), caption(SceneGraph(("car", "dog"), ((0, "red"),), ()))]
    task = worker(rows)
    together = making.negatives_of_captions(task)
    assert together == making.negatives_of_captions(task)
    assert together == [made for row in rows for made in making.negatives_of_captions(worker([row]))]


def test_rows_of_the_candidates_table(worker, tmp_path):
    made = [*making.negatives_of_captions(worker([caption()]))]
    rows = [
        candidate.row(one.protocol, one.query_id, one.image_id, one.type, truth.caption)
        for one in made
        for truth, found in one.alternatives
        for candidate in found
    ]
    tables.write("candidates", tmp_path / "candidates", rows)
    assert list(tables.read("candidates", tmp_path / "candidates")) == rows


def test_tasks_hold_whole_images_and_what_workers_need(tmp_path):
    inputs = regions.write(tmp_path / "inputs")
    sources = Sources([inputs / "training" / "toy"], inputs / "scene_graphs", inputs / "facts")
    foils = section(Foils, **regions.FOILS | {"piece": 8, "max_foils": 7, "rejects_per_set": 3, "seed": 5})
    rows = tables.read("regions", inputs / "regions")
    tasks = list(making.pieces_of(rows, sources, tmp_path, foils, rule()))
    assert [[image.image_id for image in task.images] for task in tasks] == [[1, 2], [3, 4], [5, 6]]
    assert {(task.knowledge, task.foils, task.rejects, task.seed, task.crop) for task in tasks} == {(tmp_path, 7, 3, 5, rule())}
    knowledge.prepare(tmp_path, sources, foils, 1, section(Run, workers=1))
    found = making.atoms_of_regions(tasks[0]._replace(foils=9))
    assert {one.query_id for one in found} == {f"region-{100 * image + i}" for image in (1, 2) for i in range(7)}
    assert any(own for one in found for own in valid(one))
