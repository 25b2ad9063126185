"""Errors for people: what is wrong, in which row of which file, and the remedy."""

import errno
import os
import resource
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path


class CrepeError(Exception):
    """An error that stops a stage before any output, for a reason that its user can fix."""


class InputError(CrepeError):
    """A file that cannot be used.

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
    """An optional dependency that the parameters require and that is not installed."""

    def __init__(self, package: str, needed_for: str):
        super().__init__(f"{needed_for} needs the package {package}. Remedy: pip install {package}.")


AGAIN = "run dvc repro, which makes it again"
"""The remedy for a file that a stage wrote, and that is missing, damaged or of another version."""

OF_THE_MACHINE = {
    errno.ENOSPC: "free disk space, and run the same command again",
    errno.EDQUOT: "free disk space of your quota, and run the same command again",
    errno.EROFS: "write to another place, or mount this one for writing",
    errno.EACCES: "allow this user to read and write there",
    errno.EPERM: "allow this user to read and write there",
    errno.EIO: "check the disk, which could not be read or written",
    errno.ENAMETOOLONG: "name a shorter path",
    errno.ESTALE: "run the same command again: the server of this disk has lost the file",
    errno.EXDEV: "keep the folder on one disk: what is written there cannot be moved into place",
    errno.EBUSY: "end what holds the file open, and run the same command again",
    errno.ENOTEMPTY: "run the same command again: another program wrote into a folder that is to be removed",
    errno.EFBIG: "lift the limit on a file's size (ulimit -f unlimited), or write to another disk",
    errno.ENOTCONN: "mount the disk again, and run the same command again",
    errno.ETIMEDOUT: "run the same command again when the disk answers",
    errno.ENFILE: "end other programs, or raise the machine's limit on open files",
    errno.EMFILE: "allow more open files (ulimit -n), or lower run.workers in params.yaml",
}
"""Faults of the machine and not of the program, with their remedies."""

INTERRUPTED = "interrupted: nothing half written was kept; run the same command to continue"
NO_PACKAGE = "error: {1} has no package {0}. Remedy: use the project's environment, which make sets up: source .venv/bin/activate."
CLOSED_PIPE = 128 + 13
"""The shell's exit status of a program whose reader has ended, as with ``head``."""


def message_of(error: BaseException) -> str | None:
    """Return the message for ``error``, in one line; ``None`` for an error in the program itself."""
    if isinstance(error, CrepeError):
        return str(error)
    if isinstance(error, MemoryError):
        what = f" ({said})" if (said := one_line(error, None)) else ""
        return f"out of memory{what}. Remedy: {more_memory('lower run.workers or run.memory in params.yaml')}."
    if isinstance(error, OSError) and error.errno in OF_THE_MACHINE:
        return f"{one_line(error, None)}. Remedy: {OF_THE_MACHINE[error.errno]}."
    return None


def more_memory(remedy: str) -> str:
    """Return the ``remedy`` for a lack of memory or, where the address space is limited, the one for that."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return remedy
    return f"lift the limit of {limit >> 20:,} MiB on the address space (ulimit -v unlimited)"


def run(main: Callable[[], None]) -> None:
    """Run a stage's ``main``, and end with one line on any error.

    A bug in the program leaves its traceback in a file that the line names. The exit status is 1 for an error, 130 for an
    interruption, and 141 where the program that reads the output has ended, as shells expect.
    """
    from stages.contract.inputs import check  # which knows these errors

    try:
        main()
        check()
        if sys.stdout:  # ``None`` if closed
            sys.stdout.flush()
    except KeyboardInterrupt:
        print(INTERRUPTED, file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python prints the rest when it ends
        sys.exit(CLOSED_PIPE)
    except Exception as error:
        sys.exit(f"error: {message_of(error) or _fault(error)}")


def _fault(error: Exception) -> str:
    """Return one line about a bug in the program: what, where, and the file with its traceback."""
    trace = "".join(traceback.format_exception(error))
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if "stages" in Path(frame.filename).parts]
    where = f"{Path(ours[-1].filename).name}, line {ours[-1].lineno}" if ours else "the program"
    what = f"{type(error).__name__} in {where} ({one_line(error, None)[-300:]})"
    try:
        with tempfile.NamedTemporaryFile("w", prefix="crepe-", suffix=".log", delete=False, encoding="utf-8") as log:
            log.write(f"{' '.join(sys.argv)}\n{trace}")
    except OSError:
        return (
            f"{what}, which should not happen. Remedy: free space in {tempfile.gettempdir()}, where its traceback is to be written."
        )
    return f"{what}, which should not happen. Remedy: send its traceback, {log.name}, to the project's authors."


def one_line(said: object, most: int | None = 200) -> str:
    """Return the message of an error, or of another program, on one line of at most ``most`` letters."""
    return " ".join(str(said).split())[:most]
