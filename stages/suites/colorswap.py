"""ColorSwap (Burapacheep et al., ACL 2024): two pictures whose captions exchange colours, as Parquet with the pictures in it
(``image_1``, ``image_2``, ``caption_1``, ``caption_2``): see :mod:`stages.suites.packed`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stages.retrieval.sets import RetrievalSet
from stages.suites import packed
from stages.suites.files import Images


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Two retrieval sets a case."""
    yield from packed.pairs("colorswap", folder, images, ("image_1", "image_2"), ("caption_1", "caption_2"))
