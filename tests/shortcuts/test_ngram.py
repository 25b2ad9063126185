"""Tests of the n-gram model: probabilities add up, scores make sense, and halves do not overlap."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.contract import tables
from stages.contract.errors import InputError
from stages.shortcuts import ngram
from stages.shortcuts.ngram import BITS, NGramModel
from stages.shortcuts.scorers import EVALUATING
from tests.suites.made import empty

CAPTIONS = ["a red car on a road", "a dog on a bench", "the red car", "two dogs and a cat", "a red bus"] * 3


def model():
    return NGramModel.estimate(CAPTIONS)


@pytest.mark.parametrize("context", [("a", "red"), ("on", "a"), ("red", "dogs")])
def test_the_probabilities_after_a_context_add_up_to_one(context):
    made = model()
    first, second = (made.vocabulary[word] for word in context)
    words = np.arange(1, len(made.vocabulary) + ngram.UNKNOWN + 1)
    keys = (first << 2 * BITS) | (second << BITS) | words
    assert made._probability(keys).sum() == pytest.approx(1, abs=0.02)


def test_what_was_seen_is_more_plausible():
    car, strange, shuffled, unknown = model().score(["a red car", "a red cat", "car a red", "a zzz car"])
    assert car > strange > shuffled
    assert car > unknown


def test_a_sentence_has_one_score_alone_and_in_company():
    made = model()
    together = made.score(["a red car", "", "a dog on a bench"])
    assert [float(made.score([text])[0]) for text in ("a red car", "", "a dog on a bench")] == together.tolist()
    assert np.isfinite(together).all()


def test_case_and_punctuation_do_not_count():
    assert model().score(["A red car."]) == model().score(["a red car"])


@given(st.text())
def test_a_caption_is_in_one_half_and_one_quarter(caption):
    assert sum(ngram.part(caption, (h,)) for h in (0, 1)) == 1
    assert sum(ngram.part(caption, (h, q)) for h in (0, 1) for q in (0, 1)) == 1
    assert ngram.part(caption, ())


def test_each_training_set_gives_its_share_of_the_half_that_is_asked_for(tmp_path):
    """The other half may have selected the negatives, and would see its own choices."""
    for name in ("a", "b"):
        rows = [empty("training_graphs", caption=f"{name} caption {i}", count=1) for i in range(60)]
        tables.write("training_graphs", tmp_path / name / "graphs.parquet", rows)
    found = ngram.training_captions([tmp_path / "a", tmp_path / "b"], EVALUATING, 10)
    assert "".join(caption[0] for caption in found) == 10 * "a" + 10 * "b"
    assert all(ngram.part(caption, EVALUATING) for caption in found)
    with pytest.raises(InputError, match="no such file"):
        ngram.training_captions([tmp_path / "nowhere"], EVALUATING, 10)


def test_a_few_of_many_captions_are_drawn_from_the_whole_alphabet(tmp_path):
    """The table is sorted: in a real training set, the first 200,000 captions begin with numbers or "a"."""
    captions = sorted(f"{first} dog {i}" for first in ("a", "my", "the", "zebra") for i in range(200))
    rows = (empty("training_graphs", caption=caption, count=1) for caption in captions)
    tables.write("training_graphs", tmp_path / "graphs.parquet", rows)
    found = ngram.training_captions([tmp_path], EVALUATING, 100)
    begins = Counter(caption.split()[0] for caption in found)
    assert len(found) == 100 and found == sorted(found) and min(begins[first] for first in ("a", "my", "the", "zebra")) > 10
    assert ngram.training_captions([tmp_path], EVALUATING, 800) == [
        caption for caption in captions if ngram.part(caption, EVALUATING)
    ]


def test_the_same_words_are_as_frequent_in_any_order():
    """ARO's two captions have the same words, so a scorer that counts words must not separate them by the last bits of a sum."""
    words = ["red", "dog", "is", "behind", "a", "tall", "tree"]
    captions = [" ".join(words[i:]) for i in range(len(words))]
    orders = [" ".join(Random(i).sample(words, len(words))) for i in range(100)]
    assert len(set(NGramModel.estimate(captions).log_frequency(orders).tolist())) == 1
