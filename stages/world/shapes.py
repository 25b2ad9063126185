"""Shapes: the strokes of ``shapes.txt``, which explains its rows, and the pen that draws them."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw
from scipy.interpolate import CubicSpline

from stages.text.lexicon import sections
from stages.world.kinds import Point

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
    for name, rows in sections(Path(__file__).with_suffix(".txt")).items()
}


class Pen:
    """Draws into two layers: ``mask`` (the object's area) and ``over`` (details over its colour).

    ``width`` and ``height`` are in pixels, ``extent`` are the unit coordinates of the lower right corner.
    """

    def __init__(self, width: int, height: int, extent: Point = (1.0, 1.0), skin: int = 0, hair: int = 0):
        size = (width * SUPER, height * SUPER)
        self.mask = Image.new("L", size, 0)
        self.over = Image.new("RGBA", size, (0, 0, 0, 0))
        self._draws = (ImageDraw.Draw(self.mask), ImageDraw.Draw(self.over))
        # A thin margin is left around the unit box for the outline.
        self._pad = 3 * SUPER
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
