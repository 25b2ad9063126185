"""``python -m tests.numbers``: list the numbers that decide which negatives there are, and the source of each.

It reads three places: the code of the packages that make, check, choose and score negatives, and of their stages (numeric
literals: named constants, defaults, bare ones); the tables in these packages; and the parameters that these stages read. It prints
one line for each, with its file, its name, its value, and the source that its docstring or comment names, or NO SOURCE. The last
line is JSON: how many numbers are in code, tables and parameters, and how many entries name no source, are guesses, or only bound
time or memory.

In code 0, 1, 2 and -1 count only as a single named constant and, except for 0, as a default: elsewhere they are places, sides and
lengths, as are several names that are assigned 0, 1, 2 … in turn. :data:`APART` lists the numbers that decide no result, with the
reason.
"""

import argparse
import ast
import gzip
import io
import json
import re
import tokenize
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import reduce
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from ruamel.yaml import YAML

from tests.running import ROOT

MOST_IN_CODE = 40  # how many numbers the code may have
PACKAGES = ("negatives", "selection", "shortcuts", "semantics")
EARLIER = ("foils", "productivity", "systematicity", "blind", "semantics")
"""The packages of checkouts that predate ``negatives``."""
STAGES = ("gen_hn_atom", "gen_hn_comp", "gen_hn_prod")
SMALL = (0, 1, 2, -1)
GUARD = 1e-9  # a number this small only keeps a quotient or a logarithm finite
APART = {
    "round.1": "digits of a rounding",
    "*.round.[01]": "digits of a rounding, by a method",
    "DIGITS": "digits of a rounding",
    "*.maxsize": "size of a cache",
    "*lru_cache.0": "size of a cache",
    "combinations.1": "how many are taken together, which the names that they are given to say as well",
    "LIGHTNESS": "unit of an encoding",
    "WEIGHTS, BIAS": "rows of a checkpoint's table",
    "CACHE": "size of a cache",
    "PAIRS": "size of a cache",
    "HELD": "size of a cache",
    "zeros.0": "shape of an array",
    "*.zeros.0": "shape of an array",
    "*.axis": "an axis of an array",
    "*.add_argument.default": "default of a command line",
    "*.batch_size": "rows that are read at a time",
    "*batch_tokens": "tokens that are worked on at a time",
    "AT_ONCE": "rows that are worked on at a time",
    "CHUNK": "rows that are worked on at a time",
    "REGIONS": "rows for each worker",
    "seed": "a seed: any is as good",
    "training_sets.*": "an input: the place of a column",
}
"""Numbers that decide no result, by the name of a constant or parameter, or by ``function.argument``, with the reason."""
BITS = (ast.LShift, ast.RShift, ast.BitAnd)
"""Operators that pack several numbers into one: an encoding."""
SPEED = re.compile(r"^Speed\b|^Speed,|Speed only")
SOURCE = re.compile(
    r"\b(?:source:|sections? \d|appendix|tables? \d|figure \d|et al|(?:19|20)\d\d|measured|tests\.benchmarks|GQA|WordNet|VRD|"
    r"FACTUAL|Visual Genome|by definition|by convention)\b",
    re.IGNORECASE,
)
"""Matches a sentence that names a source: a place in a paper, a measurement, people's annotations."""
GUESS = re.compile(r"\bguess(?:es)?\b", re.IGNORECASE)
"""Matches a sentence that calls a number a guess."""
BOUND = re.compile(r"\bbounds? (?:on )?(?:time|memory|the table)\b")
"""Matches a sentence that says that a number decides how much is tried or stored, not what is right."""
NONE = "NO SOURCE"


class Entry(NamedTuple):
    """A number or a table of numbers, with its named source, or ``None`` if it has none."""

    place: str
    file: str
    name: str
    value: str
    numbers: int
    source: str | None

    def line(self) -> str:
        """Return the line that is printed for it."""
        return f"{self.place}  {self.file}  {self.name} = {self.value}  [{self.source or NONE}]"


