"""A small recurrent language model of captions: a text-only scorer of a family that selection never uses.

Negatives are selected so that word counts explain nothing: n-grams, frequencies, pairs of words. This model tests whether another
kind of language model still separates truths from negatives. It reads a caption from left to right through a gated recurrent unit
(Cho et al., 2014) and trains in seconds on the captions that only evaluate. It works in double precision, and scores are rounded,
so that the order in which a processor adds numbers does not matter.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from stages.shortcuts.meaning import DIMENSIONS
from stages.text.tokens import words

NAME = "neural"
"""The key of its scores."""
PAD, BOUND, UNKNOWN = 0, 1, 2
"""Numbers of padding, of a caption's start and end, and of all words outside the vocabulary."""
COMMON = 2000
"""Size of the vocabulary: the most frequent words; all others are :data:`UNKNOWN`. It bounds time."""
BATCH, STEPS, RATE = 32, 300, 5e-3
"""Captions a step, steps, and Adam's learning rate; together a few seconds of a processor: they bound time."""
DIGITS = 4
"""Decimal places of a score."""
AT_ONCE = 256
"""Captions scored at a time."""


class RecurrentModel:
    """A language model of ``captions``; :meth:`score` returns natural logarithms of probabilities."""

    def __init__(self, captions: Sequence[str], steps: int = STEPS):
        # Imported here: it takes seconds, and most importers of this package need no network.
        import torch

        self.torch = torch
        counts = Counter(word for caption in captions for word in words(caption))
        common = sorted(counts, key=lambda word: (-counts[word], word))[:COMMON]
        self.numbers = {word: i for i, word in enumerate(common, start=UNKNOWN + 1)}
        size, state = len(self.numbers) + UNKNOWN + 1, torch.random.get_rng_state()
        torch.manual_seed(0)
        self.embed = torch.nn.Embedding(size, DIMENSIONS, PAD, dtype=torch.float64)
        self.read = torch.nn.GRU(DIMENSIONS, DIMENSIONS, batch_first=True, dtype=torch.float64)
        self.say = torch.nn.Linear(DIMENSIONS, size, dtype=torch.float64)
        torch.random.set_rng_state(state)
        if captions:
            self._learn(captions, steps)

    def _learn(self, captions: Sequence[str], steps: int) -> None:
        threads = self.torch.get_num_threads()
        # One thread: a network this small gains nothing from a second, and one thread sums in one order.
        self.torch.set_num_threads(1)
        try:
            self._steps(captions, steps)
        finally:
            self.torch.set_num_threads(threads)

    def _steps(self, captions: Sequence[str], steps: int) -> None:
        parameters = [p for part in (self.embed, self.read, self.say) for p in part.parameters()]
        optimizer = self.torch.optim.Adam(parameters, lr=RATE)
        draw = np.random.default_rng(0)
        for _ in range(steps):
            batch = [captions[i] for i in draw.integers(len(captions), size=BATCH)]
            losses, owner = self._losses(batch)
            optimizer.zero_grad()
            (losses.sum() / len(owner)).backward()
            optimizer.step()

    def _losses(self, texts: Sequence[str]) -> tuple[Any, Any]:
        """Return the negative log probability of each token of each text, its end included, and the index of its text."""
        rows = [[BOUND, *(self.numbers.get(word, UNKNOWN) for word in words(text)), BOUND] for text in texts]
        width = max(map(len, rows))
        tokens = self.torch.tensor([row + [PAD] * (width - len(row)) for row in rows])
        states, _ = self.read(self.embed(tokens[:, :-1]))
        there = tokens[:, 1:] != PAD
        losses = self.torch.nn.functional.cross_entropy(self.say(states[there]), tokens[:, 1:][there], reduction="none")
        return losses, there.nonzero()[:, 0]

    def score(self, texts: Sequence[str]) -> np.ndarray:
        """Return the natural logarithm of each text's probability, its end included; shape (texts,)."""
        if not self.numbers:
            return np.zeros(len(texts))
        # Sorted by length, to save padding.
        order = sorted(range(len(texts)), key=lambda i: (len(words(texts[i])), i))
        scores = np.zeros(len(texts))
        for start in range(0, len(order), AT_ONCE):
            which = order[start : start + AT_ONCE]
            with self.torch.inference_mode():
                losses, owner = self._losses([texts[i] for i in which])
            scores[which] = -np.bincount(owner.numpy(), losses.numpy(), minlength=len(which))
        return scores.round(DIGITS)
