"""Bad input in the training sets' files, and in captions and descriptions themselves."""

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from stages.annotations.spelling import correct
from stages.captions.clean import clean, shortened, unusable
from stages.captions.corpus import Column, Row, files, read
from stages.captions.lines import LONGEST_LINE
from stages.parameters.sections import ReadCaptions
from tests.bad_input.form import CC3M, FLICKR, LAION, VG, YFCC, Becomes, Case, Dropped, Gets, Reader, Rows, Stops
from tests.running import section


def parquet(**columns: list) -> bytes:
    """Return a Parquet file with these columns."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def tar(members: dict[str, str | bytes]) -> bytes:
    """Return a tar file with these members."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in members.items():
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def twice() -> bytes:
    """Return a Parquet file with two columns named ``text``."""
    out = io.BytesIO()
    pq.write_table(pa.table([pa.array(["one", "two"]), pa.array([None, "three"])], names=["text", "text"]), out)
    return out.getvalue()


def zstd(data: bytes) -> bytes:
    """Return ``data`` compressed with zstd."""
    return pa.compress(data, codec="zstd", asbytes=True)


def rows(folder: Path, kind: str, data: bytes, column: Column = Column("text")) -> list[Row]:  # noqa: B008
    """Return the rows of a file of captions."""
    path = folder / f"captions.{kind}"
    path.write_bytes(data)
    return list(read(path, kind, column))


MAX_WORDS = section(ReadCaptions).max_words


# --- What becomes of each input ----


def _file(given: tuple[Any, ...], folder: Path) -> Gets:
    """Return what becomes of a file, given its format, its bytes and its column, if that is not ``text``."""
    kind, data, *column = given
    return Rows(tuple(row.fault for row in rows(folder, kind, data, Column(*(column or ["text"])))))


def _folder(given: Callable[[Path], Any], folder: Path) -> Gets:
    """Return what becomes of a folder with a good shard and whatever ``given`` adds; every file is then read."""
    (folder / "captions").mkdir()
    (folder / "captions" / "a.tsv").write_bytes(TSV)
    given(folder / "captions")
    every = files(folder / "captions", "tsv")
    return Becomes(", ".join(f"{file.name} ({len(list(read(file, 'tsv', Column('text'))))})" for file in every))


def _linked(folder: Path) -> None:
    (other := folder.with_name("elsewhere")).mkdir()
    (other / "b.tsv").write_bytes(TSV * 2)
    (folder / "more").symlink_to(other)
    (other / "back").symlink_to(folder)


def _caption(text: str, _: Path) -> Gets:
    cleaned = shortened(clean(text), MAX_WORDS)
    reason = unusable(cleaned, max_words=MAX_WORDS)
    return Dropped(reason) if reason else Becomes(cleaned)


def _description(text: str, _: Path) -> Gets:
    cleaned = clean(text)
    # A region's description is too short to look for other languages in it: it counts as English.
    reason = fault if (fault := unusable(cleaned)) != "not_english" else None
    return Dropped(reason) if reason else Becomes(correct(cleaned))


# --- The cases ----

