"""Arrangements: small groups of things in a relation that is drawn on purpose, such as a boy on a bench with a balloon."""

from collections.abc import Callable, Iterable
from random import Random

from stages.world.kinds import CENTRE, KINDS, Point, Theme
from stages.world.scene import HAND, SITTING, Maker, Pose, Scene

Arrangement = Callable[[Maker, Theme], None]

APART = {"throw": (0.3, -0.16), "drop": (0.02, 0.15), "reach for": (0.2, -0.03)}
"""Distance of a thing that is not in the hand, ahead of the hand and below it, in heights of the person."""
KICKED = (0.3, -0.1)
"""The same for a kicked thing, from where the person stands."""
LOW = 105
"""Maximum height, in pixels, of things that nobody pushes."""


def _pick(rng: Random, kinds: tuple[str, ...], fits: Callable[[str], bool]) -> str | None:
    fitting = [kind for kind in kinds if fits(kind)]
    return rng.choice(fitting) if fitting else None


def lone(make: Maker, theme: Theme) -> None:
    """Add one thing alone, or two or three of a kind next to each other."""
    rng = make.rng
    kind = rng.choice(theme.animals + theme.large + theme.small + theme.people)
    x = 0.0
    for _ in range(rng.choices((1, 2, 3), (0.6, 0.25, 0.15))[0]):
        index = make.person(kind, x, 0, Pose()) if kind in theme.people else make.thing(kind, x, 0)
        x0, _, x1, _ = make.things[index].box
        # People are not shifted, because their clothes would stay behind.
        if x and kind not in theme.people:
            make.things[index] = make.things[index].moved(1, x - x0, 0)
        x += (x1 - x0) + rng.uniform(8, 40)


def pair(make: Maker, theme: Theme) -> None:
    """Add two things next to each other: a person with an animal, an animal with a thing, or two things."""
    rng = make.rng
    everything = theme.animals + theme.large + theme.small
    first = rng.choice(theme.people + everything if rng.random() < 0.5 else everything)
    left = make.person(first, 0, 0, Pose()) if first in theme.people else make.thing(first, 0, 0)
    edge = max(thing.box[2] for thing in make.things)
    second = rng.choice([kind for kind in everything if kind != first])
    make.thing(second, edge + rng.uniform(6, 60), 0, at=(0, 1), flip=False)
    if rng.random() < 0.4 and KINDS[first].top is not None:
        _put_on(make, theme, left)


def _put_on(make: Maker, theme: Theme, below: int) -> None:
    """Put one to three small things or a small animal on a surface."""
    rng = make.rng
    kind = KINDS[make.things[below].kind]
    x0, y0, x1, y1 = make.things[below].frame
    y = y0 + (y1 - y0) * (kind.top or 0)
    x, hi = x0 + (x1 - x0) * 0.06, x1 - (x1 - x0) * (0.06 if kind.name != "chair" else 0.02)
    if kind.name == "chair":
        x += (x1 - x0) * 0.14
    lo = x
    room = theme.small + tuple(a for a in theme.animals if KINDS[a].width < 170)
    for _ in range(rng.choices((1, 2, 3), (0.45, 0.35, 0.2))[0]):
        name = rng.choice(room)
        scale = min(1.0, (hi - lo) / KINDS[name].width)
        width = KINDS[name].width * scale
        if x + width > hi + 4:
            break
        x += rng.uniform(0, max(0, min(30, hi - x - width)))
        # A scale slightly off 1 keeps the thing at its usual size, so that it fits.
        index = make.thing(name, x, y, min(scale, 0.999), at=(0, 1), flip=False)
        make.change(index, flip=rng.random() < 0.5)
        make.link(index, "on", below)
        x = make.things[index].box[2] + rng.uniform(4, 30)


def surface(make: Maker, theme: Theme) -> None:
    """Add things on a table, a bed or a car, and perhaps one under it."""
    rng = make.rng
    kind = _pick(rng, theme.large, lambda k: KINDS[k].top is not None)
    if kind is None:
        return contain(make, theme)
    hidden = _beneath(make, theme, kind) if KINDS[kind].shelter and rng.random() < 0.4 else None
    below = make.thing(kind, 0, 0, flip=False)
    if hidden is not None:
        make.link(hidden, "under", below)
    _put_on(make, theme, below)


