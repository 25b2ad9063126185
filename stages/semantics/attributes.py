"""What attributes say of each other: classes in which only one can hold, and the pairs that may both hold all the same.

A foil colour is false only if the thing's colour is known and the two cannot both be said of it. So a class lists groups: the
members of one group may be said of one thing, members of different groups of the same class may not. Words that stand in no
class exclude only their antonyms in WordNet: "white" never excludes "furry" (the paper's own example of a wrong negative).
"""

from __future__ import annotations

from functools import lru_cache

from stages.language.lexicon import words
from stages.semantics import wordnet
from stages.semantics.lexicon import groups, table

CACHE = 1 << 16

# Of each class, one group a line; the members of a group may both be true of one thing.
CLASSES = {
    "colour": groups(
        """
        red, maroon, crimson, scarlet, burgundy, reddish
        orange
        yellow, gold, golden, blonde, mustard
        green, olive, lime, lime green, greenish
        blue, navy, navy blue, teal, turquoise, aqua, bluish
        purple, violet, lavender, lilac
        pink, magenta, fuchsia, rose
        brown, tan, beige, bronze, chestnut, brownish, khaki, copper
        black, dark, charcoal
        white, cream, ivory, off white, whitish
        gray, silver, grayish
        """
    ),
    "size": groups(
        """
        small, little, tiny, miniature, mini
        big, large, huge, giant, massive, enormous, gigantic, oversized
        """
    ),
    "height": groups("tall, high, towering\nshort, low"),
    "length": groups("long\nshort"),
    "width": groups("wide, broad\nnarrow"),
    "thickness": groups("thick\nthin, skinny, slim, slender"),
    "depth": groups("deep\nshallow"),
    "material": groups(
        """
        wooden, wood, wicker, bamboo, rattan
        metal, metallic, steel, iron, aluminum, chrome, stainless steel, tin, brass, copper, bronze, silver, wrought iron
        plastic, rubber, vinyl, foam
        glass
        brick, stone, concrete, cement, rock, marble, granite, tile, tiled, ceramic, porcelain, clay
        leather, suede
        paper, cardboard
        cloth, cotton, denim, fabric, wool, woolen, knit, knitted, silk, velvet, linen, canvas
        """
    ),
    "pattern": groups(
        """
        plain, solid
        striped, stripey
        spotted, polka dot, polka dotted, dotted
        checkered, plaid, checked
        floral, flowered, flowery
        """
    ),
    "posture": groups(
        """
        sitting, seated
        standing, walking
        lying, laying, lying down, laying down
        kneeling, crouching, squatting, crouched
        jumping, leaping
        flying
        swimming
        """
    ),
    "gait": groups("sitting, seated, lying, laying, lying down, laying down, kneeling, crouching\nwalking, running"),
    "rest": groups("sleeping, asleep\nstanding, walking, running, jumping, leaping, flying, swimming, kneeling"),
    "motion": groups("parked, stopped, stationary\nmoving, driving, flying"),
    "opening": groups("open, opened\nclosed, shut"),
    "wetness": groups("wet, damp, soaked\ndry"),
    "cleanness": groups("clean\ndirty, muddy, dusty, stained, filthy"),
    "fill": groups("full, filled, crowded\nempty, vacant"),
    "switch": groups("lit, illuminated, lit up, glowing, on\nunlit, off"),
    "brightness": groups("bright, sunny\ndim, dark"),
    "weather": groups("sunny, clear, cloudless\ncloudy, overcast, gray, stormy, rainy"),
    "age of persons": groups("young\nold, older, elderly, aged"),
    "age of things": groups("new, modern, brand new\nold, ancient, antique, vintage"),
    "temperature": groups("hot, steaming\ncold, frozen, icy"),
    "ripeness": groups("ripe\nunripe\nrotten"),
    "cooking": groups("raw, uncooked\ncooked, baked, grilled, fried, roasted, toasted, burnt, burned"),
    "waking": groups("asleep, sleeping\nawake"),
    "shape": groups("round, circular, oval\nsquare, rectangular\ntriangular"),
    "line": groups("straight\ncurved, bent, winding, twisted, crooked"),
    "hair": groups("straight\ncurly, wavy"),
    "baldness": groups("bald\nhairy, furry, long haired"),
    "sex": groups("male\nfemale"),
    "mood": groups("smiling, happy, laughing\nfrowning, sad, crying, angry"),
    "foliage": groups("leafy\nbare, leafless"),
    "paving": groups("paved\nunpaved, dirt, gravel"),
    "surface": groups("smooth\nrough, bumpy"),
    "sea": groups("calm, still\nrough, choppy, wavy"),
    "edge": groups("sharp, pointy, pointed\ndull, blunt"),
    "sleeve": groups("long sleeved, long sleeve\nshort sleeved, short sleeve\nsleeveless"),
    "slice": groups("whole, uncut\nsliced, cut, chopped"),
    "peel": groups("peeled\nunpeeled"),
    "weight": groups("heavy\nlight, lightweight"),
    "wholeness": groups("broken, cracked, damaged, torn\nintact"),
}
# Neighbours of which one person says the one and another the other of the same thing.
NEIGHBOURS = table(
    """
    red: orange, pink, brown
    orange: yellow, brown
    yellow: cream, beige, tan, khaki, blonde
    green: teal, turquoise, khaki, aqua
    blue: purple, gray, lavender
    purple: pink, magenta, burgundy, maroon, fuchsia
    brown: black, gold, golden, bronze, blonde, cream
    black: gray, navy, navy blue
    white: gray, silver, beige, clear, blonde
    beige: cream, ivory, off white, gray
    maroon: brown, purple
    copper: orange
    gold: bronze, brass
    dark: brown, gray, blue, green, red, purple, maroon
    plastic: glass, metal
    cloth: leather, plastic
    glass: ceramic, porcelain
    wooden: cardboard
    metal: plastic, glass
    """
)
# Known of a thing, these leave its colour open: it has more than one.
MANY_COLOURED = words(
    """
    striped stripey spotted dotted plaid checkered checked floral flowered colorful multi-colored multicolor patterned
    printed camouflage tie-dye rainbow decorated painted polka two-tone calico tabby brindle mosaic tiled
    """
)

