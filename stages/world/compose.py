"""Whole scenes: a backdrop, arrangements on the ground, and things in the air."""

from dataclasses import replace
from random import Random

from stages.world.arrange import arrangement
from stages.world.kinds import KINDS, STUFF, THEMES, Theme
from stages.world.scene import HEIGHT, WIDTH, Box, Maker, Scene, Thing, common, union

BACKDROPS = 3
"""Number of backdrops painted for each theme."""

# Places of arrangements, (x of the middle, y of the ground, maximum width), with the fraction of scenes that have them.
LAYOUTS: dict[tuple[tuple[float, float, float], ...], float] = {
    ((400, 560, 560),): 0.05,
    ((210, 555, 400), (590, 555, 400)): 0.1,
    ((230, 545, 440), (620, 560, 340)): 0.1,
    ((170, 540, 320), (430, 470, 260), (660, 560, 300)): 0.15,
    ((180, 455, 280), (610, 450, 300), (400, 580, 420)): 0.15,
    ((150, 550, 290), (400, 560, 250), (650, 550, 290)): 0.1,
    ((120, 450, 210), (330, 455, 220), (560, 450, 230), (210, 575, 360), (610, 580, 360)): 0.2,
    ((110, 460, 190), (290, 450, 190), (480, 455, 190), (690, 460, 210), (240, 585, 320), (590, 580, 320)): 0.15,
}
LYING, FLOATING = (4, 9), (0, 3)
"""Minimum and maximum number of small things on the ground and of things in the air, apart from arrangements: as many as find a
place."""
TRIES = 12
"""Number of places tried for such a thing."""
NARROW = 130
"""Maximum width, in pixels, of a small thing on the ground."""
SEA = 300
"""Upper edge of the sea, on a beach."""
HIDDEN = 0.7
"""Maximum fraction of a thing's box that a nearer thing's box may cover, because captions should name visible things only."""


def compose(rng: Random) -> Scene:
    """Return a scene; everything in it is drawn from ``rng``."""
    name = rng.choices(tuple(THEMES), [theme.share for theme in THEMES.values()])[0]
    theme = THEMES[name]
    scene = Scene(name, rng.randrange(BACKDROPS))
    stuff = _stuff(rng, scene, theme)
    places = rng.choices(tuple(LAYOUTS), tuple(LAYOUTS.values()))[0]
    for place in sorted(places, key=lambda place: place[1]):  # the farthest is painted first
        group = _group(rng, theme, *place)
        if not _hides(group, scene):
            first = len(scene.things)
            scene.join(group)
            _stand(scene, first, stuff["sea" if _afloat(group, theme) else "ground"])
    for _ in range(rng.randint(*LYING)):
        _lie(rng, scene, theme, stuff["ground"])
    for _ in range(rng.randint(*FLOATING)):
        _float(rng, scene, theme, stuff["backdrop"])
    return scene


def _group(rng: Random, theme: Theme, x: float, ground: float, width: float) -> Scene:
    """Return a random arrangement in one of the places of :data:`LAYOUTS`."""
    group = arrangement(rng, theme)
    x0, y0, x1, y1 = union(thing.box for thing in group.things)
    depth = 0.72 + 0.28 * (ground - 440) / 140
    scale = min(theme.zoom * depth * rng.uniform(1.1, 1.75), width / (x1 - x0), (ground - 24) / (y1 - y0))
    across = x - (x0 + x1) / 2 * scale + rng.uniform(-12, 12)
    ground = min(ground, 420.0) if _afloat(group, theme) else ground
    group.things = [thing.moved(scale, across, ground) for thing in group.things]
    return group


def _afloat(group: Scene, theme: Theme) -> bool:
    """Return whether it belongs on the water."""
    return theme is THEMES["beach"] and group.things[0].kind == "boat"


def _hides(group: Scene, scene: Scene) -> bool:
    """Return whether it would cover an existing thing."""
    far = [thing.box for thing in scene.things if thing.look]
    return any(common(near.box, box) > HIDDEN * common(box, box) for near in group.things for box in far)


