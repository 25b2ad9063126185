"""The words that the world knows beside those of its own captions: names, attributes and relations, as tables."""

from __future__ import annotations

from stages.language.lexicon import NUMBERS, words


def _table(text: str) -> dict[str, tuple[str, ...]]:
    """Lines ``key key …: word word …``; an underscore stands for a space inside a key or a word."""
    rows = ([[w.replace("_", " ") for w in part.split()] for part in line.split(":")] for line in text.strip().splitlines())
    return {key: tuple(row) for keys, row in rows for key in keys}


def _each(text: str) -> dict[str, str]:
    """Lines ``meaning: word word …``, turned round: each word with its meaning."""
    return {word: meaning for meaning, row in _table(text).items() for word in row}


# --- Names ------------------------------------------------------------------------------------------------------------------------

SENSES = {"bag": "bag.n.04", "kite": "kite.n.03", "lamp": "lamp.n.02", "pants": "trouser.n.01", "table": "table.n.02"}
SENSES |= {"skirt": "skirt.n.02", "banana": "banana.n.02", "cake": "cake.n.03", "book": "book.n.02", "turtle": "turtle.n.02"}
"""The sense of WordNet in which a kind is meant, where it is not the first."""

SAME = _table("""
    man: guy gentleman male fellow
    woman: lady female
    boy girl: kid child
    bag: purse handbag
    car: automobile auto
    truck: lorry
    sofa: settee
    hat: cap
    bicycle: cycle
    road: street pavement asphalt
    sea: seawater
    sand: beach
    grass: lawn
    horse: pony
    turtle: tortoise
    duck: bird
    house: home building
    cow: cattle bull ox
    bed: mattress
    sheep: lamb
    rabbit: hare
    shirt: top t-shirt tshirt blouse
""")
"""Further names of a kind. Some claim a little more than the picture shows; nobody would call them false."""

ARGUABLE = _table("""
    man woman: people adult
    boy girl: people baby
    truck: van
    bus: van coach
    car: taxi van
    cup: glass
    vase: pot jar jug
    bucket: pot
    box: crate chest
    bowl: dish
    bag: suitcase backpack
    bench sofa: seat
    chair: seat stool
    table: desk counter
    bird: chicken pigeon
    duck: goose chicken
    boat: ship
    dress: skirt gown
    skirt: dress
    pants: jeans legs
    hat: helmet
    shirt: jacket sweater
    grass: field hill ground park pasture yard
    sand: ground shore
    road: ground sidewalk
    floor: ground room carpet
    sky: air background sunset
    wall: room background
    sea: lake wave beach
    horse: donkey
    tree: bush plant
    flower: plant
    lamp: light
    cake: dessert
    guitar: instrument
    skateboard: board
    umbrella: parasol
    scarf: tie
""")
"""Names that some would give a kind."""

GROUPS = _table("""
    person: person human people individual somebody someone figure
    animal: animal creature pet
    furniture: furniture
    container: container vessel
    vehicle: vehicle
    food: food fruit snack
    plant: plant
    clothes: clothes clothing garment outfit
    building: building
""")
LOOSE_GROUP_NAMES = ("pet", "fruit", "vessel", "figure")
"""Names of a group that do not fit all its kinds."""
ANYTHING = ("object", "thing", "item", "one", "toy", "drawing", "picture", "photo", "image", "scene")
"""Words that fit anything, or say nothing of it."""

PARTS = _table("""
    person: head hair face eye ear nose mouth arm hand leg foot shoe boot skin mustache neck finger body smile sleeve
    animal: head face eye ear nose mouth leg foot paw tail wing beak fur mane horn trunk shell fin neck body tooth hoof feather
    vehicle: wheel tire window door light windshield headlight handlebar pedal sail mast wing bumper hood roof engine frame seat
    furniture: leg back seat pillow arm cushion shade stand frame board mattress sheet blanket bulb top
    container: handle lid cap label rim bottom side opening buckle strap top
    plant: leaf trunk branch stem petal bark bush
    building: roof window door chimney wall knob
    food: stem leaf peel candle icing frosting seed plate cream
    clothes: sleeve button collar pocket belt brim band ribbon
    thing: string handle page hand face tail bow pole number cover stick neck hole rope
    stuff: cloud hill mountain line shadow sidewalk curb wave plank baseboard sun horizon ground room background tile tablecloth
""")
"""What is drawn as a part of things, without being a thing of its own in the truth: that it is there is never false for sure."""

