"""Suites whose pictures lie inside Parquet files, as Hugging Face keeps them, or are frames of videos kept as NumPy arrays.

``python -m stages.suites.packed FOLDER`` writes the pictures of every ``test*.parquet`` (where there is none, ``train*.parquet``)
below FOLDER to ``FOLDER/images``, as they are, each under the names of its file and its column and the number of its row. Captions
are read from the Parquet files themselves.
Every array ``NAME.npy`` of height, width and three colours, blue first, becomes ``NAME.npy.png`` next to it, without loss.
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
from stages.retrieval.sets import Case, RetrievalSet
from stages.suites.files import Images

AT_ONCE = 16
"""Rows whose pictures are in memory together."""


def files(folder: Path, part: str = "test") -> list[Path]:
    """The Parquet files of a part; some publish theirs, which nobody is to train on, as ``train``.

    Raises:
        InputError: there is none, or two have one name: their pictures, and their cases, would be taken for each other's.
    """
    parts = sorted(folder.rglob(f"{part}*.parquet"))
    if len(parts) > len({path.stem for path in parts}):
        raise InputError(folder, "holds several Parquet files of one name", "leave one of each in it, or name a folder below")
    if not parts:
        raise InputError(folder, f"holds no {part}*.parquet", "name the folder that the suite's Parquet files were put into")
    return parts


def read(path: Path, columns: Sequence[str] | None = None, at_once: int = AT_ONCE) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a Parquet file with their numbers.

    Raises:
        InputError: it is none, or lacks one of the ``columns``.
    """
    try:
        parquet = pq.ParquetFile(path)
        if lacking := sorted(set(columns or ()) - set(parquet.schema_arrow.names)):
            raise InputError(path, f"has no column {lacking[0]}", "take the suite's own file as it is")
        batches = parquet.iter_batches(at_once, columns=list(columns) if columns else None)
        yield from enumerate(row for batch in batches for row in batch.to_pylist())
    except (pa.ArrowException, OSError) as error:
        raise InputError(path, f"is no whole Parquet file ({error})", "fetch it again") from None


def picture(path: Path, row: int, column: str) -> str:
    """Where the picture of a row is put, below the folder.

    Raises:
        InputError: the column's name would lead to another place.
    """
    return f"images/{component(path, f'{path.stem}-{row}-{column}')}"


def pairs(
    suite: str, folder: Path, images: Images, pictures: tuple[str, str], captions: tuple[str, str], kind: Sequence[str] = ()
) -> Iterator[RetrievalSet]:
    """Two retrieval sets a row of two pictures with a caption each; the columns ``kind`` name the set, ``all`` if there are none.

    Raises:
        InputError: a file is as :func:`files` and :func:`read` say, or a caption is no text.
    """
    for path in files(folder):
        for row, entry in read(path, [*captions, *kind], at_once=4096):
            if not all(isinstance(value, str) for value in entry.values()):
                raise InputError(path, "has a caption or a kind that is no text", "take the suite's own file as it is", row=row + 1)
            name = "_".join(entry[column].lower() for column in kind) or "all"
            crops = [images.crop(picture(path, row, column)) for column in pictures]
            source = (path.relative_to(folder).as_posix(), str(row))
            yield from Case.paired(f"{suite}-{path.stem}-{row}", crops, [entry[c] for c in captions]).sets(suite, name, source)


def of_array(name: str) -> str:
    """Where the picture of an array is put."""
    return f"{name}.png"


def unpack(folder: Path) -> int:
    """Write the pictures of all rows and arrays; how many.

    Raises:
        InputError: there is neither a Parquet file nor an array, or one is none.
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
        raise InputError(path, f"is no whole array ({error})", "fetch it again") from None
    if frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3:
        raise InputError(path, f"is an array of {frame.dtype} and shape {frame.shape}, no picture", "fetch it again")
    return np.ascontiguousarray(frame)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    print(f"packed: {unpack(folder):,} pictures in {folder}")


if __name__ == "__main__":
    run(main)
