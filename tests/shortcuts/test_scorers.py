"""Tests of scorers that see no image: each detects its shortcut, and nothing else."""

import math
from collections import Counter

import numpy as np
import pytest

from stages.contract.errors import ParameterError
from stages.parameters.sections import ShortcutModel
from stages.shortcuts import scorers as shortcuts

CAPTIONS = ["a brown dog on a mat", "a brown dog in the grass", "a boat on the water", "a boat on blue water", "a dog on the grass"]
CAPTIONS *= 3


@pytest.fixture(scope="module", name="scorers")
def estimated():
    return shortcuts.scorers(CAPTIONS)


def prefers(scorer, truth, foil):
    truth, foil = scorer([truth, foil])
    return truth > foil


def test_each_scorer_tells_its_own(scorers):
    assert prefers(scorers["shorter"], "a dog", "a dog on a mat")
    assert prefers(scorers["longer"], "a dog on a mat", "a dog")
    assert prefers(scorers["affirmed"], "a dog on a mat", "a dog that isn't on a mat")
    assert prefers(scorers["negated"], "no dog", "a dog")
    assert prefers(scorers["frequency"], "dog", "zebra")
    assert prefers(scorers["ngram"], "a dog on a mat", "a mat dog on a")
    assert prefers(scorers["bag"], "brown dog", "brown boat")


def test_skip_bigrams_see_past_words_between(scorers):
    """ "A dog on a green mat": a trigram sees neither "dog … mat" nor that mats are not on dogs."""
    things = (("dog", "mat"), ("mat", "floor"), ("boy", "dog"))
    captions = [f"a {one} on a {colour} {other}" for one, other in things for colour in ("red", "blue", "green")] * 3
    found = shortcuts.SkipBigrams(captions)
    assert prefers(found, "a dog on a green mat", "a mat on a green dog")
    assert found(["zebra quagga", ""]).tolist() == [0, 0]
    assert not prefers(scorers["bag"], "a dog on a mat", "a mat on a dog")


def test_skip_bigrams_are_those_of_a_plain_loop():
    captions = [f"w{i % 7} w{i % 5} w{i % 3} w{i % 2} w{i % 4} w{i % 6}" for i in range(60)]
    counts = Counter(
        (said[i], said[j])
        for said in (caption.split() for caption in captions)
        for i in range(len(said))
        for j in range(i + 1, min(i + 5, len(said)))
    )
    first, second = Counter[str](), Counter[str]()
    for (one, other), n in counts.items():
        first[one] += n
        second[other] += n
    asked = [f"w{i}" for i in range(6)]
    pairs = [(asked[i], asked[j]) for i in range(6) for j in range(i + 1, min(i + 5, 6))]
    information = [math.log((counts[a, b] + 1) * counts.total() / (first[a] * second[b])) for a, b in pairs]
    assert shortcuts.SkipBigrams(captions)([" ".join(asked)])[0] == pytest.approx(sum(information) / len(pairs), abs=1e-12)


def test_the_bag_knows_no_order_and_shuts_its_eyes_to_unknown_words(scorers):
    one, other = scorers["bag"](["a brown dog on a mat", "mat a on dog brown a"])
    assert one == other
    assert scorers["bag"](["zebra quagga", ""]).tolist() == [0, 0]


def test_the_bag_is_as_exact_as_its_rounding_needs():
    """In single precision, its last digit would depend on the processor."""
    captions = [f"w{i % 7} w{i % 5} w{i % 3}" for i in range(200)]
    found = shortcuts.BagOfWords(captions)(["w0 w1", "w3 w4"])
    said = [set(caption.split()) for caption in captions]
    for score, pair in zip(found.tolist(), ({"w0", "w1"}, {"w3", "w4"}), strict=True):
        together = sum(pair <= words for words in said) + 1
        alone = math.prod(sum(word in words for words in said) for word in pair)
        assert score == pytest.approx(math.log(together * len(captions) / alone), abs=1e-12)


def test_scores_do_not_hang_on_what_is_scored_beside(scorers):
    texts = ["a dog", "a boat on the grass", "no mat", ""]
    for name, scorer in scorers.items():
        together = scorer(texts)
        assert np.allclose(together, [scorer([text])[0] for text in texts]), name
        assert np.isfinite(together).all(), name


@pytest.mark.parametrize("name", ["best", "gain", "trained", "ngram", "central_words"])
def test_a_model_takes_no_name_that_stands_for_something_else(name):
    """Otherwise, its figures and others' would overwrite each other unnoticed."""
    with pytest.raises(ParameterError, match=f"evaluate.shortcut_models.{name}"):
        shortcuts.pretrained({name: ShortcutModel(kind="causal", checkpoint="gpt2")}, "cpu")


def test_without_captions_learned_scorers_are_left_out_and_named(capsys):
    """They would be in the tables as if they had learned, and always be at chance."""
    assert tuple(shortcuts.scorers([])) == shortcuts.EXACT
    assert tuple(shortcuts.scorers(["a dog"])) == (*shortcuts.EXACT, *shortcuts.LEARNED)
    shortcuts.left_out([], "there are none")
    assert all(name in capsys.readouterr().out for name in ["ngram"])
    shortcuts.left_out(["a dog"], "there are none")
    assert not capsys.readouterr().out
