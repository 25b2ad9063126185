"""The project's rules for prose, checked by ``test_prose.py``: plain words, and docstrings that begin with a verb.

The words are checked in docstrings, comments and messages of Python files, in the two YAML files, in the findings and in the pages.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from stages.text.lexicon import words

ROOT = Path(__file__).resolve().parents[1]
CODE = sorted([*(ROOT / "stages").rglob("*.py"), *(ROOT / "tests").rglob("*.py")])
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "stages").rglob("*.md"), *(ROOT / "tests").rglob("*.md")])
OTHERS = [ROOT / "params.yaml", ROOT / "dvc.yaml", *sorted((ROOT / "findings").glob("*.sh"))]
PRIVATE = re.compile(
    r"\b(whoever|anew|likeness|without looking|by lot|makings|unsaid)\b|(?<![\"“'_])\bbeside\b(?!')", re.IGNORECASE
)
"""Words that readers do not understand in the intended sense; the spatial relation is allowed in quotation marks."""
NO_VERB = words(
    """
    a all an another any as at both by each every for four from how if in is it more most no nothing of on one only other several
    some such that the their there these this those three to two what where whether which who why with without
    """
)
"""First words of docstrings that are not verbs."""
ENDINGS = ("s", "ed", "ing", ":", ";", ".", ")")
"""Endings of first words that are not imperative verbs, except for :data:`VERBS`."""
VERBS = words("address bring compress discuss embed express feed guess need pass process shed")
SPEAKING = ("print", "warn", "warnings.warn", "note", "InputError", "ParameterError", "CrepeError")
"""Functions and errors whose messages people read."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.Module) -> Iterator[Function]:
    """Yield the public functions and methods of a module that have a docstring, without nested functions."""
    for node in tree.body:
        for inner in node.body if isinstance(node, ast.ClassDef) else (node,):
            if isinstance(inner, Function) and not inner.name.startswith(("_", "test_")) and ast.get_docstring(inner):
                yield inner


def begins_with_a_verb(docstring: str) -> bool:
    """Return whether a docstring's first word can be an imperative verb: "Return", but not "The", "Whether" or "Features".

    >>> [begins_with_a_verb(text) for text in ("Return a box.", "The box.", "Features of a crop.", "(n, 2) → (n,)", "Pass it on.")]
    [True, False, False, False, True]
    """
    first = docstring.split(maxsplit=1)[0].removesuffix(",")
    lower = first.lower()
    return first[0].isupper() and first.isalpha() and lower not in NO_VERB and (lower in VERBS or not lower.endswith(ENDINGS))


def first_lines(file: Path) -> list[str]:
    """Return the first lines of a file's public docstrings that do not begin with a verb, each with its place."""
    found = functions(ast.parse(file.read_text(encoding="utf-8")))
    return [
        f"{file.relative_to(ROOT)}:{function.lineno}: {function.name}: {text.splitlines()[0]}"
        for function in found
        if not begins_with_a_verb(text := ast.get_docstring(function) or "")
    ]


def prose(file: Path) -> Iterator[tuple[int, str]]:
    """Yield a file's lines of prose with their numbers: docstrings, comments and messages of Python files, all lines of others."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        yield from enumerate(text.splitlines(), start=1)
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and token.string.lstrip("rf").startswith('"""')):
            yield from enumerate(token.string.splitlines(), start=token.start[0])
    yield from messages(ast.parse(text))


def messages(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the texts that are raised, printed or warned of, without the values inserted into them, with their line numbers.

    >>> list(messages(ast.parse("raise ValueError(f'{n} pictures are {beside} it')")))
    [(1, ' pictures are '), (1, ' it')]
    """
    for node in ast.walk(tree):
        spoken = isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and ast.unparse(node.func) in SPEAKING)
        for part in ast.walk(node) if spoken else ():
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.lineno, part.value


def private_words(file: Path) -> list[str]:
    """Return the places in a file with words of :data:`PRIVATE`."""
    return [
        f"{file.relative_to(ROOT)}:{number}: {match.group()}: {line.strip()}"
        for number, line in prose(file)
        if (match := PRIVATE.search(line))
    ]
