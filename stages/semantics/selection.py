"""Selectional restrictions: of which things an attribute or a relation can be said (Katz and Fodor, 1963; Resnik, 1996).

Only who lives wears a coat, only what opens is open, a cup stands on what has a top, and nobody meets a giraffe in an office. What
is known of things is :mod:`stages.semantics.things`' business; the tables here say what words ask of them. Of a word that stands in
no table, and of a noun of which nothing is known, everything may be said.

A row of a table is a word, or several, and what it asks: alternatives, parted by commas, each of kinds that must all hold of one
thing and, after "!", of kinds that must not.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from stages.graphs.graph import SceneGraph
from stages.semantics import attributes, relations, things, wordnet
from stages.semantics.lexicon import lines, table
from stages.semantics.things import PERSON, Thing

CACHE = 1 << 17


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
    found = []
    for alternative in text.split(","):
        names = [name for name in alternative.split() if name != "any"]
        found.append(Kinds(frozenset(n for n in names if n[0] != "!"), frozenset(n[1:] for n in names if n[0] == "!")))
    return tuple(found)


def _of_things(text: str) -> dict[str, Asked]:
    return {word.strip(): _asked(", ".join(items)) for words, items in table(text).items() for word in words.split(",")}


def _of_pairs(text: str) -> dict[str, list[tuple[Asked, Asked]]]:
    """A row: what it asks of the subject and, after ">", of the object. A word may have several; one is enough."""
    rows: dict[str, list[tuple[Asked, Asked]]] = {}
    for head, asked in lines(text):
        subject, _, object_ = asked.partition(">")
        for word in head.split(","):
            rows.setdefault(word.strip(), []).append((_asked(subject), _asked(object_)))
    return rows


# What an attribute asks of a thing: a word, or "class" and a class of attributes.
BEARERS = _of_things(
    """
    on, off, turned on, turned off, switched on, switched off: switch, lamp
    class switch: switch, lamp, building, room, vehicle, sky, plant, way
    whole, uncut: food grows, food top, plant, dish
    class opening: opens !vehicle, plant grows !tall, building, room
    class motion: vehicle, person, animal, water, wheels
    class posture: person, animal, toy
    class fill, occupied: fills, inside !animal !person, furniture seat
    class cooking, class ripeness, class slice, class peel: food
    class foliage: plant
    class age of persons: person !group, animal, body, hair, plant, building, furniture, vehicle, device, way, cover, clothing,
        door, text, tool
    class height: tall, building, furniture, container, ground, plant, part, water
    class length: any !person !room !food
    class sea: water
    class paving: way, ground
    class sleeve: clothing
    class waking, class mood: person, animal, toy, body
    class hair: hair, person, animal, way, plant
    class baldness: person, animal, body
    class shape: any !person !animal !sky !way !group !tool
    class sex: person, animal
    class weather: sky, water, ground, way, room, building, plant, container
    class pattern: any !person !food !drink !sky !water !ground !room !plant
    class weight: held, wheels, container, clothing, cover, vehicle, tool, furniture, sky, door
    class edge: tool, part, body, mark, device
    class line: any !person !animal !sky !food !drink !room
    class thickness: any !room !building
    parked: vehicle
    sitting, seated, kneeling, crouching, crouched, squatting, jumping, leaping, walking, running, sleeping, asleep: person,
        animal, toy
    smiling, laughing, talking, posing, eating, playing, barefoot, pregnant, shirtless, grazing, looking, happy, sad: person,
        animal, toy
    alone, adult, asian, bearded, aged, elderly, older, middle aged: person, animal
    young: person !group, animal, plant
    skateboarding, surfing, skiing, snowboarding: person, animal
    flying: flies, animal, person, vehicle
    blonde, blond: person, hair
    curly: hair, person, animal, food, plant
    wavy: hair, water, mark, cord
    bald: person, animal, body
    busy: person, way, building, room, ground
    crowded: inside, way, ground, building, room, vehicle, furniture
    cluttered, messy, tidy, untidy, organized, disorganized: top, inside, room, hair, cord
    folded: folds
    tied: tied, cord
    scattered, stacked, piled: held, food, plant, container, dish, clothing, cover, tool, substance, sheet, furniture !tall
    stuffed: toy, animal, food, container, cover
    hanging: hangs, cord, plant, cover, clothing, part
    locked: opens, door, building, room, vehicle
    chained: vehicle, animal, door, container, ridden
    sliding: door, window, part
    rolling: wheels, ground
    walk: text, mark, lamp, person, animal
    clear: sky, water, drink, dish, window, way
    glass top, glass topped: furniture top !seat
    glass fronted: building inside, furniture inside, door
    collared, button down, unbuttoned, zippered, zipped, unzipped, buttoned: clothing, container
    potted, flowering, blooming, evergreen, pruned, budding, leafless, leafy: plant
    fresh: food, plant, drink, ground
    cloudy, overcast, partly cloudy, hazy: sky, water, ground
    paved, asphalt, dirt, gravel: way, ground
    choppy, shallow, foamy: water
    sunny: sky, ground, way, room, building
    lined: sheet, way, clothing
    plush: toy !flies, cover, furniture seat, clothing
    padded: furniture, seat, clothing, container
    swivel, reclining: furniture seat
    colored, multicolored, multi colored, colorful, patterned, floral, printed: any !person !sky !water !room
    blue, green, purple, turquoise, teal, violet: any !person !animal !body, bird, animal flies, toy, hair, body opens
    red, orange, yellow: any !person !body, hair, body opens
    pink: any !person
    gray, silver, gold, golden: any !person !body, hair
    beige, khaki: any !person !sky !body
    """
)
# Of what something is that an attribute calls so.
MATERIALS = {
    word: material
    for material, words in table(
        """
        wood: wooden, wood, oak, timber, plywood, bamboo
        metal: metal, metallic, steel, iron, aluminum, chrome, stainless, stainless steel, tin, brass, wrought iron
        glass: glass
        plastic: plastic, vinyl, foam, styrofoam
        rubber: rubber
        cloth: cloth, cotton, denim, fabric, wool, woolen, knit, knitted, silk, velvet, linen, canvas, lace, satin, fleece
        leather: leather, suede
        stone: stone, concrete, marble, granite, cement, rock, cobblestone
        brick: brick, bricked
        ceramic: ceramic, porcelain, clay, tile, tiled
        paper: paper, cardboard
        wicker: wicker, rattan, straw
        """
    ).items()
    for word in words
}
# Which things can be in a relation, as its subject and, after ">", as its object: by all its words, its verb, or its place.
PARTNERS = _of_pairs(
    """
    wear: person, animal, toy, body, hair > clothing, worn, mark !way, hair
    eat: person, animal, toy, body, group > food, plant, animal !tall, sheet
    drink: person, animal, toy > drink, water, dish, container
    chew, lick, bite: person, animal > food, held, body, plant
    look, see, talk, smile, pose, play, photograph, pet, feed, throw, catch, ski, surf, work, read, cook, cut, kick,
        hug: person, animal, toy, body
    kiss, point, wave, sleep, jump, run, climb, walk, kneel, graze, swim, dance, enjoy, chase, use, prepare: person, animal,
        toy, body, group
    hold, carry, grab: person, animal, toy, body, group > held, person, animal, food, body, plant, cover, clothing, worn, cord,
        mark
    hold: container, furniture, building, dish, tool, cord, part, device, vehicle
    fly: person, animal, vehicle, flies
    type on, type: person, animal, body > typed
    drive: person, vehicle, animal
    ride: person, animal, toy, group, vehicle > ridden, held ridden, vehicle, water, way, ground, animal tall
    park: vehicle > way !under !device, ground, building, water, vehicle, room, wall, cord, tall, device, door, part, seat
    lean: person, animal, vehicle, furniture, held, ridden, plant, tall, toy, text, tool, door > wall, seat, top, tall, person,
        vehicle, furniture, cover, building
    sit: person, animal, toy, bird, held, food, vehicle, furniture, container, device, cover, building, plant, body
    lie, lay: person, animal, toy, bird, held, food, cover, clothing, sheet, cord, tool, container, plant, body
    stand: person, animal, toy, bird, tall, building, vehicle, furniture, plant, device, part
    perch: bird, animal, person, toy, held
    sit in, lie in, sleep in, stand in: > furniture seat, ground, water, way, plant, room, building, vehicle, container seat
    sit on, lie on, lay on, sleep on, stand on, walk on, jump on: > top, seat, way, ground, water, ridden, animal, person,
        body, vehicle, cover, plant, building, cord
    sit at, work at, eat at: > furniture top under !seat !inside, building, room, ground, device, way
    walk in, walk through, run in: > way, ground, water, building, room, door, inside !held !furniture, plant, group
    walk at, walk along, walk across, walk down, walk up, run along, run across: > way, ground, water, room, wall !held !part
    work on: > device, vehicle, building, food, furniture, text, sheet, part, tool, ground, way, plant, hair
    line: lined, plant, building, vehicle, person, lamp, way, wall > way !part !door !device, wall !part !tool, ground, water,
        building, room, furniture, inside !held
    make of: any > substance, sheet, cover, cord, mark, plant !food, part, ground
    make of: food, dish > food
    mount, attach, fix, build: any !person !animal > any
    tape, pin, glue, tack, tape to, stick to: hangs, sheet, text, cord, mark
    hang: hangs, clothing, cord, plant, cover, part, text, container, food, animal, person, lamp, tool, held, ridden
    cast: any > mark
    say, read: text, mark, person, clothing, device, vehicle !flies
    top: > furniture top !seat
    have, with: person, group > any !building !way !sky !room !furniture
    have, with: animal, toy > body, hair, clothing, worn, mark, part, cord, animal, person, food, held, plant, substance,
        container
    have, with: building, room, vehicle, wall, door > window
    have, with: any !person !animal !toy !group > any !body !hair !window, body furniture
    have, with: room, building, way, ground, vehicle, furniture, water, mark, text, food, container, plant, body, sky > any
    full of: inside !part, furniture top, vehicle, sky, group, dish > any
    chain, lock: vehicle, ridden, animal, container, door, person, device
    to: door, window, substance, way > room, building, way, ground, vehicle, water
    to: part !door !window, cord, vehicle, wall !door, person, animal, text, mark, hangs > any !clothing !food !dish !held
    of: any > any !food !drink
    of: container, dish, food, group, mark, text, substance, none, plant, body > food, drink
    outside, park outside, sit outside, stand outside, wait outside: any > room, building, window, door, vehicle, wall
    """
)
# The same of a place, whatever the verb.
PLACES = _of_pairs(
    """
    on: person, animal, toy, bird > seat, top, way, ground, water, ridden, vehicle, building !room, cover, plant, animal,
        person, body, cord, device
    on: clothing, worn, hair, mark, cord, body, cover, container, tool, text !held, substance, part > person, animal, toy,
        body, hair
    on: container > vehicle !flies
    on: held, container, dish, food, drink, device, tool, sheet, text, cover, lamp, clothing, worn, cord, plant > top, dish,
        seat, ground, way
    on: furniture, vehicle, tall, container, device, part, door, plant, building lined > way, ground, water, room top, cover top
    on: furniture, seat, animal > top, way, ground
    on: hangs, device hangs, plant, clothing > wall !cover, text !held, building !room, vehicle, furniture wall, door, window,
        part wall
    on: text !held, mark, sheet !held, lamp, cord, sky > wall, text, building !room, vehicle, device, furniture, clothing,
        door, window, dish,
        container, cover, food, worn, tool, part, toy, animal, person, body, sheet
    on: cover, clothing > window, furniture, seat, door, plant
    on: lamp, text, hangs, device, part > tall, part, vehicle
    on: part > any !person !drink !sky !room
    on: plant, part, animal, water, lamp > plant, building, cord
    on: substance, water, mark > any
    on: food, drink > food, dish, top, seat, way, ground, plant, body, text
    in: person, animal, toy > inside, water, ground, way, clothing, worn, plant, vehicle, room, building, sky, group,
        seat !ridden, cover
    in: person, animal, building, sky, plant, ground, way, water > mark, text, window, device text
    in: any !way > inside, water, sky, ground, way, room, building, vehicle, plant, hair
    in: food, drink, plant, substance, mark > food, dish, substance
    in: part, way > any
    in: plant, held, food, mark > container, hair, body
    in: held, food > furniture inside
    under: any > under, sky, building, plant, tall, lamp, person, animal, vehicle, furniture, top, wall, clothing, body, part,
        window, text, cover, food
    against: any !mark !sky > wall, building, furniture, plant, tall, way, ground, sky, water, body, person, vehicle, door,
        window, part
    at: > any !food !held !clothing !worn !part, device, dish
    """
)
NAMING = frozenset(("device", "room", "furniture", "vehicle"))
"""Nouns of these kinds, before another, say which sort of thing it is."""
BUILDING, FURNITURE = 7, 4
"""What is as large as a building has room for everything; of two things from a desk's size on only the larger holds the other."""


