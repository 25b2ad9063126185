"""The masked model's path for real: a tiny BERT that the test makes and saves goes through ``from_pretrained``."""

import numpy as np
import pytest

from stages.contract.errors import CrepeError
from stages.foils.plausibility import MaskedModel, load
from stages.language.ngram import NGramModel

transformers = pytest.importorskip("transformers")
WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] a the red blue car dog on table".split()  # noqa: SIM905


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    import torch

    path = tmp_path_factory.mktemp("bert")
    (path / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    transformers.BertTokenizer(str(path / "vocab.txt")).save_pretrained(path)
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    config = transformers.BertConfig(vocab_size=len(WORDS), max_position_embeddings=32, **sizes)
    transformers.BertForMaskedLM(config).save_pretrained(path)
    return path


def test_a_sentence_is_scored_token_by_token(folder):
    import torch

    model = MaskedModel(str(folder), 64, "cpu")
    sentence = "a red car on the table"
    ids = model.tokenizer(sentence)["input_ids"]
    expected = 0.0
    for place in range(1, len(ids) - 1):
        masked = torch.tensor([ids])
        masked[0, place] = model.tokenizer.mask_token_id
        with torch.inference_mode():
            expected += model.model(input_ids=masked).logits[0, place].log_softmax(-1)[ids[place]].item()
    assert model.score([sentence])[0] == pytest.approx(expected, abs=1e-4)


def test_batches_and_repeats_do_not_change_scores(folder):
    sentences = ["a red car", "the dog", "a red car", "a blue car on the table", ""]
    alone = [MaskedModel(str(folder), 8, "cpu").score([sentence])[0] for sentence in sentences]
    together = MaskedModel(str(folder), 4096, "cpu").score(sentences)
    assert np.allclose(alone, together, atol=1e-4)
    assert together[0] == together[2]


def test_every_distinct_sentence_is_scored_once(folder, monkeypatch):
    model = MaskedModel(str(folder), 4096, "cpu")
    seen = []
    monkeypatch.setattr(model, "_score", lambda sentences: seen.extend(sentences) or np.arange(len(sentences), dtype=float))
    model.score(["a red car", "a dog", "a red car"])
    assert seen == ["a dog", "a red car"]


def test_a_folder_without_a_model_is_an_error(tmp_path):
    with pytest.raises(CrepeError, match="cannot be loaded"):
        MaskedModel(str(tmp_path / "nothing"), 64, "cpu")


def test_the_default_is_the_n_gram_model(folder):
    captions = ["a red car", "a dog"]
    assert isinstance(load({"model": "ngram"}, captions), NGramModel)
    settings = {"model": str(folder), "batch_tokens": 64, "device": "cpu"}
    assert isinstance(load(settings, captions), MaskedModel)
