"""Tests of how many candidates a query needs for one set."""

import pytest

from stages.graphs.graph import SceneGraph
from stages.negatives.candidate import Candidate, Truth
from stages.negatives.making import Alternative, Made
from stages.negatives.sets import _usable


def candidate(slot, reason=None):
    return Candidate("a dog", "object", "cat", (), SceneGraph(("dog",)), slot=slot, reason=reason)


@pytest.mark.parametrize(
    ("kind", "protocol", "usable"), [("HN-Atom", "cleared", 2), ("HN-Atom", "paper", 3), ("HN-Comp", "cleared", 3)]
)
def test_a_cleared_set_of_hn_atom_replaces_one_atom(kind, protocol, usable):
    candidates = [candidate(0), candidate(0), candidate(1), candidate(1, "unusual")]
    made = Made("q", 1, kind, protocol, [Alternative(Truth("a cat", SceneGraph(("cat",))), candidates)])
    assert _usable(candidates, made) == usable
