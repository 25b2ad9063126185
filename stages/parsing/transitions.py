"""spaCy's arc-eager parser for hundreds of captions at a time: one step of all of them is a few array operations.

A caption's state is a stack, a buffer and the arcs made so far. In each step a small network scores the transitions by eight words
(of the stack, the buffer, and their dependents), and the best valid one is taken, by the rules of spaCy's ``arc_eager.pyx``.
Words are numbered from 1 over all captions of a batch; 0 is no word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]

MOVES = "SDLRB"
"""Shift, reduce, left arc, right arc, and break, after which a sentence begins."""
SHIFT, REDUCE, LEFT, RIGHT, BREAK = range(5)
FEATURES = 8
BELOW = 3
"""Zeros under each stack, so that features can read this many words from its top."""


class Transitions:
    """The transition system and the weights of a pipeline's parser."""

    def __init__(self, parser: Any):
        names = list(parser.move_names)
        self.move = np.array([MOVES.index(name[0]) for name in names])
        self.label = np.array([name[2:] for name in names], dtype=object)
        tokens, lower, upper = parser.model.layers
        linear = tokens.layers[-1]
        weight, bias = lower.get_param("W"), lower.get_param("b")  # features, outputs, pieces, inputs
        features, outputs, pieces, inputs = weight.shape
        blocks = weight.transpose(3, 0, 2, 1).reshape(inputs, features * pieces * outputs)
        self.outputs, self.row = outputs, pieces * outputs
        self.reduce, self.reduce_bias = linear.get_param("W").T.copy(), linear.get_param("b")
        self.weight, self.bias = np.ascontiguousarray(blocks), bias.T.ravel().copy()
        self.nothing = lower.get_param("pad")[0].transpose(0, 2, 1).reshape(features * self.row)
        self.score, self.score_bias = upper.get_param("W").T.copy(), upper.get_param("b")
        # What to add to the scores of each of the 32 sets of valid moves.
        valid = (np.arange(32)[:, None] >> self.move) & 1
        self.penalty = np.where(valid, 0, -np.inf).astype(np.float32)

    @staticmethod
    def known(parser: Any) -> bool:
        """Return whether this module can compute ``parser``."""
        layers = parser.model.layers
        if len(layers) != 3 or not parser.model.attrs.get("has_upper") or parser.cfg.get("beam_width", 1) != 1:
            return False
        plain = all(name[0] in MOVES and not name.endswith("-subtok") for name in parser.move_names)
        weight = layers[1].get_param("W")
        return plain and weight.shape[0] == FEATURES and weight.shape[2] > 1 and not parser.model.attrs["unseen_classes"]

    def parse(self, vectors: Floats, lengths: Numbers, begins: Sequence[Sequence[bool] | None]) -> tuple[Numbers, list[str]]:
        """Return the head of each word, as its index among all words of the batch, and its label.

        Args:
            vectors: of shape (words, width), all captions' one after the other.
            lengths: the captions' lengths in words; none is 0.
            begins: for a caption whether each of its words begins a sentence, if known.
        """
        table = np.empty((len(vectors) + 1, FEATURES * self.row), np.float32)
        table[0] = self.nothing
        np.matmul(vectors @ self.reduce + self.reduce_bias, self.weight, out=table[1:])
        states = _States(lengths, begins)
        table = table.reshape(-1, self.row)
        while len(states.active):
            words = states.features()
            sums = table[words * FEATURES + np.arange(FEATURES)].sum(axis=1)
            sums += self.bias
            hidden = sums.reshape(len(sums), -1, self.outputs).max(axis=1)
            scores = hidden @ self.score
            scores += self.score_bias
            scores += self.penalty[states.valid()]
            best = scores.argmax(axis=1)
            states.take(self.move[best], best)
        label = self.label[states.label[1:]]
        label[states.head[1:] == 0] = "ROOT"
        numbers = np.arange(len(vectors))
        return np.where(states.head[1:] > 0, states.head[1:] - 1, numbers), label.tolist()


