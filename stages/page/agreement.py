"""What two annotators found: ``python -m stages.page.agreement A.json B.json`` (paper, section 4.3).

Prints, by type, how often each annotator found what should be (a negative false, a caption true), how often the two agree, and
Cohen's kappa, which takes off the agreement that comes by chance.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from stages.contract.errors import InputError, run

ANSWERS = ("yes", "no", "cannot tell")


def read(path: Path) -> dict[str, Any]:
    """What an annotator saved.

    Raises:
        InputError: it is no saved sheet, or some questions have no answer.
    """
    remedy = "save it with the sheet's own button"
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        answers = {one["id"]: one["answer"] for one in saved["answers"]}
        unknown = next((one["id"] for one in saved["answers"] if one["answer"] not in (*ANSWERS, None)), None)
        fields = (saved["sheet"], saved["annotator"], *(one[key] for one in saved["answers"] for key in ("type", "expected")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(path, f"is no saved sheet ({type(error).__name__})", remedy) from None
    if unknown is not None or not answers or not all(isinstance(field, str) for field in fields):
        raise InputError(path, "has an answer that the sheet does not offer", remedy, row=unknown)
    open_ = [item for item, answer in answers.items() if answer is None]
    if open_:
        raise InputError(
            path, f"{len(open_)} of {len(answers)} questions have no answer", "load it into the sheet and go on", row=open_[0]
        )
    return saved


def kappa(first: list[str], second: list[str]) -> float | None:
    """Cohen's kappa of two lists of answers; None where both gave one and the same answer throughout.

    >>> kappa(["yes", "no", "yes", "no"], ["yes", "no", "no", "no"])
    0.5
    """
    n = len(first)
    by_chance = sum(count * Counter(second)[answer] for answer, count in Counter(first).items()) / n**2
    if by_chance == 1:
        return None
    return (agreement(first, second) - by_chance) / (1 - by_chance)


def agreement(first: list[str], second: list[str]) -> float:
    """The share of questions that both answer alike."""
    return sum(a == b for a, b in zip(first, second, strict=True)) / len(first)


def compare(first: dict[str, Any], second: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """By type, and for ``all``: ``n``, the ``accuracy`` of the sheet by each annotator, ``agreement`` and ``kappa``."""
    other = {one["id"]: one["answer"] for one in second["answers"]}
    groups: dict[str, list[dict[str, Any]]] = {}
    for one in first["answers"]:
        for group in (one["type"], "all"):
            groups.setdefault(group, []).append(one)
    found = {}
    for group, ones in sorted(groups.items()):
        a, b = [one["answer"] for one in ones], [other[one["id"]] for one in ones]
        right = [one["expected"] for one in ones]
        found[group] = {
            "n": len(ones),
            "accuracy": [agreement(a, right), agreement(b, right)],
            "agreement": agreement(a, b),
            "kappa": kappa(a, b),
        }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sheets", type=Path, nargs=2, help="what two annotators saved of one sheet")
    paths = parser.parse_args().sheets
    first, second = (read(path) for path in paths)
    ids = [{one["id"] for one in saved["answers"]} for saved in (first, second)]
    if first["sheet"] != second["sheet"] or ids[0] != ids[1]:
        raise InputError(paths[1], f"is of another sheet than {paths[0]}", "give two people the same page")
    print(f"| type | n | as expected, {first['annotator']} | as expected, {second['annotator']} | agreement | kappa |")
    print("|---|---|---|---|---|---|")
    for group, of in compare(first, second).items():
        shares = " | ".join(f"{100 * value:.1f} %" for value in (*of["accuracy"], of["agreement"]))
        print(f"| {group} | {of['n']} | {shares} | {'–' if of['kappa'] is None else format(of['kappa'], '.3f')} |")


if __name__ == "__main__":
    run(main)
