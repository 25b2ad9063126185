"""Captions with their words in another order, as COCO- and Flickr30k-Order have them (Yuksekgonul et al., ICLR 2023, table 1).

A shuffle is drawn by the seed, the caption's id and the perturbation's name alone, so that everybody has the same one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language

Words = Sequence[str]
DRAWS = 20
"""Draws of an order before a caption counts as one that has no other: of two different words one draw in two gives another."""
NAMING = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "JJS"})
"""The tags of nouns and adjectives in the Penn scheme."""


def words_of(caption: str, most: int) -> list[str]:
    """At most ``most`` words of a caption, as ARO asks them: in lower case and without the signs ``.!"()*#:;~``.

    >>> words_of('A "blue" ball, (behind) a chair.', 30)
    ['a', 'blue', 'ball,', 'behind', 'a', 'chair']
    """
    return re.sub(r"[.!\"()*#:;~]", " ", caption.lower()).split()[:most]


def nouns_and_adjectives(words: Words, tags: Words, draw: Random) -> list[str]:
    """Nouns change places with nouns, and adjectives with adjectives."""
    shuffled = list(words)
    for letters in ("NN", "JJ"):
        shuffled = _among([i for i, tag in enumerate(tags) if tag in NAMING and tag.startswith(letters)], shuffled, draw)
    return shuffled


def all_but_nouns_and_adjectives(words: Words, tags: Words, draw: Random) -> list[str]:
    """All other words change places."""
    return _among([i for i, tag in enumerate(tags) if tag not in NAMING], list(words), draw)


def within_trigrams(words: Words, tags: Words, draw: Random) -> list[str]:
    """The words of every three change places."""
    shuffled = list(words)
    for start in range(0, len(words), 3):
        shuffled = _among(range(start, min(start + 3, len(words))), shuffled, draw)
    return shuffled


def trigrams(words: Words, tags: Words, draw: Random) -> list[str]:
    """Every three words stay together, and change places with other threes."""
    threes = [words[start : start + 3] for start in range(0, len(words), 3)]
    draw.shuffle(threes)
    return [word for three in threes for word in three]


def all_words(words: Words, tags: Words, draw: Random) -> list[str]:
    """All words change places."""
    return _among(range(len(words)), list(words), draw)


def _among(places: Sequence[int], words: list[str], draw: Random) -> list[str]:
    """The words at ``places``, in a drawn order; the others stay."""
    order = list(places)
    draw.shuffle(order)
    for place, source in zip(places, [words[i] for i in order], strict=True):
        words[place] = source
    return words


ORDER: dict[str, Callable[[Words, Words, Random], list[str]]] = {
    "nouns_and_adjectives": nouns_and_adjectives,
    "all_but_nouns_and_adjectives": all_but_nouns_and_adjectives,
    "within_trigrams": within_trigrams,
    "trigrams": trigrams,
}
"""The four alternatives of the Order sets."""
RETRIEVAL = {**ORDER, "all_words": all_words}
"""The perturbations of the captions in perturbed retrieval (appendix, table 3)."""


def shuffled(name: str, words: Words, tags: Words, key: str, unlike: Container[str | None] = ()) -> str | None:
    """The caption of ``words`` after the perturbation ``name``.

    Args:
        tags: the words' Penn tags.
        key: draws the order: the seed and the caption's id.
        unlike: captions that it must not be; ``None`` where no draw gives another, as of two equal words.
    """
    draw = Random(f"{key}:{name}")
    drawn = (" ".join(RETRIEVAL[name](words, tags, draw)) for _ in range(DRAWS))
    return next((text for text in drawn if text not in unlike), None)


def alternatives(words: Words, tags: Words, key: str) -> dict[str, str | None]:
    """The shuffles of :data:`ORDER`, each unlike the caption and unlike those before it; ``None`` for what has no such order.

    Args:
        tags, key: see :func:`shuffled`.
    """
    texts: dict[str, str | None] = {}
    for name in ORDER:
        texts[name] = shuffled(name, words, tags, key, unlike=(" ".join(words), *texts.values()))
    return texts


def penn_tags(nlp: Language, captions: Iterable[list[str]]) -> Iterator[list[str]]:
    """The Penn tags of captions that are words already: a tag a word, whatever mark ends it (no tagger knows "desk,")."""
    from spacy.tokens import Doc

    docs = (Doc(nlp.vocab, words=[word.rstrip(",'") or word for word in words]) for words in captions)
    yield from ([token.tag_ for token in doc] for doc in nlp.pipe(docs, disable=["parser"]))
