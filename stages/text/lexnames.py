"""WordNet's lexicographer file for every one-word noun: "artifact", "person", "body".

``lexnames.txt.gz`` has them, because the parser needs them and WordNet itself takes seconds to load, in every worker.
To write them again: ``python -m stages.parser_training.wordnet_words``.
"""

import gzip
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("lexnames.txt.gz")
NONE = "-"


def lexname(noun: str) -> str:
    """Return the lexicographer file of the noun's first sense; "-" for a word that is no noun.

    >>> [lexname(noun) for noun in ("dog", "jeans", "zebras", "quickly")]
    ['animal', 'artifact', 'animal', '-']
    """
    return _lexnames().get(noun) or (_lexnames().get(noun.removesuffix("s"), NONE) if len(noun) > 3 else NONE)


@cache
def _lexnames() -> dict[str, str]:
    lines = gzip.decompress(TABLE.read_bytes()).decode("utf-8").splitlines()
    return {noun: name for name, *nouns in map(str.split, lines) for noun in nouns}
