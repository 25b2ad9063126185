"""The relations between two things of a scene: those drawn on purpose, and those from geometry.

For every relation of :data:`RELATIONS` and every ordered pair of things, it *holds*, *does not hold*, or is *doubtful*: people
would disagree, so a caption that states it counts neither as true nor as false.
"""

from collections.abc import Iterable, Iterator
from itertools import permutations
from pathlib import Path

from stages.text.lexicon import sections, table
from stages.world.kinds import KINDS
from stages.world.scene import Box, Link, Scene, Thing, common, overlap, shorter

Verdict = bool | None
"""True: it holds. False: it does not. None: doubtful."""

ACTIONS = ("hold", "wear", "ride", "eat", "play", "fly", "throw", "drop", "reach for", "point at", "kick", "push", "pull")
POSTURES = ("sit on", "stand on", "hang on", "park on")
PLACES = ("on", "in", "under", "above", "below", "next to", "near", "left of", "right of", "in front of", "behind")
RELATIONS = (*ACTIONS, *POSTURES, *PLACES, "has", "with")

APART = ("under", "in front of", "fly", "throw", "drop", "reach for", "point at", "kick", "pull")
"""Relations drawn on purpose of things that do not touch."""

Rules = dict[str, list[tuple[str, bool]]]
"""Relations that follow from each relation, with whether they hold of the same pair or of the reversed one."""


def _rules(text: str) -> Rules:
    turned = "turned "
    return {head: [(o.removeprefix(turned), not o.startswith(turned)) for o in others] for head, others in table(text).items()}


TABLES = sections(Path(__file__).with_suffix(".txt"))
IMPLIED, ARGUABLE, EXCLUDED = (_rules(TABLES[name]) for name in ("implied", "arguable", "excluded"))

NEAR, FAR = 70.0, 220.0
"""Distances, in pixels, up to which boxes are clearly near, and from which they clearly are not."""


class Relations:
    """The relations between the things of a scene, by their indices."""

    def __init__(self, scene: Scene):
        self.scene = scene
        self._certain = set(scene.links)
        for _ in range(2):
            self._certain |= _following(self._certain, IMPLIED)
        worn = {frozenset((s, o)) for s, relation, o in scene.links if relation == "wear"}
        placed = ((s, r, o) for s, r, o in self._certain if r not in ("on", "in") or frozenset((s, o)) not in worn)
        self._arguable = _following(placed, ARGUABLE)
        self._excluded = _following(self._certain, EXCLUDED)
        # Between things that touch on purpose, geometry leaves few doubtful relations.
        touching = [(s, o) for s, relation, o in scene.links if relation not in APART]
        self._linked = {*touching, *((o, s) for s, o in touching)}
        # The carrier or wearer of a thing, because a doubtful relation of the carrier is also doubtful of the thing.
        self._carrier: dict[int, set[int]] = {}
        for s, relation, o in scene.links:
            thing, carrier = (o, s) if relation in ("wear", "hold", "eat", "play") else (s, o)
            self._carrier.setdefault(thing, set()).add(carrier)

    def holds(self, s: int, relation: str, o: int) -> Verdict:
        """Return whether thing ``s`` is in ``relation`` to thing ``o``."""
        if (s, relation, o) in self._certain:
            return True
        if (s, relation, o) in self._excluded:
            return False
        if (s, relation, o) in self._arguable or self._inherited(s, relation, o):
            return None
        if relation in ACTIONS:
            return False
        if relation in POSTURES:
            return self._posture(s, relation, o)
        a, b = self.scene.things[s], self.scene.things[o]
        if a.look is None or b.look is None:
            return _with_stuff(a, relation, b)
        if relation in ("on", "in"):
            return False
        if (s, o) in self._linked:
            across = overlap(a.box, b.box, 0) > 0.6 * shorter(a.box, b.box, 0)
            return False if relation in ("left of", "right of") and across else None
        if relation in ("has", "with"):
            return None if _gap(a.box, b.box) < NEAR else False
        return _between(a, relation, b)

    def all(self) -> Iterator[tuple[int, str, int, Verdict]]:
        """Yield every relation that holds or is doubtful, by subject, object and the order of :data:`RELATIONS`."""
        for s, o in permutations(range(len(self.scene.things)), 2):
            for relation in RELATIONS:
                verdict = self.holds(s, relation, o)
                if verdict is not False:
                    yield s, relation, o, verdict

    def _posture(self, s: int, relation: str, o: int) -> Verdict:
        """Yield the posture, sit, stand or hang, of things and animals on what they are on; people's postures are drawn."""
        a, b = self.scene.things[s], self.scene.things[o]
        if (s, "on", o) not in self._certain and not self._inherited(s, "on", o):
            return False
        if a.state in ("standing", "sitting"):
            return None if relation == {"standing": "stand on", "sitting": "sit on"}[a.state] else False
        if relation == "park on":
            return None if KINDS[a.kind].group == "vehicle" else False
        return False if relation == "hang on" and b.kind != "wall" and a.kind not in ("bag", "shirt", "hat") else None

    def _inherited(self, s: int, relation: str, o: int) -> bool:
        """Yield doubtful relations through a carrier: a cup on a table on the floor, a shirt of somebody on a bench."""
        if relation not in ("on", "in", "has", "with", *POSTURES):
            return False
        inner, outer = (o, s) if relation in ("has", "with") else (s, o)
        direct = sorted(self._carrier.get(inner, ()))
        carriers = list(direct)
        for carrier in carriers:
            carriers += sorted(self._carrier.get(carrier, set()) - set(carriers))
        return outer in carriers[len(direct) :]


