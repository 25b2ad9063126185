"""The words of caption English and how often captions have them, counted in FACTUAL's training captions, COCO and Flickr8k.

The counts stand in ``caption_words.tsv``; ``python -m stages.parser_training.count_words`` counts them again.
"""

from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_suffix(".tsv")


@cache
def caption_words() -> dict[str, int]:
    """Words in lower case with their counts; the commonest first."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return {word: int(count) for word, count in (line.split("\t") for line in lines)}
