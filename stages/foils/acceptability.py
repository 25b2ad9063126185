"""How acceptable people find what a negative says, learned from candidates that readers judged.

Whether captions say a compound, or something like it (:mod:`stages.foils.sense`), tells half of it. Readers judged each of some
9,500 candidates by its sentence alone: people might write it (1), hardly anybody would (0.5), or nobody would of any picture (0).
Trees (:mod:`stages.foils.trees`) learned to say so from a few signs, shares and likenesses, which mean the same for few
training captions and for many. ``python -m tests.benchmarks.acceptability`` makes the trees anew and tells how well they do.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stages.foils import trees, word_vectors
from stages.foils.sense import Sense
from stages.foils.vocabulary import zipf
from stages.graphs.graph import SceneGraph
from stages.semantics import relations, things

TREES = Path(__file__).with_name("acceptability.json.gz")
MEANING, OF_OTHER = 20, 10
"""So many of the first components of what texts know of the foil, and of the thing that it stands beside."""
SIGNS = (
    *("fit", "relations", "prior_of_attribute", "prior_of_relation", "smaller", "larger", "at_home", "scenes", "zipf"),
    *("size", "size_of_other", "subject"),
    *(f"meaning_{i}" for i in range(1, MEANING + 1)),
    *(f"meaning_of_other_{i}" for i in range(1, OF_OTHER + 1)),
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

    What the tables of words rule out is 0, and what has no compound 1; where no captions are known, all is as it fits. What may be
    to the left of a thing may be to its right, whichever of the two captions happen to say of such things.
    """
    judged, mirrors = _judged(claims, sense), [_mirrored(*each) for each in claims]
    if turned := [i for i, mirror in enumerate(mirrors) if mirror != claims[i]]:
        judged[turned] = np.maximum(judged[turned], _judged([mirrors[i] for i in turned], sense))
    return judged


def _mirrored(claim: SceneGraph, edit: Edit | None) -> tuple[SceneGraph, Edit | None]:
    """What the mirror image of a picture of it shows."""
    sides = tuple((s, relations.mirrored(relation), o) for s, relation, o in claim.relations)
    foil = edit._replace(foil=relations.mirrored(edit.foil)) if edit and edit.kind == "relation" else edit
    return replace(claim, relations=sides), foil


def _judged(claims: Sequence[tuple[SceneGraph, Edit | None]], sense: Sense) -> np.ndarray:
    fits = np.array([sense.fit(claim) for claim, _ in claims])
    asked = [i for i, (claim, _) in enumerate(claims) if fits[i] > 0 and (claim.attributes or claim.relations)]
    if asked and sense.vectors.nouns:
        fits[asked] = trees.load(TREES).predict([signs(*claims[i], sense) for i in asked])
    return fits


def signs(claim: SceneGraph, edit: Edit | None, sense: Sense) -> list[float]:
    """The :data:`SIGNS`: the least of all that is claimed, but of ``larger`` the greatest, and of ``relations`` how many; then what
    the foil is, and the two things that the edit is about: a thing that is new and the first of the others, or what is related."""
    pairs = [(claim.objects[s], claim.objects[o]) for s, _, o in claim.relations]
    steps = [_larger(*pair) for pair in pairs]
    one, other = _about(claim, edit, pairs)
    made = [
        sense.fit(claim),
        float(len(pairs)),
        _least([sense.prior("attribute", word) for _, word in claim.attributes]),
        _least([sense.prior("relation", word) for _, word, _ in claim.relations]),
        *(min(steps, default=NONE), max(steps, default=NONE)),
        *(_of_foil(edit, frozenset(claim.objects), sense) if edit else [NONE] * 3),
        *(things.size_sign(one), things.size_sign(other), float(bool(pairs) and pairs[0][0] == one)),
        *map(float, word_vectors.of(edit.foil if edit else "")[:MEANING]),
        *map(float, word_vectors.of(other)[:OF_OTHER]),
    ]
    return [round(sign, trees.DIGITS) for sign in made]


def _about(claim: SceneGraph, edit: Edit | None, pairs: Sequence[tuple[str, str]]) -> tuple[str, str]:
    if edit and edit.kind == "object":
        return edit.foil, next((name for name in claim.objects if name != edit.foil), "")
    if pairs:
        return pairs[0]
    return claim.objects[claim.attributes[0][0]], ""


def _least(priors: Sequence[float]) -> float:
    return log(max(min(priors), LEAST)) if priors else NONE


def _of_foil(edit: Edit, own: frozenset[str], sense: Sense) -> list[float]:
    """How much at home a thing is among the others, by captions and by the table of things, and how common the word is."""
    if edit.kind != "object":
        return [NONE, NONE, zipf(edit.foil)]
    beside = (edit.others | own) - {edit.foil}
    return [sense.scenes.fit(edit.foil, edit.others), things.at_home(edit.foil, beside), zipf(edit.foil)]


def _larger(one: str, other: str) -> float:
    """By how many sizes of the table of things the one is larger."""
    first, second = things.size(one), things.size(other)
    return 0.0 if first is None or second is None else float(first - second)
