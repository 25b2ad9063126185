"""Workers read what a stage writes for them."""

import pytest

from stages.contract.errors import InputError
from stages.graphs.graph import SceneGraph
from stages.negatives import counts, knowledge, name_pairs
from stages.negatives.knowledge import Sources
from stages.parameters.sections import Foils, Run
from tests.negatives.known import knowing, vocabulary, with_usage
from tests.negatives.regions import FOILS, write
from tests.running import section


def prepared(folder, sources, **changes):
    foils = section(Foils, **FOILS | changes)
    knowledge.prepare(folder, sources, foils, 1, section(Run, workers=1))
    return knowledge.load(folder)


@pytest.fixture
def sources(tmp_path):
    inputs = write(tmp_path / "inputs")
    return Sources([inputs / "training" / "toy"], inputs / "scene_graphs", inputs / "facts")


def test_workers_read_what_the_stage_wrote(tmp_path, sources):
    known = prepared(tmp_path, sources, max_true=0.25, least_association=0.125)
    assert (known.max_true, known.least_association) == (0.25, 0.125)
    assert known.vocabulary.counts["object"]["cup"] == 5
    assert "cup" in known.meanings.nouns and known.meanings.habits.own.images == 6
    assert known.meanings.habits.own.said["dog"] == [6, 0, 0, 6]
    assert known.meanings.usage.attribute("car", "red") > known.meanings.usage.attribute("car", "pink")
    assert knowledge.load(tmp_path) is known, "it is read once"


def test_what_training_sets_lack_is_kept_only_where_every_one_must_have_seen_a_foil(tmp_path, sources):
    other = write(tmp_path / "other", nouns=("cup", "dog")).joinpath("training", "toy")
    both = sources._replace(training_sets=[*sources.training_sets, other])
    lacking = []
    for name in ("every", "any"):
        folder = tmp_path / name
        folder.mkdir()
        lacking.append(prepared(folder, both, seen_by=name).vocabulary.lacking)
    assert lacking[0]["object"]["truck"] == [1] and "cup" not in lacking[0]["object"]
    assert lacking[1] == {}


def test_what_people_hardly_ever_say_is_not_sensible_unless_the_truth_says_as_odd_a_thing():
    known = knowing(vocabulary(), with_usage(), least_association=0.08)
    truth, odd = SceneGraph(("dog",), ((0, "black"),)), SceneGraph(("car", "jacket"), (), ((0, "wear", 1),))
    assert known.sensible(SceneGraph(("dog",), ((0, "brown"),)), truth)
    assert not known.sensible(odd, truth)
    assert known.sensible(odd, odd)
    assert knowing(vocabulary(), with_usage(), least_association=0.0).sensible(odd, truth)


def test_without_training_sets_there_is_no_knowledge(tmp_path, sources):
    with pytest.raises(InputError, match="no such file"):
        prepared(tmp_path, sources._replace(training_sets=[tmp_path / "nowhere"]))


def test_pairs_are_the_same_however_many_are_summed_at_once(monkeypatch):
    images = [[SceneGraph(("couch", "dog")), SceneGraph(("sofa",)), SceneGraph(("lamp",))]] * 4
    whole = counts.Counts.of(images).together.nested()
    monkeypatch.setattr(name_pairs, "AT_ONCE", 0)
    assert counts.Counts.of(images).together.nested() == whole
    assert whole["couch"] == {"dog": [4, 0], "lamp": [4, 4], "sofa": [4, 4]}
