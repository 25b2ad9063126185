"""Tests of the paper's rule: the most plausible candidates are selected."""

from collections import Counter

import numpy as np

from stages.selection import paper


def test_the_most_plausible_are_taken_and_equals_in_their_order():
    assert paper.most_sensible(np.array([1.0, 5.0, 3.0, 3.0]), 2) == (1, 2)
    assert paper.most_sensible(np.array([1.0, 5.0, 3.0, 3.0]), 5) is None
    assert paper.most_sensible(np.zeros(0), 1) is None


def test_atoms_are_drawn_at_random_and_give_their_most_sensible_unused_foils():
    """An atom with one foil is drawn as often as one with many, but its foil is used up at once."""
    plausible, slots = np.array([-9.0, -1.0, -2.0, -3.0, -4.0]), [0, 1, 1, 1, 1]
    drawn = [paper.of_atoms(plausible, slots, 2, f"q{i}", 0) for i in range(400)]
    assert set(drawn) == {(0, 1), (1, 0), (1, 2)}
    assert 0.2 < Counter(drawn)[(1, 2)] / 400 < 0.3
    assert drawn == [paper.of_atoms(plausible, slots, 2, f"q{i}", 0) for i in range(400)]
    assert drawn != [paper.of_atoms(plausible, slots, 2, f"q{i}", 1) for i in range(400)]
    assert paper.of_atoms(plausible, slots, 5, "q", 0) is not None and paper.of_atoms(plausible, slots, 6, "q", 0) is None
