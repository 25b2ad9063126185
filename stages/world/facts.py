"""The facts of a scene that captions may state, each with its things and their relations."""

from dataclasses import dataclass
from itertools import permutations
from random import Random

from stages.world.kinds import KINDS
from stages.world.relations import Relations
from stages.world.scene import HEIGHT, WIDTH, Box, Link, Scene, overlap, shorter, union


@dataclass(frozen=True)
class Fact:
    """Things of a scene, the subject first, and the relations between them; ``count`` for several of a kind."""

    things: tuple[int, ...]
    links: tuple[Link, ...] = ()
    count: int = 1

    def box(self, scene: Scene) -> Box:
        """Return the smallest box around the things, in pixels, with only a part of the background near the others."""
        boxes = [scene.things[i].box for i in self.things if scene.things[i].look is not None]
        if not boxes:
            return union(scene.things[i].box for i in self.things)
        x0, y0, x1, y1 = union(boxes)
        behind = [scene.things[i].box for i in self.things if scene.things[i].look is None]
        # Enough of the ground or the sky to be visible.
        margin = 0.12 * max(x1 - x0, y1 - y0) if behind else 0.0
        down = any(box[3] > y1 for box in behind)
        return x0 - margin, y0 - (0.0 if down else margin), x1 + margin, y1 + (margin if down else 0.0)


SPATIAL = ("next to", "left of", "right of", "in front of", "behind", "above", "below", "under", "near")
CLOSE = 190.0
"""Maximum distance, in pixels, of two things that a caption relates."""


Weighted = list[tuple[Fact, float]]
"""Facts, each with its weight."""


def drawn(rng: Random, weighted: Weighted, number: int) -> list[Fact]:
    """Yield ``number`` facts by their weights, with repetition."""
    return rng.choices([fact for fact, _ in weighted], [weight for _, weight in weighted], k=number)


def facts(scene: Scene, relations: Relations) -> Weighted:
    """Return all facts of a scene, with weights: single things, pairs in a relation, pairs of relations, things of a kind."""
    weighted: Weighted = []
    links = sorted(set(scene.links))
    for index, thing in enumerate(scene.things):
        small = thing.look is not None and KINDS[thing.kind].group == "clothes"
        weighted.append((Fact((index,)), 0.4 if thing.look is None else 0.8 if small else 2.2))
    for s, relation, o in links:
        plain = scene.things[o].look is None
        weighted.append((Fact((s, o), ((s, relation, o),)), 0.15 if plain else 0.9 if relation == "wear" else 2.4))
    near = _neighbours(scene, relations)
    # Neighbours are many, but captions mention actions and clothes more: together neighbours have less weight than one of those.
    weighted += [(Fact((s, o), ((s, relation, o),)), min(1.0, 1.5 / len(near))) for s, relation, o in near]
    weighted += _chains(scene, links, near)
    return weighted + [(fact, 2.0) for fact in _groups(scene)]


def _chains(scene: Scene, links: list[Link], near: list[Link]) -> Weighted:
    """Return two relations that share a thing: both of one subject, or the second of the first one's object."""
    chains = []
    linked = [link for link in links if scene.things[link[2]].look is not None]
    for first in linked + near:
        for second in linked + near[:8]:
            if second[0] == first[0] and first[2] != second[2] and first < second:
                chains.append(Fact((first[0], first[2], second[2]), (first, second)))
            if second[0] == first[2] and second[2] != first[0] and first[1] not in ("wear", "eat"):
                chains.append(Fact((first[0], first[2], second[2]), (first, second)))
    return [(chain, min(0.4, 4 / len(chains))) for chain in chains]


def _neighbours(scene: Scene, relations: Relations) -> list[Link]:
    """Return pairs that geometry relates and that are near each other; each pair in each relation that clearly holds."""
    pairs: list[Link] = []
    bodies = [i for i, t in enumerate(scene.things) if t.look is not None and KINDS[t.kind].group != "clothes"]
    linked = {frozenset((s, o)) for s, _, o in scene.links}
    for s, o in permutations(bodies, 2):
        a, b = scene.things[s], scene.things[o]
        gap = -min(overlap(a.box, b.box, axis) for axis in (0, 1))
        if gap <= CLOSE and frozenset((s, o)) not in linked and a.kind != b.kind:
            level = overlap(a.box, b.box, 1) > 0.3 * shorter(a.box, b.box, 1)
            said = SPATIAL if level else [relation for relation in SPATIAL if relation not in ("left of", "right of")]
            pairs += [(s, relation, o) for relation in said if relations.holds(s, relation, o)]
    return pairs


def _groups(scene: Scene) -> list[Fact]:
    """Return groups of all things of one kind in the scene."""
    kinds = sorted({thing.kind for thing in scene.things})
    groups = [tuple(i for i, thing in enumerate(scene.things) if thing.look and thing.kind == kind) for kind in kinds]
    return [Fact(same, count=len(same)) for same in groups if len(same) > 1]


def framed(rng: Random, box: Box) -> Box:
    """Return a box as an annotator draws it: a little loose, sometimes widened to a calmer shape, inside the image."""
    x0, y0, x1, y1 = box
    width, height = x1 - x0, y1 - y0
    loose = rng.choice((0.02, 0.1, 0.25, 0.5))
    x0, x1 = x0 - width * loose * rng.random(), x1 + width * loose * rng.random()
    y0, y1 = y0 - height * loose * rng.random(), y1 + height * loose * rng.random()
    width, height = x1 - x0, y1 - y0
    if rng.random() < 0.4:
        missing = max(0.0, 0.62 * height - width) / 2
        x0, x1 = x0 - missing, x1 + missing
        missing = max(0.0, 0.62 * width - height) / 2
        y0, y1 = y0 - missing, y1 + missing
    return max(0.0, x0), max(0.0, y0), min(float(WIDTH), x1), min(float(HEIGHT), y1)
