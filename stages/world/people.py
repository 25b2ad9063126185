"""Shapes of people and of the clothes they wear, drawn in one frame so that the clothes fit.

A frame is one person high when standing (y 0–1) and 0.62 of it wide (x 0–1); a sitting person's frame ends at :data:`SITTING`. A
person is a body and, over it, a sprite for each garment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from stages.world.kinds import Point
from stages.world.sprites import Pen

SITTING = 0.84
"""Height of a sitting person, in standing heights."""
WIDTH = 0.62
"""Width of the frame, in standing heights."""
SEAT: Point = (0.44, 0.6)
"""What a sitting person sits with."""
HAND: dict[str, Point] = {"out": (0.86, 0.4), "mouth": (0.6, 0.2), "down": (0.22, 0.56)}
"""The hand that holds something, by the arm's pose."""


class Pose(NamedTuple):
    """``sits`` or stands; the right ``arm`` hangs ``down``, is held ``out``, or goes to the ``mouth``."""

    sits: bool = False
    arm: str = "down"


def body(pen: Pen, kind: str, pose: Pose) -> None:
    """A person without clothes that have a name: skin, hair, face, shoes and grey underwear."""
    if kind == "woman":
        pen.blob("h", (0.28, 0.1), (0.44, -0.0), (0.6, 0.1), (0.63, 0.3), (0.44, 0.34), (0.25, 0.3))
    if kind == "girl":
        for x in (0.22, 0.66):
            pen.blob("h", (x - 0.05, 0.1), (x + 0.05, 0.1), (x + 0.07, 0.24), (x, 0.28), (x - 0.07, 0.24))
    _legs(pen, "s", pose, 0.075, foot=True)
    pen.box("z", 0.33, 0.46, 0.55, 0.62, 0.05)
    pen.blob("s", (0.3, 0.28), (0.44, 0.24), (0.58, 0.28), (0.55, 0.56), (0.33, 0.56))
    _arm(pen, "s", "left", 0.06)
    _arm(pen, "s", pose.arm, 0.06)
    pen.box("s", 0.4, 0.2, 0.48, 0.3, 0.03)
    _head(pen, kind)


def _head(pen: Pen, kind: str) -> None:
    small = kind in ("man", "woman")
    x0, x1, y1 = (0.32, 0.56, 0.225) if small else (0.29, 0.59, 0.235)
    pen.ellipse("s", x0 - 0.03, 0.1, x0 + 0.04, 0.15)
    pen.ellipse("s", x1 - 0.04, 0.1, x1 + 0.03, 0.15)
    pen.ellipse("s", x0, 0.02, x1, y1)
    if kind in ("man", "boy"):
        pen.blob(
            "h", (x0 - 0.01, 0.11), (x0 + 0.02, 0.025), (0.44, 0.0), (x1 - 0.02, 0.025), (x1 + 0.01, 0.11), (0.5, 0.07),
            (0.36, 0.075),
        )  # fmt: skip
    else:
        pen.blob(
            "h", (x0 - 0.02, 0.15), (x0, 0.03), (0.44, 0.0), (x1, 0.03), (x1 + 0.02, 0.15), (0.54, 0.08), (0.42, 0.055),
            (0.36, 0.08),
        )  # fmt: skip
    for x in (0.39, 0.49):
        pen.circle("k", x, 0.118, 0.02)
    pen.line("k", 0.012, (0.41, 0.178), (0.44, 0.186), (0.48, 0.176), smooth=True)
    if kind == "man":
        pen.line("h", 0.022, (0.4, 0.16), (0.44, 0.152), (0.485, 0.16), smooth=True)


ARMS: dict[str, tuple[Point, Point, Point]] = {
    "left": ((0.31, 0.3), (0.25, 0.43), (0.22, 0.56)),
    "down": ((0.57, 0.3), (0.63, 0.43), (0.66, 0.56)),
    "out": ((0.57, 0.3), (0.7, 0.44), HAND["out"]),
    "mouth": ((0.57, 0.3), (0.74, 0.42), (0.6, 0.24)),
}
"""Shoulder, elbow and hand of the left arm, which hangs down, and of the right one by its pose."""


def _arm(pen: Pen, role: str, arm: str, width: float, length: float = 1.0) -> None:
    """An arm, or a sleeve over the first ``length`` of it."""
    (x0, y0), (x1, y1), _ = path = ARMS[arm]
    pen.line(role, width * 1.4, *(path if length == 1 else ((x0, y0), (x0 + (x1 - x0) * length, y0 + (y1 - y0) * length))))


