"""Productivity's HN-Swaps in the way ``balanced``: of the truth's own words, and as sensible as there are."""

from stages.foils.hn_swap import swaps
from stages.foils.productivity import _filled
from stages.foils.sense import Sense
from stages.foils.vocabulary import Vocabulary
from stages.graphs.graph import SceneGraph
from tests.foils.captions import captioned
from tests.foils.known import MAX_TRUE, knowing

KNOWLEDGE = knowing(Vocabulary({"object": {}, "attribute": {}, "relation": {}}))
VASE = captioned(SceneGraph(("vase", "television"), ((0, "yellow"), (1, "black")), ((0, "on", 1),)), bare=True)


def test_senseless_swaps_fill_up_where_sensible_ones_are_few():
    found = [swap._replace(reason=swap.reason or "senseless") for swap in swaps(VASE, Sense.none(), MAX_TRUE)]
    assert sum(swap.reason == "senseless" for swap in found) == 3
    for enough in (0, 2, 9):
        filled = _filled(VASE, found, KNOWLEDGE, enough)
        assert sum(swap.reason is None for swap in filled) == min(enough, 3)
        assert [swap.text for swap in filled] == [swap.text for swap in found]


def test_what_is_no_negative_for_another_reason_stays_none():
    found = [swap._replace(reason="may_be_true") for swap in swaps(VASE, Sense.none(), MAX_TRUE)]
    assert _filled(VASE, found, KNOWLEDGE, 9) == found


def test_enough_sensible_swaps_need_no_others():
    first, *others = swaps(VASE, Sense.none(), MAX_TRUE)
    found = [first, *(swap._replace(reason="senseless") for swap in others)]
    assert _filled(VASE, found, KNOWLEDGE, 1) == found
