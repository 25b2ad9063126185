"""The words of caption English and how often captions have them, counted in FACTUAL's training captions, COCO and Flickr8k.

The counts stand in ``caption_words.tsv``. To count them anew: ``python -m stages.language.caption_words FILE:FORMAT[:COLUMN] …``,
as ``factual/train.csv:csv:caption coco_val2017.json:json:caption flickr8k.txt:txt``.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from stages.contract.files import complete

TABLE = Path(__file__).with_suffix(".tsv")
LEAST = 3
"""A word that fewer captions have is left out: it may be misspelt."""


@cache
def caption_words() -> dict[str, int]:
    """Words in lower case with their counts; the commonest first."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return {word: int(count) for word, count in (line.split("\t") for line in lines)}


def count(captions: Iterable[str]) -> dict[str, int]:
    """Count the words that a dictionary has, so that no misspelling becomes a word by being common."""
    from stages.language.spelling import KNOWN_ERRORS, WORD, in_reference

    counts = Counter(word.lower() for caption in captions for word in WORD.findall(caption))
    right = {word: n for word, n in counts.items() if n >= LEAST and len(word) > 1 and "'" not in word and word not in KNOWN_ERRORS}
    return {word: n for word, n in sorted(right.items(), key=lambda item: (-item[1], item[0])) if in_reference(word)}


def _read(source: str) -> Iterable[str]:
    from stages.language.corpus import Column, read

    path, kind, column = [*source.split(":"), "", ""][:3]
    return (row.caption for row in read(Path(path), kind, Column(column)) if row.caption is not None)


if __name__ == "__main__":
    counted = count(caption for source in sys.argv[1:] for caption in _read(source))
    with complete(TABLE) as partial:
        partial.write_text("".join(f"{word}\t{n}\n" for word, n in counted.items()), encoding="utf-8")
    print(f"{len(counted):,} words")
