"""Which of the valid candidates become a query's negatives.

``paper``: the most sensible first (section 4.1). A truth that somebody wrote is then often the most sensible of its set, or the
only one whose words go together, and a blind scorer picks it out.

``balanced``: sets are chosen so that within every group that is compared with another (what a training set has seen, a complexity)
each selecting scorer, and an adversary that learned from other sets, puts the truth first as often as chance would. No query can do
that alone, all of them together can: query by query, of some ways to choose its negatives that one is taken whose outcomes have
come too seldom so far in the query's groups (minimisation, as in clinical trials: Pocock and Simon, 1975), over and over; the
adversary learns anew from what was chosen, and queries that keep a scorer above its target are dropped, a few at a time. The
method, its numbers and what each of them changes: ``BALANCING.md`` beside this file.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from stages.foils import adversary, beliefs
from stages.foils.adversary import Guesses
from stages.foils.beliefs import lot
from stages.foils.ways import HALF, QUARTERS, Options, seen, standing

SWEEPS, BETWEEN = 3, 2
"""Times that every query chooses its way, given what all the others have chosen, before an adversary has learned, and after."""
ROUNDS, DROPPING = 11, range(4, 10)
"""Times that adversaries learn what there is to learn, and every query chooses anew; all of them stay, for what gave truths away
once is not to come back. What the first see, choosing alone mends, and what the last do; after the others queries are dropped."""
CAUTIOUS = 2.5
"""By how many standard errors of what the judge saw of all queries a target is lower: in every group by as much, or the caution
itself would tell groups apart. With more of it truths come first too seldom, and adversaries learn that."""
REPEATS = 3
"""Times that targets are reckoned anew from what the judge saw in sets that were chosen for the last ones."""
PRIOR = 30
"""Queries of all groups that a group's own are joined by, when its target is reckoned: small groups follow the others."""
LEAST, MOST = 0.3, 1.3
"""Targets are within these shares of chance."""
ABOVE = 0.01
"""Queries are dropped for the sake of a scorer, or an adversary, that is above its target by more than this …"""
ALLOWED, SURE = 0.05, 2.0
"""… or, in a group of few queries, by more than a judge allows less so many of the standard errors that chance has: what luck adds
must not take a scorer beyond that."""
ENOUGH = 100
"""Queries of a group for whose sake some are dropped: in fewer nobody can tell luck from knowledge, and most would go."""
STEP = 1 / 200
"""The share of the queries that is dropped at a time."""
RARE = 5
"""Occurrences that a word is taken to have had on either side before any set is chosen, so that rare ones weigh little."""
FIRST, GUESSED = 8.0, 12.0
"""What it weighs that a truth comes first, by a scorer and by an adversary, beside its being at any one rank more often than a
negative is."""
UNSURE = 1.0
"""What it weighs that nobody can tell whether a judge puts the truth first. Sure outcomes make a group even; of unsure ones luck
makes it uneven again."""
COMMON = 0.5
"""What the balance of words weighs beside that of one scorer in one group."""
OVER, ASKED = 0.01, 3.0
"""By which share more than captions have it a kind of atom may be asked before queries are dropped for that; and what that weighs
then beside a scorer that is as far above its target."""


class Design(NamedTuple):
    """How the sets of one type of negatives are put together, and how far balance goes with them.

    Attributes:
        one_piece: whether all negatives of a set replace one and the same piece of the truth.
        dropped: the share of the queries that is dropped at most before all choose anew.
        insistent: by how much more it weighs after each sweep, for each share by which an estimated scorer is off its target.
        exactly: how many times as much it weighs that an exact scorer puts a truth first: judges see what the chooser does.
        kinds: what it weighs that a kind of atom is asked more often than captions have it.
        by_kind: what it weighs, beside all kinds together, that one puts the truths of a kind first more often than it may.
        of_group: how many times as far as a quarter of the captions a half misses the mean of all groups in each one. Whoever has
            seen more has seen more of what is called seen.
        denies: whether captions deny something: then it is balanced, too, how many of the others say what each one denies.
        own_words: whether the nearest negatives are those that name nothing but what the truth does.
        further: what it weighs that the foils of a set are further from what they replace than the paper takes them, or that its
            swaps name something else.
        far: the share of a kind's foils that may be further before queries are dropped for that.
    """

    one_piece: bool
    dropped: float
    insistent: float
    exactly: float = 1.0
    kinds: float = 60.0
    by_kind: float = 0.0
    of_group: float = 1.0
    denies: bool = False
    own_words: bool = False
    further: float = 8.0
    far: float = 1.0


