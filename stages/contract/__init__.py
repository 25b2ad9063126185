"""Common parts of all stages: tables, ledgers, parameters, errors, and outputs that are complete or absent.

Importing it first makes Ctrl-C, or a missing package, end a stage with one line while other packages are still imported, and
makes stages independent of the terminal's encoding and of ``MPLBACKEND``.
"""

import codecs
import io
import os
import sys
from types import TracebackType

from stages.contract.errors import INTERRUPTED, NO_PACKAGE


def _ended(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        print(INTERRUPTED, file=sys.stderr)
    elif isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith("stages"):
        print(NO_PACKAGE.format(error.name.partition(".")[0], sys.executable), file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


PLAIN = {"–": "-", "−": "-", "±": "+/-", "²": "2", "“": '"', "”": '"', "’": "'", "→": "->"}
"""What stands for letters that the terminal's encoding lacks."""


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(PLAIN.get(letter) or letter.encode("ascii", "backslashreplace").decode() for letter in letters), error.end


sys.excepthook = _ended
codecs.register_error("plain", _plain)
if isinstance(sys.stdout, io.TextIOWrapper):
    sys.stdout.reconfigure(errors="plain")
# Nothing opens a window, and Matplotlib is not imported with the name of a window system that it does not know.
os.environ.pop("MPLBACKEND", None)
