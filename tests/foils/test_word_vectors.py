"""What texts at large know of nouns."""

import numpy as np
import pytest

from stages.foils import word_vectors
from stages.foils.vectors import vectors
from tests.foils.known import people
from tests.foils.test_sense import table


def test_like_things_are_more_alike_than_others():
    near, far = (float(word_vectors.of("fire truck") @ word_vectors.of(other)) for other in ("ambulance", "banana"))
    assert near > 0.4 > 0.25 > far


def test_a_vector_has_length_one_or_says_nothing():
    assert np.linalg.norm(word_vectors.of("wooden picnic table")) == pytest.approx(1, abs=1e-6)
    assert not word_vectors.of("qwertzx").any() and word_vectors.of("qwertzx").shape == (word_vectors.DIMENSIONS,)


def test_nouns_are_as_alike_as_captions_and_texts_say_on_the_average():
    made = vectors(table())
    rows = dict(zip(made.nouns, made.of_nouns, strict=True))
    captions, texts = rows["man"][: -word_vectors.DIMENSIONS], rows["man"][-word_vectors.DIMENSIONS :]
    assert captions @ captions == pytest.approx(0.5, abs=1e-5) == texts @ texts
    assert rows["dog"] @ rows["bear"] > rows["dog"] @ rows["table"]


def test_sense_has_both():
    assert people().vectors.of_nouns.shape[1] > word_vectors.DIMENSIONS
