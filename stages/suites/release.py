"""Read the official CREPE release unchanged, and write files that its evaluation script reads.

Productivity: ``prod_vg_hard_negs_{atom,swap,negate}_complexity_{n}.csv``, whose ``hard_negs`` is a Python list or set in text,
five a row; boxes are written as floats. Systematicity: ``syst_vg_hard_negs_{seen,unseen}_compounds_in_{cc12m,yfcc,laion}`` as CSV
or JSON, with ``valid_hard_negs_{atom,comp}``; its ``region_id`` is the region's position in Visual Genome's flattened list. Its
faults (negatives equal to the caption, damaged words) are not corrected: the published numbers were measured on them.
"""

import ast
import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from stages.contract.errors import InputError
from stages.contract.files import complete
from stages.contract.json_files import pixels, read_json, text_of, whole_of
from stages.images.crops import Crop

PRODUCTIVITY = re.compile(r"prod_vg_hard_negs_(atom|swap|negate)_(complexity_\d+|all)\.csv")
SYSTEMATICITY = re.compile(r"syst_vg_hard_negs_(seen_compounds|unseen_compounds|unseen_atoms)_in_([\w-]+)\.(csv|json)")
SPLITS = {"seen_compounds": "SC", "unseen_compounds": "UC", "unseen_atoms": "UA"}
TRAINING_SETS = {"cc12m": "cc12m", "yfcc": "yfcc15m", "laion": "laion400m"}
SETS = {"atom": "atom", "swap": "swap", "negate": "neg"}

BOX = ("x", "y", "width", "height")
COUNTS = ("n", "n_objects", "n_relations", "n_attributes", "n_connected_components")
PRODUCTIVITY_COLUMNS = ("image_id", "caption", *COUNTS, "hard_negs", *BOX)
NEGATIVES = ("valid_hard_negs_atom", "valid_hard_negs_comp", "valid_hard_negs_combined")
SYSTEMATICITY_COLUMNS = ("region_id", "image_id", "caption", *BOX, *NEGATIVES)
AS_IT_IS = "use the official file unchanged"


class OfficialRow(NamedTuple):
    """A crop with its caption and its negatives by set."""

    suite: str
    """prod or sys."""
    crop: Crop
    caption: str
    n: int | None
    """Complexity, in productivity."""
    region: str | None
    """Position of the region, in systematicity."""
    training_set: str | None
    split: str | None
    negatives: dict[str, list[str]]
    """By set: atom, swap, neg; or atom, comp."""
    source: tuple[str, str]
    """The file below the folder, and its row, from 0."""


def read(folder: Path) -> Iterator[OfficialRow]:
    """Yield all rows of all files of the release under ``folder``.

    Raises:
        InputError: there is none, two hold the same rows, or a row cannot be read.
    """
    paths = [path for path in sorted(folder.rglob("*")) if PRODUCTIVITY.fullmatch(path.name) or SYSTEMATICITY.fullmatch(path.name)]
    if not paths:
        wrong = "holds no file prod_vg_hard_negs_*.csv or syst_vg_hard_negs_*.csv"
        raise InputError(folder, wrong, "name the folder of the official release's data")
    _refuse_twice(paths)
    for path in paths:
        for number, row in _rows(path):
            try:
                yield _read_row(path.name, row, (path.relative_to(folder).as_posix(), str(number - 1)))
            except KeyError as error:
                raise InputError(path, f"has no column {error}", AS_IT_IS, row=number) from None
            except (ValueError, TypeError, SyntaxError, AttributeError, RecursionError, OverflowError, MemoryError) as error:
                raise InputError(path, f"cannot be read ({error or type(error).__name__})", AS_IT_IS, row=number) from None


def _refuse_twice(paths: Iterable[Path]) -> None:
    """Refuse rows that are there twice.

    Examples are a file of all complexities next to those of each, a CSV next to the JSON of the same rows, and a file of
    productivity in two folders; of systematicity, ``atom`` and ``comp`` have files of the same name.
    """
    parts: dict[Path, dict[str, Path]] = {}
    for path in paths:
        match = PRODUCTIVITY.fullmatch(path.name)
        kind, part = match.groups() if match else (path.stem, "all")
        beside = parts.setdefault(Path(kind) if match else path.with_name(kind), {})
        other = next(iter(beside.values()), None) if part == "all" else beside.get(part, beside.get("all"))
        if other:
            raise InputError(path, f"repeats the rows of {other}", "remove one of the two")
        beside[part] = path


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


def _read_row(name: str, row: Mapping[str, Any], source: tuple[str, str]) -> OfficialRow:
    if not isinstance(row, Mapping):
        raise TypeError("it is not a row of columns")
    crop = Crop(whole_of(row["image_id"], "image_id"), *(pixels(row[side], side) for side in BOX))
    if match := PRODUCTIVITY.fullmatch(name):
        negatives = {SETS[match[1]]: strings(row["hard_negs"])}
        n = whole_of(row["n"], "n", bits=32)
        return OfficialRow("prod", crop, text_of(row["caption"]), n, None, None, None, negatives, source)
    match = SYSTEMATICITY.fullmatch(name)
    assert match  # noqa: S101
    negatives = {kind: strings(row[f"valid_hard_negs_{kind}"]) for kind in ("atom", "comp")}
    training_set = TRAINING_SETS.get(match[2], match[2])
    region, split = str(row["region_id"]), SPLITS[match[1]]
    return OfficialRow("sys", crop, text_of(row["caption"]), None, region, training_set, split, negatives, source)


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


def write(path: Path, columns: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> int:
    """Write ``rows`` as a CSV file of the release, with lists as Python writes them, and return the number of rows."""
    count = 0
    with complete(path) as partial, partial.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(columns), lineterminator="\n")
        writer.writeheader()
        for count, row in enumerate(rows, start=1):  # noqa: B007
            writer.writerow(row)
    return count
