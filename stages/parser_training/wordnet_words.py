"""Write the parser's tables from WordNet, which takes seconds to load: ``python -m stages.parser_training.wordnet_words``."""

from nltk.corpus.reader.wordnet import Synset

from stages.parser_training import write_gzip
from stages.parsing import compounds, proper_names
from stages.parsing.caption_words import caption_words
from stages.parsing.rule_words import COLORS
from stages.text import lexnames
from stages.text.wordnet import wordnet

MATERIALS = "material.n.01", "fabric.n.01", "building_material.n.01", "ceramic.n.01", "ceramic_ware.n.01"
SENSES = 2
"""Number of first senses of a noun, one of which may be a material: the first "stone" is a small object."""
THINGS = ["animal", "artifact", "body", "communication", "food", "group", "location", "object", "person", "plant", "substance"]
"""The lexicographer files whose two-word names are names: "hot weather" is weather that is hot."""


def sorts() -> str:
    """Return the lexicographer file of every noun, one file a line."""
    nouns = {name for name in wordnet().all_lemma_names("n") if "_" not in name}
    # Captions' plurals too: WordNet has the irregular ones.
    by_sort: dict[str, list[str]] = {}
    for noun in sorted(nouns | set(caption_words())):
        if name := sort_of(noun):
            by_sort.setdefault(name, []).append(noun)
    return "".join(f"{name} {' '.join(several)}\n" for name, several in sorted(by_sort.items()))


def proper_and_others() -> str:
    """Return the words that are names, and those that are not nouns, in a line each."""
    spellings: dict[str, set[tuple[bool, str]]] = {}
    for synset in wordnet().all_synsets():
        for lemma in synset.lemma_names():
            if lemma.isalpha():
                spellings.setdefault(lemma.lower(), set()).add((lemma[0].isupper(), synset.pos()))
    proper = [word for word, seen in spellings.items() if seen == {(True, "n")}]
    others = [word for word, seen in spellings.items() if not any(part == "n" for _, part in seen)]
    return "\n".join(" ".join(sorted(several)) for several in (proper, others))


def qualities_materials_and_names() -> str:
    """Return adjectives that are rarely nouns; nouns for materials; and adjectives that form names with their nouns."""
    nouns = {name for name in wordnet().all_lemma_names("n") if name.isalpha() and sort_of(name) not in ("", "substance")}
    qualities = [noun for noun in nouns if _uses(noun, "a") > _uses(noun, "n")]
    matter = {wordnet().synset(name) for name in MATERIALS}
    materials = [noun for noun in nouns if any(matter & _above(sense) for sense in wordnet().synsets(noun, "n")[:SENSES])]
    pairs = [name for name in wordnet().all_lemma_names("n") if name.count("_") == 1 and name.replace("_", "").isalpha()]
    one_noun = [name for name in pairs if _is_adjective(name.split("_")[0]) and sort_of(name) in THINGS]
    return "\n".join(" ".join(sorted(several)) for several in (qualities, materials, one_noun))


def sort_of(noun: str) -> str:
    """Return the lexicographer file of the noun's first sense; "" for a word that is not a noun."""
    return next((sense.lexname().removeprefix("noun.") for sense in wordnet().synsets(noun, "n")), "")


def _uses(word: str, part: str) -> int:
    """Return how often WordNet's texts have the word as that part of speech."""
    lemmas = (lemma for sense in wordnet().synsets(word, part) for lemma in sense.lemmas())
    return sum(lemma.count() for lemma in lemmas if lemma.name().lower() == word)


def _above(sense: Synset) -> set[Synset]:
    return {synset for path in sense.hypernym_paths() for synset in path}


def _is_adjective(word: str) -> bool:
    """Return whether it is an adjective or participle, "sewing machine", but no color, which mostly distinguishes things."""
    return word not in COLORS and (bool(wordnet().synsets(word, "a")) or word.endswith(("ed", "ing")))


if __name__ == "__main__":
    write_gzip(lexnames.TABLE, sorts())
    write_gzip(proper_names.TABLE, proper_and_others())
    write_gzip(compounds.TABLE, qualities_materials_and_names())
