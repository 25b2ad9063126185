"""A block computed in parts equals the whole block, in either library."""

import open_clip
import pytest
import torch
from open_clip.transformer import ResidualAttentionBlock

from stages.models import blocks
from tests.models.made import tiny_clip


@pytest.fixture
def block():
    torch.manual_seed(0)
    made = ResidualAttentionBlock(32, 4, ls_init_value=0.5).eval()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return made


@pytest.mark.parametrize(("capability", "available"), [("AVX512", True), ("AVX2", True), ("AVX512", False)])
def test_a_block_is_the_one_it_was_made_of(block, monkeypatch, capability, available):
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: capability)
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: available)
    x = torch.randn(3, 7, 32)
    with torch.inference_mode():
        assert torch.allclose(blocks.Block(block)(x), block(x), atol=1e-5)
        assert torch.allclose(blocks.ClassTokenBlock(block)(x), block(x)[:, :1], atol=1e-5)
    by_torch = blocks.Block(block).widen.func is torch.nn.functional.linear
    assert by_torch is not (available and capability == "AVX512")


def test_other_precisions_are_left_to_torch(block):
    half = block.to(torch.bfloat16)
    assert blocks.Block(half).inwards.func is torch.nn.functional.linear
    assert blocks.Block(half).get_weight_dtype() == torch.bfloat16
    x = torch.randn(2, 5, 32, dtype=torch.bfloat16)
    with torch.inference_mode():
        assert torch.allclose(blocks.Block(half)(x), half(x), atol=0.1, rtol=0.1)


def test_image_features_are_open_clips(tmp_path):
    model = open_clip.create_model(f"local-dir:{tiny_clip(tmp_path)}").eval()
    crops = torch.randn(4, 3, 32, 32)
    with torch.inference_mode():
        before = model.encode_image(crops)
        blocks.patch_for_speed(model.visual)
        assert type(model.visual.transformer.resblocks[-1]) is blocks.ClassTokenBlock
        assert torch.allclose(model.encode_image(crops), before, atol=1e-5)


def test_a_tower_of_other_blocks_is_left_alone():
    tower = torch.nn.Module()
    blocks.patch_for_speed(tower)
    assert not list(tower.children())
