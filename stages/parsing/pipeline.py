"""The English pipeline: tags and dependency trees in the label scheme of ``en_core_web_*``."""

from __future__ import annotations

from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stages.contract.errors import CrepeError, ParameterError
from stages.contract.files import digest_of_file
from stages.contract.patches import without

if TYPE_CHECKING:
    from spacy.language import Language

BUNDLED = Path(__file__).parent / "model"

# The components that the rules need. Without one a pipeline would not fail, but silently find fewer relations.
TAGS = {"NN", "NNS", "NNP", "JJ", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "IN", "DT", "CD", "PRP", "PRP$", "WDT", "WP", "EX", "RB"}
LABELS = {
    "ROOT", "acl", "acomp", "advcl", "advmod", "agent", "amod", "attr", "aux", "auxpass", "cc", "compound", "conj", "det",
    "dobj", "expl", "neg", "nsubj", "nsubjpass", "nummod", "pcomp", "pobj", "poss", "prep", "prt", "relcl", "xcomp",
}  # fmt: skip
UNREAD = ["attribute_ruler", "lemmatizer", "ner", "senter"]
"""Other components of pipelines, which are not used: lemmas come from the normal form."""


def load(name: str = "bundled") -> Language:
    """Return a spaCy pipeline for English.

    Args:
        name: ``bundled``, the pipeline that this project trained and ships; ``auto``, the largest installed ``en_core_web_*`` or
            else the bundled one; or the name or path of any pipeline with the labels of ``en_core_web_*``.

    Raises:
        ParameterError: no pipeline of this name is installed, or is at this path.
        CrepeError: the pipeline lacks tags or dependency labels that the parser's rules need.
    """
    # spaCy would import PyTorch, which costs every worker two seconds and 300 MB; the bundled pipeline does not use it.
    with without(*["torch"] * (name == "bundled")):
        import spacy

    path = chosen(name)
    try:
        nlp = spacy.load(path, exclude=UNREAD)
    except OSError as error:
        if "/" in str(path) or Path(path).exists():
            wrong = f"{name} is not a folder with a spaCy pipeline ({str(error).splitlines()[0][:200]})"
            raise ParameterError("language.pipeline", wrong, "correct the path, or set bundled") from None
        wrong = f"no pipeline {name} is installed"
        raise ParameterError("language.pipeline", wrong, f"run python -m spacy download {name}, or set bundled") from None
    _check(nlp, name)
    keep_words_whole(nlp)
    return nlp


NOT_CONTRACTED = ("id", "wed")
"""Words that spaCy 3.8 reads as "I'd" and "we'd" without an apostrophe; others, such as "ill" and "well", it leaves whole."""


def keep_words_whole(nlp: Language) -> None:
    """Make "t-shirt", "black-and-white" and "wed" one word each: an atom is never a part of a word."""
    from spacy.util import compile_infix_regex

    rules = [rule for rule in nlp.Defaults.infixes or () if isinstance(rule, str) and "(?:-|–|—|--|---|——|~)" not in rule]
    tokenizer: Any = nlp.tokenizer
    tokenizer.infix_finditer = compile_infix_regex(rules).finditer
    tokenizer.rules = {text: parts for text, parts in tokenizer.rules.items() if text.lower() not in NOT_CONTRACTED}


def chosen(name: str) -> str | Path:
    """Return the pipeline ``name`` as an argument of ``spacy.load``."""
    if name == "auto":
        from spacy.util import get_installed_models

        installed = get_installed_models()
        names = [f"en_core_web_{size}" for size in ("trf", "lg", "md", "sm") if f"en_core_web_{size}" in installed]
        return names[0] if names else BUNDLED
    return BUNDLED if name == "bundled" else name


def identity(name: str, parser: str) -> list[str]:
    """Return what cached work depends on in the pipeline ``name`` and the ``parser``: names, versions and files.

    `auto` may become another pipeline, and a user's parser may be fixed while its work is cached.
    """
    pipeline = chosen(name)
    known = [str(pipeline), parser]
    if pipeline == BUNDLED:
        known[0] = "bundled"  # its files are code of this package
    elif Path(pipeline).is_dir():
        known += [digest_of_file(path) for path in sorted(Path(pipeline).rglob("*")) if path.is_file()]
    else:
        with suppress(PackageNotFoundError):  # the code that loads it reports errors
            known.append(version(str(pipeline)))
    with suppress(ImportError, ValueError):
        source = find_spec(parser.rpartition(".")[0]) if "." in parser else None
        if source and source.origin and Path(source.origin).is_file():
            known.append(digest_of_file(Path(source.origin)))
    return known


def _check(nlp: Language, name: str) -> None:
    for component, needed in (("tagger", TAGS), ("parser", LABELS)):
        pipe: Any = nlp.get_pipe(component) if nlp.has_pipe(component) else None
        missing = sorted(needed - set(pipe.labels if pipe else ()))
        if missing:
            raise CrepeError(
                f"params.yaml, language.pipeline: {name} has no {component} labels {', '.join(missing)}, which the rules need. "
                "Remedy: use 'bundled', or a pipeline with the labels of en_core_web_sm."
            )
