"""How natural a denial is, by the trees that ship."""

from copy import copy

import numpy as np
from sklearn.metrics import roc_auc_score

from stages.foils import trees
from stages.foils.scenes import Scenes
from stages.productivity.absences import SIGNS, TREES, remarkable, signs
from stages.semantics.things import UNKNOWN
from tests.benchmarks.acceptability import DENIALS, read
from tests.foils.known import people

SHORE = ("rock", "sea", "wave")


def test_shipped_trees_tell_what_readers_found_natural():
    _, known, judged = read(DENIALS, SIGNS)
    said = trees.load(TREES).predict(known)
    assert roc_auc_score(judged == 1, said) > 0.85
    assert said[judged == 1].mean() > said[judged < 1].mean() + 0.1


def test_a_thing_that_is_at_home_by_what_the_caption_names_is_missed():
    """Of a rocky shore one says that there is no boat, and hardly that there is no pillow."""
    names = ("rock", "sea", "wave", "boat", "pillow")
    sense = copy(people())
    sense.scenes = Scenes(names, np.array([[1, 0]] * 4 + [[0, 1]], np.float32))
    boat, pillow = remarkable(("boat", "pillow"), SHORE, frozenset(SHORE), sense)
    assert boat > pillow
    assert remarkable((), SHORE, frozenset(SHORE), sense).shape == (0,)


def test_the_signs_do_not_tell_whether_a_thing_is_there():
    absent, there = (signs("boat", SHORE, frozenset(said), people()) for said in (SHORE, (*SHORE, "boat")))
    assert absent == there and len(absent) == len(SIGNS)
    sizes = SIGNS.index("size")
    assert signs("zyx", ("zyxx",), frozenset(), people())[sizes : sizes + 3] == [UNKNOWN] * 3
