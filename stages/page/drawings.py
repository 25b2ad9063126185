"""Drawings of the figures as SVG: the same bytes each time, readable on light and dark backgrounds."""

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import MaxNLocator, MultipleLocator

from stages.contract.files import component
from stages.page.display_names import SETS, SPLITS
from stages.page.figure import Figure
from stages.page.html import data_uri

# A placeholder for the page's text colour: the drawing inherits the colour of the text around it.
INK = "#010203"
# Mid-tones that are visible on white and on black, also for colour-blind readers, each with its own mark.
COLOURS = ("#2f7fc1", "#d97a1e", "#1f9d74", "#9a67c9", "#c2527d")
SHARE = "R@1 (%)"
MARKS = ("o", "s", "^", "D", "v")
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "crepe",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "text.parse_math": False,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.7,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": INK,
    "grid.alpha": 0.15,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 9,
}
FEW_POINTS = 20
"""Maximum number of points of a line on which each has a mark."""
PALE = 0.35
"""Opacity of results that are too uncertain for a conclusion, as of the bars of the page's tables."""
FAMILIES = (tuple(SPLITS), *(tuple(names.values()) for names in SETS.values()))
"""Names with fixed colours and marks in every drawing, so that two pages can be compared."""
LEGEND = 45
"""Number of characters that fit on one line of a legend."""
UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Letters that XML cannot have."""
MARGIN = 0.03
"""Extension of a scale below 0 and above 100 %, so that marks there are whole."""
CHANCE: dict[str, Any] = {"color": INK, "linestyle": (0, (4, 3)), "linewidth": 1, "alpha": 0.6}


@dataclass(frozen=True)
class Drawing:
    """An SVG with its name (of the file, and the prefix of all its ids) and a sentence that describes it."""

    name: str
    caption: str
    svg: Markup

    @property
    def file(self) -> str:
        """Return the name of its file; raises :class:`InputError` for the name of a set that cannot be part of one."""
        return component("a drawing", f"{self.name}.svg")


Points = Sequence[tuple[float, Figure]]
"""Figures, each with its x position."""


@mpl.rc_context(STYLE)
def by_complexity(name: str, caption: str, series: Mapping[str, Mapping[int, Figure]]) -> Drawing:
    """Return lines of R@1 over complexity, one for each of ``series``, with 95 % bands and the line of chance (paper, Figure 5)."""
    canvas, axes = _axes("complexity n (atoms in the caption)")
    lines: dict[tuple, None] = {}
    for label, (colour, mark) in _looks(series).items():
        figures = series[label]
        n = sorted(figures)
        axes.plot(n, [figures[i].value for i in n], color=colour, marker=mark, markersize=4.5, linewidth=1.6, label=label)
        low, high = ([getattr(figures[i], end) for i in n] for end in ("low", "high"))
        axes.fill_between(n, low, high, color=colour, alpha=0.16, linewidth=0)
        lines[tuple((i, chance) for i in n if (chance := figures[i].chance) is not None)] = None
    for k, line in enumerate(lines):
        axes.plot(*zip(*line, strict=True), **CHANCE, label=None if k else "chance")
    axes.xaxis.set_major_locator(MultipleLocator(1))
    return _finish(canvas, axes, name, caption)


@mpl.rc_context(STYLE)
def by_group(name: str, caption: str, groups: Mapping[str, Mapping[str, Figure]]) -> Drawing:
    """Return for each group (a retrieval set) one dot with its 95 % interval for each series (splits, for example)."""
    canvas, axes = _axes()
    labels = list(dict.fromkeys(label for figures in groups.values() for label in figures))
    looks = _looks(labels)
    for k, label in enumerate(labels):
        (colour, mark), shift = looks[label], 0.16 * (k - (len(labels) - 1) / 2)
        points = [(i + shift, figures[label]) for i, figures in enumerate(groups.values()) if label in figures]
        _dots(axes, points, colour, mark, label, markersize=6, linestyle="none", linewidth=1.6, capsize=3)
    for i, figures in enumerate(groups.values()):
        chance = next((figure.chance for figure in figures.values() if figure.chance is not None), None)
        if chance is not None:
            axes.plot([i - 0.36, i + 0.36], [chance] * 2, **CHANCE, label=None if i else "chance")
    axes.set_xticks(range(len(groups)), list(groups))
    axes.set_xlim(-0.6, len(groups) - 0.4)
    return _finish(canvas, axes, name, caption)


@mpl.rc_context(STYLE)
def histogram(name: str, caption: str, counts: Mapping[str, Sequence[tuple[int, int]]], xlabel: str) -> Drawing:
    """Return the distribution of ``(count, weight)`` pairs, by series, on a logarithmic scale with a place for 0 (Figure 12)."""
    canvas, axes = _axes(xlabel)
    # Three bars a decade; the count 0 is left of 1.
    top = int(np.ceil(np.log10(max((count for pairs in counts.values() for count, _ in pairs), default=1) + 1)))
    edges = np.linspace(-1 / 3, top, 3 * top + 2).tolist()
    for label, (colour, _) in _looks(counts).items():
        pairs = counts[label]
        count, weight = np.array(pairs, dtype=float).reshape(-1, 2).T
        place = np.where(count > 0, np.log10(np.maximum(count, 1)), -1 / 6)
        bars: dict[str, Any] = {"bins": edges, "weights": 100 * weight / max(weight.sum(), 1), "color": colour}
        axes.hist(place, **bars, histtype="stepfilled", alpha=0.18)
        axes.hist(place, **bars, histtype="step", linewidth=1.5, label=f"{label} ({len(pairs):,} atoms)")
    axes.set_xticks([-1 / 6, *range(top + 1)], ["0", *(f"{10**i:,}" for i in range(top + 1))])
    return _finish(canvas, axes, name, caption, "share of mentions (%)")


@mpl.rc_context(STYLE)
def reliability(name: str, caption: str, series: Mapping[str, Points]) -> Drawing:
    """Return observed over predicted fractions, both in per cent, with 95 % intervals and the line where the two are equal."""
    canvas, axes = _axes("predicted to be true (%)")
    for label, (colour, mark) in _looks(series).items():
        _dots(axes, series[label], colour, mark, label, markersize=5, linewidth=1.2)
    end = max((x for points in series.values() for x, _ in points), default=1.0)
    axes.plot([0, end], [0, end], **CHANCE, label="equal")
    return _finish(canvas, axes, name, caption, "not clearly false (%)")


@mpl.rc_context(STYLE)
def scatter(name: str, caption: str, series: Mapping[str, Points], xlabel: str) -> Drawing:
    """Return a scatter plot of runs, one colour for each series, with its least-squares line (paper, Figures 7 and 8)."""
    canvas, axes = _axes(xlabel)
    for label, (colour, mark) in _looks(series).items():
        _dots(axes, series[label], colour, mark, label, markersize=5, linestyle="none", linewidth=1)
        fitted = [point for point in series[label] if not point[1].of_few]
        x, y = [place for place, _ in fitted], [figure.value for _, figure in fitted]
        if len(set(x)) > 1:
            slope, start = np.polyfit(x, y, 1)
            ends = np.array([min(x), max(x)])
            axes.plot(ends, start + slope * ends, color=colour, linewidth=1.2, alpha=0.7)
    return _finish(canvas, axes, name, caption)


Line = tuple[Sequence[float], Sequence[float]]
"""x and y of a line's points."""


