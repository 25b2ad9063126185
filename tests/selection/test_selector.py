"""Tests of selection: without English captions there is none, and the error says why."""

import pytest

from stages.captions.clean import unusable
from stages.contract import tables
from stages.contract.errors import InputError, ParameterError
from stages.parameters.sections import Cleared, Foils
from stages.selection.candidate_sets import _slots
from stages.selection.questions import Truth
from stages.selection.selector import Selector
from tests.running import section


def test_a_training_set_in_another_language_is_named_as_the_cause(tmp_path):
    said = "ein großer roter Bus steht neben einem kleinen Mann auf der Straße"
    assert unusable(said, min_words=1, max_words=60) == "not_english"
    tables.write("training_graphs", tmp_path / "parse_train" / "mine" / "graphs.parquet", [])
    with pytest.raises(InputError, match=r"none of the training sets has a caption in English.*read_captions_\*\.json") as told:
        Selector(section(Cleared), section(Foils).plausibility, [tmp_path / "parse_train" / "mine"], 4)
    assert "keep_graphs" not in str(told.value)


def test_no_captions_are_read_where_the_parameter_says_so(tmp_path):
    plausibility = section(Foils).plausibility.model_copy(update={"max_captions": 1})
    with pytest.raises(ParameterError, match="max_captions: is 1, less than one for each training set"):
        Selector(section(Cleared), plausibility, [tmp_path / "a", tmp_path / "b"], 4)


@pytest.mark.parametrize(
    ("far", "places"), [((0, 1, 1, 0, 1), [0, 1, 2, 3]), ((0, 0, 1, 0, 0), [0, 1, 3, 4]), ((0, 0, 0, 0, 0), [0, 1, 2, 3, 4])]
)
def test_far_candidates_are_taken_only_where_others_are_too_few(far, places):
    """They fill a slot up to twice the size of a set."""
    truth = Truth("a dog", ["a cow", "a cat", "a car", "a cup", "a hat"], [0] * 5, [0] * 5, far)
    assert [slot.tolist() for slot in _slots(truth, 2)] == [places]
