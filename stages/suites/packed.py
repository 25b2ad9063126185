"""Suites with pictures inside Parquet files, as on Hugging Face, or with frames of videos as NumPy arrays.

``python -m stages.suites.packed FOLDER`` writes the pictures of every ``test*.parquet`` (where there is none, ``train*.parquet``)
below FOLDER to ``FOLDER/images``, unchanged, each under the names of its file and column and the number of its row. Captions are
read from the Parquet files themselves. Every array ``NAME.npy`` of height, width and three colours, blue first, becomes
``NAME.npy.png`` next to it, without loss.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from stages.contract.errors import InputError, run
from stages.contract.files import complete, component
from stages.evaluation.sets import Case, RetrievalSet
from stages.suites import suite_files
from stages.suites.suite_files import Images

AT_ONCE = 16
"""Rows with pictures in memory at a time."""


def files(folder: Path, part: str) -> list[Path]:
    """Return a part's Parquet files, whose names become those of pictures and cases; some suites publish theirs as ``train``.

    Raises:
        InputError: there is none, or two have the same name, and so would their pictures and cases.
    """
    parts = suite_files.files(folder, f"**/{part}*.parquet")
    if len(parts) > len({path.stem for path in parts}):
        raise InputError(folder, "has several Parquet files of the same name", "leave one of each in it, or name a folder below")
    return parts


def read(path: Path, columns: Sequence[str] | None = None, at_once: int = AT_ONCE) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a Parquet file with their numbers.

    Raises:
        InputError: it is not a Parquet file, or lacks one of the ``columns``.
    """
    try:
        parquet = pq.ParquetFile(path)
        if lacking := sorted(set(columns or ()) - set(parquet.schema_arrow.names)):
            raise InputError(path, f"has no column {lacking[0]}", "use the suite's file unchanged")
        batches = parquet.iter_batches(at_once, columns=list(columns) if columns else None)
        yield from enumerate(row for batch in batches for row in batch.to_pylist())
    except (pa.ArrowException, OSError) as error:
        raise InputError(path, f"is not a complete Parquet file ({error})", "fetch it again") from None


def picture(path: Path, row: int, column: str) -> str:
    """Return the path of a row's picture, which no column's name can lead out of the folder.

    Raises:
        InputError: the column's name would lead out of it.
    """
    return f"images/{component(path, f'{path.stem}-{row}-{column}')}"


def texts(folder: Path, part: str, columns: Sequence[str]) -> Iterator[tuple[Path, int, dict[str, str], tuple[str, str]]]:
    """Yield the texts of a part's rows: the file, the row's number, its texts by column, and its place as a set's source.

    Raises:
        InputError: a file fails as in :func:`files` and :func:`read`, or a value is no text.
    """
    for path in files(folder, part):
        for row, entry in read(path, columns, at_once=4096):
            if not all(isinstance(value, str) for value in entry.values()):
                raise InputError(path, "has a value that is no text", "use the suite's file unchanged", row=row + 1)
            yield path, row, entry, (path.relative_to(folder).as_posix(), str(row))


def pairs(
    suite: str, folder: Path, images: Images, pictures: tuple[str, str], captions: tuple[str, str], kind: Sequence[str] = ()
) -> Iterator[RetrievalSet]:
    """Yield two retrieval sets a row of two pictures with a caption each; the columns ``kind`` name the set, else ``all``."""
    for path, row, entry, source in texts(folder, "test", [*captions, *kind]):
        name = "_".join(entry[column].lower() for column in kind) or "all"
        crops = [images.crop(picture(path, row, column)) for column in pictures]
        yield from Case.paired(f"{suite}-{path.stem}-{row}", crops, [entry[c] for c in captions]).sets(suite, name, source)


def of_array(name: str) -> str:
    """Return the path of an array's picture."""
    return f"{name}.png"


def unpack(folder: Path) -> int:
    """Write the pictures of all rows and arrays, and return their number.

    Raises:
        InputError: there is neither a Parquet file nor an array, or one is invalid.
    """
    arrays = sorted(folder.rglob("*.npy"))
    for path in arrays:
        with complete(Path(of_array(str(path)))) as partial:
            Image.fromarray(_frame(path)[:, :, ::-1]).save(partial, "PNG")
    count = len(arrays)
    part = next((part for part in ("test", "train") if any(folder.rglob(f"{part}*.parquet"))), None)
    for path in [] if arrays and part is None else files(folder, part or "test"):
        for row, entry in read(path):
            for column, value in entry.items():
                if isinstance(value, dict) and isinstance(value.get("bytes"), bytes):
                    with complete(folder / picture(path, row, column)) as partial:
                        partial.write_bytes(value["bytes"])
                    count += 1
    return count


def _frame(path: Path) -> np.ndarray:
    try:
        frame = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise InputError(path, f"is not a complete array ({error})", "fetch it again") from None
    if frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3:
        raise InputError(path, f"is an array of {frame.dtype} and shape {frame.shape}, not a picture", "fetch it again")
    return np.ascontiguousarray(frame)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    print(f"packed: {unpack(folder):,} pictures in {folder}")


if __name__ == "__main__":
    run(main)
