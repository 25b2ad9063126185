"""The words of caption English and how often captions have them, counted in FACTUAL's training captions, COCO and Flickr8k.

``caption_words.tsv`` has the counts; ``python -m stages.parser_training.count_words`` counts them again.
"""

from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_suffix(".tsv")


@cache
def caption_words() -> dict[str, int]:
    """Return words in lower case with their counts; the most frequent first."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return {word: int(count) for word, count in (line.split("\t") for line in lines)}