ONE_PIECE = Design(True, 1 / 19, 6.0, exactly=120.0, kinds=1300.0, by_kind=3.5, of_group=1.5, further=80.0, far=0.19)
FEW = Design(True, 1 / 26, 6.0, kinds=415.0, by_kind=1.0, further=14.0, far=0.185)
"""Where all replace one piece adversaries learn little, and scorers can be insisted on; the same of queries that are few."""
SEVERAL, SAME_WORDS = Design(False, 1 / 16, 1.0), Design(False, 1 / 15, 2.0, own_words=True)
"""Where negatives differ from the truth in several places, and where they do so in its own words: there scorers pull against each
other, and who insists much on the one lets another tell the truth."""
DENYING = SEVERAL._replace(denies=True, dropped=1 / 21, insistent=1.5)
"""The same where every caption denies something."""


class Chosen(NamedTuple):
    """The places of each query's negatives; by scorer the share of the truths that it was to put first, over all queries, and the
    share that it does, or, of an estimated one, that others like it are expected to. Exact scorers come first, then likenesses."""

    places: dict[str, list[int]]
    targets: np.ndarray
    shares: np.ndarray


def paper(plausibility: np.ndarray, size: int) -> list[int] | None:
    """The places of the ``size`` most plausible candidates, if there are as many; equals stay in their order."""
    return np.argsort(-plausibility, kind="stable")[:size].tolist() if len(plausibility) >= size else None


def balanced(options: Sequence[Options], groups: Mapping[str, Sequence[str]], seed: int, design: Design) -> Chosen:
    """One of the ways of each query that is kept.

    Args:
        groups: by query, the groups within which sets are balanced, beside all queries together.
    """
    if not options:
        return Chosen({}, np.zeros(0), np.zeros(0))
    order = sorted(options, key=lambda o: (lot(seed, o.query_id), o.query_id))
    members = _members([groups.get(o.query_id, ()) for o in order])
    quarters = beliefs.fitted(order, seed)
    halves, agreed = beliefs.of_halves(quarters, beliefs.agreement(order, seed))
    # A judge's estimates are others: a rank that the chooser's give is worth as much as two of them have in common.
    weights = np.concatenate([np.ones(order[0].first.shape[1]), agreed**4])
    targets = _targets(order, members, quarters, weights, design)
    balance = _Balance(order, [beliefs.first(o.scores(HALF), halves) for o in order], members, targets, weights, design)
    for number in range(ROUNDS):
        guesses = adversary.learned(order, balance.taken, balance.kept, np.random.default_rng([seed, number]))
        balance.guesses += guesses
        for _ in range(BETWEEN):
            balance.sweep()
        if number in DROPPING:
            balance.drop()
    left = np.flatnonzero(balance.kept)
    chosen = sorted((order[i].query_id, order[i].places[balance.taken[i]].tolist()) for i in left)
    shares = np.mean([balance.first[i][balance.taken[i]] for i in left], axis=0) if len(left) else np.zeros(len(targets[-1]))
    return Chosen(dict(chosen), targets[-1], shares)


def _targets(
    options: Sequence[Options], members: np.ndarray, believed: np.ndarray, weights: np.ndarray, design: Design
) -> np.ndarray:
    """Which share of the truths each scorer may put first; shape (groups, scorers).

    Chance, but for what beliefs miss: sets are chosen by one quarter, and by as much as the other one puts more truths of a group
    first than was believed, the group's target is lower (``of_group``). Each quarter judges the other's choice.
    """
    chance, exact = 1 / (1 + options[0].places.shape[1]), options[0].first.shape[1]
    sides = [
        ([beliefs.first(o.scores(chooser), believed) for o in options], [seen(o.scores(judge)) for o in options])
        for chooser, judge in (QUARTERS, QUARTERS[::-1])
    ]
    targets = np.full((members.shape[1], exact + len(believed)), chance)
    patient = design._replace(insistent=0.0)
    here = np.concatenate([members, members]).T.astype(float)
    n = here.sum(axis=1, keepdims=True) + PRIOR
    for _ in range(REPEATS):
        missed = []
        for likely, right in sides:
            taken = _Balance(options, likely, members, targets, weights, patient).taken
            missed += [right[i][way] - likely[i][way] for i, way in enumerate(taken)]
        wrong = np.stack(missed)
        mean, error = wrong.mean(axis=0), wrong.std(axis=0) / np.sqrt(n[-1])
        off = mean + design.of_group * (here @ (wrong - mean) / n)
        targets[:, exact:] = np.clip(chance - off - CAUTIOUS * error, LEAST * chance, MOST * chance).round(6)
    return targets


