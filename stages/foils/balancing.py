"""Which of the valid candidates become a query's negatives.

``paper``: the most sensible first (section 4.1). A truth that somebody wrote is then often the most sensible of its set, or the
only one whose words go together, and a blind scorer picks it out.

``balanced``: sets are chosen so that within every group that is compared with another (what a training set has seen, a complexity)
each selecting scorer puts the truth first as often as chance would. No query can do that alone, all of them together can: query
by query, of some ways to choose its negatives that one is taken whose outcomes have come too seldom so far in the query's groups
(minimisation, as in clinical trials: Pocock and Simon, 1975), over and over, and then the queries are dropped that keep a scorer
above its target. The method, its numbers and what each of them changes: ``BALANCING.md`` beside this file.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

SWEEPS = 3
"""Times that every query chooses its way, given what all the others have chosen."""
DRAWN, REPEATS, AROUND = 60, 4, 60
"""Sets that are tried for a slot of a query: by lot, of those with the wanted ranks, for each rank, and around a negative."""
AGREED = 1.5
"""How much chance there is in the order in which candidates are taken for a wanted rank, in scorers that agree."""
JITTER = 0.03
"""By how much likenesses are blurred where sets are made around a candidate."""
ROUNDS = 3
"""Times that targets are reckoned anew from what the judge saw in sets that were chosen for the last ones."""
PRIOR = 30
"""Queries of all groups that a group's own are joined by, when its target is reckoned: small groups follow the others."""
CAUTION = 0.3
"""By how many standard errors of what the judge saw a target is lower."""
LEAST, MOST = 0.3, 1.3
"""Targets are within these shares of chance."""
SLACK = 1.0
"""Queries are dropped until no scorer is above its target by so many standard errors."""
UNEVEN = 1.6
"""And until the squares of how uneven the ranks of the truths are come to no more than so many times what chance makes them."""
ENOUGH = 100
"""Queries of a group for whose sake some are dropped: in fewer nobody can tell luck from knowledge, and most would go."""
DROPPED = 1 / 200
"""The share of the queries that is dropped at a time."""
RARE = 5
"""Occurrences that a word is taken to have had on either side before any set is chosen, so that rare ones weigh little."""
FIRST = 2.0
"""What it weighs that a truth comes first, beside its being at any one rank more often than a negative is."""
COMMON = 0.5
"""What the balance of words weighs beside that of one scorer in one group."""
KINDS = 4.0
"""What it weighs that a kind of atom is asked more often than captions have it."""
FURTHER = 0.5
"""What it weighs that the foils of a set are further from what they replace than the paper takes them."""
POOL = 2
"""Candidates of a slot, in sizes of a set, that are so near that no further ones are tried."""
EQUAL = 1e-3
"""Sums of likenesses that differ by less are equal, on every machine."""
TIED = 1e-6
"""The same of scores, whose sums may be taken in another order."""
HALF, *QUARTERS = range(3)
"""By whom candidates are rated: the half of the training captions that chooses, and its two quarters."""
CENTRES = ("central", "outlying")
"""Whoever takes the caption that shares most with the others of its set, or least."""


class Asked(NamedTuple):
    """What a query's candidates ask: the kind of the atom that each replaces, as a number, and whether its foil is further from
    that than the paper takes them; both of shape (candidates,). ``named`` is the share of each kind among the truth's atoms."""

    kinds: np.ndarray
    further: np.ndarray
    named: np.ndarray

    @classmethod
    def alike(cls, candidates: int) -> Asked:
        """Of candidates that are not told apart."""
        return cls(np.zeros(candidates, np.int64), np.zeros(candidates, bool), np.ones(1))


