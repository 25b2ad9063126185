"""Whatever ``--out`` names, no command removes what it did not write. ``test_faults.py`` tests stages in this way."""

import importlib
import json
import re
from pathlib import Path

import pytest
from PIL import Image

from stages.contract.errors import run
from stages.models import zeroshot
from tests.models.made import write_images
from tests.models.test_zeroshot import ByColour
from tests.page import made
from tests.parser_training.test_treebank import CONLLU
from tests.running import ROOT, loading, write_parameters
from tests.suites.made import write_pipeline

TABLES = "--atom atom.parquet --comp comp.parquet --prod prod.parquet --regions regions.parquet --images images"
WRITE_A_FILE = {
    "page.sheet": "--queries atom.parquet --captions captions.parquet --images images",
    "models.zeroshot": "classes --model tiny",
    "parser_training.__main__ trees": "--train train.conllu",
    "parser_training.learn": "gold.csv",
}
WRITE_A_FOLDER = {
    "suites.export webdataset": TABLES,
    "suites.export official": TABLES,
    "suites.export sugarcrepe": TABLES,
    "parser_training.__main__ make": "--train train.conllu --dev train.conllu --captions gold.csv --steps 1",
}
WRITE_INTO_A_FOLDER = {
    "page.compare": "workspace --ranks ranks.parquet --metrics evaluate.json",
}
COMMANDS = WRITE_A_FILE | WRITE_A_FOLDER | WRITE_INTO_A_FOLDER


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with everything that the commands read."""
    folder = tmp_path_factory.mktemp("inputs")
    write_parameters(folder / "params.yaml", {"sheet.queries": 1.0, "sheet.captions": 1.0})
    write_pipeline(folder, [1, 2])
    write_images(folder / "images", [1, 2])
    made.write_ranks(folder / "ranks.parquet", 50)
    (folder / "evaluate.json").write_text(json.dumps(made.metrics_of(folder / "ranks.parquet")))
    for colour in ("red", "blue"):
        (folder / "classes" / colour).mkdir(parents=True)
        Image.new("RGB", (8, 8), colour).save(folder / "classes" / colour / "1.png")
    (folder / "train.conllu").write_text(f"{CONLLU}\n" * 40)
    (folder / "gold.csv").write_text('caption,scene_graph\na red dog,"( dog , is , red )"\n')
    return folder


@pytest.fixture
def call(inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(inputs)
    tiny = {"tiny": {"family": "dual", "checkpoint": "x", "trained_on": "cc12m"}}

    def call(command: str, out: Path) -> str:
        """Run the command and return the error with which it ends, or "" if it succeeds."""
        module, *more = command.split()
        if module == "models.zeroshot":
            monkeypatch.setattr(zeroshot.params, "load", loading(models=tiny))
            monkeypatch.setattr(zeroshot, "load_dual", lambda *_: ByColour())
        monkeypatch.setattr("sys.argv", [module, *more, *COMMANDS[command].split(), "--out", str(out)])
        try:
            run(importlib.import_module(f"stages.{module}").main)
        except SystemExit as ended:
            return str(ended.code)
        return ""

    return call


def told(line: str) -> bool:
    """Return whether it is one line with a remedy, and not an internal error."""
    return line.startswith("error: ") and "\n" not in line and "Remedy: " in line and "should not happen" not in line


def full(folder: Path) -> Path:
    """Create a folder with somebody's work in it."""
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "thesis.tex").write_text("years")
    return folder


def test_every_command_that_writes_is_among_them() -> None:
    scripts = (path for path in (ROOT / "stages").glob("*/**/*.py") if "__main__" in path.read_text())
    writing = {path for path in scripts if re.search(r'"(--)?out"', path.read_text())}
    assert {".".join(path.relative_to(ROOT / "stages").with_suffix("").parts) for path in writing} == {
        command.split()[0] for command in COMMANDS
    }


@pytest.mark.parametrize("command", [pytest.param(c, marks=pytest.mark.heavy if "make" in c else ()) for c in COMMANDS])
def test_a_full_folder_stays(call, command: str, tmp_path: Path) -> None:
    line = call(command, full(tmp_path / "mine"))
    assert line == "" if command in WRITE_INTO_A_FOLDER else told(line), line
    assert (tmp_path / "mine" / "inner" / "thesis.tex").read_text() == "years"
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert command in WRITE_INTO_A_FOLDER or [path.name for path in (tmp_path / "mine").rglob("*")] == ["inner", "thesis.tex"]


@pytest.mark.parametrize("command", WRITE_A_FILE | WRITE_A_FOLDER)
def test_the_folder_that_one_is_in_stays(call, command: str, inputs: Path) -> None:
    before = sorted(inputs.rglob("*"))
    assert told(call(command, Path()))
    assert sorted(inputs.rglob("*")) == before


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_in_the_place_of_a_folder_stays_and_one_in_the_place_of_a_file_is_replaced_whole(
    call, command: str, tmp_path: Path
) -> None:
    (tmp_path / "mine").write_text("years")
    line = call(command, tmp_path / "mine")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    if command in WRITE_A_FILE and line == "":
        assert (tmp_path / "mine").read_bytes() != b"years"
    else:
        assert told(line), line
        assert (tmp_path / "mine").read_text() == "years"