@mpl.rc_context(STYLE)
def course(name: str, caption: str, series: Mapping[str, Line], xlabel: str, ylabel: str, marked: Sequence[float] = ()) -> Drawing:
    """Return lines over steps or generations, light to dark where there are many; vertical lines are at ``marked``."""
    canvas, axes = _axes(xlabel)
    for place in marked:
        axes.axvline(place, **CHANCE)
    few = len(series) <= len(COLOURS)
    for i, (label, (x, y)) in enumerate(series.items()):
        colour = COLOURS[i] if few else mpl.colormaps["viridis"](0.9 * i / (len(series) - 1))
        mark = MARKS[i % len(MARKS)] if len(x) <= FEW_POINTS else None
        axes.plot(x, y, color=colour, marker=mark, markersize=3.5, linewidth=1.4, label=label or None)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return _finish(canvas, axes, name, caption, ylabel)


SIDE, GAP, LINE = 84, 6, 16
"""Side of a picture on a sheet, gap between pictures, and height of a line of text, in pixels."""


def sheet(name: str, caption: str, rows: Sequence[tuple[str, str, str, Sequence[bytes]]]) -> Drawing:
    """Return a row of JPEGs below their description: a name, and two lines of text."""
    height = SIDE + 3 * LINE + 2 * GAP
    parts = []
    for i, (title, *lines, pictures) in enumerate(rows):
        y = i * height + LINE
        for k, line in enumerate((title, *lines)):
            weight = "normal" if k else "bold"
            parts.append(Markup('<text x="0" y="{}" font-weight="{}">{}</text>').format(y + k * LINE, weight, line))
        for k, jpeg in enumerate(pictures):
            x, top = k * (SIDE + GAP), y + 2 * LINE + GAP
            parts.append(
                Markup('<image x="{}" y="{}" width="{}" height="{}" href="{}"/>').format(x, top, SIDE, SIDE, data_uri(jpeg))
            )
    width = 5 * (SIDE + GAP)
    head = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" role="img" aria-label="{}" '
        'font-family="system-ui, sans-serif" font-size="11" fill="currentColor">\n'
    ).format(width, len(rows) * height, caption)
    return Drawing(name, caption, head + Markup("\n").join(parts) + Markup("\n</svg>\n"))


