"""What choosing asks for before it begins, and who says how sensible a caption is."""

import numpy as np
import pytest

from stages.blind.ngram import NGramModel
from stages.blind.pretrained import Masked
from stages.contract import tables
from stages.contract.errors import InputError
from stages.foils.balancing import ONE_PIECE
from stages.foils.scoring import Selector, language_model, likeness, same_meaning
from stages.parameters.sections import Foils, Plausibility
from stages.suites import set_likeness
from tests.models.tiny_transformers import masked
from tests.running import section


def test_no_captions_are_an_error(tmp_path):
    tables.write("training_graphs", tmp_path / "a" / "graphs.parquet", [])
    with pytest.raises(InputError, match="no captions"):
        Selector(section(Foils), [tmp_path / "a"], 4, ONE_PIECE)


def test_the_default_is_the_n_gram_model_and_a_masked_one_where_it_is_named(tmp_path):
    captions = ["a red car", "a dog"]
    settings = Plausibility(model="ngram", max_captions=9, batch_tokens=64, device="cpu")
    assert isinstance(language_model(settings, captions), NGramModel)
    model = language_model(settings.model_copy(update={"model": str(masked(tmp_path))}), captions)
    assert isinstance(model, Masked)
    assert model.score(captions).shape == (2,)


def test_the_chooser_sees_the_likeness_that_the_judge_sees():
    """Words, and pairs of words, that a caption says twice are shared twice."""
    texts = ["a red cup is on the table and a plate is on the table", "a red cup is on no table", "a plate on a plate, no cup"]
    one, other = np.array([(i, j) for i in range(3) for j in range(3)]).T
    judged = (set_likeness.same_words, set_likeness.same_pairs, set_likeness.same_order, set_likeness.says_denied)
    meant = np.array([[1, 0], [0.6, 0.8], [0, 0]])
    seen = likeness(texts, True)
    assert seen.reshape(4, -1) == pytest.approx(np.stack([of(texts, one, other) for of in judged]), abs=1e-6)
    assert same_meaning([meant])[0].sum(axis=1) - 1 == pytest.approx(set_likeness.same_meaning(meant, np.array([3])))
