"""Scenes: things with their places, and the links between them that were drawn on purpose."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from random import Random
from typing import NamedTuple

from PIL import Image

from stages.world.kinds import KINDS, LIKELY, Point
from stages.world.sprites import COLOURS, PATTERNS, SHAPES, Stencil, stencil, tint

WIDTH, HEIGHT = 800, 600
"""A scene's size in pixels, that of many Visual Genome images."""

Box = tuple[float, float, float, float]
"""Left, upper, right and lower edge, in pixels."""

# A person's frame, in which clothes are also drawn, is as high as a standing person (y 0–1). A person is the shape ``body`` and,
# over it, one for each garment, such as ``worn hat``.
SITTING = 0.84
"""Height of a sitting person, in standing heights; it is the height of the frame."""
PERSON_WIDTH = 0.62
"""Width of the frame, in standing heights."""
HAND: dict[str, Point] = {"out": (0.86, 0.4), "mouth": (0.6, 0.2), "down": (0.22, 0.56)}
"""The point of the holding hand, by the arm's pose."""


class Pose(NamedTuple):
    """``sits`` or stands; the right ``arm`` hangs ``down``, is held ``out``, or goes to the ``mouth``."""

    sits: bool = False
    arm: str = "down"


OTHERWISE: dict[str, tuple[float, float]] = {"closed_umbrella": (52, 172), "open_book": (134, 86)}
"""The width and height of a kind in another state; by default those of the kind."""
STATES = {
    "umbrella": (("open", "umbrella"), ("open", "umbrella"), ("closed", "closed_umbrella")),
    "book": (("closed", "book"), ("open", "open_book")),
}
"""The states of kinds that are open or closed, with their shapes, the likelier ones more than once."""
STANDING = Pose()
SIZES = {"small": 0.7, "": 1.0, "large": 1.34}
SIZES_OF_PEOPLE = {"small": 0.84, "": 1.0, "large": 1.14}


@dataclass(frozen=True)
class Look:
    """Which sprite a thing has: a shape, or a person's body or garment in a pose."""

    shape: str
    colour: str = "white"
    pattern: str = "plain"
    person: str = ""
    pose: Pose = STANDING
    skin: int = 0
    hair: int = 0

    @property
    def garment(self) -> bool:
        return bool(self.person) and self.shape != "body"


@dataclass(frozen=True)
class Thing:
    """A thing in a scene.

    Attributes:
        colour: None where it has no single colour (people).
        size: ``small``, ``large`` or empty, against the usual size of its kind.
        state: ``open``, ``closed``, ``sitting``, ``standing`` or empty.
        box: the visible part; frame: the box of the whole sprite.
        shown: the upper fraction of the frame that is drawn, less than 1 for a thing inside a container.
        depth: y of the ground on which it, or what carries it, stands; nearer things have a larger one.
        floating: it is in the air or on a wall.
        tether: the end of a string that holds it.
    """

    kind: str
    colour: str | None
    pattern: str
    size: str
    state: str
    box: Box
    frame: Box
    look: Look | None
    flip: bool = False
    shown: float = 1.0
    depth: float = 0.0
    floating: bool = False
    tether: Point | None = None

    def moved(self, scale: float, dx: float, dy: float) -> Thing:
        """Return this thing, scaled about the origin and shifted."""

        def move(box: Box) -> Box:
            return (box[0] * scale + dx, box[1] * scale + dy, box[2] * scale + dx, box[3] * scale + dy)

        tether = self.tether and (self.tether[0] * scale + dx, self.tether[1] * scale + dy)
        return replace(self, box=move(self.box), frame=move(self.frame), depth=self.depth * scale + dy, tether=tether)


Link = tuple[int, str, int]
"""Subject, relation and object; the relation in the words of :mod:`stages.world.relations`."""


@dataclass
class Scene:
    """Things in the order in which they are drawn, and the links between them."""

    theme: str = ""
    backdrop: int = 0
    things: list[Thing] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    def join(self, other: Scene) -> None:
        """Add the things of another scene, with their links."""
        first = len(self.things)
        self.things += other.things
        self.links += [(s + first, relation, o + first) for s, relation, o in other.links]


