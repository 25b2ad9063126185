"""BiVLC (Miranda et al., NeurIPS 2024): SugarCrepe's captions with a picture made for each negative one, as Parquet with the
pictures in it (``image``, ``caption``, ``negative_image``, ``negative_caption``, ``type``, ``subtype``): see
:mod:`stages.suites.packed`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stages.retrieval.sets import RetrievalSet
from stages.suites import packed
from stages.suites.files import Images


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Two retrieval sets a case, in sets named by type and subtype."""
    pictures, captions = ("image", "negative_image"), ("caption", "negative_caption")
    yield from packed.pairs("bivlc", folder, images, pictures, captions, ("type", "subtype"))
