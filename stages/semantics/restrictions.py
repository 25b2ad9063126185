"""What words ask of the things that they are said of: tables of selectional restrictions.

A row is a word, or several, and what it asks: alternatives, parted by commas, each of kinds (``things.tsv``) that must all hold of
one thing and, after "!", of kinds that must not. :mod:`stages.semantics.selection` asks them.
"""

from __future__ import annotations

from typing import NamedTuple

from stages.semantics.lexicon import lines, table
from stages.semantics.things import Thing


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
    on, off, turned on, turned off, switched on, switched off: switch
    class switch: switch, lamp, building, room, vehicle, sky, plant, way
    well lit, dimly lit, brightly lit: room, building, way
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
    cluttered, messy, tidy, untidy, organized, disorganized: top !seat, furniture inside, room, hair, cord
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
    glass fronted: building inside, furniture inside
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
    wear: person, animal, toy, body, hair > clothing, worn
    eat: person, animal, toy, body, group > food, plant, animal !tall, sheet
    drink: person, animal, toy > drink, water, dish, container
    chew, lick, bite: person, animal > food, held, body, plant
    look, see, talk, smile, pose, pet, hug: person, animal, toy, body
    photograph, throw, ski, surf, work, read, cook, cut, kick, sell, wash, fold: person, toy, body
    play: person, animal, toy > tool !device, toy, flies held, water, ground
    feed: person > person, animal
    catch: person, animal held, animal lined, toy, body, bird
    swim in, swim on, swim at: > water
    fly in, fly on, fly at, fly through, fly over, fly above: flies, bird > any
    fly in, fly on: > sky, vehicle, building, water, mark
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
    sit on, lie on, lay on, sleep on, stand on, walk on, jump on: > top, seat, way !inside, ground, water, ridden, animal, person,
        body, vehicle, cover, plant, building, cord
    sit at, work at, eat at: > furniture top under !seat !inside, building, room, ground, device, way
    walk in, walk through, run in: > way, ground, water, building, room, door, inside !held !furniture, plant, group
    walk at, walk along, walk across, walk down, walk up, run along, run across: > way, ground, water, room, wall !held !part
    work on: > device !held, typed, vehicle, building, food, furniture, text, sheet, part, tool, ground, way, plant, hair
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
    along: person, animal, vehicle, building, plant !food, lamp, ground, way, tall !food, furniture, water, wall, group, cord, part,
        device, mark, container > way, ground, water, wall, building, part, furniture top !seat
    paint, print, draw, write: mark, text, animal, person, plant, toy, food, flies > any
    cross: person, animal, vehicle, group > way, water, ground, building
    blow: person, animal, device > any !person !animal !building
    fill with: inside, top, room, ground > any !part !body
    have, with: person, group > any !building !way !sky !room !furniture !ground !water !door !window
    have, with: animal, toy !flies > body, hair, clothing, worn, mark, part, cord, animal, person, food, held, plant, substance,
        container
    have, with: building, room, vehicle, door, furniture inside, wall !plant > window
    have, with: building, room, way, ground, water > any !body !hair !sky !clothing !worn
    have, with: vehicle, furniture, container, dish, food, plant > part, held, food, drink, plant, text, mark, cover, container,
        dish, tool, lamp, device, person, animal, toy, cord, sheet, substance, furniture
    have, with: text, mark, clothing, cover, sheet, worn, window, sky, body > text, mark, sheet, cord, part, plant, animal, person,
        toy, food, sky, hair, clothing, worn, body, substance, water, building
    have, with: any !person !animal !toy !group > part !window, mark, cord, substance, lamp, wheels part
    have, with: device > tool, door
    have, with: wall > text, hangs, lamp, plant, device
    full of: dish > food, drink, tool, dish, substance
    full of: container !dish, furniture inside > held, food, drink, clothing, plant, cover, sheet, tool, substance, toy
    full of: room, building, way, ground, water, vehicle, sky, group, furniture top !inside > any !part !body
    chain, lock: vehicle, ridden, animal, container, door, person, device
    to: door, window, substance, way > room, building, way, ground, vehicle, water
    to: part !door !window, cord, vehicle, wall !door !building, person, animal, text, mark, hangs > any !clothing !food !dish !held
    of: any > any !food !drink
    of: container !tall, dish !tall, food, group, mark, text, none, body > food, drink
    of: tall > drink
    outside, park outside, sit outside, stand outside, wait outside: any > room, building, window, door, vehicle, wall
    """
)
# The same of a place, whatever the verb.
PLACES = _of_pairs(
    """
    on: person, animal, toy, bird > seat, top, way !inside, ground, water, ridden, vehicle, building !room !part, cover, plant,
        animal, person, body, cord, device
    on: clothing, worn, hair, mark, cord, body, cover, container, tool, text !held, substance, part > person, animal, toy,
        body, hair
    on: container > vehicle !flies
    on: held, container, dish, device, tool, sheet, text, cover, lamp, clothing, worn, cord, plant > top, dish,
        seat, ground, way
    on: furniture, vehicle, tall !door !building !person !animal, container, device, part !door !building, plant,
        building lined > way, ground, water, room top, cover top
    on: hangs !clothing !cover, device hangs, plant !tall > wall !cover, text !held, building, vehicle, furniture wall, door,
        window, part wall
    on: clothing > furniture wall, door, part wall
    on: text !held !typed, mark, sheet !held, cord, sky > wall, text, building, vehicle, device, furniture, clothing, door, window,
        dish, container, cover, food, worn, tool, part, toy, animal, person, body, sheet
    on: cover, clothing > window, furniture, seat, door, plant
    on: lamp, text !held, hangs !clothing !cover !held, device hangs, part !window > tall, part, vehicle
    on: window > building inside, vehicle, door, room, part wall !opens
    on: part !window !door > any !person !drink !sky !room
    on: plant, part, animal, water, lamp > plant, building, cord
    on: substance, water, mark > any
    on: food > food, dish !inside, dish top, top, seat, way, ground, plant, body, text
    on: drink > top !dish, food
    in: person, animal, toy > inside !held, container, vehicle, water, ground, way, clothing, worn, plant, room, building, sky,
        group, seat !ridden, cover
    in: person, animal, building, sky, plant, ground, way, water > mark !tool, text hangs !tool, window, device text
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