@dataclass(frozen=True)
class Scored:
    """A query's valid candidates beside its truth, which comes first wherever it is counted in.

    Attributes:
        slots: which atom each candidate replaces, as any numbers; shape (candidates,).
        exact: by scorers that are certain, as a caption's length; shape (1 + candidates, scorers).
        estimated: by scorers that are estimated from captions, and so differ from those that others estimate: by the
            half and by its :data:`QUARTERS`; shape (3, 1 + candidates, scorers).
        likeness: by kind, how much captions share with each other; shape (kinds, 1 + candidates, 1 + candidates).
        changes: in what words candidates differ from the truth: which candidate, the word's number, and how much more often the
            truth says it; shape (3, changes).
        asked: what the candidates ask, where that matters.
    """

    query_id: str
    slots: np.ndarray
    exact: np.ndarray
    estimated: np.ndarray
    likeness: np.ndarray
    changes: np.ndarray
    asked: Asked | None = None


@dataclass(frozen=True)
class Options:
    """Ways to choose a query's negatives.

    Attributes:
        places: of the negatives among the candidates; shape (ways, size).
        ranks: at which ranks the truth stands more often than the negatives do (:func:`_ranks`), first by the exact scorers, then
            by :data:`CENTRES` for each kind of likeness, then by what the half estimates; shape (ways, all scorers, 1 + size).
        first: how likely the truth is to come first by what is certain; shape (ways, scorers + 2 kinds).
        estimated, changes: as of :class:`Scored`.
        kind, further: the kind of atom that each way asks, and the share of its foils that are further than the paper's; shape
            (ways,). ``named`` as of :class:`Asked`.
    """

    query_id: str
    places: np.ndarray
    ranks: np.ndarray
    first: np.ndarray
    estimated: np.ndarray
    changes: np.ndarray
    kind: np.ndarray
    further: np.ndarray
    named: np.ndarray

    def scores(self, by: int) -> np.ndarray:
        """The estimated scores of each way's captions; shape (ways, 1 + size, scorers)."""
        members = np.concatenate([np.zeros((len(self.places), 1), np.int64), self.places.astype(np.int64) + 1], axis=1)
        return self.estimated[by][members]


class Chosen(NamedTuple):
    """The places of each query's negatives; by scorer the share of the truths that it was to put first, over all queries, and the
    share that it does, or, of an estimated one, that others like it are expected to. Exact scorers come first, then likenesses."""

    places: dict[str, list[int]]
    targets: np.ndarray
    shares: np.ndarray


def paper(plausibility: np.ndarray, size: int) -> list[int] | None:
    """The places of the ``size`` most plausible candidates, if there are as many; equals stay in their order."""
    return np.argsort(-plausibility, kind="stable")[:size].tolist() if len(plausibility) >= size else None


def balanced(
    options: Sequence[Options], groups: Mapping[str, Sequence[str]], size: int, seed: int, uneven: float = UNEVEN
) -> Chosen:
    """One of the ways of each query that is kept.

    Args:
        groups: by query, the groups within which sets are balanced, beside all queries together.
        uneven: how uneven the ranks of the truths may be, as :data:`UNEVEN`.
    """
    if not options:
        return Chosen({}, np.zeros(0), np.zeros(0))
    order = sorted(options, key=lambda o: (_lot(seed, o.query_id), o.query_id))
    members = _members([groups.get(o.query_id, ()) for o in order])
    beliefs = _beliefs(order, seed)
    # A judge's estimates are others: a rank that the chooser's give is worth as much as two of them have in common.
    weights = np.concatenate([np.ones(order[0].first.shape[1]), _shared(order, seed) ** 2])
    targets = _targets(order, members, beliefs, weights, size, uneven)
    taken, kept, first = _balance(order, [_first(o.scores(HALF), beliefs) for o in order], members, targets, weights, size, uneven)
    chosen = sorted((order[i].query_id, order[i].places[taken[i]].tolist()) for i in np.flatnonzero(kept))
    return Chosen(dict(chosen), targets[-1], first[kept].mean(axis=0) if kept.any() else np.zeros(len(targets[-1])))


# Ways ----------------------------------------------------------------------------------------------------------------------------


