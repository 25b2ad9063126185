"""Selectional restrictions: of which kinds of things an attribute or a relation can be said (Katz and Fodor, 1963; Resnik, 1996).

Only who lives wears a coat, only what opens is open, and no giraffe stands on a desk. A kind is some subtrees of WordNet; a noun is
of each kind in which one of its common senses stands. Sizes go in steps, and a noun has that of its nearest hypernym that has one.
The tables name what people say often: of any other word, and of a noun that WordNet does not know, everything may be said.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from stages.graphs.graph import SceneGraph
from stages.semantics import attributes, relations, wordnet
from stages.semantics.lexicon import table
from stages.wording.word_classes import is_person

CACHE = 1 << 17


class Rule(NamedTuple):
    """The kinds that may stand in a place, or, where ``barred``, those that may not; without a kind every noun may."""

    kinds: frozenset[str]
    barred: bool

    @classmethod
    def read(cls, text: str) -> Rule:
        """
        >>> Rule.read("not lamp").allows("lamp"), Rule.read("vehicle").allows("car"), Rule.read("vehicle").allows("pole")
        (False, True, False)
        """
        names = text.strip().removeprefix("not ")
        return cls(frozenset(name.strip() for name in names.split(",")) - {""}, names != text.strip())

    def allows(self, noun: str) -> bool:
        """A noun that is sometimes of a kind is let in, and only one that is mostly of a kind is barred."""
        if attributes.classes(noun).get("colour") is not None and not main_kinds(noun):
            return True
        if self.barred:
            return self.kinds.isdisjoint(main_kinds(noun))
        own = kinds(noun)
        return not self.kinds or not self.kinds.isdisjoint(own) or (not own and wordnet.sense(noun) is None)


def _rules(text: str) -> dict[str, tuple[Rule, ...]]:
    """A table's rows by each of their words; ">" parts the rules of a relation's subject and object."""
    return {
        word.strip(): tuple(Rule.read(rule) for rule in ", ".join(items).split(">"))
        for words, items in table(text).items()
        for word in words.split(",")
    }


KINDS = {
    kind: frozenset(synsets)
    for kind, synsets in table(
        """
        alive: person.n.01, crowd.n.01, couple.n.02, people.n.01, animal.n.01, doll.n.01, sculpture.n.01, plaything.n.01,
            manikin.n.02
        person: person.n.01, crowd.n.01, couple.n.02, people.n.01
        animal: animal.n.01
        figure: doll.n.01, sculpture.n.01, plaything.n.01, manikin.n.02, automaton.n.02
        plant: plant.n.02, plant_part.n.01
        food: baked_goods.n.01, cake.n.03, mushroom.n.05, food.n.01, food.n.02, edible_fruit.n.01, fruit.n.01, vegetable.n.01,
            nut.n.01, seed.n.01
        body: body_part.n.01, hair.n.01
        hair: hair.n.01, hair.n.02, beard.n.01, mustache.n.01, fur.n.01, coat.n.03
        clothing: clothing.n.01, headdress.n.01, footwear.n.01, footwear.n.02, garment.n.01
        worn: helmet.n.01, helmet.n.02, glove.n.02, glove.n.03, bracelet.n.02, headband.n.01, wristband.n.01, chain.n.02,
            collar.n.01, collar.n.06, band.n.07, ring.n.08, clothing.n.01, headdress.n.01, footwear.n.01, footwear.n.02,
            garment.n.01, spectacles.n.01, jewelry.n.01, watch.n.01, mask.n.01, mask.n.04, earphone.n.01, belt.n.02, bag.n.04,
            backpack.n.01, badge.n.01, protective_garment.n.01, wreath.n.01, life_jacket.n.01, harness.n.01, leash.n.01,
            collar.n.06, wig.n.01, ski.n.01, skate.n.01, flower.n.01, body_armor.n.01
        cloth: fabric.n.01, cloth_covering.n.01, bedclothes.n.01, blind.n.03, rug.n.01, towel.n.01, cushion.n.03, flag.n.01,
            tent.n.01, blanket.n.01, linen.n.03, napkin.n.01, curtain.n.01, tarpaulin.n.01, sail.n.01
        paper: paper.n.01, sheet.n.02, newspaper.n.03, map.n.01, napkin.n.01, card.n.01, poster.n.01
        publication: publication.n.01, book.n.02, magazine.n.02, notebook.n.01, folder.n.02
        cord: cord.n.01, rope.n.01, line.n.18, cable.n.02, ribbon.n.01, lace.n.01, bow.n.01, knot.n.02, balloon.n.01, leash.n.01,
            tie.n.08, necktie.n.01
        container: container.n.01, bag.n.04, receptacle.n.01, box.n.01, basket.n.01, luggage.n.01
        bag: bag.n.01, bag.n.04, box.n.01, package.n.02, umbrella.n.01
        crockery: crockery.n.01, dish.n.01, plate.n.04, cup.n.01, glass.n.02, bowl.n.01, bowl.n.03, pan.n.01, pot.n.01
        storage: cabinet.n.01, chest_of_drawers.n.01, wardrobe.n.01, bookcase.n.01, drawer.n.01, desk.n.01, shelf.n.01, rack.n.01,
            cupboard.n.01, locker.n.02, refrigerator.n.01, oven.n.01
        furniture: furniture.n.01, shelf.n.01, counter.n.01, rack.n.01
        seat: seat.n.03, bed.n.01, sofa.n.01, bench.n.01
        vehicle: vehicle.n.01, conveyance.n.03, public_transport.n.01, train.n.01
        wheeled: wheeled_vehicle.n.01, self-propelled_vehicle.n.01, baggage.n.01, luggage.n.01, chair.n.01, cart.n.01, ball.n.01,
            furniture.n.01, wheel.n.01
        board: skateboard.n.01, surfboard.n.01, snowboard.n.01, ski.n.01, swing.n.02, escalator.n.02, elevator.n.01
        flyer: aircraft.n.01, kite.n.03, balloon.n.01, flag.n.01, ball.n.01, frisbee.n.01, disk.n.01, flag.n.04
        lamp: source_of_illumination.n.01, light.n.02, lamp.n.02, candle.n.01
        electronics: electronic_equipment.n.01, electronic_device.n.01, electrical_device.n.01, computer.n.01, display.n.06,
            computer_keyboard.n.01, telephone.n.01, camera.n.01, circuit.n.01, optical_instrument.n.01, clock.n.01, projector.n.02,
            printer.n.02, printer.n.03, mouse.n.04, peripheral.n.01, memory_device.n.01, charger.n.02, fan.n.01
        typed: computer.n.01, computer_keyboard.n.01, keyboard.n.01, telephone.n.01, typewriter.n.01, calculator.n.02
        appliance: appliance.n.02, home_appliance.n.01, heater.n.01, cooling_system.n.02, air_conditioner.n.01, faucet.n.01,
            fireplace.n.01, engine.n.01, motor.n.01, fountain.n.01, refrigerator.n.01, sprinkler.n.01, burner.n.02
        conductor: conductor.n.04, cable.n.02
        door: door.n.01, gate.n.01, movable_barrier.n.01, entrance.n.01, doorway.n.01, hatch.n.01
        window: window.n.01, window.n.07, window.n.02, pane.n.01, windowpane.n.01, blind.n.03, curtain.n.01, shutter.n.02
        structure: structure.n.01
        building: building.n.01, house.n.01, establishment.n.04, housing.n.01, tower.n.01, shelter.n.01, bridge.n.01
        room: room.n.01, area.n.05, compartment.n.01, compartment.n.02
        barrier: barrier.n.01, partition.n.01, column.n.07
        way: road.n.01, path.n.02, path.n.04, walk.n.05, passageway.n.01, aisle.n.01, stairway.n.01, pavement.n.01,
            parking_lot.n.01, runway.n.04, railroad_track.n.01, crossing.n.05, floor.n.01, floor.n.02
        place: location.n.01, geological_formation.n.01, body_of_water.n.01, land.n.04, tract.n.01, field.n.01, park.n.02,
            court.n.04, ground.n.01, sky.n.01, background.n.02, natural_depression.n.01
        water: wave.n.01, body_of_water.n.01, water.n.01, fluid.n.01
        sky: sky.n.01, atmosphere.n.05, weather.n.01, day.n.04
        substance: substance.n.01, material.n.01, fabric.n.01, glass.n.01, brick.n.01, tile.n.01, stone.n.02
        surface: surface.n.01, board.n.03
        implement: writing_implement.n.01, tool.n.01, weapon.n.01, musical_instrument.n.01, cutlery.n.02, sports_implement.n.01,
            rod.n.01, racket.n.04, stick.n.01
        ladder: ladder.n.01
        passage: passageway.n.01
        table: table.n.02, bookcase.n.01, shelf.n.01, counter.n.01
        skin: hand.n.01, finger.n.01, arm.n.01, face.n.01
        organ: hair.n.01, hand.n.01, finger.n.01, beard.n.01, mustache.n.01, nose.n.01, mouth.n.02, eye.n.01, ear.n.01
        part of vehicle: headlight.n.01, windshield.n.01, tire.n.01, taillight.n.01, bumper.n.02, license_plate.n.01
        """
    ).items()
}
# Of which kinds an attribute can be said: its words, or "class" and a class of attributes.
BEARERS = _rules(
    """
    class switch, turned on, turned off, switched on, switched off: lamp, electronics, appliance, vehicle, building, room
    class opening: bag, door, window, container, storage, publication, clothing, cloth, electronics, appliance, building,
        room, vehicle, body, plant, place, way, barrier, food
    class motion: vehicle, alive, water
    parked: vehicle
    sitting, seated, kneeling, crouching, crouched, squatting, jumping, leaping, walking, running, sleeping, asleep, awake: alive
    smiling, laughing, talking, posing, eating, playing, barefoot, male, female, asian, adult, pregnant, shirtless, grazing,
        looking, happy, sad, alone, elderly, aged, middle-aged, bearded: alive, body
    young: alive, plant
    skateboarding, surfing, skiing, snowboarding: person
    flying: alive, flyer, vehicle
    blonde: person, hair
    curly: hair, alive, food, plant
    bald: alive, body
    class fill, occupied: container, crockery, storage, furniture, seat, vehicle, room, building, structure, way, place, body, paper
    crowded: furniture, room, building, structure, vehicle, way, place, storage
    cluttered, messy, tidy, untidy, organized: seat, table, storage, room, building, way, place, container, hair, surface
    folded: cloth, clothing, paper, publication, furniture, container, body
    tied: cord, cloth, clothing, vehicle, animal, bag, hair, plant
    scattered, stacked, piled: paper, publication, food, plant, container, crockery, clothing, cloth, implement, substance
    stuffed: animal, figure, food, cloth, container, clothing, seat
    hanging: not alive, vehicle, building, room, way, place, table, seat, barrier
    locked: door, window, container, storage, vehicle, building, room
    chained: vehicle, alive, door, container, furniture
    sliding: door, window, barrier, container, storage
    rolling: wheeled, vehicle, place, container
    paper, cardboard: paper, publication, container, crockery, figure, lamp, substance, bag, cloth, worn, flyer
    leather, canvas, suede: not food, plant, animal, implement, crockery, door, lamp, electronics, appliance, vehicle, way
    clear: way, place, room, water, sky, container, crockery, substance, window, door, table
    glass top, glass topped, glass-topped: table, storage
    glass-fronted: building, storage, furniture, door, appliance, room
    long-sleeved, long sleeved, short-sleeved, sleeveless, collared, button down, unbuttoned, zippered, unzipped: clothing,
        container
    leafy, leafless, potted, flowering, blooming, evergreen, pruned, budding: plant
    ripe, unripe, raw, cooked, fried, baked, grilled, peeled, unpeeled, uneaten, fresh, sliced, chopped, toasted, roasted, glazed,
        melted, shredded, half-eaten, bitten: food, plant, animal
    whole: food, plant, crockery
    cloudy, overcast, partly cloudy, hazy: sky, water, place
    paved, asphalt: way, place, substance
    wavy, choppy, shallow, foamy: water, hair, place, container, crockery
    knit, knitted, cotton, denim, wool, woolen, silk: cloth, clothing, worn, container, figure, substance
    brick, concrete, cement, stone, cobblestone, granite, marble: structure, seat, table, way, container, figure, place, substance,
        surface, appliance
    wooden, wood, wicker, bamboo: not person, animal, food, cloth, place, water, clothing, electronics, conductor, paper
    metal, metallic, steel, iron, plastic, glass, ceramic, porcelain, aluminum, rubber, chrome:
        not person, animal, food, cloth, place, water, clothing
    sunny: sky, place, room, building, way, structure, window
    blue, green, purple, pink, orange, yellow, gray, silver, teal, turquoise: not skin
    """
)
# Which kinds can be in a relation, as its subject and, after ">", as its object: by its verb, by its place, or by all its words.
PARTNERS = _rules(
    """
    wear: alive, body > worn
    eat, bite: alive, body > food, plant, animal, crockery, container
    drink, lick, chew, look, watch, stare, gaze, glance, see, talk, smile, pose, play, photograph, pet, feed, kick, throw, catch,
        ski, surf, work, read: alive, body >
    walk, kneel: alive >
    walk in, walk on, walk through: > not furniture, electronics, crockery, implement, clothing, paper
    type on, type: person, animal, body > typed
    drive: person, vehicle >
    ride: alive, vehicle > vehicle, animal, board, figure, way, place, water
    park: vehicle >
    sit on: > not hair, lamp, implement, clothing
    sit in, lie in, sleep in, stand in: > not table, clothing, worn, electronics, paper, crockery
    sit at, work at: > not seat
    walk at, walk along, walk across: > way, place, room, building, structure, water
    work on: > not clothing, worn, animal, food, crockery
    line: > way, place, room, building, barrier, cloth, food, furniture
    make of: > substance, paper, cloth
    tape, pin, glue, tack: not furniture, building, way, place >
    in: > not electronics, implement, lamp, ladder
    to: door, way, room > room, building, place, way, vehicle
    outside: not room > room, building, window, door, structure, vehicle, container
    full of: container, storage, room, building, vehicle, way, place, paper >
    on: > not room, passage
    """
)
# Whose such things are, if somebody has them.
OWNERS = {
    kind: Rule.read(", ".join(owners))
    for kind, owners in table(
        """
        organ: alive, body, electronics
        part of vehicle: vehicle
        """
    ).items()
}
SIZES = {
    synset: int(size)
    for size, synsets in table(
        """
        1: lighter-than-air_craft.n.01, balloon.n.01, food.n.01, food.n.02, edible_fruit.n.01, vegetable.n.01, tableware.n.01,
            writing_implement.n.01, telephone.n.01, jewelry.n.01, spectacles.n.01, cup.n.01, glass.n.02, mug.n.04, bottle.n.01,
            insect.n.01, nut.n.01, mouse.n.04, memory_device.n.01, crockery.n.01, remote_control.n.01, wallet.n.01, card.n.01
        2: feline.n.01, container.n.01, implement.n.01, electronic_equipment.n.01, electronic_device.n.01, computer.n.01,
            keyboard.n.01, clothing.n.01, publication.n.01, bird.n.01, animal.n.01, domestic_cat.n.01, musical_instrument.n.01,
            bag.n.04, clock.n.01, lamp.n.01, home_appliance.n.01, ball.n.01, printer.n.03, fan.n.01, computer_keyboard.n.01,
            game_equipment.n.01
        3: person.n.01, dog.n.01, seat.n.03, baggage.n.01, stool.n.01, bench.n.01, doll.n.01, wheel.n.01, lamp.n.02, rack.n.01,
            cart.n.01, bicycle.n.01, ladder.n.01, signboard.n.01, shopping_cart.n.01, toilet.n.02
        4: window.n.01, furniture.n.01, bed.n.01, sofa.n.01, white_goods.n.01, motorcycle.n.01, bathtub.n.01, ungulate.n.01,
            bear.n.01, big_cat.n.01, carnivore.n.01, camel.n.01, kangaroo.n.01, elephant.n.01, desk.n.01, table.n.02,
            refrigerator.n.01, air_conditioner.n.01
        5: pole.n.01, vehicle.n.01, motor_vehicle.n.01, tree.n.01, barrier.n.01, boat.n.01, street_sign.n.01
        6: truck.n.01, bus.n.01, aircraft.n.01, ship.n.01, train.n.01, locomotive.n.01, heavier-than-air_craft.n.01, trailer.n.01,
            floor.n.01
        7: structure.n.01
        9: wall.n.01, road.n.01, path.n.02, path.n.04, passageway.n.01, crossing.n.05, pavement.n.01, floor.n.02, roof.n.01,
            bridge.n.01, land.n.04, location.n.01, geological_formation.n.01
        """
    ).items()
    for synset in synsets
}
PERSON, FURNITURE, BUILDING, GROUND = 3, 4, 7, 9
"""What is as large as a desk stands on nothing that is no larger; a person, or a cat, may be on and in anything."""


@lru_cache(CACHE)
def kinds(noun: str) -> frozenset[str]:
    """The kinds of which a noun's common senses are."""
    return _kinds(wordnet.above(noun)) | ({"person", "alive"} if is_person(noun) else set())


