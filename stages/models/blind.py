"""Scorers that never see the image. What they can pick out is language, not vision.

Each gives a caption a score, higher for what it takes for the truth; ties have their expected rank, so that a scorer with nothing
to say stands at chance. Some are each other's opposite: whoever wants to solve a benchmark blind may choose the sign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from scipy import sparse

from stages.contract import tables
from stages.contract.errors import InputError, ParameterError
from stages.language.ngram import NGramModel, half
from stages.language.pretrained import KINDS
from stages.retrieval.bags import words

JUDGING = 1
"""The half of the training captions that judges; the other may have chosen the negatives."""

BlindScorer = Callable[[Sequence[str]], np.ndarray]
"""Scores of captions, of shape (n,)."""

NEGATIONS = frozenset(["no", "not", "never", "none", "nothing", "nobody", "nowhere", "neither", "nor", "without", "cannot"])


def scorers(captions: Sequence[str]) -> dict[str, BlindScorer]:
    """The scorers that need no weights, estimated from training ``captions``."""
    ngram, bag = NGramModel.estimate(captions, len(captions)), BagOfWords(captions)
    return {
        "shorter": lambda texts: -lengths(texts),
        "longer": lengths,
        "affirmed": lambda texts: -negations(texts),
        "negated": negations,
        "frequency": ngram.log_frequency,
        "ngram": ngram.score,
        "ngram_mean": lambda texts: ngram.score(texts) / (lengths(texts) + 1),
        "bag": bag,
    }


def pretrained(wanted: Mapping[str, Mapping[str, str]], device: str) -> dict[str, BlindScorer]:
    """The scorers of ``evaluate.blind_models``: by name, their ``kind`` (causal, grammar, vera) and ``checkpoint``."""
    found: dict[str, BlindScorer] = {}
    for name, settings in wanted.items():
        if settings["kind"] not in KINDS:
            remedy = f"name one of: {', '.join(KINDS)}"
            raise ParameterError(f"evaluate.blind_models.{name}.kind", f"{settings['kind']} is unknown", remedy)
        found[name] = KINDS[settings["kind"]](settings["checkpoint"], device)
    return found


def lengths(texts: Sequence[str]) -> np.ndarray:
    """Number of words."""
    return np.array([len(words(text)) for text in texts], dtype=np.float32)


def negations(texts: Sequence[str]) -> np.ndarray:
    """Number of words that negate."""
    return np.array([sum(word in NEGATIONS or word.endswith("n't") for word in words(text)) for text in texts], dtype=np.float32)


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
        found = sparse.csr_array((np.ones(len(flat), dtype=np.float32), flat, ends), shape=shape)
        self.together = (found.T @ found).tocsr()
        self.together.sort_indices()
        self.alone = found.sum(axis=0)
        self.captions = max(1, len(captions))

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        scores = np.zeros(len(texts), dtype=np.float32)
        for start in range(0, len(texts), 4096):
            self._score(texts[start : start + 4096], scores[start : start + 4096])
        return scores

    def _score(self, texts: Sequence[str], scores: np.ndarray) -> None:
        pairs = [(i, a, b) for i, text in enumerate(texts) for a, b in self._pairs(text)]
        if not pairs:
            return
        text, first, second = np.array(pairs).T
        together = self.together[first, second] + 0.5
        information = np.log(together * self.captions / (self.alone[first] * self.alone[second]))
        sums = np.bincount(text, weights=information, minlength=len(texts))
        scores[:] = sums / np.maximum(np.bincount(text, minlength=len(texts)), 1)

    def _pairs(self, text: str) -> Iterator[tuple[int, int]]:
        known = sorted({self.vocabulary[word] for word in words(text) if word in self.vocabulary})
        return ((a, b) for i, a in enumerate(known) for b in known[i + 1 :])


def training_captions(folder: Path, most: int) -> list[str]:
    """At most ``most`` distinct captions of each training set, of the half that chooses no negatives.

    Args:
        folder: with a folder for each training set, each with ``graphs.parquet``.
    """
    found = sorted(folder.glob("*/graphs.parquet"))
    if not found:
        raise InputError(folder, "holds no training captions", "run dvc repro, which parses them")
    captions: list[str] = []
    for path in found:
        rows = (row["caption"] for row in tables.read("training_graphs", path, ["caption"]))
        captions += islice((caption for caption in rows if half(caption) == JUDGING), most)
    return captions
