"""Tests of pairs from caption files with a column of images, and from tar files."""

import gzip
import io
import json
import tarfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from stages.contract.errors import InputError
from stages.contract.ledger import Ledger
from stages.images import crops
from stages.images.crops import decode
from stages.pairs import pairs
from stages.pairs.pairs import Place, data_of, opened
from tests.training import made


@pytest.fixture
def folder(tmp_path):
    for name, colour in made.COLOURS.items():
        (tmp_path / f"{name}.png").write_bytes(made.jpeg(colour, colour))
    (tmp_path / "broken.png").write_bytes((tmp_path / "red.png").read_bytes()[:40])
    return tmp_path


def read(path, kind, images, **changes):
    source = {"path": str(path), "format": kind, "caption": "text", "image": "file", "header": True, "images": str(images)}
    ledger = Ledger("pairs")
    found = pairs.read(made.settings(pairs=source | changes), ledger)
    ledger.keep(found.n())
    return found, ledger


def test_a_table_with_a_column_of_images(folder):
    rows = [
        ("red.png", "a red cup"),
        ("blue.png", " a  blue cup . "),
        ("red.png", "red cup"),
        ("lost.png", "a cup"),
        ("red.png", ""),
    ]
    rows += [("red.png", "a red cup"), ("blue.png",)]
    (folder / "pairs.tsv").write_text("file\ttext\n" + "".join("\t".join(row) + "\n" for row in rows))
    found, ledger = read(folder / "pairs.tsv", "tsv", folder)
    assert found.keys == ["red.png", "blue.png"] and found.captions == [["a red cup", "red cup"], ["a blue cup"]]
    assert dict(ledger.dropped) == {"no_image": 1, "empty": 1, "said_twice": 1, "wrong_number_of_columns": 1}
    assert ledger.rows_in == 7 == ledger.kept + ledger.dropped.total()
    assert data_of(found.pictures[1]) == (folder / "blue.png").read_bytes()


def test_json_lines_and_numbers_of_columns(folder):
    (folder / "pairs.jsonl").write_text(
        "".join(json.dumps({"file": f"{c}.png", "text": f"a {c} cup"}) + "\n" for c in made.COLOURS)
    )
    assert len(read(folder / "pairs.jsonl", "jsonl", folder)[0].keys) == 4
    (folder / "pairs.csv").write_text("red.png,a red cup\nblue.png,a blue cup\n")
    found, _ = read(folder / "pairs.csv", "csv", folder, caption=1, image=0, header=False)
    assert found.captions == [["a red cup"], ["a blue cup"]]


def shard(path, members):
    with tarfile.open(path, "w") as tar:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))


def test_shards_of_pictures_and_texts(folder):
    (folder / "shards").mkdir()
    red = (folder / "red.png").read_bytes()
    shard(folder / "shards" / "0.tar", {"a.png": red, "a.txt": b"a red cup", "b.txt": b"alone", "a.json": b"{}"})
    shard(folder / "shards" / "1.tar", {"a.txt": b"a white cup", "a.png": (folder / "white.png").read_bytes(), "c.png": red})
    found, ledger = read(folder / "shards", "webdataset", folder)
    assert found.keys == ["0.tar/a", "1.tar/a"] and found.captions == [["a red cup"], ["a white cup"]]
    assert [data_of(picture) for picture in found.pictures] == [red, (folder / "white.png").read_bytes()]
    assert dict(ledger.dropped) == {"no_image": 1, "no_caption": 1} and ledger.rows_in == 4


def test_a_shard_that_is_cut_off_is_said(folder):
    (folder / "0.tar").write_bytes(b"no tar file")
    with pytest.raises(InputError, match=r"0\.tar: is not a complete tar file"):
        read(folder, "webdataset", folder)


def test_shards_without_pairs_name_the_first(folder):
    (folder / "shards").mkdir()
    shard(folder / "shards" / "0.tar", {"a.txt": b"alone", "b.txt": b"alone", "c.png": (folder / "red.png").read_bytes()})
    with pytest.raises(InputError, match=r"has no caption with an image \(2 no_image, 1 no_caption, the first 0\.tar/a\)"):
        read(folder / "shards", "webdataset", folder)


def test_no_pair_at_all_is_said(folder):
    (folder / "pairs.tsv").write_text("file\ttext\nlost.png\ta cup\n")
    with pytest.raises(InputError, match=r"has no caption with an image \(1 no_image, the first \S*lost\.png\)"):
        read(folder / "pairs.tsv", "tsv", folder)