@lru_cache(CACHE)
def main_kinds(noun: str) -> frozenset[str]:
    """The kinds of which a noun's commonest sense is."""
    sense = wordnet.sense(noun)
    return _kinds(wordnet.ancestors(sense).keys()) if sense else frozenset()


def _kinds(names: Collection[str]) -> frozenset[str]:
    found = frozenset(kind for kind, synsets in KINDS.items() if not synsets.isdisjoint(names))
    # WordNet has all that runs on wheels among containers.
    return found - {"container"} if "vehicle" in found else found


@lru_cache(CACHE)
def size(noun: str) -> int | None:
    """The size of what a noun means, in steps from what a hand holds (1) to a building (7); ``None`` where nothing tells.

    >>> size("cup"), size("desk"), size("horse"), size("hotel room"), size("idea")
    (1, 4, 4, 7, None)
    """
    if is_person(noun):
        return PERSON
    sense = wordnet.sense(noun)
    steps = wordnet.ancestors(sense) if sense else {}
    nearest = min((name for name in steps if name in SIZES), key=lambda name: (steps[name], name), default=None)
    return None if nearest is None else SIZES[nearest]


@lru_cache(CACHE)
def can_be(noun: str, attribute: str) -> bool:
    """Can an attribute be said of such a thing?

    >>> can_be("coat", "on"), can_be("lamp", "on"), can_be("ski", "parked"), can_be("door", "red")
    (False, True, False, True)
    """
    names = (attribute, *(f"class {name}" for name in attributes.classes(attribute)))
    return all(rule.allows(noun) for name in names for rule in BEARERS.get(name, ()))


