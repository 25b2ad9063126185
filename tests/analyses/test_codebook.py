"""The command on a tiny folder of a model, with a world of two pictures; and on what it cannot look at."""

import io
import json
import sys

import numpy as np
import pytest
import torch
from PIL import Image

from stages.analyses import codebook, drawings, generations
from stages.analyses.codebook import purities, report
from stages.analyses.codes import Purity
from stages.contract import tables
from stages.contract.errors import CrepeError, InputError
from stages.contract.files import write_json
from stages.parameters import params
from stages.parameters.sections import Models
from stages.training import agents
from tests.running import loading
from tests.training import made


def of_colour(kind, colour, x):
    thing = {"kind": kind, "colour": colour, "pattern": "plain", "size": "", "state": ""}
    return thing | {"x": x, "y": 10, "width": 80, "height": 80}


@pytest.fixture
def world(tmp_path, monkeypatch):
    """A model as the stage ``train`` writes it, two pictures, and the table of their truth."""
    monkeypatch.setattr(agents, "describe", lambda folder, *_: made.describe(folder))
    monkeypatch.setattr(params, "load", loading(run={"workers": 1}, evaluate={"device": "cpu", "batch": 4}))
    training = made.training(tmp_path / "made", method="codebook")
    agents.write(training.agents, tmp_path / "model", training.settings, Models({}), training.tokens.used)
    write_json(tmp_path / "model/training.json", {"training_set": "cc12m", "losses": [3.0, 2.0, 1.0], "spawns": [1]})
    rows = []
    for image_id, (one, other) in enumerate([("red", "blue"), ("green", "white")], 1):
        with Image.open(io.BytesIO(made.jpeg(made.COLOURS[one], made.COLOURS[other], 400))) as picture:
            picture.save(tmp_path / f"{image_id}.jpg")
        row = {"image_id": image_id, "image_width": 400, "image_height": 400, "theme": "table", "doubtful": []}
        row["things"] = [of_colour("cup", one, 20), of_colour("plate", other, 220)]
        rows.append(row | {"relations": [{"subject": 0, "relation": "left of", "object": 1}]})
    tables.write("truth", tmp_path / "truth.parquet", rows)
    return tmp_path


def command(monkeypatch, folder, *more):
    monkeypatch.setattr(sys, "argv", ["codebook", "--images", str(folder), "--out", str(folder / "out"), *map(str, more)])
    codebook.main()


def test_the_command_writes_tables_and_drawings(world, monkeypatch, capsys):
    arguments = ("--model", world / "model", "--truth", world / "truth.parquet")
    command(monkeypatch, world, *arguments)
    text = (world / "out/codebook.md").read_text()
    assert text in capsys.readouterr().out
    assert "| codes | 12 |" in text and "| crops | 6 |" in text and "| relation |" in text
    sheet = (world / "out/codes.svg").read_text()
    assert sheet.count("<image ") >= 6, "each crop has a code"
    assert "data:image/jpeg;base64," in sheet and "http:" not in sheet.replace("http://www.w3.org/2000/svg", "")
    first = {path.name: path.read_bytes() for path in (world / "out").iterdir()}
    assert set(first) == {"codebook.md", "codes.svg", "loss.svg"}
    command(monkeypatch, world, *arguments)
    assert {path.name: path.read_bytes() for path in (world / "out").iterdir()} == first


def test_one_table_gives_the_crops(world, monkeypatch):
    with pytest.raises(CrepeError, match="either --truth or --regions"):
        command(monkeypatch, world, "--model", world / "model")


def test_a_model_without_codebook_is_said(world, monkeypatch):
    (world / "model/codebook.json").unlink()
    with pytest.raises(InputError, match="has no codebook"):
        command(monkeypatch, world, "--model", world / "model", "--truth", world / "truth.parquet")


def test_tables_of_a_hand_made_codebook():
    """The most used code comes first, with its word and what it agrees with; a code without weight is not shown."""
    weights = np.array([[0.25, 0.75, 0], [0.25, 0.75, 0]], dtype=np.float32)
    labels = [{"kind": frozenset({"cup"})}, {"kind": frozenset({"cup"}), "colour": frozenset({"red"})}]
    agree, best = purities(weights, labels), purities(weights, labels, of_best=True)
    assert isinstance(agree["kind"], Purity) and set(agree) == {"kind", "colour"}
    text, shown = report(weights, np.array([[0, 1.0, 0], [0, 0, 1.0]]), ["cup", "dog"], agree, best)
    assert shown == [1, 0]
    assert "| 1 | cup | cup 1.00 | red 1.00 | 75.00 |" in text and "| 0 | – | cup 1.00 | red 1.00 | 25.00 |" in text


def test_words_on_the_sheet_are_no_markup(tmp_path):
    drawings.sheet(tmp_path / "codes.svg", [("code 1", "<script>", [])])
    assert "<script>" not in (tmp_path / "codes.svg").read_text()


def test_generations_by_the_command(world, monkeypatch, capsys):
    """From pairs of files, one of them no picture, to tables and drawings: each generation with a row, and a model of its own."""
    lines = ["image\tcaption", "bad.png\ta cup"]
    (world / "bad.png").write_bytes(b"no picture")
    for a, b in made.PAIRS:
        (world / f"{a}-{b}.png").write_bytes(made.jpeg(made.COLOURS[a], made.COLOURS[b]))
        lines.append(f"{a}-{b}.png\ta {a} cup and a {b} plate")
    (world / "pairs.tsv").write_text("\n".join(lines) + "\n")
    source = {"path": str(world / "pairs.tsv"), "format": "tsv", "caption": "caption", "image": "image", "header": True}
    settings = made.settings(steps=12, pairs=source | {"images": str(world)})
    monkeypatch.setattr(params, "load", loading(run={"workers": 1}, train=settings, models=Models({})))
    for setting in ("use_deterministic_algorithms", "set_num_threads"):
        monkeypatch.setattr(torch, setting, lambda *_, **__: None)
    monkeypatch.setattr(sys, "argv", ["generations", "--out", str(world / "kept")])
    generations.main()
    text = (world / "kept/generations.md").read_text()
    assert text in capsys.readouterr().out
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| 0")]
    assert [row[0] for row in rows] == ["| 000", "| 001", "| 002"] and all(float(row[1]) > 0 for row in rows)
    drawn = {path.name for path in (world / "kept").iterdir() if path.is_file()}
    assert drawn == {"generations.md", "lipschitz.svg", "teaching.svg", "loss.svg"}
    about = json.loads((world / "kept/generation_001/training.json").read_text())
    assert len(about["losses"]) == 6 and about["spawns"] == [2]
