"""Sprites: the strokes of ``shapes.txt``, which explains its rows, drawn once and then tinted in any colour and pattern."""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter
from scipy.interpolate import CubicSpline

from stages.text.lexicon import sections
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
"""The second colour of a pattern; white where it is not listed."""

SIZE = 256
"""Length of a sprite's longer side, in pixels, before it is scaled into a scene; in small pictures it is a quarter, drawn at a
half."""

RGBA = tuple[int, int, int, int]
DARK: RGBA = (10, 0, 20, 88)
INKS: dict[str, tuple[int | None, RGBA]] = {
    "own": (255, (0, 0, 0, 0)),
    "dark": (255, DARK),
    "light": (255, (255, 255, 255, 104)),
    "seam": (None, DARK),
    "hole": (0, (0, 0, 0, 0)),
    "black": (255, (34, 32, 38, 255)),
    "white": (255, (252, 252, 248, 255)),
    "grey": (255, (158, 164, 172, 255)),
    "orange": (255, (244, 150, 34, 255)),
    "yellow": (255, (252, 222, 96, 255)),
    "green": (255, (72, 150, 62, 255)),
    "brown": (255, (132, 88, 52, 255)),
    "glass": (255, (196, 228, 242, 255)),
    "red": (255, (224, 92, 92, 255)),
}
"""The colours that a pen of each ink draws in the two layers, mask and over; None for nothing."""
SKINS: tuple[RGBA, ...] = ((250, 214, 182, 255), (226, 172, 128, 255), (164, 110, 74, 255), (112, 74, 52, 255))
HAIRS: tuple[RGBA, ...] = ((48, 34, 30, 255), (110, 66, 34, 255), (222, 180, 92, 255), (168, 80, 40, 255))

SUPER = 3
"""Supersampling of the drawing, for smooth edges."""


class Stroke(NamedTuple):
    """One stroke, in the unit box (0, 0)–(1, 1), y downwards.

    Attributes:
        tool, ink, size: as ``shapes.txt`` explains them.
        turn: from and to, in degrees, of an arc or a pie.
        only: words of which the drawn thing must have one; empty for a stroke that is always drawn.
    """

    tool: str
    ink: str
    size: float
    points: tuple[Point, ...]
    turn: tuple[float, float] = (0.0, 360.0)
    only: frozenset[str] = frozenset()


def strokes(row: str) -> list[Stroke]:
    """Return the strokes of a row, one for each place at which it is drawn.

    >>> [stroke.points for stroke in strokes("circle black 0.1 0.2,0 mirrored at 0.5,0.25")]
    [((0.7, 0.25),), ((0.3, 0.25),)]
    """
    only, _, drawn = row.rpartition(": ")
    drawn, _, places = drawn.partition(" at ")
    tool, ink, *cells = drawn.split()
    points = _points(cells)
    start, end = next((cell.split("..") for cell in cells if ".." in cell), (0, 360))
    one = Stroke(tool, ink, 0.0 if "," in cells[0] else float(cells[0]), (), (float(start), float(end)), frozenset(only.split()))
    sides = [points, [(-x, y) for x, y in points]] if "mirrored" in cells else [points]
    return [
        one._replace(points=tuple((px + x, py + y) for x, y in side))
        for px, py in _points(places.split()) or [(0.0, 0.0)]
        for side in sides
    ]


def _points(cells: Iterable[str]) -> list[Point]:
    pairs = (cell.split(",") for cell in cells if "," in cell)
    return [(float(x), float(y)) for x, y in pairs]


SHAPES: dict[str, list[Stroke]] = {
    name: [stroke for row in rows.strip().splitlines() if row for stroke in strokes(row)]
    for name, rows in sections(Path(__file__).with_name("shapes.txt")).items()
}


