"""What a stage writes for its workers."""

from stages.foils import knowledge
from stages.parameters.sections import Foils, Run
from tests.foils.regions import SECTIONS, write
from tests.running import section


def test_each_suite_and_swaps_ask_for_their_own_acceptability(tmp_path):
    inputs = write(tmp_path / "inputs")
    limits = {"systematicity": 0.75, "pair": 0.875, "productivity": 0.25, "swap": 0.5}
    asked = SECTIONS["foils"]["sense"] | {"acceptable": limits}
    foils, running = section(Foils, **SECTIONS["foils"] | {"sense": asked}), section(Run)
    found = {}
    for suite in ("systematicity", "productivity"):
        folder = tmp_path / suite
        folder.mkdir()
        places = inputs / "scene_graphs", inputs / "facts"
        knowledge.prepare(folder, [inputs / "training" / "toy"], *places, foils, 1, suite, running)
        found[suite] = knowledge.load(folder).acceptable
    assert found == {"systematicity": (0.75, 0.875, 0.5), "productivity": (0.25, 0.875, 0.5)}
