"""Measure the spelling correction: ``python -m tests.benchmarks.spelling [FACTUAL.csv …]``.

Recall is measured on the words of ``spelling.tsv``: misspellings in Visual Genome's region descriptions, with the intended words,
and correct words that dictionaries lack. Damage is measured on the captions of CSV files with a column ``caption``: the fraction of
their correctly spelled words (in SymSpell's or pyspellchecker's dictionary or WordNet, or listed as right) that the correction
changes. Last line: JSON.
"""

import csv
import json
import re
import sys
import time
from collections import Counter
from pathlib import Path

from spellchecker import SpellChecker, WordFrequency

from stages.annotations.spelling import correct, corrected, in_dictionary

FACTUAL = [Path("../shared/data/factual") / name for name in ("train.csv", "dev.csv")]
LISTED = Path(__file__).with_suffix(".tsv")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def listed() -> tuple[dict[str, str], list[str]]:
    """Return misspellings with their right spelling, and right words."""
    pairs = [line.split("\t") for line in LISTED.read_text(encoding="utf-8").splitlines()]
    return {word: right for word, right in pairs if word != right}, [word for word, right in pairs if word == right]


def damage(captions: list[str], right: list[str], wrong: dict[str, str]) -> tuple[int, int, Counter[str]]:
    """Return the number of right words in the captions, the number of those that were changed, and which."""
    other = SpellChecker().word_frequency
    good_words = set(right)
    words, changed, which = 0, 0, Counter[str]()
    for caption in captions:
        before, after = _WORD.findall(caption), _WORD.findall(correct(caption))
        good = [word for word in before if word.lower() not in wrong and _is_right(word.lower(), good_words, other)]
        lost = Counter(good) - Counter(after)
        words += len(good)
        changed += lost.total()
        which.update(lost)
    return words, changed, which


def _is_right(word: str, right: set[str], other: WordFrequency) -> bool:
    return word in right or in_dictionary(word) or word in other


def main() -> None:
    wrong, right = listed()
    answers = {word: corrected(word) for word in [*wrong, *right]}
    mended = sum(answers[word] == meant for word, meant in wrong.items())
    mistaken = {word: answers[word] for word, meant in wrong.items() if answers[word] not in (word, meant)}
    damaged = {word: answers[word] for word in right if answers[word] != word}
    print("mistaken:", mistaken)
    print("damaged:", damaged)
    precision = mended / max(1, mended + len(mistaken) + len(damaged))
    figures: dict[str, float] = {"misspellings": len(wrong), "recall": mended / len(wrong), "precision": precision}
    figures |= {"right_but_rare": len(right), "right_but_rare_changed": len(damaged)}
    captions = []
    for path in [Path(argument) for argument in sys.argv[1:]] or [path for path in FACTUAL if path.exists()]:
        with path.open(encoding="utf-8", newline="") as stream:
            captions += [row["caption"] for row in csv.DictReader(stream)]
    if captions:
        start = time.perf_counter()
        words, changed, which = damage(captions, right, wrong)
        print("changed:", dict(which.most_common(20)))
        seconds = time.perf_counter() - start
        figures |= {"captions": len(captions), "correct_words": words, "changed": changed, "changed_share": changed / max(1, words)}
        figures |= {"captions_per_s": round(len(captions) / seconds)}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
