"""The errors that a person is meant to read: what is wrong, in which row of which file, and the remedy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path


class CrepeError(Exception):
    """Anything that stops a stage before any output, for a reason that its user can mend."""


class InputError(CrepeError):
    """A file that cannot be used as it is.

    >>> str(InputError("a.tsv", "has no column 'caption'", "name one of: url, title", row=1))
    "a.tsv, row 1: has no column 'caption'. Remedy: name one of: url, title."
    """

    def __init__(self, path: str | Path, wrong: str, remedy: str, row: int | str | None = None):
        where = str(path) if row is None else f"{path}, row {row}"
        super().__init__(f"{where}: {wrong.rstrip('.')}. Remedy: {remedy.rstrip('.')}.")


class ParameterError(CrepeError):
    """A value in ``params.yaml`` that is missing, of the wrong kind, or out of range."""

    def __init__(self, key: str, wrong: str, remedy: str):
        super().__init__(f"params.yaml, {key}: {wrong.rstrip('.')}. Remedy: {remedy.rstrip('.')}.")


class MissingPackage(CrepeError):
    """An optional dependency that the parameters ask for and that is not installed."""

    def __init__(self, package: str, needed_for: str):
        super().__init__(f"{needed_for} needs the package {package}. Remedy: pip install {package}.")


def run(main: Callable[[], None]) -> None:
    """Run a stage's ``main``: a :class:`CrepeError` or Ctrl-C ends it with one clear line and no traceback.

    The exit status is 1 for an error and 130 for an interruption, as shells expect.
    """
    try:
        main()
    except CrepeError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        print("interrupted: nothing half written was kept; run the same command to go on", file=sys.stderr)
        sys.exit(130)
