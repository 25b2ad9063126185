"""The parts of the report's page, and the page made of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stages.page.drawings import Drawing
from stages.page.figure import Difference, Figure
from stages.page.gallery import Gallery
from stages.page.html import render
from stages.retrieval.figures import FEW, WIDE

Cell = Figure | Difference | str | int | None


@dataclass(frozen=True)
class Finding:
    """What the model can (``good``) or cannot (``bad``) do, or something to know (``plain``), with numbers.

    ``examples`` is what the gallery is set to by the finding's link, such as ``type=HN-Swap&answer=wrong``.
    """

    tone: str
    headline: str
    sentence: str
    examples: str = ""


@dataclass(frozen=True)
class Table:
    """Rows of cells under a head; the first of each row names it. A ``folded`` one is opened by its reader."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    folded: bool = False

    @property
    def words(self) -> set[int]:
        """The columns that hold words, which are set to the left; figures, also where they are text, are set to the right."""
        return {
            i
            for i, column in enumerate(zip(*self.rows, strict=True))
            if all(isinstance(cell, str) and not any(sign.isdigit() for sign in cell) and len(cell) > 1 for cell in column)
        }


@dataclass(frozen=True)
class Section:
    """A part of the page with its drawings and tables. ``id`` is its place in the address."""

    id: str
    heading: str
    lead: str
    tables: Sequence[Table] = ()
    drawings: Sequence[Drawing] = ()


FILTERS = {"suite": "Aspect", "type": "Negatives", "split": "Split", "n": "Complexity", "answer": "Model's answer"}

SPREAD = (
    "A model that is trained anew on another processor comes out up to {} points higher or lower: the findings take no smaller "
    "difference for the model's."
)

NOTES = (
    "Recall@1 (R@1) is the share of queries for which the truth scores above all its negatives. "
    "Where captions tie, every order of them counts as equally likely.",
    "Figures are micro averages, every query counting once, but for those that are called macro.",
    "± is half the 95 % interval, and so is the dark part of a bar; its tick is chance, the number beside it the queries, or the "
    "cases or negatives where these are judged. Intervals allow for queries of one image standing or falling together.",
    "Figures in red lie below chance with their whole interval.",
    f"Figures in grey have fewer than {FEW} queries, queries of one image only, or an interval wider than {WIDE:.0f} points: "
    "nothing is concluded from them.",
    "The gallery's shares are of a sample drawn evenly over splits and complexities, and differ from the tables'.",
)


def page(gallery: Gallery, **said: Any) -> str:
    """The report as one HTML page that needs no other file; ``said`` is what its template asks for beside the gallery."""
    filters = [
        {"name": column, "label": label, "options": options}
        for column, label in FILTERS.items()
        if len(options := gallery.options(column)) > 1
    ]
    return render("report", **said, filters=filters, queries=gallery.queries, chunks=gallery.chunks)
