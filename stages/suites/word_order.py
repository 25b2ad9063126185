"""Captions with their words in another order, as in COCO- and Flickr30k-Order (Yuksekgonul et al., ICLR 2023, table 1).

A shuffle depends only on the seed, the caption's id and the perturbation's name, so that everybody gets the same one.
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
"""Number of draws before a caption counts as having no other order: with two different words, every second draw is another."""
NAMING = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "JJS"})
"""The tags of nouns and adjectives in the Penn scheme."""


def words_of(caption: str, most: int) -> list[str]:
    """Return at most ``most`` words of a caption in ARO's form: in lower case and without the characters ``.!"()*#:;~``.

    >>> words_of('A "blue" ball, (behind) a chair.', 30)
    ['a', 'blue', 'ball,', 'behind', 'a', 'chair']
    """
    return re.sub(r"[.!\"()*#:;~]", " ", caption.lower()).split()[:most]


def _every(places: Sequence[int], size: int) -> list[Sequence[int]]:
    return [places[start : start + size] for start in range(0, len(places), size)]


def _tagged(tags: Words) -> tuple[list[int], list[int], list[int]]:
    """Return the places of nouns, of adjectives, and of all other words."""
    kinds = [tag[:2] if tag in NAMING else "" for tag in tags]
    nouns, adjectives, others = ([i for i, kind in enumerate(kinds) if kind == wanted] for wanted in ("NN", "JJ", ""))
    return nouns, adjectives, others


GROUPS: dict[str, Callable[[Words], Iterable[Sequence[int]]]] = {
    "nouns_and_adjectives": lambda tags: _tagged(tags)[:2],
    "all_but_nouns_and_adjectives": lambda tags: _tagged(tags)[2:],
    "within_trigrams": lambda tags: _every(range(len(tags)), 3),
    "all_words": lambda tags: [range(len(tags))],
}
"""By perturbation: the groups of places within which words are exchanged, given the words' tags."""
ORDER = ("nouns_and_adjectives", "all_but_nouns_and_adjectives", "within_trigrams", "trigrams")
"""The four alternatives of the Order sets. In ``trigrams`` every three words stay together, and change places with other threes."""
RETRIEVAL = (*ORDER, "all_words")
"""The perturbations of the captions in perturbed retrieval (appendix, table 3)."""


def _drawn(name: str, words: Words, tags: Words, draw: Random) -> str:
    """Return the words after the perturbation ``name``, once."""
    order = list(range(len(words)))
    if name == "trigrams":
        threes = _every(order, 3)
        draw.shuffle(threes)
        order = [i for three in threes for i in three]
    else:
        for places in GROUPS[name](tags):
            sources = list(places)
            draw.shuffle(sources)
            for place, source in zip(places, sources, strict=True):
                order[place] = source
    return " ".join(words[i] for i in order)


def shuffled(name: str, words: Words, tags: Words, key: str, unlike: Container[str | None] = ()) -> str | None:
    """Return the caption of ``words`` after the perturbation ``name``.

    Args:
        tags: the words' Penn tags.
        key: determines the order: the seed and the caption's id.
        unlike: captions that it must differ from; ``None`` where no draw does, as for two equal words.
    """
    draw = Random(f"{key}:{name}")
    drawn = (_drawn(name, words, tags, draw) for _ in range(DRAWS))
    return next((text for text in drawn if text not in unlike), None)


def alternatives(words: Words, tags: Words, key: str) -> dict[str, str | None]:
    """Return the shuffles of :data:`ORDER`, each different from the caption and the others; ``None`` if there is no such order."""
    texts: dict[str, str | None] = {}
    for name in ORDER:
        texts[name] = shuffled(name, words, tags, key, unlike=(" ".join(words), *texts.values()))
    return texts


def penn_tags(nlp: Language, captions: Iterable[list[str]]) -> Iterator[list[str]]:
    """Yield the Penn tags of captions given as words: a tag a word, with or without a final mark (no tagger knows "desk,")."""
    from spacy.tokens import Doc

    docs = (Doc(nlp.vocab, words=[word.rstrip(",'") or word for word in words]) for words in captions)
    yield from ([token.tag_ for token in doc] for doc in nlp.pipe(docs, disable=["parser"]))


def order_id(key: str, number: int) -> str:
    """Return the id of a caption's query with the orders of a draw, which are numbered from 0.

    >>> order_id("7-2", 0), order_id("7-2", 1), draw_of("order-7-2"), draw_of("order-7-2-1")
    ('order-7-2', 'order-7-2-1', 0, 1)
    """
    return f"order-{key}-{number}" if number else f"order-{key}"


def draw_of(query_id: str) -> int:
    """Return the number of a query's draw of orders."""
    number = query_id.split("-")[3:]
    return int(number[0]) if number else 0