_PLACES: dict[str, dict[str, int]] = {}
for _name, _groups in CLASSES.items():
    for _i, _group in enumerate(_groups):
        for _word in _group:
            _PLACES.setdefault(_word, {})[_name] = _i
_NEIGHBOURS = {frozenset((head, other)) for head, others in NEIGHBOURS.items() for other in others}


@lru_cache(CACHE)
def head(attribute: str) -> str:
    """The word of an attribute that a class knows: "light blue" is a blue, "very tall" a tall one."""
    return attribute if attribute in _PLACES or " " not in attribute else attribute.rsplit(" ", 1)[1]


TOLD = {"colour", "material", "pattern"}


def told(attribute: str) -> bool:
    """Is it what people tell of most things, as colours are? What is clean, large or empty they seldom say.

    >>> told("dark red"), told("clean"), told("large")
    (True, False, False)
    """
    return not TOLD.isdisjoint(classes(attribute))


def classes(attribute: str) -> dict[str, int]:
    """The classes of an attribute, each with the number of its group."""
    return _PLACES.get(head(attribute), {})


@lru_cache(CACHE)
def same_class(known: str, other: str) -> bool:
    """Do the two stand in one class, whether or not they exclude each other?"""
    return bool(classes(known).keys() & classes(other).keys())


@lru_cache(CACHE)
def excludes(known: str, asked: str) -> bool:
    """Can no one thing be said to have both?

    >>> excludes("red", "blue"), excludes("red", "orange"), excludes("white", "furry"), excludes("tall", "short")
    (True, False, False, True)
    """
    a, b = head(known), head(asked)
    if a == b:
        return {known.split()[0], asked.split()[0]} == {"light", "dark"}
    if frozenset((a, b)) in _NEIGHBOURS:
        return False
    shared = _PLACES.get(a, {}).keys() & _PLACES.get(b, {}).keys()
    if shared:
        # A word of several classes ("silver" is a colour and a metal) excludes only where all that they share agree.
        return all(_PLACES[a][name] != _PLACES[b][name] for name in shared)
    return known in wordnet.antonyms(asked, "a") or asked in wordnet.antonyms(known, "a")


def leaves_open(known: str, asked: str) -> bool:
    """Has a thing that is ``known`` several colours, so that one of them says nothing of another?"""
    return "colour" in classes(asked) and not MANY_COLOURED.isdisjoint(known.split())


@lru_cache(CACHE)
def implies(known: str, asked: str) -> bool:
    """May a thing that is ``known`` well be called ``asked``: the same, a shade of it, a synonym, a neighbour?"""
    a, b = head(known), head(asked)
    if a == b:
        return not excludes(known, asked)
    shared = _PLACES.get(a, {}).keys() & _PLACES.get(b, {}).keys()
    if any(_PLACES[a][name] == _PLACES[b][name] for name in shared) or frozenset((a, b)) in _NEIGHBOURS:
        return True
    return not shared and (asked in wordnet.synonyms(known, "a") or wordnet.alike(known, asked))


@lru_cache(CACHE)
def candidates(attribute: str) -> tuple[str, ...]:
    """Attributes that exclude this one: its antonyms first, then the members of the other groups of its classes."""
    found = sorted(wordnet.antonyms(attribute, "a"))
    for name, own in sorted(classes(attribute).items()):
        found += [word for i, group in enumerate(CLASSES[name]) if i != own for word in sorted(group)]
    return tuple(dict.fromkeys(word for word in found if excludes(attribute, word)))
