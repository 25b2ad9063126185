"""What is seen together: a thing is at home where captions name it beside what is there."""

import pytest

from stages.contract import tables
from stages.foils import scenes
from stages.foils.scenes import Scenes
from stages.parameters.sections import Run
from tests.running import section

OFFICE, SLOPE = ("desk", "chair", "monitor", "printer", "office"), ("snow", "ski", "skier", "slope", "helmet")
EVERYWHERE = "man"


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scenes")
    rows = [
        {"caption": f"{a} {b} {i}", "count": 1, "objects": [a, b, EVERYWHERE], "attributes": [], "relations": []}
        for scene in (OFFICE, SLOPE)
        for a in scene
        for b in scene
        for i in range(3)
        if a < b and (a, b) != ("monitor", "printer")
    ]
    (folder / "a").mkdir()
    tables.write("training_graphs", folder / "a" / "graphs.parquet", rows)
    scenes.write(folder, [folder / "a"], 1000, section(Run, memory="100MB", workers=1))
    return scenes.load(folder)


def test_a_thing_is_at_home_among_what_is_named_beside_it(learned):
    office = frozenset(("desk", "chair", "monitor"))
    assert learned.fit("printer", office) > 0.5 > learned.fit("ski", office)
    assert learned.fit("laser printer", office) == learned.fit("printer", office)


def test_what_is_not_known_is_at_home_nowhere(learned):
    assert learned.fit("quetzal", frozenset(OFFICE)) == learned.fit("desk", frozenset()) == 0
    assert Scenes.none().fit("desk", frozenset(OFFICE)) == 0


def test_captions_that_name_one_thing_each_tell_nothing(tmp_path):
    (tmp_path / "a").mkdir()
    row = {"caption": "a desk", "count": 1, "objects": ["desk"], "attributes": [], "relations": []}
    tables.write("training_graphs", tmp_path / "a" / "graphs.parquet", [row])
    scenes.write(tmp_path, [tmp_path / "a"], 1000, section(Run, memory="100MB", workers=1))
    assert scenes.load(tmp_path).fit("desk", frozenset(OFFICE)) == 0


def test_two_things_that_captions_name_together(learned):
    assert learned.together("desk", "chair") > 0.5 > 0.1 > learned.together("desk", "ski")
    assert learned.together("quetzal", "desk") == Scenes.none().together("desk", "chair") == 1
