"""Retrieval sets: an image crop, its true caption, and captions that are false of it (paper, section 3.4).

Other suites combine several images and captions. All are cases of N images and M captions with a mask of which belong together
(:class:`Case`); each true pair of a case is one retrieval set. CREPE's, ARO's and SugarCrepe's sets are cases of one image whose
first caption is true, and are used directly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import numpy as np

from stages.images.crops import Crop


def crop_of(row: Mapping[str, Any]) -> Crop:
    """Return the crop of a table's row."""
    return Crop(*(row[name] for name in Crop._fields))


@dataclass(frozen=True, slots=True)
class Split:
    """The split of a query by a training set."""

    name: str
    """SC, UC or UA."""
    rarest: int | None = None
    """How often the training set names the caption's rarest atom; ``None`` where unknown."""


@dataclass(frozen=True, slots=True)
class Query:
    """A crop with the properties shared by its retrieval sets of several types."""

    query_id: str
    crop: Crop
    n: int | None = None
    """Complexity of the truth, for suites that compare by it."""
    compound: str | None = None
    """The kinds of the truth's compounds, or of its relation, for suites that compare by them."""
    splits: Mapping[str, Split] = field(default_factory=dict)
    """By training set."""
    draw: int = 0
    """The number of the random draw of its negatives, where a suite has several."""
    case: Case | None = None
    """The case that the query belongs to, for suites that combine several images, or several true captions."""
    cut_from: int | None = None
    """The image that the picture was cut from, for suites whose pictures are crops."""


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """One query of one type: the truth against its hard negatives."""

    suite: str
    name: str
    query: Query
    truth: str
    negatives: tuple[str, ...]
    edits: tuple[str, ...]
    """What each negative changed: the atom's kind, the swapped kind, what was negated; empty where unknown."""
    source: tuple[str, str] | None = None
    """The file of a published suite, and the key of its entry; ``None`` for sets made by the project."""
    others: tuple[Crop, ...] = ()
    """Crops of which the truth is false, for sets that ask which image a caption belongs to. Their edits follow the negatives'."""
    weight: float | None = None
    """Its weight in a suite with weights, by which no shortcut solves the suite."""
    protocol: str | None = None
    """The rules that chose the negatives (:data:`stages.contract.schemas.PROTOCOLS`); ``None`` for suites without protocols."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the captions to rank: the truth, its negatives, and the truth again for each other crop."""
        return (self.truth, *self.negatives, *(self.truth for _ in self.others))

    @property
    def crops(self) -> tuple[Crop, ...]:
        """Return the crops to rank, in the order of ``texts``."""
        return (*(self.query.crop for _ in (self.truth, *self.negatives)), *self.others)


@dataclass(frozen=True, slots=True)
class Case:
    """N images and M captions, with a mask of which captions are true of which images.

    Winoground's mask is ``((True, False), (False, True))``, SugarCrepe++'s ``((True, True, False),)``, SVO-Probes'
    ``((True,), (False,))``.
    """

    case_id: str
    images: Sequence[Crop]
    captions: Sequence[str]
    mask: Sequence[Sequence[bool]]
    """A row an image, a column a caption."""

    @classmethod
    def paired(cls, case_id: str, images: Sequence[Crop], captions: Sequence[str]) -> Case:
        """Return the case of as many images as captions, each true of one."""
        return cls(case_id, images, captions, [[i == j for j in range(len(captions))] for i in range(len(images))])

    def sets(self, suite: str, name: str, source: tuple[str, str] | None = None, edit: str = "") -> Iterator[RetrievalSet]:
        """Yield a retrieval set for each true pair, image by image: the caption against all that are false of the image.

        For an image without a true caption, the false captions ask about it. A pair without negatives has no set.
        """
        others = tuple(image for image, row in zip(self.images, self.mask, strict=True) if not any(row))
        pairs = [(image, caption) for image, row in enumerate(self.mask) for caption, true in enumerate(row) if true]
        for number, (image, caption) in enumerate(pairs):
            negatives = tuple(text for text, true in zip(self.captions, self.mask[image], strict=True) if not true)
            query = Query(f"{self.case_id}-{number}", self.images[image], case=self)
            edits = (edit,) * (len(negatives) + len(others))
            if edits:
                yield RetrievalSet(suite, name, query, self.captions[caption], negatives, edits, source, others)


@dataclass(frozen=True, slots=True)
class Pair:
    """A crop and its caption, for the RAW sets, where each caption is a negative of every other crop."""

    group: str
    """SC, UC or UA, or a complexity such as n04."""
    name: str
    """An id that determines the folds."""
    crop: Crop
    caption: str


def complexity(n: int) -> str:
    """Return a key whose alphabetical order is the numerical one.

    >>> complexity(4)
    'n04'
    """
    return f"n{n:02d}"


@dataclass(frozen=True)
class Layout:
    """Retrieval sets as arrays: each distinct crop and text once, and indices of those that each set uses."""

    crops: list[Crop]
    texts: list[str]
    crop: np.ndarray
    """Indices of the crops of all ranked pairs, one set after the other, each truth first."""
    text: np.ndarray
    """Indices of their texts."""
    size: np.ndarray
    """Number of pairs of a crop and a text that each set ranks, shape (sets,)."""

    @classmethod
    def of(cls, sets: Sequence[RetrievalSet], pairs: Iterable[Pair] = ()) -> Layout:
        """Return the layout of ``sets``; the crops and captions of ``pairs`` are included."""
        crops: dict[Crop, int] = {}
        texts: dict[str, int] = {}
        own_crops = [crops.setdefault(s.query.crop, len(crops)) for s in sets]
        other = [[crops.setdefault(c, len(crops)) for c in s.others] for s in sets]
        crop = [
            i
            for s, c, others_of_set in zip(sets, own_crops, other, strict=True)
            for i in (*repeat(c, 1 + len(s.negatives)), *others_of_set)
        ]
        text = [texts.setdefault(t, len(texts)) for s in sets for t in s.texts]
        for pair in pairs:
            crops.setdefault(pair.crop, len(crops))
            texts.setdefault(pair.caption, len(texts))
        size = [1 + len(s.negatives) + len(s.others) for s in sets]
        return cls(list(crops), list(texts), *(np.array(a, dtype=np.int64) for a in (crop, text, size)))
