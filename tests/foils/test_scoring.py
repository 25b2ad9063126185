"""What choosing asks for before it begins."""

import numpy as np
import pytest

from stages.contract import tables
from stages.contract.errors import InputError
from stages.foils.balancing import ONE_PIECE
from stages.foils.scoring import Selector, likeness, same_meaning
from stages.parameters.sections import Foils
from stages.suites import set_likeness
from tests.running import section


def test_no_captions_are_an_error(tmp_path):
    tables.write("training_graphs", tmp_path / "a" / "graphs.parquet", [])
    with pytest.raises(InputError, match="no captions"):
        Selector(section(Foils), [tmp_path / "a"], 4, ONE_PIECE)


def test_the_chooser_sees_the_likeness_that_the_judge_sees():
    """Words, and pairs of words, that a caption says twice are shared twice."""
    texts = ["a red cup is on the table and a plate is on the table", "a red cup is on no table", "a plate on a plate, no cup"]
    one, other = np.array([(i, j) for i in range(3) for j in range(3)]).T
    judged = (set_likeness.same_words, set_likeness.same_pairs, set_likeness.same_order, set_likeness.says_denied)
    meant = np.array([[1, 0], [0.6, 0.8], [0, 0]])
    seen = likeness(texts, True)
    assert seen.reshape(4, -1) == pytest.approx(np.stack([of(texts, one, other) for of in judged]), abs=1e-6)
    assert same_meaning([meant])[0].sum(axis=1) - 1 == pytest.approx(set_likeness.same_meaning(meant, np.array([3])))
