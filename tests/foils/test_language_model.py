"""Who says how sensible a caption is: an n-gram model, or a masked one where it is named."""

from stages.blind.ngram import NGramModel
from stages.blind.pretrained import Masked
from stages.foils.scoring import language_model
from stages.parameters.sections import Plausibility
from tests.models.tiny_transformers import masked


def test_the_default_is_the_n_gram_model(tmp_path):
    captions = ["a red car", "a dog"]
    assert isinstance(
        language_model(Plausibility(model="ngram", max_captions=9, batch_tokens=64, device="cpu"), captions), NGramModel
    )
    model = language_model(Plausibility(model=str(masked(tmp_path)), max_captions=9, batch_tokens=64, device="cpu"), captions)
    assert isinstance(model, Masked)
    assert model.score(captions).shape == (2,)
