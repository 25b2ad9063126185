"""Tests of the Lipschitz bound against numpy's norms and against how far features really move."""

import json

import numpy as np
import open_clip
import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from stages.analyses import lipschitz
from stages.analyses.lipschitz import GELU, agents_in, bound
from stages.models.codebook import Codebook, Query
from stages.parameters.sections import Models
from stages.training import agents
from tests.training import made


def spectral(matrix):
    return np.linalg.norm(matrix.detach().numpy(), 2)


@pytest.fixture(params=["clip", "codebook"])
def tiny(request, tmp_path):
    made.describe(tmp_path)
    settings = made.settings(method=request.param)
    return agents.make(settings, Models({}), tmp_path).eval()


def test_query_and_codes_by_numpy():
    query = Query(6, 4)
    with torch.no_grad():
        query[0].weight.copy_(torch.tensor([1.0, -3, 1, 1, 1, 1]))
    by_hand = 3 * spectral(query[1].weight) * GELU * 1 * spectral(query[4].weight)
    assert lipschitz.of_query(query) == pytest.approx(by_hand, rel=1e-5)
    book = Codebook(5, 4, 6, 6, 0.3)
    codes = book.codes.detach().numpy()
    assert lipschitz.of_codes(book) == pytest.approx(np.linalg.norm(codes) / (2 * 0.3) * np.linalg.norm(codes, 2), rel=1e-5)


def test_attention_by_numpy():
    attention = nn.MultiheadAttention(8, 2)
    values = attention.in_proj_weight[16:]
    heads = (spectral(values[:4]) ** 2 + spectral(values[4:]) ** 2) ** 0.5
    assert lipschitz.of_attention(attention) == pytest.approx(heads * spectral(attention.out_proj.weight), rel=1e-5)


def test_no_slope_is_steeper_than_the_bound_of_gelu():
    x = torch.linspace(-6, 6, 10001, dtype=torch.float64, requires_grad=True)
    for function in (nn.functional.gelu, lambda x: x * torch.sigmoid(1.702 * x)):
        (slope,) = torch.autograd.grad(function(x).sum(), x)
        assert 1.09 < slope.max() < GELU


def test_towers_are_the_product_of_their_layers(tiny):
    """Each tower has one block and new LayerNorms, whose gains are 1."""
    visual, text, book = tiny.clip.visual, tiny.clip, tiny.codebook
    blocks = [lipschitz.of_block(tower.resblocks[0]) for tower in (visual.transformer, text.transformer)]
    image = spectral(visual.conv1.weight.reshape(16, -1)) * blocks[0]
    words = blocks[1]
    if book:
        image *= lipschitz.of_query(book.image_query) * lipschitz.of_codes(book)
        words *= lipschitz.of_query(book.text_query) * lipschitz.of_codes(book)
    else:
        image, words = image * spectral(visual.proj), words * spectral(text.text_projection)
    assert bound(tiny, "vision") == pytest.approx(np.log10(image), abs=1e-4)
    assert bound(tiny, "text") == pytest.approx(np.log10(words), abs=1e-4)


def test_a_greater_matrix_has_a_greater_bound(tiny):
    before = bound(tiny, "text")
    with torch.no_grad():
        tiny.clip.transformer.resblocks[0].mlp.c_fc.weight.mul_(100)
    assert bound(tiny, "text") > before + 1


def test_scores_and_codes_move_no_further_than_their_bound():
    torch.manual_seed(0)
    book = Codebook(20, 8, 8, 8, 0.1)
    most = 0.0
    book.requires_grad_(False)
    for _ in range(300):
        tokens, move = torch.randn(1, 3, 8), 1e-3 * torch.randn(1, 3, 8)
        apart = (book.weights(tokens + move) - book.weights(tokens)) @ book.codes
        most = max(most, float(apart.norm() / move.norm(dim=-1).max()))
    assert 0 < most <= lipschitz.of_codes(book)


def test_written_agents_are_read_again(tiny, tmp_path):
    out = tmp_path / "model"
    out.mkdir()
    settings = made.settings(method="codebook" if tiny.codebook else "clip")
    (out / "open_clip_config.json").write_text((tmp_path / "open_clip_config.json").read_text())
    agents.write(tiny, out, settings, Models({}))
    assert bound(agents_in(out), "vision") == pytest.approx(bound(tiny, "vision"))


def test_towers_that_are_no_plain_transformers_have_no_bound(tmp_path):
    """A ResNet can be trained in generations as well, though not with a codebook."""
    size = {"image_size": 32, "layers": [1, 1, 1, 1], "width": 8}
    config = {"embed_dim": 16, "vision_cfg": size, "text_cfg": {"width": 16, "heads": 2, "layers": 1, "context_length": 77}}
    preprocess = {"mean": [0.5] * 3, "std": [0.5] * 3}
    (tmp_path / "open_clip_config.json").write_text(json.dumps({"model_cfg": config, "preprocess_cfg": preprocess}))
    clip = open_clip.create_model(f"local-dir:{tmp_path}")
    save_file(clip.state_dict(), tmp_path / "open_clip_model.safetensors")
    assert agents_in(tmp_path) is None
