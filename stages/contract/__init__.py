"""Common parts of all stages: tables, ledgers, parameters, errors, and outputs that are complete or absent.

Importing it first makes Ctrl-C, or a missing package, end a stage with one line while other packages are still imported, and
makes stages independent of the terminal's encoding and of ``MPLBACKEND``.
"""

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


sys.excepthook = _ended
if isinstance(sys.stdout, io.TextIOWrapper):
    sys.stdout.reconfigure(errors="backslashreplace")
# Nothing opens a window, and Matplotlib is not imported with the name of a window system that it does not know.
os.environ.pop("MPLBACKEND", None)
