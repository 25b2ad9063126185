"""Whether a caption, given as a scene graph, is true of a crop of the sample world.

A graph is true if its objects can be assigned to different things of the crop so that every name, attribute and relation
is true; false if every assignment makes something false; and doubtful otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any, NamedTuple

from stages.graphs.graph import SceneGraph
from stages.world import lexicon, words
from stages.world.kinds import STUFF
from stages.world.relations import ACTIONS, Verdict
from stages.world.scene import WIDTH
from stages.world.words import Thing, described, least, most, named, relation_words

Crop = tuple[float, float, float, float]
"""x, y, width, height, in pixels of the image."""

SEEN = {"thing": 0.5, "crop": 0.2, "background": 0.04}
"""A thing is clearly visible if the crop shows this fraction of it, or if it fills this fraction of the crop; less is enough for
the background."""
HARDLY = {"thing": 0.12, "crop": 0.04, "background": 0.0}
"""Up to these fractions it clearly is not visible."""


Given = dict[int, int]
"""For each object of a graph the assigned thing; -1 for a part that is not a separate thing."""
Also = Callable[[Given], Verdict]


class Denied(NamedTuple):
    """The denied part of a caption, and its words in normal form; a kind is an atom's, ``caption`` or ``existence``."""

    kind: str
    parts: tuple[str, ...]


