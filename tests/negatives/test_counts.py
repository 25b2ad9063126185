"""Tests of how often people name things, and how often a thing goes unmentioned."""

import pytest

from stages.graphs.graph import SceneGraph
from stages.negatives.counts import UNMENTIONED, Counts, Habits
from stages.negatives.name_pairs import Pairs

LAMP = SceneGraph(("lamp",))
PRIOR = Counts(images=9998, said={"lamp": [9, 9, 0], "dog": [1999, 1000, 500]})


def test_a_single_description_is_no_repeated_observation() -> None:
    """Ten images that mention a lamp once say how often lamps go unmentioned only if a second description might have named it."""
    alone, twice = Counts.of([[LAMP]] * 10), Counts.of([[LAMP, SceneGraph(("dog",))]] * 10)
    assert alone.said["lamp"] == [10, 0, 0, 10] and twice.said["lamp"] == [10, 10, 0, 0]
    assert Habits(alone, Counts())._hidden("lamp") == pytest.approx(UNMENTIONED)
    assert Habits(twice, Counts())._hidden("lamp") > 0.8


def test_the_users_images_say_how_common_a_thing_is() -> None:
    """The shipped captions count as twenty images. A name that the annotators never use has the captions' fraction."""
    habits = Habits(Counts(images=100, said={"lamp": [30, 0, 0, 30]}), PRIOR)
    assert habits._common("lamp") == pytest.approx((30 + 20 * 0.001) / 120)
    assert habits._common("dog") == pytest.approx(0.2)


def test_odds_of_an_unmentioned_thing() -> None:
    """For each image that mentions a thing, h / (1 - h) show it unmentioned."""
    habits = Habits(Counts(images=100, said={"lamp": [30, 0, 0, 30]}), PRIOR)
    odds = habits._common("lamp") / (1 - habits._common("lamp")) * UNMENTIONED / (1 - UNMENTIONED)
    assert habits.unmentioned("lamp", frozenset()) == pytest.approx(odds / (1 + odds))


def test_partners_are_the_names_of_one_thing_either_way() -> None:
    pairs = Pairs.of({"couch": {"sofa": [9, 4], "table": [9, 0]}})
    habits = Habits(Counts(), Counts(images=9, said={"couch": [9, 9, 0]}, together=pairs))
    assert habits.partners["couch"] == {"sofa"} and habits.partners["sofa"] == {"couch"} and "table" not in habits.partners


def test_a_thing_is_more_common_where_a_thing_is_that_goes_with_it() -> None:
    """Both sources together have 1 and 40 + 10 images, where chance gives 1 and 100 * 50 / 200 + 20 * 10 / 100."""
    own = Counts(
        images=200, said={"lamp": [100, 0, 0, 100], "desk": [50, 0, 0, 50]}, together=Pairs.of({"desk": {"lamp": [40, 0]}})
    )
    prior = Counts(images=100, said={"lamp": [20, 20, 0], "desk": [10, 10, 0]}, together=Pairs.of({"desk": {"lamp": [10, 0]}}))
    habits = Habits(own, prior)
    alone, there, unrelated = (habits.unmentioned("lamp", frozenset(known)) for known in ((), ("desk", "zebra"), ("zebra",)))
    lift = (there / (1 - there)) / (alone / (1 - alone))
    assert lift == pytest.approx((1 + 50) / (1 + 25 + 2)) and unrelated == alone


def test_pairs_are_stored_as_they_are_read() -> None:
    nested = {"couch": {"sofa": [9, 4], "table": [9, 0]}, "dog": {"lamp": [2, 1]}}
    assert Pairs.of(nested).nested() == nested and Pairs.of({}).nested() == {}