def _beneath(make: Maker, theme: Theme, kind: str) -> int:
    """Add a small thing between the legs of the next thing."""
    made = KINDS[kind]
    name = make.rng.choice(theme.animals + theme.small)
    height = made.height * (1 - (made.top or 0)) * 0.6
    scale = min(0.9, height / KINDS[name].height, made.width * 0.6 / KINDS[name].width)
    return make.thing(name, made.width * (0.08 if kind == "chair" else make.rng.uniform(-0.15, 0.15)), 0, scale)


def sitting(make: Maker, theme: Theme) -> None:
    """Add somebody on a chair, a bench or a sofa, and perhaps an animal next to it."""
    rng = make.rng
    kind = _pick(rng, theme.large, lambda k: k in ("chair", "bench", "sofa", "bed"))
    if kind is None or not theme.people:
        return surface(make, theme)
    below = make.thing(kind, 0, 0, 1.12, flip=False)
    x0, y0, x1, y1 = make.things[below].frame
    y = y0 + (y1 - y0) * (KINDS[kind].top or 0) + 3
    place = 0.42 if kind == "chair" else rng.uniform(0.2, 0.32)
    arm = rng.choices(("down", "out", "mouth"), (0.4, 0.4, 0.2))[0]
    who = make.person(rng.choice(theme.people), x0 + (x1 - x0) * place, y, Pose(True, arm), 0.9, flip=False)
    make.link(who, "sit on", below)
    _handle(make, theme, who, arm)
    if kind != "chair" and rng.random() < 0.55:
        name = rng.choice([a for a in theme.animals if KINDS[a].width < 170] or theme.small)
        scale = 0.85 * min(1.0, 130 / KINDS[name].width)
        index = make.thing(name, x0 + (x1 - x0) * 0.97, y, scale, at=(1, 1), flip=False)
        make.link(index, "on", below)


def _handle(make: Maker, theme: Theme, who: int, arm: str) -> None:
    """Add what a person holds, eats, plays or flies."""
    rng = make.rng
    person = make.things[who]
    tall = SITTING if person.state == "sitting" else 1.0
    hand = make.point(who, (HAND[arm][0], HAND[arm][1] / tall))
    grip = person.frame[3] - person.frame[1]
    if arm == "mouth":
        food = _pick(rng, theme.small, lambda k: KINDS[k].group == "food" and KINDS[k].grip is not None) or "apple"
        index = make.thing(food, *hand, 0.16 * grip / KINDS[food].height, at=(0.5, 0.5))
        make.link(who, "eat", index)
        make.link(who, "hold", index)
    elif arm == "out":
        kind = _pick(rng, theme.small, lambda k: KINDS[k].grip is not None)
        if kind is None:
            return
        if kind == "kite" and person.state == "standing":
            side = -1 if person.flip else 1
            index = make.thing(kind, hand[0] + side * grip * 0.3, person.frame[1] - grip * 0.12, 0.8, flip=False)
            make.change(index, tether=hand, floating=True)
            make.link(who, "fly", index)
            return
        if kind == "guitar":
            index = make.thing(kind, *make.point(who, (0.46, 0.5 / tall)), grip / 440, at=(0.42, 0.62), flip=person.flip)
            make.link(who, "play", index)
        elif (relation := rng.choices(("hold", *APART), (0.4, 0.2, 0.2, 0.2))[0]) in APART:
            return _put_apart(make, who, relation, kind, hand)
        else:
            flip = kind == "cup" and person.flip
            index = make.thing(kind, *hand, min(0.95, grip / 330), at=KINDS[kind].grip or CENTRE, flip=flip)
            held = make.things[index]
            if held.state == "closed" and kind == "umbrella":
                # It hangs from the hand, handle up.
                lowered = held.moved(1, 0, hand[1] - make.point(index, (0, 0.9))[1])
                make.change(index, box=lowered.box, frame=lowered.frame)
        make.link(who, "hold", index)