@dataclass(frozen=True)
class World:
    """The things that a crop shows, with all relations between them."""

    things: tuple[Thing, ...]
    presence: tuple[Verdict, ...]
    holding: frozenset[tuple[int, str, int]]
    doubtful: frozenset[tuple[int, str, int]]

    @classmethod
    def of(cls, row: dict[str, Any], crop: Crop) -> World:
        """Return the world of a row of the table ``truth``, restricted to ``crop``."""
        presence = tuple(_presence(thing, crop) for thing in row["things"])
        relations = ({(r["subject"], r["relation"], r["object"]) for r in row[column]} for column in ("relations", "doubtful"))
        return cls(tuple(row["things"]), presence, *(frozenset(r) for r in relations))

    def label(self, graph: SceneGraph, also: Also = lambda given: True, given: Given | None = None) -> Verdict:
        """Return whether ``graph`` is true of the visible things: True, False, or None for doubtful.

        ``also`` is a further condition on an assignment; some of it may be ``given`` already.
        """
        given = given or {}
        options = [self._options(graph, i) for i in range(len(graph.objects))]
        for floor in (True, None):
            fixed = all(_reaches(options[node].get(given[node], False), floor) for node in given)
            if fixed and any(True for _ in self._assignments(graph, options, given, floor, also)):
                return floor
        return False

    def label_negative(self, graph: SceneGraph, denied: Denied, truth: SceneGraph) -> Verdict:
        """Return whether a negated caption is true that affirms ``graph`` and denies one statement of ``truth``, its plain caption.

        It denies the caption as a whole ("there is no boy on grass"), an attribute or relation of things of some names, an
        object with its attributes and relations ("a man with no hat"), or that there is one at all ("there is no red hat").
        """
        if denied.kind == "caption":
            return opposite(self.label(truth))
        if denied.kind in ("existence", "something"):
            *said, name = denied.parts
            anywhere = SceneGraph((name,), tuple((0, attribute) for attribute in said))
            return least([self.label(graph), opposite(self.label(anywhere))])
        if denied.kind == "object":
            node = next((o for o in range(len(truth.objects)) if truth.without(o) == graph), None)
            if node is None:
                return None
            others = [o for o in range(len(truth.objects)) if o != node]
            return self.label(graph, lambda given: opposite(self.label(truth, given={o: given[i] for i, o in enumerate(others)})))
        if denied.kind == "attribute":
            nodes = [o for o, name in enumerate(graph.objects) if name == denied.parts[1]]
            return self.label(graph, lambda given: most(opposite(self._is(denied.parts[0], given[o])) for o in nodes))
        subject, relation, thing = denied.parts
        every = permutations(range(len(graph.objects)), 2)
        pairs = [(a, b) for a, b in every if (graph.objects[a], graph.objects[b]) == (subject, thing)]
        return self.label(graph, lambda given: most(opposite(self._holds(given[a], relation, given[b])) for a, b in pairs))

    def _holds(self, s: int, relation: str, o: int) -> Verdict:
        """Return whether thing ``s`` is in ``relation``, in normal form, to thing ``o``; doubtful for parts of things."""
        if s < 0 or o < 0 or s == o:
            return None
        if relation in lexicon.OPPOSITES:
            verdict = self._drawn(s, lexicon.OPPOSITES[relation], o)
            # A person who is not on the table need not be off it.
            return False if verdict else None
        claims = relation_words(relation)
        if claims is None:
            return None
        if not claims:
            verb = relation.split(" ")[0]
            return None if any((s, r, o) in self.holding and words.akin(verb, r) for r in ACTIONS) else False
        verdict = least(self._drawn(o, r, s) if turned else self._drawn(s, r, o) for r, turned in claims)
        stance, state = lexicon.STANCES.get(relation.split(" ")[0]), self.things[s]["state"]
        if stance and state in lexicon.STANCES.values():
            return verdict if state == stance else False
        return None if verdict and words.loose(relation) and len(claims) == 1 else verdict

    def _drawn(self, s: int, relation: str, o: int) -> Verdict:
        return True if (s, relation, o) in self.holding else None if (s, relation, o) in self.doubtful else False

    def _options(self, graph: SceneGraph, node: int) -> dict[int, Verdict]:
        """Return the things that an object of the graph may be, with certainty; ``-1`` for a part that is not a separate thing."""
        attributes = graph.attributes_of(node)
        number = next((lexicon.COUNTS[a] for a in attributes if a in lexicon.COUNTS), 1)
        plain = [a for a in attributes if a not in lexicon.COUNTS]
        options: dict[int, bool | None] = {}
        for index, thing in enumerate(self.things):
            verdict = least([self.presence[index], self._called(graph.objects[node], thing), *(self._is(a, index) for a in plain)])
            if verdict is not False:
                options[index] = verdict
        sure = sum(verdict is True for verdict in options.values())
        if number > len(options):
            options = {}
        elif number > 1 and sure != number:
            options = dict.fromkeys(options, None)
        kinds = {thing["kind"] for thing, seen in zip(self.things, self.presence, strict=True) if seen is not False}
        if words.part_of(graph.objects[node].split(" ")[-1], kinds):
            options[-1] = None
        return options

    def _called(self, name: str, thing: Thing) -> Verdict:
        """Return whether a thing has a name; an unknown one is read as its last word with attributes before it: "orange shirt"."""
        verdict = named(name, thing["kind"])
        *before, head = name.split(" ")
        if verdict is True or not before:
            return verdict
        return least([named(head, thing["kind"]), *(described(word, thing) for word in before)])

    def _is(self, attribute: str, index: int) -> Verdict:
        """Return whether a thing has an attribute; actions are looked up in its relations."""
        if index < 0:
            return None
        action = lexicon.DOING.get(attribute)
        if action:
            return any(s == index and r == action for s, r, _ in self.holding)
        action = lexicon.DONE.get(attribute)
        if action:
            return any(o == index and r == action for _, r, o in self.holding)
        return described(attribute, self.things[index])

    def _assignments(
        self, graph: SceneGraph, options: list[dict[int, Verdict]], given: Given, floor: Verdict, also: Also
    ) -> Iterator[Given]:
        """Yield every assignment of things to the graph's objects in which nothing is worse than ``floor``."""
        node = next((o for o in range(len(graph.objects)) if o not in given), None)
        if node is None:
            if all(self._fits(graph, given, o, floor) for o in given) and _reaches(also(given), floor):
                yield given
            return
        for index, verdict in options[node].items():
            wider = given | {node: index}
            free = index < 0 or index not in given.values()
            if free and _reaches(verdict, floor) and self._fits(graph, wider, node, floor):
                yield from self._assignments(graph, options, wider, floor, also)

    def _fits(self, graph: SceneGraph, given: Given, node: int, floor: Verdict) -> bool:
        return all(
            _reaches(self._holds(given[s], relation, given[o]), floor)
            for s, relation, o in graph.relations
            if node in (s, o) and s in given and o in given
        )


def _reaches(verdict: Verdict, floor: Verdict) -> bool:
    """Return whether a verdict is no worse than ``floor``: true, or (where that is enough) doubtful."""
    return verdict is True or (verdict is None and floor is None)


def opposite(verdict: Verdict) -> Verdict:
    """Return the opposite verdict; doubtful stays doubtful."""
    return None if verdict is None else not verdict


def _presence(thing: Thing, crop: Crop) -> Verdict:
    """Return whether a thing is visible in the crop."""
    x, y, width, height = crop
    across = min(x + width, thing["x"] + thing["width"]) - max(x, thing["x"])
    down = min(y + height, thing["y"] + thing["height"]) - max(y, thing["y"])
    common = max(0.0, across) * max(0.0, down)
    of_thing, of_crop = common / (thing["width"] * thing["height"]), common / (width * height)
    if thing["kind"] in STUFF or thing["width"] == WIDTH:
        return True if of_crop >= SEEN["background"] else None if of_crop > HARDLY["background"] else False
    if of_thing >= SEEN["thing"] or of_crop >= SEEN["crop"]:
        return True
    return None if of_thing > HARDLY["thing"] or of_crop > HARDLY["crop"] else False