TSV = b"url\ttext\nu\tone\n"
_HEADERLESS = b"a red bus\thttp://foo.com/1.jpg\r\na dog\thttp://foo.com/2.jpg\r\n"
_FILES = [
    Case("empty file", ("tsv", b""), Stops("is empty")),
    Case("only a header", ("tsv", b"url\ttext\n"), Stops("has no rows")),
    Case("no such column: those there are, are listed", ("tsv", TSV, "caption"), Stops("the columns are url, text")),
    Case("a column's number beyond the last", ("tsv", TSV, 2), Stops("the columns are url, text")),
    Case("no header, and lines that end as on Windows", ("tsv", _HEADERLESS, 0, False), Rows((None, None)), CC3M),
    Case("UTF-16", ("tsv", TSV.decode().encode("utf-16")), Stops("UTF-16")),
    Case("UTF-16 without a mark", ("csv", "url,text\nu,one\n".encode("utf-16-le")), Stops("UTF-16")),
    Case("lines that end as on an old Mac", ("txt", b"one\rtwo\r"), Stops("old Mac")),
    Case("UTF-8 with a mark", ("tsv", b"\xef\xbb\xbftext\turl\none\tu\n"), Rows((None,))),
    Case("a binary file", ("txt", b"\x7fELF\0\0\0\1"), Stops("a binary file")),
    Case("gzip, cut short", ("tsv", gzip.compress(TSV * 1000)[:-30]), Stops("not a complete compressed file")),
    Case("gzip with flipped bits", ("tsv", gzip.compress(TSV)[:-8] + b"\0" * 8), Stops("not a complete compressed file")),
    Case("bzip2, cut short", ("tsv", bz2.compress(TSV * 1000)[:-30]), Stops("not a complete compressed file")),
    Case("xz, cut short", ("tsv", lzma.compress(TSV * 1000)[:-30]), Stops("not a complete compressed file")),
    Case("zstd, cut short", ("tsv", zstd(TSV * 1000)[:-9]), Stops("not a complete tsv file")),
    Case("gzip by another name than .gz", ("tsv", gzip.compress(TSV)), Rows((None,))),
    Case("bzip2 by another name than .bz2", ("tsv", bz2.compress(TSV)), Rows((None,))),
    Case("xz by another name than .xz", ("jsonl", lzma.compress(b'{"text": "one"}')), Rows((None,))),
    Case("zstd by another name than .zst", ("json", zstd(b'[{"text": "one"}]')), Rows((None,))),
    Case("nothing in gzip", ("jsonl", gzip.compress(b"")), Stops("has no rows")),
    Case("other keys: they are listed", ("jsonl", b'{"a": 1}\n{"a": 2, "b": 3}\n'), Stops("it has a, b")),
    Case("a web page", ("jsonl", b"<html>\n</html>\n"), Stops("none of its rows can be read as jsonl: broken_json")),
    Case("a JSON array as JSON lines", ("jsonl", b'[\n {"text":\n "one"}\n]'), Stops("none of its rows")),
    Case("JSON, cut short in a record", ("json", b'[{"text": "one"}, {"te'), Stops("not a complete json file")),
    Case("JSON, cut short between records", ("json", b'[{"text": "one"},'), Stops("not a complete json file")),
    Case("JSON with a mark", ("json", b'\xef\xbb\xbf[{"text": "one"}]'), Rows((None,))),
    Case("numbers beyond 64 bits", ("json", b'[{"id": 12345678901234567890, "x": 1e999, "text": "one"}]'), Rows((None,))),
    Case("JSON with other keys", ("json", b'[{"a": "one"}]'), Stops("it has a")),
    Case("a JSON object without annotations", ("json", b'{"info": {}}'), Stops("is one object, with info, and no list")),
    Case("annotations without any", ("json", b'{"annotations": []}'), Stops("has no rows")),
    Case("one object", ("json", b'{"text": "one", "exif": {"a": [1]}}'), Rows((None,))),
    Case("one object without the column", ("json", b'{"caption": "one"}'), Stops("save a list of objects")),
    Case("an empty array", ("json", b"[]"), Stops("has no rows")),
    Case("a JSON array of numbers", ("json", b"[1, 2]"), Stops("none of its rows")),
    Case("Parquet, cut short", ("parquet", parquet(text=["one"])[:-9]), Stops("not a complete parquet file")),
    Case("text as Parquet", ("parquet", TSV), Stops("correct the format in params.yaml, if it is of another")),
    Case("Parquet without the column", ("parquet", parquet(url=["u"], title=["one"])), Stops("the columns are url, title")),
    Case("Parquet without rows", ("parquet", parquet(text=pa.array([], pa.string()))), Stops("has no rows")),
    Case("two columns of one name", ("tsv", b"text\ttext\none\ttwo\n"), Stops("has 2 columns 'text'")),
    Case("two columns of one name in Parquet", ("parquet", twice()), Stops("has 2 columns 'text'")),
    Case("one of two columns of one name, by its number", ("parquet", twice(), 1), Rows(("missing_value", None))),
    Case(
        "a column's name that is no UTF-8", ("parquet", parquet(text=["one"]).replace(b"text", b"t\xffxt")), Stops("not a complete")
    ),
    Case("a column of numbers", ("parquet", parquet(text=[1, 2])), Stops("holds int64, not text")),
    Case("a column of lists of numbers", ("parquet", parquet(text=[[1]])), Stops("not text")),
    Case("a zip archive", ("csv", b"PK\3\4\24\0\0\0"), Stops("is a zip archive")),
    Case("semicolons, and no header", ("csv", b"a dog, wet;u\na cat;u\n", 0, False), Stops("columns separated by semicolons")),
    Case("pipes, and no header", ("tsv", b"a dog|u\na cat|u\n", 0, False), Stops("columns separated by pipes")),
    Case("tabs where commas should be, and no header", ("csv", b"a dog\tu\na cat, red\tu\n", 0, False), Stops("separated by tabs")),
    Case("a tar file, cut short", ("webdataset", tar({"1.txt": "one"})[:700]), Stops("not a complete tar file")),
    Case("a packed tar file", ("webdataset", gzip.compress(tar({"1.txt": "one"})), None), Stops("not a complete tar file")),
    Case("a tar file without captions", ("webdataset", tar({"1.jpg": "?", "2.jpg": "?"}), None), Stops("no .txt among jpg")),
    Case("another key in a tar's JSON", ("webdataset", tar({"1.json": '{"a": 1}'})), Stops("it has a")),
    Case("only missing values", ("parquet", parquet(text=pa.array([None, None], pa.string()))), Stops("none of its rows")),
]

