"""The probability that two names mean one thing, and what a name implies: a person's sex and age, or a number.

WordNet gives synonyms, hypernyms and parts. How often people call a street a road, or a cup a mug, is counted
(:mod:`stages.negatives.counts`). "Man", "surfer" and "player" may be one person; only sex and age tell people apart.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from stages.negatives import counts
from stages.negatives.counts import Counts, Habits
from stages.semantics import attributes, wordnet
from stages.semantics.usage import Usage
from stages.text.grammar_words import AT_LEAST
from stages.text.lexicon import NUMBERS, words
from stages.text.word_classes import is_body_part, is_person

CACHE = 1 << 18
PAIRS = 1 << 21
"""Maximum number of cached pairs of names: some 40 bytes each."""
LIKELY = 0.5
"""Minimum probability of what counts as true: by definition, what is as likely as not."""
OPEN = 0.25
"""Prior of what nothing known supports or rules out (a guess; high, so that it is refused): that a relation holds between two
things without known relations, that a thing has an attribute of no exclusive class, that a part of a known thing, or the whole that
a known part belongs to, is visible but not mentioned, that whom one annotator calls a man another calls a surfer."""
ALIKE = 0.1
"""Two names that mean one thing with this probability do not stand for two things in one caption (a guess)."""
SIBLING = 0.05
"""Prior that two direct hyponyms of one WordNet sense mean one thing (a guess)."""

MALE = words("man boy guy gentleman father son brother husband king groom male dad grandfather businessman lad")
FEMALE = words("woman girl lady mother daughter sister wife queen bride female mom grandmother businesswoman gal")
ADULT = words("man woman gentleman lady father mother husband wife adult businessman businesswoman")
BABY = words("baby infant toddler newborn")


def _last(name: str) -> str:
    return name.rsplit(" ", 1)[-1]


@lru_cache(CACHE)
def may_be_one_person(one: str, other: str) -> bool:
    """Return whether two names of persons are compatible in sex and, for a baby and an adult, in age."""
    a, b = _last(one), _last(other)
    by_sex = (a in MALE and b in FEMALE) or (a in FEMALE and b in MALE)
    by_age = (a in ADULT and b in BABY) or (a in BABY and b in ADULT)
    return not (by_sex or by_age)


@lru_cache(CACHE)
def has_body(name: str) -> bool:
    """Return whether a name is a person's or an animal's."""
    sense = wordnet.sense(name)
    return is_person(name) or (sense is not None and sense.lexname() == "noun.animal")


@lru_cache(CACHE)
def _may_be_person(name: str) -> bool:
    """Return whether a name means a person, mostly or in the sense that is taken for it (a "model" on a sidewalk)."""
    sense = wordnet.sense(name)
    return is_person(name) or (sense is not None and sense.lexname() == "noun.person")


@lru_cache(CACHE)
def may_be_part(part: str, whole: str) -> bool:
    """Return whether a thing is a part of things like ``whole``: some known whole of it is in the same lexical file of WordNet.

    >>> may_be_part("roof", "car"), may_be_part("roof", "man"), may_be_part("hat", "car")
    (True, False, False)
    """
    sense = wordnet.sense(whole)
    wholes = (h.lexname() for s in wordnet.common_senses(part) for h in s.part_holonyms())
    return sense is not None and sense.lexname() in wholes


@lru_cache(CACHE)
def similar(one: str, other: str) -> bool:
    """Return whether a hypernym or grand-hypernym of either name is above the other: people may mistake one for the other.

    >>> similar("sweater", "jacket"), similar("duck", "ostrich"), similar("table", "jacket")
    (True, True, False)
    """
    senses = [wordnet.sense(name) for name in (one, other)]
    if None in senses:
        return False
    above = [wordnet.ancestors(sense) for sense in senses if sense]
    near = [next(wordnet.hypernyms(name), ()) for name in (one, other)]
    return not (above[0].keys().isdisjoint(near[1]) and above[1].keys().isdisjoint(near[0]))


def says_nothing(name: str) -> bool:
    """Return whether a name carries no information, such as "thing" and "left side"."""
    return _last(name) in wordnet.ANYTHING


class Meanings:
    """What names imply about each other, by WordNet's common senses, the training captions' words and people's habits.

    Args:
        nouns: the number of training captions that name each noun.
        below: the nouns below each WordNet sense.
        usage: which words people use with which nouns.
    """

    def __init__(self, nouns: Mapping[str, int], below: Mapping[str, Sequence[str]], habits: Habits, usage: Usage):
        self.nouns, self.below, self.habits, self.usage = nouns, below, habits, usage
        self.has, self._pairs = lru_cache(CACHE)(self._has), defaultdict[str, dict[str, float]](dict)
        self._known_pairs = 0
        self._share = lru_cache(CACHE)(usage.share)

    def one_thing(self, known: str, asked: str) -> float:
        """Return :meth:`_one_thing`, cached by names asked for: a cache of pairs takes seven times the memory."""
        pairs = self._pairs[asked]
        if known not in pairs:
            if self._known_pairs == PAIRS:
                self._pairs.clear()
                self._known_pairs, pairs = 0, self._pairs[asked]
            pairs[known] = self._one_thing(known, asked)
            self._known_pairs += 1
        return pairs[known]

    def _one_thing(self, known: str, asked: str) -> float:
        """Return the probability that a thing called ``known`` may also be called ``asked``.

        A dog is an animal; an animal is a dog as often as captions' words below "animal" are "dog"; a street is a road as often as
        people who describe one image call it sometimes the one and sometimes the other.
        """
        if known == asked:
            return 1.0
        if says_nothing(known) or not self._related(known, asked):
            return 0.0
        same = known.endswith(f" {asked}") or asked in wordnet.synonyms(known, "n") or wordnet.kind_of(known, asked)
        if says_nothing(asked) or same:
            return 1.0
        found = max(self.habits.one_thing(known, asked), self._narrower(known, asked))
        if _may_be_person(known) and _may_be_person(asked):
            return max(found, OPEN) if may_be_one_person(known, asked) else 0.0
        return min(1.0, found + self._siblings(known, asked))

    def _related(self, known: str, asked: str) -> bool:
        """Return whether any rule connects two names; most pairs have nothing in common and need no further lookup."""
        connected = says_nothing(asked) or not _keys(known).isdisjoint(_keys(asked, turned=True))
        return connected or self.habits.one_thing(known, asked) > 0

    def alike(self, one: str, other: str) -> bool:
        """Return whether a reader may take one name to mean the other's thing."""
        return max(self.one_thing(one, other), self.one_thing(other, one)) >= ALIKE

    def _has(self, known: frozenset[str], asked: str, name: str) -> float:
        """Return the probability that a thing called ``name`` with the attributes ``known`` has ``asked``.

        An attribute that excludes ``asked`` rules it out; without one, the probability is that for all such things.
        """
        if any(attributes.implies(k, asked) for k in known):
            return 1.0
        if not attributes.classes(asked):
            return OPEN * min(1.0, self.usage.attribute(name, asked))
        # A person's colours belong to clothes, skin and hair, and captions do not say to which.
        if "colour" in attributes.classes(asked) and is_person(name):
            return OPEN
        against = [k for k in sorted(known) if attributes.excludes(k, asked)]
        # Silver can be a colour as well as a material, and a thing of two colours may have a third.
        if attributes.classes(asked).keys() == {"material"}:
            against = [k for k in against if "colour" not in attributes.classes(k)]
        if any(attributes.excludes(one, other) for one, other in combinations(against, 2)):
            against = []
        # A word that people never use may apply to anything.
        usual = min(OPEN, self._share(name, asked) or OPEN)
        return max((self.habits.also(k, asked) for k in against), default=usual)

    def _narrower(self, known: str, asked: str) -> float:
        """Return how often a thing with a broad name is one with the narrow name, at least as often as siblings mean one thing."""
        count = self.nouns.get(asked, 1)
        if asked.endswith(f" {known}"):
            return max(ALIKE, min(1.0, count / max(self.nouns.get(known, 0), 1)))
        if not wordnet.kind_of(asked, known):
            return 0.0
        sense = wordnet.sense(known)
        named = sum(self.nouns.get(noun, 0) for noun in self.below.get(sense.name() if sense else "", ()))
        return max(ALIKE, count / max(named, count))

    def _siblings(self, known: str, asked: str) -> float:
        """Return WordNet's prior for siblings, lowered by how often people had the choice between the two names."""
        one, other = wordnet.sense(known), wordnet.sense(asked)
        if one is None or other is None:
            return SIBLING if _last(known) == _last(asked) else 0.0
        if one != other and {h.name() for h in one.hypernyms()}.isdisjoint(h.name() for h in other.hypernyms()):
            return 0.0
        return SIBLING * counts.PRIOR / (counts.PRIOR + self.habits.looks(known, asked))

    def number(self, attribute: str) -> int:
        """Return the number that an attribute states; 1 for any other word."""
        return NUMBERS.get(attribute) or AT_LEAST.get(attribute, 1)

    def unmentioned(self, name: str, said: frozenset[str]) -> float:
        """Return the probability that an image in which ``said`` is known shows a further thing called ``name``.

        A part of a known thing usually shows, and so does the whole of a known part: a person with a head has hands. A thing may
        also go by its head word.
        """
        senses, wholes = _parts_and_wholes(said)
        whole = not (wordnet.above(name).isdisjoint(wholes) and wordnet.wholes(name).isdisjoint(senses))
        whole = whole or (is_body_part(name) and any(map(has_body, said)))
        head = _last(name)
        of_head = 0.0 if head in (name, *wordnet.ANYTHING) else self.habits.unmentioned(head, said) * self._narrower(head, name)
        return max(self.habits.unmentioned(name, said), of_head, OPEN if whole else 0.0)


