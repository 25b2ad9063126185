"""What every stage agrees on: tables, ledgers, parameters, errors, and outputs that are whole or absent.

Ctrl-C ends with one line also while a stage still imports its packages, which can take seconds.
"""

import sys
from types import TracebackType

from stages.contract.errors import INTERRUPTED


def _ended(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        print(INTERRUPTED, file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _ended
