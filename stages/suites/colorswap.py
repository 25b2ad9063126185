"""ColorSwap (Burapacheep et al., ACL 2024): two pictures whose captions exchange colours, as Parquet with the pictures in it
(``image_1``, ``image_2``, ``caption_1``, ``caption_2``): see :mod:`stages.suites.packed`.
"""

from functools import partial

from stages.suites import packed

sets = partial(packed.pairs, "colorswap", pictures=("image_1", "image_2"), captions=("caption_1", "caption_2"))
"""Two retrieval sets a case."""
