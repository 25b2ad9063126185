"""Compare runs: ``python -m stages.page.compare RUN RUN …``, each the workspace, a git revision or a DVC experiment.

Prints in Markdown, and writes to a folder if asked: how far each model is above text alone; composition, zero-shot classification
and retrieval side by side (ARO's table 6), with COMP and CLS; by protocol the tables of the paper's appendix (Tables 9 to 17)
with one row a run; other suites in the form of ARO's tables 2 to 5; means over runs (Figures 5, 6 and 13); paired differences of
the runs on the same queries; the effect of having seen a compound; and the correlation with ImageNet accuracy (Figures 7 and 8).
Every figure has its 95 % interval, clustered by image.

Runs whose sets differ do not share a column, because the sets would cause part of the difference. ``--common`` compares them on
the queries that they have in common, with the same captions.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

from stages.contract.errors import CrepeError, run
from stages.contract.files import complete
from stages.contract.schemas import PROTOCOLS
from stages.evaluation.statistics import effect_of_seeing, paired
from stages.page import abilities, answer, examples, further, imagenet, means, runs
from stages.page.display_names import SETS, SPLITS, SUITES, atoms, full_name, in_order, of_set
from stages.page.figure import Difference, Figure, with_spread
from stages.page.runs import Run
from stages.page.table import Cell, Table, latex, markdown

METRICS = {"r1": "R@1", "r3": "R@3", "avg": "Avg R@K"}
RUN = ["Training dataset", "Model"]


def refuse_different_sets(compared: Sequence[Run]) -> None:
    """Refuse runs with different sets.

    Raises:
        CrepeError: two runs have sets of one name and different ids.
    """
    known: dict[str, tuple[str, str]] = {}
    for one in compared:
        set_ids = runs.ids(one)
        for name, set_id in set_ids.items():
            known.setdefault(name, (one.name, set_id))
        if other := [name for name in set_ids if known[name][1] != set_ids[name]]:
            sets = ", ".join(f"{name} ({known[name][1]} and {set_ids[name]})" for name in other)
            wrong = f"{known[other[0]][0]} and {one.name} have different sets, which cannot share a column: {sets}"
            raise CrepeError(f"{wrong}. Remedy: compare runs of the same sets, or add --common.")


def recall_tables(compared: Sequence[Run], protocol: str, suite: str) -> list[Table]:
    """Return a table for each set of a suite with results: rows for chance, for the best text-only scorer, and for each run.

    They are tables 9 to 11, recall by split, or tables 12 to 14 and Figure 13, R@1 by complexity.
    """
    what, keys = ("recall (%) by split", METRICS) if suite == "sys" else ("R@1 (%) by complexity", {"r1": "Complexity"})
    columns = [(group, key) for key in keys for group in runs.groups(compared, suite)]
    heads = [(keys[key], atoms(group)) for group, key in columns]
    tables = []
    for name, title in SETS[suite].items():
        every = [(one, of_set(one.metrics, protocol, suite, name)) for one in compared]
        cells = [[Figure.of(figures.get(group), key) for group, key in columns] for _, figures in every]
        chances = [next((figure.chance for figure in column if figure), None) for column in zip(*cells, strict=True)]
        if any(chances):
            rows = [["", "Random", *chances]]
            rows += _once((one, _text_only(found, columns)) for one, found in every if found.get("shortcuts", {}).get("best"))
            rows += [[*_run(one, compared), *row] for one, row in zip(compared, cells, strict=True)]
            tables.append(Table(f"{SUITES[suite]}, {title}, {protocol}: {what}, with 95 % intervals.", [*RUN, *heads], rows))
    return tables


def _text_only(figures: Mapping[str, Any], columns: Iterable[tuple[str, str]]) -> list[Cell]:
    """Return the cells of a set's best text-only scorer, of which only R@1 is known."""
    reached = (figures.get(group, {}).get("shortcut_r1") if key == "r1" else None for group, key in columns)
    return [f"{figures['shortcuts']['best']}, text only", *reached]


def _once(rows: Iterable[tuple[Run, Sequence[Cell]]]) -> list[list[Cell]]:
    """Return rows that depend only on the training set: each once, and labelled by training set where there are several."""
    sets: dict[tuple[Cell, ...], list[str]] = {}
    for one, cells in rows:
        sets.setdefault(tuple(cells), []).append(one.trained_on or "unknown")
    return [["" if len(sets) == 1 else ", ".join(dict.fromkeys(names)), *cells] for cells, names in sets.items()]


