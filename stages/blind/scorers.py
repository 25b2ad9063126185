"""Scorers that never see the image. What they can pick out is language, not vision.

Each gives a caption a score, higher for what it takes for the truth; ties have their expected rank, so that a scorer with nothing
to say stands at chance. Some are each other's opposite: whoever wants to solve a benchmark blind may choose the sign.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise

import numpy as np
from scipy import sparse

from stages.blind.ngram import NGramModel
from stages.blind.pretrained import KINDS, Pretrained
from stages.contract.errors import ParameterError
from stages.parameters.sections import BlindModel
from stages.wording.tokens import KEPT, words

JUDGING = (1,)
"""The half of the training captions that judges; the other may have chosen the negatives."""

BlindScorer = Callable[[Sequence[str]], np.ndarray]
"""Scores of captions, of shape (n,)."""

NEGATIONS = frozenset(["no", "not", "never", "none", "nothing", "nobody", "nowhere", "neither", "nor", "without", "cannot"])
UNSEEN = 0.5
"""Captions that two words are taken to share beside those that they do, so that its logarithm is finite."""


def scorers(captions: Sequence[str], bag: BagOfWords | None = None) -> dict[str, BlindScorer]:
    """The scorers that need no weights, estimated from training ``captions``; ``bag`` is of these, if somebody has it already."""
    ngram = NGramModel.estimate(captions)
    score = _remembered(ngram.score)
    return {
        "shorter": lambda texts: -lengths(texts),
        "longer": lengths,
        "affirmed": lambda texts: -negations(texts),
        "negated": negations,
        "frequency": ngram.log_frequency,
        "ngram": score,
        "ngram_mean": lambda texts: score(texts) / (lengths(texts) + 1),
        "bag": bag or BagOfWords(captions),
    }


def _remembered(scorer: BlindScorer) -> BlindScorer:
    """``scorer`` with its last answer, for two ask it about the same list of texts in turn."""
    last: list[tuple[Sequence[str], np.ndarray]] = []

    def score(texts: Sequence[str]) -> np.ndarray:
        if not last or last[0][0] is not texts:
            last[:] = [(texts, scorer(texts))]
        return last[0][1]

    return score


def pretrained(wanted: Mapping[str, BlindModel], device: str) -> dict[str, Pretrained]:
    """The judges of ``evaluate.blind_models``: by name, their ``kind`` (causal, masked, grammar, vera) and ``checkpoint``.

    Raises:
        ParameterError: one has a name that stands for something else in the figures.
    """
    taken = {*scorers([]), "meaning", "prior", "trained", "best", "gain", "gain_trained"}
    for name in wanted:
        if name in taken or name.startswith(("alike_", "unlike_")):
            wrong = "is the name of another scorer, or of a figure beside them"
            raise ParameterError(f"evaluate.blind_models.{name}", wrong, "give it a name of its own")
    return {name: KINDS[settings.kind](settings.checkpoint, device) for name, settings in wanted.items()}


def lengths(texts: Sequence[str]) -> np.ndarray:
    """Number of words."""
    return np.array([len(words(text)) for text in texts], dtype=np.float32)


def negations(texts: Sequence[str]) -> np.ndarray:
    """Number of words that negate."""
    return np.array([_negations(text) for text in texts], dtype=np.float32)


@lru_cache(KEPT)
def _negations(text: str) -> int:
    return sum(map(_negates, words(text)))


def _negates(word: str) -> bool:
    return word in NEGATIONS or word.endswith("n't")


def denied(text: str) -> str | None:
    """The word after the first one that negates: what a caption denies, or its first word.

    >>> denied("A cup on a table, with no dog in sight."), denied("A cup on a table.")
    ('dog', None)
    """
    return next((word for before, word in pairwise(words(text)) if _negates(before)), None)


class BagOfWords:
    """How well the words go together whatever their order: mean pointwise mutual information of all pairs, over training
    captions.
    """

    def __init__(self, captions: Sequence[str]):
        self.vocabulary: dict[str, int] = {}
        ids = [sorted({self.vocabulary.setdefault(w, len(self.vocabulary)) for w in words(caption)}) for caption in captions]
        ends = np.cumsum([0, *map(len, ids)])
        flat = np.fromiter((i for row in ids for i in row), dtype=np.int32, count=int(ends[-1]))
        shape = (len(ids), len(self.vocabulary))
        has_word = sparse.csr_array((np.ones(len(flat), dtype=np.float32), flat, ends), shape=shape)
        self.together = (has_word.T @ has_word).tocsr()
        self.together.sort_indices()
        self.alone = has_word.sum(axis=0)
        self.captions = max(1, len(captions))

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        scores = np.zeros(len(texts), dtype=np.float32)
        for start in range(0, len(texts), 4096):
            self._score(texts[start : start + 4096], scores[start : start + 4096])
        return scores

    def _score(self, texts: Sequence[str], scores: np.ndarray) -> None:
        known = [sorted({self.vocabulary[word] for word in words(text) if word in self.vocabulary}) for text in texts]
        text, first, second = _pairs(known)
        if not len(text):
            return
        together = self.together[first, second] + UNSEEN
        information = np.log(together * self.captions / (self.alone[first] * self.alone[second]))
        sums = np.bincount(text, weights=information, minlength=len(texts))
        scores[:] = sums / np.maximum(np.bincount(text, minlength=len(texts)), 1)


def _pairs(rows: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All pairs of numbers of a row, in order: which row, and the two. Shapes: (pairs,)."""
    sizes = np.array([len(row) for row in rows], dtype=np.int64)
    flat = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=int(sizes.sum()))
    place = np.arange(len(flat))
    after = np.repeat(np.cumsum(sizes), sizes) - 1 - place
    first = np.repeat(place, after)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(after) - after, after)
    return np.repeat(np.repeat(np.arange(len(rows)), sizes), after), flat[first], flat[second]