def source_in(text: str) -> str | None:
    """Return the sentence of a comment or docstring that names where a number comes from.

    >>> source_in("How many walks. As in the paper, appendix A.3."), source_in("Chosen by eye.")
    ('As in the paper, appendix A.3.', None)
    """
    sentences = re.split(r"(?<=[.;:])\s+(?=[A-Z])", " ".join(text.split()))
    return next((sentence for kind in (SOURCE, GUESS, BOUND) for sentence in sentences if kind.search(sentence)), None)


def apart(name: str) -> str | None:
    """Return why a number of this name decides no result, or ``None`` if it decides one."""
    last = name.rsplit(".", 1)[-1]
    return next((why for pattern, why in APART.items() if fnmatch(name, pattern) or fnmatch(last, pattern)), None)


# --- Code ----


class Literals(ast.NodeVisitor):
    """Collects a module's numbers, each with its name and the text that explains it."""

    def __init__(self, file: str, text: str):
        self.file, self.lines = file, text.splitlines()
        self.comments = {
            token.start[0]: token.string.lstrip("# ")
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type == tokenize.COMMENT
        }
        self.found: list[Entry] = []
        self.owners: list[str] = []
        self.texts: list[str] = []

    def add(self, node: ast.AST, name: str, small: bool, text: str = "") -> None:
        """Add the numbers below ``node`` under ``name``; those of :data:`SMALL` only if ``small``."""
        for value, own in _numbers(node, name):
            if (value in SMALL and not small) or 0 < abs(value) <= GUARD or apart(own) or apart(name):
                continue
            said = " ".join([text, self.near(node), *self.texts[-1:]])
            self.found.append(Entry("code", self.file, own, f"{value:g}", 1, source_in(said)))

    def near(self, node: ast.AST) -> str:
        """Return the comments at the ends of a node's lines and in the lines right above it."""
        first, last = node.lineno, node.end_lineno or node.lineno  # type: ignore[attr-defined]
        said = [self.comments[n] for n in range(first, last + 1) if n in self.comments]
        above = first - 1
        while above in self.comments and self.lines[above - 1].lstrip().startswith("#"):
            said.insert(0, self.comments[above])
            above -= 1
        return " ".join(said)

    def body(self, statements: list[ast.stmt]) -> None:
        """Read statements: constants with the docstring after them, and all others."""
        for statement, after in zip_longest(statements, statements[1:]):
            target = _target(statement)
            value = getattr(statement, "value", None)
            if target and value is not None and (target.isupper() or (self.owners and self.owners[-1] == "class")):
                text = _text(after) if after is not None else ""
                alone = _one(value) and (target.isupper() or not _zero(value))
                small = alone or ("," in target and not _enumeration(value))
                self.add(value, target, small=small, text=f"{text} {self.near(statement)}")
            else:
                self.visit(statement)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Read the fields of a class as constants or defaults."""
        self._within("class", ast.get_docstring(node) or "", node.body)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Read defaults under the parameters' names, and the rest as bare literals."""
        positional = [*node.args.posonlyargs, *node.args.args]
        defaults = node.args.defaults
        given = [*zip(positional[len(positional) - len(defaults) :], defaults, strict=True)]
        given += [(a, d) for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if d is not None]
        self.texts.append(ast.get_docstring(node) or "")
        for parameter, default in given:
            self.add(default, f"{node.name}.{parameter.arg}", small=_one(default) and not _zero(default))
        self.texts.pop()
        for decorator in node.decorator_list:
            self.visit(decorator)
        self._within(node.name, ast.get_docstring(node) or "", node.body)

    def _within(self, owner: str, text: str, statements: list[ast.stmt]) -> None:
        self.owners.append(owner)
        self.texts.append(text)
        self.body(statements)
        self.owners.pop()
        self.texts.pop()

    def generic_visit(self, node: ast.AST) -> None:
        """Read expressions as bare literals, and statements that contain statements one by one."""
        if isinstance(node, ast.expr):
            self.add(node, self.owners[-1] if self.owners else "module", small=False)
            return
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                self.body(value)
            else:
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        self.visit(child)


