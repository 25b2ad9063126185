"""Whole scenes: a backdrop, arrangements on the ground, and things in the air."""

from dataclasses import replace
from random import Random

from stages.world.arrange import arrangement
from stages.world.kinds import KINDS, STUFF, THEMES, Theme
from stages.world.scene import HEIGHT, WIDTH, Box, Maker, Scene, Thing, common, union

BACKDROPS = 3
"""Number of backdrops painted for each theme."""

# Places of arrangements: (x of the middle, y of the ground, maximum width).
LAYOUTS: tuple[tuple[tuple[float, float, float], ...], ...] = (
    ((400, 560, 560),),
    ((210, 555, 400), (590, 555, 400)),
    ((230, 545, 440), (620, 560, 340)),
    ((170, 540, 320), (430, 470, 260), (660, 560, 300)),
    ((180, 455, 280), (610, 450, 300), (400, 580, 420)),
    ((150, 550, 290), (400, 560, 250), (650, 550, 290)),
)
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
    places = rng.choices(LAYOUTS, (0.16, 0.26, 0.2, 0.16, 0.12, 0.1))[0]
    for place in sorted(places, key=lambda place: place[1]):  # the farthest is painted first
        group = _group(rng, theme, *place)
        if not _hides(group, scene):
            first = len(scene.things)
            scene.join(group)
            _stand(scene, first, stuff["sea" if _afloat(group, theme) else "ground"])
    for _ in range(rng.choices((0, 1, 2), (0.4, 0.45, 0.15))[0]):
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


def _float(rng: Random, scene: Scene, theme: Theme, backdrop: int) -> None:
    """Add something in the air or on the wall, in a free place."""
    kind = rng.choice(theme.floating)
    scale = rng.uniform(0.85, 1.3) * (1.3 if theme.zoom > 1 else 1.0)
    for _ in range(12):
        make = Maker(rng)
        make.add(kind, rng.uniform(90, WIDTH - 90), rng.uniform(40, 190), scale, at=(0.5, 0.5))
        thing = make.scene.things[0]
        x0, y0, x1, y1 = thing.box
        free = all(common((x0 - 10, y0 - 10, x1 + 10, y1 + 10), other.box) == 0 for other in scene.things if other.look)
        if free and y0 > 4 and x0 > 4 and x1 < WIDTH - 4:
            scene.things.append(replace(thing, floating=True, depth=y1))
            if theme.backdrop == "sky":
                scene.links.append((len(scene.things) - 1, "in", backdrop))
            elif kind in ("clock", "shirt"):
                scene.links.append((len(scene.things) - 1, "hang on", backdrop))
            break
