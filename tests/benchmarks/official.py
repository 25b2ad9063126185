"""Compare our ``paper`` sets with the official release: ``python -m tests.benchmarks.official FOLDER DATA [--captions FILE]``.

FOLDER is the pipeline's folder of tables (``data``), DATA the release's folder of CSV files. For each type of productivity
negatives, over the release's complexities, it reports how the negatives change the truth's words, how long both are, and what
text-only scorers reach, including the adversary trained on these very sets. Scorers learn from the captions of FOLDER, or of a
file with one per line. The last line is JSON: ``{type: {"ours" or "official": {…}}}``.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np

from stages.contract.schemas import PAPER
from stages.evaluation.sets import RetrievalSet
from stages.suites import audit, crepe, official
from stages.text.tokens import words

TYPES = ("atom", "swap", "neg")
KINDS = (
    "same words, other order",
    "one span replaced",
    "one span added",
    "one span removed",
    "several spans changed",
    "nothing",
)
"""How the words of a negative differ from the truth's."""


def kind(truth: str, negative: str) -> str:
    """Return which of :data:`KINDS` a negative is, by the words that differ.

    >>> kind("a red dog on a mat", "a red cow on a mat"), kind("a red dog on a mat", "a red mat on a dog")
    ('one span replaced', 'same words, other order')
    >>> kind("a dog", "no a dog"), kind("a big dog", "a dog"), kind("a red dog on a mat", "a cow on a bed")
    ('one span added', 'one span removed', 'several spans changed')
    """
    own, other = words(truth), words(negative)
    if own == other:
        return "nothing"
    if sorted(own) == sorted(other):
        return "same words, other order"
    changes = [tag for tag, *_ in SequenceMatcher(None, own, other, autojunk=False).get_opcodes() if tag != "equal"]
    names = {"replace": "one span replaced", "insert": "one span added", "delete": "one span removed"}
    return names[changes[0]] if len(changes) == 1 else "several spans changed"


def measured(sets: Sequence[RetrievalSet], ask: Any) -> dict[str, Any]:
    """Return the figures of one type's sets: kinds in per cent, mean word counts, and text-only scorers' R@1 in per cent."""
    pairs = [(s.truth, negative) for s in sets for negative in s.negatives]
    kinds = Counter(kind(*pair) for pair in pairs)
    truths = np.array([len(words(truth)) for truth, _ in pairs])
    negatives = np.array([len(words(negative)) for _, negative in pairs])
    ranks = ask(sets)
    return {
        **audit.summary(ranks, np.ones(len(sets))),
        "kinds": {name: round(100 * kinds[name] / len(pairs), 1) for name in KINDS if kinds[name]},
        "words": round(float(truths.mean()), 2),
        "longer_by": round(float((negatives - truths).mean()), 2) + 0.0,
        "scorers": {name: round(100 * float(of.recall(1).mean()), 1) for name, of in sorted(ranks.items())},
    }


def by_type(sets: Iterable[RetrievalSet], complexities: Sequence[int]) -> dict[str, list[RetrievalSet]]:
    """Return the sets of each of :data:`TYPES` whose complexity is among ``complexities``."""
    found: dict[str, list[RetrievalSet]] = {name: [] for name in TYPES}
    for s in sets:
        if s.name in found and s.query.n in complexities:
            found[s.name].append(s)
    return found


def compare(folder: Path, data: Path, captions: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the figures of each type, by ``ours`` and ``official``."""
    theirs = [s for s in official.sets(data) if s.suite == "official_prod"]
    complexities = sorted({s.query.n for s in theirs if s.query.n is not None})
    ours = [s for s in crepe.productivity(folder / "gen_hn_prod" / "queries.parquet") if s.protocol == PAPER]
    sides = {"ours": by_type(ours, complexities), "official": by_type(theirs, complexities)}
    ask = audit.asking(captions)
    return {name: {side: measured(of[name], ask) for side, of in sides.items() if of[name]} for name in TYPES}


def show(found: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
    """Print the comparison."""
    for name, sides in found.items():
        for side, of in sides.items():
            shares = ", ".join(f"{share:.0f} % {kind}" for kind, share in of["kinds"].items())
            print(f"{name} {side}: {of['n']:,} sets, {of['words']} words, negatives {of['longer_by']:+} words; {shares}")
            best = f"best shortcut {of['best']} % ({of['scorer']}), trained {of['trained']} %, chance {of['chance']} %"
            print(f"  {best}; {', '.join(f'{scorer} {reached}' for scorer, reached in of['scorers'].items())}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--captions", type=Path, help="file of captions, one a line (default: those of FOLDER/parse_train)")
    asked = parser.parse_args()
    found = compare(asked.folder, asked.data, audit.captions_at(asked.captions or asked.folder / "parse_train"))
    show(found)
    print(json.dumps(found, sort_keys=True))


if __name__ == "__main__":
    main()
