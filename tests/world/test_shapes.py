"""Tests of sprites: every kind has its own recognisable shape."""

from itertools import combinations

import numpy as np
import pytest

from stages.world.kinds import KINDS, PEOPLE
from stages.world.render import render
from stages.world.scene import HEIGHT, WIDTH, Look, Pose, sprite
from stages.world.sprites import COLOURS, INKS, PATTERNS, SHAPES
from tests.world.scenes import random_scenes

GARMENTS = [name.removeprefix("worn ") for name in SHAPES if name.startswith("worn ")]
DRAWN = [kind for kind in KINDS if kind not in PEOPLE and kind not in GARMENTS]


def sprite_of(look: Look):
    return sprite(look, small=True)


def pixels(look: Look) -> np.ndarray:
    return np.asarray(sprite_of(look).resize((40, 40)), dtype=np.float32)


def test_every_row_has_a_tool_and_an_ink_of_the_pens():
    drawn = [stroke for shape in SHAPES.values() for stroke in shape]
    assert {stroke.tool for stroke in drawn} == {"polygon", "blob", "line", "curve", "ellipse", "box", "arc", "pie", "circle"}
    assert {stroke.ink for stroke in drawn} == {*INKS, "skin", "hair"}


def test_rows_for_some_only_speak_of_what_a_look_has():
    """Rows that are drawn only for some use only the words that a look has, and all of them."""
    words = {word for shape in SHAPES.values() for stroke in shape for word in stroke.only}
    assert words == {*PEOPLE, "standing", "sitting", "down", "out", "mouth"}
    assert {kind for kind, made in KINDS.items() if made.group == "clothes"} == set(GARMENTS)


@pytest.mark.parametrize("kind", DRAWN)
def test_shape_fills_its_box(kind):
    alpha = pixels(Look(kind))[..., 3] > 128
    assert kind in SHAPES
    assert 0.05 < alpha.mean() < 1.0
    assert alpha.any(axis=0).mean() > 0.7 and alpha.any(axis=1).mean() > 0.8


def test_no_two_kinds_look_alike():
    sprites = {kind: pixels(Look(kind, "red")) for kind in DRAWN}
    for a, b in combinations(sprites, 2):
        assert np.abs(sprites[a] - sprites[b]).mean() > 8, (a, b)


def test_colours_and_patterns_can_be_told():
    looks = [Look("bag", colour, pattern) for colour in COLOURS for pattern in PATTERNS]
    sprites = [pixels(look) for look in looks]
    for (a, one), (b, other) in combinations(zip(looks, sprites, strict=True), 2):
        assert np.abs(one - other).mean() > 2, (a, b)


@pytest.mark.parametrize("garment", GARMENTS)
@pytest.mark.parametrize("pose", [Pose(), Pose(True, "out"), Pose(False, "mouth")])
def test_clothes_lie_in_the_frame_of_the_body(garment, pose):
    body = sprite_of(Look("body", person="boy", pose=pose))
    worn = sprite_of(Look(garment, person="boy", pose=pose))
    assert body.size == worn.size
    assert worn.getchannel("A").getbbox() is not None


def test_a_crop_shows_what_the_whole_picture_shows():
    """Training crops are rendered separately, and must equal a cut of the test image."""
    scene = random_scenes(3)[2]
    whole = np.asarray(render(scene), dtype=np.float32)
    box = (200, 150, 600, 550)
    cut = np.asarray(render(scene, box, (400, 400)), dtype=np.float32)
    assert whole.shape == (HEIGHT, WIDTH, 3)
    assert np.abs(whole[150:550, 200:600] - cut).mean() < 4
