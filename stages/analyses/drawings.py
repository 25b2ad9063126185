"""Lines over steps, and a sheet of codes, as SVG files that repeat to the byte."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
from markupsafe import Markup
from matplotlib.figure import Figure as Canvas

from stages.page.drawings import COLOURS, STYLE
from stages.page.html import data_uri

SIDE, GAP, WORDS = 84, 6, 300
"""Of a picture on the sheet, between two, and for a code's words, in pixels."""

Line = tuple[Sequence[float], Sequence[float]]
"""x and y of its points."""


def lines(path: Path, series: Mapping[str, Line], xlabel: str, ylabel: str, marked: Sequence[float] = ()) -> None:
    """Draw each of ``series`` as a line, light to dark where there are many; upright lines stand at ``marked``."""
    with mpl.rc_context(STYLE):
        canvas = Canvas(figsize=(6.0, 3.4), layout="constrained")
        axes = canvas.add_subplot()
        axes.grid(axis="y")
        for place in marked:
            axes.axvline(place, color=COLOURS[1], linewidth=0.8, alpha=0.8)
        for i, (label, (x, y)) in enumerate(series.items()):
            few = len(series) <= len(COLOURS)
            colour = COLOURS[i] if few else mpl.colormaps["viridis"](1 - i / (len(series) - 1))
            axes.plot(x, y, color=colour, linewidth=1.3, marker="o" if len(x) < 30 else None, markersize=3.5, label=label)
        axes.set_xlabel(xlabel)
        axes.set_ylabel(ylabel)
        if len(series) > 1:
            axes.legend(ncols=2)
        canvas.savefig(path, format="svg", metadata={"Date": None})


def sheet(path: Path, rows: Sequence[tuple[str, str, Sequence[bytes]]]) -> None:
    """Draw a row a code: its name, what is said of it, and JPEGs of its first crops."""
    height = SIDE + GAP
    parts = []
    for i, (name, said, pictures) in enumerate(rows):
        y = i * height + GAP
        parts.append(Markup('<text x="{}" y="{}" font-weight="bold">{}</text>').format(GAP, y + 20, name))
        for k, line in enumerate(said.split("\n")):
            parts.append(Markup('<text x="{}" y="{}">{}</text>').format(GAP, y + 38 + 16 * k, line))
        for k, jpeg in enumerate(pictures):
            x = WORDS + k * height
            parts.append(Markup('<image x="{}" y="{}" width="{}" height="{}" href="{}"/>').format(x, y, SIDE, SIDE, data_uri(jpeg)))
    size = (WORDS + max((len(row[2]) for row in rows), default=0) * height, len(rows) * height + GAP)
    head = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" '
        'font-family="system-ui, sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>\n'
    ).format(*size)
    path.write_text(head + Markup("\n").join(parts) + Markup("\n</svg>\n"), encoding="utf-8")
