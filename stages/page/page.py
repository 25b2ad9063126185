"""The parts of the report's page, and the complete page."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stages.evaluation.figures import FEW, WIDE
from stages.page.drawings import Drawing
from stages.page.gallery import COLUMNS, Gallery
from stages.page.html import render
from stages.page.table import Table


@dataclass(frozen=True)
class Section:
    """A part of the page with its drawings and tables. ``id`` is its place in the address; tables without rows are left out."""

    id: str
    heading: str
    lead: str
    tables: Sequence[Table] = ()
    drawings: Sequence[Drawing] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", [table for table in self.tables if table.rows])


FILTERS = {
    "protocol": "Sets",
    "suite": "Aspect",
    "type": "Negatives",
    "split": "Split",
    "n": "Complexity",
    "answer": "Model's answer",
}

SPREAD = (
    "A model trained again on another processor may be up to {} points better or worse: smaller differences are not attributed "
    "to the model."
)

NOTES = (
    "R@1 is the share of queries for which the truth scores above all its negatives. "
    "Where captions tie, every order of them counts as equally likely.",
    "Figures are micro averages (every query counts once), except where they are called macro.",
    "± is half the 95 % interval, clustered by image. The dark part of a bar is the interval and its tick is chance; the number "
    "next to it counts queries, cases or negatives.",
    "Figures in red are below chance with their whole interval.",
    f"Figures in grey have fewer than {FEW} queries, queries of one image only, or an interval wider than {WIDE:.0f} points: "
    "nothing is concluded from them.",
    "The gallery's fractions are for a sample drawn evenly over splits and complexities, and differ from the tables'.",
)


def examples(gallery: Gallery, protocol: str, number: int) -> list[dict[str, Any]]:
    """Return ``number`` queries of a protocol with pictures, alternately right and wrong, and of as many types as there are.

    ``other`` is the best negative: the model's choice where it is wrong.
    """
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in gallery.rows]
    shown = [row for row in rows if row["protocol"] == protocol and row["answer"] != "tie" and gallery.crop(row["crop"])]
    found: list[dict[str, Any]] = []
    taken: Counter[str] = Counter()
    for i in range(number):
        right = not i % 2
        if left := [row for row in shown if row["answer"] == ("right" if right else "wrong")]:
            row = min(left, key=lambda row: taken[row["type"]])
            shown.remove(row)
            taken[row["type"]] += 1
            (truth, *negatives), (_, *scores) = row["captions"], row["scores"]
            picture = f"data:image/jpeg;base64,{gallery.crop(row['crop'])}"
            other = negatives[scores.index(max(scores))]
            found.append({"type": row["type"], "right": right, "picture": picture, "truth": truth, "other": other})
    return sorted(found, key=lambda one: not one["right"])


def page(gallery: Gallery, **said: Any) -> str:
    """Return the report as one HTML page that needs no other file; ``said`` has the template's other values."""
    filters = [
        {"name": column, "label": label, "options": options}
        for column, label in FILTERS.items()
        if len(options := gallery.options(column)) > 1
    ]
    return render("report", **said, filters=filters, queries=gallery.queries, chunks=gallery.chunks)
