"""Count the words of caption English: ``python -m stages.parser_training.count_words FILE:FORMAT[:COLUMN] …``,
as ``factual/train.csv:csv:caption coco_val2017.json:json:caption flickr8k.txt:txt``. Writes ``stages/parsing/caption_words.tsv``.
"""

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from stages.annotations.spelling import KNOWN_ERRORS, WORD, in_reference
from stages.captions.corpus import Column, read
from stages.contract.files import complete
from stages.parsing.caption_words import TABLE

MIN_CAPTIONS = 3
"""Minimum number of captions with a word; rarer ones may be misspelt."""


def count(captions: Iterable[str]) -> dict[str, int]:
    """Count the words in a dictionary only, so that no common misspelling becomes a word."""
    counts = Counter(word.lower() for caption in captions for word in WORD.findall(caption))
    right = {
        word: n
        for word, n in counts.items()
        if n >= MIN_CAPTIONS and len(word) > 1 and "'" not in word and word not in KNOWN_ERRORS
    }
    return {word: n for word, n in sorted(right.items(), key=lambda item: (-item[1], item[0])) if in_reference(word)}


def _read(source: str) -> Iterable[str]:
    path, kind, column = [*source.split(":"), "", ""][:3]
    return (row.caption for row in read(Path(path), kind, Column(column)) if row.caption is not None)


if __name__ == "__main__":
    counted = count(caption for source in sys.argv[1:] for caption in _read(source))
    with complete(TABLE) as partial:
        partial.write_text("".join(f"{word}\t{n}\n" for word, n in counted.items()), encoding="utf-8")
    print(f"{len(counted):,} words")