_LINES = b'{"text": "one"}\n{"text": \n[1]\n{"text": 3}\n{"a": 1}\n{"text": null}\n{"text": "\\ud800"}\n\n'
_DEEP = b"[" * 100_000 + b"]" * 100_000
_ARRAY = b'[{"text": "one"}, 3, {"text": null}, {"b": 1}, {"text": ["two"]}]'
_STATUS = ["success", "failed_to_download", "failed_to_resize"]
_KARPATHY = (
    b'{"images": [{"split": "train", "sentences": [{"raw": "one", "sentid": 1}, {"raw": "two"}]}, {"sentences": [{"raw": "three"}],'
    b' "split": "test"}, {"split": "val", "sentences": [{"raw": "four"}]}, {"split": "restval", "sentences": [{"raw": "five"}]}],'
    b' "dataset": "coco"}'
)
_LACKING = b'{"images": [{"split": "train", "sentences": [{"raw": "one"}]}, {"sentences": null}, {}, 3]}'
_WIDTH, _LONG, _BROKEN = "wrong_number_of_columns", "row_too_long", "broken_json"
_FILES += [
    Case("too few and too many columns", ("tsv", TSV + b"u\nu\ttwo\tthree\n\n"), Rows((None, _WIDTH, _WIDTH, _WIDTH)), LAION),
    Case(
        "a first line with one tab more, and no header", ("tsv", b"a\tb\tc\nu\tone\nu\ttwo\n", 1, False),
        Rows((_WIDTH, None, None)),
    ),
    Case("Latin-1 in a UTF-8 file", ("tsv", TSV + b"u\tcaf\xe9\nu\ttwo\n"), Rows((None, "bad_encoding", None))),
    Case(
        "a quotation mark that nothing closes",
        ("csv", b'url,text\nu,one\nu,"two\nu,three\n'),
        Rows((None, "unclosed_quote", None)),
    ),
    Case(
        "one that the next record's closes", ("csv", b'url,text\nu,"one\nu,"two"\nu,three\n'), 
        Rows(("unclosed_quote", None, None)),
    ),
    Case(
        "one that is closed by a third record, which makes too many columns",
        ("csv", b'url,text\nu,"one\nu,two\n"v",four\nu,five\n'),
        Rows(("unclosed_quote", None, None, None)),
    ),
    Case(
        "one that is closed after more lines than a record may have",
        ("csv", b'url,text\nu,"one\nu,two\nu,three\nu,four"\nu,five\n', "text", True, 3),
        Rows(("unclosed_quote", None, None, None, None)),
    ),
    Case("quotation marks within a word", ("csv", b'url,text\nu,a 5" plate\nu,"a" dog\n'), Rows((None, None))),
    Case("a field too long", ("csv", b'url,text\nu,one\nu,"' + b"x" * 200_000 + b'"\nu,two\n'), Rows((None, _LONG, None))),
    Case(
        "a line too long, of one column", ("csv", b"text\none\n" + b"x" * (2 * LONGEST_LINE) + b"\ntwo\n"),
        Rows((None, _LONG, None)),
    ),
    Case("a line too long", ("txt", b"one\n" + b"x" * (2 * LONGEST_LINE + 5) + b"\ntwo\n"), Rows((None, _LONG, None))),
    Case(
        "JSON lines of every bad kind", ("jsonl", _LINES),
        Rows((None, _BROKEN, "not_an_object", "not_text", "missing_column", "missing_value", _BROKEN, _BROKEN)),
    ),
    Case("what Python writes for no number, in lines", ("jsonl", b'{"text": "one", "score": NaN}\n'), Rows((None,))),
    Case(
        "a JSON array of every bad kind", ("json", _ARRAY),
        Rows((None, "not_an_object", "missing_value", "missing_column", None)),
    ),
    Case(
        "a list with what is no text", ("jsonl", b'{"text": ["one", 2, null, []]}\n{"text": []}'),
        Rows((None, "not_text", "missing_value", "not_text", "missing_value")),
    ),
    Case(
        "Latin-1 in a list in Parquet", ("parquet", parquet(text=[["one", "caf?s"], None]).replace(b"?", b"\xe9")),
        Rows((None, "bad_encoding", "missing_value")),
    ),
    Case("the line end of an old Mac in a line", ("txt", b"one\rtwo\nthree\n"), Rows(("stray_return", None))),
    Case("the same in a row of tabs", ("tsv", TSV + b"u\ttwo\rthree\n"), Rows((None, "stray_return"))),
    Case(
        "JSON of every bad kind in a tar",
        ("webdataset", tar({"1.json": '{"text": "one"}', "2.json": "{", "3.json": "[]", "4.json": '{"text": null}', "5.jpg": ""})),
        Rows((None, _BROKEN, "not_an_object", "missing_value", "no_caption")),
    ),
    Case("missing values", ("parquet", parquet(text=["one", None])), Rows((None, "missing_value")), LAION),
    Case(
        "images that img2dataset could not fetch", ("parquet", parquet(text=["one", "two", "three"], status=_STATUS)),
        Rows((None, "no_image", "no_image")),
    ),
    Case("another column called status", ("parquet", parquet(text=["one", "two"], status=["new", None])), Rows((None, None))),
    Case("images for testing in Karpathy's form", ("json", _KARPATHY, "raw"), Rows((None, None, "held_out", "held_out", None))),
    Case("Karpathy's form with another column", ("json", _KARPATHY, "caption"), Stops("it has raw, sentid")),
    Case("images without sentences in Karpathy's form", ("json", _LACKING, "raw"), Rows((None, *["not_an_object"] * 3))),
    Case("Latin-1 in Parquet", ("parquet", parquet(text=["one", "caf?s"]).replace(b"?", b"\xe9")), Rows((None, "bad_encoding"))),
    Case("a hundred thousand lists in one another, in lines", ("jsonl", _DEEP + b'\n{"text": "one"}'), Rows((_BROKEN, None))),
    Case("a hundred thousand lists in one another", ("json", b"[" + _DEEP + b', {"text": "one"}]'), Rows(("not_an_object", None))),
]  # fmt: skip

