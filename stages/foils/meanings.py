"""English for :class:`stages.graphs.evidence.Meanings`: which names, attributes and relations may both be true of one thing.

WordNet gives synonyms, hypernyms and hyponyms. It does not know that people call a street a road and a cup a mug, so groups of
names that one thing may have stand here; and that "man", "surfer" and "player" may be one person, so persons differ only where
sex or age tells them apart.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from stages.foils import attributes, relations, wordnet
from stages.foils.lexicon import groups
from stages.language.lexicon import AT_LEAST, NUMBERS, words

CACHE = 1 << 18

# Things that people name now one way and now another, or of which one is seen with the other.
NEAR_NAMES = groups(
    """
    street, road, highway, avenue, lane, path, pathway, driveway, pavement, asphalt, roadway, crosswalk, parking lot, tarmac, runway
    sidewalk, pavement, path, walkway, pathway, walk, curb, footpath, trail
    ground, floor, dirt, soil, land, field, lawn, grass, yard, park, meadow, pasture, hay, weed, plain, gravel, sand, pavement, turf
    hill, mountain, mountain range, slope, hillside, ridge, cliff, rock, peak
    ocean, sea, lake, water, river, pond, wave, pool, bay, stream, beach, shore, surf, puddle, foam, canal
    beach, sand, shore, coast, ocean, bank
    cup, mug, glass, tumbler, goblet, wine glass, jar, drink, coffee, tea, container, beverage
    plate, dish, saucer, tray, platter, bowl
    couch, sofa, loveseat, armchair, recliner, ottoman, futon
    chair, armchair, recliner, stool, seat, rocker
    bench, seat, pew
    table, desk, counter, stand, nightstand, countertop, shelf, dresser, cabinet, coffee table, island, workbench
    cabinet, cupboard, drawer, dresser, shelf, bookcase, closet, bookshelf, wardrobe, chest, locker, shelving
    coat, jacket, sweater, hoodie, blazer, sweatshirt, vest, suit, cardigan, parka, windbreaker
    shirt, t-shirt, blouse, top, jersey, tee, tank top, polo, sweater, sweatshirt, vest, uniform, dress, tunic, jacket
    pants, jeans, trousers, slacks, khakis, sweatpants, leggings, tights, overalls
    shorts, swim trunks, trunks, bathing suit, swimsuit, pants, skirt, underwear
    dress, skirt, gown, robe, blouse
    shoe, sneaker, boot, sandal, flip flop, footwear, slipper, cleat, heel, loafer, skate
    hat, cap, helmet, beanie, hood, headband, visor, bonnet, cowboy hat, headgear, bandana
    glasses, sunglasses, eyeglasses, goggles, spectacles, shades, mask
    bag, backpack, purse, handbag, luggage, suitcase, sack, pouch, tote, briefcase, duffel, satchel, pack
    car, vehicle, suv, van, sedan, taxi, cab, pickup, jeep, automobile, minivan, limousine, hatchback
    truck, vehicle, pickup, van, suv, jeep, trailer, wagon, lorry
    bus, van, trolley, coach, tram, streetcar
    train, locomotive, engine, tram, trolley, subway, rail car, train car, caboose
    motorcycle, motorbike, scooter, moped, bike, dirt bike
    bicycle, bike, tricycle, cycle
    boat, ship, yacht, canoe, kayak, sailboat, vessel, ferry, raft, barge
    airplane, plane, jet, aircraft, airliner, helicopter
    building, house, tower, structure, skyscraper, apartment, church, store, shop, home, barn, cottage, hotel, shed, hut, cabin
    room, building, house, home, hall, restaurant, office, store, shop
    kitchen, room, building, house, home, restaurant
    bedroom, room, building, house, home, hotel
    bathroom, restroom, room, building, house, home
    living room, dining room, room, building, house, home
    store, shop, market, marketplace, grocery store, supermarket, mall, shopping mall
    food, meal, dinner, lunch, breakfast, snack, dessert, dish, picnic
    wall, fence, barrier, building, gate, railing, partition, siding, tile, post, backsplash
    railing, rail, fence, banister, balcony, bar, handrail
    pole, post, lamppost, light pole, street light, rod, stick, pillar, column, mast, streetlight, flagpole, telephone pole
    lamp, light, lantern, light bulb, candle, chandelier, fixture, street light, headlight, bulb, flashlight, streetlight
    sign, poster, banner, billboard, placard, board, flag, advertisement, sticker, label, logo, notice
    picture, photo, painting, poster, frame, photograph, portrait, artwork, print, drawing
    tree, bush, plant, shrub, palm, pine, foliage, leaf, branch, hedge, vegetation, greenery, evergreen, trunk, vine
    flower, plant, rose, bouquet, blossom, daisy, petal, tulip, lily, bush
    rock, stone, boulder, pebble, gravel, brick
    window, glass, pane, windowpane, windshield, mirror, screen
    door, doorway, gate, entrance, entry, opening, window
    curtain, drape, blind, shade, valance
    rug, carpet, mat, floor, towel, blanket
    blanket, quilt, comforter, bedspread, sheet, cover, duvet, towel, throw, bedding, cloth
    pillow, cushion, headrest
    phone, cell phone, cellphone, telephone, mobile phone, smartphone, iphone, camera, remote
    computer, laptop, monitor, screen, television, tv, tablet, notebook
    keyboard, laptop
    book, magazine, notebook, newspaper, paper, pamphlet, menu, binder, folder
    stove, oven, range, microwave, cooktop
    refrigerator, fridge, freezer
    sink, basin, faucet, tub, bathtub
    tap, faucet
    cow, bull, calf, cattle, ox, buffalo, steer, bison
    sheep, lamb, goat, ram
    horse, pony, donkey, mule, foal
    dog, puppy, wolf
    cat, kitten
    bird, seagull, duck, pigeon, goose, swan, pelican, parrot, gull, hawk, eagle, crow, dove, owl, sparrow, chicken
    bear, polar bear, teddy bear, panda
    doll, teddy bear, stuffed animal, toy, figurine, bear
    head, face, hair, forehead
    hand, finger, arm, fist, wrist, palm, thumb, glove, paw
    leg, foot, knee, thigh, ankle, calf, shin, paw, toe
    mouth, lip, tooth, tongue, muzzle, snout, beak, nose, chin
    nose, snout, muzzle, beak
    hair, fur, beard, mane, mustache, ponytail, bangs
    horn, antler, tusk
    wheel, tire, rim, hubcap, spoke
    cake, cupcake, pastry, dessert, pie, muffin, donut, bread, cookie, doughnut, pancake, brownie
    bread, bun, roll, toast, bagel, sandwich, crust, loaf
    sandwich, burger, hamburger, hot dog, wrap
    fry, french fry, chip, potato
    lettuce, spinach, cabbage, salad, vegetable, greens, leaf, broccoli, kale, parsley, basil, herb
    apple, peach, plum, tomato, pear, nectarine
    orange, tangerine, grapefruit, peach, mandarin
    lemon, lime
    meat, chicken, beef, pork, ham, bacon, steak, sausage, turkey
    sauce, ketchup, dressing, gravy, syrup, mustard, cream, cheese, butter, frosting, icing
    onion, pepper, tomato, carrot, mushroom, vegetable, olive
    ball, baseball, soccer ball, tennis ball, football, basketball, frisbee
    bat, stick, racket, racquet, club, paddle, pole
    skateboard, snowboard, surfboard, board, ski, longboard, boogie board
    rope, cable, wire, cord, string, chain, leash, strap, line, ribbon, hose
    box, crate, carton, package, container, case, chest, bin
    basket, container, bin, hamper
    trash can, bin, garbage can, dumpster, bucket, barrel, trash bin, can
    bottle, jar, can, container, pitcher, jug
    vase, pot, jar, planter, urn, flowerpot, pitcher
    pot, pan, kettle, skillet, saucepan, planter
    knife, fork, spoon, utensil, silverware, spatula, chopstick
    napkin, paper towel, tissue, towel, cloth, paper
    necktie, tie, bow tie, scarf, collar, necklace
    necklace, chain, pendant, bracelet, collar, jewelry, earring
    watch, bracelet, wristband, band
    clock, watch, timer
    cloud, sky, smoke, fog, mist, haze, air
    snow, ice, frost, ground
    shadow, reflection, silhouette
    letter, word, number, writing, text, name, numeral, lettering, logo
    crowd, people, group, audience, person, spectator, team
    roof, rooftop, ceiling, awning, overhang, canopy, top
    umbrella, parasol, canopy, tent
    bench, seat, chair, stool
    button, knob, handle, switch
    track, rail, railroad, railway
    stair, step, staircase, ladder, stairs
    tray, plate, platter, box
    stone, brick, concrete, tile
    """
)
MEALS = words("food meal dinner lunch breakfast snack dessert dish picnic supper appetizer")
MALE = words("man boy guy gentleman father son brother husband king groom male dad grandfather businessman lad")
FEMALE = words("woman girl lady mother daughter sister wife queen bride female mom grandmother businesswoman gal")
ADULT = words("man woman gentleman lady father mother husband wife adult businessman businesswoman")
BABY = words("baby infant toddler newborn")
_GROUPS: dict[str, frozenset[int]] = {}
for _i, _group in enumerate(NEAR_NAMES):
    for _name in _group:
        _GROUPS[_name] = _GROUPS.get(_name, frozenset()) | {_i}


def _last(name: str) -> str:
    return name.rsplit(" ", 1)[-1]


def _groups(name: str) -> frozenset[int]:
    """The groups of :data:`NEAR_NAMES` that a name is in: people give the names of a group to one thing."""
    return _GROUPS.get(name, _GROUPS.get(_last(name), frozenset()))


@lru_cache(CACHE)
def is_person(name: str) -> bool:
    """
    >>> is_person("surfer"), is_person("dog"), is_person("person")
    (True, False, True)
    """
    found = wordnet.sense(name)
    return name in ("person", "people", "crowd") or (found is not None and found.lexname() == "noun.person")


@lru_cache(CACHE)
def is_food(name: str) -> bool:
    """
    >>> is_food("pizza"), is_food("plate")
    (True, False)
    """
    found = wordnet.sense(name)
    return found is not None and found.lexname() == "noun.food"


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


@lru_cache(CACHE)
def may_name(known: str, asked: str) -> bool:
    """May a thing that is called ``known`` also be called ``asked``?

    >>> may_name("dog", "animal"), may_name("street", "road"), may_name("man", "surfer"), may_name("man", "woman")
    (True, True, True, False)
    """
    if known == asked or known in wordnet.ANYTHING or asked in wordnet.ANYTHING:
        return True
    a, b = _noun(known), _noun(asked)
    if a.person and b.person:
        return may_be_one_person(known, asked)
    if a.last == b.last or not a.groups.isdisjoint(b.groups):
        return True
    # A pizza may be somebody's lunch; it is no salad.
    if (known in MEALS and b.food) or (asked in MEALS and a.food):
        return True
    # Most names are not related at all, which is the quickest to see.
    related = not (a.senses.isdisjoint(b.above) and b.senses.isdisjoint(a.above))
    return asked in a.synonyms or (related and (wordnet.kind_of(known, asked) or wordnet.kind_of(asked, known)))


class _Noun(NamedTuple):
    """What :func:`may_name` asks of a name."""

    person: bool
    food: bool
    last: str
    groups: frozenset[int]
    synonyms: frozenset[str]
    senses: frozenset[str]
    above: frozenset[str]


@lru_cache(CACHE)
def _noun(name: str) -> _Noun:
    named = wordnet.synonyms(name, "n"), wordnet.main_names(name), wordnet.above(name)
    return _Noun(is_person(name), is_food(name), _last(name), _groups(name), *named)


class English:
    """What English words say of each other."""

    def may_name(self, known: str, asked: str) -> bool:
        return may_name(known, asked)

    def implies(self, known: str, asked: str) -> bool:
        return attributes.implies(known, asked)

    def excludes(self, known: str, asked: str) -> bool:
        return attributes.excludes(known, asked)

    def leaves_open(self, known: str, asked: str) -> bool:
        return attributes.leaves_open(known, asked)

    def in_part(self, name: str, asked: str) -> bool:
        # A "red man" wears red, or so one may say.
        return attributes.in_part(name, asked) or ("colour" in attributes.classes(asked) and is_person(name))

    def number(self, attribute: str) -> int:
        return NUMBERS.get(attribute) or AT_LEAST.get(attribute, 1)

    def relation_implies(self, known: str, asked: str, turned: bool) -> bool:
        return relations.implies(known, asked, turned)

    def relation_excludes(self, known: str, asked: str, turned: bool) -> bool:
        return relations.excludes(known, asked, turned)

    def touches(self, relation: str, object_: str) -> bool:
        return relations.touches(relation, object_)

    def direction(self, relation: str) -> tuple[int, int] | None:
        return relations.direction(relation)
