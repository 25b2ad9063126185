"""The stage ``analyse`` after the stage ``train``, on two pictures, with generations, a codebook, or neither."""

import io
import json

import pytest
from PIL import Image

from stages import analyse
from stages.analyses import generations
from stages.contract import tables
from stages.page.iterated import crops_of, section
from stages.training import agents
from tests.test_train import as_it_was, folder, learn, world  # noqa: F401  fixtures
from tests.training import made

ARGUMENTS = "--model model --texts texts.parquet --images images --truth truth.parquet --regions regions.parquet --work work "
ARGUMENTS += "--metrics analyse.json"


def of_colour(kind, colour, x):
    thing = {"kind": kind, "colour": colour, "pattern": "plain", "size": "", "state": ""}
    return thing | {"x": x, "y": 10, "width": 80, "height": 80}


@pytest.fixture
def pictures(folder, monkeypatch):  # noqa: F811
    """Return a folder with two pictures and the table of their truth, and let agents have tiny towers."""
    monkeypatch.setattr(agents, "describe", lambda folder, *_: made.describe(folder))
    (folder / "images").mkdir()
    rows = []
    for image_id, (one, other) in enumerate([("red", "blue"), ("green", "white")], 1):
        with Image.open(io.BytesIO(made.jpeg(made.COLOURS[one], made.COLOURS[other], 400))) as picture:
            picture.save(folder / "images" / f"{image_id}.jpg")
        row = {"image_id": image_id, "image_width": 400, "image_height": 400, "theme": "table", "doubtful": []}
        row["things"] = [of_colour("cup", one, 20), of_colour("plate", other, 220)]
        rows.append(row | {"relations": [{"subject": 0, "relation": "left of", "object": 1}]})
    tables.write("truth", folder / "truth.parquet", rows)
    return folder


def analysed(monkeypatch, folder, **changes):  # noqa: F811
    learn(monkeypatch, folder, **changes)
    monkeypatch.setattr("sys.argv", ["analyse", *ARGUMENTS.split()])
    analyse.main()
    return json.loads((folder / "analyse.json").read_text())


def test_generations_are_kept_and_measured(pictures, monkeypatch, capsys):
    """Six steps are a warm-up, two generations of two steps each, and one last step."""
    found = analysed(monkeypatch, pictures, method="iterated")
    assert "iterated, 3 generations" in capsys.readouterr().out
    assert found["loss"]["spawns"] == [1, 3] and found["loss"]["steps"] == [0, 1, 2, 3, 4, 5]
    assert sorted(path.name for path in (pictures / "model/generations").iterdir()) == ["000", "001"]
    about = json.loads((pictures / "model/generations/001/training.json").read_text())
    assert len(about["losses"]) == 3 and about["spawns"] == [1]
    assert len(found["generations"]) == 3
    assert all(of["lipschitz"]["image"] > 0 and len(of["lesson"]["accuracy"]) == 2 for of in found["generations"])
    assert found["codebook"]["codes"] == 8 and found["codebook"]["crops"] == 6
    shown = section(found, crops_of(found, pictures / "images", 1))
    assert [drawing.name for drawing in shown.drawings][:4] == ["loss", "lipschitz", "teaching", "codes_1"]
    assert sum(drawing.svg.count("<image ") for drawing in shown.drawings) >= 6, "each crop has a code"


def test_a_codebook_alone_is_one_generation(pictures, monkeypatch):
    found = analysed(monkeypatch, pictures, method="codebook")
    assert len(found["generations"]) == 1 and found["loss"]["spawns"] == [] and found["codebook"]["top"]
    shown = section(found, crops_of(found, pictures / "images", 1))
    assert [drawing.name for drawing in shown.drawings][:3] == ["loss", "teaching", "codes_1"]


def test_lessons_are_of_the_pairs_that_were_trained_on(pictures, monkeypatch):
    """Captions with nothing to exchange that training left out are also left out of its lessons."""
    rows = [
        row | {"negatives": row["negatives"][: "red" in row["caption"]]} for row in tables.read("text_negatives", "texts.parquet")
    ]
    tables.write("text_negatives", pictures / "texts.parquet", rows)
    taught = []
    monkeypatch.setattr(generations, "measured", lambda settings, model, of, *_: taught.append(of) or [])
    for way in ("keep", "drop"):
        analysed(monkeypatch, pictures, method="iterated", without_negatives=way)
    trained = json.loads((pictures / "m.json").read_text())["kept"]
    every, left = ([caption for of_image in of.material.captions for caption in of_image] for of in taught)
    assert len(left) == trained < len(every) and all("red" in caption and caption != "a cup" for caption in left)
    assert len(taught[1].keys) == len(taught[1].pictures.pictures) == len(taught[1].material.captions)


def test_a_killed_run_goes_on_with_the_generation_it_was_at(pictures, monkeypatch):
    lesson, given = generations.lesson, []

    def killed(settings, teacher, *rest):
        given.append(teacher.name)
        if len(given) == 2:
            raise KeyboardInterrupt
        return lesson(settings, teacher, *rest)

    monkeypatch.setattr(generations, "lesson", killed)
    with pytest.raises(KeyboardInterrupt):
        analysed(monkeypatch, pictures, method="iterated")
    analyse.main()
    assert given == ["000", "001", "001", "model"] and not (pictures / "work").exists()


def test_generations_without_a_codebook(pictures, monkeypatch):
    found = analysed(monkeypatch, pictures, method="iterated", **{"iterated.codebook": False})
    assert len(found["generations"]) == 3 and "codebook" not in found
    assert section(found, {}) is not None


def test_of_other_methods_there_is_nothing_to_say(pictures, monkeypatch):
    (pictures / "truth.parquet").unlink()
    assert analysed(monkeypatch, pictures, method="clip") == {}
    assert section({}, {}) is None
