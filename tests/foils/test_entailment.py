"""The inference model of the paper's filter, on a tiny checkpoint that goes through the same ``from_pretrained``."""

import pytest

from stages.contract.errors import CrepeError
from stages.foils.entailment import Entailment

transformers = pytest.importorskip("transformers")
WORDS = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "a", "cup", "dog", "on", "table", "red"]


def checkpoint(folder, labels):
    from tokenizers import Tokenizer, models, pre_tokenizers

    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token=WORDS[3]))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    special = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>", "mask_token": "<mask>"}
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=40, **special)
    fast.save_pretrained(folder)
    config = transformers.RobertaConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=50, num_labels=len(labels), id2label=dict(enumerate(labels)), pad_token_id=1, type_vocab_size=2,
    )  # fmt: skip
    transformers.set_seed(0)
    transformers.RobertaForSequenceClassification(config).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = checkpoint(tmp_path_factory.mktemp("nli"), ["CONTRADICTION", "NEUTRAL", "ENTAILMENT"])
    return Entailment(folder, batch_tokens=64, device="cpu")


def test_a_pair_has_the_same_score_in_any_batch(model):
    pairs = [("a cup on a table", "a table on a cup"), ("a dog", "a red dog on a red table on a red cup"), ("a cup", "a dog")]
    together = model.score([*pairs, pairs[0]])
    assert together[3] == together[0]
    assert together[:3] == pytest.approx([float(model.score([pair])[0]) for pair in pairs], abs=1e-6)
    assert ((together > 0) & (together < 1)).all()


def test_every_pair_is_asked_once(model, monkeypatch):
    asked = []
    plain = model._batch
    monkeypatch.setattr(model, "_batch", lambda pairs: asked.extend(pairs) or plain(pairs))
    model.score([("a cup", "a dog")] * 5 + [("a dog", "a cup")])
    assert sorted(asked) == [("a cup", "a dog"), ("a dog", "a cup")]


def test_nothing_is_asked_of_nothing(model):
    assert model.score([]).shape == (0,)


def test_a_model_without_entailment_is_refused(tmp_path):
    with pytest.raises(CrepeError, match="no label"):
        Entailment(checkpoint(tmp_path, ["LABEL_0", "LABEL_1"]), 64, "cpu")


def test_a_missing_model_is_named(tmp_path):
    with pytest.raises(CrepeError, match="cannot be loaded"):
        Entailment(str(tmp_path / "nowhere"), 64, "cpu")
