"""The catalogue of bad input: each fault that readers can meet, and its result. It drives the tests and a page for people.

``python -m tests.catalogue`` writes the page, and tests compare it with its tables. ``trust.tsv`` lists problems that people met
with their own files.
"""

import csv
from pathlib import Path

from tests.bad_input import bought, captions, made_here, pictures, visual_genome
from tests.bad_input.form import Becomes, Dropped, Gets, Reader, Rows

PAGE = Path(__file__).with_name("CATALOGUE.md")
TRUST = Path(__file__).with_name("trust.tsv")
READERS: list[Reader] = [
    *visual_genome.READERS,
    *captions.READERS,
    *pictures.READERS,
    *made_here.READERS,
    *bought.READERS,
]


def told(gets: Gets) -> str:
    """Return in words what happens to an input."""
    if isinstance(gets, Dropped):
        return f"dropped: `{gets.code}`"
    if isinstance(gets, Becomes):
        return f"read: {gets.text}"
    if isinstance(gets, Rows):
        dropped = [f"row {n} dropped: `{code}`" for n, code in enumerate(gets.codes, 1) if code]
        return ", ".join([*dropped, f"{gets.codes.count(None)} read"])
    return f"stops: “{gets.says}”"


def page() -> str:
    """Return the catalogue as Markdown."""
    cases = [case for reader in READERS for case in reader.cases]
    lines = [
        "# Bad input, and what it gets",
        "",
        f"{len(cases)} cases. A row is *dropped* with a reason and counted, or *read* as what it says; a file *stops* its stage",
        "before any output, with one line that names the file (and the row), says what is wrong, and names a remedy. The last",
        "column names the real files in which a fault was seen. This page is written by `python -m tests.catalogue` from the",
        "table that drives the tests.",
    ]
    for reader in READERS:
        lines += ["", f"## {reader.name}", "", "| what is wrong | what it gets | seen in |", "|---|---|---|"]
        lines += [f"| {_cell(case.what)} | {_cell(told(case.gets))} | {case.seen} |" for case in reader.cases]
    lines += ["", "# What people met with files of their own", ""]
    lines += ["No input is lost silently, and nothing is recorded wrongly. The last column names the test, or a case above."]
    groups = list(dict.fromkeys(row["group"] for row in trust()))
    for group in groups:
        rows = [row for row in trust() if row["group"] == group]
        lines += ["", f"## {group}", "", "| id | what was met | what it gets | test |", "|---|---|---|---|"]
        lines += ["| " + " | ".join(row[key] for key in ("id", "what was met", "what it gets", "tests")) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def trust() -> list[dict[str, str]]:
    """Return the rows of ``trust.tsv``: group, id, what was met, what it gets, and the tests that check it."""
    with TRUST.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
