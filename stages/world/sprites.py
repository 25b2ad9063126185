"""Sprites: a shape drawn once with a pen, then tinted in any colour and pattern.

A shape is a function that draws with a :class:`Pen` in a unit box (0, 0)–(1, 1), y downwards. Each stroke names a *role*: ``m``
(the object's own colour and pattern), ``d`` and ``l`` (a darker and a lighter shade of it), or a fixed colour of :data:`FIXED`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from stages.world.kinds import Point

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
"""The other colour of a pattern; white where it is not named here."""

FIXED: dict[str, tuple[int, int, int]] = {
    "k": (34, 32, 38),
    "w": (252, 252, 248),
    "z": (158, 164, 172),
    "o": (244, 150, 34),
    "y": (252, 222, 96),
    "g": (72, 150, 62),
    "b": (132, 88, 52),
    "c": (196, 228, 242),
    "r": (224, 92, 92),
}
SKINS = ((250, 214, 182), (226, 172, 128), (164, 110, 74), (112, 74, 52))
HAIRS = ((48, 34, 30), (110, 66, 34), (222, 180, 92), (168, 80, 40))

SIZE = 256
"""Length of a sprite's longer side, in pixels, before it is scaled into a scene."""
SUPER = 3
"""Supersampling of the drawing, for smooth edges."""