def _dots(axes: Axes, points: Points, colour: str, mark: str, label: str, **style: Any) -> None:
    """Draw figures with their 95 % intervals, pale where they are too uncertain."""
    sure, little = ([point for point in points if point[1].tells_little == pale] for pale in (False, True))
    for some, ink in ((sure, {"color": colour}), (little, {"color": INK, "alpha": PALE, "linestyle": "none"})):
        x, y = [place for place, _ in some], [figure.value for _, figure in some]
        arms = [[figure.value - figure.low for _, figure in some], [figure.high - figure.value for _, figure in some]]
        if some:
            axes.errorbar(x, y, arms, marker=mark, label=label if some is sure or not sure else None, **{**style, **ink})


def _looks(labels: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the colour and the mark of each series."""
    every = list(labels)
    places = next((family for family in FAMILIES if set(every) <= set(family)), every)
    return {label: (COLOURS[(i := places.index(label)) % len(COLOURS)], MARKS[i % len(MARKS)]) for label in every}


def _axes(xlabel: str = "") -> tuple[Canvas, Axes]:
    canvas = Canvas(figsize=(4.3, 3.0), layout="constrained")
    axes = canvas.add_subplot(xlabel=xlabel)
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    return canvas, axes


def _finish(canvas: Canvas, axes: Axes, name: str, caption: str, ylabel: str = SHARE) -> Drawing:
    axes.set_ylabel(ylabel)
    # Percentages have one scale, so that drawings of two runs can be compared, with space for whole marks at 0 and at 100.
    top = 100 * (1 + MARGIN) if ylabel == SHARE else axes.get_ylim()[1]
    axes.set_ylim(-MARGIN * top, top)
    handles, labels = axes.get_legend_handles_labels()
    if labels:
        # Chance comes last in the legend, in any order of drawing.
        order = sorted(range(len(labels)), key=lambda i: labels[i] == "chance")
        handles, labels = [handles[i] for i in order], [labels[i] for i in order]
        columns = 4 if sum(map(len, labels)) < LEGEND else 2
        canvas.legend(handles, labels, loc="outside upper left", ncols=columns, handlelength=1.6, columnspacing=1.2)
    buffer = io.StringIO()
    # No date and no version, so that equal figures give equal bytes.
    canvas.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None, "Type": None, "Format": None})
    return Drawing(name, caption, Markup(_inline(buffer.getvalue(), name, caption)))  # noqa: S704  matplotlib escapes its texts


def _inline(svg: str, name: str, caption: str) -> str:
    """Return the drawing as an element of a page: unique ids, the page's colour and fonts, and a description for screen readers."""
    svg = svg[svg.index("<svg") :]
    prefix = re.sub(r"[^\w.-]", "_", name)
    svg = re.sub(r'\b(id="|href="#|url\(#)', rf"\g<1>{prefix}-", svg)
    svg = svg.replace(INK, "currentColor").replace("'DejaVu Sans'", "system-ui, 'DejaVu Sans'")
    # A style sheet inside would apply to the whole page, so its two rules become attributes.
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>\s*", "", svg, count=1, flags=re.DOTALL)
    # Tables have every number, so the drawing is one picture with one description.
    said = f'<svg role="img" aria-label="{Markup.escape(caption)}" stroke-linejoin="round"'
    return UNFIT.sub("\ufffd", svg.replace("<svg", said, 1))
