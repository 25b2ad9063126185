"""Which names may be one thing's, as probabilities, and what a name tells of a thing: a person, clothing, how many.

WordNet gives synonyms, hypernyms and parts; that people call a street a road, and a cup a mug, is counted
(:mod:`stages.foils.counts`). "Man", "surfer" and "player" may be one person, whom only sex and age tell from another.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from stages.foils import counts, nearness
from stages.foils.counts import Counts, Habits
from stages.foils.sense import Sense
from stages.foils.sorts import sorts
from stages.language.lexicon import NUMBERS, words
from stages.semantics import things, wordnet
from stages.wording.lexicon import AT_LEAST
from stages.wording.word_classes import is_person

CACHE = 1 << 18

MALE = words("man boy guy gentleman father son brother husband king groom male dad grandfather businessman lad")
FEMALE = words("woman girl lady mother daughter sister wife queen bride female mom grandmother businesswoman gal")
ADULT = words("man woman gentleman lady father mother husband wife adult businessman businesswoman")
BABY = words("baby infant toddler newborn")


def _last(name: str) -> str:
    return name.rsplit(" ", 1)[-1]


@lru_cache(CACHE)
def is_clothing(name: str) -> bool:
    """
    >>> is_clothing("trousers"), is_clothing("red hat"), is_clothing("box")
    (True, True, False)
    """
    return any(wordnet.kind_of(_last(name), kind) for kind in ("clothing", "headdress", "footwear"))


@lru_cache(CACHE)
def may_be_one_person(one: str, other: str) -> bool:
    """Two persons are told apart by sex and, a baby from a grown person, by age; by nothing else that a name says."""
    a, b = _last(one), _last(other)
    by_sex = (a in MALE and b in FEMALE) or (a in FEMALE and b in MALE)
    by_age = (a in ADULT and b in BABY) or (a in BABY and b in ADULT)
    return not (by_sex or by_age)


def _also(one: str, other: str) -> bool:
    """Does the table of things give one name as another of the other's?"""
    return any(thing is not None and name in thing.also for name, thing in ((one, things.of(other)), (other, things.of(one))))


@lru_cache(CACHE)
def _of_one_sort(one: str, other: str) -> bool:
    """May two names be one thing's at all? A book is no wall and a jet no runway, though no sentence names both.

    >>> _of_one_sort("couch", "sofa"), _of_one_sort("rail", "railing"), _of_one_sort("book", "wall"), _of_one_sort("jet", "runway")
    (True, True, False, False)
    """
    if things.of(one) is None or things.of(other) is None:
        return True
    return not sorts(one).isdisjoint(sorts(other)) or _also(one, other) or nearness.of("object", one, other) in nearness.PAPER


SAME_PERSON = 0.15
"""That a person whom one calls a man is the one whom another calls a surfer."""
NARROWER = 0.06
"""That what has a wide name is what a narrow one means, at least: nobody can tell from the name that it is not."""
PLACES = {"building": ("building",), "room": ("room", "building")}
"""Which sorts of places a wide name may mean, whatever WordNet says: a library is a building, and a room may be a school's."""
SIBLING = 0.05
"""That two names that stand right below one word of WordNet are one thing's, if nothing is counted."""
ALIKE = 0.1
"""Names that are so probably one thing's are not said beside each other."""
LOOKS = 20
"""So many images in which both names might have been said are as good a reason as WordNet's tree."""


def says_nothing(name: str) -> bool:
    """Does a name tell nothing of the thing that it is given to, as "thing" and "left side"?"""
    return _last(name) in wordnet.ANYTHING


class Meanings:
    """What names say of each other, by WordNet's common senses, the training captions' words and people's habits.

    Args:
        nouns: how many training captions name each noun.
        below: the nouns that stand below each of WordNet's senses.
        sense: what captions say of which nouns.
    """

    def __init__(self, nouns: Mapping[str, int], below: Mapping[str, Sequence[str]], habits: Habits, sense: Sense):
        self.nouns, self.below, self.habits, self.sense = nouns, below, habits, sense
        self.one_thing = lru_cache(CACHE)(self._one_thing)

    def _one_thing(self, known: str, asked: str) -> float:
        """The probability that what is called ``known`` may be called ``asked`` as well.

        A dog is an animal; an animal is a dog as often as the words below "animal" that captions use are "dog"; a street is a road
        as often as people who describe one image call it now the one and now the other.
        """
        if known == asked:
            return 1.0
        if says_nothing(known):
            return 0.0
        if (
            says_nothing(asked)
            or known.endswith(f" {asked}")
            or asked in wordnet.synonyms(known, "n")
            or wordnet.kind_of(known, asked)
        ):
            return 1.0
        counted = self.habits.one_thing(known, asked) if _of_one_sort(known, asked) else 0.0
        found = max(counted, self._narrower(known, asked), ALIKE * _also(known, asked))
        if is_person(known) and is_person(asked):
            return max(found, SAME_PERSON) if may_be_one_person(known, asked) else 0.0
        return min(1.0, found + self._by_kinship(known, asked))

    def alike(self, one: str, other: str) -> bool:
        """May a reader take the one name for the other's?"""
        return max(self.one_thing(one, other), self.one_thing(other, one)) >= ALIKE

    def _narrower(self, known: str, asked: str) -> float:
        """How often what is called by a wide name is what a narrow one means."""
        count = self.nouns.get(asked, 1)
        if asked.endswith(f" {known}"):
            return max(NARROWER, min(1.0, count / max(self.nouns.get(known, 0), 1)))
        if not wordnet.kind_of(asked, known) and things.kinds(asked).isdisjoint(PLACES.get(known, ())):
            return 0.0
        sense = wordnet.sense(known)
        named = sum(self.nouns.get(noun, 0) for noun in self.below.get(sense.name() if sense else "", ()))
        return max(NARROWER, count / max(named, count))

    def _by_kinship(self, known: str, asked: str) -> float:
        """What WordNet's tree says, the less the more often people had the choice between the two names."""
        one, other = wordnet.sense(known), wordnet.sense(asked)
        if one is None or other is None:
            return SIBLING if _last(known) == _last(asked) else 0.0
        if one != other and {h.name() for h in one.hypernyms()}.isdisjoint(h.name() for h in other.hypernyms()):
            return 0.0
        return SIBLING * LOOKS / (LOOKS + self.habits.looks(known, asked))

    def number(self, attribute: str) -> int:
        """How many things an attribute counts; 1 for any other word."""
        return NUMBERS.get(attribute) or AT_LEAST.get(attribute, 1)

    def unsaid(self, name: str, said: Collection[str]) -> float:
        """The probability that there is a thing called ``name`` in an image of which ``said`` is said and that is not.

        What has a part that is known is there itself, and what is part of a known thing mostly is, too. And where a clock may
        be, a wall clock may, which hardly anybody calls so.
        """
        whole = any(wordnet.part_of(other, name) or wordnet.part_of(name, other) for other in said)
        head = _last(name)
        of_head = 0.0 if head in (name, *wordnet.ANYTHING) else self.habits.unsaid(head, said) * self._narrower(head, name)
        return max(self.habits.unsaid(name, said), of_head, PART if whole else 0.0)


def shipped() -> Meanings:
    """By WordNet and the shipped counts alone, where there are no training captions and no annotations of the user's."""
    return Meanings({}, {}, Habits(Counts(), counts.shipped()), Sense.none())


PART = 0.2
"""That a part of a known thing, or the whole of which it is one, is to be seen though nobody mentions it."""
