"""The registry of shortcut scorers: they never see the image, so what they can solve tests language, not vision.

Each gives a caption a score, higher for a likelier truth; ties get their expected rank, so a scorer without information is at
chance. Some are each other's opposite, because a scorer that is always wrong solves a benchmark just as well. Scorers of whole sets
are in :mod:`stages.shortcuts.set_similarity`, the trained adversary in :mod:`stages.shortcuts.trained`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise

import numpy as np
from scipy import sparse

from stages.contract.errors import ParameterError
from stages.parameters.sections import ShortcutModel
from stages.shortcuts.ngram import ORDER, NGramModel
from stages.shortcuts.pretrained import KINDS, Pretrained
from stages.text.tokens import CACHED, words

SELECTING, EVALUATING = (0,), (1,)
"""The half of the training captions that selecting scorers learn from, and the half for evaluating scorers."""
EXACT, LEARNED = ("shorter", "longer", "affirmed", "negated"), ("frequency", "ngram", "ngram_mean", "bag", "skip_bigrams")
"""Names of the scorers of captions that need no training captions, and of those that learn from some."""
ADVERSARY = "trained"
"""The name of the scorer that is trained on the evaluated sets themselves."""
OTHERS = ("meaning", "neural", "prior", ADVERSARY, "best", "held_out", "gain", "gain_trained", "gain_held_out")
"""Names that have another meaning in the metrics, so no scorer can have them."""

ShortcutScorer = Callable[[Sequence[str]], np.ndarray]
"""Scores of captions, of shape (n,)."""

NEGATIONS = frozenset(["no", "not", "never", "none", "nothing", "nobody", "nowhere", "neither", "nor", "without", "cannot"])
AT_ONCE = 4096
"""Captions scored at a time."""


def scorers(captions: Sequence[str], bag: BagOfWords | None = None) -> dict[str, ShortcutScorer]:
    """Return the scorers of captions that need no weights: :data:`EXACT`, and :data:`LEARNED` where there are training captions.

    Args:
        bag: the bag of words of the same captions, if it exists already.
    """
    exact = (lambda texts: -lengths(texts), lengths, lambda texts: -negations(texts), negations)
    every: dict[str, ShortcutScorer] = dict(zip(EXACT, exact, strict=True))
    if captions:
        ngram = NGramModel.estimate(captions)
        score = _remembered(ngram.score)
        mean: ShortcutScorer = lambda texts: score(texts) / (lengths(texts) + 1)  # noqa: E731
        pairs = bag or BagOfWords(captions), SkipBigrams(captions)
        learned: tuple[ShortcutScorer, ...] = ngram.log_frequency, score, mean, *pairs
        every |= {name: _rounded(scorer) for name, scorer in zip(LEARNED, learned, strict=True)}
    return every


def left_out(captions: Sequence[str], why: str) -> None:
    """Print which scorers are left out, and ``why``, where there are no training ``captions`` to learn from."""
    if not captions:
        print(f"note: {why}, so that these shortcut scorers are left out: {', '.join(LEARNED)}, meaning")


def _rounded(scorer: ShortcutScorer) -> ShortcutScorer:
    """Return ``scorer`` with rounded scores: the last bits of logarithms depend on the processor, and must not decide a rank."""
    return lambda texts: scorer(texts).astype(float).round(6)


def _remembered(scorer: ShortcutScorer) -> ShortcutScorer:
    """Return ``scorer`` with its last answer cached, because two callers score the same list of texts in turn."""
    last: list[tuple[Sequence[str], np.ndarray]] = []

    def score(texts: Sequence[str]) -> np.ndarray:
        if not last or last[0][0] is not texts:
            last[:] = [(texts, scorer(texts))]
        return last[0][1]

    return score


def pretrained(wanted: Mapping[str, ShortcutModel], device: str) -> dict[str, Pretrained]:
    """Return the models of ``evaluate.shortcut_models`` by name.

    Each has a ``kind`` (causal, masked, grammar, vera) and a ``checkpoint``.

    Raises:
        ParameterError: a name has another meaning in the metrics.
    """
    for name in wanted:
        if name in (*EXACT, *LEARNED, *OTHERS) or name.startswith(("central_", "outlying_")):
            wrong = "is the name of another scorer, or of a figure in the metrics"
            raise ParameterError(f"evaluate.shortcut_models.{name}", wrong, "give it another name")
    return {name: KINDS[settings.kind](settings.checkpoint, device) for name, settings in wanted.items()}


def lengths(texts: Sequence[str]) -> np.ndarray:
    """Return the number of words of each text."""
    return np.array([len(words(text)) for text in texts], dtype=np.float32)


def negations(texts: Sequence[str]) -> np.ndarray:
    """Return the number of negating words of each text."""
    return np.array([_negations(text) for text in texts], dtype=np.float32)


@lru_cache(CACHED)
def _negations(text: str) -> int:
    return sum(map(_negates, words(text)))


def _negates(word: str) -> bool:
    return word in NEGATIONS or word.endswith("n't")


def denied(text: str) -> str | None:
    """Return the word after the first negating word, which is what a caption denies; ``None`` if nothing is denied.

    >>> denied("A cup on a table, with no dog in sight."), denied("A cup on a table.")
    ('dog', None)
    """
    return next((word for before, word in pairwise(words(text)) if _negates(before)), None)


Pairs = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Pairs of words of some texts: the index of the text, and the numbers of the two words. Shapes: (pairs,)."""


