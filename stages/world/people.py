"""The frame in which people and the clothes they wear are drawn.

It is one person high when standing (y 0–1) and 0.62 of it wide (x 0–1); a sitting person's frame ends at :data:`SITTING`. A person
is the shape ``body`` and, over it, one for each garment, such as ``worn hat``.
"""

from typing import NamedTuple

from stages.world.kinds import Point

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
