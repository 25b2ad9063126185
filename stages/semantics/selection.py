"""Selectional restrictions: of which things an attribute or a relation can be said (Katz and Fodor, 1963; Resnik, 1996).

Only who lives wears a coat, only what opens is open, a cup stands on what has a top, and nobody meets a giraffe in an office. What
is known of things is :mod:`stages.semantics.things`' business, what words ask of them stands in ``restrictions.txt``. A row there
is a word, or several, and what it asks: alternatives, parted by commas, each of kinds (``things.tsv``) that must all hold of one
thing and, after "!", of kinds that must not. Of a word that stands in no table, and of a noun of which nothing is known, everything
may be said.
"""

from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from stages.graphs.graph import SceneGraph
from stages.language.lexicon import ALWAYS_PLURAL, NUMBERS, lines, sections, table
from stages.semantics import attributes, relations, things
from stages.semantics.things import PERSON, Thing
from stages.wording.lexicon import AT_LEAST

CACHE = 1 << 17
EMPTY = attributes.classes("empty")["fill"]
"""The group of what is said to hold nothing."""
LOOKS_LIKE = frozenset(("person", "animal", "toy", "group"))
"""Nouns of these kinds, before another, say what it looks like: a baby elephant, a toy car."""
NAMING = frozenset(("device", "room", "furniture", "vehicle"))
"""Nouns of these kinds, before another, say which sort of thing it is."""
BESIDE = ("front", "behind", "beside", "near")
"""Places by things of like size."""
FAR = 4
"""Of two things in such a place the other is larger by so much at most."""
ENDLESS, BUILDING, FURNITURE = 9, 7, 4
"""What is as large as a building has room for everything, but for a wall: none stands on a floor, or a chair. Of two
things from a desk's size on only the larger holds the other."""


class Kinds(NamedTuple):
    """Kinds of which a thing has to be all, and kinds of which it may be none."""

    asked: frozenset[str]
    barred: frozenset[str]

    def hold(self, thing: Thing) -> bool:
        return self.asked <= thing.kinds and self.barred.isdisjoint(thing.kinds)


Asked = tuple[Kinds, ...]
"""Alternatives; one is enough."""


def _asked(text: str) -> Asked:
    """
    >>> _asked("top, wall !room")[1].barred
    frozenset({'room'})
    """
    alternatives = []
    for alternative in text.split(","):
        names = [name for name in alternative.split() if name != "any"]
        alternatives.append(Kinds(frozenset(n for n in names if n[0] != "!"), frozenset(n[1:] for n in names if n[0] == "!")))
    return tuple(alternatives)


def _of_pairs(text: str) -> dict[str, list[tuple[Asked, Asked]]]:
    """A row: what it asks of the subject and, after ">", of the object. A word may have several; one is enough."""
    rows: dict[str, list[tuple[Asked, Asked]]] = {}
    for head, asked in lines(text):
        subject, _, object_ = asked.partition(">")
        for word in head.split(","):
            rows.setdefault(word.strip(), []).append((_asked(subject), _asked(object_)))
    return rows


TABLES = sections(Path(__file__).with_name("restrictions.txt"))
ANYTHING = _asked("any")
BEARERS = {word.strip(): _asked(", ".join(of)) for words, of in table(TABLES["bearers"]).items() for word in words.split(",")}
"""What an attribute, or a class of attributes, asks of a thing."""
MATERIALS = {word: material for material, words in table(TABLES["materials"]).items() for word in words}
"""Of what something is that an attribute calls so."""
PARTNERS = _of_pairs(TABLES["partners"])
"""Which things can be in a relation, by all its words, its verb, or its place."""
PLACES = _of_pairs(TABLES["places"])
"""The same of a place, whatever the verb."""


@lru_cache(CACHE)
def can_be(noun: str, attribute: str) -> bool:
    """Can an attribute be said of such a thing?

    >>> can_be("coat", "on"), can_be("lamp", "on"), can_be("pole", "parked"), can_be("door", "red")
    (False, True, False, True)
    """
    thing = things.of(noun)
    if thing is None or "none" in thing.kinds:
        return True
    if attribute in NUMBERS and "clothing" in thing.kinds and noun in ALWAYS_PLURAL:
        # Nobody wears "two shorts".
        return False
    if names(attribute) and not things.listed()[attribute].kinds.isdisjoint(NAMING):
        # "A laptop computer" becomes no laptop bottle.
        return noun in things.listed()[attribute].also or f"{attribute} {noun}" in things.listed()
    for word in _spellings(attribute):
        if word in MATERIALS or word in BEARERS:
            is_made_so = word not in MATERIALS or MATERIALS[word] in thing.materials
            return is_made_so and _is_one(thing, BEARERS.get(word, ANYTHING))
    classes = [BEARERS[name] for kind in attributes.classes(attribute) if (name := f"class {kind}") in BEARERS]
    return not classes or any(_is_one(thing, asked) for asked in classes)


def _spellings(attribute: str) -> tuple[str, str]:
    return attribute.replace("-", " "), attribute.rsplit(" ", 1)[-1]


def has_rule(attribute: str) -> bool:
    """Do tables say of what an attribute can be said? Anything can be counted.

    >>> [has_rule(attribute) for attribute in ("parked", "large", "sparse")]
    [True, True, False]
    """
    known = any(name in MATERIALS or name in BEARERS for name in _spellings(attribute))
    return known or bool(attributes.classes(attribute)) or attribute in NUMBERS or attribute in AT_LEAST


def names(attribute: str) -> bool:
    """Does a noun say which sort of thing is meant, as in "football field"?

    >>> names("football"), names("toy"), names("wooden"), names("glass")
    (True, False, False, False)
    """
    thing = things.listed().get(attribute)
    return thing is not None and thing.kinds.isdisjoint(LOOKS_LIKE) and not has_rule(attribute)