def raw_tables(compared: Sequence[Run]) -> list[Table]:
    """Return tables 15 and 16: R@1 among all captions, both ways, with the standard deviation over folds."""
    tables = []
    for suite, title in SUITES.items():
        measured = [(one, one.raw[suite]) for one in compared if one.raw.get(suite)]
        groups = in_order({group for _, figures in measured for group in figures})
        if not groups:
            continue
        rows = _once((one, ["Random", *(figures.get(group, {}).get("chance") for group in groups)]) for one, figures in measured)
        for way, text in (("i2t", "image to text"), ("t2i", "text to image")):
            for one, figures in measured:
                training_set, model = _run(one, compared)
                folds = (figures.get(group) for group in groups)
                cells = (one and with_spread(one[way]["r1"], one[way]["r1_sd"], 2) for one in folds)
                rows.append([training_set, f"{model}, {text}", *cells])
        caption = f"{title}, RAW sets: R@1 (%), mean ± standard deviation over folds, as large as a run's smallest group."
        tables.append(Table(caption, [*RUN, *map(atoms, groups)], rows))
    return tables


def _run(one: Run, compared: Sequence[Run]) -> list[str]:
    """Return the cells of the columns ``RUN``."""
    return [one.trained_on or "unknown", one.label(compared)]


def gaps(compared: Sequence[Run], protocol: str) -> Table:
    """Return SC − UC of every run (paper, Figure 4), on similar items, and how much more than any text-only scorer's it is."""
    rows = []
    for one in compared:
        for name, title in SETS["sys"].items():
            gap = of_set(one.metrics, protocol, "sys", name).get("gap") or {}
            if gap.get("raw"):
                left = gap.get("over_shortcut") or {}
                changes = (gap["raw"], gap.get("matched"), left.get("raw"), left.get("matched"))
                rows.append([*_run(one, compared), title, *map(Difference.of, changes)])
    columns = ("SC − UC", "on similar items", "more than text alone shows", "of that on similar items")
    caption = f"Seen less unseen compounds, {protocol}, in points of R@1, with 95 % intervals; unseen compounds may also be harder."
    return Table(caption, [*RUN, "Negatives", *columns], rows, names=3)


def differences(compared: Sequence[Run]) -> Table:
    """Return R@1 of every run less the first one's, on the queries that both have; queries of the first run's split."""
    first, *others = compared
    rows = []
    for protocol, suite, name, split in parts(first):
        row: list[Cell] = [full_name(suite, name), protocol, split]
        for other in others:
            here, there = runs.common(first, other, first.where(protocol, suite, name, split))
            change = paired(other.right(there), first.right(here), first.cluster[here]) if len(here) else None
            row += [Difference.of(change), len(here)]
        rows.append(row)
    columns = [(other.name, what) for other in others for what in ("difference", "queries")]
    caption = f"R@1 in points, less that of {first.name} ({first.model}) on the same queries with the same captions."
    return Table(caption, ["Retrieval sets", "Protocol", "Split", *columns], rows, names=3)


def parts(one: Run) -> list[tuple[str, str, str, str]]:
    """Return the retrieval sets of a run, ``(protocol, suite, set, split)``: a split where there are some; other suites last."""
    present = set(zip(one.protocol.tolist(), one.suite.tolist(), one.set.tolist(), one.split.tolist(), strict=True))
    sets = [(suite, name) for suite, names in SETS.items() for name in names]
    every = [(protocol, *suite_and_set, split) for protocol in PROTOCOLS for suite_and_set in sets for split in (*SPLITS, "")]
    return [*(part for part in every if part in present), *sorted(present - set(every))]


