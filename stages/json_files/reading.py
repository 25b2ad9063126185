"""Files of JSON, and what stands in them: whatever is wrong with one is an error that names the file, the line and the remedy."""

import json
from pathlib import Path
from typing import Any

from stages.contract.errors import InputError, one_line


def read_json(path: Path, remedy: str) -> Any:
    """What the file at ``path`` says.

    Raises:
        InputError: it is missing, cannot be read, or is no JSON; with the ``remedy``.
    """
    return parse_json(_read(path, remedy), path, remedy)


def read_json_lines(path: Path, remedy: str) -> list[Any]:
    """What each line of the file at ``path`` says that is not blank; errors are those of :func:`read_json`, with the line."""
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
    """What ``data``, which stands at ``path``, says.

    Raises:
        InputError: it is no JSON; with the ``remedy``.
    """
    try:
        return json.loads(data, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        wrong = "nested too deep" if isinstance(error, RecursionError) else one_line(error)
        raise InputError(path, f"is no JSON ({wrong})", remedy, row) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object each of whose keys is there once: of a repeated one Python would keep the last value without a word."""
    found = dict(pairs)
    if len(found) < len(pairs):
        repeated = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise ValueError(f"an object has the key {repeated[:80]!r} twice")
    return found


def text_of(value: Any) -> str:
    """A value that must be a text: ``null`` and a number are none, and no model is asked about "None".

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(value, str):
        raise TypeError(f"{value!r} stands where a text should")
    return value
