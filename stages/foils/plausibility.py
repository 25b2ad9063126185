"""How sensible a caption is: by a masked language model (section 4.1 of the paper uses BERT), or by an n-gram model.

The n-gram model is estimated from half of the training captions, so that the other half can judge what it chose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from stages.blind.ngram import NGramModel
from stages.blind.pretrained import Masked
from stages.parameters import sections


class Plausibility(Protocol):
    """Anything that says how sensible sentences are; higher is more sensible. Shape: (sentences,)."""

    def score(self, sentences: Sequence[str], /) -> np.ndarray: ...


def load(settings: sections.Plausibility, captions: Sequence[str]) -> Plausibility:
    """What ``settings`` (``foils.plausibility``) ask for: ``model`` names a masked model, or is ``ngram``, one of ``captions``."""
    if settings.model == "ngram":
        return NGramModel.estimate(captions, len(captions))
    return Masked(settings.model, settings.device, settings.batch_tokens)
