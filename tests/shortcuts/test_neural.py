"""The recurrent language model learns which words follow which, and its scores do not depend on the rest of a batch."""

import numpy as np
import pytest
import torch

from stages.parameters.sections import Evaluate
from stages.shortcuts.neural import RecurrentModel
from stages.suites.score_cache import held_out
from tests.running import section

CAPTIONS = [f"a {colour} {thing} on a mat" for colour in ("red", "blue", "green") for thing in ("dog", "cat", "cup")] * 3


@pytest.fixture(scope="module")
def model():
    return RecurrentModel(CAPTIONS, steps=60)


def test_what_was_said_is_likelier_than_the_same_words_in_another_order(model):
    likely, unlikely = model.score(["a red dog on a mat", "dog a mat red on a"])
    assert likely > unlikely + 5 and likely < 0


def test_a_score_does_not_depend_on_the_other_texts_nor_on_threads(model):
    texts = ["a red dog on a mat", "a cup", "", "a zebra that nobody ever wrote about", *CAPTIONS]
    together, threads = model.score(texts), torch.get_num_threads()
    assert together.tolist() == [model.score([text])[0] for text in texts]
    try:
        torch.set_num_threads(2 if threads == 1 else 1)
        assert RecurrentModel(CAPTIONS, steps=60).score(texts).tolist() == together.tolist() and torch.get_num_threads() != threads
    finally:
        torch.set_num_threads(threads)


def test_random_numbers_of_others_are_left_alone():
    torch.manual_seed(3)
    expected = torch.rand(1)
    torch.manual_seed(3)
    RecurrentModel(CAPTIONS, steps=1)
    assert torch.rand(1) == expected


def test_without_captions_nothing_is_preferred():
    assert np.array_equal(RecurrentModel([]).score(["a dog", "dog a"]), [0, 0])


def test_a_causal_model_of_the_user_takes_its_place():
    models = {"gpt": {"kind": "causal", "checkpoint": "x"}, "bert": {"kind": "masked", "checkpoint": "y"}}
    assert held_out(section(Evaluate, shortcut_models=models)) == ("gpt",) and held_out(section(Evaluate)) == ("neural",)
