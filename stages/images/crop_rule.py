"""The rule for usable crops."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

from stages.graphs.box import Box
from stages.parameters.sections import Crop


@dataclass(frozen=True)
class CropRule:
    """The rule for usable crops (paper, section 4.1); bounds are inclusive.

    The fractions and ratios are exact, so that a crop of exactly a tenth of its image passes.
    """

    min_area: int
    min_share: Fraction
    min_ratio: Fraction
    max_ratio: Fraction

    @classmethod
    def of(cls, settings: Crop) -> Self:
        """Return the rule in the section ``crop`` of the parameters."""
        shares = (Fraction(str(bound)) for bound in (settings.min_share, settings.min_ratio, settings.max_ratio))
        return cls(settings.min_area, *shares)

    def faults(self, width: Any, height: Any, image_width: Any, image_height: Any) -> dict[str, Any]:
        """Return each fault's code with whether the crop has it, the most severe first.

        Works on whole numbers, and also on DuckDB's expressions, so that millions of regions and single subgraphs follow one
        rule.
        """
        area, image = width * height, image_width * image_height
        return {
            "crop_area": area < self.min_area,
            "crop_share": area * self.min_share.denominator < image * self.min_share.numerator,
            "crop_narrow": width * self.min_ratio.denominator < height * self.min_ratio.numerator,
            "crop_wide": width * self.max_ratio.denominator > height * self.max_ratio.numerator,
        }

    def fault(self, box: Box, image_width: int, image_height: int) -> str | None:
        """Return the code of the most severe fault of a crop; ``None`` without any."""
        faults = self.faults(box.width, box.height, image_width, image_height)
        return next((code for code, present in faults.items() if present), None)
