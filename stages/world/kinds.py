"""The kinds of objects: their sizes, what they can carry, hold or be held by, and where they are met."""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True)
class Kind:
    """One kind of object. Points and heights are fractions of its box, from the upper left corner.

    Attributes:
        width, height: usual size, in pixels of a scene at scale 1.
        top: height of the surface on which things can stand; None where nothing can.
        hollow: height of the opening that hides the lower part of what is inside; None for a kind that is no container.
        shelter: things can be under it.
        seat: where a rider sits; None where nobody rides it.
        grip: where a hand takes it; None where it is too large to hold.
        mouth: where an animal eats.
        patterns: it comes in patterns.
    """

    name: str
    group: str
    width: float
    height: float
    top: float | None = None
    hollow: float | None = None
    shelter: bool = False
    seat: Point | None = None
    grip: Point | None = None
    mouth: Point | None = None
    patterns: bool = True


CENTRE = (0.5, 0.5)

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("man", "person", 205, 330),
        Kind("woman", "person", 195, 315),
        Kind("boy", "person", 150, 242),
        Kind("girl", "person", 146, 236),
        Kind("shirt", "clothes", 120, 115, grip=(0.5, 0.05)),
        Kind("pants", "clothes", 90, 150),
        Kind("skirt", "clothes", 90, 90),
        Kind("dress", "clothes", 110, 170),
        Kind("scarf", "clothes", 60, 60),
        Kind("hat", "clothes", 110, 66, grip=(0.2, 0.8)),
        Kind("dog", "animal", 160, 148, mouth=(0.97, 0.38)),
        Kind("cat", "animal", 105, 126, mouth=(0.5, 0.42)),
        Kind("horse", "animal", 262, 272, seat=(0.42, 0.41), mouth=(0.95, 0.3)),
        Kind("cow", "animal", 255, 215, mouth=(0.8, 0.46)),
        Kind("sheep", "animal", 178, 158, mouth=(0.95, 0.46)),
        Kind("elephant", "animal", 330, 278, seat=(0.38, 0.16), mouth=(0.93, 0.86)),
        Kind("rabbit", "animal", 86, 112, mouth=(0.88, 0.55)),
        Kind("bird", "animal", 96, 80, mouth=(0.98, 0.32)),
        Kind("duck", "animal", 106, 101, mouth=(0.97, 0.27)),
        Kind("fish", "animal", 104, 62),
        Kind("turtle", "animal", 116, 74, mouth=(0.98, 0.55)),
        Kind("butterfly", "animal", 84, 74),
        Kind("table", "furniture", 300, 172, top=0.08, shelter=True),
        Kind("chair", "furniture", 132, 222, top=0.55, shelter=True),
        Kind("bench", "furniture", 290, 150, top=0.53, shelter=True),
        Kind("bed", "furniture", 350, 180, top=0.52),
        Kind("sofa", "furniture", 335, 180, top=0.62),
        Kind("lamp", "furniture", 92, 162),
        Kind("box", "container", 132, 116, top=0.2, hollow=0.24),
        Kind("basket", "container", 124, 112, hollow=0.47, grip=(0.5, 0.03)),
        Kind("bowl", "container", 128, 72, hollow=0.26),
        Kind("cup", "container", 78, 72, hollow=0.13, grip=(0.85, 0.5)),
        Kind("vase", "container", 82, 122, hollow=0.08),
        Kind("bottle", "container", 46, 124, grip=(0.5, 0.4)),
        Kind("bag", "container", 112, 116, grip=(0.5, 0.04)),
        Kind("bucket", "container", 102, 110, hollow=0.3, grip=(0.5, 0.03)),
        Kind("car", "vehicle", 340, 160, top=0.08),
        Kind("bus", "vehicle", 430, 240),
        Kind("truck", "vehicle", 395, 230, top=0.04),
        Kind("bicycle", "vehicle", 270, 184, seat=(0.36, 0.17)),
        Kind("boat", "vehicle", 265, 245, hollow=0.71),
        Kind("airplane", "vehicle", 250, 104),
        Kind("skateboard", "vehicle", 165, 44, seat=(0.5, 0.3)),
        Kind("apple", "food", 64, 66, grip=CENTRE),
        Kind("banana", "food", 96, 62, grip=CENTRE),
        Kind("pear", "food", 56, 78, grip=CENTRE),
        Kind("strawberry", "food", 54, 58, grip=CENTRE, patterns=False),
        Kind("cake", "food", 122, 112, patterns=False),
        Kind("tree", "plant", 285, 385, shelter=True, patterns=False),
        Kind("flower", "plant", 74, 132, grip=(0.5, 0.8)),
        Kind("ball", "thing", 86, 86, grip=CENTRE),
        Kind("book", "thing", 78, 98, grip=CENTRE),
        Kind("clock", "thing", 104, 104, grip=CENTRE),
        Kind("umbrella", "thing", 196, 172, shelter=True, grip=(0.5, 0.86)),
        Kind("kite", "thing", 112, 160, grip=(0.48, 0.95)),
        Kind("guitar", "thing", 172, 178, grip=(0.4, 0.66)),
        Kind("balloon", "thing", 72, 142, grip=(0.5, 0.96)),
        Kind("house", "building", 330, 345, patterns=False),
    )
}

