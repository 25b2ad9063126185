"""Parts of an image are permuted whole, and nothing is lost."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from stages.models import patches
from stages.models.patches import CUTS, PermutedImages, permuted


@pytest.mark.parametrize("cut", CUTS)
def test_parts_stay_whole_and_none_is_lost(cut):
    image = torch.arange(3 * 12 * 12, dtype=torch.float32).reshape(3, 12, 12)
    moved = permuted(image, cut, 7)
    assert torch.equal(moved.flatten().sort().values, image.flatten().sort().values)
    assert torch.equal(moved, permuted(image, cut, 7))
    rows, columns = CUTS[cut]
    parts = {tuple(p.flatten().tolist()) for r in image.split(12 // rows, 1) for p in r.split(12 // columns, 2)}
    assert parts == {tuple(p.flatten().tolist()) for r in moved.split(12 // rows, 1) for p in r.split(12 // columns, 2)}
    assert torch.equal(moved, image) == (cut == "none")


def test_what_is_left_over_stays():
    image = torch.arange(56 * 56, dtype=torch.float32).reshape(1, 56, 56)
    moved = permuted(image, "patches", 7)
    assert torch.equal(moved[:, 54:], image[:, 54:]) and torch.equal(moved[:, :, 54:], image[:, :, 54:])
    assert not torch.equal(moved[:, :54, :54], image[:, :54, :54])


def test_features_are_named_by_how_images_are_cut(tmp_path, monkeypatch):
    """Otherwise, cached features would be used for other cuts once somebody changes them."""
    model, code = SimpleNamespace(name="tiny", width=2, identity="tiny"), tmp_path / "patches.py"
    code.write_text(Path(patches.__file__).read_text().replace('"rows": (4, 1)', '"rows": (8, 1)'))
    before = PermutedImages(model, [("rows", 0)]).identity
    monkeypatch.setattr(patches, "__file__", str(code))
    assert PermutedImages(model, [("rows", 0)]).identity != before
