"""The towers get all real pictures with the right values, in the right place and of one size."""

import numpy as np
import pytest
import torch
from PIL import Image

from stages.pairs.pairs import Place
from stages.training.loading import Pictures
from tests.training import made

RED, WHITE = (255, 0, 0), (255, 255, 255)
KINDS = {
    "grey.jpg": (Image.new("L", (31, 57), 100), (100,) * 3),
    "grey_transparent.png": (Image.new("LA", (31, 57), (100, 255)), (100,) * 3),
    "cmyk.jpg": (Image.new("CMYK", (64, 48), (0, 255, 255, 0)), RED),
    "cmyk.tif": (Image.new("CMYK", (64, 48), (0, 255, 255, 0)), RED),
    "one_bit.png": (Image.new("1", (9, 9), 1), WHITE),
    "palette.gif": (Image.new("RGB", (50, 20), RED).convert("P"), RED),
    "sixteen_bits.png": (Image.fromarray(np.full((40, 30), 100 << 8, np.uint16)), (100,) * 3),
    "thin.png": (Image.new("RGB", (1, 301), RED), RED),
    "wide.png": (Image.new("RGB", (1003, 3), RED), RED),
    "a_pixel.png": (Image.new("RGB", (1, 1), RED), RED),
}


def seen(path, folder):
    """Return the picture as a training gets it, with values from 0 to 255 and shape (3, 24, 24)."""
    training = made.training(folder / "work")
    tensor = Pictures([Place(path)], made.agents.preprocessing(training.folder), 0)[0]
    assert tensor.dtype == torch.uint8 and tensor.shape == (3, 24, 24)
    return tensor.int()


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_picture_has_its_colour(name, tmp_path):
    image, colour = KINDS[name]
    image.save(tmp_path / name)
    difference = seen(tmp_path / name, tmp_path) - torch.tensor(colour).view(3, 1, 1)
    assert difference.abs().max() <= (1 if name.endswith(".jpg") else 0)


def test_a_camera_that_was_held_upright_is_seen_upright(tmp_path):
    image, exif = Image.new("RGB", (60, 40), RED), Image.Exif()
    image.paste((0, 0, 255), (30, 0, 60, 40))  # blue on the right
    exif[0x0112] = 6  # turn by 90 degrees, clockwise: the left is on top
    image.save(tmp_path / "turned.png", exif=exif)
    tensor = seen(tmp_path / "turned.png", tmp_path)
    top, bottom = tensor[:, 2].float().mean(1), tensor[:, -3].float().mean(1)
    assert top.tolist() == [255, 0, 0] and bottom.tolist() == [0, 0, 255]
