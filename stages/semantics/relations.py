"""Relations between predicates: the same, implied, converse, symmetric, excluded, and possible replacements.

WordNet has hardly any relations, so there is a table, ``relations.txt``, which explains its own rows. A relation in normal form is
read as a verb, a place, or both ("sit on top of" is *sit* at the place *on*); the table lists verbs and places, and two short
loops combine them. "Excluded" means that no careful person would call both true of the same two things: nobody who sees a dog on a
table says that it is under the table, or next to it.
"""

import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from stages.semantics.wordnet import antonyms
from stages.text.lexicon import sections, table, words

CACHE = 1 << 16
TABLES = sections(Path(__file__).with_suffix(".txt"))
PLACES = table(TABLES["places"])
EXCLUDED_PLACES = table(TABLES["excluded places"])
OPPOSITE_PLACES = table(TABLES["opposite places"])
SETTLED_PLACES = table(TABLES["settled places"])
IMPLIED_PLACES = table(TABLES["implied places"])
SAME_VERBS = table(TABLES["same verbs"])
EXCLUSIVE_VERBS = table(TABLES["exclusive verbs"])
IMPLIED_BY_VERBS = table(TABLES["implied by verbs"])
ONE_WAY_VERBS = words(TABLES["one way verbs"])
SYMMETRIC_VERBS = words(TABLES["symmetric verbs"])
FIRM = words(TABLES["firm"])
LOOSE_VERBS = words(TABLES["loose verbs"])
POSTURES = words(TABLES["postures"])
# The direction of a place in the picture: the axis (0 across, 1 down) and the sign of its centre's difference from the other's.
DIRECTIONS = {"left": (0, -1), "right": (0, 1), "above": (1, -1), "under": (1, 1)}
CLOSE_PLACES = words(TABLES["close places"])
# Places of two things in the same posture, of which either may be named first.
TOGETHER = CLOSE_PLACES | {"across", "with"}
# What holds in every picture: (relation's place, the other thing).
ALWAYS = frozenset({("under", "sky"), ("under", "sun"), ("under", "cloud"), ("above", "ground"), ("near", "air")})
TOUCHING_PLACES = words(TABLES["touching places"])
TOUCHING_VERBS = words(TABLES["touching verbs"])
SPREAD_OUT = words(TABLES["spread out"])
UPRIGHT = words(TABLES["upright"])
BESIDE = frozenset({"beside", "left", "right"})

_PLACE_OF = {name: place for place, names in PLACES.items() for name in names}
_VERB_OF = {name: verb for verb, names in SAME_VERBS.items() for name in names}
_PARTICLES = frozenset({"up", "down", "back", "out", "off", "right", "over", "along", "directly", "just", "together"})


class Relation(NamedTuple):
    """A relation read as a verb, a place or both; a place that is not in the table stays unchanged."""

    verb: str
    place: str


class Statement(NamedTuple):
    """A relation of A and B, or, where ``turned``, of B and A."""

    relation: Relation
    turned: bool


@lru_cache(CACHE)
def read(relation: str) -> Relation:
    """Return a relation in normal form as a verb, a place or both.

    >>> read("sit down on top of"), read("next to"), read("stare at")
    (Relation(verb='sit', place='on'), Relation(verb='', place='beside'), Relation(verb='look', place='at'))
    """
    if relation in _PLACE_OF:
        return Relation("", _PLACE_OF[relation])
    if relation in _VERB_OF:
        return Relation(_VERB_OF[relation], "")
    verb, _, rest = relation.partition(" ")
    while rest not in _PLACE_OF and rest.partition(" ")[0] in _PARTICLES:
        rest = rest.partition(" ")[2]
    return Relation(_VERB_OF.get(verb, verb), _PLACE_OF.get(rest, rest))


def _statements(names: tuple[str, ...], turned: bool) -> list[Statement]:
    """Return a row of a table of implications; the words after "turned" hold in the reverse direction."""
    statements = []
    for name in names:
        for i, word in enumerate(re.split(r"(?:^| )turned ", name)):
            turned ^= i > 0
            if word:
                statements.append(Statement(Relation("", word) if word in PLACES else read(word), turned))
    return statements


@lru_cache(CACHE)
def implied(relation: str) -> frozenset[Statement]:
    """Return all statements that "A relation B" implies about the two things, itself included.

    >>> Statement(Relation("", "on"), False) in implied("ride"), Statement(Relation("", "under"), True) in implied("sit on")
    (True, True)
    """
    known, new = set(), [Statement(read(relation), False)]
    while new:
        statement = new.pop()
        if statement in known:
            continue
        known.add(statement)
        verb, place = statement.relation
        if verb and place:
            new.append(Statement(Relation("", place), statement.turned))
        new += _statements(IMPLIED_BY_VERBS.get(verb, ()), statement.turned)
        # "near" and "with" follow from many relations and imply little: nothing more is derived from what was derived from a place.
        if statement.relation == read(relation) or verb:
            new += _statements(IMPLIED_PLACES.get(place, ()), statement.turned) if place in PLACES else []
    under = {Statement(Relation("", "on"), True)} if Statement(Relation("", "under"), False) in known else set()
    return frozenset(known | _converses(known) | under)


CONVERSES = {"on": "under", "above": "under", "left": "right", "right": "left", "behind": "front", "front": "behind"}
"""The place of the other thing. "Under" is missing: a thing over a table may be on it or above it."""


def _converses(known: set[Statement]) -> set[Statement]:
    """Return the converses of the known statements: under for on, right for left."""
    return {
        Statement(Relation("", CONVERSES[relation.place]), not turned)
        for relation, turned in known
        if not relation.verb and relation.place in CONVERSES
    }