_CAPTIONS = [
    Case("nothing", "", Dropped("empty")),
    Case("a number", "12.5 - 3", Dropped("no_letters"), LAION),
    Case("an address", "http://www.foo.com/a-red-bus.html", Dropped("url_only"), LAION),
    Case("the name of a site", "tutorialblog.org", Dropped("url_only"), LAION),
    Case("the name of a picture", "red-bus-1.JPG", Dropped("file_name"), LAION),
    Case("a camera's name for it", "IMG_2041", Dropped("file_name")),
    Case("a letter", "a", Dropped("too_short")),
    Case("a bag of keywords", "dog " * 101, Becomes(("dog " * 60).strip()), LAION),
    Case("a long text: what a model reads of it", "A dog runs. " * 40, Becomes(("A dog runs. " * 20).strip(" ."))),
    Case("two words of an address", "Red+bus", Becomes("Red bus"), YFCC),
    Case("two words with an encoded space", "sleeping%20dog", Becomes("sleeping dog"), YFCC),
    Case("an encoded letter", "caf%C3%A9", Becomes("café"), YFCC),
    Case("a per cent sign in a word", "100%cotton", Becomes("100%cotton")),
    Case("a plus sign in a name", "C++", Dropped("too_short")),
    Case("a run of letters", "x" * 5000, Dropped("too_long")),
    Case("a run of plus signs", "+" * 20_000 + " sold", Dropped("too_long")),
    Case("a run of hyphens with a number", "a-" * 50_000 + "b 1.5", Dropped("too_long")),
    Case("German", "Ein Hund läuft auf der Straße", Dropped("not_english"), LAION),
    Case("two words of French", "Intellectuels communistes", Dropped("not_english"), LAION),
    Case("names at home in another language", "Berlin, Germany: Marx & Engels", Becomes("Berlin, Germany: Marx & Engels"), LAION),
    Case("Spanish", "un perro en la calle", Dropped("not_english"), LAION),
    Case("Russian", "собака на улице", Dropped("not_english"), LAION),
    Case("Japanese", "赤いバス", Dropped("not_english"), LAION),
    Case("HTML's names for characters", "fish &amp;amp; chips&nbsp;to go", Becomes("fish & chips to go"), LAION),
    Case("tags", "<b>a dog</b><script>alert(1)</script>", Becomes("a dog alert(1)"), LAION),
    Case("what CC12M has for a name", "<PERSON> and <PERSON> at the premiere", Becomes("person and person at the premiere")),
    Case("hyphens between spaces", "a black - and - white photo", Becomes("a black-and-white photo"), CC3M),
    Case("a dash between spaces", "A dog - in the park", Becomes("A dog - in the park")),
    Case("a space without width", "two\u200bdogs", Becomes("two dogs"), LAION),
    Case("tabs and ends of lines", "two\tdogs\r\n on a  mat", Becomes("two dogs on a mat"), LAION),
    Case("UTF-8 that was read as Latin-1", "a schÃ¶n house", Becomes("a schön house"), LAION),
    Case("a name that became 'person'", "person on the red carpet .", Becomes("person on the red carpet"), CC3M),
    Case(
        "the spaces of a tokeniser", "a dog , two cats and the man 's hat .", Becomes("a dog, two cats and the man's hat"), FLICKR
    ),
]

