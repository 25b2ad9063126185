"""All metrics of an evaluation, by protocol, suite, retrieval set and group, under short and stable keys.

``FIGURES[protocol][suite][set][group]``; suites without protocols are at the level of the protocols. ``paper_on_cleared`` has the
sets of ``paper`` whose query ``cleared`` kept: these may be fewer than in ``cleared``, and in HN-Comp and HN-Neg the same query has
another truth there. A group has
:func:`stages.evaluation.figures.recalls`, and also, each with ``_se``, ``_low`` and ``_high``, the R@1 of other scorers on the same
queries: ``shortcut_r1`` (the set's best text-only scorer), ``trained_r1`` (the adversary trained on these sets), ``held_out_r1`` (a
text-only scorer of a family that selection never used) and ``shuffled_r1`` (the model on crops of other images). Groups are
``all``; SC, UC and UA; or n04 … n12. A set also has

- ``id``: a hash of its queries, truths and negatives (:func:`set_id`); ``detects``: the smallest difference that it can detect;
- ``shortcuts``: R@1 of each text-only scorer; which is ``best`` and which ``held_out``; and the model's ``gain`` over the best,
  over the trained one (``gain_trained``) and over the held-out one (``gain_held_out``);
- ``bag``: ``same``, the fraction of negatives with the truth's bag of words, and ``ceiling``, the R@1 of a model that knows
  everything but word order;
- ``kinds``: by what the negative changed, how often the truth scores above it;
- ``weighted``, where a suite has weights: R@1 of the model, the best text-only scorer and the trained one, by these weights;
  ``n`` sets have a weight above 0, with the information of ``effective`` sets of equal weight (Kish, 1965);
- ``draws``, where the negatives were drawn several times: ``n`` draws, the mean ``r1`` of their R@1, and its deviation ``r1_sd``;
- ``gap`` (SC − UC) and ``queries`` where there are splits, ``slope`` where there are complexities, ``macro`` for ARO's pairs
  (:func:`stages.evaluation.statistics.macro`), and ``cases`` for cases of several images or captions
  (:mod:`stages.evaluation.cases`).
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from stages.contract.schemas import CLEARED, PAPER, PROTOCOLS
from stages.evaluation import cases
from stages.evaluation.cleared import ADVERSARY, SPLITS
from stages.evaluation.figures import detects, deviation, pairs, percent, recalls, share, weighted
from stages.evaluation.intervals import CHANGE, of_mean
from stages.evaluation.ranks import Ranks, wins
from stages.evaluation.sets import RetrievalSet, complexity
from stages.evaluation.statistics import difference, macro, matched, paired, quantiles, remaining, slope
from stages.images.crops import ImageFolder

ON_CLEARED = f"{PAPER}_on_{CLEARED}"
"""The sets of ``paper`` of those queries that ``cleared`` kept too."""
OTHER_KEYS = frozenset(
    (*PROTOCOLS, ON_CLEARED, "model", "judged_by", "held_out", "drawn", "raw", "captions", "crops", "cases", "perturbed")
)
"""Keys of ``metrics/evaluate.json`` that are not suites."""
ARO_MIN_CASES = {"relation": 10, "attribution": 25}
"""Minimum number of cases of a relation (ARO, table 2), or of a pair of attributes, to count in ARO's macro accuracy."""


