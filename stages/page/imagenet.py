"""R@1 against zero-shot ImageNet accuracy: do models that classify well also compose well? (paper, Figures 7 and 8)"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

from stages.contract.errors import InputError
from stages.contract.schemas import PROTOCOLS
from stages.evaluation.statistics import correlation
from stages.page.display_names import atoms, full_name, is_complexity, of_set
from stages.page.drawings import Drawing, Points, scatter
from stages.page.figure import Figure, rounded
from stages.page.runs import Run
from stages.page.table import Table

IMAGENET = "imagenet"
PUBLISHED = Path(__file__).with_name("imagenet.csv")
# The sets of the paper's two figures, and their splits or complexities.
SHOWN = (
    ("sys", ("atom", "comp", "both"), ("SC", "UC")),
    ("prod", ("atom", "swap", "neg"), ("n04", "n08", "n12")),
)


def read(paths: Iterable[Path]) -> dict[str, dict[str, float]]:
    """Return zero-shot top-1 accuracies in per cent, by data set and model, from CSV files with ``model`` and ``top1``.

    A row's data set is in its column ``dataset``, or ImageNet. Later files win.

    Raises:
        InputError: a file is missing, is no text, lacks a column, or holds a value that is no accuracy.
    """
    accuracies: dict[str, dict[str, float]] = {}
    for path in paths:
        try:
            lines = path.read_text(encoding="utf-8-sig").splitlines()  # spreadsheets write a byte order mark first
        except FileNotFoundError:
            raise InputError(path, "there is no such file", "measure it: python -m stages.models.zeroshot --help") from None
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(path, f"cannot be read as text ({error})", "name a CSV file in UTF-8") from None
        for number, row in enumerate(csv.DictReader(lines), start=1):
            try:
                model, top1 = row["model"], float(row["top1"])
                if not 0 <= top1 <= 100:
                    raise ValueError(top1)
            except (KeyError, TypeError, ValueError):
                remedy = "give a column model and a column top1 in per cent"
                raise InputError(path, "has no model or no top1", remedy, number) from None
            accuracies.setdefault(row.get("dataset") or IMAGENET, {})[model] = top1
    return accuracies


def of_runs(compared: Sequence[Run], accuracies: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Return the accuracies of the runs whose model has one, by data set and the runs' names."""
    return {
        dataset: {one.name: by_model[one.model] for one in compared if one.model in by_model}
        for dataset, by_model in accuracies.items()
    }


def correlations(compared: Sequence[Run], accuracies: Mapping[str, float]) -> Table:
    """Return how R@1 correlates with ImageNet accuracy over the runs, for each retrieval set that the paper's figures show."""
    rows = []
    for protocol, suite, name, part, dots in _dots(compared, accuracies):
        fitted = correlation([x for x, _ in dots], [figure.value for _, figure in dots])
        interval = None if fitted["low"] is None else f"{fitted['low']:.2f} to {fitted['high']:.2f}"
        numbers = (*(rounded(fitted[key], 2) for key in ("r", "r2", "slope")), interval)
        shown = (text and text.replace("-", "−") for text in numbers)
        rows.append([f"{full_name(suite, name)}, {protocol}", part, *shown, str(fitted["n"])])
    head = ["Retrieval sets", "Part", "r", "R²", "slope", "95 % interval of r", "models"]
    return Table("R@1 against zero-shot top-1 accuracy on ImageNet, over the models (three at least).", head, rows)


def drawings(compared: Sequence[Run], accuracies: Mapping[str, float]) -> list[Drawing]:
    """Return the dots behind :func:`correlations`: a drawing for each retrieval set, a colour for each split or complexity."""
    drawn: dict[tuple[str, str, str], dict[str, Points]] = {}
    for protocol, suite, name, part, dots in _dots(compared, accuracies):
        drawn.setdefault((protocol, suite, name), {})[part] = dots
    what = "R@1 against ImageNet accuracy"
    return [
        scatter(f"imagenet_{key[0]}_{key[1]}_{key[2]}", f"{what}: {full_name(*key[1:])}, {key[0]}", by_part, "ImageNet top-1 (%)")
        for key, by_part in drawn.items()
    ]


def _dots(compared: Sequence[Run], accuracies: Mapping[str, float]) -> Iterator[tuple[str, str, str, str, Points]]:
    """Yield protocol, suite, set, split or complexity, and each run's R@1 over its accuracy in per cent, for enough queries."""
    known = [one for one in compared if one.name in accuracies]
    for protocol, (suite, names, parts) in product(PROTOCOLS, SHOWN):
        for name, part in product(names, parts):
            figures = ((accuracies[one.name], Figure.of(of_set(one.metrics, protocol, suite, name).get(part))) for one in known)
            dots = [(accuracy, figure) for accuracy, figure in figures if figure and not figure.of_few]
            if dots:
                yield protocol, suite, name, f"n = {atoms(part)}" if is_complexity(part) else part, dots
