"""Rendering of scenes: a painted backdrop, soft shadows, and the sprites in order."""

import math
from functools import cache
from itertools import pairwise
from random import Random

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from stages.world.scene import HEIGHT, SMALL, WIDTH, Box, Scene, Thing, small_sprite, sprite
from stages.world.sprites import COLOURS


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
        if _grounded(thing):
            _shadow(image, (thing.box[0] - x0) * sx, (thing.box[2] - x0) * sx, frame[3])
        _stamp(image, (small_sprite if max(size) <= SMALL else sprite)(thing.look), frame, thing)
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


def _grounded(thing: Thing) -> bool:
    """Return whether it stands on the ground and has a shadow; clothes are part of the person's shadow."""
    worn = thing.look is not None and thing.look.garment
    return not thing.floating and not worn and thing.shown == 1.0 and abs(thing.frame[3] - thing.depth) < 8


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


@cache
def paint(stuff: tuple[Thing, ...], theme: str, variant: int, shrink: int) -> Image.Image:
    """Return the backdrop of a theme, ``shrink`` times smaller than a scene."""
    if shrink > 1:
        return paint(stuff, theme, variant, 1).resize((WIDTH // shrink, HEIGHT // shrink), Image.Resampling.BOX)
    rng = Random(f"backdrop:{theme}:{variant}")
    image = Image.new("RGB", (WIDTH, HEIGHT))
    for thing in stuff:
        painter, paler = PAINTERS[thing.kind]
        _, top, _, bottom = map(int, thing.box)
        painter(image, rng, top, bottom, _pale(thing.colour or "white", paler), thing.pattern)
    return ImageChops.add(image, _grain(), offset=-GRAIN)


GRAIN = 12
"""The middle grey value of the grain, which is as often darker as lighter."""


@cache
def _grain() -> Image.Image:
    """Return a little noise, so that no area is uniform."""
    noise = np.random.default_rng(0).normal(GRAIN, 3.0, (HEIGHT, WIDTH)).clip(0, 2 * GRAIN).astype(np.uint8)
    return Image.merge("RGB", [Image.fromarray(noise)] * 3)


RGB = tuple[int, int, int]


def _pale(colour: str, share: float) -> RGB:
    return tuple(round(v + (255 - v) * share) for v in COLOURS[colour])  # type: ignore[return-value]


def _tone(colour: RGB, factor: float) -> RGB:
    return tuple(min(255, round(v * factor)) for v in colour)  # type: ignore[return-value]


def _gradient(image: Image.Image, top: int, bottom: int, colour: RGB, upper: float, lower: float) -> None:
    ramp = np.linspace(_tone(colour, upper), _tone(colour, lower), bottom - top)[:, None, :].astype(np.uint8)
    image.paste(Image.fromarray(ramp).resize((WIDTH, bottom - top), Image.Resampling.NEAREST), (0, top))


def _sky(image: Image.Image, rng: Random, top: int, bottom: int, colour: RGB, pattern: str) -> None:
    _gradient(image, top, bottom, colour, 0.94, 1.12)
    clouds = Image.new("L", (WIDTH, bottom), 0)
    draw = ImageDraw.Draw(clouds)
    for _ in range(rng.randrange(2, 5)):
        x, y, r = rng.uniform(0, WIDTH), rng.uniform(30, bottom * 0.55), rng.uniform(18, 34)
        for dx, dy, k in ((-1.4, 0.3, 0.8), (-0.5, -0.1, 1.1), (0.6, 0, 1.0), (1.5, 0.35, 0.75)):
            draw.ellipse([x + dx * r - k * r, y + dy * r - k * r * 0.7, x + dx * r + k * r, y + dy * r + k * r * 0.7], fill=190)
    image.paste((255, 255, 255), (0, 0), clouds.filter(ImageFilter.GaussianBlur(4)))


def _grass(image: Image.Image, rng: Random, top: int, bottom: int, colour: RGB, pattern: str) -> None:
    draw = ImageDraw.Draw(image)
    draw.rectangle([0, top - 8, WIDTH, bottom], fill=_tone(colour, 0.94))
    # Hills behind the meadow, all of them grass.
    for shade, lift in ((0.86, 52), (0.94, 26)):
        phase, long = rng.uniform(0, 6), rng.uniform(160, 300)
        edge = [(x, top + 2 - lift * (0.5 + 0.5 * math.sin(x / long + phase))) for x in range(0, WIDTH + 20, 20)]
        draw.polygon([(0, bottom), *edge, (WIDTH, bottom)], fill=_tone(colour, shade))
    _gradient(image, top + 8, bottom, colour, 1.04, 0.86)
    for _ in range(130):
        x, y = rng.uniform(0, WIDTH), rng.uniform(top + 14, bottom)
        for dx in (-3, 0, 3):
            draw.line([(x, y), (x + dx, y - rng.uniform(5, 10))], fill=_tone(colour, 0.72), width=1)


def _sand(image: Image.Image, rng: Random, top: int, bottom: int, colour: RGB, pattern: str) -> None:
    _gradient(image, top, bottom, colour, 0.98, 0.88)
    draw = ImageDraw.Draw(image)
    for _ in range(260):
        x, y = rng.uniform(0, WIDTH), rng.uniform(top, bottom)
        draw.ellipse([x, y, x + 2, y + 1.4], fill=_tone(colour, rng.choice((0.78, 1.12))))


def _sea(image: Image.Image, rng: Random, top: int, bottom: int, colour: RGB, pattern: str) -> None:
    _gradient(image, top, bottom, colour, 0.86, 1.14)
    draw = ImageDraw.Draw(image)
    for _ in range(46):
        x, y = rng.uniform(-20, WIDTH), rng.uniform(top + 6, bottom - 4)
        draw.arc([x, y, x + rng.uniform(20, 46), y + 7], 200, 340, fill=_tone(colour, 1.5), width=2)


def _road(image: Image.Image, rng: Random, top: int, bottom: int, colour: RGB, pattern: str) -> None:
    _gradient(image, top, bottom, colour, 0.9, 1.06)
    draw = ImageDraw.Draw(image)
    draw.rectangle([0, top, WIDTH, top + 16], fill=(206, 204, 198))
    draw.line([(0, top + 17), (WIDTH, top + 17)], fill=(150, 148, 146), width=3)
    middle, shift = (top + bottom) // 2 + 20, rng.randrange(0, 120)
    for x in range(-shift, WIDTH, 140):
        draw.polygon([(x, middle), (x + 76, middle), (x + 70, middle + 10), (x - 8, middle + 10)], fill=(240, 238, 226))


def _wall(image: Image.Image, rng: Random, top: int, bottom: int, colour: RGB, pattern: str) -> None:
    _gradient(image, top, bottom, colour, 1.0, 0.93)
    draw = ImageDraw.Draw(image)
    step = rng.choice((80, 100, 160))
    for x in range(step // 2, WIDTH, step):
        draw.line([(x, top), (x, bottom)], fill=_tone(colour, 0.955), width=3)
    draw.rectangle([0, bottom - 20, WIDTH, bottom], fill=_tone(colour, 0.86))


def _floor(image: Image.Image, rng: Random, top: int, bottom: int, colour: RGB, pattern: str) -> None:
    _gradient(image, top, bottom, colour, 0.9, 1.04)
    draw = ImageDraw.Draw(image)
    vanish = rng.uniform(300, 500)
    for x in range(-900, WIDTH + 900, 110):
        draw.line([(vanish + (x - vanish) * 0.45, top), (x, bottom)], fill=_tone(colour, 0.8), width=2)


def _table(image: Image.Image, rng: Random, top: int, bottom: int, colour: RGB, pattern: str) -> None:
    _gradient(image, top, bottom, colour, 0.95, 1.03)
    draw = ImageDraw.Draw(image)
    if pattern == "checkered":
        rows = [top + round((bottom - top) * k**1.3) for k in (0, 0.22, 0.42, 0.62, 0.81, 1.0)]
        for j, (y0, y1) in enumerate(pairwise(rows)):
            for i in range(-12, 24):
                if (i + j) % 2:
                    k0, k1 = (0.75 + 0.25 * (y - top) / (bottom - top) for y in (y0, y1))
                    corners = ((i - 6, k0, y0), (i - 5, k0, y0), (i - 5, k1, y1), (i - 6, k1, y1))
                    draw.polygon([(400 + at * 100 * k, y) for at, k, y in corners], fill=(252, 252, 248))
    draw.line([(0, top), (WIDTH, top)], fill=_tone(colour, 0.6), width=4)


PAINTERS = {
    "wall": (_wall, 0.76),
    "sky": (_sky, 0.62),
    "floor": (_floor, 0.5),
    "sand": (_sand, 0.62),
    "grass": (_grass, 0.46),
    "road": (_road, 0.62),
    "sea": (_sea, 0.4),
    "table": (_table, 0.42),
}
"""The painter of each backdrop, and how much lighter than its colour it is, so that things are visible."""
