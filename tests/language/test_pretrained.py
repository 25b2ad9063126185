"""Judges of sentences, on tiny checkpoints that go through ``from_pretrained``."""

import numpy as np
import pytest
import torch
import transformers as t

from stages.contract.errors import CrepeError
from stages.language.pretrained import Causal, Grammar, Masked, Vera
from tests.models.tiny_transformers import TEXT, tokenizer

SENTENCES = ["a dog", "a red dog on the mat", "not a cat", "a dog"]


def saved(model, folder):
    torch.manual_seed(0)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    model.save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return str(folder)


def test_likelihood_is_minus_the_models_loss(tmp_path):
    end = TEXT["vocab_size"] - 1
    config = t.GPT2Config(
        vocab_size=TEXT["vocab_size"], n_embd=32, n_layer=2, n_head=4, n_positions=40, bos_token_id=end, eos_token_id=end
    )
    made = tokenizer()
    made.add_special_tokens({"bos_token": "[CLS]"})
    saved(t.GPT2LMHeadModel(config), tmp_path)
    made.save_pretrained(tmp_path)
    scorer = Causal(str(tmp_path))
    for sentence, score in zip(SENTENCES, scorer(SENTENCES), strict=True):
        ids = torch.tensor([[made.bos_token_id, *made(sentence).input_ids]])
        assert score == pytest.approx(-scorer.model(ids, labels=ids).loss.item() * (ids.shape[1] - 1), rel=1e-4)


def test_pseudo_likelihood_masks_each_token_alone(tmp_path):
    made = tokenizer()
    made.add_special_tokens({"mask_token": "[MASK]"})
    config = t.BertConfig(**TEXT | {"vocab_size": 40}, pad_token_id=0)
    saved(t.BertForMaskedLM(config), tmp_path)
    made.save_pretrained(tmp_path)
    scorer = Masked(str(tmp_path))
    for sentence, score in zip(SENTENCES, scorer(SENTENCES), strict=True):
        ids, total = made(sentence).input_ids, 0.0
        for place in range(1, len(ids) - 1):
            hidden = [*ids[:place], scorer.tokenizer.mask_token_id, *ids[place + 1 :]]
            total += scorer.model(torch.tensor([hidden])).logits[0, place].log_softmax(-1)[ids[place]].item()
        assert score == pytest.approx(total, rel=1e-4)


def test_grammar_is_the_odds_of_the_last_class(tmp_path):
    config = t.BertConfig(**TEXT, num_labels=2, pad_token_id=0)
    scorer = Grammar(saved(t.BertForSequenceClassification(config), tmp_path))
    scores = scorer(SENTENCES)
    assert scores[0] == scores[3] and len(set(scores.tolist())) == 3
    logits = scorer.model(torch.tensor([scorer.tokenizer("not a cat").input_ids])).logits[0]
    assert scores[2] == pytest.approx(float(logits[1] - logits[0]), abs=1e-5)


def test_vera_reads_its_head_from_unused_embeddings(tmp_path):
    config = t.T5Config(vocab_size=32128, d_model=16, d_ff=16, d_kv=4, num_layers=1, num_heads=2, pad_token_id=0)
    scorer = Vera(saved(t.T5EncoderModel(config), tmp_path))
    ids = torch.tensor([scorer.tokenizer("a red dog").input_ids])
    hidden = scorer.model(ids).last_hidden_state[0, -1]
    expected = float(hidden @ scorer.model.shared.weight[32099] + scorer.model.shared.weight[32098, 0])
    assert scorer(["a red dog", "a cat on the red blue mat"])[0] == pytest.approx(expected, abs=1e-4)


def test_no_such_model():
    with pytest.raises(CrepeError, match="cannot be loaded"):
        Grammar("/nowhere/at/all")


def test_nothing_to_score(tmp_path):
    config = t.BertConfig(**TEXT, num_labels=2, pad_token_id=0)
    assert np.array_equal(Grammar(saved(t.BertForSequenceClassification(config), tmp_path))([]), np.zeros(0, np.float32))
