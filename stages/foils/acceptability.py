"""How acceptable people find what a negative says, learned from candidates that readers judged.

Whether captions say a compound, or something like it (:mod:`stages.foils.sense`), tells half of it. Readers judged each of some
7,700 candidates by its sentence alone: people might write it (1), hardly anybody would (0.5), or nobody would of any picture (0).
Trees (:mod:`stages.foils.trees`) learned to say so from a few signs, shares and likenesses, which mean the same for few
training captions and for many. ``python -m tests.benchmarks.acceptability`` makes the trees anew and tells how well they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stages.foils import trees
from stages.foils.sense import Sense, Weighed, compounds
from stages.foils.vocabulary import zipf
from stages.graphs.graph import SceneGraph
from stages.semantics import things

TREES = Path(__file__).with_name("acceptability.json.gz")
SIGNS = (
    *("fit", "relations", "prior_of_attribute", "association_of_attribute", "prior_of_relation", "direction"),
    *("attested", "of_subject", "of_object", "smaller", "larger", "at_home", "zipf"),
)
"""What :func:`signs` gives, in this order."""
NONE = 9.0
"""The sign of what is not there, above all that is; a logarithm is no less than that of :data:`LEAST`."""
LEAST = 1e-6


class Edit(NamedTuple):
    """An atom of a ``kind`` gave way to ``foil`` in a caption that names ``others``."""

    kind: str
    foil: str
    others: frozenset[str]


def acceptable(claims: Sequence[tuple[SceneGraph, Edit | None]], sense: Sense) -> np.ndarray:
    """From 0 to 1, how acceptable it is what a caption says after an edit, or where atoms have changed places; shape (claims,).

    What the tables of words rule out is 0, and what has no compound 1; where no captions are known, all is as it fits.
    """
    fits = np.array([sense.fit(claim) for claim, _ in claims])
    asked = [i for i, (claim, _) in enumerate(claims) if fits[i] > 0 and (claim.attributes or claim.relations)]
    if asked and sense.vectors.nouns:
        fits[asked] = trees.load(TREES).predict([signs(*claims[i], sense) for i in asked])
    return fits


def signs(claim: SceneGraph, edit: Edit | None, sense: Sense) -> list[float]:
    """The :data:`SIGNS`: the least of all that is claimed, but of ``larger`` the greatest, and of ``relations`` how many; then what
    the foil is."""
    said = [(kind, word, nouns, sense.weighed(kind, word, nouns)) for kind, word, nouns in compounds(claim)]
    attributes = [(weighed.prior, weighed.association) for kind, _, _, weighed in said if kind == "attribute"]
    relations = [_of_relation(word, nouns, weighed, sense) for kind, word, nouns, weighed in said if kind == "relation"]
    steps = [_larger(*nouns) for kind, _, nouns, _ in said if kind == "relation"]
    made = [
        min(weighed.fit for *_, weighed in said),
        float(len(relations)),
        *_least(attributes, 2),
        *_least(relations, 5),
        *(min(steps, default=NONE), max(steps, default=NONE)),
        *(_of_foil(edit, sense) if edit else [NONE] * 2),
    ]
    return [round(sign, trees.DIGITS) for sign in made]


def _of_relation(relation: str, nouns: tuple[str, ...], weighed: Weighed, sense: Sense) -> tuple[float, ...]:
    shares = (sense.share_in_place(relation, noun, place) for place, noun in enumerate(nouns))
    return weighed.prior, weighed.direction, sense.attested(relation, nouns), *shares


def _least(several: Sequence[tuple[float, ...]], n: int) -> list[float]:
    """The logarithms of the least of each of their ``n`` parts."""
    return [log(max(min(part), LEAST)) for part in zip(*several, strict=True)] or [NONE] * n


def _of_foil(edit: Edit, sense: Sense) -> list[float]:
    return [sense.scenes.fit(edit.foil, edit.others) if edit.kind == "object" else NONE, zipf(edit.foil)]


def _larger(one: str, other: str) -> float:
    """By how many sizes of the table of things the one is larger."""
    first, second = things.size(one), things.size(other)
    return 0.0 if first is None or second is None else float(first - second)
