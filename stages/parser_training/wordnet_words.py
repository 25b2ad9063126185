"""Writes what the parser asks of WordNet, which takes seconds to load: ``python -m stages.parser_training.wordnet_words``."""

from __future__ import annotations

from stages.english.caption_words import caption_words
from stages.language import lexnames
from stages.parser_training.shipped import write_gzip
from stages.parsing import names
from stages.wordnet.reader import wordnet


def sorts() -> str:
    """The sort of thing for every noun, one sort a line."""
    nouns = {name for name in wordnet().all_lemma_names("n") if "_" not in name}
    # Captions' plurals too: WordNet knows which irregular ones are whose.
    first = {noun: wordnet().synsets(noun, "n")[:1] for noun in nouns | set(caption_words())}
    by_sort: dict[str, list[str]] = {}
    for noun, (sense,) in sorted(item for item in first.items() if item[1]):
        by_sort.setdefault(sense.lexname().removeprefix("noun."), []).append(noun)
    return "".join(f"{name} {' '.join(several)}\n" for name, several in sorted(by_sort.items()))


def proper_and_others() -> str:
    """The words that are names, and those that are no nouns, in a line each."""
    spellings: dict[str, set[tuple[bool, str]]] = {}
    for synset in wordnet().all_synsets():
        for lemma in synset.lemma_names():
            if lemma.isalpha():
                spellings.setdefault(lemma.lower(), set()).add((lemma[0].isupper(), synset.pos()))
    proper = [word for word, seen in spellings.items() if seen == {(True, "n")}]
    others = [word for word, seen in spellings.items() if not any(part == "n" for _, part in seen)]
    return "\n".join(" ".join(sorted(several)) for several in (proper, others))


if __name__ == "__main__":
    write_gzip(lexnames.TABLE, sorts())
    write_gzip(names.TABLE, proper_and_others())
