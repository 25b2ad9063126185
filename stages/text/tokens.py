"""The words of a caption, for code that reads it as a bag or a sequence of words."""

import re
from functools import lru_cache

CACHED = 1 << 15
"""Maximum number of captions with cached words: several scorers in turn need those of a batch."""
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


@lru_cache(CACHED)
def words(text: str) -> tuple[str, ...]:
    """Return the words of a caption, in lower case.

    >>> words("A man isn’t on the sofa.")
    ('a', 'man', "isn't", 'on', 'the', 'sofa')
    """
    return tuple(WORD.findall(text.casefold().replace("’", "'")))
