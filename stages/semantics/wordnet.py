"""WordNet's knowledge of a word: its sense in captions, synonyms, similar words, antonyms and cousins.

Captions mention visible things, so a noun's senses are its common ones among visible kinds (artifact, animal, food, plant, body,
natural object, person, substance); SENSES lists the few words whose meaning in captions differs all the same (a plate is no home
plate, a plant is no factory). The words are in ``wordnet.txt``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from stages.text.lexicon import sections, table, words
from stages.text.wordnet import wordnet

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset

CACHE = 1 << 17
VISIBLE = frozenset(
    f"noun.{kind}" for kind in ("artifact", "animal", "food", "plant", "body", "object", "person", "substance", "Tops")
)
UNSEEN = frozenset(
    f"noun.{kind}"
    for kind in ("act", "attribute", "cognition", "event", "feeling", "motive", "process", "relation", "state", "time")
)
"""Lexicographer files of invisible things."""
MAIN_SENSES = 3
"""Maximum number of senses of a word that captions mean, WordNet's most frequent ones (a guess). With 1 or 6, 42 or 50 % of
FACTUAL's attributes have other antonyms or synonyms."""
TABLES = sections(Path(__file__).with_suffix(".txt"))
SENSES = {noun: synset[0] for noun, synset in table(TABLES["senses"]).items()}
TOO_WIDE = words(TABLES["too wide"])
"""Ancestors too general for their descendants to have anything visible in common."""
GRAND = 2
"""A grand-hypernym is a hypernym's hypernym (paper, section 4.1)."""
PARTS_OF_SPEECH = {"object": "n", "attribute": "a", "relation": "v"}
ANYTHING = words(TABLES["anything"])
"""Names that fit anything."""


@lru_cache(CACHE)
def senses(word: str, pos: str) -> tuple[Synset, ...]:
    """Return the senses of a word, without proper names and those of which it is only an inflected form."""
    synsets = wordnet().synsets(word.replace(" ", "_"), pos)
    return tuple(s for s in synsets if not s.instance_hypernyms() and word in map(str.lower, spellings(s)))


def named(name: str) -> Synset:
    """Return the sense of a name such as "dog.n.01"."""
    return wordnet().synset(name)


@lru_cache(CACHE)
def spellings(synset: Synset) -> tuple[str, ...]:
    """Return the words of a sense, with spaces."""
    return tuple(name.replace("_", " ") for name in synset.lemma_names())


@lru_cache(CACHE)
def common_senses(noun: str) -> tuple[Synset, ...]:
    """Return the senses that a noun may have in captions, the most common first.

    These are visible senses with at least a tenth of the most common one's uses in texts. Of senses without uses, a person's comes
    last: a monitor is a screen, and an ostrich is a bird. A plant that is eaten means the fruit or vegetable: a banana is no herb.
    """
    if noun in SENSES:
        return (named(SENSES[noun]),)
    visible = [s for s in senses(noun, "n") if s.lexname() in VISIBLE]
    if not visible and " " in noun:
        return common_senses(noun.rsplit(" ", 1)[1])
    uses = {s: sum(lemma.count() for lemma in s.lemmas() if lemma.name() == noun.replace(" ", "_")) for s in visible}
    most = max(uses.values(), default=0)
    if most <= 1:  # a single use tells nothing
        meant_last = {s: (s.lexname() in ("noun.person", "noun.body"), EATEN.isdisjoint(ancestors(s))) for s in visible}
        return tuple(sorted(visible, key=meant_last.__getitem__))[:1]
    return tuple(sorted((s for s in visible if uses[s] >= COMMON * most), key=lambda s: -uses[s]))


COMMON = 0.1
"""Minimum uses of a common sense, as a fraction of those of the most common one. Measured on the nouns of FACTUAL's training
graphs: halving and doubling changes the common senses of 6 and 14 %, and the most common sense of none."""
EATEN = frozenset(("produce.n.01", "edible_nut.n.01"))
"""Fruit, vegetables and nuts."""


@lru_cache(CACHE)
def sense(noun: str) -> Synset | None:
    """Return the sense of a noun in captions, or ``None`` without a visible one; an unknown compound has that of its last word."""
    return next(iter(common_senses(noun)), None)