def ways(query: Scored, size: int, seed: int) -> Options | None:
    """Sets of ``size`` candidates of one slot: some by lot, some for each rank, some around a candidate."""
    draw = np.random.default_rng(zlib.crc32(f"{seed}:{query.query_id}".encode()))
    asked = query.asked or Asked.alike(len(query.slots))
    slots = [here for slot in np.unique(query.slots) if len(here := np.flatnonzero(query.slots == slot)) >= size]
    slots = [_nearest(here, asked.further, POOL * size) for here in slots] if query.asked else slots
    if not slots:
        return None
    exact, estimated = _signs(query.exact), _signs(query.estimated[HALF])
    agreed = exact.sum(axis=1) + estimated.sum(axis=1)
    tried = [places for here in slots for places in _tried(query, agreed, here, size, draw)]
    places = np.unique(np.sort(np.concatenate(tried), axis=1), axis=0)
    members = np.concatenate([np.zeros((len(places), 1), np.int64), places + 1], axis=1)
    certain = np.concatenate([query.exact[members], _centred(query.likeness, members)], axis=2)
    ranks = _ranks(np.concatenate([certain, query.estimated[HALF][members]], axis=2))
    changes = query.changes.astype(np.int32)
    estimates, kind, further = query.estimated.astype(np.float32), asked.kinds[places[:, 0]], asked.further[places].mean(axis=1)
    return Options(query.query_id, places.astype(np.int16), ranks, _seen(certain), estimates, changes, kind, further, asked.named)


def _nearest(here: np.ndarray, further: np.ndarray, enough: int) -> np.ndarray:
    """The candidates ``here`` that are near, and as many further ones as make ``enough``; of these the first."""
    near, far = here[~further[here]], here[further[here]]
    return np.sort(np.concatenate([near, far[: max(enough - len(near), 0)]]))


def _signs(scores: np.ndarray) -> np.ndarray:
    """1 where a candidate beats the truth, 0 where they are equal, else -1; shape (candidates, scorers)."""
    gains = scores[1:] - scores[0]
    return np.where(np.abs(gains) > TIED, np.sign(gains), 0).astype(np.int8)


def _tried(query: Scored, agreed: np.ndarray, here: np.ndarray, size: int, draw: np.random.Generator) -> Iterator[np.ndarray]:
    """Sets of the candidates ``here``, as arrays of shape (sets, size)."""
    yield here[np.argsort(draw.random((DRAWN, len(here))), axis=1)[:, :size]]
    blurred = agreed[here] + AGREED * draw.random((REPEATS * (size + 1), len(here)))
    order = here[np.argsort(-blurred, axis=1)]
    ranks = np.repeat(np.arange(size + 1), REPEATS)[:, None]
    columns = np.arange(size)[None]
    yield np.take_along_axis(order, np.where(columns < ranks, columns, len(here) - size + columns), axis=1)
    # A candidate with those that are more like it than like the truth, and not always the very same ones.
    middles = here[draw.integers(0, len(here), AROUND)]
    likeness = query.likeness.mean(axis=0)
    nearer = likeness[1:, 1:][middles][:, here] - np.linspace(0, 1, AROUND)[:, None] * likeness[0, 1:][here]
    nearer += JITTER * draw.random(nearer.shape) + 2.0 * (here == middles[:, None])
    yield here[np.argsort(-nearer, axis=1)[:, :size]]


def _centred(likeness: np.ndarray, members: np.ndarray) -> np.ndarray:
    """How much each caption of each set shares with the others, by :data:`CENTRES`; shape (ways, 1 + size, 2 kinds)."""
    shared = np.moveaxis(likeness[:, members[:, :, None], members[:, None, :]].sum(axis=3), 0, 2)
    shared = (shared / EQUAL).round()
    return np.concatenate([shared, -shared], axis=2)


