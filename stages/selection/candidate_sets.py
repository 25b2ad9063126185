"""Make the candidate sets of a query, and score each of them with the shortcut scorers."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from stages.selection.questions import Question, Truth
from stages.shortcuts.set_similarity import CENTRES, centrality

SETS = 34
"""Approximate number of candidate sets of a query of each of the three kinds: it bounds memory."""
TIED = 1e-6
"""Scores that differ by less are equal: by definition, since they are rounded to six digits."""
HALF, QUARTERS = 0, (1, 2)
"""Which captions a scorer learned from: the half that selects, and its two quarters."""


class Ratings(NamedTuple):
    """How scorers rate a truth, which comes first, and its n candidates.

    Attributes:
        exact: scores that do not depend on training captions; shape (1 + n, scorers).
        learned: scores by :data:`HALF` and :data:`QUARTERS`; shape (3, 1 + n, scorers).
        similar: by :func:`stages.shortcuts.set_similarity.similarity`, without meaning; shape (kinds, 1 + n, 1 + n).
        meaning: similarity of meaning by the half and its quarters; shape (3, 1 + n, 1 + n).
        changes: the words in which a candidate differs from the truth: the candidate's place, the word's number, and how much more
        often the truth contains it; shape (3, changes).
    """

    exact: np.ndarray
    learned: np.ndarray
    similar: np.ndarray
    meaning: np.ndarray
    changes: np.ndarray


@dataclass(frozen=True)
class CandidateSets:
    """The candidate sets of a query; arrays have an entry a set.

    Attributes:
        truth, places: the index of the truth, and those of its candidates; shapes (sets,) and (sets, size).
        exact: the probability that the truth comes first by exact scorers; shape (sets, scorers).
        ranks: how many captions of its set score higher than each, by exact scorers; shape (sets, 1 + size, scorers).
        gains: the truth's score less each negative's, by learned scorers; shape (3, sets, size, scorers).
        asked: one-hot kind of the replaced atom, less the fraction of each kind among the truth's atoms; shape (sets, kinds).
        far: the fraction of far foils.
        own_cost: a small cost of each set, from 0 to 1, that breaks ties in the same way everywhere.
        negatives: places of a set's negatives among all candidates of the query; shape (sets, size).
        changes: of all candidates of the query, as :class:`Ratings` has them.
    """

    query_id: str
    image_id: int
    truth: np.ndarray
    places: np.ndarray
    exact: np.ndarray
    ranks: np.ndarray
    gains: np.ndarray
    asked: np.ndarray
    far: np.ndarray
    own_cost: np.ndarray
    negatives: np.ndarray
    changes: np.ndarray


def candidate_sets(question: Question, ratings: list[Ratings], size: int, seed: int) -> CandidateSets | None:
    """Return about three times :data:`SETS` sets of ``size`` candidates of one truth and slot each; ``None`` where there is no set.

    Args:
        ratings: one for each truth.
    """
    draw = np.random.default_rng(zlib.crc32(f"{seed}:{question.query_id}".encode()))
    slots = [_slots(truth, size) for truth in question.truths]
    share = -(-SETS // max(sum(map(len, slots)), 1))
    before = np.cumsum([0, *(len(truth.negatives) for truth in question.truths)])
    parts = []
    for number, (truth, slots_of_truth, rated) in enumerate(zip(question.truths, slots, ratings, strict=True)):
        if slots_of_truth:
            agreed = _preferences(rated.exact).sum(axis=1) + _preferences(rated.learned[HALF]).sum(axis=1)
            similar = np.concatenate([rated.similar, rated.meaning[:1]]).mean(axis=0).round(6)
            tried = [sets for here in slots_of_truth for sets in _tried(here, agreed, similar, size, share, draw)]
            places = np.unique(np.sort(np.concatenate(tried), axis=1), axis=0)
            parts.append(_described(question.query_id, number, truth, rated, places, before[number]))
    if not parts:
        return None
    changes = [rated.changes + np.array([[b], [0], [0]]) for rated, b in zip(ratings, before[:-1], strict=True)]
    joined = {name: np.concatenate([part[name] for part in parts], axis=int(name == "gains")) for name in parts[0]}
    return CandidateSets(question.query_id, question.image_id, changes=np.concatenate(changes, axis=1).astype(np.int32), **joined)


def _slots(truth: Truth, size: int) -> list[np.ndarray]:
    """Return the candidates of each slot that has enough; far ones fill it up to two sets."""
    slots, far = np.asarray(truth.slots), np.asarray(truth.far, bool)
    found = []
    for slot in dict.fromkeys(slots.tolist()):
        here = np.flatnonzero(slots == slot)
        near = np.count_nonzero(~far[here])
        here = here[np.argsort(far[here], kind="stable")][: max(2 * size, near)]
        if len(here) >= size:
            found.append(np.sort(here))
    return found


def _preferences(scores: np.ndarray) -> np.ndarray:
    """Return 1 where a candidate beats the truth, 0 where they are equal, else -1; shape (candidates, scorers)."""
    gains = scores[1:] - scores[0]
    return np.where(np.abs(gains) > TIED, np.sign(gains), 0)


def _tried(
    here: np.ndarray, agreed: np.ndarray, similar: np.ndarray, size: int, share: int, draw: np.random.Generator
) -> Iterator[np.ndarray]:
    """Yield sets of the candidates ``here``, as arrays of shape (sets, size), ``share`` sets each time.

    Sets are drawn at random, then with each number of candidates that most scorers prefer to the truth, then around one candidate.
    """
    yield here[np.argsort(draw.random((share, len(here))), axis=1, kind="stable")[:, :size]]
    # As many scorers prefer several candidates: in a random order.
    blurred = agreed[here] + draw.random((share, len(here)))
    order = here[np.argsort(-blurred, axis=1, kind="stable")]
    better, columns = (np.arange(share) % (size + 1))[:, None], np.arange(size)[None]
    yield np.take_along_axis(order, np.where(columns < better, columns, len(here) - size + columns), axis=1)
    # A candidate together with those that are more similar to it than to the truth.
    middles = here[draw.integers(0, len(here), share)]
    nearer = similar[1:, 1:][middles][:, here] - np.linspace(0, 1, share)[:, None] * similar[0, 1:][here]
    # Above any similarity: itself. Half of the others come last, so that sets differ.
    nearer += (here == middles[:, None]) / TIED - 2.0 * draw.integers(0, 2, nearer.shape)
    yield here[np.argsort(-nearer, axis=1, kind="stable")[:, :size]]


def _described(query_id: str, number: int, truth: Truth, rated: Ratings, places: np.ndarray, before: int) -> dict[str, np.ndarray]:
    members = np.concatenate([np.zeros((len(places), 1), np.int64), places + 1], axis=1)
    exact = np.concatenate([rated.exact[members], _both(centrality(rated.similar, members))], axis=2)
    meaning = np.stack([_both(centrality(chosen[None], members)) for chosen in rated.meaning])
    learned = np.concatenate([rated.learned[:, members], meaning], axis=3)
    kinds = np.eye(len(truth.named))[np.asarray(truth.kinds)[places[:, 0]]]
    costs = [zlib.crc32(f"{query_id}\n{truth.caption}\n{chosen}".encode()) / np.iinfo(np.uint32).max for chosen in places.tolist()]
    return {
        "truth": np.full(len(places), number, np.int16),
        "places": places.astype(np.int16),
        "exact": seen(exact[:, :1] - exact[:, 1:]),
        "ranks": ranked(exact),
        "gains": (learned[:, :, :1] - learned[:, :, 1:]).astype(np.float32),
        "asked": (kinds - truth.named).astype(np.float32),
        "far": np.asarray(truth.far)[places].mean(axis=1),
        "own_cost": np.array(costs),
        "negatives": (places + before).astype(np.int32),
    }


def _both(central: np.ndarray) -> np.ndarray:
    return np.concatenate([factor * central for factor in CENTRES.values()], axis=2)


def ranked(scores: np.ndarray) -> np.ndarray:
    """Return how many captions of its set score higher than each; shape (sets, captions, scorers), as ``scores`` has."""
    higher, ranks = scores + TIED, np.zeros(scores.shape, np.int8)
    for caption in range(scores.shape[1]):  # one at a time: all pairs at once take gigabytes
        ranks += scores[:, caption : caption + 1] > higher
    return ranks


def seen(gains: np.ndarray) -> np.ndarray:
    """Return the probability that the truth comes first, ties shared, from its ``gains`` over each negative.

    Shape: from (sets, size, scorers) to (sets, scorers).
    """
    tied = 1 / (1 + (np.abs(gains) <= TIED).sum(axis=1))
    return np.where((gains < -TIED).any(axis=1), 0, tied).astype(np.float32)
