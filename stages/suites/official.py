"""The official CREPE release, unchanged, as a suite: ``official_prod`` by complexity, ``official_sys`` by split.

Productivity: ``prod_vg_hard_negs_{atom,swap,negate}_complexity_{n}.csv``, whose ``hard_negs`` is a Python list or set in text,
five a row; boxes are written as floats. Systematicity: ``syst_vg_hard_negs_{seen,unseen}_compounds_in_{cc12m,yfcc,laion}`` as CSV
or JSON, with ``valid_hard_negs_{atom,comp}``; its ``region_id`` is the region's position in Visual Genome's flattened list. Its
faults (negatives equal to the caption, damaged words) are not corrected: the published numbers were measured on them.
"""

import ast
import csv
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from stages.contract.errors import InputError
from stages.contract.json_files import pixels, read_json, text_of, whole_of
from stages.evaluation.sets import Query, RetrievalSet, Split
from stages.images.crops import Crop
from stages.suites.suite_files import Images

FILE = re.compile(
    r"prod_vg_hard_negs_(?P<kind>atom|swap|negate)_(?P<part>complexity_\d+|all)\.csv"
    r"|syst_vg_hard_negs_(?P<split>seen_compounds|unseen_compounds|unseen_atoms)_in_(?P<training_set>[\w-]+)\.(?:csv|json)"
)
SPLITS = {"seen_compounds": "SC", "unseen_compounds": "UC", "unseen_atoms": "UA"}
TRAINING_SETS = {"cc12m": "cc12m", "yfcc": "yfcc15m", "laion": "laion400m"}
SETS = {"atom": "atom", "swap": "swap", "negate": "neg"}
TOGETHER = {"prod": ("all", ("atom", "swap", "neg")), "sys": ("both", ("atom", "comp"))}

BOX = ("x", "y", "width", "height")
COUNTS = ("n", "n_objects", "n_relations", "n_attributes", "n_connected_components")
PRODUCTIVITY_COLUMNS = ("image_id", "caption", *COUNTS, "hard_negs", *BOX)
NEGATIVES = ("valid_hard_negs_atom", "valid_hard_negs_comp", "valid_hard_negs_combined")
SYSTEMATICITY_COLUMNS = ("region_id", "image_id", "caption", *BOX, *NEGATIVES)
AS_IT_IS = "use the official file unchanged"


class OfficialRow(NamedTuple):
    """A query, ``prod`` or ``sys``, whose id is the same in all files with its crop and caption; its negatives by set."""

    suite: str
    query: Query
    caption: str
    negatives: dict[str, list[str]]
    source: tuple[str, str]
    """The file below the folder, and its row, from 0."""


def sets(folder: Path, _images: Images | None = None) -> Iterator[RetrievalSet]:
    """Yield one retrieval set for each row and type, and one of all types where a crop and its caption have them all."""
    rows_of: dict[str, list[OfficialRow]] = {}
    for row in read(folder):
        # A few rows appear twice; both are evaluated, as in the official script.
        names = (row.query.query_id if number == 1 else f"{row.query.query_id}-{number}" for number in count(1))
        name = next(
            name for name in names if not any(row.negatives.keys() & other.negatives.keys() for other in rows_of.get(name, ()))
        )
        rows_of.setdefault(name, []).append(row)
    for name, rows in rows_of.items():
        suite, query, caption, *_ = rows[-1]
        query = replace(query, query_id=name)
        found = {kind: (texts, row.source) for row in rows for kind, texts in row.negatives.items() if texts}
        for kind, (texts, source) in found.items():
            yield replace(_set(suite, kind, query, caption, texts), source=source)
        of_all, types = TOGETHER[suite]
        if found.keys() >= set(types):
            yield _set(suite, of_all, query, caption, [text for kind in types for text in found[kind][0]])


def _set(suite: str, name: str, query: Query, caption: str, captions: list[str]) -> RetrievalSet:
    return RetrievalSet(f"official_{suite}", name, query, caption, tuple(captions), ("",) * len(captions))


