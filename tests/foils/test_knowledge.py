"""What a stage writes for its workers."""

from stages.foils import knowledge
from stages.parameters.sections import Foils, Run
from tests.foils.regions import SECTIONS, write
from tests.running import section


def test_atoms_relations_pairs_and_swaps_ask_for_their_own_acceptability(tmp_path):
    inputs = write(tmp_path / "inputs")
    limits = {"atom": 0.75, "relation": 0.625, "pair": 0.875, "swap": 0.5}
    asked = SECTIONS["foils"]["sense"] | {"acceptable": limits}
    foils, running = section(Foils, **SECTIONS["foils"] | {"sense": asked}), section(Run)
    places = inputs / "scene_graphs", inputs / "facts"
    knowledge.prepare(tmp_path, [inputs / "training" / "toy"], *places, foils, 1, running)
    known = knowledge.load(tmp_path).acceptable
    assert known == (0.75, 0.625, 0.875, 0.5)
    assert [known.of(kind) for kind in ("object", "attribute", "relation")] == [0.75, 0.75, 0.625]
