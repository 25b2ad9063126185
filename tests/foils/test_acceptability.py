"""What readers find acceptable, by the trees that ship and by trees made by hand."""

from copy import copy

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from stages.foils import trees
from stages.foils.acceptability import NONE, SIGNS, TREES, Edit, acceptable, signs
from stages.foils.scenes import Scenes
from stages.foils.sense import Sense
from stages.foils.trees import Trees
from stages.graphs.graph import SceneGraph
from tests.benchmarks.acceptability import CANDIDATES, exported, model, read
from tests.foils.known import people


def related(subject, relation, object_):
    return SceneGraph((subject, object_), (), ((0, relation, 1),))


def test_a_leaf_leads_to_itself_and_what_is_at_a_threshold_goes_below_it():
    rows = [[0, 0.5, 1, 2, 0.0], [0, 0.0, 1, 1, 0.25], [1, 3.0, 3, 4, 0.0], [0, 0.0, 3, 3, -0.25], [0, 0.0, 4, 4, 2.0]]
    made = Trees(rows, [0], 0.5, 2)
    assert made.predict([[0.5, 9], [0.6, 3], [0.6, 3.1]]).tolist() == [0.75, 0.25, 1.0]


def test_trees_say_what_the_model_says_that_they_were_made_of():
    draw = np.random.default_rng(0)
    seen = draw.random((200, len(SIGNS))).round(3)
    fitted = model().fit(seen, (seen[:, 0] > 0.5) * 0.5 + (seen[:, 1] > 0.3) * 0.5)
    assert Trees(**exported(fitted)).predict(seen) == pytest.approx(fitted.predict(seen).clip(0, 1), abs=0.005)


def test_shipped_trees_tell_what_readers_called_nonsense():
    _, known, judged = read(CANDIDATES, SIGNS)
    said = trees.load(TREES).predict(known)
    assert roc_auc_score(judged > 0, said) > 0.85
    assert said[judged == 1].mean() > said[judged == 0.5].mean() > said[judged == 0].mean()


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (("man", "ride", "horse"), ("horse", "ride", "man")),
        (("cup", "on", "table"), ("table", "on", "cup")),
        (("woman", "wear", "hat"), ("woman", "wear", "curtain")),
    ],
)
def test_what_people_write_is_more_acceptable(good, bad):
    more, less = acceptable([(related(*triple), None) for triple in (good, bad)], people())
    assert more > 0.6 > less


def test_a_foil_is_judged_by_where_it_is_at_home():
    """A cup is at home beside a mug on a table, and a train is not."""
    sense = copy(people())
    sense.scenes = Scenes(("cup", "mug", "table", "train"), np.array([[1, 0]] * 3 + [[0, 1]], np.float32))
    others = frozenset(("mug", "table"))
    cup, train = (signs(related(foil, "on", "table"), Edit("object", foil, others), sense) for foil in ("cup", "train"))
    at_home = SIGNS.index("at_home")
    assert cup[at_home] == 1 > 0 == train[at_home]
    alone = dict(zip(SIGNS, signs(related("cup", "on", "table"), None, sense), strict=True))
    assert {alone["at_home"], alone["zipf"], alone["prior_of_attribute"]} == {NONE}


def test_what_may_be_to_the_left_of_a_thing_may_be_to_its_right():
    """The trees find a lamp to the left of a bed a little less acceptable."""
    sides = [(related("lamp", side, "bed"), Edit("relation", side, frozenset())) for side in ("to the left of", "to the right of")]
    left, right = acceptable(sides, people())
    assert left == right > 0.7
    own = [signs(claim, edit, people()) for claim, edit in sides]
    assert right == max(trees.load(TREES).predict(own))


def test_what_has_no_compound_or_is_not_asked_for_is_acceptable():
    assert acceptable([(SceneGraph(("dog",)), None)], people()).tolist() == [1.0]
    assert acceptable([(related("bed", "eat", "cake"), None)], Sense.none()).tolist() == [0.0]
    assert acceptable([(related("dog", "eat", "cake"), None)], Sense.none()).tolist() == [1.0]
    assert acceptable([], people()).tolist() == []
