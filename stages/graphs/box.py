"""Boxes in pixels of an image, and their overlaps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np


class Box(NamedTuple):
    """Left and upper edge, width and height, in pixels; whole numbers in all tables."""

    x: float
    y: float
    width: float
    height: float

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Box:
        """Return the box in the columns ``x, y, width, height`` of a table's row."""
        return cls(*(row[name] for name in cls._fields))

    @property
    def area(self) -> float:
        return self.width * self.height

    @property
    def centre(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def cut(self, image_width: float, image_height: float) -> Box | None:
        """Return the part of the box in the image; ``None`` where there is none.

        >>> Box(-10, 20, 50, 50).cut(800, 600)
        Box(x=0, y=20, width=40, height=50)
        """
        left, top = max(self.x, 0), max(self.y, 0)
        width = min(self.x + self.width, image_width) - left
        height = min(self.y + self.height, image_height) - top
        return Box(left, top, width, height) if width > 0 and height > 0 else None

    def grown(self, margin: float) -> Box:
        """Return the box with ``margin``, a fraction of its width or height, on every side."""
        across, down = self.width * margin, self.height * margin
        return Box(self.x - across, self.y - down, self.width + 2 * across, self.height + 2 * down)

    def shared(self, other: Box) -> float:
        """Return the area that two boxes have in common."""
        width = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        height = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return max(width, 0) * max(height, 0)

    def gap(self, other: Box) -> float:
        """Return the larger of the horizontal and vertical gaps between two boxes, in pixels; 0 where they meet."""
        across = max(self.x, other.x) - min(self.x + self.width, other.x + other.width)
        down = max(self.y, other.y) - min(self.y + self.height, other.y + other.height)
        return max(across, down, 0.0)

    def iou(self, other: Box) -> float:
        """Return intersection over union, in [0, 1]."""
        both = self.shared(other)
        return both / (self.area + other.area - both) if both else 0.0

    def covered_by(self, other: Box) -> float:
        """Return the fraction of this box, in [0, 1], inside ``other``; a box below one pixel counts as one."""
        return self.shared(other) / max(self.area, 1.0)


def union(boxes: Iterable[Box]) -> Box:
    """Return the smallest box around all ``boxes``, at least one."""
    boxes = list(boxes)
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
    return Box(left, top, right - left, bottom - top)


def covered(boxes: Sequence[Box], others: Sequence[Box]) -> np.ndarray:
    """Return :meth:`Box.covered_by` of each of ``boxes`` by each of ``others``: an image has thousands of such pairs.

    Shape: (others, boxes).
    """
    a, b = (np.array(group, float).reshape(-1, 4) for group in (boxes, others))
    low = np.maximum(a[None, :, :2], b[:, None, :2])
    high = np.minimum((a[:, :2] + a[:, 2:])[None], (b[:, :2] + b[:, 2:])[:, None])
    return np.clip(high - low, 0, None).prod(axis=2) / np.maximum(a[:, 2:].prod(axis=1), 1)