def _ranks(scores: np.ndarray) -> np.ndarray:
    """Of each rank of a set, of which equals share the best: ``size`` if the truth has it, less the negatives that have it.

    Whoever learns from ranks can tell nothing where the sums of these are 0. From (ways, 1 + size, scorers) to
    (ways, scorers, 1 + size).
    """
    size = scores.shape[1] - 1
    rank = (scores[:, None] > scores[:, :, None] + TIED).sum(axis=2)
    found = np.stack([(rank == k) for k in range(size + 1)], axis=3)
    return (size * found[:, 0].astype(np.int8) - found[:, 1:].sum(axis=1)).astype(np.int8)


# What a judge will see -----------------------------------------------------------------------------------------------------------


def _beliefs(options: Sequence[Options], seed: int) -> np.ndarray:
    """How likely a judge is to put the truth first, given what the chooser saw, as two numbers a scorer; shape (scorers, 2).

    What one model finds plausible is less plausible to the next (regression to the mean). So a scorer's differences are worth so
    much, ``slope``, and the truth has an advantage, ``start``, that the chooser does not see: the truth is first with the
    probability that the softmax of ``slope`` times the scores, and ``start`` for the truth, gives it. The two are fitted to sets
    drawn by lot, to what one quarter of the captions says and what the other one then sees.
    """
    rated, seen = _by_quarters(options, seed)
    return np.array([_fit(*both) for both in zip(rated, seen, strict=True)])


def _by_quarters(options: Sequence[Options], seed: int) -> tuple[np.ndarray, np.ndarray]:
    """What the one quarter and the other say of a set of each query, drawn by lot; shape (scorers, queries, 1 + size)."""
    ways = [(option, int(_lot(seed, f"{option.query_id}:belief") * len(option.places))) for option in options]
    one, other = (np.stack([option.scores(quarter)[way] for option, way in ways]) for quarter in QUARTERS)
    return np.moveaxis(one, 2, 0), np.moveaxis(other, 2, 0)


def _shared(options: Sequence[Options], seed: int) -> np.ndarray:
    """The share of the variance of the scores' differences that the two quarters have in common, by scorer; shape (scorers,)."""
    gains = [(scores[..., 1:] - scores[..., :1]).reshape(len(scores), -1) for scores in _by_quarters(options, seed)]
    gains = [own - own.mean(axis=1, keepdims=True) for own in gains]
    squares = np.sqrt((gains[0] ** 2).sum(axis=1) * (gains[1] ** 2).sum(axis=1))
    return (((gains[0] * gains[1]).sum(axis=1) / np.maximum(squares, TIED)) ** 2).round(3)


def _fit(rated: np.ndarray, seen: np.ndarray) -> tuple[float, float]:
    """``start`` and ``slope`` of one scorer from its scores of sets, both of shape (sets, 1 + size)."""
    best = (seen >= seen.max(axis=1, keepdims=True) - TIED).astype(float)
    best /= best.sum(axis=1, keepdims=True)
    scale = float((rated[:, 1:] - rated[:, :1]).std())
    if scale < TIED:
        return 0.0, 0.0

    def loss(both: np.ndarray) -> float:
        scores = both[1] * (rated - rated[:, :1]) / scale
        scores[:, 0] = both[0]
        top = scores.max(axis=1, keepdims=True)
        return float((np.log(np.exp(scores - top).sum(axis=1)) + top[:, 0] - (scores * best).sum(axis=1)).mean())

    start, slope = minimize(loss, (0.0, 1.0), bounds=[(-10, 10), (0, 100)]).x
    # Rounded, as the last bits of an optimiser are a machine's own.
    return round(float(start), 2), float(f"{slope / scale:.3g}")


def _first(scores: np.ndarray, beliefs: np.ndarray) -> np.ndarray:
    """How likely a judge is to put each way's truth first; from (ways, 1 + size, scorers) to (ways, scorers)."""
    gains = beliefs[:, 1] * (scores[:, 1:] - scores[:, :1]) - beliefs[:, 0]
    return (1 / (1 + np.exp(np.minimum(gains, 50)).sum(axis=1))).round(4).astype(np.float32)


