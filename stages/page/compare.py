"""Runs side by side: ``python -m stages.page.compare RUN RUN …``, each the workspace, a git revision or a DVC experiment.

Prints in Markdown, and writes to a folder if asked, the tables of the paper's appendix (Tables 9 to 17) with one row a run, the
further suites in the form of ARO's tables 2 to 5, means over runs (Figures 5, 6 and 13), paired differences of the runs on the same
queries, what having seen a compound is worth, and the correlation with ImageNet accuracy (Figures 7 and 8). Every figure has its
95 % interval, clustered by image.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stages.contract.errors import CrepeError, run
from stages.contract.files import complete
from stages.page import examples, further, imagenet, means, runs
from stages.page.figure import Figure, cell, points
from stages.page.grid import Grid, latex, markdown
from stages.page.names import SETS, SPLITS, SUITES, atoms, full_name
from stages.page.runs import Run
from stages.retrieval.comparison import effect_of_seeing
from stages.retrieval.statistics import difference, paired

METRICS = {"r1": "R@1", "r3": "R@3", "avg": "Avg R@K"}


def systematicity_tables(compared: Sequence[Run]) -> list[Grid]:
    """Tables 9 to 11: recall by split, a table for each retrieval set."""
    splits = [split for split in SPLITS if any((one.split == split).any() for one in compared)]
    columns = [(key, split) for key in METRICS for split in splits]
    grids = []
    for name, title in SETS["sys"].items():
        caption = f"Systematicity, {title}: recall (%) by split, with 95 % intervals."
        figures = [[Figure.of(one.figures(one.where("sys", name, split)), key) for key, split in columns] for one in compared]
        grids += _table(caption, [(METRICS[key], split) for key, split in columns], compared, figures)
    return grids


def productivity_tables(compared: Sequence[Run]) -> list[Grid]:
    """Tables 12 to 14 and Figure 13: R@1 by complexity, a table for each type of negative."""
    complexities = sorted({int(n) for one in compared for n in one.n[one.suite == "prod"]})
    grids = []
    for name, title in SETS["prod"].items():
        caption = f"Productivity, {title}: R@1 (%) by complexity, with 95 % intervals."
        figures = [[Figure.of(one.figures(one.where("prod", name, n=n))) for n in complexities] for one in compared]
        grids += _table(caption, [("Complexity", str(n)) for n in complexities], compared, figures)
    return grids


def raw_tables(compared: Sequence[Run]) -> list[Grid]:
    """Tables 15 and 16: R@1 among all captions, both ways, with the standard deviation over folds."""
    grids = []
    for suite, title in SUITES.items():
        groups = sorted({group for one in compared for group in one.raw.get(suite, ())}, key=lambda g: ([*SPLITS, g].index(g), g))
        if not groups:
            continue
        rows = [["", "Random", *(f"{_chance(compared, suite, group):.2f}" for group in groups)]]
        for way, text in (("i2t", "image to text"), ("t2i", "text to image")):
            for one in (one for one in compared if one.raw.get(suite)):
                cells = [_fold_cell(one, suite, group, way) for group in groups]
                rows.append([one.trained_on or "unknown", f"{one.label(compared)}, {text}", *cells])
        head = [("", "Training dataset"), ("", "Model"), *(("", atoms(group)) for group in groups)]
        grids.append(Grid(f"{title}, RAW sets: R@1 (%), mean ± standard deviation over folds.", head, rows))
    return grids


def _chance(compared: Sequence[Run], suite: str, group: str) -> float:
    return next(one.raw[suite][group]["chance"] for one in compared if group in one.raw.get(suite, ()))


def _fold_cell(one: Run, suite: str, group: str, way: str) -> str:
    folds = one.raw[suite].get(group)
    return "–" if folds is None else f"{folds[way]['r1']:.2f} ± {folds[way]['r1_sd']:.2f}"


def _table(
    caption: str, head: Sequence[tuple[str, str]], compared: Sequence[Run], figures: Sequence[Sequence[Figure | None]]
) -> list[Grid]:
    """A table with a row for chance and one for each run; none where no run has such figures."""
    chances = [next((figure.chance for figure in column if figure), None) for column in zip(*figures, strict=True)]
    if not any(chances):
        return []
    rows = [["", "Random", *("–" if chance is None else f"{chance:.2f}" for chance in chances)]]
    rows += [
        [one.trained_on or "unknown", one.label(compared), *map(cell, row)] for one, row in zip(compared, figures, strict=True)
    ]
    return [Grid(caption, [("", "Training dataset"), ("", "Model"), *head], rows)]


def gaps(compared: Sequence[Run]) -> Grid:
    """SC − UC of every run (paper, Figure 4)."""
    rows = []
    for one in compared:
        columns = []
        for name in SETS["sys"]:
            of_set = one.where("sys", name)
            right, split, images = one.right(of_set), one.split[of_set], one.image[of_set]
            columns.append(difference(right, split == "SC", split == "UC", images))
        rows.append([one.trained_on or "unknown", one.label(compared), *map(_points, columns)])
    head = [("", "Training dataset"), ("", "Model"), *(("SC − UC", title) for title in SETS["sys"].values())]
    return Grid(
        "Seen less unseen compounds, in points of R@1, with 95 % intervals; unseen compounds may also be harder.", head, rows
    )


def differences(compared: Sequence[Run]) -> Grid:
    """R@1 of every run less the first one's, on the queries that both have; queries of the first run's split."""
    first, *others = compared
    rows = []
    for suite, name, split in parts(first):
        row = [full_name(suite, name), split]
        for other in others:
            here, there = runs.common(first, other, first.where(suite, name, split or None))
            if len(here):
                change = paired(other.ranks.take(there).recall(1), first.ranks.take(here).recall(1), first.image[here])
                row += [_points(change), f"{change['n']:,}"]
            else:
                row += ["–", "0"]
        rows.append(row)
    head = [("", "Retrieval sets"), ("", "Split"), *((other.name, what) for other in others for what in ("difference", "queries"))]
    return Grid(f"R@1 in points, less that of {first.name} ({first.model}) on the same queries.", head, rows)


def parts(one: Run) -> list[tuple[str, str, str]]:
    """The retrieval sets of a run: ``(suite, set, split)``, a split only where there are some; further suites stand last."""
    present = set(zip(one.suite.tolist(), one.set.tolist(), one.split.tolist(), strict=True))
    every = [(suite, name, split) for suite, names in SETS.items() for name in names for split in (*SPLITS, "")]
    return [*(part for part in every if part in present), *sorted(present - set(every))]


def seeing(compared: Sequence[Run]) -> Grid | None:
    """What having seen a query's compounds is worth, for each pair of runs with two training sets; ``None`` without a pair."""
    rows = []
    for i, first in enumerate(compared):
        for second in compared[i + 1 :]:
            if first.judged_by == second.judged_by:
                continue
            for name, title in SETS["sys"].items():
                here, there = runs.common(first, second, first.where("sys", name) & (first.split != "UA"))
                keep = second.split[there] != "UA"
                here, there = here[keep], there[keep]
                effect = effect_of_seeing(
                    first.ranks.take(here).recall(1),
                    second.ranks.take(there).recall(1),
                    first.split[here] == "SC",
                    second.split[there] == "SC",
                    first.image[here],
                )
                if effect is not None:
                    counts = (f"{effect['n_first']:,}", f"{effect['n_second']:,}")
                    rows.append([f"{first.name}, {second.name}", title, _points(effect), *counts])
    head = [
        ("", "Runs"),
        ("", "Negatives"),
        ("", "SC − UC"),
        ("queries seen", "only by the first"),
        ("queries seen", "only by the second"),
    ]
    caption = (
        "What having seen the compounds is worth (points of R@1): the same queries, seen in only one of two runs' training sets."
    )
    return Grid(caption, head, rows) if rows else None


