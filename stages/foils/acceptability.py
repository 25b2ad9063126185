"""How acceptable people find what a negative says, learned from candidates that readers judged.

Whether captions say a compound, or something like it (:mod:`stages.foils.sense`), tells half of it. Readers judged each of some
5,400 candidates by its sentence alone: people might write it (1), hardly anybody would (0.5), or nobody would of any picture (0).
Boosted regression trees (Friedman, 2001) learned to say so from a few signs. These count nothing, so that they are the same for few
training captions and for many. ``python -m tests.benchmarks.acceptability`` makes the trees anew and tells how well they do.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Sequence
from functools import cache
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stages.foils import nearness
from stages.foils.sense import Sense, Weighed, compounds
from stages.foils.vocabulary import zipf
from stages.graphs.graph import SceneGraph
from stages.semantics import things

TREES = Path(__file__).with_name("acceptability.json.gz")
SIGNS = (
    *("fit", "relations", "prior_of_attribute", "association_of_attribute", "prior_of_relation", "kindred", "direction"),
    *("attested", "of_subject", "of_object", "smaller", "larger", "nearness", "larger_than_atom", "at_home", "zipf"),
)
"""What :func:`signs` gives, in this order."""
NONE = 9.0
"""The sign of what is not there, above all that is; a logarithm is no less than that of :data:`LEAST`."""
LEAST = 1e-6


class Edit(NamedTuple):
    """An ``atom`` of a ``kind`` gave way to ``foil`` in a caption that names ``others``."""

    kind: str
    atom: str
    foil: str
    others: frozenset[str]


class Trees:
    """Regression trees, their nodes in one list; a leaf leads to itself.

    Args:
        rows: each node's sign, threshold, and the nodes below it at most and above the threshold; and its value, 0 but of leaves.
        roots: the first node of each tree.
        base: what the leaves' values are added to.
        depth: how many steps lead to the deepest leaf.
    """

    def __init__(self, rows: Sequence[Sequence[float]], roots: Sequence[int], base: float, depth: int):
        sign, threshold, left, right, value = zip(*rows, strict=True)
        self._sign, self._threshold, self._value = np.array(sign), np.array(threshold), np.array(value)
        self._below, self._roots, self._base, self._depth = np.array([left, right]), np.array(roots), base, depth

    def predict(self, signs: np.ndarray) -> np.ndarray:
        """Shape (rows, signs) to shape (rows,), each from 0 to 1."""
        nodes, signs = np.tile(self._roots, (len(signs), 1)), signs.astype(np.float32)  # as they were learned from
        rows = np.arange(len(signs))[:, None]
        for _ in range(self._depth):
            nodes = self._below[(signs[rows, self._sign[nodes]] > self._threshold[nodes]).astype(int), nodes]
        # Rounded, so that another machine's last digit changes nothing.
        return np.clip(self._base + self._value[nodes].sum(axis=1), 0, 1).round(4)


@cache
def trees() -> Trees:
    """Those that come with the project."""
    return Trees(**json.loads(gzip.decompress(TREES.read_bytes())))


def acceptable(claims: Sequence[tuple[SceneGraph, Edit | None]], sense: Sense) -> np.ndarray:
    """From 0 to 1, how acceptable it is what a caption says after an edit, or where atoms have changed places; shape (claims,).

    What the tables of words rule out is 0, and what has no compound 1; where the limits of ``sense`` are 0, all is as it fits.
    """
    fits = np.array([sense.fit(claim) for claim, _ in claims])
    asked = [i for i, (claim, _) in enumerate(claims) if fits[i] > 0 and (claim.attributes or claim.relations)]
    if asked and max(sense.acceptable, sense.acceptable_swap) > 0:
        fits[asked] = trees().predict(np.array([signs(*claims[i], sense) for i in asked]))
    return fits


def signs(claim: SceneGraph, edit: Edit | None, sense: Sense) -> list[float]:
    """The :data:`SIGNS`: the least of all that is claimed, but of ``larger`` the greatest, and of ``relations`` how many; then what
    the foil is."""
    said = [(kind, nouns, sense.weighed(kind, word, nouns)) for kind, word, nouns in compounds(claim)]
    attributes = [weighed for kind, _, weighed in said if kind == "attribute"]
    relations = [weighed for kind, _, weighed in said if kind == "relation"]
    steps = [_larger(*nouns) for kind, nouns, _ in said if kind == "relation"]
    made = [
        min(weighed.fit for _, _, weighed in said),
        float(len(relations)),
        *(_least(attributes, name) for name in ("prior", "association")),
        *(_least(relations, name) for name in ("prior", "kindred", "direction", "attested", "of_subject", "of_object")),
        *(min(steps, default=NONE), max(steps, default=NONE)),
        *(_of_foil(edit, sense) if edit else [NONE] * 4),
    ]
    return [round(sign, 3) for sign in made]


def _least(several: Iterable[Weighed], name: str) -> float:
    """The logarithm of the least of one of their parts."""
    return min((log(max(getattr(weighed, name), LEAST)) for weighed in several), default=NONE)


def _of_foil(edit: Edit, sense: Sense) -> list[float]:
    kind, atom, foil, others = edit
    of_noun = [NONE] * 2
    if kind == "object":
        of_noun = [_larger(foil, atom), sense.scenes.fit(foil, others)]
    return [float(nearness.NEARNESS.index(nearness.of(kind, atom, foil))), *of_noun, zipf(foil)]


def _larger(one: str, other: str) -> float:
    """By how many sizes of the table of things the one is larger."""
    sizes = [thing.size if (thing := things.of(name)) else None for name in (one, other)]
    return 0.0 if None in sizes else float(sizes[0] - sizes[1])  # type: ignore[operator]
