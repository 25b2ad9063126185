"""Tests of the codebook: sparsemax by its definition, masks, and a folder that loads like any other model."""

import json

import numpy as np
import open_clip
import pytest
import torch
from PIL import Image

from stages.contract.errors import InputError
from stages.models import codebook
from stages.models.codebook import Codebook, CodebookClip, CodebookModel, sparsemax
from stages.models.load import load
from stages.parameters.sections import Evaluate, Models, Train
from stages.training import agents
from tests.running import section

SETTINGS = {"method": "codebook", "codebook": {"codes": 12, "width": 16, "temperature": 0.1}}


def nearest_by_bisection(z):
    """Return the nearest point of the simplex: max(z - t, 0), with t such that the sum is 1."""
    low, high = z.min() - 1, z.max()
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if np.maximum(z - middle, 0).sum() > 1 else (low, middle)
    return np.maximum(z - low, 0)


def test_sparsemax_is_the_nearest_point_of_the_simplex():
    rng = np.random.default_rng(0)
    rows = [*rng.normal(size=(20, 7)), np.zeros(7), np.array([3.0, 0, 0, 0, 0, 0, 0]), np.array([0.5, 0.5, 0, 0, 0, 0, 0])]
    found = sparsemax(torch.tensor(np.stack(rows))).numpy()
    assert np.allclose(found, [nearest_by_bisection(row) for row in rows], atol=1e-9)
    assert (found == 0).any(axis=1).sum() > 15, "it is sparse"


def test_gradient_of_sparsemax():
    """On its support the Jacobian is the identity less one over the support's size; elsewhere it is 0."""
    z = torch.tensor([[1.0, 0.8, 0.3, -2.0], [0.1, 0.2, 0.3, 0.4]], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(sparsemax, z)
    jacobian = torch.autograd.functional.jacobian(lambda row: sparsemax(row[None])[0], z[0].detach())
    support = (sparsemax(z)[0] > 0).double()
    assert torch.allclose(jacobian, torch.diag(support) - torch.outer(support, support) / support.sum())


def test_a_code_has_the_greatest_score_of_its_tokens_and_padding_asks_nothing():
    book = Codebook(5, 8, 8, 8, 0.3)
    queries = torch.randn(2, 4, 8)
    present = torch.tensor([[True, True, False, False], [True, True, True, True]])
    by_hand = torch.stack([(queries[i][present[i]] @ book.codes.T).max(0).values for i in range(2)]) / (8**0.5 * 0.3)
    assert torch.allclose(book.weights(queries, present), sparsemax(by_hand), atol=1e-6)
    louder = queries.clone()
    louder[0, 2:] *= 1000
    assert torch.equal(book.weights(louder, present), book.weights(queries, present))


@pytest.fixture
def model(tmp_path):
    """Return a folder as the stage ``train`` writes it, and its untrained model."""
    settings, presets = section(Train, **SETTINGS), Models({})
    agents.describe(tmp_path, settings, presets)
    made = agents.make(settings, presets, tmp_path)
    agents.write(made, tmp_path, settings, presets)
    return tmp_path, made.eval()


def loaded(folder, precision="fp32"):
    preset = {"family": "open_clip", "architecture": f"local-dir:{folder}", "trained_on": "cc12m"}
    return load("ours", Models.model_validate({"ours": preset}), section(Evaluate, precision=precision, device="cpu"))


def test_a_folder_with_a_codebook_loads_as_any_other(model):
    folder, made = model
    found = loaded(folder)
    assert isinstance(found, CodebookModel) and isinstance(made, CodebookClip)
    picture, captions = Image.new("RGB", (90, 60), (200, 30, 30)), ["a red cup", "a blue table under a long red cup!!"]
    with torch.inference_mode():
        tokens = found.tokenizer(captions)
        assert np.allclose(found.encode_text(captions), made.encode_text(tokens).numpy(), atol=1e-6)
        pixels = found.prepare(picture)
        assert np.allclose(found.encode_image([pixels]), made.encode_image(pixels[None]).numpy(), atol=1e-6)
    weights = found.codes([pixels])
    assert weights.shape == (1, 12) and np.isclose(weights.sum(), 1, atol=1e-5) and (weights >= 0).all()
    assert found.word_codes(captions).shape == (2, 12)


def test_half_the_precision_is_nearly_as_good(model):
    folder, _ = model
    captions, picture = ["a red cup", "a blue table"], Image.new("RGB", (90, 60), (200, 30, 30))
    whole, half = loaded(folder), loaded(folder, "bf16")
    assert np.allclose(half.encode_text(captions), whole.encode_text(captions), atol=0.1)
    assert np.allclose(half.encode_image([half.prepare(picture)]), whole.encode_image([whole.prepare(picture)]), atol=0.1)


def test_towers_whose_captions_end_elsewhere_have_no_codebook():
    """MetaCLIP 2's end token is not the greatest one, after which all words would be ignored."""
    towers = json.loads(agents.SMALL.read_text())["model_cfg"]
    text = towers["text_cfg"]
    fits = [codebook.fits(open_clip.CLIP(**towers | {"text_cfg": text | more})) for more in ({}, {"pool_type": "eos", "eos_id": 2})]
    assert fits == [True, False]


def test_another_codebook_is_another_model(model):
    folder, _ = model
    before = loaded(folder).identity
    codebook.save(folder, Codebook(**json.loads((folder / codebook.CONFIG).read_text())))
    assert loaded(folder).identity != before


@pytest.mark.parametrize("fault", ["gone", "other", "letters"])
def test_a_codebook_without_its_weights_is_said(model, fault):
    folder, _ = model
    if fault == "gone":
        (folder / codebook.WEIGHTS).unlink()
    elif fault == "other":
        config = json.loads((folder / codebook.CONFIG).read_text())
        (folder / codebook.CONFIG).write_text(json.dumps(config | {"codes": 13}))
    else:
        (folder / codebook.WEIGHTS).write_bytes(b"no weights")
    with pytest.raises(InputError, match="is no codebook with its weights"):
        loaded(folder)
