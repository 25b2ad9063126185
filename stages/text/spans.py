"""Replacement of spans of a caption."""

import re
from collections.abc import Sequence

from stages.text.inflection import indefinite_article

_ARTICLE = re.compile(r"(?<![\w'-])(an?)(\s+)$", re.IGNORECASE)


def replace(caption: str, spans: Sequence[tuple[int, int]], replacements: Sequence[str]) -> str:
    """Return ``caption`` with each of ``spans`` replaced, and "a" or "an" right before a span adapted to the new words.

    >>> replace("an orange car", [(3, 9)], ["red"])
    'a red car'

    Raises:
        ValueError: spans overlap, are empty, or do not end at word boundaries of the caption.
    """
    for start, end in spans:
        if not whole(caption, (start, end)):
            raise ValueError(f"{caption!r}: the span {start}-{end} is empty, lies outside, or cuts a word")
    last_start = len(caption) + 1
    for (start, end), words in sorted(zip(spans, replacements, strict=True), reverse=True):
        if end > last_start:
            raise ValueError(f"{caption!r}: the spans {sorted(spans)} overlap")
        last_start = start
        before = _with_article(caption[:start], words)
        caption = before + words + caption[end:]
    return caption


def whole(caption: str, span: tuple[int, int]) -> bool:
    """Return whether a span is whole words, and not empty: "gotta", which spaCy reads as "got" and "ta", cannot be split."""
    start, end = span
    borders = (i for i in span if 0 < i < len(caption))
    return 0 <= start < end <= len(caption) and not any(caption[i - 1].isalnum() and caption[i].isalnum() for i in borders)


def _with_article(before: str, words: str) -> str:
    article = _ARTICLE.search(before)
    if not article:
        return before
    right = indefinite_article(words)
    if article.group(1).lower() == right:
        return before
    right = right.capitalize() if article.group(1)[0].isupper() else right
    return before[: article.start()] + right + article.group(2)
