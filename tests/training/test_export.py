"""The pairs as open_clip's own training reads them."""

import ast
import csv

import numpy as np
from PIL import Image

from stages.pairs.pairs import Pairs
from stages.training.export import export
from tests.training import made


def test_open_clip_reads_what_is_exported(tmp_path):
    pictures = [made.jpeg(made.COLOURS[a], made.COLOURS[b]) for a, b in made.PAIRS[:3]]
    pairs = Pairs(["a", "b", "c", "d"], [*pictures, b"broken"], [["one", "two"], ["three"], ["four"], ["five"]])
    assert export(pairs, {"one": ["no one"]}, {"a": ["c", "d"], "b": ["a"]}, tmp_path / "out") == 4
    with (tmp_path / "out" / "pairs.tsv").open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert [row["title"] for row in rows] == ["one", "two", "three", "four"]
    assert ast.literal_eval(rows[0]["neg_caption"]) == ["no one"] and ast.literal_eval(rows[1]["neg_caption"]) == []
    # Rows by their numbers, as NegCLIP's trainer looks them up; a picture that cannot be read is nobody's neighbour.
    assert [ast.literal_eval(row["neg_image"]) for row in rows] == [[3], [3], [0, 1], []]
    for row, picture in zip((rows[0], rows[2], rows[3]), pictures, strict=True):
        path = tmp_path / "out" / row["filepath"]
        assert path.read_bytes() == picture and np.asarray(Image.open(path)).shape == (24, 24, 3)
