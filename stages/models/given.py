"""Scores that another program has written: of a model that only its authors can run, of an API, or published scores.

A table in CSV, JSON Lines or Parquet has a row for each scored pair: ``case`` (the query's id, as in the exported data sets,
or the case's where a case has several images), ``caption``, and ``score`` (higher is better). It may have ``image`` (the
picture's number within its case, from 0; needed where a case has several) and ``suite`` (needed where suites share ids).
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from stages.contract.errors import CrepeError, InputError
from stages.contract.files import digest_of_file
from stages.contract.json_files import read_json_lines
from stages.models.contract import Model, Tokens

FORMS = ".csv, .jsonl or .parquet"
NEEDED = ("case", "caption", "score")
LARGEST = float(np.finfo(np.float32).max)
"""Maximum size of a score; scores are ranked as float32."""
Key = tuple[str, str, int, str]
"""Suite ("" for any), case, number of the image, caption."""


class GivenScores(Model):
    """The scores in a file; nothing is computed, and no image is needed.

    Raises:
        InputError: the file is missing or malformed, a score is no number, or a pair has two.
    """

    context = 1 << 30

    def __init__(self, file: str | Path):
        self.file = Path(file)
        self.by_key: dict[Key, float] = {}
        for number, row in enumerate(rows(self.file), start=1):
            self._add(row, number)
        if not self.by_key:
            raise InputError(self.file, "has no score", "write a row for each case and caption")
        self.identity = f"scores {digest_of_file(self.file)} cpu"

    def _add(self, row: Mapping[str, Any], number: int) -> None:
        try:
            key = (str(row.get("suite") or ""), str(row["case"]), int(row.get("image") or 0), str(row["caption"]))
            score = float(row["score"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            wrong = f"has no case, caption and score ({error})"
            raise InputError(self.file, wrong, f"name the columns {', '.join(NEEDED)}", row=number) from None
        if not abs(score) <= LARGEST:
            raise InputError(self.file, f"has the score {score}, which cannot be ranked", "score the pair again", row=number)
        if self.by_key.setdefault(key, score) != score:
            raise InputError(self.file, f"has two scores of {key[1]} and {key[3]!r}", "keep one of them", row=number)

    def prepare(self, image: Image.Image) -> NoReturn:
        raise CrepeError(f"{self.file} has scores of cases only. Remedy: name a model that can be run.")

    def score(self, images: Sequence[Any], texts: Sequence[str]) -> np.ndarray:
        self.prepare(images[0])

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        return [tuple(text.encode()) for text in texts]


def rows(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a table.

    Raises:
        InputError: the file is missing or no table.
    """
    if not path.is_file():
        raise InputError(
            path, "is a folder" if path.is_dir() else "there is no such file", f"name a table of {', '.join(NEEDED)}: {FORMS}"
        )
    try:
        if path.suffix == ".csv":
            with path.open(newline="", encoding="utf-8-sig") as file:
                yield from csv.DictReader(file)
        elif path.suffix == ".parquet":
            for batch in pq.ParquetFile(path).iter_batches():
                yield from batch.to_pylist()
        elif path.suffix == ".jsonl":
            yield from read_json_lines(path, "write an object a line")
        else:
            raise InputError(path, f"is a {path.suffix or 'file without an ending'}", f"write {FORMS}")
    except (OSError, ValueError, csv.Error, pa.ArrowException) as error:
        raise InputError(path, f"cannot be read ({error})"[:300], f"write {FORMS}") from None