def union(boxes: Iterable[Box]) -> Box:
    """Return the smallest box around all ``boxes``."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def overlap(a: Box, b: Box, axis: int) -> float:
    """Return how much two boxes overlap along an ``axis`` (0: across, 1: down); less than 0 is a gap."""
    return min(a[axis + 2], b[axis + 2]) - max(a[axis], b[axis])


def shorter(a: Box, b: Box, axis: int) -> float:
    """Return the length along an ``axis`` of the shorter of two boxes."""
    return min(a[axis + 2] - a[axis], b[axis + 2] - b[axis])


def common(a: Box, b: Box) -> float:
    """Return the area of the intersection of two boxes."""
    return max(0.0, overlap(a, b, 0)) * max(0.0, overlap(a, b, 1))


class Maker:
    """Adds things to a scene, around the origin, at scale 1, with the ground at y = 0."""

    def __init__(self, rng: Random):
        self.rng = rng
        self.scene = Scene()
        self.things = self.scene.things

    def add(
        self,
        kind: str,
        x: float,
        y: float,
        scale: float | None = None,
        at: Point | None = None,
        flip: bool | None = None,
        pose: Pose = STANDING,
    ) -> int:
        """Add a thing of ``kind``, or a clothed person, and return its index.

        Args:
            x, y: the place of the thing's point ``at``, in fractions of its box; by default of its foot, or of the seat.
            scale: of the usual size; by default some things are small or large.
            flip: whether it is mirrored; at random by default.
        """
        rng, person = self.rng, KINDS[kind].group == "person"
        size = "" if scale else rng.choices(("", "small", "large"), (0.74, 0.13, 0.13))[0]
        scale = scale or (SIZES_OF_PEOPLE if person else SIZES)[size]
        flip = rng.random() < 0.5 if flip is None else flip
        state, shape = rng.choice(STATES.get(kind, (("", kind),)))
        width, height = (length * scale for length in _size(shape))
        height *= SITTING if pose.sits else 1.0
        at = at or (0.44 if person else 0.5, 0.6 / SITTING if pose.sits else 1.0)
        left = x - width * (1 - at[0] if flip else at[0])
        frame = (left, y - height * at[1], left + width, y + height * (1 - at[1]))
        if person:
            return self._person(kind, size, frame, flip, pose)
        colour = _colour(rng, kind)
        pattern = "plain" if KINDS[kind].unpatterned else _pattern(rng)
        self.things.append(Thing(kind, colour, pattern, size, state, frame, frame, Look(shape, colour, pattern), flip))
        return len(self.things) - 1

    def _person(self, kind: str, size: str, frame: Box, flip: bool, pose: Pose) -> int:
        """Add a person, and then the person's clothes in the same frame."""
        rng, index = self.rng, len(self.things)
        body = Look("body", person=kind, pose=pose, skin=rng.randrange(4), hair=rng.randrange(4))
        state = "sitting" if pose.sits else "standing"
        self.things.append(Thing(kind, None, "plain", size, state, _seen(body, frame, flip), frame, body, flip))
        for garment in _clothes(rng, kind):
            look = replace(body, shape=garment, colour=_colour(rng, garment), pattern=_pattern(rng))
            self.link(index, "wear", len(self.things))
            box = _seen(look, frame, flip)
            self.things.append(Thing(garment, look.colour, look.pattern, "", "", box, frame, look, flip))
        return index

    def link(self, subject: int, relation: str, thing: int) -> None:
        self.scene.links.append((subject, relation, thing))

    def change(self, index: int, **fields: object) -> None:
        self.things[index] = replace(self.things[index], **fields)  # type: ignore[arg-type]

    def point(self, index: int, at: Point) -> Point:
        """Return the point ``at`` of a thing's frame, in pixels; mirrored with the thing."""
        thing = self.things[index]
        x0, y0, x1, y1 = thing.frame
        return x0 + (x1 - x0) * (1 - at[0] if thing.flip else at[0]), y0 + (y1 - y0) * at[1]


def _size(shape: str) -> tuple[float, float]:
    return OTHERWISE.get(shape) or (KINDS[shape].width, KINDS[shape].height)


def _colour(rng: Random, kind: str) -> str:
    return LIKELY[kind] if kind in LIKELY and rng.random() < 0.25 else rng.choice(tuple(COLOURS))


def _pattern(rng: Random) -> str:
    return rng.choices(PATTERNS, (0.64, 0.14, 0.12, 0.1))[0]


def _clothes(rng: Random, kind: str) -> list[str]:
    """Return the clothes of a person of ``kind``, in the order of putting them on."""
    either = (["dress"], ["skirt", "shirt"], ["pants", "shirt"])
    clothes = rng.choice(either) if kind in ("woman", "girl") else ["pants", "shirt"]
    extra = rng.random()
    return [*clothes, *(["scarf"] if extra > 0.85 else ["hat"] if extra < 0.3 else [])]


@cache
def _stencil(look: Look, small: bool) -> Stencil:
    """Return the stencil of a look that :func:`_bare` made, for a small picture or at its full size."""
    if not look.person:
        return stencil(SHAPES[look.shape], *_size(look.shape), small)
    tall = SITTING if look.pose.sits else 1.0
    who = {look.person, "sitting" if look.pose.sits else "standing", look.pose.arm}
    strokes = SHAPES[f"worn {look.shape}" if look.garment else look.shape]
    drawn = (stroke for stroke in strokes if not stroke.only or stroke.only & who)
    return stencil(drawn, PERSON_WIDTH, tall, small, extent=(1.0, tall), skin=look.skin, hair=look.hair)


def _bare(look: Look) -> Look:
    """Return the look without the properties that do not change its stencil."""
    bare = replace(look, colour="white", pattern="plain")
    return replace(bare, hair=0, person="man") if look.garment else bare


def _seen(look: Look, frame: Box, flip: bool) -> Box:
    """Return the part of a person's ``frame`` covered by a body or garment."""
    mask = _stencil(_bare(replace(look, skin=0, hair=0)), True).mask
    x0, y0, x1, y1 = mask.getbbox() or (0, 0, *mask.size)
    if flip:
        x0, x1 = mask.width - x1, mask.width - x0
    sx, sy = (frame[2] - frame[0]) / mask.width, (frame[3] - frame[1]) / mask.height
    return frame[0] + x0 * sx, frame[1] + y0 * sy, frame[0] + x1 * sx, frame[1] + y1 * sy


@lru_cache(maxsize=2048)
def sprite(look: Look, small: bool = False) -> Image.Image:
    """Return the sprite of a look, for a small picture or at its full size; clothes have finer patterns."""
    drawn = tint(_stencil(_bare(look), small), look.colour, look.pattern, fine=look.garment)
    return drawn.reduce(2) if small else drawn