@lru_cache(CACHE)
def can_be(noun: str, attribute: str) -> bool:
    """Can an attribute be said of such a thing?

    >>> can_be("coat", "on"), can_be("lamp", "on"), can_be("pole", "parked"), can_be("door", "red")
    (False, True, False, True)
    """
    thing = things.of(noun)
    if thing is None or "none" in thing.kinds:
        return True
    modifier = things.listed().get(attribute)
    if modifier and not modifier.kinds.isdisjoint(NAMING) and attribute not in MATERIALS and not attributes.classes(attribute):
        # "A laptop computer" becomes no laptop bottle.
        return noun in modifier.also or f"{attribute} {noun}" in things.listed()
    for word in (attribute.replace("-", " "), attribute.rsplit(" ", 1)[-1]):
        if word in MATERIALS:
            return MATERIALS[word] in thing.materials
        if word in BEARERS:
            return _is_one(thing, BEARERS[word])
    classes = [BEARERS[name] for kind in attributes.classes(attribute) if (name := f"class {kind}") in BEARERS]
    return not classes or any(_is_one(thing, asked) for asked in classes)


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
    verb, place = relations.read(relation)
    head = relation.partition(" ")[0] if verb else ""
    words = {relation, head if head in PARTNERS else verb}
    if not all(_allow(PARTNERS[word], one, other, place == "" or word == relation) for word in words & PARTNERS.keys()):
        return False
    return (place not in PLACES or _allow(PLACES[place], one, other, True)) and _fits(one, verb, place, other)


