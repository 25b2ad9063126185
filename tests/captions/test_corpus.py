"""Every caption format gives the same captions. The catalogue says what becomes of bad files and rows."""

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.captions.corpus import FORMATS, Column, files, read
from stages.captions.rows import rows_of
from stages.contract.errors import InputError
from tests.bad_input.captions import parquet, rows, tar

CAPTIONS = ["A dog, on a mat", 'the "red" bus', "café\u2003noir"]


def content(kind: str, captions: list[str]) -> bytes:
    """Return a file of ``captions`` with the columns ``url`` and ``text``."""
    if kind == "parquet":
        return parquet(url=["u"] * len(captions), text=captions)
    if kind == "txt":
        return "".join(f"{c}\n" for c in captions).encode()
    if kind == "tsv":
        return "".join(f"{u}\t{c}\n" for u, c in [("url", "text"), *(("u", c) for c in captions)]).encode()
    if kind == "csv":
        text = io.StringIO(newline="")
        csv.writer(text).writerows([("url", "text"), *(("u", c) for c in captions)])
        return text.getvalue().encode()
    if kind == "webdataset":
        members = ((f"{i}.jpg", "?", f"{i}.json", json.dumps({"text": c})) for i, c in enumerate(captions))
        return tar({name: data for picture, nothing, text, of in members for name, data in ((picture, nothing), (text, of))})
    rows = [{"url": "u", "text": c} for c in captions]
    if kind == "json":
        return json.dumps(rows).encode()
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


@pytest.mark.parametrize(
    ("kind", "packed"),
    [(kind, packed) for kind in sorted(FORMATS) for packed in (False, True) if FORMATS[kind].packed or not packed],
)
def test_every_format_gives_the_captions(tmp_path: Path, kind: str, packed: bool) -> None:
    data = content(kind, CAPTIONS)
    found = rows(tmp_path, kind, gzip.compress(data) if packed else data)
    assert [row.caption for row in found] == CAPTIONS
    assert all(row.fault is None for row in found)


LISTS = [["one", "two"], ["three"], ['fo"ur', "fi've"]]


def of_lists(kind: str, values: list, **beside: list) -> bytes:
    """Return a file whose column ``text`` has these ``values``, with further columns."""
    if kind == "parquet":
        return parquet(text=values, **beside)
    records = [dict(zip(("text", *beside), row, strict=True)) for row in zip(values, *beside.values(), strict=True)]
    if kind == "json":
        return json.dumps(records).encode()
    if kind == "jsonl":
        return "".join(json.dumps(record) + "\n" for record in records).encode()
    out = io.StringIO(newline="")
    how: dict[str, Any] = {"delimiter": "\t", "quoting": csv.QUOTE_NONE, "quotechar": None} if kind == "tsv" else {}
    writer = csv.DictWriter(out, records[0], **how)
    writer.writeheader()
    writer.writerows(records)
    return out.getvalue().encode()


@pytest.mark.parametrize("kind", ["parquet", "json", "jsonl", "csv", "tsv"])
def test_a_row_may_have_several_captions(tmp_path: Path, kind: str) -> None:
    values = LISTS if kind in ("parquet", "json", "jsonl") else [json.dumps(texts) for texts in LISTS]
    found = rows(tmp_path, kind, of_lists(kind, values))
    assert [row.caption for row in found] == [text for texts in LISTS for text in texts]
    assert len({row.number for row in found}) == len(LISTS)


@pytest.mark.parametrize(
    "text",
    ["['one', \"tw'o\"]", "['one' \"tw'o\"]", '["one", "tw\'o"]', '[ "one" ,\n"tw\'o" ]'],
)
def test_lists_as_other_programs_write_them(text: str) -> None:
    assert [row.caption for row in rows_of(1, text)] == ["one", "tw'o"]


@pytest.mark.parametrize("text", ["[one, two]", "['one", "[sic] a dog", '["one"] two', "[]", "['one', 2]"])
def test_what_is_no_list_of_captions_stays_one(text: str) -> None:
    assert [row.caption for row in rows_of(1, text)] == [text]


@pytest.mark.parametrize("kind", ["parquet", "json", "jsonl", "csv", "tsv"])
def test_held_out_splits_are_left_out_and_counted(tmp_path: Path, kind: str) -> None:
    splits = ["train", "val", "Test", "restval", "validation"]
    found = rows(tmp_path, kind, of_lists(kind, list("abcde"), split=splits))
    assert [row.fault for row in found] == [None, "held_out", "held_out", None, "held_out"]


def test_captions_of_aros_own_files(tmp_path: Path) -> None:
    flickr = [{"image": "flickr30k-images/1.jpg", "caption": ["a dog", "a wet dog"], "image_id": "1"}]
    assert [row.caption for row in rows(tmp_path, "json", json.dumps(flickr).encode(), Column("caption"))] == ["a dog", "a wet dog"]
    relation = [
        {"image_path": "1.jpg", "true_caption": "the dog is on the mat", "false_caption": "the mat is on the dog", "bbox_x": 1}
    ]
    data = json.dumps(relation).encode()
    assert [row.caption for row in rows(tmp_path, "json", data, Column("true_caption"))] == ["the dog is on the mat"]


