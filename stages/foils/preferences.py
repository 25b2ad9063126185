"""What words ask of things where no table says it, as far as captions tell (Resnik, 1996).

"Shadows are cast", and nobody else is; what is sparse is a tree, or hair. The tables of :mod:`stages.semantics.restrictions` have
the words that captions say most; any other word can be said of things that are of a sort with others of which captions say it, and
hardly larger or smaller than these. "Football" goes only before those nouns that captions say it of, and nothing has wings but what
captions give them. What neither a table nor captions tell the use of can be said of nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import product

from stages.language.lexicon import words
from stages.semantics import relations, selection, things

SORTS = words(
    """
    person animal toy plant food drink body hair clothing vehicle building room furniture door window way ground water sky cover
    sheet cord tool device container part text mark worn group lamp dish substance
    """
)
"""The kinds of things.tsv that say what a thing is."""
BESIDE = words("part text mark worn group lamp dish substance")
"""Those of them that a thing may be beside what it is first of all."""
ENOUGH = 4
"""So many different compounds of a word tell what it is said of; of fewer its verb does, or its place."""
TWICE = 2
"""One caption alone may have been misread."""
ENDLESS = 9
"""The size of ground, water and sky in the table of things."""
ROOM = 1
"""A thing may be larger or smaller by so much than any of which captions say the word."""

Family = tuple[str, str]
"""A kind of compound, and a word or what speaks for it (:func:`stages.foils.vectors.families`)."""


class Preferences:
    """Of which sorts and sizes those things are that captions say words of and that have a row in the table of things."""

    def __init__(self) -> None:
        self._sorts: defaultdict[Family, Counter[tuple[str, ...]]] = defaultdict(Counter)
        self._sizes: defaultdict[tuple[Family, int], set[int]] = defaultdict(set)
        self._distinct: Counter[Family] = Counter()
        self._said: Counter[tuple[str, tuple[str, ...]]] = Counter()
        self._parts: Counter[tuple[str, str]] = Counter()

    def add(self, kind: str, families: Iterable[str], nouns: tuple[str, ...], count: int) -> None:
        """A compound that captions say ``count`` times; its word comes first among its ``families``."""
        word, *_ = families = list(families)
        self._said[word, nouns] += count
        if not all(map(things.row, nouns)):
            return
        if kind == "relation":
            self._parts.update({pair: count for pair in part_and_whole(nouns[0], word, nouns[1])})
        for family in ((kind, name) for name in families):
            self._distinct[family] += 1
            self._sorts[family].update(dict.fromkeys(product(*map(sorts, nouns)), count))
            for place, noun in enumerate(nouns):
                self._sizes[family, place] |= _size(noun)

    def allow(self, kind: str, families: Iterable[str], nouns: tuple[str, ...]) -> bool:
        """Can the first of the ``families`` be said of such things?"""
        if not self._distinct:
            return True
        word, *_ = families = list(families)
        if kind == "relation" and not all(self._has(part, whole) for part, whole in part_and_whole(nouns[0], word, nouns[1])):
            return False
        if self._said[word, nouns] >= TWICE or selection.has_rule(kind, word):
            return True
        if kind == "attribute" and selection.names(word):
            return False
        family = next(((kind, name) for name in families if self._distinct[kind, name] >= ENOUGH), None)
        if family is None:
            return False
        seen = self._sorts[family]
        of_sort = any(seen[pair] >= TWICE for pair in product(*map(sorts, nouns)))
        return of_sort and all(_near(_size(noun), self._sizes[family, place]) for place, noun in enumerate(nouns))

    def _has(self, part: str, whole: str) -> bool:
        """Do captions say that such a thing has such a part, of it or of what it may be called as well?"""
        thing = things.of(whole)
        return any(self._parts[part, name] for name in (whole, *(thing.also if thing else ())))


def part_and_whole(subject: str, relation: str, object_: str) -> list[tuple[str, str]]:
    """What is said to be a part, and of what: "a wing of a plane", "a plane with a wing", "a wing on a plane".

    >>> part_and_whole("plane", "have", "wing"), part_and_whole("wing", "on", "plane"), part_and_whole("plane", "on", "road")
    ([('wing', 'plane')], [('wing', 'plane')], [])
    """
    verb, place = relations.read(relation)
    if verb == "have" or (not verb and place == "with"):
        subject, object_ = object_, subject
    elif verb or place not in ("of", "on"):
        return []
    part, whole = things.of(subject), things.of(object_)
    if part is None or whole is None or part.kinds.isdisjoint(("part", "body")):
        return []
    return [(subject, object_)] if place != "on" or not whole.kinds.isdisjoint(WHOLES) else []


WHOLES = words("vehicle device animal person toy body clothing")
"""What on these is a part, is one of theirs; on a wall, or a table, anything may be."""


def sorts(noun: str) -> frozenset[str]:
    """What a thing is, first of all.

    >>> sorted(sorts("laptop")), sorted(sorts("shadow"))
    (['device'], ['mark'])
    """
    thing = things.of(noun)
    own = thing.kinds & SORTS if thing else frozenset[str]()
    return own - BESIDE or own


def alike(noun: str, others: Iterable[str]) -> list[str]:
    """Those of the ``others`` with a row in the table of things that are of a sort with a noun, and of about its size.

    >>> alike("pillow", ["cushion", "cloud", "blanket", "curtain"]), alike("animal", ["dog"])
    (['cushion', 'blanket'], [])
    >>> alike("corkboard", ["website", "video"]), alike("lawn", ["yard", "field"])
    ([], [])
    """
    own = things.of(noun)
    # What has no end, as ground and sky, is called by many of its neighbours' names.
    if own is None or own.size in (None, ENDLESS) or "vague" in own.kinds:
        return []
    rows = ((other, things.row(other)) for other in others)
    sized = [(other, row) for other, row in rows if row and row.size and abs(row.size - own.size) <= ROOM]
    # Beside a corkboard stand texts, as a website is one: what a thing is beside what it is first of all says too little.
    return [other for other, row in sized if own.kinds & row.kinds & (SORTS - BESIDE)]


def _size(noun: str) -> set[int]:
    thing = things.of(noun)
    return set() if thing is None or thing.size is None else {thing.size}


def _near(own: set[int], seen: set[int]) -> bool:
    return not own or not seen or min(seen) - ROOM <= min(own) <= max(seen) + ROOM
