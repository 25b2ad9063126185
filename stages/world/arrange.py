"""Arrangements: small groups of things in a relation that is drawn on purpose, such as a boy on a bench with a balloon."""

from collections.abc import Callable, Iterable
from random import Random

from stages.world.kinds import CENTRE, KINDS, Kind, Point, Theme
from stages.world.scene import HAND, SITTING, Maker, Pose, Scene

Arrangement = Callable[[Maker, Theme], None]

APART: dict[str, tuple[str, Point]] = {
    "throw": ("out", (1.34, 0.24)),
    "drop": ("out", (0.89, 0.55)),
    "reach for": ("out", (1.18, 0.37)),
    "fly": ("out", (1.34, -0.12)),
    "kick": ("down", (0.92, 0.9)),
}
"""Actions on a thing that is not in the hand: the arm's pose, and the thing's place, in fractions of a standing person's frame."""
LOW = 105
"""Maximum height, in pixels, of things that nobody pushes."""


class Absent(LookupError):
    """A theme has no kind that an arrangement needs."""


def _pick(make: Maker, kinds: Iterable[str], fits: Callable[[Kind], object] = lambda kind: True) -> str:
    fitting = [kind for kind in kinds if fits(KINDS[kind])]
    if not fitting:
        raise Absent
    return make.rng.choice(fitting)


def _put(make: Maker, kind: str, relation: str, other: int, at: Point, scale: float, pose: Pose = Pose()) -> int:  # noqa: B008
    """Add a thing that stands on the point ``at`` of another one, in this relation to it."""
    index = make.add(kind, *make.point(other, at), scale, pose=pose)
    make.link(index, relation, other)
    return index


def lone(make: Maker, theme: Theme) -> None:
    """Add one thing alone, or two or three of a kind next to each other."""
    kind, x = _pick(make, theme.people + theme.animals + theme.large + theme.small), 0.0
    for _ in range(make.rng.choices((1, 2, 3), (0.6, 0.25, 0.15))[0]):
        index = make.add(kind, x, 0, at=(0, 1))
        x = make.things[index].box[2] + make.rng.uniform(8, 40)


def pair(make: Maker, theme: Theme) -> None:
    """Add two different things next to each other, and perhaps something on one of them."""
    everything = theme.animals + theme.large + theme.small
    first = make.add(_pick(make, theme.people + everything), 0, 0)
    kind = make.things[first].kind
    edge = max(thing.box[2] for thing in make.things)
    make.add(_pick(make, everything, lambda k: k.name != kind), edge + make.rng.uniform(6, 60), 0, at=(0, 1), flip=False)
    if KINDS[kind].top is not None and make.rng.random() < 0.4:
        _fill(make, theme, first)


def surface(make: Maker, theme: Theme) -> None:
    """Add things on a table, a bed or a chair."""
    kind = _pick(make, theme.large, lambda k: k.top is not None)
    _fill(make, theme, make.add(kind, 0, 0, flip=False))


def _fill(make: Maker, theme: Theme, below: int) -> None:
    """Put one to three small things or a small animal on a surface, next to each other."""
    rng, kind = make.rng, KINDS[make.things[below].kind]
    x0, y0, x1, y1 = make.things[below].frame
    margin = (x1 - x0) * (0.17 if kind.name == "chair" else 0.06)
    x, end, y = x0 + margin, x1 - margin, y0 + (y1 - y0) * (kind.top or 0)
    for _ in range(rng.choices((1, 2, 3), (0.45, 0.35, 0.2))[0]):
        name = _pick(make, theme.small + theme.animals, lambda k: k.width < 170)
        scale = min(1.0, (end - x0 - margin) / KINDS[name].width)
        spare = end - x - scale * KINDS[name].width
        if spare < -4:
            break
        index = make.add(name, x + rng.uniform(0, min(30, max(0, spare))), y, scale, at=(0, 1))
        make.link(index, "on", below)
        x = make.things[index].box[2] + rng.uniform(4, 30)


def sheltered(make: Maker, theme: Theme) -> None:
    """Add somebody or something under a table, a chair, a tree or an open umbrella."""
    kind = KINDS[_pick(make, theme.large, lambda k: k.shelter)]
    roof = make.add(kind.name, 0, 0, 1.3 if kind.top is None else None, flip=False)
    if make.things[roof].state == "closed":
        raise Absent
    name = _pick(make, [k for k in theme.people if k in ("boy", "girl")] + theme.animals + theme.small)
    x0, y0, x1, y1 = make.things[roof].frame
    scale = min(0.95, 0.6 * (y1 - y0) * (1 - (kind.top or 0)) / KINDS[name].height, 0.4 * (x1 - x0) / KINDS[name].width)
    _put(make, name, "under", roof, (0.5 + make.rng.choice((-0.2, 0.2)), 1.0), scale)


