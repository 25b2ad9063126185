"""An error about unreadable JSON names the file, the line and the remedy."""

import json
from pathlib import Path

import pytest

from stages.contract.errors import InputError
from stages.contract.json_files import read_json, read_json_lines


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "no such file"),
        ("{", "is not JSON"),
        ("[" * 100_000, "nested too deep"),
        (b"\xff", "is not JSON"),
        ('[{"a": 1, "a": 1}]', "key 'a' twice"),
    ],
)
def test_json_that_cannot_be_read(tmp_path: Path, text: str | bytes | None, says: str) -> None:
    path = tmp_path / "a.json"
    if text is not None:
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(InputError, match=rf"a\.json: .*{says}.*Remedy: again\."):
        read_json(path, "again")
    path.write_text(json.dumps({"a": 1}))
    assert read_json(path, "again") == {"a": 1}


def test_json_lines_end_where_a_line_ends_and_an_error_names_its_line(tmp_path: Path) -> None:
    """A Unicode line separator within a text does not end the line."""
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": "one\u2028two"}\r\n\n[1]\n', encoding="utf-8")
    assert read_json_lines(path, "again") == [{"a": "one\u2028two"}, [1]]
    path.write_text("[1]\n\n[\n")
    with pytest.raises(InputError, match=r"a\.jsonl, row 3: is not JSON"):
        read_json_lines(path, "again")