@dataclass(frozen=True)
class Ranked:
    """Retrieval sets with everything known about their ranks; arrays have one entry a set."""

    sets: Sequence[RetrievalSet]
    scores: Sequence[np.ndarray]
    """The model's scores of each set, the truth first."""
    ranks: Ranks
    shuffled: Ranks | None
    """Ranks by the model with the crop of another image; ``None`` for a model without one."""
    shortcuts: Mapping[str, Ranks]
    """Ranks by each text-only scorer."""
    same_bag: np.ndarray
    """Number of negatives with the truth's bag of words."""
    held_out: tuple[str, ...] = ()
    """The text-only scorers of families that selection never used."""

    def take(self, which: np.ndarray) -> Ranked:
        """Return the sets at the indices ``which``."""
        return Ranked(
            [self.sets[i] for i in which],
            [self.scores[i] for i in which],
            self.ranks.take(which),
            None if self.shuffled is None else self.shuffled.take(which),
            {name: ranks.take(which) for name, ranks in self.shortcuts.items()},
            self.same_bag[which],
            self.held_out,
        )

    @property
    def untrained(self) -> dict[str, np.ndarray]:
        """Return R@1 of the text-only scorers that selection knows and that did not learn from these sets, by name."""
        left_out = {ADVERSARY, *self.held_out}
        return {name: ranks.recall(1) for name, ranks in sorted(self.shortcuts.items()) if name not in left_out}

    def others(self) -> dict[str, tuple[str, np.ndarray]]:
        """Return the results of the other scorers on each set, with their names.

        These are, if present, the best ``shortcut``, the adversary ``trained`` on these sets, the best of the scorers ``held_out``
        from selection, and the model with ``shuffled`` images.
        """
        found = {}
        held_out = {name: self.shortcuts[name].recall(1) for name in self.held_out if name in self.shortcuts}
        for key, scorers in (("shortcut", self.untrained), ("held_out", held_out)):
            if scorers:
                best = max(scorers, key=lambda name: round(float(scorers[name].mean()), 9))
                found[key] = best, scorers[best]
        if ADVERSARY in self.shortcuts:
            found["trained"] = ADVERSARY, self.shortcuts[ADVERSARY].recall(1)
        if self.shuffled is not None:
            found["shuffled"] = "shuffled", self.shuffled.recall(1)
        return found

    @cached_property
    def clusters(self) -> np.ndarray:
        """Return the clusters for standard errors: sets of one image, or of images in one case, are a cluster."""
        return cases.clusters(self.sets)

    def rows(self, training_set: str | None, images: ImageFolder | None = None) -> Iterator[dict[str, Any]]:
        """Yield the rows of the table ``ranks``; ``images``: the folders of images that are not Visual Genome's."""
        expected = self.ranks.expected
        shortcuts = {name: (ranks.expected, ranks.recall(1)) for name, ranks in sorted(self.shortcuts.items())}
        shuffled = None if self.shuffled is None else self.shuffled.expected
        for i, s in enumerate(self.sets):
            yield {
                "protocol": s.protocol,
                "suite": s.suite,
                "set": s.name,
                "query_id": s.query.query_id,
                **s.query.crop._asdict(),
                "cluster": self.clusters[i],
                "picture": images and str(images.path(s.query.crop.image_id)),
                "n": s.query.n,
                "split": split_of(s, training_set),
                "splits": [{"training_set": name, "split": split.name} for name, split in sorted(s.query.splits.items())],
                "truth": s.truth,
                "negatives": list(s.texts[1:]),
                "edits": list(s.edits),
                "scores": self.scores[i],
                "rank": expected[i],
                "ties": self.ranks.ties[i],
                "shuffled_rank": None if shuffled is None else shuffled[i],
                "shortcuts": [{"scorer": name, "rank": rank[i], "r1": right[i]} for name, (rank, right) in shortcuts.items()],
            }


def summarise(ranked: Ranked, training_set: str | None, strata: int) -> dict[str, dict[str, Any]]:
    """Return the metrics of all suites, and by protocol of those with protocols.

    Args:
        training_set: the one whose splits systematicity uses; ``None`` for no splits.
        strata: number of groups of similar frequency within which unseen and seen compounds are compared.
    """
    places: dict[tuple[str, str, str], list[int]] = {}
    for i, s in enumerate(ranked.sets):
        places.setdefault((s.protocol or "", s.suite, s.name), []).append(i)
    kept = {(s.suite, s.name, s.query.query_id) for s in ranked.sets if s.protocol == CLEARED}
    for (protocol, suite, name), which in list(places.items()):
        if protocol == PAPER:
            common = [i for i in which if (suite, name, ranked.sets[i].query.query_id) in kept]
            places |= {(ON_CLEARED, suite, name): common} if common else {}
    figures: dict[str, Any] = {}
    for (protocol, suite, name), which in sorted(places.items()):
        part = figures.setdefault(protocol, {}) if protocol else figures
        part.setdefault(suite, {})[name] = _of_set(ranked.take(np.array(which)), training_set, strata)
    return figures


