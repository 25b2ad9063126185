"""Whether the captions of a retrieval set are true, by the complete truth of the sample world.

A caption is given as a scene graph. It is true if its objects can be assigned to different things of the crop so that every name,
attribute and relation is true; false if every assignment makes something false; and doubtful otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from stages.evaluation.intervals import wilson_share
from stages.graphs.box import Box
from stages.graphs.graph import SceneGraph
from stages.text.inflection import is_verbal
from stages.world import lexicon, words
from stages.world.kinds import STUFF
from stages.world.relations import ACTIONS, Verdict
from stages.world.scene import WIDTH
from stages.world.words import Thing, described, least, most, named, relation_words

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
    def of(cls, row: dict[str, Any], crop: Box) -> World:
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


def _presence(thing: Thing, crop: Box) -> Verdict:
    """Return whether a thing is visible in the crop."""
    box = Box.of(thing)
    of_thing, of_crop = box.shared(crop) / box.area, box.shared(crop) / crop.area
    if thing["kind"] in STUFF or thing["width"] == WIDTH:
        return True if of_crop >= SEEN["background"] else None if of_crop > HARDLY["background"] else False
    if of_thing >= SEEN["thing"] or of_crop >= SEEN["crop"]:
        return True
    return None if of_thing > HARDLY["thing"] or of_crop > HARDLY["crop"] else False


Query = dict[str, Any]
"""A row of the table ``queries``."""


def label(query: Query, truth: dict[str, Any]) -> tuple[Verdict, list[Verdict]]:
    """Return whether the truth of a row of ``queries`` holds, and each negative, by its image's row of the table ``truth``."""
    world = World.of(truth, Box.of(query))
    plain = SceneGraph.from_columns(query)

    def says(graph: SceneGraph) -> Verdict:
        if query["type"] != "HN-Comp":
            return world.label(graph)
        # Two statements joined by "and", each labelled separately: "a cup on a table and a bowl on a table" may mean one table.
        return least(world.label(graph.induced(nodes)) for nodes in graph.components())

    def of(negative: dict[str, Any]) -> Verdict:
        graph = SceneGraph.from_columns(negative)
        if query["type"] != "HN-Neg":
            return says(graph)
        denied = tuple(negative["atom"].split(" | "))
        # Where the truth also denies something, its negatives deny another thing in the same words: that one exists at all.
        return world.label_negative(graph, Denied("existence" if query["denied"] else negative["edit"], denied), plain)

    truth_denied = Denied("existence", tuple((query["denied"] or "").split(" | ")))
    holds = world.label_negative(plain, truth_denied, plain) if query["denied"] else says(plain)
    return holds, [of(negative) for negative in query["negatives"]]


BINS = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 1.0)
"""The borders of the bins of predicted probabilities."""


def calibration(rows: Sequence[tuple[str, float, Verdict, int]]) -> dict[str, Any]:
    """Return how well the predicted probabilities of negatives being true agree with the fraction that is not clearly false.

    Args:
        rows: for each negative its edit, the predicted probability, whether it is true, and its image.

    Returns:
        By edit, and over ``all``: ``n``, the expected calibration ``error`` (Naeini et al., 2015), and the reliability ``curve``,
        for each bin its ``n``, the mean ``predicted``, the fraction ``observed`` that is not clearly false with its 95 % interval
        clustered by image, and the fraction that is clearly ``true``. ``least_error`` is the distance from the nearest possible
        fraction, for any truth of the doubtful ones (Manski, 2003, "Partial Identification of Probability Distributions").
    """
    groups = {"all": rows} | {edit: [row for row in rows if row[0] == edit] for edit in sorted({edit for edit, *_ in rows})}
    return {edit: _reliability(group) for edit, group in groups.items() if group}


def _reliability(rows: Sequence[tuple[str, float, Verdict, int]]) -> dict[str, Any]:
    predicted, images = (np.array([row[i] for row in rows], float) for i in (1, 3))
    true, possible = (np.array([row[2] in verdicts for row in rows], float) for verdicts in ((True,), (True, None)))
    place = np.clip(np.digitize(predicted, BINS[1:]), 0, len(BINS) - 2)
    curve = [
        {
            "predicted": round(predicted[here].mean(), 5),
            "observed": (seen := wilson_share(possible[here], images[here])).pop("share"),
            "true": round(true[here].mean(), 5),
        }
        | seen
        for i in range(len(BINS) - 1)
        if (here := place == i).any()
    ]

    def distance(least: str) -> float:
        """Return the mean distance of the predicted from the interval between ``least`` and ``observed``."""
        off = (b["n"] * max(b[least] - b["predicted"], b["predicted"] - b["observed"], 0.0) for b in curve)
        return round(sum(off) / len(rows), 5)

    return {"n": len(rows), "error": distance("observed"), "least_error": distance("true"), "curve": curve}


def falsity(queries: Sequence[Query], truths: Mapping[int, dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fractions of negatives that are false and of truths that are true.

    The first has ``share, low, high, n``, again ``by_edit`` and ``by_n``, the :func:`calibration`, the number of negatives that are
    ``doubtful`` (counted as not false) and of those ``left_out``, because their truth itself is doubtful.
    """
    labelled = [label(query, truths[query["image_id"]]) for query in queries]
    rows = [
        (negative["edit"], negative.get("p_true"), verdict, query["image_id"], f"n{query['n']:02d}")
        for query, (truth, verdicts) in zip(queries, labelled, strict=True)
        if truth
        for verdict, negative in zip(verdicts, query["negatives"], strict=True)
    ]
    edits, images, sizes = (np.array([row[i] for row in rows]) for i in (0, 3, 4))
    false = np.array([row[2] is False for row in rows], dtype=bool)
    found = wilson_share(false, images) | {
        "doubtful": sum(row[2] is None for row in rows),
        "left_out": sum(len(query["negatives"]) for query in queries) - len(rows),
    }
    for key, column in (("by_edit", edits), ("by_n", sizes)):
        found[key] = {str(name): wilson_share(false[column == name], images[column == name]) for name in np.unique(column)}
    found["calibration"] = calibration([row[:4] for row in rows if row[1] is not None])
    holds = np.array([truth is True for truth, _ in labelled], dtype=bool)
    return found, wilson_share(holds, np.array([query["image_id"] for query in queries]))


def by_category(query: Query, negative: Mapping[str, Any]) -> dict[str, Any]:
    """Return a negative of ARO under its category, because its edit is one of hundreds of relations or attribute pairs."""
    if query["type"] == "VG-Attribution":
        return {**negative, "edit": "attribute"}
    return {**negative, "edit": "verb" if is_verbal(negative["edit"]) else "spatial"}
