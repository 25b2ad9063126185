"""The two packages that know the forms of English words, without what they would bring along."""

from __future__ import annotations

from unittest.mock import patch

from stages.contract.imports import without

# lemminflect would import spaCy, and with it PyTorch, to add methods to its tokens: four seconds.
with without("spacy"):
    from lemminflect import getInflection, getLemma

# typeguard would rewrite inflect's functions so that they check their arguments: three seconds.
with patch("typeguard.typechecked", lambda function: function):
    import inflect

__all__ = ["getInflection", "getLemma", "inflect"]
