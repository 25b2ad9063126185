"""All figures of an evaluation, by suite, retrieval set and group, under short keys that do not move.

``FIGURES[suite][set][group]`` has :func:`stages.retrieval.figures.recalls`, with ``blind_r1`` (the set's best blind scorer) and
``shuffled_r1`` (the model on crops of other images) beside them, each with ``_se``, ``_low`` and ``_high``. Groups are ``all``; SC,
UC and UA; or n04 … n12. Beside the groups stand ``blind`` (R@1 of each blind scorer, ``best``, and the model's ``gain`` over the
best, and over the one trained on the sets, ``gain_trained``), ``bag``
(``same``: share of negatives that are the truth's bag of words; ``ceiling``: R@1 of a model that knows all but the order),
``kinds`` (by what the negative changed: how often the truth scores above it), and for suites that have splits ``gap`` (SC − UC),
for those that have complexities ``slope``; for ARO's pairs ``macro`` (:func:`stages.retrieval.statistics.macro`), and for cases of
several images or true captions ``cases`` (:mod:`stages.retrieval.cases`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from stages.images.crops import ImageFolder
from stages.retrieval import cases
from stages.retrieval.cleared import ADVERSARY
from stages.retrieval.figures import FEW, pairs, percent, recalls, share
from stages.retrieval.intervals import CHANGE, SHARE
from stages.retrieval.ranks import Ranks, wins
from stages.retrieval.sets import RetrievalSet, complexity
from stages.retrieval.statistics import difference, macro, matched, paired, quantiles, remaining, slope

SPLITS = ("SC", "UC", "UA")
BESIDE_SUITES = frozenset(("raw", "captions", "cases", "perturbed"))
"""Keys of ``metrics/evaluate.json`` that are no suite's figures of retrieval sets."""
ARO_LEAST = {"relation": 10, "attribution": 25}
"""Cases of a relation (ARO, table 2), or of a pair of attributes, that make it one of those that ARO's macro accuracy is over."""


@dataclass(frozen=True)
class Ranked:
    """Retrieval sets with everything that is known of how they were ranked; arrays have an entry a set."""

    sets: Sequence[RetrievalSet]
    scores: Sequence[np.ndarray]
    """The model's scores of each set, the truth's first."""
    ranks: Ranks
    shuffled: Ranks | None
    """By the model, given the crop of another image; ``None`` for a model that has none."""
    blind: Mapping[str, Ranks]
    same_bag: np.ndarray
    """Negatives that are the same bag of words as the truth."""

    def take(self, which: np.ndarray) -> Ranked:
        """The sets that the indices ``which`` pick out."""
        return Ranked(
            [self.sets[i] for i in which],
            [self.scores[i] for i in which],
            self.ranks.take(which),
            None if self.shuffled is None else self.shuffled.take(which),
            {name: ranks.take(which) for name, ranks in self.blind.items()},
            self.same_bag[which],
        )

    @property
    def untrained(self) -> dict[str, np.ndarray]:
        """Recall at 1 of the blind scorers that were not trained on the very sets, by name and in its order."""
        return {name: ranks.recall(1) for name, ranks in sorted(self.blind.items()) if name != ADVERSARY}

    @cached_property
    def clusters(self) -> np.ndarray:
        """What the standard errors allow for: sets of one image, or of images that are asked in one case, hang together."""
        return cases.clusters(self.sets)

    def rows(self, training_set: str | None, images: ImageFolder | None = None) -> Iterator[dict[str, Any]]:
        """The rows of the table ``ranks``; ``images``: where those lie that are not Visual Genome's."""
        expected = self.ranks.expected
        blind = {name: (ranks.expected, ranks.recall(1)) for name, ranks in sorted(self.blind.items())}
        shuffled = None if self.shuffled is None else self.shuffled.expected
        for i, s in enumerate(self.sets):
            yield {
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
                "blind": [{"scorer": name, "rank": rank[i], "r1": right[i]} for name, (rank, right) in blind.items()],
            }


def summarise(ranked: Ranked, training_set: str | None, strata: int) -> dict[str, dict[str, Any]]:
    """The figures of all suites.

    Args:
        training_set: whose splits systematicity goes by; ``None`` for no splits.
        strata: into how many groups of like frequency unseen and seen compounds are sorted to be compared.
    """
    places: dict[tuple[str, str], list[int]] = {}
    for i, s in enumerate(ranked.sets):
        places.setdefault((s.suite, s.name), []).append(i)
    figures: dict[str, dict[str, Any]] = {}
    for (suite, name), which in sorted(places.items()):
        figures.setdefault(suite, {})[name] = _of_set(ranked.take(np.array(which)), training_set, strata)
    return figures


