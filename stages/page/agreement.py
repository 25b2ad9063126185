"""Evaluate annotators' answers: ``python -m stages.page.agreement A.json B.json …`` (paper, section 4.3 and Table 4).

Prints, by type and suite, how often the annotators found the expected (a negative false, a caption true), as a mean with its
standard deviation over annotators, how often the line is good English, how often they agree, and Cohen's kappa and Krippendorff's
alpha, which correct for chance agreement. Controls show whether an annotator was attentive. Then, by complexity, how often
captions are faithful.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

import numpy as np

from stages.contract.errors import InputError, run
from stages.contract.forms import checked, form
from stages.contract.json_files import read_json
from stages.page.inputs import lists

ANSWERS = {"answer": ("yes", "no", "cannot tell"), "fluent": ("yes", "no")}
SAVE = "save it with the sheet's button"
LINE = form(Any, id=str, type=str, expected=str, n=int | None, **{name: Literal[*known, None] for name, known in ANSWERS.items()})
SHEET = form(Any, sheet=str, annotator=str, answers=lists(LINE, 1))
Sheet = Mapping[str, Any]


def read(path: Path) -> Sheet:
    """Return the answers that an annotator saved.

    Raises:
        InputError: it is not a saved sheet, or some questions have no answer.
    """
    saved = checked(read_json(path, SAVE), path, SAVE, SHEET)
    answers = {one["id"]: [one[question] for question in ANSWERS] for one in saved["answers"]}
    if open_ := [name for name, given in answers.items() if None in given]:
        wrong = f"{len(open_)} of {len(answers)} lines have a question without an answer"
        raise InputError(path, wrong, "load it into the sheet and continue", row=open_[0])
    return saved


def kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Return Cohen's kappa of two lists of answers; ``None`` where all answers of both are equal."""
    from sklearn.metrics import cohen_kappa_score

    return None if len({*first, *second}) == 1 else round(float(cohen_kappa_score(first, second)), 10)


def alpha(answers: Sequence[Sequence[str]]) -> float | None:
    """Return Krippendorff's alpha of several annotators' answers, which have no order; ``None`` where all answers are equal."""
    import krippendorff

    if len({answer for one in answers for answer in one}) == 1:
        return None
    return float(krippendorff.alpha(reliability_data=np.array(answers), level_of_measurement="nominal"))


def shares(ones: Iterable[Sequence[bool]]) -> tuple[float, float]:
    """Return mean and standard deviation, over annotators, of how often each answered yes."""
    each = [float(np.mean(one)) for one in ones]
    return float(np.mean(each)), float(np.std(each, ddof=1))


def compare(sheets: Sequence[Sheet]) -> dict[str, dict[str, Any]]:
    """Return by type, and for ``all`` but controls, ``n, accuracy`` and ``fluent``, ``agreement``, ``kappa`` and ``alpha``.

    ``accuracy`` and ``fluent`` are each a mean and a standard deviation; ``kappa`` is the mean over pairs.
    """
    by_id = [{one["id"]: one for one in sheet["answers"]} for sheet in sheets]
    groups: dict[str, list[str]] = {}
    for one in sheets[0]["answers"]:
        for group in (one["type"], *(() if one["type"].startswith("control") else ("all",))):
            groups.setdefault(group, []).append(one["id"])
    return {group: _compare([[one[item] for item in items] for one in by_id]) for group, items in sorted(groups.items())}


def _compare(sheets: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    answers = [[one["answer"] for one in sheet] for sheet in sheets]
    kappas = [kappa(*pair) for pair in combinations(answers, 2)]
    known = [one for one in kappas if one is not None]
    return {
        "n": len(answers[0]),
        "accuracy": shares([one["answer"] == one["expected"] for one in sheet] for sheet in sheets),
        "fluent": shares([one["fluent"] == "yes" for one in sheet] for sheet in sheets),
        "agreement": float(np.mean([np.mean(np.array(a) == np.array(b)) for a, b in combinations(answers, 2)])),
        "kappa": float(np.mean(known)) if len(known) == len(kappas) else None,
        "alpha": alpha(answers),
    }


def faithfulness(sheets: Sequence[Sheet]) -> dict[int, dict[str, Any]]:
    """Return by complexity of the captions ``n``, how often they are true, and how often they are good English (paper, Table 4)."""
    captions = [[one for one in sheet["answers"] if one["type"] == "caption"] for sheet in sheets]
    by_complexity = {}
    for complexity in sorted({one["n"] for one in captions[0]}):
        here = [[one for one in sheet if one["n"] == complexity] for sheet in captions]
        faithful, fluent = (shares([one[key] == "yes" for one in sheet] for sheet in here) for key in ANSWERS)
        by_complexity[complexity] = {"n": len(here[0]), "faithful": faithful, "fluent": fluent}
    return by_complexity


def _percent(share: tuple[float, float]) -> str:
    return f"{100 * share[0]:.1f} ± {100 * share[1]:.1f} %"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sheets", type=Path, nargs="+", help="files that two or more annotators saved from one sheet")
    paths = parser.parse_args().sheets
    if len(paths) < 2:
        parser.error("name the files of two or more annotators")
    sheets = [read(path) for path in paths]
    ids = [{one["id"] for one in saved["answers"]} for saved in sheets]
    by_name: dict[str, Path] = {}
    for path, saved, ids_of_sheet in zip(paths, sheets, ids, strict=True):
        if (other := by_name.setdefault(saved["annotator"].strip(), path)) is not path:
            raise InputError(path, f"is by the same annotator as {other}", "name one file of each annotator")
        if saved["sheet"] != sheets[0]["sheet"] or ids_of_sheet != ids[0]:
            raise InputError(path, f"is of a different sheet than {paths[0]}", "give all annotators the same page")
    print("| type | n | as expected | good English | agreement | Cohen's kappa | Krippendorff's alpha |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for group, figures in compare(sheets).items():
        numbers = " | ".join("–" if figures[key] is None else f"{figures[key]:.3f}" for key in ("kappa", "alpha"))
        percents = f"{_percent(figures['accuracy'])} | {_percent(figures['fluent'])} | {100 * figures['agreement']:.1f} %"
        print(f"| {group} | {figures['n']} | {percents} | {numbers} |")
    if by_n := faithfulness(sheets):
        print("\n| complexity of captions | n | faithful | good English |")
        print("|---:|---:|---:|---:|")
        for complexity, figures in by_n.items():
            print(f"| {complexity} | {figures['n']} | {_percent(figures['faithful'])} | {_percent(figures['fluent'])} |")


if __name__ == "__main__":
    run(main)
