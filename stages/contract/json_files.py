"""Readers of JSON files: every error names the file, the line and the remedy."""

import json
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from stages.contract.errors import InputError, one_line


def read_json(path: Path, remedy: str) -> Any:
    """Return the content of the file at ``path``; an InputError with the ``remedy`` if it cannot be read, or is not JSON."""
    return parse_json(_read(path, remedy), path, remedy)


def read_json_lines(path: Path, remedy: str) -> list[Any]:
    """Return the content of each non-blank line of the file at ``path``; errors are those of :func:`read_json`, with the line."""
    lines = enumerate(_read(path, remedy).splitlines(), start=1)
    return [parse_json(line, path, remedy, row) for row, line in lines if line.strip()]


def _read(path: Path, remedy: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(path, "there is no such file", remedy) from None
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror})", "allow this user to read it, or check the disk") from None


def parse_json(data: str | bytes, path: str | Path, remedy: str, row: int | None = None) -> Any:
    """Return the content of ``data``, which was read from ``path``; errors are those of :func:`read_json`."""
    try:
        return json.loads(data, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        wrong = "nested too deep" if isinstance(error, RecursionError) else one_line(error)
        raise InputError(path, f"is not JSON ({wrong})", remedy, row) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object without repeated keys: Python would silently keep the last value."""
    found = dict(pairs)
    if len(found) < len(pairs):
        repeated = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise ValueError(f"an object has the key {repeated[:80]!r} twice")
    return found


def whole_of(value: Any, field: str, bits: int = 64) -> int:
    """Return a whole number of at most so many bits, also from text, or with a point as pandas writes it; else a ValueError."""
    try:
        number = Decimal(str(value))
        if not isinstance(value, bool) and number.is_finite() and abs(number) < 2 ** (bits - 1) and number == int(number):
            return int(number)
    except InvalidOperation:
        pass
    raise ValueError(f"{field} is {str(value)[:80]!r}, not a whole number of at most {bits} bits")


LARGEST_SIDE = 10_000_000
"""Pixels: no picture has more in a row."""


def pixels(value: Any, field: str) -> int:
    """Return a side of a box, in pixels, rounded to a whole number; a ValueError where the ``field`` holds something else."""
    with suppress(TypeError, ValueError, OverflowError):
        if abs(number := round(float(value))) <= LARGEST_SIDE:
            return number
    raise ValueError(f"{field} is {str(value)[:80]!r}, not a number of pixels")


def text_of(value: Any) -> str:
    """Return a value that must be a text; else a TypeError, so that no model is given "None"."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value