def _stuff(rng: Random, scene: Scene, theme: Theme) -> dict[str, int]:
    """Add backdrop and ground as things of the scene, and return their indices."""
    beach = scene.theme == "beach"
    boxes: dict[str, tuple[str, Box]] = {"backdrop": (theme.backdrop, (0, 0, WIDTH, SEA if beach else theme.horizon))}
    if beach:
        boxes["sea"] = ("sea", (0, SEA, WIDTH, theme.horizon))
    boxes["ground"] = (theme.ground, (0, theme.horizon, WIDTH, HEIGHT))
    for kind, box in boxes.values():
        table = kind == "table"
        colour = rng.choice(("brown", "white", "blue", "red", "green") if table else STUFF[kind])
        pattern = "checkered" if table and rng.random() < 0.3 else "plain"
        scene.things.append(Thing(kind, colour, pattern, "", "", box, box, None))
    return {part: index for index, part in enumerate(boxes)}


def _stand(scene: Scene, first: int, ground: int) -> None:
    """Link the things that stand on the ground itself to the ground."""
    carried = {s for s, relation, _ in scene.links if relation in ("on", "in", "sit on", "stand on", "ride")}
    held = {o for _, relation, o in scene.links if relation in ("wear", "hold", "eat", "play", "fly")}
    for index in range(first, len(scene.things)):
        thing = scene.things[index]
        if index in carried or index in held or thing.floating:
            continue
        if thing.state == "standing" or KINDS[thing.kind].group == "animal":
            scene.links.append((index, "stand on", ground))
        elif scene.things[ground].kind == "road" and KINDS[thing.kind].group == "vehicle":
            scene.links.append((index, "park on", ground))
        scene.links.append((index, "on", ground))


def _lie(rng: Random, scene: Scene, theme: Theme, ground: int) -> None:
    """Add a small thing or animal on the ground, in a free place."""
    kind = rng.choice([kind for kind in theme.small + theme.animals if KINDS[kind].width <= NARROW])
    thing = _free(rng, scene, kind, rng.uniform(0.7, 1.1) * theme.zoom, (theme.horizon + 30, HEIGHT - 8), 1.0)
    if thing is not None:
        scene.things.append(replace(thing, depth=thing.box[3]))
        _stand(scene, len(scene.things) - 1, ground)


def _float(rng: Random, scene: Scene, theme: Theme, backdrop: int) -> None:
    """Add something in the air or on the wall, in a free place."""
    kind = rng.choice(theme.floating)
    scale = rng.uniform(0.85, 1.3) * (1.3 if theme.zoom > 1 else 1.0)
    thing = _free(rng, scene, kind, scale, (40, 190), 0.5)
    if thing is None:
        return
    scene.things.append(replace(thing, floating=True, depth=thing.box[3]))
    if theme.backdrop == "sky":
        scene.links.append((len(scene.things) - 1, "in", backdrop))
    elif kind in ("clock", "shirt"):
        scene.links.append((len(scene.things) - 1, "hang on", backdrop))


def _free(rng: Random, scene: Scene, kind: str, scale: float, heights: tuple[float, float], at: float) -> Thing | None:
    """Return a thing at a random free place, or ``None`` where all tries fail.

    Args:
        heights: from and to which y the point ``at`` of its height may be, in pixels.
    """
    for _ in range(TRIES):
        make = Maker(rng)
        make.add(kind, rng.uniform(90, WIDTH - 90), rng.uniform(*heights), scale, at=(0.5, at))
        thing = make.scene.things[0]
        x0, y0, x1, y1 = thing.box
        free = all(common((x0 - 10, y0 - 10, x1 + 10, y1 + 10), other.box) == 0 for other in scene.things if other.look)
        if free and y0 > 4 and x0 > 4 and x1 < WIDTH - 4:
            return thing
    return None
