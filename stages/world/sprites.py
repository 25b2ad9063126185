"""Sprites: a shape drawn once, then tinted in any colour and pattern."""

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from stages.world.shapes import Pen, Stroke

COLOURS: dict[str, tuple[int, int, int]] = {
    "red": (212, 40, 40),
    "orange": (244, 132, 24),
    "yellow": (250, 216, 48),
    "green": (52, 156, 66),
    "blue": (44, 92, 212),
    "purple": (134, 58, 170),
    "pink": (250, 150, 192),
    "brown": (128, 78, 42),
    "black": (42, 42, 46),
    "white": (248, 248, 244),
}
PATTERNS = ("plain", "striped", "spotted", "checkered")
SECOND_COLOUR = {"yellow": "brown", "pink": "purple", "white": "black"}
"""The second colour of a pattern; white where it is not listed."""

SIZE = 256
"""Length of a sprite's longer side, in pixels, before it is scaled into a scene."""


class Stencil(NamedTuple):
    """A drawn shape without its colour: ``mask`` and ``edge`` (L), ``over`` (RGBA), ``shade`` and ``gleam`` (L)."""

    mask: Image.Image
    edge: Image.Image
    over: Image.Image
    shade: Image.Image
    gleam: Image.Image


def stencil(strokes: Iterable[Stroke], width: float, height: float, **options: Any) -> Stencil:
    """Draw a shape at the sprite's size; ``width`` and ``height`` give its proportions."""
    longest = max(width, height)
    size = (max(8, round(SIZE * width / longest)), max(8, round(SIZE * height / longest)))
    pen = Pen(*size, **options)
    for stroke in strokes:
        pen.draw(stroke)
    mask = pen.mask.resize(size, Image.Resampling.BOX)
    over = pen.over.resize(size, Image.Resampling.BOX)
    # Shading: the lower right rim is darker and the upper left one lighter.
    blur = mask.filter(ImageFilter.GaussianBlur(9))
    inner = lambda dx, dy: ImageChops.multiply(mask, ImageChops.invert(ImageChops.offset(blur, dx, dy)))  # noqa: E731
    shade = inner(-8, -9).point(lambda v: int(v * 0.42))
    gleam = inner(7, 8).point(lambda v: int(v * 0.40))
    return Stencil(mask, mask.filter(ImageFilter.MaxFilter(5)), over, shade, gleam)


def reduced(template: Stencil, size: int) -> Stencil:
    """Return the stencil with a longer side of ``size`` pixels."""
    share = size / max(template.mask.size)
    small = (max(1, round(template.mask.width * share)), max(1, round(template.mask.height * share)))
    return Stencil(*(layer.resize(small, Image.Resampling.BOX) for layer in template))


def tint(template: Stencil, colour: str, pattern: str, fine: bool) -> Image.Image:
    """Return the RGBA sprite of a stencil in a colour and a pattern; a ``fine`` pattern has half the mesh."""
    size = template.mask.size
    sprite = _texture(colour, pattern, fine, max(size)).crop((0, 0, *size))
    sprite.paste(template.over, (0, 0), template.over)
    sprite.paste((8, 4, 24), (0, 0, *size), template.shade)
    sprite.paste((255, 255, 255), (0, 0, *size), template.gleam)
    outline = Image.new("RGB", size, _outline(colour))
    outline.paste(sprite, (0, 0), template.mask)
    outline.putalpha(template.edge)
    return outline


def _outline(colour: str) -> tuple[int, int, int]:
    if colour == "black":
        return (112, 112, 122)
    r, g, b = COLOURS[colour]
    return (int(r * 0.36), int(g * 0.33), int(b * 0.38))


@cache
def _texture(colour: str, pattern: str, fine: bool, side: int) -> Image.Image:
    """Return a square of the colour in its pattern; the pattern grows with the ``side``."""
    size = SIZE * 2
    texture = Image.new("RGB", (size, size), COLOURS[colour])
    draw = ImageDraw.Draw(texture)
    other = COLOURS[second_colour(colour, pattern) or colour]
    if pattern == "striped":
        for x in range(-size, 2 * size, 68):
            draw.polygon([(x, 0), (x + 30, 0), (x + 30 + size * 0.22, size), (x + size * 0.22, size)], fill=other)
    elif pattern == "spotted":
        for j, i in ((j, i) for j in range(13) for i in range(13)):
            x, y = 18 + i * 56 - (j % 2) * 28, 14 + j * 46
            draw.ellipse([x - 12, y - 12, x + 12, y + 12], fill=other)
    elif pattern == "checkered":
        for j, i in ((j, i) for j in range(16) for i in range(16) if (i + j) % 2):
            draw.rectangle([i * 34, j * 34, i * 34 + 33, j * 34 + 33], fill=other)
    return (texture if fine else texture.crop((0, 0, SIZE, SIZE))).resize((side, side), Image.Resampling.BOX)


def second_colour(colour: str, pattern: str) -> str | None:
    """Return the other colour of a patterned object; ``None`` for a plain one."""
    return None if pattern == "plain" else SECOND_COLOUR.get(colour, "white")
