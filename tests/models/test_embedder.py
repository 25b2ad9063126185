"""Tests of sentence-transformers' encoders and rerankers, against direct calls of the library."""

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import load_file, save_file

from stages.contract.errors import CrepeError, InputError
from stages.models import embedder
from stages.models.embedder import Encoder, Reranker
from tests.models import tiny_chat
from tests.models import tiny_transformers as tiny
from tests.models.made import noise

library = pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed")
TEXTS = ["a dog", "a red dog on the blue mat", "a cat", "a dog", " ".join(["a zebra grazing on the hill"] * 9), "the mat"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.save(tiny.DUAL["clip"], tmp_path_factory.mktemp("clip"))


@pytest.fixture(scope="module")
def encoder(folder):
    return Encoder(str(folder), "fp32", "cpu", batch=4)


@pytest.fixture(scope="module")
def reranker(tmp_path_factory):
    from sentence_transformers.base.modules import Transformer
    from sentence_transformers.cross_encoder.modules import LogitScore

    folder = tmp_path_factory.mktemp("reranker")
    tiny_chat.save("qwen3_vl", folder)
    yes, no = (tiny_chat.tokenizer()(word).input_ids[0] for word in ("Yes", "No"))
    modules = [Transformer(str(folder), transformer_task="any-to-any"), LogitScore(yes, no)]
    library.CrossEncoder(modules=modules, device="cpu").save(str(folder / "saved"))
    return Reranker(str(folder / "saved"), "fp32", "cpu", batch=4)


def test_features_are_the_librarys_own(encoder, folder):
    direct = library.SentenceTransformer(str(folder), device="cpu")
    features = encoder.encode_text(TEXTS)
    assert np.allclose(features, direct.encode(TEXTS, normalize_embeddings=True), atol=1e-5)
    crops = [encoder.prepare(noise(i)) for i in range(6)]
    images = encoder.encode_image(crops)
    assert np.allclose(images, direct.encode([{"image": crop} for crop in crops], normalize_embeddings=True), atol=1e-5)
    assert features.dtype == images.dtype == np.float32 and features.shape == (6, encoder.width) == images.shape
    assert np.allclose(np.linalg.norm(features, axis=1), 1, atol=1e-6)
    assert np.array_equal(features[0], features[3])


def test_features_do_not_depend_on_their_neighbours(encoder):
    together = encoder.encode_text(TEXTS)
    for i, text in enumerate(TEXTS):
        assert np.array_equal(encoder.encode_text([text])[0], together[i])


def test_a_caption_that_names_a_picture_is_a_text(encoder, tmp_path, monkeypatch):
    """The library would open the file or fetch the address."""
    monkeypatch.chdir(tmp_path)
    noise(0).save("cat.png")
    told = encoder.model.encode(["cat.png"], normalize_embeddings=True)[0]
    assert np.allclose(told, encoder.encode_image([noise(0)])[0], atol=1e-5), "by itself it would be the picture"
    captions = ["cat.png", "https://example.org/cat.png", "data:image/png;base64,aaaa"]
    words = encoder.encode_text(captions)
    (tmp_path / "cat.png").unlink()
    assert np.array_equal(words, encoder.encode_text(captions)) and not np.allclose(words[0], told, atol=1e-3)


def test_an_image_is_what_we_decoded(encoder):
    clear = noise(1).convert("RGBA")
    assert np.array_equal(encoder.encode_image([encoder.prepare(clear)]), encoder.encode_image([noise(1)]))


def test_weights_are_read_in_the_precision_that_is_asked(folder, tmp_path):
    half = library.SentenceTransformer(str(folder), device="cpu", model_kwargs={"dtype": torch.float16})
    half.save(str(tmp_path))
    assert next(library.SentenceTransformer(str(tmp_path), device="cpu").parameters()).dtype == torch.float16
    encoder = Encoder(str(tmp_path), "fp32", "cpu", batch=4)
    assert next(encoder.model.parameters()).dtype == torch.float32 and encoder.encode_text(["a dog"]).dtype == np.float32


def test_what_is_cut(encoder):
    assert encoder.truncated(["a dog", "dog " * 38, "dog " * 39]).tolist() == [False, False, True]


def test_missing_weights_are_an_error(tmp_path):
    folder = tiny.save(tiny.DUAL["clip"], tmp_path)
    weights = load_file(folder / "model.safetensors")
    weights.pop("text_projection.weight")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"does not fit its model: text_projection.weight \| MISSING"):
        Encoder(str(folder), "fp32", "cpu", batch=4)


def test_a_model_of_texts_alone_is_refused(tmp_path):
    folder = tiny.save_judge(tiny.text_tower()[0], tmp_path)
    with pytest.raises(InputError, match="reads text, and not both text and image"):
        Encoder(folder, "fp32", "cpu", batch=4)


def test_a_reranker_gives_logits_one_by_one(reranker):
    crops, texts = [noise(1), noise(2), noise(1)], ["a dog", "a red dog on the blue mat", "cat.png"]
    scores = reranker.score([reranker.prepare(crop) for crop in crops], texts)
    direct = [
        reranker.model.predict([({"text": text}, {"image": crop})], activation_fn=torch.nn.Identity())
        for text, crop in zip(texts, crops, strict=True)
    ]
    assert np.allclose(scores, np.ravel(direct), atol=1e-5) and scores.dtype == np.float32
    assert len(set(scores.tolist())) == 3
    saturated = torch.sigmoid(torch.tensor([17.0, 18.0]))
    assert saturated[0] == saturated[1] == 1, "as probabilities such scores would tie"


def test_a_caption_that_a_reranker_cannot_read_is_named(reranker):
    with pytest.raises(CrepeError, match=r"cannot score the caption 'a <image>'"):
        reranker.score([noise(1)], ["a <image>"])


def test_what_it_is_depends_on_its_processor(folder, encoder, tmp_path):
    other = tiny.save(tiny.DUAL["clip"], tmp_path)
    path = next(p for p in other.glob("*processor*.json") if '"rescale_factor"' in p.read_text())
    path.write_text(path.read_text().replace('"do_normalize": true', '"do_normalize": false'))
    assert Encoder(str(other), "fp32", "cpu", batch=4).identity != encoder.identity


def test_without_the_library_the_message_says_what_to_install(monkeypatch, folder):
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(CrepeError, match=r"not installed. Remedy: pip install"):
        embedder.Encoder(str(folder), "fp32", "cpu", batch=4)


def test_an_opened_picture_needs_no_path(encoder):
    assert isinstance(encoder.prepare(noise(0)), Image.Image)
