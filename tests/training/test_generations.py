"""Tests of the schedule's boundaries, step by step."""

import pytest

from stages.parameters.sections import Iterated, Train
from stages.training.generations import generations, phase, spawned
from tests.running import section


def settings(**changes):
    base = {"warm_up": 3, "distil": 2, "interact": 4, "last": 5, "spawn": "text"}
    return Iterated(**{**base, "distillation": "teacher", "codebook": True, "freeze_codebook": True, **changes})


def test_every_step_of_a_short_training():
    """The warm-up has 3, two generations have 2 + 4, and the last has 5 (and 2 left over) more."""
    steps = 3 + 6 + 6 + 5 + 2
    found = [phase(step, steps, settings()) for step in range(steps)]
    assert [now.generation for now in found] == [0] * 3 + [1] * 6 + [2] * 13
    assert "".join(now.name[0] for now in found) == "iii" + "ddiiii" + "dd" + "i" * 11
    assert [now.since for now in found] == [0, 1, 2, *range(6), *range(13)]
    assert [step for step, now in enumerate(found) if now.spawned and not now.since] == [3, 9]
    assert found[0].spawned is None


def test_as_on_cc3m():
    """Section 4.1: 6,000 steps, cycles of 1,000 and 5,000, and 12,000 more for the last."""
    cc3m = settings(warm_up=6000, distil=1000, interact=5000, last=12000)
    assert generations(6000 + 8 * 6000 + 12000, cc3m) == 8
    assert phase(6000, 66000, cc3m)[:3] == (1, "distil", 0)
    assert phase(6999, 66000, cc3m).name == "distil" and phase(7000, 66000, cc3m).name == "interact"
    assert phase(65999, 66000, cc3m).generation == 8


def test_the_projects_own_steps_are_several_generations():
    train = section(Train, method="iterated")
    assert generations(train.steps, train.iterated) == 3


def test_too_few_steps_for_a_generation_are_warm_up():
    assert {phase(step, 13, settings()).generation for step in range(13)} == {0}
    assert generations(14, settings()) == 1


@pytest.mark.parametrize(("spawn", "agents"), [("text", "ttt"), ("vision", "vvv"), ("alternately", "tvt")])
def test_who_is_spawned(spawn, agents):
    assert "".join(spawned(generation, settings(spawn=spawn))[0] for generation in (1, 2, 3)) == agents


def test_without_distillation_all_learn_at_once():
    assert phase(3, 30, settings(distil=0)).name == "interact"