def _put_apart(make: Maker, who: int, relation: str, kind: str, origin: Point) -> None:
    """Add a thing in the air before a person who throws, drops or kicks it, or reaches for it."""
    person = make.things[who]
    height = person.frame[3] - person.frame[1]
    ahead, down = KICKED if relation == "kick" else APART[relation]
    x = origin[0] + (-ahead if person.flip else ahead) * height
    index = make.thing(kind, x, origin[1] + down * height, min(0.95, height / 330), at=CENTRE)
    make.change(index, floating=True)
    make.link(who, relation, index)


def standing(make: Maker, theme: Theme) -> None:
    """Add somebody who holds, throws, kicks, eats, plays or flies something, perhaps with an animal."""
    rng = make.rng
    if not theme.people:
        return contain(make, theme)
    arm = rng.choices(("out", "mouth", "down"), (0.62, 0.16, 0.22))[0]
    who = make.person(rng.choice(theme.people), 0, 0, Pose(False, arm))
    _handle(make, theme, who, arm)
    if arm == "down" and (kicked := _pick(rng, theme.small, lambda k: KINDS[k].grip is not None)):
        _put_apart(make, who, "kick", kicked, (0, 0))
    if rng.random() < 0.35:
        edge = min(thing.box[0] for thing in make.things)
        make.thing(rng.choice(theme.animals), edge - rng.uniform(6, 30), 0, at=(1, 1), flip=False)


def ahead(make: Maker, theme: Theme) -> None:
    """Add somebody who points at something, pushes something large, or pulls it by a rope."""
    rng = make.rng
    relation = rng.choice(("point at", "push", "pull"))
    movable = _pick(rng, theme.large, lambda k: KINDS[k].group in ("vehicle", "furniture", "container") and KINDS[k].height > LOW)
    kind = rng.choice(theme.animals + theme.large + theme.small) if relation == "point at" else movable
    if kind is None or not theme.people:
        return standing(make, theme)
    who = make.person(rng.choice(theme.people), 0, 0, Pose(False, "out"), flip=False)
    hand = make.point(who, HAND["out"])
    index = make.thing(kind, hand[0] + (0.0 if relation == "push" else rng.uniform(40, 110)), 0, at=(0, 1), flip=False)
    if relation == "pull":
        make.change(index, tether=hand)
    make.link(who, relation, index)


def riding(make: Maker, theme: Theme) -> None:
    """Add somebody on a horse, an elephant, a bicycle or a skateboard."""
    rng = make.rng
    mount = _pick(rng, theme.animals + theme.large, lambda k: KINDS[k].seat is not None)
    if mount is None or not theme.people:
        return standing(make, theme)
    flip = rng.random() < 0.5
    below = make.thing(mount, 0, 0, flip=flip)
    x, y = make.point(below, KINDS[mount].seat or (0.5, 0.0))
    upright = mount == "skateboard"
    arm = rng.choices(("down", "out"), (0.7, 0.3))[0]
    who = make.person(rng.choice(theme.people), x, y, Pose(not upright, arm), 0.88, flip=flip)
    make.link(who, "ride", below)
    make.link(who, "stand on" if upright else "sit on", below)
    _handle(make, theme, who, arm)


def contain(make: Maker, theme: Theme) -> None:
    """Put something inside a box, a basket, a bowl or a boat."""
    rng = make.rng
    kind = _pick(rng, theme.large, lambda k: KINDS[k].hollow is not None)
    if kind is None:
        return lone(make, theme)
    outer = make.thing(kind, 0, 0, flip=False)
    x0, y0, x1, y1 = make.things[outer].frame
    rim = y0 + (y1 - y0) * (KINDS[kind].hollow or 0)
    if kind == "boat":
        who = make.person(rng.choice(theme.people), x0 + (x1 - x0) * 0.3, rim + 60, Pose(), 0.56)
        _sink(make, range(outer + 1, len(make.things)), rim)
        return make.link(who, "in", outer)
    inner = [k for k in theme.small + theme.animals if KINDS[k].width < 170 and k != kind]
    wide = (x1 - x0) * (0.5 if kind == "box" else 0.62)
    name = rng.choice(inner)
    scale = min(1.0, wide / KINDS[name].width, 1.5 * (y1 - y0) / KINDS[name].height)
    at = x0 + (x1 - x0) * (0.38 if kind == "cup" else 0.5)
    index = make.thing(name, at, rim + KINDS[name].height * scale * 0.34, min(0.999, scale))
    _sink(make, [index], rim)
    make.link(index, "in", outer)


