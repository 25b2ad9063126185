"""Boxes in whole pixels: cut to the image, united, compared, and judged as crops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Self

from stages.contract.errors import ParameterError


class Box(NamedTuple):
    """Left and upper edge, width and height, in pixels."""

    x: int
    y: int
    width: int
    height: int

    @property
    def area(self) -> int:
        return self.width * self.height


def cut(box: Box, image_width: int, image_height: int) -> Box | None:
    """The part of ``box`` that lies in the image; ``None`` where nothing does.

    >>> cut(Box(-10, 20, 50, 50), 800, 600)
    Box(x=0, y=20, width=40, height=50)
    """
    left, top = max(box.x, 0), max(box.y, 0)
    width = min(box.x + box.width, image_width) - left
    height = min(box.y + box.height, image_height) - top
    return Box(left, top, width, height) if width > 0 and height > 0 else None


def union(boxes: Iterable[Box]) -> Box:
    """The smallest box around all ``boxes``, of which there is at least one."""
    boxes = list(boxes)
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
    return Box(left, top, right - left, bottom - top)


def overlap(one: Box, other: Box) -> float:
    """Intersection over union, from 0 to 1."""
    width = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    height = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    both = max(width, 0) * max(height, 0)
    return both / (one.area + other.area - both) if both else 0.0


@dataclass(frozen=True)
class CropRule:
    """Which crops are fit to look at (paper, section 4.1); bounds are included.

    The shares and ratios are exact fractions, so that a crop of exactly a tenth of its image passes.
    """

    min_area: int
    min_share: Fraction
    min_ratio: Fraction
    max_ratio: Fraction

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self:
        """The rule in the section ``crop`` of the parameters.

        Raises:
            ParameterError: a bound is missing or no number.
        """
        try:
            bounds = {key: Fraction(str(settings[key])) for key in ("min_area", "min_share", "min_ratio", "max_ratio")}
        except (KeyError, ValueError) as error:
            raise ParameterError(
                "crop", f"a bound is missing or no number ({error})", "see the project's own params.yaml"
            ) from None
        return cls(int(bounds["min_area"]), bounds["min_share"], bounds["min_ratio"], bounds["max_ratio"])

    def faults(self, width: Any, height: Any, image_width: Any, image_height: Any) -> dict[str, Any]:
        """Each fault's code with whether the crop has it, the gravest first.

        Works on whole numbers, and as well on DuckDB's expressions, so that millions of regions and single subgraphs are judged
        by one rule.
        """
        area, image = width * height, image_width * image_height
        return {
            "crop_area": area < self.min_area,
            "crop_share": area * self.min_share.denominator < image * self.min_share.numerator,
            "crop_narrow": width * self.min_ratio.denominator < height * self.min_ratio.numerator,
            "crop_wide": width * self.max_ratio.denominator > height * self.max_ratio.numerator,
        }

    def fault(self, box: Box, image_width: int, image_height: int) -> str | None:
        """The code of the gravest fault of a crop; ``None`` for a fit one."""
        faults = self.faults(box.width, box.height, image_width, image_height)
        return next((code for code, present in faults.items() if present), None)
