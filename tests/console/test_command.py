"""A stage does not start if its command line names places that cannot be written."""

from pathlib import Path
from typing import NamedTuple

import pytest

from stages.console import command
from stages.contract.errors import InputError


class Options(NamedTuple):
    """Options of a stage that reads a file, and writes a file and a folder."""

    read: Path
    table: command.Output
    drawings: command.OutputFolder


@pytest.mark.parametrize("option", ["table", "drawings"])
def test_a_place_that_cannot_be_written_is_told_before_the_stage_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine" / "inner").mkdir(parents=True)
    for place in ("mine/file", "mine/inner/thesis.tex"):
        Path(place).write_text("years")
    places = {"read": "mine/inner", "table": "new/table", "drawings": "drawings"}
    words = [word for name, path in places.items() for word in (f"--{name}", path)]
    monkeypatch.setattr("sys.argv", ["stage", *words])
    assert command.parse(Options, "") == (Path("mine/inner"), Path("new/table"), Path("drawings"))
    assert sorted(map(str, Path().rglob("*"))) == ["mine", "mine/file", "mine/inner", "mine/inner/thesis.tex"], "nothing is left"
    for taken in {"table": "mine/inner", "drawings": "mine/file"}[option], "mine/file/below":
        monkeypatch.setattr("sys.argv", ["stage", *words, f"--{option}", taken])
        with pytest.raises(InputError, match=r"mine/\w+: is a "):
            command.parse(Options, "")
    assert Path("mine/file").read_text() == Path("mine/inner/thesis.tex").read_text() == "years"
