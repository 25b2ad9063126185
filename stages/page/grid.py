"""Tables as text: Markdown for a page, LaTeX for a paper."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "±": r"$\pm$",
    "−": "$-$",
    "–": "--",
    "²": "$^2$",
}

Line = list[str | None]
"""Cells; ``None`` is shown as a dash."""


@dataclass(frozen=True)
class Grid:
    """Rows of text under two header lines: ``head`` has ``(group, column)``, and equal adjacent groups become one head.

    The first ``names`` columns are names, all others are figures.
    """

    caption: str
    head: Sequence[tuple[str, str]]
    rows: Sequence[Sequence[str | None]]
    names: int = 2

    @property
    def lines(self) -> list[list[str]]:
        """Return the rows as they are shown."""
        return [["–" if text is None else text for text in row] for row in self.rows]


def plain(*columns: str) -> list[tuple[str, str]]:
    """Return the heads of columns without groups."""
    return [("", column) for column in columns]


def markdown(grid: Grid) -> str:
    """Return the table in GitHub's Markdown, its caption in front."""
    heads = [f"{group} {column}".strip() for group, column in grid.head]
    lines = [heads, ["---" if i < grid.names else "---:" for i in range(len(heads))], *grid.lines]
    return "\n".join([f"**{_text(grid.caption)}**\n", *(f"| {' | '.join(map(_text, line))} |" for line in lines), ""])


def latex(grid: Grid) -> str:
    """Return the table for LaTeX with the package booktabs."""
    spans, at = [], 1
    for group, columns in groupby(grid.head, key=lambda head: head[0]):
        spans.append((group, at, width := len(list(columns))))
        at += width
    lines = [
        r"\begin{table}[t]",
        r"\centering\small",
        rf"\caption{{{escape(grid.caption)}}}",
        rf"\begin{{tabular}}{{{'l' * grid.names}{'r' * (len(grid.head) - grid.names)}}}",
        r"\toprule",
    ]
    if any(group for group, _, _ in spans):
        cells = [rf"\multicolumn{{{width}}}{{c}}{{{escape(group)}}}" if group else "&" * (width - 1) for group, _, width in spans]
        lines.append(" & ".join(cells) + r" \\")
        lines.append(" ".join(rf"\cmidrule(lr){{{start}-{start + width - 1}}}" for group, start, width in spans if group))
    lines.append(" & ".join(escape(column) for _, column in grid.head) + r" \\")
    lines += [r"\midrule", *(" & ".join(escape(cell) for cell in row) + r" \\" for row in grid.lines)]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}", ""])


def escape(text: str) -> str:
    """Return ``text`` escaped for LaTeX."""
    return "".join(LATEX.get(sign, sign) for sign in text)


def _text(text: str) -> str:
    """Return ``text`` on one line, with nothing in it that Markdown takes for markup, a column's end or HTML."""
    return html.escape(re.sub(r"([\\|`*\[\]])", r"\\\1", " ".join(text.split())), quote=False)