def seeing(compared: Sequence[Run]) -> Table:
    """Return the effect of having seen a query's compounds, for each pair of runs with different training sets."""
    rows = []
    for (first, second), protocol in product(combinations(compared, 2), PROTOCOLS):
        if first.judged_by == second.judged_by:
            continue
        for name, title in SETS["sys"].items():
            here, there = runs.common(first, second, first.where(protocol, "sys", name))
            known = (first.split[here] != "UA") & (second.split[there] != "UA")
            here, there = here[known], there[known]
            seen = first.split[here] == "SC", second.split[there] == "SC"
            effect = effect_of_seeing(first.right(here), second.right(there), *seen, first.cluster[here])
            if effect is not None:
                counts = effect["n_first"], effect["n_second"]
                rows.append([f"{first.name}, {second.name}", f"{title}, {protocol}", Difference.of(effect), *counts])
    by_one = (("queries seen", f"only by the {which}") for which in ("first", "second"))
    caption = "Effect of having seen the compounds (points of R@1): the same queries, seen in only one of two runs' training sets."
    return Table(caption, ["Runs", "Negatives", "SC − UC", *by_one], rows)


def compare(compared: Sequence[Run], accuracies: Mapping[str, Mapping[str, float]], common: bool = False) -> list[Table]:
    """Return all tables with rows for the ``compared`` runs, or only those of the queries that the runs have in ``common``.

    Args:
        accuracies: zero-shot accuracies in per cent, by data set and run.

    Raises:
        CrepeError: the sets of two runs differ, and a table would have both in one column.
    """
    tables: list[Table] = []
    if not common:
        refuse_different_sets(compared)
        tables.append(answer.grid({one.label(compared): one.metrics for one in compared}))
        tables.append(abilities.table(compared, accuracies))
        for protocol in PROTOCOLS:
            tables += [*recall_tables(compared, protocol, "sys"), gaps(compared, protocol)]
            tables += recall_tables(compared, protocol, "prod")
        tables += [*raw_tables(compared), *further.tables(compared)]
        tables += means.tables(compared) if len(compared) > 1 else []
    if len(compared) > 1:
        tables += [differences(compared), seeing(compared)]
        tables += [examples.table(compared[0], other, compared) for other in compared[1:]]
    if (of_imagenet := accuracies.get(imagenet.IMAGENET)) and not common:
        tables.append(imagenet.correlations(compared, of_imagenet))
    return [table for table in tables if table.rows]


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m stages.page.compare",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="for example:\n  python -m stages.page.compare main workspace\n"
        "  dvc exp run --queue -S 'evaluate.model=rn50-cc12m,vit-b-32-laion400m' && dvc exp run --run-all\n"
        "  python -m stages.page.compare $(dvc exp list --names-only) --out comparison",
    )
    add = parser.add_argument
    add("runs", nargs="+", metavar="RUN", help="workspace, a git revision or a DVC experiment; the first is the baseline")
    add("--out", type=Path, help="folder for compare.md, compare.tex and the drawings; by default Markdown is printed")
    add("--repo", type=Path, default=Path(), help="folder of the project (default: here)")
    add("--ranks", default="data/evaluate/ranks.parquet", help="table of ranks in the project (default: %(default)s)")
    add("--metrics", default="metrics/evaluate.json", help="metrics in the project (default: %(default)s)")
    measured = "zero-shot accuracies to add to the published ones, as `python -m stages.models.zeroshot` measures them"
    add("--accuracies", type=Path, action="append", default=[imagenet.PUBLISHED], metavar="CSV", help=measured)
    add("--common", action="store_true", help="compare runs of different sets on the queries that they have in common")
    args = parser.parse_args()
    if len(set(args.runs)) < len(args.runs):
        raise CrepeError("a run is named twice. Remedy: name each run once.")
    compared = [runs.read(name, args.repo, args.ranks, args.metrics) for name in args.runs]
    accuracies = imagenet.of_runs(compared, imagenet.read(args.accuracies))
    tables = compare(compared, accuracies, args.common)
    if args.out is None:
        print("\n".join(markdown(table) for table in tables))
        return
    texts = {"compare.md": "\n".join(map(markdown, tables)), "compare.tex": "\n".join(map(latex, tables))}
    drawings = [] if args.common else [*means.drawings(compared), *imagenet.drawings(compared, accuracies[imagenet.IMAGENET])]
    texts |= {drawing.file: str(drawing.svg) for drawing in drawings}
    for name, text in texts.items():
        with complete(args.out / name) as path:
            path.write_text(text, encoding="utf-8")
    print(f"{len(compared)} runs compared: {', '.join(str(args.out / name) for name in texts)}")


if __name__ == "__main__":
    run(main)