def test_tar_shards_with_captions_in_txt(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(tar({"1.jpg": b"?", "1.txt": "a dog", "2.jpg": b"?", "3.txt": "two dogs\n"}))
    (shard,) = files(tmp_path, "webdataset")
    assert [(row.caption, row.fault) for row in read(shard, "webdataset", Column())] == [
        ("a dog", None), (None, "no_caption"), ("two dogs\n", None)
    ]  # fmt: skip


def test_a_folder_of_one_json_object_a_file(tmp_path: Path) -> None:
    for i, about in enumerate([{"status": "success"}, {"status": "failed_to_download"}, {}]):
        (tmp_path / f"{i:09}.json").write_text(json.dumps({"caption": f"dog {i}", "url": "u", "exif": "{}", **about}))
    (tmp_path / "00000_stats.json").write_text('{"count": 3}')
    found = [row for path in files(tmp_path, "json") for row in read(path, "json", Column("caption"))]
    assert [(row.caption, row.fault) for row in found] == [("dog 0", None), (None, "no_image"), ("dog 2", None)]


def test_quotation_marks_as_spark_escapes_them(tmp_path: Path) -> None:
    data = b'u,text\nu,"a \\"Cubs\\" shirt, red"\nu,"\\"Go\\" he said"\nu,"c:\\"\n'
    assert [row.caption for row in rows(tmp_path, "csv", data)] == ['a "Cubs" shirt, red', '"Go" he said', "c:\\"]


def test_column_by_number_and_without_header(tmp_path: Path) -> None:
    assert [r.caption for r in rows(tmp_path, "tsv", b"u\tone\nu\ttwo\n", Column(1, header=False))] == ["one", "two"]
    assert [r.number for r in rows(tmp_path, "tsv", b"url\ttext\nu\tone\n", Column(1))] == [2]
    assert [r.caption for r in rows(tmp_path, "parquet", content("parquet", ["one"]), Column(1))] == ["one"]


def test_quotation_marks_are_quotation_marks_in_tsv(tmp_path: Path) -> None:
    assert [r.caption for r in rows(tmp_path, "tsv", b'u\t"one\nu\ttwo"\n', Column(1, header=False))] == ['"one', 'two"']


def test_csv_field_over_several_lines(tmp_path: Path) -> None:
    assert [r.caption for r in rows(tmp_path, "csv", b'u,text\nu,"one\ntwo"\nu,three\n')] == ["one\ntwo", "three"]


def test_coco_annotations(tmp_path: Path) -> None:
    data = json.dumps({"images": [{"id": 1}], "annotations": [{"caption": "a cat"}, {"caption": "a dog"}]}).encode()
    assert [r.caption for r in rows(tmp_path, "json", data, Column("caption"))] == ["a cat", "a dog"]


def test_a_file_with_only_faults_is_a_fault_before_it_is_read_whole(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none of its rows"):
        rows(tmp_path, "jsonl", b"nonsense\n" * 5000)


@pytest.mark.parametrize("line", ["17.jpg#{}\ta dog runs", "a\tdog {}", "{}.jpg, a dog runs", '{{"text": "dog {}"}}'])
def test_a_table_is_no_text(tmp_path: Path, line: str) -> None:
    """Flickr8k's captions are tab-separated in a .txt file, whose picture names would count as words."""
    rows_of_table = "\n".join(line.format(i) for i in range(5)).encode()
    with pytest.raises(InputError, match="has columns"):
        rows(tmp_path, "txt", rows_of_table)
    mostly_captions = rows_of_table + b"\na cat sleeps" * 5
    assert len(rows(tmp_path, "txt", mostly_captions)) == 10


def test_folders(tmp_path: Path) -> None:
    for name in ("b.tsv", "a.tsv.gz", "sub/c.tsv", ".hidden.tsv", "_SUCCESS", "readme.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert [p.relative_to(tmp_path).as_posix() for p in files(tmp_path, "tsv")] == ["a.tsv.gz", "b.tsv", "sub/c.tsv"]
    with pytest.raises(InputError, match=r"no file that ends in \.parquet"):
        files(tmp_path, "parquet")
    with pytest.raises(InputError, match="no such file or folder"):
        files(tmp_path / "nothing", "tsv")


@settings(max_examples=150)
@given(st.sampled_from(sorted(FORMATS)), st.binary(min_size=1, max_size=300), st.sampled_from(["text", 0, 1]))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, kind: str, data: bytes, key: str | int) -> None:
    """Any bytes give rows or an InputError."""
    path = tmp_path_factory.getbasetemp() / "fuzz"
    path.write_bytes(data)
    try:
        for row in read(path, kind, Column(key)):
            assert (row.caption is None) == (row.fault is not None)
            assert row.caption is None or row.caption.encode() is not None
    except InputError as error:
        assert "Remedy" in str(error)


@settings(max_examples=100)
@given(st.sampled_from(sorted(FORMATS)), st.data())
def test_damaged_files(tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject) -> None:
    """A good file that is cut off or has a changed byte gives rows or an InputError."""
    good = bytearray(content(kind, CAPTIONS * 5))
    good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(bytes(good[: data.draw(st.integers(1, len(good)))]))
    try:
        assert all(row.number > 0 for row in read(path, kind, Column("text")))
    except InputError as error:
        assert "Remedy" in str(error)
