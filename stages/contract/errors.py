"""The errors that a person is meant to read: what is wrong, in which row of which file, and the remedy."""

from __future__ import annotations

import errno
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


OF_THE_MACHINE = {
    errno.ENOSPC: "free disk space, and run the same command again",
    errno.EDQUOT: "free disk space of your quota, and run the same command again",
    errno.EROFS: "write to another place, or mount this one for writing",
    errno.EACCES: "allow this user to read and write there",
    errno.EPERM: "allow this user to read and write there",
    errno.EMFILE: "allow more open files (ulimit -n), or lower run.workers in params.yaml",
}
"""Faults that are the machine's and not the program's, with their remedies."""

INTERRUPTED = "interrupted: nothing half written was kept; run the same command to go on"


def run(main: Callable[[], None]) -> None:
    """Run a stage's ``main``: a :class:`CrepeError`, a fault of the machine, or Ctrl-C ends it with one line and no traceback.

    The exit status is 1 for an error and 130 for an interruption, as shells expect.
    """
    try:
        main()
    except CrepeError as error:
        sys.exit(f"error: {error}")
    except OSError as error:
        if error.errno not in OF_THE_MACHINE:
            raise
        sys.exit(f"error: {' '.join(str(error).split())}. Remedy: {OF_THE_MACHINE[error.errno]}.")
    except MemoryError as error:
        sys.exit(f"error: out of memory ({error}). Remedy: lower run.workers or run.memory in params.yaml.")
    except KeyboardInterrupt:
        print(INTERRUPTED, file=sys.stderr)
        sys.exit(130)
