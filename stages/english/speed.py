"""What is changed in a pipeline so that it parses faster, without a change in what it finds.

``python -m tests.benchmarks.patches`` prints what it buys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from thinc.api import Model

# Odd numbers far apart, by which the numbers of a word's attributes become one number.
MIXED = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5], np.uint64)
HASH_EMBEDDING = ["extract_features", "list2ragged", "with_array", "with_array", "ragged2list"]


def patch_for_speed(nlp: Language) -> None:
    """Make ``nlp`` faster; from then on it can find, and not be trained or saved."""
    # Here, and not above: it takes a second, and a stage may only want what else is in this room.
    from thinc.api import Model

    for name in nlp.pipe_names:
        model = getattr(nlp.get_pipe(name), "model", None)
        if isinstance(model, Model):
            for node in [node for node in model.walk() if _is_hash_embedding(node)]:
                model.replace_node(node, Model("each_word_once", _embed, layers=[node]))


def _is_hash_embedding(model: Model) -> bool:
    """Whether it is spaCy's ``MultiHashEmbed`` without vectors, whose rows hang on nothing but four attributes of a word."""
    names = [layer.name.partition("(")[0] for layer in model.layers]
    return names == HASH_EMBEDDING and len(model.layers[0].attrs["columns"]) == len(MIXED)


def _embed(model: Model, docs: list[Doc], is_train: bool) -> tuple[list[Any], None]:
    """Each doc's embedding, of shape (words, width); that of a word which comes several times in ``docs`` is reckoned once."""
    from thinc.types import Ragged

    extract, _, *layers, _ = model.layers[0].layers
    attributes = extract.predict(docs)
    words: Any = np.concatenate(attributes)
    _, first, place = np.unique((words * MIXED).sum(axis=1), return_index=True, return_inverse=True)
    lengths: Any = np.array([len(first)], np.int32)
    rows = Ragged(words[first], lengths)
    for layer in layers:
        rows = layer.predict(rows)
    ends = np.cumsum([len(own) for own in attributes])
    return np.split(np.asarray(rows.dataXd)[place], ends[:-1]), None
