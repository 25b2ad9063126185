"""BiVLC (Miranda et al., NeurIPS 2024): SugarCrepe's captions with a picture made for each negative one, as Parquet with the
pictures in it (``image``, ``caption``, ``negative_image``, ``negative_caption``, ``type``, ``subtype``): see
:mod:`stages.suites.packed`.
"""

from functools import partial

from stages.suites import packed

sets = partial(
    packed.pairs,
    "bivlc",
    pictures=("image", "negative_image"),
    captions=("caption", "negative_caption"),
    kind=("type", "subtype"),
)
"""Two retrieval sets a case, with set names by type and subtype."""
