"""A check of a caption's articles, which compares them with those that a second reading gives."""

import re

from stages.text.inflection import ALWAYS_PLURAL, MASS, NOT_VERBS, capitals_like, indefinite_article

_ARTICLE = re.compile(r"\b(an?)(\s+)(?=[\w'\"])", re.IGNORECASE)


def with_articles_fixed(caption: str) -> str:
    """Return the caption with each "a" or "an" as the next word sounds, and none right before a plural or mass noun.

    >>> with_articles_fixed("A orange cat and an cup on a grass")
    'An orange cat and a cup on grass'
    """

    def mend(match: re.Match[str]) -> str:
        rest = re.match(r"[\w'-]+", caption[match.end() :])
        word = rest.group() if rest else ""
        after = caption[match.end() + len(word) :]
        if _ends_noun_phrase(after) and (word.lower() in MASS or word.lower() in ALWAYS_PLURAL):
            return ""
        return capitals_like(indefinite_article(word), match.group(1)[:1]) + match.group(2)

    mended = _ARTICLE.sub(mend, caption)
    return capitals_like(mended, caption[:1]) if caption[:1].isupper() else mended


def _ends_noun_phrase(after: str) -> bool:
    """Return whether no noun can follow: here is the end, punctuation, a preposition or a verb."""
    if re.match(r"\s*([.,;]|$)", after):
        return True
    word = re.match(r"\s+([\w'-]+)", after)
    return word is not None and (word.group(1).lower() in NOT_VERBS | {"and", "is", "are", "that", "who", "which", "there", "has"})
