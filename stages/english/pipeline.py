"""The English pipeline: tags and dependency trees in the label scheme of ``en_core_web_*``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stages.contract.errors import CrepeError, MissingPackage
from stages.contract.patches import without
from stages.english.speed import patch_for_speed

if TYPE_CHECKING:
    from spacy.language import Language

BUNDLED = Path(__file__).parent / "model"

# What the rules read. A pipeline without one of these would not fail: it would silently find fewer relations.
TAGS = {"NN", "NNS", "NNP", "JJ", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "IN", "DT", "CD", "PRP", "PRP$", "WDT", "WP", "EX", "RB"}
LABELS = {
    "ROOT", "acl", "acomp", "advcl", "advmod", "agent", "amod", "attr", "aux", "auxpass", "cc", "compound", "conj", "det",
    "dobj", "expl", "neg", "nsubj", "nsubjpass", "nummod", "pcomp", "pobj", "poss", "prep", "prt", "relcl", "xcomp",
}  # fmt: skip
UNREAD = ["attribute_ruler", "lemmatizer", "ner", "senter"]
"""What other pipelines have besides: lemmas come from the normal form."""


def load(name: str = "bundled") -> Language:
    """A spaCy pipeline for English.

    Args:
        name: ``bundled``, the pipeline that this project trained and ships; ``auto``, the largest installed ``en_core_web_*`` or
            else the bundled one; or the name or path of any pipeline with the labels of ``en_core_web_*``.

    Raises:
        MissingPackage: no pipeline of this name is installed.
        CrepeError: the pipeline lacks tags or dependency labels that the parser's rules read.
    """
    # spaCy would import PyTorch, which costs every worker two seconds and 300 MB; the bundled pipeline does not use it.
    with without(*["torch"] * (name == "bundled")):
        import spacy

    path = chosen(name)
    try:
        nlp = spacy.load(path, exclude=UNREAD)
    except OSError:
        raise MissingPackage(str(path), f"params.yaml, language.pipeline: {name}") from None
    _check(nlp, name)
    keep_hyphens(nlp)
    patch_for_speed(nlp)
    return nlp


def keep_hyphens(nlp: Language) -> None:
    """Let "t-shirt" and "black-and-white" be one word each: an atom is never a part of a word."""
    from spacy.util import compile_infix_regex

    rules = [rule for rule in nlp.Defaults.infixes or () if isinstance(rule, str) and "(?:-|–|—|--|---|——|~)" not in rule]
    tokenizer: Any = nlp.tokenizer
    tokenizer.infix_finditer = compile_infix_regex(rules).finditer


def chosen(name: str) -> str | Path:
    """The pipeline that ``name`` means, as ``spacy.load`` takes it."""
    if name == "auto":
        from spacy.util import get_installed_models

        installed = get_installed_models()
        names = [f"en_core_web_{size}" for size in ("trf", "lg", "md", "sm") if f"en_core_web_{size}" in installed]
        return names[0] if names else BUNDLED
    return BUNDLED if name == "bundled" else name


def identity(name: str) -> list[str]:
    """The pipeline that ``name`` means now, and its version: kept work hangs on them, for `auto` may come to mean another."""
    pipeline = chosen(name)
    if pipeline == BUNDLED:
        return ["bundled"]  # its files are code of this room
    try:
        meta = Path(pipeline, "meta.json")
        return [str(pipeline), json.loads(meta.read_bytes())["version"] if meta.is_file() else version(str(pipeline))]
    except (PackageNotFoundError, ValueError, KeyError, TypeError):
        return [str(pipeline)]  # whoever loads it says what is wrong


def _check(nlp: Language, name: str) -> None:
    for component, needed in (("tagger", TAGS), ("parser", LABELS)):
        missing = sorted(needed - set(_labels(nlp, component)))
        if missing:
            raise CrepeError(
                f"params.yaml, language.pipeline: {name} has no {component} labels {', '.join(missing)}, which the rules read. "
                "Remedy: use 'bundled', or a pipeline with the labels of en_core_web_sm."
            )


def _labels(nlp: Language, component: str) -> Iterable[str]:
    pipe: Any = nlp.get_pipe(component) if nlp.has_pipe(component) else None
    return pipe.labels if pipe else ()
