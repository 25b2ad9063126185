"""Bad input that the readers of captions meet, and what it gets. Each row is a case of the catalogue and drives a test."""

from __future__ import annotations

import gzip
import io
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from stages.language.corpus import LONGEST_LINE


def parquet(**columns: list) -> bytes:
    """A Parquet file with these columns."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


class BadFile(NamedTuple):
    """A file that stops the stage: what is wrong, its format and bytes, the column that is asked for, words of the error."""

    what: str
    kind: str
    data: bytes
    column: str | int
    error: str


class BadRows(NamedTuple):
    """A file of which rows are dropped: what is wrong, its format and bytes, and each row's code (``None`` where it is good)."""

    what: str
    kind: str
    data: bytes
    faults: list[str | None]


class Useless(NamedTuple):
    """A caption that is dropped: what it is, its text when cleaned, and the reason's code."""

    what: str
    text: str
    reason: str


TSV = b"url\ttext\nu\tone\n"
BAD_FILES = [
    BadFile("empty file", "tsv", b"", "text", "is empty"),
    BadFile("only a header", "tsv", b"url\ttext\n", "text", "has no rows"),
    BadFile("no such column: those there are, are listed", "tsv", TSV, "caption", "the columns are url, text"),
    BadFile("a column's number beyond the last", "tsv", TSV, 2, "the columns are url, text"),
    BadFile("UTF-16", "tsv", TSV.decode().encode("utf-16"), "text", "UTF-16"),
    BadFile("UTF-16 without a mark", "csv", "url,text\nu,one\n".encode("utf-16-le"), "text", "UTF-16"),
    BadFile("a binary file", "txt", b"\x7fELF\0\0\0\1", "text", "a binary file"),
    BadFile("gzip, cut short", "tsv", gzip.compress(TSV * 1000)[:-30], "text", "not a whole gzip file"),
    BadFile("gzip with flipped bits", "tsv", gzip.compress(TSV)[:-8] + b"\0" * 8, "text", "not a whole gzip file"),
    BadFile("nothing in gzip", "jsonl", gzip.compress(b""), "text", "has no rows"),
    BadFile("other keys: they are listed", "jsonl", b'{"a": 1}\n{"a": 2, "b": 3}\n', "text", "it has a, b"),
    BadFile("a web page", "jsonl", b"<html>\n</html>\n", "text", "none of its rows can be read as jsonl: broken_json"),
    BadFile("a JSON array as JSON lines", "jsonl", b'[\n {"text":\n "one"}\n]', "text", "none of its rows"),
    BadFile("JSON, cut short in a record", "json", b'[{"text": "one"}, {"te', "text", "not a whole json file"),
    BadFile("JSON, cut short between records", "json", b'[{"text": "one"},', "text", "not a whole json file"),
    BadFile("JSON with other keys", "json", b'[{"a": "one"}]', "text", "it has a"),
    BadFile("a JSON object without annotations", "json", b'{"info": {}}', "text", "has no rows"),
    BadFile("an empty array", "json", b"[]", "text", "has no rows"),
    BadFile("a JSON array of numbers", "json", b"[1, 2]", "text", "none of its rows"),
    BadFile("Parquet, cut short", "parquet", parquet(text=["one"])[:-9], "text", "not a whole parquet file"),
    BadFile("text as Parquet", "parquet", TSV, "text", "not a whole parquet file"),
    BadFile("Parquet without the column", "parquet", parquet(url=["u"], title=["one"]), "text", "the columns are url, title"),
    BadFile("Parquet without rows", "parquet", parquet(text=pa.array([], pa.string())), "text", "has no rows"),
    BadFile("a column of numbers", "parquet", parquet(text=[1, 2]), "text", "holds int64, not text"),
    BadFile("a column of lists", "parquet", parquet(text=[["one"]]), "text", "not text"),
    BadFile("only missing values", "parquet", parquet(text=pa.array([None, None], pa.string())), "text", "none of its rows"),
]

_LINES = b'{"text": "one"}\n{"text": \n[1]\n{"text": 3}\n{"a": 1}\n{"text": null}\n{"text": "\\ud800"}\n\n'
_ARRAY = b'[{"text": "one"}, 3, {"text": null}, {"b": 1}, {"text": ["two"]}]'
_WIDTH = "wrong_number_of_columns"
BAD_ROWS = [
    BadRows("too few and too many columns", "tsv", TSV + b"u\nu\ttwo\tthree\n\n", [None, _WIDTH, _WIDTH, _WIDTH]),
    BadRows("Latin-1 in a UTF-8 file", "tsv", TSV + b"u\tcaf\xe9\nu\ttwo\n", [None, "bad_encoding", None]),
    BadRows("a quotation mark that nothing closes", "csv", b'url,text\nu,one\nu,"two\nu,three\n', [None, None]),
    BadRows("a field too long", "csv", b'url,text\nu,one\nu,"' + b"x" * 200_000 + b'"\nu,two\n', [None, "row_too_long", None]),
    BadRows("a line too long", "txt", b"one\n" + b"x" * (2 * LONGEST_LINE + 5) + b"\ntwo\n", [None, "row_too_long", None]),
    BadRows(
        "JSON lines of every bad kind", "jsonl", _LINES,
        [None, "broken_json", "not_an_object", "not_text", "missing_column", "missing_value", "broken_json", "broken_json"],
    ),
    BadRows(
        "a JSON array of every bad kind", "json", _ARRAY,
        [None, "not_an_object", "missing_value", "missing_column", "not_text"],
    ),
    BadRows("missing values", "parquet", parquet(text=["one", None]), [None, "missing_value"]),
]  # fmt: skip

USELESS = [
    Useless("nothing", "", "empty"),
    Useless("a number", "12.5 - 3", "no_letters"),
    Useless("an address", "http://www.foo.com/a-red-bus.html", "url_only"),
    Useless("the name of a site", "tutorialblog.org", "url_only"),
    Useless("the name of a picture", "red-bus-1.JPG", "file_name"),
    Useless("a camera's name for it", "IMG_2041", "file_name"),
    Useless("a letter", "a", "too_short"),
    Useless("a list of keywords", "dog " * 101, "too_long"),
    Useless("a run of letters", "x" * 5000, "too_long"),
    Useless("German", "Ein Hund läuft auf der Straße", "not_english"),
    Useless("two words of French", "Intellectuels communistes", "not_english"),
    Useless("Spanish", "un perro en la calle", "not_english"),
    Useless("Russian", "собака на улице", "not_english"),
    Useless("Japanese", "赤いバス", "not_english"),
]