def _of_set(ranked: Ranked, training_set: str | None, strata: int) -> dict[str, Any]:
    clusters, right = ranked.clusters, ranked.ranks.recall(1)
    blind = {name: ranks.recall(1) for name, ranks in sorted(ranked.blind.items())}
    best = max(ranked.untrained, key=lambda name: float(blind[name].mean()), default=None)
    splits = np.array([split_of(s, training_set) or "" for s in ranked.sets])
    n = np.array([s.query.n or 0 for s in ranked.sets])
    figures: dict[str, Any] = {}
    for group, mask in _groups(splits, n):
        figures[group] = recalls(ranked.ranks.take(mask), clusters[mask])
        beside = {} if best is None else {"blind_r1": blind[best][mask]}
        if ranked.shuffled is not None:
            beside["shuffled_r1"] = ranked.shuffled.take(mask).recall(1)
        for key, values in beside.items():
            figures[group] |= share(key, values, clusters[mask])
    if best is not None:
        figures["blind"] = {name: percent(values.mean()) for name, values in blind.items()}
        figures["blind"] |= {"best": best, "gain": paired(right, blind[best], clusters)}
        if ADVERSARY in blind:
            figures["blind"]["gain_trained"] = paired(right, blind[ADVERSARY], clusters)
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
    if {"SC", "UC"} <= set(splits):
        figures["gap"] = gap(ranked, splits, training_set, strata)
    if (n > 0).all() and len(set(n)) > 1:
        sure = np.array([_is_sure(figures[complexity(value)]) for value in n.tolist()])
        figures["slope"] = steepest(ranked.take(np.flatnonzero(sure)), n[sure]) if sure.any() else {"raw": None}
    return figures


def _is_sure(group: Mapping[str, Any]) -> bool:
    """Whether a complexity has enough queries to be part of a slope. How wide its interval is may not decide: it is widest at 50 %,
    so that complexities would be chosen by what came out."""
    return group["r1_low"] is not None and group["n"] >= FEW


def _macro(ranked: Ranked) -> Iterator[tuple[str, dict[str, Any]]]:
    """ARO's macro accuracies over what was exchanged, where that is named: of all, and of spatial relations and verbs apart
    (ARO, table 2)."""
    ranked = ranked.take(np.flatnonzero([s.edits[0] != "" for s in ranked.sets]))
    groups = np.array([s.edits[0] for s in ranked.sets])
    kinds = np.array([s.query.compound or "" for s in ranked.sets])
    right, clusters, least = ranked.ranks.recall(1), ranked.clusters, ARO_LEAST["relation" if any(kinds) else "attribution"]
    for name in ("all", *sorted(set(kinds) - {""})):
        here = np.ones(len(kinds), dtype=bool) if name == "all" else kinds == name
        yield name, macro(right[here], groups[here].tolist(), clusters[here], least)


def split_of(s: RetrievalSet, training_set: str | None) -> str | None:
    """SC, UC or UA; ``None`` where the query has no split for the training set."""
    split = s.query.splits.get(training_set or "")
    return split.name if split else None


def _queries_by_split(sets: Sequence[RetrievalSet]) -> dict[str, dict[str, int]]:
    """How many queries each training set has seen the compounds of, the atoms of, or not all atoms of (paper, Table 5)."""
    names = sorted({name for s in sets for name in s.query.splits})
    return {name: dict(sorted(Counter(split for s in sets if (split := split_of(s, name))).items())) for name in names}