STUFF: dict[str, tuple[str, ...]] = {
    "sky": ("blue", "blue", "blue", "orange", "pink"),
    "wall": ("white", "white", "yellow", "pink", "green", "blue"),
    "grass": ("green",),
    "sand": ("yellow",),
    "sea": ("blue",),
    "road": ("black",),
    "floor": ("brown",),
}
"""What fills a scene's background, with its colours."""


@dataclass(frozen=True)
class Theme:
    """A place: its backdrop and ground, and the kinds that are met there, by their part in an arrangement."""

    backdrop: str
    ground: str
    people: tuple[str, ...]
    animals: tuple[str, ...]
    large: tuple[str, ...]
    """Things that stand on the ground and that others are on, in, under or beside."""
    small: tuple[str, ...]
    """Things that lie on others or are held."""
    floating: tuple[str, ...]
    """Things in the air or on the wall."""
    zoom: float = 1.0


ALL_PEOPLE = ("man", "woman", "boy", "girl")

THEMES: dict[str, Theme] = {
    "park": Theme(
        "sky", "grass", ALL_PEOPLE,
        ("dog", "cat", "rabbit", "duck", "bird"),
        ("bench", "tree", "bicycle", "skateboard", "basket"),
        ("ball", "book", "apple", "kite", "flower", "umbrella", "guitar", "balloon", "bag", "hat"),
        ("bird", "kite", "balloon", "butterfly"),
    ),
    "farm": Theme(
        "sky", "grass", ALL_PEOPLE,
        ("horse", "cow", "sheep", "dog", "cat", "duck", "rabbit"),
        ("house", "truck", "tree", "basket", "bucket", "box"),
        ("apple", "pear", "flower", "bucket", "basket", "hat", "bottle"),
        ("bird", "butterfly"),
    ),
    "street": Theme(
        "sky", "road", ALL_PEOPLE,
        ("dog", "cat", "bird"),
        ("car", "bus", "truck", "bicycle", "house", "bench", "box", "skateboard"),
        ("bag", "umbrella", "ball", "book", "cup", "balloon", "box", "bottle"),
        ("airplane", "bird", "balloon"),
    ),
    "beach": Theme(
        "sky", "sand", ALL_PEOPLE,
        ("dog", "turtle", "duck", "bird"),
        ("boat", "chair", "umbrella", "bucket", "table"),
        ("ball", "kite", "fish", "bag", "hat", "bottle", "umbrella", "book", "banana"),
        ("airplane", "bird", "kite"),
    ),
    "zoo": Theme(
        "sky", "grass", ALL_PEOPLE,
        ("elephant", "horse", "turtle", "rabbit", "duck", "bird", "sheep"),
        ("tree", "bench", "bucket", "box", "car"),
        ("banana", "apple", "balloon", "flower", "bag", "pear", "fish"),
        ("butterfly", "bird", "balloon"),
    ),
    "room": Theme(
        "wall", "floor", ALL_PEOPLE,
        ("cat", "dog", "rabbit", "bird"),
        ("table", "chair", "sofa", "bed", "box", "basket"),
        ("book", "cup", "vase", "lamp", "ball", "guitar", "bag", "shirt", "hat", "clock", "cake", "flower"),
        ("clock", "balloon", "shirt"),
    ),
    "kitchen": Theme(
        "wall", "table", (),
        ("cat", "bird"),
        ("bowl", "cup", "vase", "basket", "box", "bucket"),
        ("apple", "banana", "pear", "strawberry", "cake", "bottle", "book", "flower", "fish", "lamp"),
        ("clock", "butterfly"),
        zoom=2.3,
    ),
}  # fmt: skip