def _following(links: Iterable[Link], rules: Rules) -> set[Link]:
    """Yield the consequences of ``rules`` for the pairs of ``links``."""
    return {(s, other, o) if same else (o, other, s) for s, relation, o in links for other, same in rules.get(relation, ())}


def _with_stuff(a: Thing, relation: str, b: Thing) -> Verdict:
    """Yield relations to the background that are not linked.

    The sky and the walls are behind and above everything, the ground is below it; nothing is beyond those.
    """
    if relation in ("above", "below", "under") and a.look is None and b.look is None:
        return (a.box[1] < b.box[1]) is (relation == "above")
    stuff, thing_first = (b, True) if b.look is None else (a, False)
    upright = stuff.kind in ("sky", "wall")
    if relation == "on":
        return None if thing_first and stuff.kind == "wall" and a.floating else False
    impossible = {
        (True, True): ("above", "behind"),
        (True, False): ("under", "below"),
        (False, True): ("below", "under", "in front of"),
        (False, False): ("above", "in front of"),
    }[thing_first, upright]
    if relation in impossible or (stuff.kind == "sky" and relation in ("next to", "near")):
        return False
    return None if relation in ("above", "below", "under", "in front of", "behind", "near", "next to") else False


def _between(a: Thing, relation: str, b: Thing) -> Verdict:
    """Return a spatial relation of two things that were not placed together on purpose."""
    if relation in ("right of", "below", "behind"):
        return _between(b, {"right of": "left of", "below": "above", "behind": "in front of"}[relation], a)
    if relation == "under":
        below = _between(b, "above", a)
        return None if below else below
    if relation in ("near", "next to"):
        return _near(a, relation, b)
    if relation == "left of":
        ahead, slack = _centre(b.box)[0] - _centre(a.box)[0], 0.2 * shorter(a.box, b.box, 0)
        return False if ahead <= 0 else True if a.box[2] <= b.box[0] + slack else None
    return _above(a, b) if relation == "above" else _in_front(a, b)


def _near(a: Thing, relation: str, b: Thing) -> Verdict:
    gap = _gap(a.box, b.box)
    if relation == "near":
        return True if gap <= NEAR else None if gap <= FAR else False
    level = overlap(a.box, b.box, 1) >= 0.35 * shorter(a.box, b.box, 1)
    apart = overlap(a.box, b.box, 0) <= 0.3 * shorter(a.box, b.box, 0)
    if gap <= NEAR and level and apart and abs(a.depth - b.depth) < 60 and not (a.floating or b.floating):
        return True
    return None if gap <= FAR else False


def _above(a: Thing, b: Thing) -> Verdict:
    if _centre(a.box)[1] >= _centre(b.box)[1]:
        return False
    higher = a.box[3] <= b.box[1] + 0.25 * shorter(a.box, b.box, 1)
    over = overlap(a.box, b.box, 0) >= 0.25 * shorter(a.box, b.box, 0)
    return True if a.floating and higher and over else None


def _in_front(a: Thing, b: Thing) -> Verdict:
    touching = common(a.box, b.box) > 0.08 * min(common(box, box) for box in (a.box, b.box))
    nearer = a.depth - b.depth
    if a.floating or b.floating:
        return None if touching else False
    if touching:
        return True if nearer > 8 else False if nearer < -8 else None
    if nearer <= -25:
        return False
    beside = overlap(a.box, b.box, 0) <= 0
    return False if beside and nearer < 25 else None


def _centre(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _gap(a: Box, b: Box) -> float:
    """Return the distance between two boxes; 0 where they touch."""
    dx, dy = (max(0.0, -overlap(a, b, axis)) for axis in (0, 1))
    return (dx * dx + dy * dy) ** 0.5