class Index:
    """The places of names, found by what connects a name with other names."""

    def __init__(self, habits: Habits):
        self._habits, self._places = habits, dict[str, list[int]]()
        self._by_key: defaultdict[str, list[str]] = defaultdict(list)

    def add(self, names: Iterable[str], place: int) -> None:
        """Add a place to each of ``names``."""
        for name in names:
            if name not in self._places:
                self._places[name] = []
                for key in _keys(name):
                    self._by_key[key].append(name)
            self._places[name].append(place)

    def related(self, asked: str) -> Mapping[str, Sequence[int]]:
        """Return the names that any rule connects with ``asked``, in the order in which they were added, with their places."""
        if says_nothing(asked):
            return self._places
        found = {name for key in _keys(asked, turned=True) for name in self._by_key.get(key, ())}
        found.update((asked, *self._habits.partners.get(asked, ())))
        return {name: places for name, places in self._places.items() if name in found}


@lru_cache(CACHE)
def _keys(name: str, turned: bool = False) -> frozenset[str]:
    """Return what a name shares with related names: its last word, and its senses and their hypernyms.

    One name's senses or their hypernyms are among the other's senses and direct hypernyms, hence ``turned`` for the other name.
    """
    above, parents = ("=", "<") if turned else ("<", "=")
    senses = (*(above + sense for sense in wordnet.above(name)), *(parents + sense for sense in wordnet.parents(name)))
    person = ("person",) if _may_be_person(name) else ()
    return frozenset(map(sys.intern, (_last(name), *senses, *person)))


@lru_cache(2)
def _parts_and_wholes(names: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the WordNet senses of names, and the senses that they are parts of."""
    each = [(wordnet.above(name), wordnet.wholes(name)) for name in sorted(names)]
    return frozenset().union(*(senses for senses, _ in each)), frozenset().union(*(wholes for _, wholes in each))


def shipped() -> Meanings:
    """Return meanings by WordNet and the shipped counts only, without training captions or the user's annotations."""
    return Meanings({}, {}, Habits(Counts(), counts.shipped()), Usage.none())