_DESCRIPTIONS = [
    Case("white space only", " \n ", Dropped("empty"), VG),
    Case("points only", "...", Dropped("empty")),
    Case("a number only", "12", Dropped("no_letters"), VG),
    Case("capitals", "THE TOILET IS WHITE", Becomes("the toilet is white"), VG),
    Case("a final period", "the bus is red.", Becomes("the bus is red"), VG),
    Case("stray white space and ends of lines", "  a red\n bus \t", Becomes("a red bus"), VG),
    Case("a misspelling: bckground", "trees in bckground", Becomes("trees in background"), VG),
    Case("a misspelling: foilage", "green foilage", Becomes("green foliage"), VG),
    Case("a misspelling: prked", "a prked car", Becomes("a parked car"), VG),
    Case("a misspelling: pedestrain", "pedestrain on a street", Becomes("pedestrian on a street"), VG),
    Case("a misspelling: no.plate", "no.plate of the car", Becomes("number plate of the car"), VG),
    Case("words written together", "a tree ontop of a hill", Becomes("a tree on top of a hill"), VG),
]


def _put(name: str, data: bytes) -> Callable[[Path], Any]:
    return lambda folder: (folder / name).write_bytes(data)


_FOLDERS = [
    Case("a folder that is a link, and one that leads back", _linked, Becomes("a.tsv (1), b.tsv (3)")),
    Case("a shard packed by gzip", _put("b.tsv.gz", gzip.compress(TSV)), Becomes("a.tsv (1), b.tsv.gz (1)")),
    Case("a shard packed by bzip2", _put("b.tsv.bz2", bz2.compress(TSV)), Becomes("a.tsv (1), b.tsv.bz2 (1)")),
    Case("a shard packed by zstd", _put("b.TSV.zst", zstd(TSV)), Becomes("a.tsv (1), b.TSV.zst (1)")),
    Case("a shard packed in another way", _put("b.tsv.lz4", TSV), Stops("b.tsv.lz4: does not end in .tsv, .tsv.gz")),
    Case("a shard that was not fetched to its end", _put("b.tsv.part", TSV), Stops("b.tsv.part: does not end in")),
    Case("a broken link", lambda folder: (folder / "b.tsv").symlink_to("nowhere"), Stops("b.tsv: is a broken link")),
    Case("a folder that is a broken link", lambda folder: (folder / "more").symlink_to("nowhere"), Stops("is a broken link")),
    Case("a shard that lies there packed, too", _put("a.tsv.gz", gzip.compress(TSV)), Stops("would be counted twice")),
    Case("a shard that is linked again", lambda folder: (folder / "b.tsv").symlink_to("a.tsv"), Stops("would be counted twice")),
    Case("a checksum", _put("a.tsv.sha256", b"0"), Becomes("a.tsv (1)")),
    Case("a hidden file", _put(".b.tsv", TSV), Becomes("a.tsv (1)")),
    Case("files of other kinds", _put("readme.md", TSV), Becomes("a.tsv (1)")),
]

READERS = [
    Reader("Files of captions", "captions.", _file, _FILES),
    Reader("Folders of shards", "captions", _folder, _FOLDERS),
    Reader("Captions of a training set", "", _caption, _CAPTIONS),
    Reader("Descriptions of regions", "", _description, _DESCRIPTIONS),
]
