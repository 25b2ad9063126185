"""Tables of figures: the report's page shows them as they are; as text they are Markdown for a page, or LaTeX for a paper."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from stages.page.figure import Difference, Figure

LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        "±": r"$\pm$",
        "−": "$-$",
        "–": "--",
        "²": "$^2$",
    }
)

Cell = Figure | Difference | str | int | float | None


@dataclass(frozen=True)
class Table:
    """Rows of cells under a head; ``None`` is shown as a dash.

    On the page the first cell names the row, and a ``folded`` table is closed at first. As text the first ``names`` columns are
    names, all others are figures; a head may be ``(group, column)``, and equal adjacent groups become one head.
    """

    caption: str
    head: Sequence[str | tuple[str, str]]
    rows: Sequence[Sequence[Cell]]
    folded: bool = False
    names: int = 2

    @property
    def words(self) -> set[int]:
        """Return the columns of words, which are left-aligned; columns of figures, even as text, are right-aligned."""
        return {
            i
            for i, column in enumerate(zip(*self.rows, strict=True))
            if all(isinstance(cell, str) and not any(sign.isdigit() for sign in cell) and len(cell) > 1 for cell in column)
        }

    @property
    def heads(self) -> list[tuple[str, str]]:
        """Return group and column of each head; the group of a head without one is empty."""
        return [head if isinstance(head, tuple) else ("", head) for head in self.head]

    @property
    def lines(self) -> list[list[str]]:
        """Return the rows as text."""
        return [list(map(_text, row)) for row in self.rows]


def _text(cell: Cell) -> str:
    """Return a cell as text: a figure with half its 95 % interval, or with the whole one where its halves differ."""
    if isinstance(cell, Figure):
        interval = cell.interval if cell.interval.startswith("±") else cell.interval and f"({cell.interval})"
        return f"{cell.value:.2f} {interval}".replace("±", "± ").strip()
    if isinstance(cell, float):
        return f"{cell:.2f}"
    return "–" if cell is None else cell.text if isinstance(cell, Difference) else f"{cell:,}" if isinstance(cell, int) else cell


def markdown(table: Table) -> str:
    """Return the table in GitHub's Markdown, its caption in front."""
    heads = [f"{group} {column}".strip() for group, column in table.heads]
    lines = [heads, ["---" if i < table.names else "---:" for i in range(len(heads))], *table.lines]
    return "\n".join([f"**{_plain(table.caption)}**\n", *(f"| {' | '.join(map(_plain, line))} |" for line in lines), ""])


def latex(table: Table) -> str:
    """Return the table for LaTeX with the package booktabs."""
    spans, at = [], 1
    for group, columns in groupby(table.heads, key=lambda head: head[0]):
        spans.append((group, at, width := len(list(columns))))
        at += width
    lines = [
        r"\begin{table}[t]",
        r"\centering\small",
        rf"\caption{{{escape(table.caption)}}}",
        rf"\begin{{tabular}}{{{'l' * table.names}{'r' * (len(table.head) - table.names)}}}",
        r"\toprule",
    ]
    if any(group for group, _, _ in spans):
        cells = [rf"\multicolumn{{{width}}}{{c}}{{{escape(group)}}}" if group else "&" * (width - 1) for group, _, width in spans]
        lines.append(" & ".join(cells) + r" \\")
        lines.append(" ".join(rf"\cmidrule(lr){{{start}-{start + width - 1}}}" for group, start, width in spans if group))
    lines.append(" & ".join(escape(column) for _, column in table.heads) + r" \\")
    lines += [r"\midrule", *(" & ".join(escape(cell) for cell in row) + r" \\" for row in table.lines)]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}", ""])


def escape(text: str) -> str:
    """Return ``text`` escaped for LaTeX."""
    return text.translate(LATEX)


def _plain(text: str) -> str:
    """Return ``text`` on one line, with nothing in it that Markdown takes for markup, a column's end or HTML."""
    return html.escape(re.sub(r"([\\|`*\[\]])", r"\\\1", " ".join(text.split())), quote=False)