def _legs(pen: Pen, role: str, pose: Pose, width: float, foot: bool = False, length: float = 1.0) -> None:
    """Both legs; ``length`` as far as trousers reach."""
    if not pose.sits:
        for x, out in ((0.38, -1), (0.5, 1)):
            end = 0.56 + 0.38 * length
            pen.line(role, width * 1.5, (x, 0.56), (x + 0.015 * out, end))
            if foot:
                pen.blob("k", (x - 0.05, 0.95), (x + 0.04, 0.94), (x + 0.08, 0.98), (x + 0.06, 1.0), (x - 0.06, 1.0))
        return
    for dx in (0.1, 0.0):
        knee, ankle = (0.72 + dx, 0.6), (0.72 + dx, 0.6 + 0.2 * max(0.0, 2 * length - 1))
        thigh = (0.44 + (knee[0] - 0.44) * min(1.0, 2 * length), 0.585)
        pen.line(role, width * 1.6, (0.43, 0.575), thigh, *([knee, ankle] if length > 0.5 else []))
        if foot:
            pen.blob("k", (0.67 + dx, 0.8), (0.75 + dx, 0.79), (0.87 + dx, 0.815), (0.87 + dx, 0.84), (0.67 + dx, 0.84))


def _shirt(pen: Pen, pose: Pose) -> None:
    pen.blob("m", (0.29, 0.29), (0.39, 0.25), (0.49, 0.25), (0.59, 0.29), (0.56, 0.42), (0.57, 0.58), (0.31, 0.58), (0.32, 0.42))
    _arm(pen, "m", "left", 0.085, length=0.85)
    _arm(pen, "m", pose.arm, 0.085, length=0.85)
    pen.ellipse("s", 0.39, 0.23, 0.49, 0.275)


def _dress(pen: Pen, pose: Pose) -> None:
    if pose.sits:
        _legs(pen, "m", pose, 0.13, length=0.5)
        pen.blob("m", (0.3, 0.29), (0.44, 0.25), (0.58, 0.29), (0.55, 0.42), (0.62, 0.62), (0.3, 0.64), (0.33, 0.42))
    else:
        pen.blob("m", (0.3, 0.29), (0.44, 0.25), (0.58, 0.29), (0.54, 0.44), (0.7, 0.78), (0.44, 0.8), (0.18, 0.78), (0.34, 0.44))
    pen.line("d", 0.03, (0.34, 0.45), (0.545, 0.45))
    _arm(pen, "m", "left", 0.08, length=0.35)
    _arm(pen, "m", pose.arm, 0.08, length=0.35)
    pen.ellipse("s", 0.38, 0.22, 0.5, 0.28)


def _pants(pen: Pen, pose: Pose) -> None:
    _legs(pen, "m", pose, 0.105, length=0.92)
    pen.box("m", 0.315, 0.52, 0.565, 0.63, 0.04)
    if not pose.sits:
        pen.line("d", 0.02, (0.44, 0.64), (0.44, 0.72))


def _skirt(pen: Pen, pose: Pose) -> None:
    if pose.sits:
        _legs(pen, "m", pose, 0.125, length=0.45)
        pen.box("m", 0.31, 0.5, 0.57, 0.64, 0.06)
    else:
        pen.blob("m", (0.33, 0.52), (0.55, 0.52), (0.62, 0.66), (0.67, 0.76), (0.44, 0.785), (0.21, 0.76), (0.26, 0.66))
    pen.line("d", 0.02, (0.33, 0.54), (0.55, 0.54))


def _hat(pen: Pen, pose: Pose) -> None:
    pen.blob("m", (0.32, 0.075), (0.34, -0.0), (0.44, -0.015), (0.54, -0.0), (0.56, 0.075))
    pen.ellipse("m", 0.22, 0.05, 0.66, 0.1)
    pen.line("d", 0.04, (0.335, 0.055), (0.545, 0.055))


def _scarf(pen: Pen, pose: Pose) -> None:
    pen.line("m", 0.095, (0.35, 0.245), (0.44, 0.265), (0.53, 0.245), smooth=True)
    pen.line("m", 0.08, (0.5, 0.27), (0.52, 0.42))
    pen.line("d", 0.02, (0.49, 0.4), (0.55, 0.4))


GARMENTS: dict[str, Callable[[Pen, Pose], None]] = {
    "pants": _pants,
    "skirt": _skirt,
    "dress": _dress,
    "shirt": _shirt,
    "scarf": _scarf,
    "hat": _hat,
}
"""In the order in which they are put on."""