@lru_cache(CACHE)
def can_relate(subject: str, relation: str, object_: str) -> bool:
    """Can a relation be said of two such things?

    >>> can_relate("man", "wear", "van"), can_relate("desk", "on", "railing"), can_relate("cat", "sit on", "desk")
    (False, False, True)
    """
    if relation.endswith(" by"):
        # "A hat worn by a man": the table is of the active.
        return True
    place = relations.read(relation).place
    verb = relation.partition(" ")[0] if relations.read(relation).verb else ""
    own, of_verb = PARTNERS.get(relation, (ANY, ANY)), PARTNERS.get(verb, (ANY, ANY))
    # What a verb asks of its object is said of another thing where a preposition stands between: who eats at a table.
    if not (own[0].allows(subject) and own[1].allows(object_) and of_verb[0].allows(subject)):
        return False
    if relation == verb and not of_verb[1].allows(object_):
        return False
    if {verb, place} & {"have", "with"} and not all(OWNERS[kind].allows(subject) for kind in main_kinds(object_) & OWNERS.keys()):
        return False
    return _fits(subject, place, object_)


ANY = Rule(frozenset(), False)


def _fits(subject: str, place: str, object_: str) -> bool:
    """Is there room for the one thing on, in or under the other?"""
    one, other = size(subject), size(object_)
    if one is None or (other or 0) >= BUILDING:
        return True
    if other is None:
        # What is as large as a house is on and in nothing whose size nobody knows, such as a tube or a logo.
        return one < BUILDING or place not in ("on", "in", "against")
    if place == "under":
        return one != BUILDING or other > FURNITURE
    if place not in ("on", "in"):
        return one < GROUND or place != "against"
    lively = one <= PERSON and "alive" in kinds(subject)
    return lively or one < other or (one == other and one < FURNITURE)


@lru_cache(CACHE)
def is_concrete(noun: str) -> bool:
    """Does a noun mean first of all a thing of a kind that pictures show, and neither an idea nor what things are made of?

    >>> is_concrete("tractor"), is_concrete("transit"), is_concrete("ingredient"), is_concrete("company")
    (True, False, False, False)
    """
    sense = wordnet.sense(noun)
    return sense is not None and wordnet.senses(noun, "n")[:1] == (sense,) and bool(main_kinds(noun) - {"substance", "place"})


def sensible(graph: SceneGraph) -> bool:
    """Can all that ``graph`` says be said of such things?"""
    return all(can_be(graph.objects[o], attribute) for o, attribute in graph.attributes) and all(
        can_relate(graph.objects[s], relation, graph.objects[o]) for s, relation, o in graph.relations
    )
