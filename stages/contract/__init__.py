"""What every stage agrees on: tables, ledgers, parameters, errors, and outputs that are whole or absent.

While a stage still imports its packages, which can take seconds, Ctrl-C ends with one line too, and so does a lack of one.
"""

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
