"""Retrieval sets: an image crop, its true caption, and captions that are false of it (paper, section 3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from stages.visual_genome.crops import Crop


@dataclass(frozen=True, slots=True)
class Split:
    """Where a query stands with respect to a training set."""

    name: str
    """SC, UC or UA."""
    rarest: int | None = None
    """How often the training set names the caption's rarest atom; ``None`` where that is not known."""


@dataclass(frozen=True, slots=True)
class Query:
    """What a crop asks for; shared by its retrieval sets of several types."""

    query_id: str
    crop: Crop
    n: int | None = None
    """Complexity of the truth, for suites that go by it."""
    compound: str | None = None
    """The kind of the truth's only compound, for suites of one-compound captions."""
    splits: Mapping[str, Split] = field(default_factory=dict)
    """By training set."""
    case: str | None = None
    """The case that the query is a part of, for suites that ask several images, or several true captions, together: see
    :mod:`stages.retrieval.cases`.
    """


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """One query of one type: the truth against its hard negatives."""

    suite: str
    name: str
    query: Query
    truth: str
    negatives: tuple[str, ...]
    edits: tuple[str, ...]
    """What each negative changed: the atom's kind, the swapped kind, what was negated; empty where it is not known."""
    source: tuple[str, str] | None = None
    """The file of a published suite, and the key of the entry in it, that the set is; ``None`` for sets put together here."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The truth, and then its negatives."""
        return (self.truth, *self.negatives)


@dataclass(frozen=True, slots=True)
class Pair:
    """A crop and its caption, for the RAW sets, where each caption is a negative of every other crop."""

    group: str
    """SC, UC or UA, or a complexity such as n04."""
    name: str
    """An id, so that folds can be drawn the same way every time."""
    crop: Crop
    caption: str


def complexity(n: int) -> str:
    """A key that sorts as the number does.

    >>> complexity(4)
    'n04'
    """
    return f"n{n:02d}"


@dataclass(frozen=True)
class Layout:
    """Retrieval sets as numbers: each distinct crop and text once, and where each set uses them."""

    crops: list[Crop]
    texts: list[str]
    crop: np.ndarray
    """Index of each set's crop, of shape (sets,)."""
    text: np.ndarray
    """Indices of all sets' texts, one set after the other, each truth first."""
    size: np.ndarray
    """How many texts each set has, of shape (sets,)."""

    @classmethod
    def of(cls, sets: Sequence[RetrievalSet], pairs: Iterable[Pair] = ()) -> Layout:
        """Lay out ``sets``; the crops and captions of ``pairs`` are among the crops and texts too."""
        crops: dict[Crop, int] = {}
        texts: dict[str, int] = {}
        crop = [crops.setdefault(s.query.crop, len(crops)) for s in sets]
        text = [texts.setdefault(t, len(texts)) for s in sets for t in s.texts]
        for pair in pairs:
            crops.setdefault(pair.crop, len(crops))
            texts.setdefault(pair.caption, len(texts))
        size = [1 + len(s.negatives) for s in sets]
        return cls(list(crops), list(texts), *(np.array(a, dtype=np.int64) for a in (crop, text, size)))