def _members(groups: Sequence[Sequence[str]]) -> np.ndarray:
    """Which groups each query is in, the last of them that of all; shape (queries, groups)."""
    numbers = {name: i for i, name in enumerate(sorted({name for own in groups for name in own}))}
    inside = np.zeros((len(groups), len(numbers) + 1), bool)
    inside[:, -1] = True
    for i, own in enumerate(groups):
        inside[i, [numbers[name] for name in own]] = True
    return inside


class _Balance:
    """The way that each query takes, after :data:`SWEEPS` sweeps.

    Args:
        first: by query, how likely each estimated scorer is to put each way's truth first; shapes (ways, scorers).
        members, targets: as :func:`_members` and :func:`_targets` give them.
        weights: what the ranks of each scorer count; shape (scorers,).

    Attributes:
        first: the same of all scorers, the exact ones before the others.
        taken, kept: the number of each query's way, and whether it is kept; shape (queries,).
        guesses: what adversaries tell of every way.
        insisted: what each scorer weighs in each group beside how far it is off its target now; shape (groups, scorers).
    """

    def __init__(
        self,
        options: Sequence[Options],
        first: Sequence[np.ndarray],
        members: np.ndarray,
        targets: np.ndarray,
        weights: np.ndarray,
        design: Design,
    ):
        size = options[0].places.shape[1]
        self.options, self.members, self.targets, self.design = options, members, targets, design
        self.first = [np.concatenate([option.first, own], axis=1) for option, own in zip(options, first, strict=True)]
        self.unsure = [(own * (1 - own)).sum(axis=1) for own in first]
        self.standing = [standing(option.ranks) for option in options]
        self.weight, self.chance = np.repeat(weights, size + 1) / size**2, 1 / (size + 1)
        self.named = np.mean([option.named for option in options], axis=0)
        self.taken, self.kept = np.full(len(options), -1), np.ones(len(options), bool)
        self.guesses: list[Guesses] = []
        self.insisted = np.zeros_like(targets)
        exact = np.arange(targets.shape[1]) < options[0].first.shape[1]
        self.coming_first = FIRST * np.where(exact, design.exactly, 1.0)
        self.insistent = np.where(exact, 0.0, design.insistent)
        for _ in range(SWEEPS):
            self.sweep()

    def sweep(self) -> None:
        """Every query that is kept chooses its way anew, one after the other."""
        ranks, scorers = len(self.weight), self.targets.shape[1]
        sums = np.zeros((self.members.shape[1], ranks + scorers + len(self.guesses)))
        n, asked, words = np.zeros(self.members.shape[1]), np.zeros(len(self.named)), _Words(self.options)
        of_kind = np.zeros((len(self.named), scorers + len(self.guesses)))
        aim = np.concatenate([self.targets[-1], np.full(len(self.guesses), self.chance)])
        of_kinds = self.design.by_kind * np.concatenate([self.coming_first, np.full(len(self.guesses), GUESSED)])

        def put(i: int, sign: int, outcomes: np.ndarray) -> None:
            option, way = self.options[i], self.taken[i]
            sums[self.members[i]] += sign * outcomes
            n[self.members[i]] += sign
            asked[option.kind[way]] += sign
            of_kind[option.kind[way]] += sign * outcomes[ranks:]
            words.put(option, way, sign)

        queries = np.flatnonzero(self.kept).tolist()
        for i in queries:
            if (way := self.taken[i]) >= 0:
                put(i, 1, self._outcomes(i, slice(way, way + 1))[0])
        for i in queries:
            outcomes = self._outcomes(i)
            if self.taken[i] >= 0:
                put(i, -1, outcomes[self.taken[i]])
            option, groups = self.options[i], self.members[i]
            mean = sums[groups] / np.maximum(n[groups], 1)[:, None]
            weight = np.concatenate([
                self.weight * mean[:, :ranks].sum(axis=0),
                (self.coming_first * (mean[:, ranks : ranks + scorers] - self.targets[groups]) + self.insisted[groups]).sum(axis=0),
                GUESSED * np.maximum(mean[:, ranks + scorers :] - self.chance, 0).sum(axis=0),
            ])  # fmt: skip
            cost = outcomes @ weight + COMMON * words.cost(option) + self.design.further * option.further
            cost += UNSURE * self.unsure[i] + self.design.kinds * (asked / max(asked.sum(), 1) - self.named)[option.kind]
            above = of_kinds * np.maximum(of_kind / np.maximum(asked, 1)[:, None] - aim, 0)
            cost += (outcomes[:, ranks:] * above[option.kind]).sum(axis=1)
            # Rounded, so that what is equal on paper is equal on every machine.
            self.taken[i] = np.argmin(cost.round(9))
            put(i, 1, outcomes[self.taken[i]])
        off = sums[:, ranks : ranks + scorers] / np.maximum(n, 1)[:, None] - self.targets
        self.insisted += np.where(n[:, None] >= ENOUGH, self.insistent * off, 0)

    def _outcomes(self, i: int, ways: slice = slice(None)) -> np.ndarray:
        """All that is balanced of a query's ways: ranks, how likely the truth comes first, and the same by adversaries."""
        guesses = [of.likely[i][ways] for of in self.guesses]
        return np.column_stack([self.standing[i][ways], self.first[i][ways], *guesses])

    def drop(self) -> None:
        """Drop some of the queries that put more truths of a group first than a scorer's, or an adversary's, target allows, of
        those that ask what is asked too often, and of those whose foils are far."""
        queries = np.flatnonzero(self.kept)
        guesses = [[of.first[i][self.taken[i]] for of in self.guesses] for i in queries]
        first = np.column_stack([[self.first[i][self.taken[i]] for i in queries], guesses])
        targets = np.column_stack([self.targets, np.full((len(self.targets), len(self.guesses)), self.chance)])
        members = self.members[queries]
        if members[:, :-1].sum(axis=0).max(initial=0) < ENOUGH:
            return  # Nothing is compared, and a small benchmark keeps its queries.
        most = targets + _above(members.sum(axis=0), self.chance)[:, None]
        taken = [(self.options[i], self.taken[i]) for i in queries.tolist()]
        asks = ASKED * np.eye(len(self.named))[[option.kind[way] for option, way in taken]]
        far = asks * np.array([[option.further[way]] for option, way in taken])
        of_kind = np.full((len(most), len(self.named)), ASKED)
        of_kind[-1] *= self.named + OVER  # Of all queries: no group is compared by what it asks.
        outcomes, most = np.column_stack([first, asks, far]), np.column_stack([most, of_kind, self.design.far * of_kind])
        self.kept[queries[~_even(outcomes, members, most, self.design.dropped)]] = False


