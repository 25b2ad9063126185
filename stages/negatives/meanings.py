"""Which names may be one thing's, as probabilities, and what a name says of a thing: a person's sex and age, how many there are.

WordNet gives synonyms, hypernyms and parts. That people call a street a road, and a cup a mug, is counted
(:mod:`stages.negatives.counts`). "Man", "surfer" and "player" may be one person; only sex and age separate persons.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from stages.language.lexicon import NUMBERS, words
from stages.negatives import counts
from stages.negatives.counts import Counts, Habits
from stages.semantics import attributes, wordnet
from stages.semantics.usage import Usage
from stages.wording.lexicon import AT_LEAST
from stages.wording.word_classes import is_body_part, is_person

CACHE = 1 << 18
LIKELY = 0.5
"""What is as probable as this is taken to be true."""
OPEN = 0.25
"""That a relation holds of two things of which nothing is known, or that a thing has an attribute of no exclusive class (a guess;
high, so that what nothing rules out is refused)."""
ALIKE = 0.1
"""Two names that are one thing's with this probability are not said of two things of one caption."""
SIBLING = 0.05
"""That two names right below one sense of WordNet are one thing's, before anything is counted (a guess)."""
SAME_PERSON = 0.15
"""That the person whom one calls a man is the one whom another calls a surfer (a guess)."""
PART = 0.2
"""That a part of a known thing, or the whole of which it is one, shows although nobody mentions it (a guess)."""

MALE = words("man boy guy gentleman father son brother husband king groom male dad grandfather businessman lad")
FEMALE = words("woman girl lady mother daughter sister wife queen bride female mom grandmother businesswoman gal")
ADULT = words("man woman gentleman lady father mother husband wife adult businessman businesswoman")
BABY = words("baby infant toddler newborn")


def _last(name: str) -> str:
    return name.rsplit(" ", 1)[-1]


@lru_cache(CACHE)
def may_be_one_person(one: str, other: str) -> bool:
    """Return whether neither sex nor, of a baby and an adult, age separates two names of persons."""
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
def may_be_part(part: str, whole: str) -> bool:
    """Return whether a thing is a part of such things as ``whole``: what it is a part of is in the same lexical file of WordNet.

    >>> may_be_part("roof", "car"), may_be_part("roof", "man"), may_be_part("hat", "car")
    (True, False, False)
    """
    sense = wordnet.sense(whole)
    wholes = (h.lexname() for s in wordnet.common_senses(part) for h in s.part_holonyms())
    return sense is not None and sense.lexname() in wholes


def says_nothing(name: str) -> bool:
    """Return whether a name says nothing of its thing, as "thing" and "left side"."""
    return _last(name) in wordnet.ANYTHING


