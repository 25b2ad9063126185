"""Tests of text-only language models and classifiers, on tiny checkpoints loaded by ``from_pretrained``."""

import json

import numpy as np
import pytest
import torch
import transformers as t
from safetensors.torch import load_file

from stages.contract.errors import CrepeError
from stages.shortcuts.pretrained import Causal, Entailment, Grammar, Masked, Vera
from tests.models.tiny_transformers import TEXT, classifier, masked, save_judge, tokenizer

SENTENCES = ["a dog", "a red dog on the mat", "not a cat", "a dog"]


@pytest.mark.parametrize("side", ["right", "left"])
def test_likelihood_is_minus_the_models_loss(side, tmp_path):
    """This includes models whose tokenizers pad on the left, as Llama's and Gemma's do."""
    end = TEXT["vocab_size"] - 1
    network = t.GPT2Config(
        vocab_size=TEXT["vocab_size"], n_embd=32, n_layer=2, n_head=4, n_positions=40, bos_token_id=end, eos_token_id=end
    )
    made = tokenizer()
    made.add_special_tokens({"bos_token": "[CLS]"})
    save_judge(t.GPT2LMHeadModel(network), tmp_path)
    made.save_pretrained(tmp_path)
    config = tmp_path / "tokenizer_config.json"
    config.write_text(json.dumps({**json.loads(config.read_text()), "padding_side": side}))
    scorer = Causal(str(tmp_path))
    for sentence, score in zip(SENTENCES, scorer.score(SENTENCES), strict=True):
        ids = torch.tensor([[made.bos_token_id, *made(sentence).input_ids]])
        assert score == pytest.approx(-scorer.model(ids, labels=ids).loss.item() * (ids.shape[1] - 1), rel=1e-4)
    assert np.isfinite(scorer.score(["a dog " * 60])).all(), "cut so that the token before it fits, too"


def test_pseudo_likelihood_masks_each_token_alone(tmp_path):
    scorer = Masked(masked(tmp_path))
    for sentence, score in zip(SENTENCES, scorer.score(SENTENCES), strict=True):
        ids, total = scorer.tokenizer(sentence).input_ids, 0.0
        for place in range(1, len(ids) - 1):
            hidden = [*ids[:place], scorer.tokenizer.mask_token_id, *ids[place + 1 :]]
            total += scorer.model(torch.tensor([hidden])).logits[0, place].log_softmax(-1)[ids[place]].item()
        assert score == pytest.approx(total, rel=1e-4)


def test_a_model_without_a_mask_is_refused(tmp_path):
    masked(tmp_path)
    tokenizer().save_pretrained(tmp_path)
    with pytest.raises(CrepeError, match="has no mask token"):
        Masked(str(tmp_path))


@pytest.mark.parametrize("kind", [Masked, Entailment])
def test_what_chooses_negatives_reads_safetensors_only(kind, tmp_path):
    masked(tmp_path) if kind is Masked else classifier(tmp_path, ["ENTAILMENT"])
    weights = tmp_path / "model.safetensors"
    torch.save(load_file(weights), tmp_path / "pytorch_model.bin")
    kind(str(tmp_path))
    weights.unlink()
    with pytest.raises(CrepeError, match=r"cannot be loaded as .* Remedy: name a .* with weights in safetensors"):
        kind(str(tmp_path))


def test_what_would_be_drawn_at_random_is_refused(tmp_path):
    """An encoder without a head once chose negatives by noise, and others in every run."""
    save_judge(t.BertModel(t.BertConfig(**TEXT)), tmp_path / "encoder")
    for kind in (Masked, Grammar):
        with pytest.raises(CrepeError, match="has no weights of"):
            kind(str(tmp_path / "encoder"))


def test_what_cannot_judge_so_is_refused_when_it_is_loaded(tmp_path):
    with pytest.raises(CrepeError, match="only one class"):
        Grammar(classifier(tmp_path / "one", ["right"]))
    small = t.T5Config(vocab_size=64, d_model=16, d_ff=16, d_kv=4, num_layers=1, num_heads=2, pad_token_id=0)
    with pytest.raises(CrepeError, match="which Vera has"):
        Vera(save_judge(t.T5EncoderModel(small), tmp_path / "small"))


