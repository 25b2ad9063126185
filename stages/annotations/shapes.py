"""The formats of boxes, names, attributes and relations in annotation files, and checks that a file has the expected one."""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from stages.contract.errors import InputError
from stages.graphs.box import Box

Boxes = Literal["xywh", "xyxy", "relative_xywh", "relative_xyxy"]
"""The format of a box: left, upper edge, width and height, or two corners; in pixels, or as fractions of the image."""
MAX_ACCIDENTAL = 3
"""Number of wrong boxes that may be accidental."""
MAX_WRONG = 0.1
"""Maximum fraction of wrong boxes in a file; above it the file has another format."""
SLACK = 0.02
"""Tolerance for boxes beyond an image's edge, as a fraction of its side."""


class BoxCounts(NamedTuple):
    """Counts of a file's boxes: with numbers and an image, leaving it, fractions of it, and ending before they begin."""

    n: int
    leave: int
    shares: int
    turned: int

    def check(self, path: Path, boxes: str) -> None:
        """Stop where boxes do not have the format that ``visual_genome.boxes`` names.

        Raises:
            InputError: more than a tenth leave their images, are fractions of them, or end before they begin.
        """
        relative, corners = boxes.startswith("relative_"), boxes.endswith("xyxy")
        form = "relative_" * relative
        other = f"{form}xywh" if corners else f"{form}xyxy, if they are two corners"
        for wrong, found, remedy in (
            ("are shares of their images", 0 if relative else self.shares, "relative_xywh or relative_xyxy"),
            ("end before they begin", self.turned if corners else 0, f"{form}xywh"),
            ("leave their images", self.leave, f"{other}, or give image_data.json the sizes that the boxes are of"),
        ):
            if found > max(MAX_ACCIDENTAL - 1, MAX_WRONG * self.n):
                wrong = f"{found:,} of its {self.n:,} boxes {wrong}"
                raise InputError(path, wrong, f"set visual_genome.boxes in params.yaml to {remedy}")


def box_of(row: Mapping[str, Any], boxes: str, width: int | None, height: int | None, counts: Counter[str]) -> Box | None:
    """Return an object's box, in pixels; ``None`` where it has no four numbers. Those of an image with a size are counted.

    The numbers are in ``x, y, w, h``, or with ``width`` and ``height``, or in ``bbox``.
    """
    sides = [row.get("x"), row.get("y"), row.get("w", row.get("width")), row.get("h", row.get("height"))]
    box = row.get("bbox")
    given = [_number(value) for value in (box if isinstance(box, list) and len(box) == 4 else sides)]
    across, down = (width or 1, height or 1) if boxes.startswith("relative_") else (1, 1)
    x1, y1, c, d = (_pixels(value, factor) for value, factor in zip(given, (across, down) * 2, strict=True))
    if x1 is None or y1 is None or c is None or d is None:
        return None
    x2, y2 = (c, d) if boxes.endswith("xyxy") else (x1 + c, y1 + d)
    if width and height:
        leaves = x2 > width * (1 + SLACK) + 1 or y2 > height * (1 + SLACK) + 1
        shares = not leaves and all(0 <= (value or 0) <= 1 for value in given)
        counts.update({"n": 1, "leave": leaves, "shares": shares, "turned": x2 <= x1 or y2 <= y1})
    return Box(x1, y1, x2 - x1, y2 - y1)


def first_of(row: Mapping[str, Any], *keys: str) -> Any:
    """Return the value of the first of ``keys`` that the row has; ``None`` without any."""
    return next((row[key] for key in keys if row.get(key) is not None), None)


def id_of(row: Mapping[str, Any], role: str) -> Any:
    """Return the id of a relation's ``subject`` or ``object``: ``subject_id``, or the id inside ``subject``."""
    found = first_of(row, f"{role}_id", role)
    return first_of(found, "object_id", "id") if isinstance(found, Mapping) else found


def identity(value: Any) -> int | None:
    """Return a whole number of at most 18 digits, also from text or, as pandas writes it, with a point, like ``identity_of``."""
    if type(value) is int:  # as nearly always; not a bool
        return value if 0 <= value < 10**18 else None
    if isinstance(value, float):
        return int(value) if value.is_integer() and 0 <= value < 10**15 else None
    return int(value.partition(".")[0]) if isinstance(value, str) and re.fullmatch(r"[0-9]{1,18}([.]0+)?", value) else None


def _number(value: Any) -> float | None:
    """Return a number, also from text."""
    try:
        return None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _pixels(value: float | None, factor: int) -> int | None:
    """Return a number of pixels, rounded, like ``pixels``."""
    return round(value * factor) if value is not None and abs(value * factor) <= 10_000_000 else None


def check_ends(path: Path) -> None:
    """Check that a JSON array begins and ends with its brackets; DuckDB accepts one that is cut off between two records."""
    if not path.is_file():
        packings = (f"{path.name}.zip", f"{path.stem}.zip", f"{path.name}.gz")
        packed = next((name for name in packings if path.with_name(name).is_file()), "")
        remedy = f"unpack {packed}" if packed else "set visual_genome.annotations in params.yaml to Visual Genome's folder"
        raise InputError(path, "there is no such file", remedy)
    with path.open("rb") as file:
        head = file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
        file.seek(max(0, path.stat().st_size - 64))
        tail = file.read().rstrip()
    if not head:
        raise InputError(path, "is empty", "download or unpack it again")
    if head.startswith((b"PK\3\4", b"\x1f\x8b")):
        raise InputError(path, "is a compressed file, not a JSON list", "unpack it, and name its content")
    if not head.startswith(b"["):
        raise InputError(path, "is not a JSON list", f"give Visual Genome's own {path.name}, unpacked")
    if not tail.endswith(b"]"):
        raise InputError(path, "is cut short: its list has no end", "download or unpack it again")