def test_a_wrong_column_is_told_by_the_section_of_pairs(folder):
    (folder / "pairs.tsv").write_text("title\turl\na cup\tred.png\n")
    with pytest.raises(InputError, match=r"has no column '\w+'. Remedy: correct it in params.yaml, train\.pairs; .* title, url"):
        read(folder / "pairs.tsv", "tsv", folder)


def test_so_is_a_column_of_numbers(folder):
    pq.write_table(pa.table({"text": ["a red cup"], "file": [1]}), folder / "pairs.parquet")
    with pytest.raises(InputError, match=r"holds int64, not text.*train\.pairs"):
        read(folder / "pairs.parquet", "parquet", folder)


def test_pictures_that_cannot_be_read(folder):
    fine = pairs.pixels(pairs.Place(folder / "red.png"), lambda image: image)
    assert fine.shape == (3, 24, 24)
    for bad in (pairs.Place(folder / "broken.png"), pairs.Place(folder / "lost.png"), b"no picture"):
        assert pairs.pixels(bad, lambda image: image) is None


def test_one_shard_is_named_by_its_file(folder):
    shard(folder / "0.tar", {"a.PNG": (folder / "red.png").read_bytes(), "a.TXT": b"a red cup"})
    assert read(folder / "0.tar", "webdataset", folder)[0].keys == ["0.tar/a"]


def test_a_folder_in_a_shard_is_no_text(folder):
    shard(folder / "0.tar", {"a.png": (folder / "red.png").read_bytes(), "a.txt": b"a red cup"})
    with tarfile.open(folder / "0.tar", "a") as tar:
        within = tarfile.TarInfo("b.txt")
        within.type = tarfile.DIRTYPE
        tar.addfile(within)
    assert read(folder, "webdataset", folder)[0].keys == ["0.tar/a"]


@pytest.mark.parametrize(
    "harm",
    [
        lambda data, at: data[: at + 100],
        lambda data, at: data[:at],
        lambda data, at: data[:at] + b"?" * 512 + data[at + 512 :],
        lambda data, _: gzip.compress(data),
    ],
    ids=["cut in a head", "cut before a head", "a damaged head", "packed"],
)
def test_no_rest_of_a_shard_is_lost_in_silence(folder, harm):
    red = (folder / "red.png").read_bytes()
    shard(folder / "0.tar", {"a.png": red, "a.txt": b"a red cup", "b.png": red, "b.txt": b"a cup"})
    with tarfile.open(folder / "0.tar") as tar:
        second = tar.getmember("b.png").offset
    (folder / "0.tar").write_bytes(harm((folder / "0.tar").read_bytes(), second))
    with pytest.raises(InputError, match=r"0\.tar: is not a complete tar file"):
        read(folder, "webdataset", folder)


def test_a_name_that_no_file_can_have_costs_its_row_alone(folder):
    (folder / "pairs.tsv").write_text(f"file\ttext\nred.png\ta red cup\n{300 * 'x'}.png\ta cup\n")
    assert dict(read(folder / "pairs.tsv", "tsv", folder)[1].dropped) == {"no_image": 1}


def test_pictures_are_seen_as_the_evaluation_sees_them(folder):
    """Pictures are rotated as EXIF says, and 16 bits are scaled."""
    turned = Image.Exif()
    turned[0x112] = 6
    Image.new("RGB", (30, 10)).save(folder / "turned.jpg", exif=turned)
    Image.fromarray(np.full((4, 4), 100 << 8, np.uint16)).save(folder / "deep.png")
    for name, size, shade in (("turned.jpg", (10, 30), 0), ("deep.png", (4, 4), 100)):
        data, seen = opened(Place(folder / name))
        assert seen.tobytes() == decode(folder / name).tobytes() == decode(data).tobytes()
        assert seen.size == size and seen.getpixel((0, 0)) == (shade,) * 3


def test_a_picture_too_large_for_the_evaluation_is_none_to_learn_from(folder, monkeypatch):
    monkeypatch.setattr(crops, "MAX_PIXELS", 24 * 24)
    assert pairs.pixels(Place(folder / "red.png"), lambda image: image) is not None
    monkeypatch.setattr(crops, "MAX_PIXELS", 24 * 24 - 1)
    assert pairs.pixels(Place(folder / "red.png"), lambda image: image) is None
