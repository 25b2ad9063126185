"""What each stage depends on: its file and the packages that it reaches, which DVC hashes as a whole.

``python -m tests.dependencies`` prints the table of ``stages/README.md``, and writes it there.
"""

import re

from tests.test_pipeline import ROOT, STAGES, packages_of

PAGE = ROOT / "stages" / "README.md"
HEAD = "| stage | lines of Python | packages |\n|---|---|---|\n"
ROW = re.compile(r"^\| `(\w+)` \| ([\d,]+) \| (.*) \|$", re.MULTILINE)


def lines(stage: str) -> int:
    """Lines of Python that the stage depends on."""
    files = [
        ROOT / "stages" / f"{stage}.py",
        *(file for package in packages_of(f"{stage}.py") for file in (ROOT / "stages" / package).rglob("*.py")),
    ]
    return sum(file.read_text(encoding="utf-8").count("\n") for file in files)


def table() -> str:
    rows = sorted((lines(stage), stage, ", ".join(sorted(packages_of(f"{stage}.py")))) for stage in STAGES)
    return HEAD + "".join(f"| `{stage}` | {n:,} | {packages} |\n" for n, stage, packages in rows)


if __name__ == "__main__":
    start, end = "<!-- lines -->\n", "<!-- end of lines -->"
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(page[: page.index(start) + len(start)] + table() + page[page.index(end) :], encoding="utf-8")
    print(table(), end="")
