"""open_clip's own training can read the exported pairs."""

import ast
import csv
import sys

import numpy as np
import pytest
from PIL import Image

from stages.contract import tables
from stages.pairs.pairs import Pairs
from stages.training.export import export, main
from tests.running import write_parameters
from tests.training import made


def test_open_clip_reads_what_is_exported(tmp_path):
    pictures = [made.jpeg(made.COLOURS[a], made.COLOURS[b]) for a, b in made.PAIRS[:3]]
    pairs = Pairs(["a", "b", "c", "d"], [*pictures, b"broken"], [["one", "two"], ["three"], ["four"], ["five"]])
    assert export(pairs, {"one": ["no one"]}, {"a": ["c", "d"], "b": ["a"]}, tmp_path / "out") == 4
    with (tmp_path / "out" / "pairs.tsv").open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert [row["title"] for row in rows] == ["one", "two", "three", "four"]
    assert ast.literal_eval(rows[0]["neg_caption"]) == ["no one"] and ast.literal_eval(rows[1]["neg_caption"]) == []
    # Rows refer to others by number, as NegCLIP's trainer does; an unreadable picture is nobody's neighbour. The trainer draws one
    # from each list, so none is empty.
    assert [ast.literal_eval(row["neg_image"]) for row in rows] == [[3], [3], [0, 1], [3]]
    for row, picture in zip((rows[0], rows[2], rows[3]), pictures, strict=True):
        path = tmp_path / "out" / row["filepath"]
        assert path.read_bytes() == picture and np.asarray(Image.open(path)).shape == (24, 24, 3)


@pytest.mark.parametrize(("without_negatives", "titles"), [("keep", ["a cup", "a cat on a dog"]), ("drop", ["a cat on a dog"])])
def test_what_has_nothing_to_exchange_is_left_out_as_the_training_leaves_it_out(
    tmp_path, monkeypatch, capsys, without_negatives, titles
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.png").write_bytes(made.jpeg(*list(made.COLOURS.values())[:2]))
    (tmp_path / "b.png").write_bytes(b"broken")
    (tmp_path / "pairs.csv").write_text("caption,image\na cup,a.png\na cat on a dog,a.png\na cat on a dog,b.png\n")
    negative = {"part": "noun", "caption": "a dog on a cat"}
    mined = [{"caption": "a cup", "negatives": []}, {"caption": "a cat on a dog", "negatives": [negative]}]
    tables.write("text_negatives", tmp_path / "texts.parquet", mined)
    tables.write("image_neighbours", tmp_path / "neighbours.parquet", [{"image_key": "a.png", "neighbours": []}])
    pairs = {"path": "pairs.csv", "format": "csv", "caption": "caption", "image": "image", "header": True, "images": "."}
    write_parameters(tmp_path / "params.yaml", {"train.without_negatives": without_negatives, "train.pairs": pairs})
    monkeypatch.setattr(sys, "argv", ["export", "--texts", "texts.parquet", "--neighbours", "neighbours.parquet", "--out", "out"])
    main()
    with (tmp_path / "out" / "pairs.tsv").open(newline="") as file:
        assert [row["title"] for row in csv.DictReader(file, delimiter="\t")] == titles
    said = capsys.readouterr().out
    assert f"3 pairs in, {len(titles)} kept" in said and "1 unreadable_image" in said