class Pen:
    """Draws into two layers: ``mask`` (what belongs to the object) and ``over`` (what lies over its own colour).

    Args:
        width, height: the sprite's size, in pixels.
        extent: the unit coordinates of the lower right corner.
        skin, hair: the colours of the roles ``s`` and ``h``.
    """

    def __init__(self, width: int, height: int, extent: Point = (1.0, 1.0), skin: int = 0, hair: int = 0):
        size = (width * SUPER, height * SUPER)
        self.mask = Image.new("L", size, 0)
        self.over = Image.new("RGBA", size, (0, 0, 0, 0))
        self._draws = (ImageDraw.Draw(self.mask), ImageDraw.Draw(self.over))
        # A hair's breadth is left around the unit box for the outline.
        self._pad = 3 * SUPER
        self._scale = ((size[0] - 2 * self._pad) / extent[0], (size[1] - 2 * self._pad) / extent[1])
        self._unit = min(size)
        self._inks = {role: (*rgb, 255) for role, rgb in FIXED.items()} | {
            "m": (0, 0, 0, 0),
            "d": (10, 0, 20, 88),
            "l": (255, 255, 255, 104),
            "s": (*SKINS[skin], 255),
            "h": (*HAIRS[hair], 255),
        }

    def ellipse(self, role: str, x0: float, y0: float, x1: float, y1: float) -> None:
        self._fill(role, "ellipse", self._xy([(x0, y0), (x1, y1)]))

    def circle(self, role: str, x: float, y: float, radius: float) -> None:
        """A true circle on the screen, its radius in units of the shorter side."""
        (cx, cy), r = self._xy([(x, y)])[0], radius * self._unit
        self._fill(role, "ellipse", [(cx - r, cy - r), (cx + r, cy + r)])

    def box(self, role: str, x0: float, y0: float, x1: float, y1: float, round: float = 0.0) -> None:
        """A rectangle, its corners rounded by ``round`` of the shorter side."""
        self._fill(role, "rounded_rectangle", self._xy([(x0, y0), (x1, y1)]), radius=round * self._unit)

    def poly(self, role: str, *points: Point) -> None:
        self._fill(role, "polygon", self._xy(points))

    def blob(self, role: str, *points: Point) -> None:
        """A closed smooth curve through ``points``."""
        self._fill(role, "polygon", self._xy(_smooth(points, closed=True)))

    def line(self, role: str, width: float, *points: Point, smooth: bool = False) -> None:
        """A line with round ends, ``width`` in units of the shorter side."""
        xy = self._xy(_smooth(points, closed=False) if smooth else points)
        thick = max(1, round(width * self._unit))
        self._fill(role, "line", xy, width=thick, joint="curve")
        for x, y in (xy[0], xy[-1]):
            self._fill(role, "ellipse", [(x - thick / 2, y - thick / 2), (x + thick / 2, y + thick / 2)])

    def ring(self, role: str, width: float, x0: float, y0: float, x1: float, y1: float, start: float = 0, end: float = 360) -> None:
        """A piece of an ellipse's edge, from ``start`` to ``end`` in degrees, clockwise from the right."""
        self._fill(role, "arc", self._xy([(x0, y0), (x1, y1)]), start=start, end=end, width=max(1, round(width * self._unit)))

    def seam(self, role: str, width: float, x0: float, y0: float, x1: float, y1: float, start: float, end: float) -> None:
        """A ring that is seen only where the object is already."""
        whole = self.mask.copy()
        self.ring(role, width, x0, y0, x1, y1, start, end)
        self.mask.paste(whole)

    def pie(self, role: str, x0: float, y0: float, x1: float, y1: float, start: float, end: float) -> None:
        self._fill(role, "pieslice", self._xy([(x0, y0), (x1, y1)]), start=start, end=end)

    def erase(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """A hole, elliptic."""
        box = self._xy([(x0, y0), (x1, y1)])
        mask, over = self._draws
        mask.ellipse(box, fill=0)
        over.ellipse(box, fill=(0, 0, 0, 0))

    def _fill(self, role: str, method: str, xy: list[Point], **options: float | str) -> None:
        for draw, ink in zip(self._draws, (255, self._inks[role]), strict=True):
            getattr(draw, method)(xy, fill=ink, **options)

    def _xy(self, points: Sequence[Point]) -> list[Point]:
        return [(self._pad + x * self._scale[0], self._pad + y * self._scale[1]) for x, y in points]


def _smooth(points: Sequence[Point], closed: bool, steps: int = 8) -> list[Point]:
    """A Catmull–Rom curve through ``points``."""
    n = len(points)
    at = (lambda i: points[i % n]) if closed else (lambda i: points[min(max(i, 0), n - 1)])
    curve: list[Point] = []
    for i in range(n if closed else n - 1):
        a, b, c, d = at(i - 1), at(i), at(i + 1), at(i + 2)
        for t in (s / steps for s in range(steps)):
            weights = (-t + 2 * t**2 - t**3, 2 - 5 * t**2 + 3 * t**3, t + 4 * t**2 - 3 * t**3, t**3 - t**2)
            curve.append(tuple(sum(w * p[k] for w, p in zip(weights, (a, b, c, d), strict=True)) / 2 for k in (0, 1)))
    return curve if closed else [*curve, points[-1]]


class Stencil(NamedTuple):
    """A drawn shape without its colour: ``mask`` and ``edge`` (L), ``over`` (RGBA), ``shade`` and ``gleam`` (L)."""

    mask: Image.Image
    edge: Image.Image
    over: Image.Image
    shade: Image.Image
    gleam: Image.Image


def stencil(draw: Callable[[Pen], None], width: float, height: float, **options: object) -> Stencil:
    """Draw a shape at the sprite's size; ``width`` and ``height`` give its proportions."""
    longest = max(width, height)
    size = (max(8, round(SIZE * width / longest)), max(8, round(SIZE * height / longest)))
    pen = Pen(*size, **options)  # type: ignore[arg-type]
    draw(pen)
    mask = pen.mask.resize(size, Image.Resampling.BOX)
    over = pen.over.resize(size, Image.Resampling.BOX)
    # Volume: the lower right rim lies in shade and the upper left one in light.
    blur = mask.filter(ImageFilter.GaussianBlur(9))
    inner = lambda dx, dy: ImageChops.multiply(mask, ImageChops.invert(ImageChops.offset(blur, dx, dy)))  # noqa: E731
    shade = inner(-8, -9).point(lambda v: int(v * 0.42))
    gleam = inner(7, 8).point(lambda v: int(v * 0.40))
    return Stencil(mask, mask.filter(ImageFilter.MaxFilter(5)), over, shade, gleam)


def reduced(template: Stencil, size: int) -> Stencil:
    """The same stencil with a longer side of ``size`` pixels."""
    share = size / max(template.mask.size)
    small = (max(1, round(template.mask.width * share)), max(1, round(template.mask.height * share)))
    return Stencil(*(layer.resize(small, Image.Resampling.BOX) for layer in template))


def tint(template: Stencil, colour: str, pattern: str, fine: bool = False) -> Image.Image:
    """The RGBA sprite of a stencil in a colour and a pattern; a ``fine`` pattern has half the mesh."""
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
    """A square of the colour in its pattern; the pattern grows with the ``side``."""
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
    """The other colour of a patterned object; ``None`` for a plain one."""
    return None if pattern == "plain" else SECOND_COLOUR.get(colour, "white")