@lru_cache(CACHE)
def implies(known: str, asked: str, turned: bool = False) -> bool:
    """Return whether "A known B" implies "A asked B" (or "B asked A").

    >>> implies("sit on", "on"), implies("next to", "near", turned=True), implies("on", "next to")
    (True, True, False)
    """
    return Statement(read(asked), turned) in implied(known)


@lru_cache(CACHE)
def excludes(known: str, asked: str, turned: bool = False) -> bool:
    """Return whether "A known B" rules out "A asked B" (or "B asked A").

    >>> excludes("sit on", "under"), excludes("sit on", "stand on"), excludes("on", "on", turned=True), excludes("on", "near")
    (True, True, True, False)
    """
    if implies(known, asked, turned):
        return False
    verb, place = read(asked)
    if read(known) == (verb, place) and turned:
        return one_way(known)
    for (known_verb, known_place), known_turned in _firm(known):
        if known_turned == turned and (
            verb in EXCLUSIVE_VERBS.get(known_verb, ()) or place in EXCLUDED_PLACES.get(known_place, ())
        ):
            return True
    known_verb = read(known).verb
    return not turned and bool(verb and known_verb) and verb in antonyms(known_verb, "v")


@lru_cache(CACHE)
def _firm(relation: str) -> frozenset[Statement]:
    """Return what "A relation B" certainly implies: itself, its place, and the places that its verb implies."""
    parsed = read(relation)
    firm = {Statement(parsed, False), Statement(Relation("", parsed.place), False)}
    if parsed.verb not in LOOSE_VERBS:
        says = _statements(IMPLIED_BY_VERBS.get(parsed.verb, ()), False)
        firm |= {s for s in says if not s.relation.verb and s.relation.place in FIRM}
    return frozenset(firm | _converses(firm))


def leaves_open(known: str, asked: str, object_: str) -> bool:
    """Return whether both may hold although one excludes the other, because of ``object_``: a thing on a wall is next to it.

    >>> leaves_open("hang on", "next to", "brick wall"), leaves_open("on", "under", "wall"), leaves_open("on", "next to", "table")
    (True, False, False)
    """
    upright = object_.rsplit(" ", 1)[-1] in UPRIGHT
    return upright and read(known).place == "on" and read(asked).place in BESIDE


def symmetric(relation: str) -> bool:
    """Return whether a relation of A and B holds ("next to"), or may well hold ("face", "walk with"), of B and A too."""
    verb, place = read(relation)
    return verb in SYMMETRIC_VERBS or (verb in POSTURES and place in TOGETHER) or implies(relation, relation, turned=True)


def one_way(relation: str) -> bool:
    """Return whether "A relation B" rules out "B relation A"."""
    verb, place = read(relation)
    if symmetric(relation):
        return False
    return verb in ONE_WAY_VERBS or (place in PLACES and verb not in SAME_VERBS)


def direction(relation: str) -> tuple[int, int] | None:
    """Return the axis and sign of a relation that is only a place in the picture: "to the left of" is (0, -1)."""
    verb, place = read(relation)
    return None if verb else DIRECTIONS.get(place)


def close(relation: str) -> bool:
    """Return whether a relation holds only of two things that are near each other."""
    return read(relation).place in CLOSE_PLACES


@lru_cache(CACHE)
def touches(relation: str, object_: str) -> bool:
    """Return whether a relation requires that the two boxes meet.

    >>> touches("on", "table"), touches("hold", "cup"), touches("on", "grass"), touches("under", "table")
    (True, True, False, False)
    """
    verb, place = read(relation)
    return object_.rsplit(" ", 1)[-1] not in SPREAD_OUT and (place in TOUCHING_PLACES or (not place and verb in TOUCHING_VERBS))


def always(relation: str, object_: str) -> bool:
    """Return whether a relation holds in every picture: under the sky, above the ground."""
    return (read(relation).place, object_) in ALWAYS


@lru_cache(CACHE)
def may_replace(relation: str, other: str) -> bool:
    """Return whether "A other B" can replace "A relation B": the relation or, for places, the boxes must rule it out.

    A different form ("jump" for "sit at") does not fit the words around it, and a verb that is no posture depends on its
    preposition: a thing covered in snow is not "covered next to snow". A place can also be replaced by a posture in another place.

    >>> may_replace("sit at", "stand behind"), may_replace("on", "lie under"), may_replace("sit at", "jump")
    (True, True, False)
    >>> may_replace("near", "stand on"), may_replace("wear", "fold"), may_replace("ride", "next to")
    (True, True, True)
    """
    (verb, place), (other_verb, other_place) = read(relation), read(other)
    if place:
        postures = other_verb in POSTURES and (not verb or verb in POSTURES)
        if not other_place or not (postures or not (verb or other_verb)):
            return False
    elif other_place and (other_verb or place_of(verb) is None):
        return False
    if other_place and not _well_named(relation, other):
        return False
    settled = not verb and other_place in SETTLED_PLACES.get(place, ())
    return settled or excludes(relation, other)


def _well_named(relation: str, other: str) -> bool:
    """Return whether a place has its first name, and an unchanged place its own."""
    one, named = read(relation), read(other)
    if named.place == one.place:
        return other.partition(" ")[2] == relation.partition(" ")[2]
    names = () if named.place in VAGUE_PLACES else PLACES.get(named.place, ())[:1]
    return (other.partition(" ")[2] if named.verb else other) in names


VAGUE_PLACES = frozenset({"with", "of"})
"""Places that say that things belong together, not where one is."""


def place_of(verb: str) -> str | None:
    """Return the place that a verb implies for its subject: a person who rides is on."""
    says = _statements(IMPLIED_BY_VERBS.get(verb, ()), False)
    return next((r.place for r, turned in says if not (turned or r.verb) and r.place in FIRM), None)