@lru_cache(CACHE)
def part_of(part: str, whole: str) -> bool:
    """Return whether WordNet has one thing as a part of another, or of a kind that the other belongs to.

    >>> part_of("window", "building"), part_of("window", "school"), part_of("building", "window")
    (True, True, False)
    """
    return not wholes(part).isdisjoint(above(whole))


@lru_cache(CACHE)
def wholes(noun: str) -> frozenset[str]:
    """Return the names of the senses that a noun's common senses are parts or substances of, without its own."""
    holonyms = frozenset(h.name() for s in common_senses(noun) for h in (*s.part_holonyms(), *s.substance_holonyms()))
    return holonyms - above(noun)


@lru_cache(CACHE)
def parents(noun: str) -> frozenset[str]:
    """Return the names of a noun's common senses, of its synonyms', and of the senses directly above its own."""
    same = (s for name in synonyms(noun, "n") for s in common_senses(name))
    return frozenset(s.name() for sense in common_senses(noun) for s in (sense, *sense.hypernyms())) | frozenset(
        s.name() for s in same
    )


@lru_cache(CACHE)
def ancestors(synset: Synset) -> dict[str, int]:
    """Return the names of a sense's hypernyms, each with its least distance; the sense itself at 0."""
    distance, level, step = {synset.name(): 0}, [synset], 0
    while level:
        step += 1
        level = [h for s in level for h in s.hypernyms()]
        level = [h for h in level if distance.setdefault(h.name(), step) == step]
    return distance


def hypernyms(noun: str) -> Iterator[tuple[str, ...]]:
    """Yield a noun's hypernyms and grand-hypernyms, then one level more each time, but no ancestor that is too general."""
    synset = sense(noun)
    steps = ancestors(synset) if synset else {}
    for highest in range(GRAND, max(steps.values(), default=0) + 1):
        yield tuple(sorted(name for name, step in steps.items() if 1 <= step <= highest and name not in TOO_WIDE))


@lru_cache(CACHE)
def antonyms(word: str, pos: str) -> frozenset[str]:
    """Return antonyms of a word's main senses; a satellite adjective has those of its head ("tiny" has "large").

    >>> "large" in antonyms("tiny", "a"), antonyms("push", "v")
    (True, frozenset({'pull'}))
    """
    main = senses(word, pos)[:MAIN_SENSES]
    direct = {a.name() for s in main for lemma in s.lemmas() if lemma.name().replace("_", " ") == word for a in lemma.antonyms()}
    if pos == "a" and not direct:
        heads = (h for s in main[:1] if s.pos() == "s" for h in s.similar_tos())
        direct = {a.name() for h in heads for lemma in h.lemmas() for a in lemma.antonyms()}
    return frozenset(name.replace("_", " ") for name in direct)


@lru_cache(CACHE)
def synonyms(word: str, pos: str) -> frozenset[str]:
    """Return the words that share one of the main senses."""
    synsets = common_senses(word) if pos == "n" else senses(word, pos)[:MAIN_SENSES]
    return frozenset(name for s in synsets for name in spellings(s)) - {word}


@lru_cache(CACHE)
def alike(one: str, other: str) -> bool:
    """Return whether two adjectives are in one WordNet cluster, as "big" and "huge" are."""
    return not _cluster(one).isdisjoint(_cluster(other))


@lru_cache(CACHE)
def _cluster(adjective: str) -> frozenset[str]:
    """Return the names of a word's main senses and, for satellites, of their heads."""
    main = senses(adjective, "a")[:MAIN_SENSES]
    return frozenset(h.name() for s in main for h in (s, *s.similar_tos()) if h == s or (s.pos() == "s" and h.pos() == "a"))


@lru_cache(CACHE)
def kind_of(narrow: str, wide: str) -> bool:
    """Return whether ``wide`` is a hypernym of ``narrow`` in any main senses; a compound is a kind of its last word.

    >>> kind_of("dog", "animal"), kind_of("stop sign", "sign"), kind_of("dog", "cat")
    (True, True, False)
    """
    if narrow.endswith(f" {wide}"):
        return True
    return any(s.name() in above(narrow) for s in common_senses(wide)) and wide not in synonyms(narrow, "n")


@lru_cache(CACHE)
def above(noun: str) -> frozenset[str]:
    """Return the names of a noun's common senses and of all their hypernyms."""
    return frozenset(name for s in common_senses(noun) for name in ancestors(s))