def read(folder: Path) -> Iterator[OfficialRow]:
    """Yield all rows of all files of the release under ``folder``.

    Raises:
        InputError: there is none, two hold the same rows, or a row cannot be read.
    """
    files = {path: match for path in sorted(folder.rglob("*")) if (match := FILE.fullmatch(path.name))}
    if not files:
        wrong = "holds no file prod_vg_hard_negs_*.csv or syst_vg_hard_negs_*.csv"
        raise InputError(folder, wrong, "name the folder of the official release's data")
    _refuse_twice(files)
    for path, match in files.items():
        for number, row in _rows(path):
            try:
                yield _read_row(match, row, (path.relative_to(folder).as_posix(), str(number - 1)))
            except KeyError as error:
                raise InputError(path, f"has no column {error}", AS_IT_IS, row=number) from None
            except (ValueError, TypeError, SyntaxError, AttributeError, RecursionError, OverflowError, MemoryError) as error:
                raise InputError(path, f"cannot be read ({error or type(error).__name__})", AS_IT_IS, row=number) from None


def _refuse_twice(files: Mapping[Path, re.Match[str]]) -> None:
    """Refuse rows that are there twice.

    Examples are a file of all complexities next to those of each, a CSV next to the JSON of the same rows, and a file of
    productivity in two folders; of systematicity, ``atom`` and ``comp`` have files of the same name.
    """
    parts: dict[Path, dict[str, Path]] = {}
    for path, match in files.items():
        rows, part = (Path(match["kind"]), match["part"]) if match["kind"] else (path.with_suffix(""), "all")
        known = parts.setdefault(rows, {})
        other = next(iter(known.values()), None) if part == "all" else known.get(part, known.get("all"))
        if other:
            raise InputError(path, f"repeats the rows of {other}", "remove one of the two")
        known[part] = path


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    if path.suffix == ".json":
        rows = read_json(path, "fetch it again")
        if not isinstance(rows, list):
            raise InputError(path, "is not a list of rows", AS_IT_IS)
        yield from enumerate(rows, start=1)
        return
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            if not rows.fieldnames:
                raise InputError(path, "is empty", "fetch it again")
            yield from enumerate(rows, start=1)
    except (ValueError, csv.Error) as error:
        raise InputError(path, f"is not CSV ({error})", "fetch it again") from None


def _read_row(file: re.Match[str], row: Mapping[str, Any], source: tuple[str, str]) -> OfficialRow:
    if not isinstance(row, Mapping):
        raise TypeError("it is not a row of columns")
    crop = Crop(whole_of(row["image_id"], "image_id"), *(pixels(row[side], side) for side in BOX))
    caption = text_of(row["caption"])
    content = hashlib.blake2b(repr((crop, caption)).encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    if file["kind"]:
        n = whole_of(row["n"], "n", bits=32)
        query = Query(f"official-{crop.image_id}-{n}-{content}", crop, n=n)
        return OfficialRow("prod", query, caption, {SETS[file["kind"]]: strings(row["hard_negs"])}, source)
    training_set = TRAINING_SETS.get(file["training_set"], file["training_set"])
    splits = {training_set: Split(SPLITS[file["split"]])}
    query = Query(f"official-{training_set}-{row['region_id']}-{content}", crop, splits=splits)
    return OfficialRow("sys", query, caption, {kind: strings(row[f"valid_hard_negs_{kind}"]) for kind in ("atom", "comp")}, source)


def strings(value: str | list[str]) -> list[str]:
    """Return the strings of a Python list or set in text, in the order of the text; nothing is evaluated.

    >>> strings("{'a dog', 'a cat', 'a dog'}")
    ['a dog', 'a cat']
    """
    if isinstance(value, str):
        node = ast.parse(value.strip(), mode="eval").body
        if not isinstance(node, ast.List | ast.Set):
            raise ValueError("hard negatives are neither a list nor a set")
        value = [element.value if isinstance(element, ast.Constant) else None for element in node.elts]  # type: ignore[misc]
        if isinstance(node, ast.Set):
            value = list(dict.fromkeys(value))
    if not all(isinstance(text, str) for text in value):
        raise ValueError("hard negatives are not strings")
    return list(value)
