"""What each stage hangs on: its file and the rooms that it reaches, which DVC hashes as a whole.

``python -m tests.dependencies`` prints the table of ``stages/README.md``, and writes it there anew.
"""

import re

from tests.test_pipeline import ROOT, STAGES, rooms_of

PAGE = ROOT / "stages" / "README.md"
HEAD = "| stage | lines of Python | rooms |\n|---|---|---|\n"
ROW = re.compile(r"^\| `(\w+)` \| ([\d,]+) \| (.*) \|$", re.MULTILINE)


def lines(stage: str) -> int:
    """Lines of Python in what the stage hangs on."""
    files = [
        ROOT / "stages" / f"{stage}.py",
        *(file for room in rooms_of(f"{stage}.py") for file in (ROOT / "stages" / room).rglob("*.py")),
    ]
    return sum(file.read_text(encoding="utf-8").count("\n") for file in files)


def table() -> str:
    rows = sorted((lines(stage), stage, ", ".join(sorted(rooms_of(f"{stage}.py")))) for stage in STAGES)
    return HEAD + "".join(f"| `{stage}` | {n:,} | {rooms} |\n" for n, stage, rooms in rows)


if __name__ == "__main__":
    start, end = "<!-- lines -->\n", "<!-- end of lines -->"
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(page[: page.index(start) + len(start)] + table() + page[page.index(end) :], encoding="utf-8")
    print(table(), end="")