@lru_cache(CACHE)
def can_relate(subject: str, relation: str, object_: str) -> bool:
    """Can a relation be said of two such things?

    >>> can_relate("man", "wear", "van"), can_relate("desk", "on", "railing"), can_relate("cat", "sit on", "desk")
    (False, False, True)
    """
    one, other = things.of(subject), things.of(object_)
    if (other is None or "none" in other.kinds) and "colour" in attributes.classes(object_):
        # "A man in black": a colour is what somebody has on.
        return relation == "in" or (relations.read(relation).verb == "wear" and can_relate(subject, "wear", "clothes"))
    if one is None or other is None or "none" in one.kinds | other.kinds:
        return True
    if relation.endswith(" by"):
        # "A hat worn by a man": the tables are of the active.
        return True
    if not things.meet(subject, object_):
        return False
    if relation == "make of" and object_ in MATERIALS and not can_be(subject, object_):
        # "A cushion made of wood" is a wooden cushion.
        return False
    verb, place = relations.read(relation)
    if not all(_allow(PARTNERS[word], one, other, place == "" or word == relation) for word in _heads(relation) & PARTNERS.keys()):
        return False
    return (place not in PLACES or _allow(PLACES[place], one, other, True)) and _fits(one, verb, place, other)


def _heads(relation: str) -> set[str]:
    """The words of a relation whose rows are asked: all of it, and its first word, or the verb that this means."""
    verb, head = relations.read(relation).verb, relation.partition(" ")[0]
    return {relation, head if verb and head in PARTNERS else verb}


def _allow(rows: list[tuple[Asked, Asked]], one: Thing, other: Thing, whole: bool) -> bool:
    """What a verb asks of its object is said of another thing where a preposition stands between: who eats at a table."""
    return any(_is_one(one, subject) and (not whole or _is_one(other, object_)) for subject, object_ in rows)


def _is_one(thing: Thing, asked: Asked) -> bool:
    return any(kinds.hold(thing) for kinds in asked)


def _fits(one: Thing, verb: str, place: str, other: Thing) -> bool:
    """Is there room for the one thing on, in or under the other?"""
    if place in ("on", "against") and "wall" in other.kinds and not one.kinds.isdisjoint(("hangs", "text")):
        return True
    if one.size is None or other.size is None:
        return True
    if (place == "with" and not verb) or verb == "have":
        return not one.kinds.isdisjoint(("person", "animal", "group")) or (
            other.size <= one.size + ("part" in other.kinds) or other.size > BUILDING
        )
    if place in BESIDE:
        return _is_seen_beside(one.size, place, other.size)
    if place in ("on", "against") and {"part", "wall"} <= one.kinds and "tall" not in one.kinds and one.size == ENDLESS:
        return FURNITURE < other.size < ENDLESS
    if place not in ("on", "in", "under", "against") or other.size >= BUILDING:
        return True
    if place == "in" and {"plant", "tall"} <= other.kinds and "ground" not in other.kinds:
        return one.size <= PERSON
    if place in ("in", "on") and "vehicle" in other.kinds and "plant" in one.kinds:
        return one.size < PERSON
    if one.size <= PERSON and not one.kinds.isdisjoint(("person", "animal", "toy")):
        return other.size > 1 or place != "on" or not other.kinds.isdisjoint(("ridden", "device"))
    if "body" in other.kinds or not one.kinds.isdisjoint(("mark", "substance", "cover", "food", "drink")):
        return True
    if place == "in" and "text" in other.kinds:
        return True
    if "plant" in one.kinds and place == "in":
        return True
    if place == "under":
        return one.size <= other.size + 1 or "flies" in other.kinds or not one.kinds.isdisjoint(("ground", "way"))
    return one.size < other.size or one.size == other.size < FURNITURE


def _is_seen_beside(one: int, place: str, other: int) -> bool:
    """Of two sizes: nobody stands in front of a cup, and no cup next to a church; but what is behind may be large."""
    if other > BUILDING:
        return True
    return other >= min(one, PERSON) - 1 and (place == "behind" or one <= BUILDING - 2 or other >= FURNITURE) and other - one <= FAR


@lru_cache(CACHE)
def is_concrete(noun: str) -> bool:
    """Does the table of things know a noun, and as a thing that pictures show: no idea, not what things are made of, no whole
    class of things, and no word that mostly means something else?

    >>> [is_concrete(noun) for noun in ("tractor", "school bus", "idea", "dirt", "appliance", "quarter", "flange")]
    [True, True, False, False, False, False, False]
    """
    thing = things.row(noun)
    return thing is not None and thing.kinds.isdisjoint(("none", "substance", "vague"))


def together(graph: SceneGraph, truth: SceneGraph | None = None) -> bool:
    """Might one picture show all things of ``graph``, and is nothing on or in what it calls empty? What one does show, by the
    ``truth``, may be stranger than the table."""
    known = set(combinations(truth.objects, 2)) | in_what_is_empty(truth) if truth else set()
    strange = {pair for pair in combinations(graph.objects, 2) if not things.meet(*pair)}
    return strange | in_what_is_empty(graph) <= known


def in_what_is_empty(graph: SceneGraph) -> set[tuple[str, str]]:
    """What is on or in an empty thing, each with the thing: a plate with a banana on it is none that is empty."""
    empty = {o for o, attribute in graph.attributes if attributes.classes(attribute).get("fill") == EMPTY}
    at = ((s, o) for s, relation, o in graph.relations if o in empty and relations.read(relation).place in ("on", "in"))
    return {(graph.objects[s], f"empty {graph.objects[o]}") for s, o in at}