def _of_set(ranked: Ranked, training_set: str | None, strata: int) -> dict[str, Any]:
    clusters = ranked.clusters
    splits = np.array([split_of(s, training_set) or "" for s in ranked.sets])
    n = np.array([s.query.n or 0 for s in ranked.sets])
    others = ranked.others()
    figures: dict[str, Any] = {"id": set_id((s.query.query_id, s.truth, s.texts[1:]) for s in ranked.sets)}
    for group, mask in _groups(splits, n):
        figures[group] = recalls(ranked.ranks.take(mask), clusters[mask])
        for key, (_, values) in others.items():
            figures[group] |= share(f"{key}_r1", values[mask], clusters[mask])
    figures |= _shortcuts(ranked, others)
    figures["bag"] = {
        "same": percent(ranked.same_bag.sum() / (ranked.ranks.size - 1).sum()),
        "ceiling": percent((1 / (1 + ranked.same_bag)).mean()),
    }
    figures["kinds"] = dict(_kinds(ranked))
    if counts := _queries_by_split(ranked.sets):
        figures["queries"] = counts
    if any(s.query.case is not None for s in ranked.sets):
        figures["cases"] = cases.figures(ranked.sets, ranked.scores)
    if ranked.sets[0].suite.startswith("aro") and (ranked.ranks.size == 2).all():
        figures["macro"] = dict(_macro(ranked))
    if any(weight := np.array([s.weight or 0.0 for s in ranked.sets])):
        figures["weighted"] = weighted(ranked.ranks, weight, clusters, ranked.untrained, ranked.shortcuts.get(ADVERSARY))
    if any(draw := np.array([s.query.draw for s in ranked.sets])):
        right = ranked.ranks.recall(1)
        of_draw = np.array([right[draw == number].mean() for number in np.unique(draw)])
        figures["draws"] = {"n": len(of_draw), "r1": percent(of_draw.mean()), "r1_sd": deviation(of_draw)}
    if {"SC", "UC"} <= set(splits):
        figures["gap"] = gap(ranked, splits, training_set, strata)
    if (n > 0).all() and len(set(n)) > 1:
        figures["slope"] = steepest(ranked, n)
    return figures


def _shortcuts(ranked: Ranked, others: Mapping[str, tuple[str, np.ndarray]]) -> dict[str, Any]:
    """Return ``shortcuts`` and ``detects`` of a set, from the other scorers' results on it."""
    clusters, right = ranked.clusters, ranked.ranks.recall(1)
    if "shortcut" not in others:
        return {"detects": detects(of_mean(right, clusters))}
    best, reached = others["shortcut"]
    found: dict[str, Any] = {name: percent(ranks.recall(1).mean()) for name, ranks in sorted(ranked.shortcuts.items())}
    found |= {"best": best, "gain": paired(right, reached, clusters)}
    for key in ("trained", "held_out"):
        if key in others:
            found[f"gain_{key}"] = paired(right, others[key][1], clusters)
    if "held_out" in others:
        found["held_out"] = others["held_out"][0]
    return {"shortcuts": found, "detects": detects(of_mean(right - reached, clusters, CHANGE))}


def set_id(queries: Iterable[tuple[str, str, Iterable[str]]]) -> str:
    """Return a hash of retrieval sets (query id, truth and negatives), independent of the order of sets or negatives."""
    lines = sorted(json.dumps([query_id, truth, sorted(negatives)]) for query_id, truth, negatives in queries)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def _macro(ranked: Ranked) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return ARO's macro accuracies over the exchanged words, where these are named: of all, and of spatial relations and verbs.

    See ARO, table 2.
    """
    ranked = ranked.take(np.flatnonzero([s.edits[0] != "" for s in ranked.sets]))
    groups = np.array([s.edits[0] for s in ranked.sets])
    kinds = np.array([s.query.compound or "" for s in ranked.sets])
    right, clusters, least = ranked.ranks.recall(1), ranked.clusters, ARO_MIN_CASES["relation" if any(kinds) else "attribution"]
    for name in ("all", *sorted(set(kinds) - {""})):
        here = np.ones(len(kinds), dtype=bool) if name == "all" else kinds == name
        yield name, macro(right[here], groups[here].tolist(), clusters[here], least)


def split_of(s: RetrievalSet, training_set: str | None) -> str | None:
    """Return SC, UC or UA; ``None`` where the query has no split for the training set."""
    split = s.query.splits.get(training_set or "")
    return split.name if split else None


def _queries_by_split(sets: Sequence[RetrievalSet]) -> dict[str, dict[str, int]]:
    """Return each training set's numbers of queries with seen compounds, with seen atoms, and with an unseen atom (Table 5)."""
    names = sorted({name for s in sets for name in s.query.splits})
    return {name: dict(sorted(Counter(split for s in sets if (split := split_of(s, name))).items())) for name in names}


