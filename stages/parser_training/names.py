"""Writes the words that are names, and those that are no nouns: ``python -m stages.parser_training.names``."""

from __future__ import annotations

from stages.parser_training.shipped import write_gzip
from stages.parsing.names import TABLE
from stages.wordnet.reader import wordnet


def write() -> None:
    spellings: dict[str, set[tuple[bool, str]]] = {}
    for synset in wordnet().all_synsets():
        for lemma in synset.lemma_names():
            if lemma.isalpha():
                spellings.setdefault(lemma.lower(), set()).add((lemma[0].isupper(), synset.pos()))
    proper = [word for word, seen in spellings.items() if seen == {(True, "n")}]
    others = [word for word, seen in spellings.items() if not any(part == "n" for _, part in seen)]
    write_gzip(TABLE, "\n".join(" ".join(sorted(several)) for several in (proper, others)))


if __name__ == "__main__":
    write()