def _seen(scores: np.ndarray) -> np.ndarray:
    """Whether a judge with these scores does, ties in equal shares."""
    gains = scores[:, 1:] - scores[:, :1]
    return np.where((gains > TIED).any(axis=1), 0, 1 / (1 + (np.abs(gains) <= TIED).sum(axis=1))).astype(np.float32)


def _targets(
    options: Sequence[Options], members: np.ndarray, beliefs: np.ndarray, weights: np.ndarray, size: int, uneven: float
) -> np.ndarray:
    """Which share of the truths each scorer may put first; shape (groups, scorers).

    Chance, but for what beliefs miss: sets are chosen by one quarter, and by as much as the other one puts more truths of a group
    first than was believed, the group's target is lower. Each quarter judges the other's choice.
    """
    chance, exact = 1 / (size + 1), options[0].first.shape[1]
    sides = [
        ([_first(o.scores(chooser), beliefs) for o in options], [_seen(o.scores(judge)) for o in options])
        for chooser, judge in (QUARTERS, QUARTERS[::-1])
    ]
    targets = np.full((members.shape[1], exact + len(beliefs)), chance)
    for _ in range(ROUNDS):
        missed, groups = [], []
        for believed, seen in sides:
            taken, kept, _ = _balance(options, believed, members, targets, weights, size, uneven)
            missed += [seen[i][taken[i]] - believed[i][taken[i]] for i in np.flatnonzero(kept)]
            groups.append(members[kept])
        if not missed:
            break
        wrong, here = np.stack(missed), np.concatenate(groups).T.astype(float)
        n = here.sum(axis=1, keepdims=True) + PRIOR
        mean, error = (here @ wrong + PRIOR * wrong.mean(axis=0)) / n, wrong.std(axis=0) / np.sqrt(n)
        targets[:, exact:] = np.clip(chance - mean - CAUTION * error, LEAST * chance, MOST * chance).round(6)
    return targets


# Balance -------------------------------------------------------------------------------------------------------------------------


def _members(groups: Sequence[Sequence[str]]) -> np.ndarray:
    """Which groups each query is in, the last of them that of all; shape (queries, groups)."""
    numbers = {name: i for i, name in enumerate(sorted({name for own in groups for name in own}))}
    found = np.zeros((len(groups), len(numbers) + 1), bool)
    found[:, -1] = True
    for i, own in enumerate(groups):
        found[i, [numbers[name] for name in own]] = True
    return found