def _allow(rows: list[tuple[Asked, Asked]], one: Thing, other: Thing, whole: bool) -> bool:
    """What a verb asks of its object is said of another thing where a preposition stands between: who eats at a table."""
    return any(_is_one(one, subject) and (not whole or _is_one(other, object_)) for subject, object_ in rows)


def _is_one(thing: Thing, asked: Asked) -> bool:
    return any(kinds.hold(thing) for kinds in asked)


def _fits(one: Thing, verb: str, place: str, other: Thing) -> bool:
    """Is there room for the one thing on, in or under the other?"""
    if place in ("on", "against") and "wall" in other.kinds and not one.kinds.isdisjoint(("hangs", "text")):
        return True
    if place == "with" and not verb and one.kinds.isdisjoint(("person", "animal", "group")):
        return None in (one.size, other.size) or other.size <= one.size + 1  # type: ignore[operator]
    if place not in ("on", "in", "under", "against") or one.size is None or other.size is None or other.size >= BUILDING:
        return True
    if one.size <= PERSON and not one.kinds.isdisjoint(("person", "animal", "toy")):
        return other.size > 1 or place != "on" or not other.kinds.isdisjoint(("ridden", "device"))
    if "body" in other.kinds or not one.kinds.isdisjoint(("mark", "substance", "cover", "food")):
        return True
    if "plant" in one.kinds and place == "in":
        return True
    if place == "under":
        return one.size <= other.size + 1 or "flies" in other.kinds
    return one.size < other.size or one.size == other.size < FURNITURE


@lru_cache(CACHE)
def is_concrete(noun: str) -> bool:
    """Does a noun mean a thing that pictures show, and neither an idea nor what things are made of?

    >>> is_concrete("tractor"), is_concrete("idea"), is_concrete("dirt")
    (True, False, False)
    """
    thing, sense = things.of(noun), wordnet.sense(noun)
    known = noun in things.listed() or (sense is not None and wordnet.senses(noun, "n")[:1] == (sense,))
    return known and thing is not None and thing.kinds.isdisjoint(("none", "substance"))


def together(graph: SceneGraph, truth: SceneGraph | None = None) -> bool:
    """Might one picture show all things of ``graph``? What one does show, by the ``truth``, may be stranger than the table."""
    strange = {pair for pair in combinations(graph.objects, 2) if not things.meet(*pair)}
    return strange <= set(combinations(truth.objects, 2) if truth else ())