def test_grammar_is_the_odds_of_the_last_class(tmp_path):
    scorer = Grammar(classifier(tmp_path, ["wrong", "right"]))
    scores = scorer.score(SENTENCES)
    assert scores[0] == scores[3] and len(set(scores.tolist())) == 3
    logits = scorer.model(torch.tensor([scorer.tokenizer("not a cat").input_ids])).logits[0]
    assert scores[2] == pytest.approx(float(logits[1] - logits[0]), abs=1e-5)


def test_vera_reads_its_head_from_unused_embeddings(tmp_path):
    config = t.T5Config(vocab_size=32128, d_model=16, d_ff=16, d_kv=4, num_layers=1, num_heads=2, pad_token_id=0)
    scorer = Vera(save_judge(t.T5EncoderModel(config), tmp_path))
    ids = torch.tensor([scorer.tokenizer("a red dog").input_ids])
    with torch.inference_mode():
        hidden = scorer.model(ids).last_hidden_state[0, -1]
        expected = float(hidden @ scorer.model.shared.weight[32099] + scorer.model.shared.weight[32098, 0])
    assert scorer.score(["a red dog", "a cat on the red blue mat"])[0] == pytest.approx(expected, abs=1e-4)


def test_entailment_is_the_share_of_its_label(tmp_path):
    scorer = Entailment(classifier(tmp_path, ["CONTRADICTION", "NEUTRAL", "ENTAILMENT"]))
    pairs = [("a dog on a mat", "a mat on a dog"), ("a cat", "a red dog")]
    for pair, score in zip(pairs, scorer.score(pairs), strict=True):
        logits = scorer.model(**scorer.tokenizer(*pair, return_tensors="pt")).logits[0]
        assert score == pytest.approx(logits.softmax(-1)[2].item(), abs=1e-5)
    assert scorer.score([pairs[0][::-1]])[0] != scorer.score([pairs[0]])[0]


def test_a_model_without_entailment_is_refused(tmp_path):
    with pytest.raises(CrepeError, match="no label"):
        Entailment(classifier(tmp_path, ["LABEL_0", "LABEL_1"]))


@pytest.mark.parametrize(
    "texts", [["a dog", "a red dog on the mat", "not a cat"], [("a dog", "a cat"), ("a red dog on the mat", "a")]]
)
def test_batches_and_repeats_do_not_change_scores(texts, tmp_path):
    checkpoint = classifier(tmp_path, ["NEUTRAL", "ENTAILMENT"])
    kind = Grammar if isinstance(texts[0], str) else Entailment
    alone = [kind(checkpoint, batch_tokens=1).score([text])[0] for text in texts]
    together = kind(checkpoint, batch_tokens=4096).score([*texts, texts[0]])
    assert together[-1] == together[0]
    assert np.allclose(alone, together[:-1], atol=1e-4)


def test_what_is_distinct_is_scored_once_and_in_batches(tmp_path, monkeypatch):
    model, sizes = Masked(masked(tmp_path), batch_tokens=24), []
    monkeypatch.setattr(
        model, "scores", lambda tokens: sizes.append(tokens["input_ids"].shape) or torch.zeros(len(tokens["input_ids"]))
    )
    model.score(["a dog", "a cat", "a dog", "a red dog on the mat"])
    assert [rows for rows, _ in sizes] == [1, 2]
    assert max(rows * width for rows, width in sizes) <= 24


@pytest.mark.parametrize("kind", [Grammar, Masked, Entailment])
def test_no_such_model(kind):
    with pytest.raises(CrepeError, match="cannot be loaded"):
        kind("/nowhere/at/all")


def test_nothing_to_score(tmp_path):
    assert np.array_equal(Grammar(classifier(tmp_path, ["a", "b"])).score([]), np.zeros(0, np.float32))
