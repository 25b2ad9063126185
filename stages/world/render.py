"""Rendering of scenes: a painted backdrop, soft shadows, and the sprites in order."""

from functools import cache
from random import Random
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from stages.world.scene import HEIGHT, WIDTH, Box, Scene, Thing, sprite
from stages.world.sprites import COLOURS, SIZE


def render(scene: Scene, crop: Box = (0, 0, WIDTH, HEIGHT), size: tuple[int, int] = (WIDTH, HEIGHT)) -> Image.Image:
    """Return the part ``crop`` of a scene as an RGB image of ``size``, stretched where the proportions differ."""
    x0, y0, x1, y1 = crop
    sx, sy = size[0] / (x1 - x0), size[1] / (y1 - y0)
    stuff = tuple(thing for thing in scene.things if thing.look is None)
    backdrop = paint(stuff, scene.theme, scene.backdrop, 1 if max(sx, sy) > 0.6 else 4)
    shrink = WIDTH / backdrop.width
    image = backdrop.resize(
        size, Image.Resampling.BILINEAR, box=(x0 / shrink, y0 / shrink, x1 / shrink, y1 / shrink), reducing_gap=2.0
    )
    for thing in scene.things:
        bx0, by0, bx1, by1 = thing.frame
        if thing.look is None or bx1 <= x0 or bx0 >= x1 or by1 <= y0 or by0 >= y1:
            continue
        frame = ((bx0 - x0) * sx, (by0 - y0) * sy, (bx1 - x0) * sx, (by1 - y0) * sy)
        if thing.tether:
            end = ((thing.tether[0] - x0) * sx, (thing.tether[1] - y0) * sy)
            start = ((frame[0] + frame[2]) / 2, frame[3] - 0.05 * (frame[3] - frame[1]))
            ImageDraw.Draw(image).line([start, end], fill=(90, 90, 96), width=max(1, round(2 * sx)))
        # What stands on the ground has a shadow; clothes are part of the person's.
        if not (thing.floating or thing.look.garment) and thing.shown == 1.0 and abs(thing.frame[3] - thing.depth) < 8:
            _shadow(image, (thing.box[0] - x0) * sx, (thing.box[2] - x0) * sx, frame[3])
        _stamp(image, sprite(thing.look, max(size) <= SIZE // 4), frame, thing)
    return image


def _stamp(image: Image.Image, drawn: Image.Image, frame: Box, thing: Thing) -> None:
    """Paste the visible part of a sprite into the picture; only that part is scaled."""
    bottom = frame[1] + (frame[3] - frame[1]) * thing.shown
    x0, y0 = max(0, round(frame[0])), max(0, round(frame[1]))
    x1, y1 = min(image.width, round(frame[2])), min(image.height, round(bottom))
    if x1 <= x0 or y1 <= y0:
        return
    kx, ky = drawn.width / (frame[2] - frame[0]), drawn.height / (frame[3] - frame[1])
    left, right = (x0 - frame[0]) * kx, (x1 - frame[0]) * kx
    if thing.flip:
        left, right = drawn.width - right, drawn.width - left
    source = (max(0.0, left), max(0.0, (y0 - frame[1]) * ky), min(drawn.width, right), min(drawn.height, (y1 - frame[1]) * ky))
    piece = drawn.resize((x1 - x0, y1 - y0), Image.Resampling.BILINEAR, box=source)
    if thing.flip:
        piece = piece.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    image.paste(piece, (x0, y0), piece)


def _shadow(image: Image.Image, left: float, right: float, ground: float) -> None:
    width = right - left
    high = max(2.0, width * 0.09)
    size = (max(2, round(width * 1.04)), max(2, round(high * 2)))
    image.paste((20, 16, 30), (round(left - width * 0.02), round(ground - high * 1.25)), _soft_ellipse().resize(size))


@cache
def _soft_ellipse() -> Image.Image:
    mask = Image.new("L", (128, 64), 0)
    ImageDraw.Draw(mask).ellipse([10, 10, 118, 54], fill=96)
    return mask.filter(ImageFilter.GaussianBlur(5))


class Backdrop(NamedTuple):
    """How a part of the background is painted: a gradient with marks at random places.

    Attributes:
        paler: how much lighter than its colour it is, so that things are visible.
        upper, lower: the brightness of the gradient at its ends.
        marks, size: the number of marks, and their width and height in pixels; they cover the whole height where it is 0.
        bright: the brightness of the marks.
    """

    paler: float
    upper: float
    lower: float
    marks: int
    size: tuple[int, int]
    bright: float


BACKDROPS = {
    "wall": Backdrop(0.76, 1.0, 0.93, 8, (3, 0), 0.955),
    "sky": Backdrop(0.62, 0.94, 1.12, 5, (130, 36), 1.35),
    "floor": Backdrop(0.5, 0.9, 1.04, 14, (3, 0), 0.8),
    "sand": Backdrop(0.62, 0.98, 0.88, 260, (2, 2), 0.78),
    "grass": Backdrop(0.46, 1.04, 0.86, 260, (2, 9), 0.72),
    "road": Backdrop(0.62, 0.9, 1.06, 7, (76, 9), 1.7),
    "sea": Backdrop(0.4, 0.86, 1.14, 46, (34, 3), 1.5),
    "table": Backdrop(0.42, 0.95, 1.03, 0, (0, 0), 1.0),
}
SQUARE = 70
"""Side of a square of a checkered table, in pixels."""


@cache
def paint(stuff: tuple[Thing, ...], theme: str, variant: int, shrink: int) -> Image.Image:
    """Return the backdrop of a theme, ``shrink`` times smaller than a scene."""
    if shrink > 1:
        return paint(stuff, theme, variant, 1).resize((WIDTH // shrink, HEIGHT // shrink), Image.Resampling.BOX)
    rng = Random(f"backdrop:{theme}:{variant}")
    image = Image.new("RGB", (WIDTH, HEIGHT))
    for thing in stuff:
        _paint(image, rng, thing, BACKDROPS[thing.kind])
    return ImageChops.add(image, _grain(), offset=-GRAIN)


def _paint(image: Image.Image, rng: Random, thing: Thing, how: Backdrop) -> None:
    """Paint one part of the background into its box."""
    _, top, _, bottom = map(int, thing.box)
    colour = np.array(COLOURS[thing.colour or "white"])
    colour = colour + (255 - colour) * how.paler
    brightness = np.linspace(how.upper, how.lower, bottom - top)[:, None, None]
    ramp = (colour * brightness).clip(0, 255).astype(np.uint8)
    image.paste(Image.fromarray(ramp).resize((WIDTH, bottom - top), Image.Resampling.NEAREST), (0, top))
    draw = ImageDraw.Draw(image)
    mark = tuple((colour * how.bright).clip(0, 255).astype(int).tolist())
    width, height = how.size[0], how.size[1] or bottom - top
    for _ in range(how.marks):
        x, y = rng.uniform(-width, WIDTH), rng.uniform(top, bottom - height)
        draw.rounded_rectangle([x, y, x + width, y + height], radius=min(width, height) / 2, fill=mark)
    if thing.pattern == "checkered":
        for x in range(0, WIDTH, SQUARE):
            for y in range(top + x % (2 * SQUARE), bottom, 2 * SQUARE):
                draw.rectangle([x, y, x + SQUARE, min(y + SQUARE, bottom)], fill=(252, 252, 248))


GRAIN = 12
"""The middle grey value of the grain, which is as often darker as lighter."""


@cache
def _grain() -> Image.Image:
    """Return a little noise, so that no area is uniform."""
    noise = np.random.default_rng(0).normal(GRAIN, 3.0, (HEIGHT, WIDTH)).clip(0, 2 * GRAIN).astype(np.uint8)
    return Image.merge("RGB", [Image.fromarray(noise)] * 3)