def sitting(make: Maker, theme: Theme) -> None:
    """Add somebody on a chair, a bench, a bed or a sofa, and perhaps an animal or a thing next to the person."""
    kind = _pick(make, theme.large, lambda k: k.name in ("chair", "bench", "sofa", "bed"))
    below, top = make.add(kind, 0, 0, 1.12, flip=False), KINDS[kind].top or 0
    arm = make.rng.choices(("down", "out", "mouth"), (0.4, 0.4, 0.2))[0]
    who = _put(make, _pick(make, theme.people), "sit on", below, (0.42 if kind == "chair" else 0.25, top), 0.9, Pose(True, arm))
    _handle(make, theme, who, arm)
    if kind != "chair" and make.rng.random() < 0.55:
        name = _pick(make, theme.animals + theme.small, lambda k: k.width < 170)
        _put(make, name, "on", below, (0.78, top), 0.85 * min(1.0, 130 / KINDS[name].width))


def _handle(make: Maker, theme: Theme, who: int, arm: str) -> None:
    """Add what a person holds, eats, plays, flies, throws, drops or reaches for."""
    if arm == "mouth":
        food = _pick(make, theme.small, lambda k: k.group == "food" and k.grip)
        make.link(who, "eat", _take(make, who, food, arm, 0.75))
    elif arm == "out":
        kind = _pick(make, theme.small, lambda k: k.grip)
        if kind == "kite":
            return _apart(make, who, "fly", kind)
        relation = make.rng.choices(("hold", "throw", "drop", "reach for"), (0.4, 0.2, 0.2, 0.2))[0]
        if relation in APART and kind != "guitar":
            return _apart(make, who, relation, kind)
        index = _take(make, who, kind, arm, 1.0)
        if kind == "guitar":
            make.link(who, "play", index)


def _take(make: Maker, who: int, kind: str, arm: str, scale: float) -> int:
    """Put a thing into a person's hand."""
    at = CENTRE if arm == "mouth" else KINDS[kind].grip or CENTRE
    index = make.add(kind, *_reach(make, who, HAND[arm]), scale * _size(make, who), at=at, flip=make.things[who].flip)
    make.link(who, "hold", index)
    return index


def _apart(make: Maker, who: int, relation: str, kind: str) -> None:
    """Add a thing in the air before a person who throws, drops or kicks it, reaches for it, or flies it on a string."""
    arm, place = APART[relation]
    index = make.add(kind, *_reach(make, who, place), _size(make, who), at=CENTRE)
    make.change(index, floating=True, tether=_reach(make, who, HAND[arm]) if relation == "fly" else None)
    make.link(who, relation, index)


def _reach(make: Maker, who: int, at: Point) -> Point:
    """Return a point of a standing person's frame, in pixels, for a person who stands or sits."""
    return make.point(who, (at[0], at[1] / (SITTING if make.things[who].state == "sitting" else 1.0)))


def _size(make: Maker, who: int) -> float:
    """Return the scale of what a person handles."""
    _, y0, _, y1 = make.things[who].frame
    return min(0.95, (y1 - y0) / 330)


def standing(make: Maker, theme: Theme) -> None:
    """Add somebody who holds, throws, kicks, eats, plays or flies something, perhaps with an animal."""
    arm = make.rng.choices(("out", "mouth", "down"), (0.62, 0.16, 0.22))[0]
    who = make.add(_pick(make, theme.people), 0, 0, pose=Pose(False, arm))
    _handle(make, theme, who, arm)
    if arm == "down":
        _apart(make, who, "kick", _pick(make, theme.small, lambda k: k.grip))
    if make.rng.random() < 0.35:
        edge = min(thing.box[0] for thing in make.things)
        make.add(_pick(make, theme.animals), edge - make.rng.uniform(6, 30), 0, at=(1, 1), flip=False)