def _balance(
    options: Sequence[Options],
    first: Sequence[np.ndarray],
    members: np.ndarray,
    targets: np.ndarray,
    weights: np.ndarray,
    size: int,
    uneven: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The way that each query takes, whether it is kept, and by scorer whether, or how likely, its truth comes first.

    Args:
        first: by query, how likely each estimated scorer is to put each way's truth first; shapes (ways, scorers).
        members, targets: as :func:`_members` and :func:`_targets` give them.
        weights: what the ranks of each scorer count; shape (scorers,).
    """
    every = options[0].ranks.shape[1]
    own = [np.flatnonzero(row) for row in members]
    ranks, sums = np.zeros((members.shape[1], every * (size + 1))), np.zeros((members.shape[1], every))
    weight = np.repeat(weights, size + 1) / size**2
    n, taken, words = np.zeros(members.shape[1]), np.full(len(options), -1), _Words(options)
    named = np.mean([option.named for option in options], axis=0)
    asked = np.zeros(len(named))
    every_first = [np.concatenate([option.first, own_first], axis=1) for option, own_first in zip(options, first, strict=True)]
    for sweep in range(SWEEPS):
        for i, option in enumerate(options):
            groups, standing, likely = own[i], option.ranks.reshape(len(option.ranks), -1).astype(float), every_first[i]
            if sweep:
                ranks[groups] -= standing[taken[i]]
                sums[groups] -= likely[taken[i]]
                n[groups] -= 1
                asked[option.kind[taken[i]]] -= 1
                words.put(option, taken[i], -1)
            many = np.maximum(n[groups], 1)[:, None]
            cost = standing @ (weight * (ranks[groups] / many).sum(axis=0))
            cost += FIRST * likely @ (sums[groups] / many - targets[groups]).sum(axis=0)
            cost += COMMON * words.cost(option) + FURTHER * option.further
            cost += KINDS * (asked / max(asked.sum(), 1) - named)[option.kind]
            # Rounded, so that what is equal on paper is equal on every machine.
            taken[i] = np.argmin(cost.round(9))
            ranks[groups] += standing[taken[i]]
            sums[groups] += likely[taken[i]]
            n[groups] += 1
            asked[option.kind[taken[i]]] += 1
            words.put(option, taken[i], 1)
    chosen = np.stack([each[way] for each, way in zip(every_first, taken, strict=True)])
    standing = np.stack([option.ranks[way].ravel() for option, way in zip(options, taken, strict=True)]) / size
    large = members.sum(axis=0) >= ENOUGH
    return taken, _prune(chosen, standing, weight * size**2, members[:, large], targets[large], uneven), chosen


class _Words:
    """How much more often truths say each word than their negatives do, where the two differ, and how often either does.

    Who learns which words foils are told from truths by needs no image either: each word is to be a foil as often as it is
    replaced by one.
    """

    def __init__(self, options: Sequence[Options]):
        most = max((int(option.changes[1].max(initial=-1)) for option in options), default=-1) + 1
        self.more, self.times = np.zeros(most), np.full(most, float(RARE))

    def put(self, option: Options, way: int, sign: int) -> None:
        """Count (1), or count no more (-1), the sets that a query's way makes."""
        candidate, word, more = option.changes
        here = np.isin(candidate, option.places[way])
        np.add.at(self.more, word[here], sign * more[here])
        np.add.at(self.times, word[here], sign * np.abs(more[here]))

    def cost(self, option: Options) -> np.ndarray:
        """How much each way adds to what there is too much of already; shape (ways,)."""
        candidate, word, more = option.changes
        each = np.bincount(candidate, more * self.more[word] / self.times[word], minlength=int(option.places.max()) + 1)
        return each[option.places].mean(axis=1)


def _prune(
    first: np.ndarray, standing: np.ndarray, weight: np.ndarray, members: np.ndarray, targets: np.ndarray, most: float = UNEVEN
) -> np.ndarray:
    """Which queries to keep so that in no group a scorer's mean of ``first``, of shape (queries, scorers), is above its target by
    :data:`SLACK` standard errors or more, nor the truths' ranks together, ``standing`` of shape (queries, ranks), are further from
    even than ``most`` times what chance makes them: those go first that add to what there is too much of."""
    alive, spread = np.ones(len(first), bool), (weight * standing.var(axis=0)).sum()
    while alive.any():
        here = members[alive].T.astype(float)
        n = np.maximum(here.sum(axis=1, keepdims=True), 1)
        excess = np.maximum(here @ first[alive] / n - targets - SLACK * np.sqrt(targets * (1 - targets) / n), 0)
        mean = here @ standing[alive] / n
        uneven = np.where((weight * mean**2).sum(axis=1, keepdims=True) > most * spread / n, weight * mean, 0)
        if members.sum(axis=1).max() > 2:  # Groups overlap: what makes one even makes another uneven, and so only all are.
            uneven[:-1] = 0
        if not excess.any() and not uneven.any():
            break
        guilt = (first * (members @ excess)).sum(axis=1) - members @ (targets * excess).sum(axis=1)
        guilt = np.where(alive, (guilt + (standing * (members @ uneven)).sum(axis=1)).round(9), -np.inf)
        alive[np.argsort(-guilt, kind="stable")[: max(1, int(alive.sum() * DROPPED))]] = False
    return alive


def _lot(seed: int, query_id: str) -> float:
    return random.Random(f"{seed}:{query_id}").random()  # noqa: S311