def _target(node: ast.stmt) -> str | None:
    """Return the names that a statement assigns, if any."""
    if isinstance(node, ast.Assign):
        names = [n.id for target in node.targets for n in ast.walk(target) if isinstance(n, ast.Name)]
        return ", ".join(names) or None
    return node.target.id if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else None


def _text(node: ast.stmt) -> str:
    value = node.value if isinstance(node, ast.Expr) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""


def _one(node: ast.expr) -> bool:
    """Return whether it is a single number."""
    return isinstance(node, ast.Constant) or (isinstance(node, ast.UnaryOp) and _one(node.operand))


def _zero(node: ast.expr) -> bool:
    """Return whether it is 0 or 0.0, which as a default means nothing."""
    return isinstance(node, ast.Constant) and node.value == 0


def _enumeration(node: ast.expr) -> bool:
    """Return whether it is 0, 1, 2 … in turn, also in nested tuples: names of places."""
    each = [leaf for leaf in ast.walk(node) if not isinstance(leaf, ast.Tuple | ast.Load)]
    in_turn = sorted(ast.unparse(leaf) for leaf in each) == [str(n) for n in range(len(each))]
    return isinstance(node, ast.Tuple) and len(each) < 10 and in_turn


def _numbers(node: ast.AST, name: str) -> Iterator[tuple[float, str]]:
    """Yield the numbers below a node, each with its name or, for an argument, ``function.argument``; skip indices and slices."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, int | float) and not isinstance(node.value, bool):
            yield node.value, name
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        yield from ((-value, own) for value, own in _numbers(node.operand, name))
    elif isinstance(node, ast.Subscript):
        yield from _numbers(node.value, name)
        if not isinstance(node.slice, ast.Constant | ast.UnaryOp | ast.Tuple):
            yield from _numbers(node.slice, name)
    elif isinstance(node, ast.Slice | ast.JoinedStr) or (isinstance(node, ast.BinOp) and isinstance(node.op, BITS)):
        return
    elif isinstance(node, ast.Call):
        # The name of a function, or of a method after a dot.
        called = node.func.id if isinstance(node.func, ast.Name) else f".{getattr(node.func, 'attr', '')}"
        yield from _numbers(node.func, name)
        for place, argument in enumerate(node.args):
            yield from _numbers(argument, f"{called}.{place}" if apart(f"{called}.{place}") else name)
        for keyword in node.keywords:
            yield from _numbers(keyword.value, f"{name}.{called.lstrip('.')}.{keyword.arg}")
    else:
        for child in ast.iter_child_nodes(node):
            yield from _numbers(child, name)


def in_code(path: Path, file: str) -> list[Entry]:
    """Return the numbers of a Python file."""
    text = path.read_text(encoding="utf-8")
    reader, tree = Literals(file, text), ast.parse(text)
    reader.body(tree.body)
    return reader.found


# --- Tables ----


def in_table(path: Path, file: str) -> Entry | None:
    """Return a table's entry with its count of numbers, or ``None`` if it has none or is no table."""
    n = _count(path)
    if not n:
        return None
    return Entry("table", file, path.stem, f"{n:,} numbers", n, _source_of_table(path))


def _count(path: Path) -> int:
    name = path.name
    if name.endswith((".json", ".json.gz")):
        raw = path.read_bytes()
        return _leaves(json.loads(gzip.decompress(raw) if name.endswith(".gz") else raw))
    if name.endswith(".parquet"):
        table = pq.read_table(path)
        return sum(len(table) for field in table.schema if pa.types.is_integer(field.type) or pa.types.is_floating(field.type))
    if name.endswith(".npz"):
        with np.load(path, allow_pickle=False) as arrays:
            return sum(arrays[key].size for key in arrays if np.issubdtype(arrays[key].dtype, np.number))
    if name.endswith((".txt", ".tsv", ".csv")):
        lines = [line.partition("#")[0] for line in path.read_text(encoding="utf-8").splitlines()]
        # A sense such as turtle.n.02 is a name, not a number.
        return sum(len(re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])", line)) for line in lines)
    return 0


