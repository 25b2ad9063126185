"""A ledger a stage: rows in = rows kept + rows dropped, by reason."""

from collections import Counter
from pathlib import Path
from typing import Any

from stages.contract.files import write_json


class Ledger:
    """Counts what a stage does with its rows.

    A row is counted once, by :meth:`keep` or by :meth:`drop`; :meth:`read` counts it coming in. :meth:`write` refuses a
    ledger that does not add up, because a silent loss is the one fault that no later stage can see.
    """

    def __init__(self, unit: str):
        self.unit = unit
        self.rows_in = 0
        self.kept = 0
        self.dropped: Counter[str] = Counter()

    def read(self, n: int = 1) -> None:
        self.rows_in += n

    def keep(self, n: int = 1) -> None:
        self.kept += n

    def drop(self, reason: str, n: int = 1) -> None:
        self.dropped[reason] += n

    def write(self, path: str | Path, **figures: Any) -> None:
        """Write ``{unit, in, kept, dropped: {reason: n}}`` and any further ``figures`` of the stage.

        Raises:
            ValueError: the rows kept and dropped are not the rows that came in.
        """
        if self.rows_in != self.kept + self.dropped.total():
            raise ValueError(f"{path}: {self.rows_in} {self.unit} in, but {self.kept} kept and {self.dropped.total()} dropped")
        write_json(path, {"unit": self.unit, "in": self.rows_in, "kept": self.kept, "dropped": dict(self.dropped), **figures})

    def __str__(self) -> str:
        reasons = ", ".join(f"{n:,} {reason}" for reason, n in sorted(self.dropped.items(), key=lambda item: (-item[1], item[0])))
        return f"{self.rows_in:,} {self.unit} in, {self.kept:,} kept" + (f"; dropped: {reasons}" if reasons else "")
