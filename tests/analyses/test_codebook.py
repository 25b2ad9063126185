"""Tables of a hand-made codebook."""

import numpy as np

from stages.analyses.codebook import figures
from stages.images.crops import Crop

CROPS = [Crop(1, 0, 0, 80, 80), Crop(2, 0, 0, 90, 90)]


def test_figures_of_a_hand_made_codebook():
    """The most used code comes first, with its word and what it agrees with; a code without weight is not shown."""
    weights = np.array([[0.25, 0.75, 0], [0.25, 0.75, 0]], dtype=np.float32)
    labels = [{"kind": frozenset({"cup"})}, {"kind": frozenset({"cup"}), "colour": frozenset({"red"})}]
    found = figures(weights, np.array([[0, 1.0, 0], [0, 0, 1.0]]), ["cup", "dog"], CROPS, labels)
    assert (found["codes"], found["crops"]) == (3, 2)
    assert found["used"] == {"by_crops": 2, "by_words": 2, "by_both": 1, "each": 2.0}
    assert set(found["purity"]) == {"kind", "colour"} and found["purity"]["kind"]["all"]["mean"] == 1
    first, second = found["top"]
    assert (first["code"], first["words"], first["share"]) == (1, ["cup"], 75.0)
    assert first["agrees"] == {"kind": ["cup", 1.0], "colour": ["red", 1.0]} and first["crops"] == [list(crop) for crop in CROPS]
    assert (second["code"], second["words"]) == (0, [])