def _above(n: np.ndarray, chance: float) -> np.ndarray:
    """How far above its target a scorer may be in groups of ``n`` queries. The last group is all of them: that is compared with
    nothing, so that luck misleads nobody."""
    above = np.minimum(ABOVE, ALLOWED - SURE * np.sqrt(chance * (1 - chance) / np.maximum(n, 1)))
    above[-1] = ABOVE
    return above


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
        chosen = np.zeros(option.estimated.shape[1] - 1, bool)
        chosen[option.places[way]] = True
        here = chosen[candidate]
        np.add.at(self.more, word[here], sign * more[here])
        np.add.at(self.times, word[here], sign * np.abs(more[here]))

    def cost(self, option: Options) -> np.ndarray:
        """How much each way adds to what there is too much of already; shape (ways,)."""
        candidate, word, more = option.changes
        each = np.bincount(candidate, more * self.more[word] / self.times[word], minlength=int(option.places.max()) + 1)
        return each[option.places].mean(axis=1)


def _even(outcomes: np.ndarray, members: np.ndarray, most: np.ndarray, share: float) -> np.ndarray:
    """Which queries to keep so that in no group the mean of ``outcomes``, of shape (queries, outcomes), is above ``most``, of shape
    (groups, outcomes): those go first that add to what there is too much of, and no more than ``share`` of all."""
    keep = np.ones(len(outcomes), bool)
    while keep.sum() > (1 - share) * len(outcomes):
        here = members[keep].T.astype(float)
        n = here.sum(axis=1, keepdims=True)
        excess = np.where(n >= ENOUGH, np.maximum(here @ outcomes[keep] / np.maximum(n, 1) - most, 0), 0)
        if not excess.any():
            break
        guilt = (outcomes * (members @ excess)).sum(axis=1) - members @ (most * excess).sum(axis=1)
        guilt = np.where(keep, guilt.round(9), -np.inf)
        keep[np.argsort(-guilt, kind="stable")[: max(1, int(keep.sum() * STEP))]] = False
    return keep