def _groups(splits: np.ndarray, n: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    yield "all", np.ones(len(splits), dtype=bool)
    yield from ((split, splits == split) for split in SPLITS if (splits == split).any())
    yield from ((complexity(value), n == value) for value in np.unique(n[n > 0]))


def _kinds(ranked: Ranked) -> Iterator[tuple[str, dict[str, Any]]]:
    """By what a negative changed: how often the truth scores above it, in per cent; chance is 50, and a tie is half."""
    kind, won = np.array([edit for s in ranked.sets for edit in s.edits]), wins(ranked.scores)
    query = np.repeat(np.arange(len(ranked.sets)), [len(s.edits) for s in ranked.sets])
    for name in sorted({*kind.tolist()} - {""}):
        here = kind == name
        yield name, pairs(won[here], query[here], ranked.clusters[query[here]])


def gap(ranked: Ranked, splits: np.ndarray, training_set: str | None, strata: int) -> dict[str, Any]:
    """SC − UC in R@1 (:func:`contrast`), ``unseen_atoms``, the same of UA − SC, and ``other_way``: items that are SC here and UC
    for another training set less items that are UC here and SC there, so that each side is seen by one and unseen by the other.
    ``remains``: the share of the raw gap that matching leaves.
    """
    right, clusters = ranked.ranks.recall(1), ranked.clusters
    seen, unseen = splits == "SC", splits == "UC"
    here = [s.query.splits.get(training_set or "") for s in ranked.sets]
    rarest = np.array([0 if split is None or split.rarest is None else split.rarest for split in here], dtype=float)
    frequency = quantiles(rarest, strata)
    like = [(len(s.truth.split()), s.query.compound, int(f)) for s, f in zip(ranked.sets, frequency, strict=True)]
    contrasts = contrast(ranked, seen, unseen, like)
    contrasts["remains"] = remaining(contrasts["raw"], contrasts["matched"])
    contrasts["unseen_atoms"] = contrast(ranked, splits == "UA", seen, like)
    others = sorted({name for s in ranked.sets for name in s.query.splits} - {training_set})
    there = {name: np.array([split_of(s, name) or "" for s in ranked.sets]) for name in others}
    contrasts["other_way"] = {
        name: difference(right, seen & (split == "UC"), unseen & (split == "SC"), clusters) for name, split in there.items()
    }
    return contrasts


def contrast(ranked: Ranked, first: np.ndarray, second: np.ndarray, like: Sequence[Hashable]) -> dict[str, Any]:
    """R@1 over the queries of the mask ``first`` less that over ``second``, and what is left of it beside who sees no image.

    ``raw`` and ``matched`` (items of one stratum of ``like``: length, kind of compound, frequency of the rarest atom; unseen
    compounds may simply be harder) are the model's. ``blind`` has of each the blind ``scorer`` whose own difference goes furthest
    the way of the model's raw one (another may on like items), and ``over_blind`` what the model's is more than that one's, query
    by query. As that scorer is the worst of many, what is left is rather too little than too much. Both are ``None`` where there
    are no blind scorers, or none of the queries.
    """

    def of(values: np.ndarray, strata: Sequence[Hashable], span: tuple[float, float] = SHARE) -> dict[str, Any] | None:
        return matched(values, first, second, strata, ranked.clusters, span)

    right, blind = ranked.ranks.recall(1), ranked.untrained
    ways: dict[str, Sequence[Hashable]] = {"raw": [0] * len(right), "matched": like}
    own = {key: of(right, strata) for key, strata in ways.items()}
    if not blind or (raw := own["raw"]) is None:
        return {**own, "blind": None, "over_blind": None}
    beside: dict[str, Any] = {"blind": {}, "over_blind": {}}
    for key, strata in ways.items():
        shown = {name: change for name, values in blind.items() if (change := of(values, strata))}
        worst = max(shown, key=lambda name: np.sign(raw["d"]) * shown[name]["d"], default=None)
        beside["blind"][key] = worst and {"scorer": worst, **shown[worst]}
        beside["over_blind"][key] = worst and of(right - blind[worst], strata, CHANGE)
    return own | beside


def steepest(ranked: Ranked, n: np.ndarray) -> dict[str, Any]:
    """The same of the change with each further atom, over the sets of the complexities ``n``."""
    clusters, right = ranked.clusters, ranked.ranks.recall(1)
    slopes: dict[str, Any] = {"raw": slope(right, n, clusters)}
    blind = ranked.untrained
    own = {name: change for name, values in blind.items() if (change := slope(values, n, clusters))}
    if not own or slopes["raw"] is None:
        return slopes
    way = np.sign(slopes["raw"]["d"])
    worst = max(own, key=lambda name: way * own[name]["d"])
    return slopes | {"scorer": worst, "blind": own[worst], "against_blind": slope(right - blind[worst], n, clusters, CHANGE)}


def headline(figures: Mapping[str, Any]) -> str:
    """R@1 of every set, in one line."""
    return ", ".join(
        f"{suite}.{name} {of['all']['r1']:.1f} (chance {of['all']['r1_chance']:.1f}, blind {of['all']['blind_r1']:.1f})"
        for suite in sorted(figures.keys() - BESIDE_SUITES)
        for name, of in figures[suite].items()
    )