class Pen:
    """Draws into two layers: ``mask`` (the object's area) and ``over`` (details over its colour).

    ``width``, ``height`` and the ``margin`` around the unit box, where the outline is, are in pixels; ``extent`` are the unit
    coordinates of the lower right corner.
    """

    def __init__(self, width: int, height: int, margin: float, extent: Point = (1.0, 1.0), skin: int = 0, hair: int = 0):
        size = (width * SUPER, height * SUPER)
        self.mask = Image.new("L", size, 0)
        self.over = Image.new("RGBA", size, (0, 0, 0, 0))
        self._draws = (ImageDraw.Draw(self.mask), ImageDraw.Draw(self.over))
        self._pad = margin * SUPER
        self._scale = ((size[0] - 2 * self._pad) / extent[0], (size[1] - 2 * self._pad) / extent[1])
        self._unit = min(size)
        self._inks = INKS | {"skin": (255, SKINS[skin]), "hair": (255, HAIRS[hair])}

    def draw(self, stroke: Stroke) -> None:
        tool, points, (start, end) = stroke.tool, stroke.points, stroke.turn
        if tool in ("blob", "curve"):
            points = _smooth(points, closed=tool == "blob")
        xy = [(self._pad + x * self._scale[0], self._pad + y * self._scale[1]) for x, y in points]
        size = stroke.size * self._unit
        width = max(1, round(size))
        if tool in ("polygon", "blob"):
            self._fill(stroke.ink, "polygon", xy)
        elif tool in ("line", "curve"):
            self._fill(stroke.ink, "line", xy, width=width, joint="curve")
            self._discs(stroke.ink, (xy[0], xy[-1]), width / 2)
        elif tool == "ellipse":
            self._fill(stroke.ink, "ellipse", xy)
        elif tool == "box":
            self._fill(stroke.ink, "rounded_rectangle", xy, radius=size)
        elif tool == "arc":
            self._fill(stroke.ink, "arc", xy, start=start, end=end, width=width)
        elif tool == "pie":
            self._fill(stroke.ink, "pieslice", xy, start=start, end=end)
        else:
            self._discs(stroke.ink, xy, size)

    def _discs(self, ink: str, centres: Sequence[Point], radius: float) -> None:
        for x, y in centres:
            self._fill(ink, "ellipse", [(x - radius, y - radius), (x + radius, y + radius)])

    def _fill(self, ink: str, method: str, xy: Sequence[Point], **options: float | str) -> None:
        for draw, left in zip(self._draws, self._inks[ink], strict=True):
            if left is not None:
                getattr(draw, method)(xy, fill=left, **options)


def _smooth(points: Sequence[Point], closed: bool) -> tuple[Point, ...]:
    """Return a smooth curve through ``points``, by eight points for each."""
    every = np.array([*points, points[0]] if closed else points)
    curve = CubicSpline(range(len(every)), every, bc_type="periodic" if closed else "natural")
    return tuple(map(tuple, curve(np.linspace(0, len(every) - 1, 8 * (len(every) - 1) + 1)).tolist()))


class Stencil(NamedTuple):
    """A drawn shape without its colour: ``mask`` and ``edge`` (L), ``over`` (RGBA), ``shade`` and ``gleam`` (L)."""

    mask: Image.Image
    edge: Image.Image
    over: Image.Image
    shade: Image.Image
    gleam: Image.Image


def stencil(strokes: Iterable[Stroke], width: float, height: float, small: bool = False, **options: Any) -> Stencil:
    """Draw a shape, ``small`` or at the sprite's size; ``width`` and ``height`` give its proportions."""
    half = 2 if small else 1
    share = SIZE / half / max(width, height)
    size = (max(8 // half, round(share * width)), max(8 // half, round(share * height)))
    pen = Pen(*size, margin=3 / half, **options)
    for stroke in strokes:
        pen.draw(stroke)
    mask, over = pen.mask.reduce(SUPER), pen.over.reduce(SUPER)
    # Shading: the lower right rim is darker and the upper left one lighter.
    blur = mask.filter(ImageFilter.GaussianBlur(9 / half))
    inner = lambda dx, dy: ImageChops.multiply(mask, ImageChops.invert(ImageChops.offset(blur, dx // half, dy // half)))  # noqa: E731
    shade = inner(-8, -9).point(lambda v: int(v * 0.42))
    gleam = inner(7, 8).point(lambda v: int(v * 0.40))
    return Stencil(mask, mask.filter(ImageFilter.MaxFilter(3 if small else 5)), over, shade, gleam)


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