# --- Attributes -------------------------------------------------------------------------------------------------------------------

COUNTS = NUMBERS | {"single": 1, "a pair of": 2, "pair of": 2}
SHADES = _table("""
    red: scarlet crimson maroon burgundy ruby reddish magenta auburn coral rose rosy
    orange: reddish gold golden amber orangish tan copper rust salmon peach coral
    yellow: khaki yellowish gold golden blonde amber tan beige cream
    green: turquoise teal aqua cyan lime olive emerald greenish khaki
    blue: navy azure turquoise teal aqua cyan indigo bluish
    purple: violet lavender lilac magenta mauve indigo fuchsia
    pink: reddish lilac magenta mauve salmon peach coral rose rosy pinkish fuchsia
    brown: maroon burgundy reddish khaki tan beige chestnut auburn bronze copper rust chocolate brownish brunette
    black: gray silver ebony blackish
    white: beige cream ivory snowy whitish gray silver
""")
"""Colour words that may be said of things of a colour; false of all the rest."""

ALSO = _table("""
    clock cake book bottle sky: white
    bed: brown white
    turtle: green
    tree guitar: brown
    flower: green yellow
    bicycle: black
""")
"""Colours of a kind's large fixed parts: a red clock has a white face, and may pass for white; a white car has black wheels, and
does not pass for black."""

PATTERNS = _each("""
    striped: striped stripy stripe
    spotted: spotted dotted polka_dot polka-dot polka-dotted spotty speckled
    checkered: checkered checked plaid chequered
    plain: plain solid
""")
SIZES = _each("""
    small: small little tiny short mini miniature low
    large: large big huge tall giant great high
""")
SEXES = {"male": ("man", "boy"), "female": ("woman", "girl")}
STANCES = {"sitting": "sitting", "seated": "sitting", "sit": "sitting", "standing": "standing", "stand": "standing"}
DONE = {"worn": "wear", "held": "hold", "carried": "hold", "ridden": "ride", "eaten": "eat", "played": "play", "flown": "fly"}
DOING = {"wearing": "wear", "holding": "hold", "carrying": "hold", "riding": "ride", "eating": "eat", "playing": "play"}

# --- Relations --------------------------------------------------------------------------------------------------------------------

PREPOSITIONS = _each("""
    on: on on_top_of atop upon onto
    in: in inside inside_of within into
    under: under underneath beneath
    below: below
    above: above over
    next_to: next_to beside alongside
    near: near by close_to at around
    left_of: to_the_left_of left_of
    right_of: to_the_right_of right_of
    in_front_of: in_front_of front_of
    behind: behind
    with: with
""")
VERBS = _each("""
    hold: hold carry grip grasp clutch
    wear: wear dress_in have_on
    ride: ride
    eat: eat bite munch chew
    play: play strum
    fly: fly
    has: have has
""")
OPPOSITES = _each("""
    on: off off_of
    with: without
    in: outside outside_of out_of
    near: far_from away_from
""")
POSTURE_VERBS = {"sit": "sit on", "seat": "sit on", "stand": "stand on", "hang": "hang on", "park": "park on"}
LOOSE_VERBS = words("""
    lie rest place put set lay perch lean walk run float be locate position swim
""")
"""Said of where a thing is, more than of what it does."""
VAGUE = words("""
    look face watch see touch approach follow show use belong support cover guard like reach attach connect contain bear
    surround block hide love own keep enjoy pass display shade
""")
"""Nobody can say from a drawing that these are not so."""
