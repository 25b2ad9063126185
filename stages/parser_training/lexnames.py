"""Writes WordNet's sort of thing for every noun: ``python -m stages.parser_training.lexnames``."""

from __future__ import annotations

from stages.english.caption_words import caption_words
from stages.language.lexnames import TABLE
from stages.parser_training.shipped import write_gzip
from stages.wordnet.reader import wordnet


def write() -> None:
    nouns = {name for name in wordnet().all_lemma_names("n") if "_" not in name}
    # Captions' plurals too: WordNet knows which irregular ones are whose.
    first = {noun: wordnet().synsets(noun, "n")[:1] for noun in nouns | set(caption_words())}
    sorts: dict[str, list[str]] = {}
    for noun, (sense,) in sorted(item for item in first.items() if item[1]):
        sorts.setdefault(sense.lexname().removeprefix("noun."), []).append(noun)
    write_gzip(TABLE, "".join(f"{name} {' '.join(nouns)}\n" for name, nouns in sorted(sorts.items())))


if __name__ == "__main__":
    write()
