"""Readers of caption files: every format gives the same captions. What bad files and rows get stands in the catalogue."""

import csv
import gzip
import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.captions.corpus import FORMATS, Column, files, read
from stages.contract.errors import InputError
from tests.bad_input.captions import parquet, rows

CAPTIONS = ["A dog, on a mat", 'the "red" bus', "café\u2003noir"]


def content(kind: str, captions: list[str]) -> bytes:
    """A file of ``captions`` with the columns ``url`` and ``text``."""
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
    rows = [{"url": "u", "text": c} for c in captions]
    if kind == "json":
        return json.dumps(rows).encode()
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


@pytest.mark.parametrize(
    ("kind", "packed"),
    [(kind, packed) for kind in sorted(FORMATS) for packed in (False, True) if not (packed and kind == "parquet")],
)
def test_every_format_gives_the_captions(tmp_path: Path, kind: str, packed: bool) -> None:
    data = content(kind, CAPTIONS)
    found = rows(tmp_path, kind, gzip.compress(data) if packed else data)
    assert [row.caption for row in found] == CAPTIONS
    assert all(row.fault is None for row in found)


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
    """Whatever a file holds: rows, or an InputError."""
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
    """A good file cut off or with a byte changed: rows, or an InputError."""
    good = bytearray(content(kind, CAPTIONS * 5))
    good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(bytes(good[: data.draw(st.integers(1, len(good)))]))
    try:
        assert all(row.number > 0 for row in read(path, kind, Column("text")))
    except InputError as error:
        assert "Remedy" in str(error)