def _points(change: Mapping[str, Any] | None) -> str:
    return points(change).replace(" points", "") if change and change["d"] is not None else "–"


def compare(compared: Sequence[Run], accuracies: Mapping[str, float]) -> list[Grid]:
    """All tables for the ``compared`` runs; ``accuracies`` are ImageNet accuracies in per cent by the runs' names."""
    systematicity = systematicity_tables(compared)
    grids = [*systematicity, *([gaps(compared)] if systematicity else []), *productivity_tables(compared), *raw_tables(compared)]
    grids += further.tables(compared)
    if len(compared) > 1:
        grids += means.tables(compared)
        grids.append(differences(compared))
        grids += [grid] if (grid := seeing(compared)) else []
        sides = (examples.table(compared[0], other, compared) for other in compared[1:])
        grids += [grid for grid in sides if grid]
    if accuracies:
        grids.append(imagenet.correlations(compared, accuracies))
    return grids


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m stages.page.compare",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="for example:\n  python -m stages.page.compare main workspace\n"
        "  dvc exp run --queue -S 'evaluate.model=rn50-cc12m,vit-b-32-laion400m' && dvc exp run --run-all\n"
        "  python -m stages.page.compare $(dvc exp list --names-only) --out comparison",
    )
    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help="workspace, a git revision or a DVC experiment; the first is the baseline"
    )
    parser.add_argument(
        "--out", type=Path, help="folder for compare.md, compare.tex and the drawings; by default Markdown is printed"
    )
    parser.add_argument("--repo", type=Path, default=Path(), help="folder of the project (default: here)")
    parser.add_argument(
        "--ranks", default="data/evaluate/ranks.parquet", help="table of ranks in the project (default: %(default)s)"
    )
    parser.add_argument("--metrics", default="metrics/evaluate.json", help="metrics in the project (default: %(default)s)")
    parser.add_argument(
        "--accuracies",
        type=Path,
        action="append",
        default=[imagenet.PUBLISHED],
        metavar="CSV",
        help="ImageNet accuracies beside the published ones, as `python -m stages.models.zeroshot` measures them",
    )
    args = parser.parse_args()
    if len(set(args.runs)) < len(args.runs):
        raise CrepeError("a run is named twice. Remedy: name each run once.")
    compared = [runs.read(name, args.repo, args.ranks, args.metrics) for name in args.runs]
    accuracies = imagenet.of_runs(compared, imagenet.read(args.accuracies))
    grids = compare(compared, accuracies)
    if args.out is None:
        print("\n".join(markdown(grid) for grid in grids))
        return
    texts = {"compare.md": "\n".join(map(markdown, grids)), "compare.tex": "\n".join(map(latex, grids))}
    texts |= {
        f"{drawing.name}.svg": str(drawing.svg) for drawing in (*means.drawings(compared), *imagenet.drawings(compared, accuracies))
    }
    for name, text in texts.items():
        with complete(args.out / name) as path:
            path.write_text(text, encoding="utf-8")
    print(f"{len(compared)} runs compared: {', '.join(str(args.out / name) for name in texts)}")


if __name__ == "__main__":
    run(main)
