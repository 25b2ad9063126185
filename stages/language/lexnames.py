"""WordNet's sort of thing for every noun that is one word: "artifact", "person", "body".

The sorts stand in ``lexnames.txt.gz``, because the parser asks for them and WordNet itself takes seconds to load, in every worker.
To write them anew: ``python -m stages.language.lexnames``.
"""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

from stages.contract.files import complete
from stages.language.caption_words import caption_words

TABLE = Path(__file__).with_name("lexnames.txt.gz")
NONE = "-"


def sort(noun: str) -> str:
    """The lexicographer file of the noun's first sense; "-" for a word that is no noun.

    >>> [sort(noun) for noun in ("dog", "jeans", "zebras", "quickly")]
    ['animal', 'artifact', 'animal', '-']
    """
    return _sorts().get(noun) or (_sorts().get(noun.removesuffix("s"), NONE) if len(noun) > 3 else NONE)


@cache
def _sorts() -> dict[str, str]:
    lines = gzip.decompress(TABLE.read_bytes()).decode("utf-8").splitlines()
    return {noun: name for name, *nouns in map(str.split, lines) for noun in nouns}


def _write() -> None:
    from stages.language.wordnet import wordnet

    nouns = {name for name in wordnet().all_lemma_names("n") if "_" not in name}
    # Captions' plurals too: WordNet knows which irregular ones are whose.
    first = {noun: wordnet().synsets(noun, "n")[:1] for noun in nouns | set(caption_words())}
    sorts: dict[str, list[str]] = {}
    for noun, (sense,) in sorted(item for item in first.items() if item[1]):
        sorts.setdefault(sense.lexname().removeprefix("noun."), []).append(noun)
    text = "".join(f"{name} {' '.join(nouns)}\n" for name, nouns in sorted(sorts.items()))
    with complete(TABLE) as partial:
        partial.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))


if __name__ == "__main__":
    _write()
