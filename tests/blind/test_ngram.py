"""The n-gram model: probabilities that add up, sense in its scores, and halves that do not overlap."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.blind import ngram
from stages.blind.ngram import BITS, NGramModel
from stages.contract import tables

CAPTIONS = ["a red car on a road", "a dog on a bench", "the red car", "two dogs and a cat", "a red bus"] * 3


def model():
    return NGramModel.estimate(CAPTIONS, 100)


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


def test_only_so_many_captions_are_read():
    assert len(NGramModel.estimate(CAPTIONS, 1).vocabulary) == 5


@given(st.text())
def test_a_caption_is_in_one_half_and_one_quarter(caption):
    assert sum(ngram.part(caption, (h,)) for h in (0, 1)) == 1
    assert sum(ngram.part(caption, (h, q)) for h in (0, 1) for q in (0, 1)) == 1
    assert ngram.part(caption, ())


def test_each_training_set_gives_its_share(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        row = {"count": 1, "objects": [], "attributes": [], "relations": []}
        rows = [{"caption": f"{name} caption {i}", **row} for i in range(50)]
        tables.write("training_graphs", tmp_path / name / "graphs.parquet", rows)
    found = ngram.training_captions([tmp_path / "a", tmp_path / "b"], (), 10)
    assert sorted({caption[0] for caption in found}) == ["a", "b"]
    assert len(found) == 20
