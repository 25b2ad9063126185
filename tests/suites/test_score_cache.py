"""Text-only scores are cached, and recomputed only when something that they depend on changes."""

import numpy as np
import pytest
import torch

from stages.contract.errors import CrepeError
from stages.parameters.sections import Evaluate
from stages.shortcuts.pretrained import Grammar
from stages.shortcuts.scorers import EXACT
from stages.suites import score_cache
from stages.suites.score_cache import ScorerGroup, scorer_groups, scores
from tests.models.tiny_transformers import classifier
from tests.running import section

TEXTS = ["a dog", "a brown dog on a mat", "no cat"]
SETTINGS = section(Evaluate, device="cpu", shortcut_models={})


def panel(identity="x", made=None):
    def make():
        if made is not None:
            made.append(identity)
        return {"length": lambda texts: np.array([len(text) / 3 for text in texts]), "one": lambda texts: np.ones(len(texts))}

    return ScorerGroup(identity, make)


def test_scores_are_made_once_and_read_again_to_the_last_bit(tmp_path):
    made = []
    first, second = (scores([panel(made=made)], TEXTS, tmp_path) for _ in range(2))
    assert made == ["x"] and list(first) == list(second) == ["length", "one"]
    assert all(np.array_equal(first[name], second[name]) and first[name].dtype == second[name].dtype for name in first)


@pytest.mark.parametrize("other", [(panel("y"), TEXTS), (panel(), [*TEXTS, "new"]), (panel(), TEXTS[::-1])])
def test_other_scorers_or_captions_have_scores_of_their_own(tmp_path, other):
    scores([panel()], TEXTS, tmp_path)
    one, texts = other
    assert scores([one], texts, tmp_path)["length"].tolist() == [len(text) / 3 for text in texts]
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("bad", [np.nan, -np.inf])
def test_scores_that_are_not_numbers_stop_the_run_and_are_not_kept(tmp_path, bad):
    """The prior of a chat model may give such scores."""
    group = ScorerGroup("x", lambda: {"prior": lambda texts: np.array([bad if "mat" in text else 0.0 for text in texts])})
    with pytest.raises(CrepeError, match="text-only scorer prior: what it gives to a brown dog on a mat is not a finite number"):
        scores([group], TEXTS, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("harm", [lambda data: data[:-40], lambda data: b"", lambda data: data[:90] + b"?" + data[91:]])
def test_damaged_scores_are_told_and_made_anew(tmp_path, capsys, harm):
    before = scores([panel()], TEXTS, tmp_path)
    path = next(tmp_path.iterdir())
    path.write_bytes(harm(path.read_bytes()))
    after = scores([panel()], TEXTS, tmp_path)
    assert all(np.array_equal(before[name], after[name]) for name in before)
    assert "is damaged" in capsys.readouterr().err


def test_what_the_scores_hang_on_is_in_the_identity(tmp_path, monkeypatch):
    (one, recurrent), (same, _), (other, _) = (scorer_groups(captions, SETTINGS) for captions in (["a dog"], ["a dog"], ["a cat"]))
    assert recurrent.identity.startswith("neural ") and set(recurrent.make()) == {"neural"}
    assert one.identity == same.identity != other.identity
    monkeypatch.setattr(score_cache, "STAGES", tmp_path)
    for name in ("shortcuts/scorers.py", "text/tokens.py"):
        before = scorer_groups(["a dog"], SETTINGS)[0].identity
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("# another way of scoring")
        assert scorer_groups(["a dog"], SETTINGS)[0].identity != before
    assert set(one.make()) >= {"ngram", "bag", "longer", "negated"}


def test_without_captions_learned_scorers_are_left_out(tmp_path, capsys):
    found = scores(scorer_groups([], SETTINGS), TEXTS, tmp_path)
    assert tuple(found) == EXACT and "evaluate.shortcut_captions" in capsys.readouterr().out


def test_a_pretrained_judge_is_asked_and_named_by_its_weights(tmp_path):
    checkpoint = classifier(tmp_path / "judge", ["wrong", "right"])
    settings = section(Evaluate, device="cpu", shortcut_models={"grammar": {"kind": "grammar", "checkpoint": str(checkpoint)}})
    judge = scorer_groups(["a dog"], settings)[-1]
    told = scores([judge], TEXTS, tmp_path / "kept")
    assert list(told) == ["grammar"] and len(set(told["grammar"].tolist())) == 3
    with torch.no_grad():
        model = Grammar(checkpoint).model
        model.classifier.bias += 1
        model.save_pretrained(checkpoint)
    assert scorer_groups(["a dog"], settings)[-1].identity != judge.identity


def test_scores_of_sets_are_kept_by_their_captions_and_their_sets(tmp_path, monkeypatch):
    texts, text, size = ["a dog", "a cat", "two cats"], np.array([0, 1, 2]), np.array([3])
    meaning = np.eye(3, 2)
    first = score_cache.set_scores(texts, text, size, meaning, tmp_path)
    for other in ((np.array([0, 2, 1]), size, meaning), (text, size, np.array([[1, 0], [1, 0], [0, 1]]))):
        others = score_cache.set_scores(texts, *other, tmp_path)
        assert any(not np.array_equal(first[name], others[name]) for name in first)
    monkeypatch.setattr(score_cache, "scores_of_sets", lambda *_: {})  # a second use of the scorers would fail
    again = score_cache.set_scores(texts, text, size, meaning, tmp_path)
    assert again.keys() == first.keys()
    assert all(np.array_equal(again[name], first[name]) for name in first)
