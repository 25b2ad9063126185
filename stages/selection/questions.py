"""The input and output of a selection."""

from collections.abc import Sequence
from typing import NamedTuple


class Truth(NamedTuple):
    """A true caption with its valid candidates.

    Attributes:
        negatives: captions of the candidates.
        slots: which atom each candidate replaces, as any numbers; a cleared set takes its negatives from one slot.
        kinds: the kind of atom that each candidate's slot replaces, from 0 to 2; 0 where it does not matter.
        far: whether a candidate's foil is beyond the grand-hypernym; such ones are taken only where others are too few.
        named: the fraction of each kind among the atoms of the truth.
    """

    caption: str
    negatives: Sequence[str]
    slots: Sequence[int]
    kinds: Sequence[int]
    far: Sequence[bool]
    named: tuple[float, ...] = (1.0,)


class Question(NamedTuple):
    """A query with its alternative truths; a selection takes at most one."""

    query_id: str
    image_id: int
    truths: Sequence[Truth]


class Picked(NamedTuple):
    """The index of the chosen truth in its question, and the indices of the negatives in that truth."""

    truth: int
    places: tuple[int, ...]