class PairScorer(ABC):
    """How well the words of a caption go together: the mean pointwise mutual information of its pairs, over training captions.

    Attributes:
        vocabulary: the number of each word.
        together: how often two words are a pair.
        alone: how often a word could be the first of a pair, and the second.
        total: how often any word could be.
    """

    vocabulary: dict[str, int]
    together: sparse.csr_array
    alone: tuple[np.ndarray, np.ndarray]
    total: int

    @staticmethod
    @abstractmethod
    def pairs(rows: Sequence[Sequence[int]]) -> Pairs:
        """Return the pairs of words that count, of texts as numbers of words."""

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        scores = np.zeros(len(texts))
        for start in range(0, len(texts), AT_ONCE):
            self._score(texts[start : start + AT_ONCE], scores[start : start + AT_ONCE])
        return scores

    def _score(self, texts: Sequence[str], scores: np.ndarray) -> None:
        text, first, second = self.pairs([[self.vocabulary[w] for w in words(text) if w in self.vocabulary] for text in texts])
        if not len(text):
            return
        # The captions of a set share most pairs.
        pairs, place = np.unique(first * len(self.vocabulary) + second, return_inverse=True)
        first, second = np.divmod(pairs, len(self.vocabulary))
        # In double precision: in single precision a logarithm's last bit, which depends on the processor, survives the rounding.
        together = self.together[first, second].astype(float) + 1  # so that its logarithm is finite (Laplace, 1814)
        alone = np.maximum(self.alone[0][first], 1) * np.maximum(self.alone[1][second], 1)
        sums = np.bincount(text, weights=np.log(together * self.total / alone)[place], minlength=len(texts))
        scores[:] = sums / np.maximum(np.bincount(text, minlength=len(texts)), 1)


class BagOfWords(PairScorer):
    """Pairs of words in any order, each once a caption."""

    def __init__(self, captions: Sequence[str]):
        self.vocabulary, ids = _numbered(captions)
        ids = [sorted(set(row)) for row in ids]
        ends = np.cumsum([0, *map(len, ids)])
        flat = np.fromiter((i for row in ids for i in row), dtype=np.int32, count=int(ends[-1]))
        shape = (len(ids), len(self.vocabulary))
        has_word = sparse.csr_array((np.ones(len(flat), dtype=np.float32), flat, ends), shape=shape)
        self.together = (has_word.T @ has_word).tocsr()
        self.together.sort_indices()
        self.alone = (has_word.sum(axis=0).astype(float),) * 2
        self.total = max(1, len(captions))

    @staticmethod
    def pairs(rows: Sequence[Sequence[int]]) -> Pairs:
        return _pairs([sorted(set(row)) for row in rows])


class SkipBigrams(PairScorer):
    """Pairs of words in their order, with at most as many words between them as an n-gram has (Lin and Och, 2004).

    In "wearing a purple hat" they see "wearing … hat", which an n-gram does not.
    """

    def __init__(self, captions: Sequence[str]):
        self.vocabulary, ids = _numbered(captions)
        _, first, second = self.pairs(ids)
        shape = (len(self.vocabulary), len(self.vocabulary))
        self.together = sparse.coo_array((np.ones(len(first), dtype=np.float32), (first, second)), shape=shape).tocsr()
        self.together.sort_indices()
        self.alone = self.together.sum(axis=1).astype(float), self.together.sum(axis=0).astype(float)
        self.total = max(1, len(first))

    @staticmethod
    def pairs(rows: Sequence[Sequence[int]]) -> Pairs:
        flat = np.fromiter(chain.from_iterable(rows), dtype=np.int32)
        text = np.repeat(np.arange(len(rows), dtype=np.int32), [len(row) for row in rows])
        found = [np.zeros((3, 0), np.int32)]
        for distance in range(1, ORDER + 2):
            here = text[distance:] == text[:-distance]
            found.append(np.stack([text[distance:][here], flat[:-distance][here], flat[distance:][here]]))
        text, first, second = np.concatenate(found, axis=1)
        return text, first.astype(np.int64), second.astype(np.int64)


def _numbered(captions: Sequence[str]) -> tuple[dict[str, int], list[list[int]]]:
    """Return a vocabulary of captions, and each caption as numbers of its words."""
    vocabulary: dict[str, int] = {}
    return vocabulary, [[vocabulary.setdefault(word, len(vocabulary)) for word in words(caption)] for caption in captions]


def _pairs(rows: Sequence[Sequence[int]]) -> Pairs:
    """Return all pairs of numbers of each row, in order."""
    sizes = np.array([len(row) for row in rows], dtype=np.int64)
    flat = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=int(sizes.sum()))
    place = np.arange(len(flat))
    after = np.repeat(np.cumsum(sizes), sizes) - 1 - place
    first = np.repeat(place, after)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(after) - after, after)
    return np.repeat(np.repeat(np.arange(len(rows)), sizes), after), flat[first], flat[second]