class _States:
    """The states of a batch, of which the unfinished ones are ``active``."""

    def __init__(self, lengths: Numbers, begins: Sequence[Sequence[bool] | None]):
        n, words = len(lengths), int(lengths.sum()) + 1
        width = int(lengths.max()) + BELOW + 2
        self.active = np.arange(n)
        self.next = np.cumsum(lengths) - lengths + 1  # the first word of the buffer that was never on the stack
        self.end = self.next + lengths
        self.stack, self.depth = np.zeros((n, width), np.int64), np.zeros(n, np.int64)
        self.back, self.backs = np.zeros((n, width), np.int64), np.zeros(n, np.int64)  # words put back onto the buffer
        self.head, self.label, self.left, self.right, self.before = (np.zeros(words, np.int64) for _ in range(5))
        self.unshiftable, self.begins, self.never = (np.zeros(words, bool) for _ in range(3))
        for first, known in zip(self.next.tolist(), begins, strict=True):
            if known is not None:
                self.begins[first : first + len(known)] = known
                self.never[first : first + len(known)] = np.logical_not(known)

    def features(self) -> Numbers:
        """Return the words that the scores depend on, shape (states, 8), and cache values for :meth:`valid` and :meth:`take`."""
        a = self.active
        depth, backs, first = self.depth[a], self.backs[a], self.next[a]
        left = self.end[a] - first
        self.rest = left + backs
        top = depth + BELOW - 1
        s0, s1, s2 = (self.stack[a, top - i] for i in range(3))
        back, further = self.back[a, backs + BELOW - 1], self.back[a, backs + BELOW - 2]
        b0 = np.where(backs > 0, back, np.where(left > 0, first, 0))
        b1 = np.where(backs > 1, further, np.where(left > (backs == 0), first + (backs == 0), 0))
        self.s0, self.b0, self.b1 = s0, b0, b1
        return np.stack([b0, b1, s0, s1, s2, self.left[b0], self.left[s0], self.right[s0]], axis=1)

    def valid(self) -> Numbers:
        """Return the valid moves of each state, a bit for each."""
        depth, rest, b0, b1 = self.depth[self.active], self.rest, self.b0, self.b1
        some, fixed = depth > 0, self.begins[b0]
        arc = some & (rest > 0) & ~fixed
        shift = ~some | ((rest > 1) & ~fixed & ~self.unshiftable[b0])
        pops = some & ((rest == 0) | (depth != 1) | ~self.never[b0])
        breaks = (rest > 1) & (b1 == b0 + 1) & ~self.begins[b1] & ~self.never[b1]
        return shift | (pops << REDUCE) | (arc * ((1 << LEFT) | (1 << RIGHT))) | (breaks << BREAK)

    def take(self, move: Numbers, label: Numbers) -> None:
        """Take a move in each state, with its label, and deactivate finished states."""
        a, s0, b0 = self.active, self.s0, self.b0
        i = np.flatnonzero(move == LEFT)
        child, head = s0[i], b0[i]
        old = self.head[child]
        self.right[old] = np.where(old > 0, self.before[child], 0)  # only the last arc to the right can be replaced
        self.head[child], self.label[child], self.left[head] = head, label[i], child
        self.unshiftable[head] = False
        i = np.flatnonzero(move == RIGHT)
        child, head = b0[i], s0[i]
        self.before[child], self.right[head] = self.right[head], child
        self.head[child], self.label[child] = head, label[i]
        i = np.flatnonzero(move == BREAK)
        self.begins[self.b1[i]] = True
        pops = move == REDUCE
        backs = pops & (self.head[s0] == 0) & (self.depth[a] > 1)
        self.depth[a[pops | (move == LEFT)]] -= 1
        put, words = a[backs], s0[backs]
        self.unshiftable[words] = True
        self.back[put, self.backs[put] + BELOW] = words
        self.backs[put] += 1
        pushes = (move == SHIFT) | (move == RIGHT)
        push = a[pushes]
        again = self.backs[push] > 0
        self.backs[push[again]] -= 1
        self.next[push[~again]] += 1
        self.stack[push, self.depth[push] + BELOW] = b0[pushes]
        self.depth[push] += 1
        self.active = a[(self.depth[a] > 0) | (self.end[a] > self.next[a]) | (self.backs[a] > 0)]
