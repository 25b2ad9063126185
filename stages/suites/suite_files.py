"""Common parts of the suites' files: untrusted JSON, and images with names instead of numbers."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from stages.contract.errors import InputError
from stages.contract.files import complete
from stages.contract.json_files import read_json, read_json_lines
from stages.images.crops import Crop

T = TypeVar("T")


class Images:
    """Numbers for images that files name by a path: in order of their first use, from 1."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self._numbers: dict[str, int] = {}

    def crop(self, name: str) -> Crop:
        """Return the whole image of that name.

        Raises:
            ValueError: the name is not a path within a folder.
        """
        if not name or Path(name).is_absolute() or ".." in Path(name).parts:
            raise ValueError(f"image {name!r} is not a path within the folder of images")
        number = self._numbers.setdefault(name, len(self._numbers) + 1)
        self.names[number] = name
        return Crop.whole(number)


def entries(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the entries of a JSON list or object, or of JSON lines, each with its number or key.

    Raises:
        InputError: the file is missing, or not such JSON.
    """
    content = _content(path)
    yield from content.items() if isinstance(content, dict) else ((str(i), entry) for i, entry in enumerate(content))


@contextmanager
def reading(suite: str, path: Path, key: str) -> Iterator[None]:
    """Turn any error while the entry ``key`` of a file is read into one that names the place.

    Raises:
        InputError: the entry is malformed.
    """
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError) as error:
        raise InputError(
            path, f"is not a case of {suite} ({error!r})", "fetch it again", row=int(key) + 1 if key.isdecimal() else key
        ) from None


def _content(path: Path) -> list[Any] | dict[str, Any]:
    remedy = "name the folder with the suite's files, or fetch them again"
    content = (read_json_lines if path.suffix == ".jsonl" else read_json)(path, remedy)
    if not isinstance(content, list | dict):
        raise InputError(path, "is neither a list nor an object", "fetch it again")
    return content


def csv_rows(path: Path, reader: Callable[[Iterable[str]], Iterable[T]]) -> list[T]:
    """Return the non-empty rows of a suite's CSV file, as ``csv.reader`` or ``csv.DictReader`` reads them.

    Raises:
        InputError: the file is missing, no CSV, or empty.
    """
    try:
        rows = [row for row in reader(io.StringIO(path.read_text(encoding="utf-8-sig"))) if row]
    except (OSError, ValueError, csv.Error) as error:
        raise InputError(path, f"cannot be read ({error})", "name the folder with the suite's files") from None
    if not rows:
        raise InputError(path, "has no row", "fetch it again")
    return rows


def write_csv(path: Path, columns: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write ``rows`` as a CSV file, with lists as Python writes them."""
    with complete(path) as partial, partial.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_part(folder: Path, out: Path, sources: Iterable[tuple[str, str]]) -> None:
    """Write the files of a suite in ``folder`` that the ``sources`` name, with these entries only, in the same format."""
    keys_of: dict[str, set[str]] = {}
    for name, key in sources:
        keys_of.setdefault(name, set()).add(key)
    for name, keys in sorted(keys_of.items()):
        path = folder / name
        if path.suffix == ".csv":
            with path.open(encoding="utf-8", newline="") as file:
                table = csv.DictReader(file)
                write_csv(out / name, table.fieldnames or (), (row for i, row in enumerate(table) if str(i) in keys))
            continue
        if path.suffix == ".parquet":
            # Pictures are named by file and row: those of the whole suite must not be taken for the part's.
            _write_rows(path, (out / name).with_stem(f"{path.stem}-part"), keys)
            continue
        content = _content(path)
        lines = path.suffix == ".jsonl"
        if isinstance(content, dict):
            text = json.dumps({key: entry for key, entry in content.items() if key in keys}, ensure_ascii=False)
        else:
            kept_lines = [json.dumps(entry, ensure_ascii=False) for i, entry in enumerate(content) if str(i) in keys]
            text = "\n".join(kept_lines) if lines else f"[{', '.join(kept_lines)}]"
        with complete(out / name) as partial:
            partial.write_text(text + "\n", encoding="utf-8")


def _write_rows(path: Path, out: Path, keys: set[str]) -> None:
    """Write these rows of a Parquet file, including pictures, a few at a time."""
    parquet, row = pq.ParquetFile(path), 0
    with complete(out) as partial, pq.ParquetWriter(partial, parquet.schema_arrow) as writer:
        for batch in parquet.iter_batches(64):
            writer.write_batch(batch.filter(pa.array([str(row + i) in keys for i in range(len(batch))])))
            row += len(batch)


def files(folder: Path, *patterns: str) -> list[Path]:
    """Return the files in ``folder`` that match one of the ``patterns``; there must be at least one."""
    if found := [path for pattern in patterns for path in sorted(folder.glob(pattern))]:
        return found
    raise InputError(folder, f"holds no {' or '.join(patterns)}", "name the folder with the suite's files")


def of_folder(folder: Path, *patterns: str) -> Iterator[tuple[Path, str, Any]]:
    """Yield the entries of all :func:`files` of ``folder``, each with its file and its key.

    Raises:
        InputError: there is no such file (``example`` names one that there should be), or one fails as in :func:`entries`.
    """
    return ((path, key, entry) for path in files(folder, *patterns) for key, entry in entries(path))