def _leaves(value: Any) -> int:
    if isinstance(value, dict | list):
        return sum(map(_leaves, value.values() if isinstance(value, dict) else value))
    return isinstance(value, int | float) and not isinstance(value, bool)


def _source_of_table(path: Path) -> str | None:
    """Return the source named in the table's first lines, in its package's pages, or where its package's code names the file."""
    texts = []
    if path.suffix in (".txt", ".tsv", ".csv"):
        texts = [line.lstrip("# ") for line in path.read_text(encoding="utf-8").splitlines()[:12] if line.startswith("#")]
    for other in sorted(path.parent.glob("*.md")) + sorted(path.parent.glob("*.py")):
        blocks = re.split(r"\n\s*\n|\n(?=[\"A-Z@])", other.read_text(encoding="utf-8"))
        texts += [block for block in blocks if path.name in block]
    return next((found for text in texts if (found := source_in(text))), None)


# --- Parameters ----


def in_parameters(parameters: Path, pipeline: Path) -> list[Entry]:
    """Return the numbers of ``params.yaml`` in the sections that ``dvc.yaml`` lists for the stages."""
    stages = YAML(typ="safe").load(pipeline)["stages"]
    named = {name for stage in STAGES for name in stages[stage].get("params", ())}
    lines = parameters.read_text(encoding="utf-8").splitlines()
    found, comments, path, whole = [], [], [], YAML(typ="safe").load(parameters)
    for line in lines:
        if line.lstrip().startswith("#"):
            comments.append(line.strip("# "))
            continue
        if match := re.match(r"(\s*)([\w-]+):(.*)", line):
            path = [*path[: len(match[1]) // 2], match[2]]
            key, text = ".".join(path), " ".join(comments)
            value = reduce(lambda within, part: within.get(part) if isinstance(within, dict) else None, path, whole)
            read = any(key == name or key.startswith(f"{name}.") for name in named)
            numbers = 0 if isinstance(value, dict) and not match[3].strip() else _leaves(value)
            if read and numbers and not apart(key) and not SPEED.search(text):
                found.append(Entry("parameter", parameters.name, key, match[3].strip(), numbers, source_in(text)))
        comments = []
    return found


# --- All ----


def entries(root: Path) -> list[Entry]:
    """Return all numbers of a checkout that decide its negatives."""
    packages = PACKAGES if (root / "stages" / "negatives").is_dir() else EARLIER
    files = [path for name in packages for path in sorted((root / "stages" / name).rglob("*")) if "__pycache__" not in path.parts]
    scripts = [root / "stages" / f"{name}.py" for name in STAGES]
    found: list[Entry] = []
    for path in [*(path for path in files if path.is_file()), *scripts]:
        file = str(path.relative_to(root))
        if path.suffix == ".py":
            found += in_code(path, file)
        elif table := in_table(path, file):
            found.append(table)
    return found + in_parameters(root / "params.yaml", root / "dvc.yaml")


def totals(found: list[Entry]) -> dict[str, int]:
    """Return how many numbers are in each place, and how many entries have no source, are guesses, or only bound time or memory."""
    places = {"code": "code", "table": "tables", "parameter": "parameters"}
    counts = {title: sum(entry.numbers for entry in found if entry.place == place) for place, title in places.items()}
    sources = [entry.source for entry in found]
    counts["without_source"] = sum(source is None for source in sources)
    for name, kind in (("guesses", GUESS), ("bounds", BOUND)):
        counts[name] = sum(source is not None and not SOURCE.search(source) and bool(kind.search(source)) for source in sources)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path, nargs="?", default=ROOT, metavar="CHECKOUT")
    found = entries(parser.parse_args().root)
    for entry in found:
        print(entry.line())
    print(json.dumps(totals(found)))


if __name__ == "__main__":
    main()
