"""Lemmas and forms of English words, by lemminflect."""

from stages.contract.patches import without

# lemminflect would import spaCy, and with it PyTorch, to add methods to its tokens.
with without("spacy"):
    from lemminflect import getInflection, getLemma

__all__ = ["getInflection", "getLemma"]