def _groups(splits: np.ndarray, n: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    yield "all", np.ones(len(splits), dtype=bool)
    yield from ((split, splits == split) for split in SPLITS if (splits == split).any())
    yield from ((complexity(value), n == value) for value in np.unique(n[n > 0]))


def _kinds(ranked: Ranked) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return by what a negative changed how often the truth scores above it, in per cent; chance is 50, and a tie is half."""
    kind, won = np.array([edit for s in ranked.sets for edit in s.edits]), wins(ranked.scores)
    query = np.repeat(np.arange(len(ranked.sets)), [len(s.edits) for s in ranked.sets])
    for name in sorted({*kind.tolist()} - {""}):
        here = kind == name
        yield name, pairs(won[here], query[here], ranked.clusters[query[here]])


def gap(ranked: Ranked, splits: np.ndarray, training_set: str | None, strata: int) -> dict[str, Any]:
    """Return SC − UC in R@1 (:func:`contrast`), ``unseen_atoms``, the same of UA − SC, and ``other_way``.

    ``other_way`` is items that are SC here and UC for another training set less items that are UC here and SC there, so that each
    side is seen by one and unseen by the other. ``remains`` is the fraction of the raw gap that matching leaves.
    """
    right, clusters = ranked.ranks.recall(1), ranked.clusters
    seen, unseen = splits == "SC", splits == "UC"
    here = [s.query.splits.get(training_set or "") for s in ranked.sets]
    rarest = np.array([0 if split is None or split.rarest is None else split.rarest for split in here], dtype=float)
    frequency = quantiles(rarest, strata)
    alike = [(len(s.truth.split()), s.query.compound, int(f)) for s, f in zip(ranked.sets, frequency, strict=True)]
    contrasts = contrast(ranked, seen, unseen, alike)
    contrasts["remains"] = remaining(contrasts["raw"], contrasts["matched"])
    contrasts["unseen_atoms"] = contrast(ranked, splits == "UA", seen, alike)
    others = sorted({name for s in ranked.sets for name in s.query.splits} - {training_set})
    there = {name: np.array([split_of(s, name) or "" for s in ranked.sets]) for name in others}
    contrasts["other_way"] = {
        name: difference(right, seen & (split == "UC"), unseen & (split == "SC"), clusters) for name, split in there.items()
    }
    return contrasts


def contrast(ranked: Ranked, first: np.ndarray, second: np.ndarray, alike: Sequence[Hashable]) -> dict[str, Any]:
    """Return R@1 over the queries of the mask ``first`` less that over ``second``, and how much of it no text-only scorer shows.

    ``raw`` and ``matched`` (items of one stratum of ``alike``: length, kind of compound, frequency of the rarest atom; unseen
    compounds may simply be harder) are the model's. ``shortcut`` has for each the text-only ``scorer`` whose own difference is
    largest in the direction of the model's raw one (another may be on similar items), and ``over_shortcut`` how much larger the
    model's is, query by query. As that scorer is the worst of many, the remainder is underestimated rather than overestimated. Both
    are ``None`` where there are no text-only scorers, or none of the queries.
    """

    contrasts: dict[str, Any] = {}
    others: dict[str, Any] = {"shortcut": {}, "over_shortcut": {}}
    for key, strata in {"raw": [0] * len(first), "matched": alike}.items():
        change = partial(matched, first=first, second=second, strata=strata, images=ranked.clusters)
        contrasts[key] = change(ranked.ranks.recall(1))
        if contrasts["raw"]:
            others["shortcut"][key], others["over_shortcut"][key] = _most_like(ranked, change, contrasts["raw"]["d"])
    return contrasts | (others if ranked.untrained and contrasts["raw"] else dict.fromkeys(others))


def steepest(ranked: Ranked, n: np.ndarray) -> dict[str, Any]:
    """Return the same contrast for the change with each further atom, over the sets of the complexities ``n``."""
    change = partial(slope, n=n, images=ranked.clusters)
    if (raw := change(ranked.ranks.recall(1))) is None:
        return {"raw": None}
    text, left = _most_like(ranked, change, raw["d"])
    return {"raw": raw} | ({"scorer": text.pop("scorer"), "shortcut": text, "over_shortcut": left} if text else {})


def _most_like(ranked: Ranked, change: Callable[..., dict[str, Any] | None], d: float) -> tuple[Any, Any]:
    """Return the text-only ``scorer`` whose own change is largest in the direction of ``d``, with that change, and how much larger
    the model's is; ``None`` for both where no scorer has one."""
    scorers = ranked.untrained
    shown = {name: found for name, values in scorers.items() if (found := change(values))}
    if not shown:
        return None, None
    worst = max(shown, key=lambda name: np.sign(d) * shown[name]["d"])
    return {"scorer": worst, **shown[worst]}, change(ranked.ranks.recall(1) - scorers[worst], span=CHANGE)


def headline(figures: Mapping[str, Any]) -> str:
    """Return R@1 of every set, in one line."""
    parts = {f"{protocol}.{suite}": found for protocol in PROTOCOLS for suite, found in figures.get(protocol, {}).items()}
    parts |= {suite: figures[suite] for suite in sorted(figures.keys() - OTHER_KEYS)}
    every = [(f"{part}.{name}", found["all"]) for part, sets in parts.items() for name, found in sets.items()]
    return ", ".join(
        f"{name} {one['r1']:.1f} (chance {one['r1_chance']:.1f}, text-only {one['shortcut_r1']:.1f})" for name, one in every
    )
