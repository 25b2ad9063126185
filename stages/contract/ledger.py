"""A ledger a stage: rows in = rows kept + rows dropped, by reason."""

from collections import Counter
from pathlib import Path
from typing import Any

from stages.contract.errors import InputError, one_line
from stages.contract.files import write_json


class Ledger:
    """Counts a stage's rows.

    A row is counted once, by :meth:`keep` or by :meth:`drop`; :meth:`read` counts it coming in. :meth:`write` refuses a
    ledger that does not add up, because no later stage can detect a silent loss.
    """

    def __init__(self, unit: str, most_dropped: float | None = None):
        self.unit = unit
        self.most_dropped = most_dropped
        self.rows_in = 0
        self.kept = 0
        self.dropped: Counter[str] = Counter()
        self.examples: dict[str, str] = {}

    def read(self, n: int = 1) -> None:
        self.rows_in += n

    def keep(self, n: int = 1) -> None:
        self.kept += n

    def drop(self, reason: str, n: int = 1, example: str = "") -> None:
        """Drop ``n`` rows; the first non-empty ``example`` of a reason is kept for messages."""
        self.dropped[reason] += n
        if example and not self.examples.get(reason):
            self.examples[reason] = one_line(example, 100)

    def stop_if_nothing(self, path: str | Path, looked_for: str, remedy: str, part: str = "", kept: int | None = None) -> None:
        """Raise an InputError where something was dropped and nothing kept: in a file of another format every row is dropped.

        Args:
            looked_for: the fields without which a row is useless.
            part: the prefix of the reasons for dropping rows of one kind, of which ``kept`` were kept.
        """
        lost = {reason: n for reason, n in self.dropped.items() if reason.startswith(part)}
        if lost and not (self.kept if kept is None else kept):
            wrong = f"nothing in it is usable: {self.reasons(part)}{self.first_example(part)}; looked for {looked_for}"
            raise InputError(path, wrong, remedy)

    def reasons(self, part: str = "") -> str:
        """Return the number of dropped rows for each reason with the prefix ``part``, the most common first."""
        lost = sorted((-n, reason) for reason, n in self.dropped.items() if reason.startswith(part))
        return ", ".join(f"{-n:,} {reason}" for n, reason in lost)

    def first_example(self, part: str = "") -> str:
        """Return the first dropped row of the most common reason with an example."""
        known = [(-n, reason) for reason, n in self.dropped.items() if reason.startswith(part) and self.examples.get(reason)]
        return f", the first {self.examples[min(known)[1]]}" if known else ""

    def write(self, path: str | Path, **figures: Any) -> None:
        """Write ``{unit, in, kept, dropped: {reason: n}}`` and any further ``figures`` of the stage.

        Raises:
            ValueError: the rows kept and dropped are not the rows that came in.
        """
        if self.rows_in != self.kept + self.dropped.total():
            raise ValueError(f"{path}: {self.rows_in} {self.unit} in, but {self.kept} kept and {self.dropped.total()} dropped")
        write_json(path, {"unit": self.unit, "in": self.rows_in, "kept": self.kept, "dropped": dict(self.dropped), **figures})

    def __str__(self) -> str:
        line = f"{self.rows_in:,} {self.unit} in, {self.kept:,} kept" + (f"; dropped: {self.reasons()}" if self.dropped else "")
        most = self.rows_in if self.most_dropped is None else self.most_dropped * self.rows_in
        many = sorted((-n, reason) for reason, n in self.dropped.items() if n > most)
        if not many:
            return line
        shares = ", ".join(f"{reason} ({-n / self.rows_in:.0%})" for n, reason in many)
        return f"{line}; more than {self.most_dropped:.0%} for one reason: {shares}"