def _sink(make: Maker, indices: Iterable[int], rim: float) -> None:
    """Hide what lies below the rim of a container."""
    for index in indices:
        thing = make.things[index]
        _, y0, _, y1 = thing.frame
        bx0, by0, bx1, by1 = thing.box
        make.change(index, shown=min(1.0, max(0.05, (rim - y0) / (y1 - y0))), box=(bx0, min(by0, rim - 1), bx1, min(by1, rim)))


def feeding(make: Maker, theme: Theme) -> None:
    """Add an animal that eats."""
    rng = make.rng
    kind = _pick(rng, theme.animals, lambda k: KINDS[k].mouth is not None and k != "cat")
    if kind is None:
        return contain(make, theme)
    eater = make.thing(kind, 0, 0, flip=rng.random() < 0.5)
    mouth = make.point(eater, KINDS[kind].mouth or (1, 0.5))
    food = _pick(rng, theme.small, lambda k: KINDS[k].group == "food") or rng.choice(("apple", "pear", "banana"))
    _, y0, _, y1 = make.things[eater].frame
    index = make.thing(food, *mouth, min(0.95, 0.3 * (y1 - y0) / KINDS[food].height), at=(0.5, 0.3))
    make.link(eater, "eat", index)


def layered(make: Maker, theme: Theme) -> None:
    """Add something in front of something larger."""
    rng = make.rng
    rear = rng.choice(theme.large + tuple(a for a in theme.animals if KINDS[a].width > 200))
    front = rng.choice([k for k in theme.people + theme.animals + theme.small if k != rear])
    back = make.thing(rear, 0, 0)
    x0, _, x1, _ = make.things[back].box
    x = x0 + (x1 - x0) * rng.choice((0.12, 0.3, 0.7, 0.88))
    near = 26.0
    fore = make.person(front, x, near, Pose(), 0.9) if front in theme.people else make.thing(front, x, near)
    for index in range(fore, len(make.things)):
        make.change(index, depth=near)
    make.link(fore, "in front of", back)


def sheltered(make: Maker, theme: Theme) -> None:
    """Add somebody or something under a tree or a large umbrella."""
    rng = make.rng
    kind = _pick(rng, theme.large, lambda k: k in ("tree", "umbrella"))
    if kind is None:
        return surface(make, theme)
    roof = make.thing(kind, 0, 0, 1.3 if kind == "tree" else 1.9, flip=False)
    if make.things[roof].state == "closed":
        return
    x0, _, x1, _ = make.things[roof].box
    x = (x0 + x1) / 2 + rng.choice((-1, 1)) * (x1 - x0) * rng.uniform(0.2, 0.3)
    under = [k for k in theme.animals + theme.small + theme.large if KINDS[k].height < 160 and KINDS[k].width < 200 and k != kind]
    kids = tuple(k for k in theme.people if k in ("boy", "girl"))
    name = rng.choice(kids if kids and rng.random() < 0.4 else under)
    index = make.person(name, x, 4, Pose(), 0.8) if name in kids else make.thing(name, x, 4, 0.999)
    make.link(index, "under", roof)


ARRANGEMENTS: dict[Arrangement, float] = {
    lone: 0.08,
    pair: 0.1,
    surface: 0.14,
    sitting: 0.1,
    standing: 0.24,
    ahead: 0.11,
    riding: 0.1,
    contain: 0.1,
    feeding: 0.05,
    layered: 0.1,
    sheltered: 0.08,
}


def arrangement(rng: Random, theme: Theme) -> Scene:
    """Return a random arrangement of a theme, around the origin, standing on y = 0."""
    make = Maker(rng)
    rng.choices(tuple(ARRANGEMENTS), tuple(ARRANGEMENTS.values()))[0](make, theme)
    return make.scene