class Meanings:
    """What names say of each other, by WordNet's common senses, the training captions' words and people's habits.

    Args:
        nouns: how many training captions name each noun.
        below: the nouns that stand below each of WordNet's senses.
        usage: what people say of which nouns.
    """

    def __init__(self, nouns: Mapping[str, int], below: Mapping[str, Sequence[str]], habits: Habits, usage: Usage):
        self.nouns, self.below, self.habits, self.usage = nouns, below, habits, usage
        self._parts_and_wholes = lru_cache(2)(_parts_and_wholes)
        self.one_thing, self.has = lru_cache(4 * CACHE)(self._one_thing), lru_cache(CACHE)(self._has)
        self._share = lru_cache(CACHE)(usage.share)

    def _one_thing(self, known: str, asked: str) -> float:
        """Return the probability that what is called ``known`` may be called ``asked`` as well.

        A dog is an animal; an animal is a dog as often as the words below "animal" that captions use are "dog"; a street is a road
        as often as people who describe one image call it now the one and now the other.
        """
        if known == asked:
            return 1.0
        if says_nothing(known) or not self._related(known, asked):
            return 0.0
        same = known.endswith(f" {asked}") or asked in wordnet.synonyms(known, "n") or wordnet.kind_of(known, asked)
        if says_nothing(asked) or same:
            return 1.0
        found = max(self.habits.one_thing(known, asked), self._narrower(known, asked))
        if is_person(known) and is_person(asked):
            return max(found, SAME_PERSON) if may_be_one_person(known, asked) else 0.0
        return min(1.0, found + self._siblings(known, asked))

    def _related(self, known: str, asked: str) -> bool:
        """Return whether anything connects two names: most pairs have nothing in common, and are looked at no further."""
        if _last(known) == _last(asked) or says_nothing(asked) or self.habits.one_thing(known, asked):
            return True
        near = wordnet.above(known), wordnet.above(asked), wordnet.parents(known), wordnet.parents(asked)
        return not near[0].isdisjoint(near[3]) or not near[1].isdisjoint(near[2]) or (is_person(known) and is_person(asked))

    def alike(self, one: str, other: str) -> bool:
        """Return whether a reader may take the one name for the other's thing."""
        return max(self.one_thing(one, other), self.one_thing(other, one)) >= ALIKE

    def _has(self, known: frozenset[str], asked: str, name: str) -> float:
        """Return the probability that a thing called ``name`` with the attributes ``known`` has ``asked``.

        What excludes ``asked`` rules it out; of a thing of which nothing is known that does, it is as probable as of such things.
        """
        if any(attributes.implies(k, asked) for k in known):
            return 1.0
        if not attributes.classes(asked):
            return OPEN
        # A person's colours are those of clothes, skin and hair, and nobody says which.
        if "colour" in attributes.classes(asked) and is_person(name):
            return OPEN
        against = [k for k in sorted(known) if attributes.excludes(k, asked) and not attributes.leaves_open(k, asked)]
        # Silver is a colour of most things, and says nothing of what they are made of; what is of two colours may have a third.
        if attributes.classes(asked).keys() == {"material"}:
            against = [k for k in against if "colour" not in attributes.classes(k)]
        if any(attributes.excludes(one, other) for one, other in combinations(against, 2)):
            against = []
        # A word that nobody says may be any.
        usual = min(OPEN, self._share(name, asked) or OPEN)
        return max((self.habits.also(k, asked) for k in against), default=usual)

    def _narrower(self, known: str, asked: str) -> float:
        """Return how often what has a wide name is what a narrow one means; at least as often as siblings are one thing."""
        count = self.nouns.get(asked, 1)
        if asked.endswith(f" {known}"):
            return max(ALIKE, min(1.0, count / max(self.nouns.get(known, 0), 1)))
        if not wordnet.kind_of(asked, known):
            return 0.0
        sense = wordnet.sense(known)
        named = sum(self.nouns.get(noun, 0) for noun in self.below.get(sense.name() if sense else "", ()))
        return max(ALIKE, count / max(named, count))

    def _siblings(self, known: str, asked: str) -> float:
        """Return what WordNet's tree says, the less the more often people had the choice between the two names."""
        one, other = wordnet.sense(known), wordnet.sense(asked)
        if one is None or other is None:
            return SIBLING if _last(known) == _last(asked) else 0.0
        if one != other and {h.name() for h in one.hypernyms()}.isdisjoint(h.name() for h in other.hypernyms()):
            return 0.0
        return SIBLING * counts.PRIOR / (counts.PRIOR + self.habits.looks(known, asked))

    def number(self, attribute: str) -> int:
        """Return how many things an attribute counts; 1 for any other word."""
        return NUMBERS.get(attribute) or AT_LEAST.get(attribute, 1)

    def unmentioned(self, name: str, said: frozenset[str]) -> float:
        """Return the probability that an image of which ``said`` is known shows a further thing called ``name``.

        A part of a known thing mostly shows, and so does the whole of a known part: who has a head has hands. What goes by its head
        word may be named by it.
        """
        senses, wholes = self._parts_and_wholes(said)
        whole = not (wordnet.above(name).isdisjoint(wholes) and wordnet.wholes(name).isdisjoint(senses))
        whole = whole or (is_body_part(name) and any(map(has_body, said)))
        head = _last(name)
        of_head = 0.0 if head in (name, *wordnet.ANYTHING) else self.habits.unmentioned(head, said) * self._narrower(head, name)
        return max(self.habits.unmentioned(name, said), of_head, PART if whole else 0.0)


def _parts_and_wholes(names: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the senses of WordNet that names have, and those that they are parts of."""
    each = [(wordnet.above(name), wordnet.wholes(name)) for name in sorted(names)]
    return frozenset().union(*(senses for senses, _ in each)), frozenset().union(*(wholes for _, wholes in each))


def shipped() -> Meanings:
    """Return what WordNet and the shipped counts say, where there are no training captions and no annotations of the user's."""
    return Meanings({}, {}, Habits(Counts(), counts.shipped()), Usage.none())