def ahead(make: Maker, theme: Theme) -> None:
    """Add somebody who points at something, pushes something large, or pulls it by a rope."""
    relation = make.rng.choice(("point at", "push", "pull"))
    if relation == "point at":
        kind = _pick(make, theme.animals + theme.large + theme.small)
    else:
        kind = _pick(make, theme.large, lambda k: k.group in ("vehicle", "furniture", "container") and k.height > LOW)
    who = make.add(_pick(make, theme.people), 0, 0, flip=False, pose=Pose(False, "out"))
    hand = make.point(who, HAND["out"])
    gap = 0.0 if relation == "push" else make.rng.uniform(40, 110)
    index = make.add(kind, hand[0] + gap, 0, at=(0, 1), flip=False)
    make.change(index, tether=hand if relation == "pull" else None)
    make.link(who, relation, index)


def riding(make: Maker, theme: Theme) -> None:
    """Add somebody on a horse, an elephant, a bicycle or a skateboard."""
    mount = _pick(make, theme.animals + theme.large, lambda k: k.seat)
    below, upright = make.add(mount, 0, 0), mount == "skateboard"
    arm = make.rng.choices(("down", "out"), (0.7, 0.3))[0]
    relation = "stand on" if upright else "sit on"
    who = _put(make, _pick(make, theme.people), relation, below, KINDS[mount].seat or CENTRE, 0.88, Pose(not upright, arm))
    make.link(who, "ride", below)
    _handle(make, theme, who, arm)


def contain(make: Maker, theme: Theme) -> None:
    """Put something inside a box, a basket or a bowl, or somebody into a boat."""
    kind = _pick(make, theme.large, lambda k: k.hollow is not None)
    outer = make.add(kind, 0, 0, flip=False)
    name = _pick(make, theme.people if kind == "boat" else theme.small + theme.animals, lambda k: k.width < 210 and k.name != kind)
    x0, y0, x1, y1 = make.things[outer].frame
    scale = min(0.95, 0.55 * (x1 - x0) / KINDS[name].width, 1.5 * (y1 - y0) / KINDS[name].height)
    rim = y0 + (y1 - y0) * (KINDS[kind].hollow or 0)
    first = _put(make, name, "in", outer, (0.45, (rim + KINDS[name].height * scale * 0.34 - y0) / (y1 - y0)), scale)
    for index in range(first, len(make.things)):
        # What is below the rim is hidden.
        _, top, _, bottom = make.things[index].frame
        left, upper, right, lower = make.things[index].box
        shown = min(1.0, max(0.05, (rim - top) / (bottom - top)))
        make.change(index, shown=shown, box=(left, min(upper, rim - 1), right, min(lower, rim)))


def feeding(make: Maker, theme: Theme) -> None:
    """Add an animal that eats."""
    kind = _pick(make, theme.animals, lambda k: k.mouth and k.name != "cat")
    eater = make.add(kind, 0, 0)
    food = _pick(make, (*theme.small, "apple", "pear", "banana"), lambda k: k.group == "food")
    _, y0, _, y1 = make.things[eater].frame
    scale = min(0.95, 0.3 * (y1 - y0) / KINDS[food].height)
    make.link(eater, "eat", make.add(food, *make.point(eater, KINDS[kind].mouth or CENTRE), scale, at=(0.5, 0.3)))


def layered(make: Maker, theme: Theme) -> None:
    """Add something in front of something larger."""
    rear = _pick(make, theme.large + theme.animals, lambda k: k.name in theme.large or k.width > 200)
    back, near = make.add(rear, 0, 0), 26.0
    x0, _, x1, _ = make.things[back].box
    front = _pick(make, theme.people + theme.animals + theme.small, lambda k: k.name != rear)
    fore = make.add(front, x0 + (x1 - x0) * make.rng.choice((0.12, 0.3, 0.7, 0.88)), near, 0.9)
    for index in range(fore, len(make.things)):
        make.change(index, depth=near)
    make.link(fore, "in front of", back)


ARRANGEMENTS: dict[Arrangement, float] = {
    lone: 0.08,
    pair: 0.1,
    surface: 0.12,
    sitting: 0.12,
    standing: 0.24,
    ahead: 0.11,
    riding: 0.1,
    contain: 0.12,
    feeding: 0.05,
    layered: 0.1,
    sheltered: 0.1,
}


def arrangement(rng: Random, theme: Theme) -> Scene:
    """Return a random arrangement that a theme has the kinds for, around the origin, standing on y = 0."""
    while True:
        make = Maker(rng)
        try:
            rng.choices(tuple(ARRANGEMENTS), tuple(ARRANGEMENTS.values()))[0](make, theme)
            return make.scene
        except Absent:
            continue
