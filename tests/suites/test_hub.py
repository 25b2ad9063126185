"""Tests of the published data set: ``datasets`` loads it by its card, and lmms-eval's tasks are consistent with it."""

import dataclasses
import doctest
import importlib.util
import io
import sys
import time

import datasets
import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image
from ruamel.yaml import YAML

from stages.contract import tables
from stages.evaluation.sets import Query, RetrievalSet
from stages.graphs.graph import SceneGraph
from stages.images.crops import Crop, ImageFolder
from stages.suites import aro, crepe, export, hub, lmms_utils
from tests.models.made import write_images
from tests.suites.made import query, write_pipeline


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hub")
    write_pipeline(folder, [1, 2, 3])
    write_images(folder / "images", [1, 2, 3])
    crop = {"image_id": 2, "x": 0, "y": 0, "width": 40, "height": 30}
    graph = SceneGraph(("dog", "tree"), (), ((0, "behind", 1),))
    case = query(
        "aro-relation-2-0", "VG-Relation", crop, 3, "the dog is behind the tree", graph, ["the tree is behind the dog"], ["behind"]
    )
    tables.write("queries", folder / "aro.parquet", [case])
    paths = {"atom": "atom.parquet", "comp": "comp.parquet", "prod": "prod.parquet", "aro": "aro.parquet", "images": "images"}
    argv = [part for key, value in paths.items() for part in (f"--{key}", str(folder / value))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["export", "huggingface", "--out", str(folder / "out"), *argv])
        export.main()
    return folder


def ours(made):
    sets = [*crepe.systematicity(made / "atom.parquet", made / "comp.parquet"), *crepe.productivity(made / "prod.parquet")]
    return [*(s for s in sets if s.protocol == "cleared"), *aro.made(made / "aro.parquet")]


def test_datasets_loads_every_set_by_its_card(made, tmp_path):
    datasets.disable_progress_bars()
    sets = ours(made)
    names = sorted({f"{s.suite}_{s.name}" for s in sets})
    assert sorted(datasets.get_dataset_config_names(str(made / "out"))) == names and "aro_relation" in names and "prod_all" in names
    for name in names:
        rows = datasets.load_dataset(str(made / "out"), name, split="test", cache_dir=str(tmp_path))
        assert isinstance(rows.features["image"], datasets.Image)
        own = {s.query.query_id: s for s in sets if f"{s.suite}_{s.name}" == name}
        assert len(rows) == len(own)
        for row in rows:
            s = own[row["query_id"]]
            assert row["captions"][row["label"]] == s.truth and sorted(row["captions"]) == sorted(s.texts)
            assert row["image"].size == (40, 30) and row["edits"][row["label"]] == ""
    assert len({row["label"] for row in rows}) > 1, "where the true caption stands tells nothing"


def test_the_table_holds_the_crops(made):
    (row,) = pq.read_table(made / "out" / "data" / "aro_relation" / "test.parquet").to_pylist()
    assert Image.open(io.BytesIO(row["image"]["bytes"])).size == (40, 30) and row["image"]["path"] is None


def test_the_tasks_of_lmms_eval_hang_together(made):
    folder = made / "out" / "lmms_eval"
    yaml = YAML(typ="safe", pure=True)
    yaml.constructor.add_constructor("!function", lambda loader, node: node.value)
    files = {path.name: yaml.load(path) for path in folder.iterdir() if path.suffix != ".py"}
    group = files.pop("crepe.yaml")
    common = files.pop("_default_template_yaml")
    assert group["group"] == "crepe" and sorted(group["task"]) == sorted(of["task"] for of in files.values())
    assert {of["dataset_name"] for of in files.values()} == {path.name for path in (made / "out" / "data").iterdir()}
    assert all(of["include"] == "_default_template_yaml" for of in files.values())
    spec = importlib.util.spec_from_file_location("utils", folder / "utils.py")
    utils = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(utils)
    named = [value for key, value in common.items() if key.startswith(("doc_to", "process"))]
    assert all(callable(getattr(utils, value.removeprefix("utils."))) for value in named)
    assert [metric["metric"] for metric in common["metric_list"]] == ["accuracy", "unparsed"]


def test_what_a_model_is_asked_and_what_its_answer_counts():
    assert doctest.testmod(lmms_utils).failed == 0
    doc = {"captions": ["a cat", "a dog", "a cup"], "label": 1}
    prompt = lmms_utils.doc_to_text(doc, {"pre_prompt": hub.BEFORE, "post_prompt": hub.AFTER})
    assert prompt == f"{hub.BEFORE}A. a cat\nB. a dog\nC. a cup{hub.AFTER}" and lmms_utils.doc_to_target(doc) == "B"
    scores = [lmms_utils.process_results(doc, [said])["accuracy"] for said in ("B", "b.", "A dog.", "The answer is B.", "(B)")]
    scores += [lmms_utils.process_results(doc, [said])["accuracy"] for said in ("Answer: a dog", "The answer is B because")]
    assert scores == [1.0] * 7
    assert lmms_utils.answer("Answer: a zebra", doc["captions"]) is None
    assert lmms_utils.answer('a sign that says "stop".', ["a sign", 'a sign that says "stop"']) == 1
    assert [lmms_utils.answer(said, doc["captions"]) for said in ("**B**", "B\n\nThe picture shows", '"a dog"')] == [1, 1, 1]
    scores = [lmms_utils.process_results(doc, [said])["accuracy"] for said in ("A", "", "a big cat", "D", "Beautiful")]
    assert scores == [0.0] * 5


def test_a_column_a_caption(made, monkeypatch, tmp_path):
    """Harnesses that compare columns read it with the true caption first, and no negative is left out."""
    datasets.disable_progress_bars()
    paths = {"atom": "atom.parquet", "comp": "comp.parquet", "prod": "prod.parquet", "aro": "aro.parquet", "images": "images"}
    argv = [part for key, value in paths.items() for part in (f"--{key}", str(made / value))]
    monkeypatch.setattr(sys, "argv", ["export", "columns", "--out", str(tmp_path / "out"), *argv])
    export.main()
    sets = ours(made)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["README.md", "data"]
    for name in sorted({f"{s.suite}_{s.name}" for s in sets}):
        rows = datasets.load_dataset(str(tmp_path / "out"), name, split="test", cache_dir=str(tmp_path / "cache"))
        own = {s.query.query_id: s for s in sets if f"{s.suite}_{s.name}" == name}
        assert len(rows) == len(own) and rows.column_names[:3] == ["query_id", "image", "caption"]
        for row in rows:
            s = own[row["query_id"]]
            assert (row["caption"], *(row[f"negative_{i + 1}"] for i in range(len(s.negatives)))) == s.texts
            assert row["image"].size == (40, 30)


def test_sets_of_another_size_have_a_configuration_of_their_own(made):
    (one, two, *others) = (s for s in ours(made) if (s.suite, s.name) == ("prod", "swap"))
    short = dataclasses.replace(one, negatives=one.negatives[:2], edits=one.edits[:2])
    found = hub.of_one_size({"prod_swap": [short, two, *others]})
    assert list(found) == ["prod_swap_of_3", "prod_swap"] and found["prod_swap_of_3"] == [short]


def noise(width, height):
    return Image.fromarray(np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8))


@pytest.mark.parametrize(
    "image",
    [noise(1, 1), noise(1, 7), noise(9, 1), noise(64, 48), Image.new("RGB", (300, 200), (255, 0, 7))],
    ids=lambda image: "x".join(map(str, image.size)),
)
def test_a_png_has_the_pixels_of_its_crop(image):
    again = Image.open(io.BytesIO(hub.to_png(image)))
    again.load()
    assert (again.format, again.mode, again.size) == ("PNG", "RGB", image.size)
    assert again.tobytes() == image.tobytes()


def test_a_picture_of_several_rows_is_in_the_file_once(tmp_path):
    (tmp_path / "images").mkdir()
    for i in (1, 2, 3):
        noise(64, 64 + i).save(tmp_path / "images" / f"{i}.png")
    numbers = [i // 40 + 1 for i in range(120)]
    sets = [RetrievalSet("some", "one", Query(f"{i:03}", Crop.whole(n)), "a", ("b",), ("",)) for i, n in enumerate(numbers)]
    assert hub.in_columns(tmp_path / "out", [(sets, ImageFolder(tmp_path / "images"))], 1) == 120
    path = tmp_path / "out" / "data" / "some_one" / "test.parquet"
    rows = pq.read_table(path).to_pylist()
    assert [row["query_id"] for row in rows] == [s.query.query_id for s in sets]
    pictures = [hub.to_png(noise(64, 64 + i)) for i in (1, 2, 3)]
    assert [row["image"]["bytes"] for row in rows] == [pictures[n - 1] for n in numbers]
    assert path.stat().st_size < 5 * len(pictures[0]), "two row groups share one of the three"


TWO = ["a dog on a mat", "a cat on a mat"]


@pytest.mark.parametrize(
    "said",
    [
        *("<answer>B</answer>", "[B]", r"\boxed{B}", r"$\boxed{\text{B}}$", "B is correct.", "Caption B", "It's B", "Ans: B"),
        *("The correct answer is caption B.", "The letter is B", "The correct caption is: a cat on a mat", "(B)", "b", "Option B."),
        *("<think>A dog? It looks like A.</think>B", "A dog would bark, and caption A says so. So the answer is B.", "B)", "b)"),
        *(
            "Reasoning: an animal sits there.\n\nB",
            "Caption A is wrong. Caption B is correct.",
            "The best option is (B)",
            "Answer: [B]",
        ),
        *(
            "The image shows a cat on a mat.\nAnswer: B",
            "Option B is correct. Option A is incorrect.",
            "<answer> B",
            "The answer is B because",
        ),
    ],
)
def test_readable_answers_are_read(said):
    assert lmms_utils.answer(said, TWO) == 1
    assert lmms_utils.process_results({"captions": TWO, "label": 1}, [said]) == {"accuracy": 1.0, "unparsed": 0.0}


@pytest.mark.parametrize(
    "said",
    [
        *("A cat sits there", "a cat", "This is a picture of a cat", "The answer is a cat", "I see A cat and A mat", "It's a cat"),
        *("Caption A or caption B", "", "I cannot tell", "Both", "The caption is A dog that sits", "C", "Baffling"),
    ],
)
def test_no_letter_is_read_where_there_is_none(said):
    assert lmms_utils.answer(said, TWO) is None
    assert lmms_utils.process_results({"captions": TWO, "label": 0}, [said]) == {"accuracy": 0.0, "unparsed": 1.0}


@pytest.mark.parametrize(
    "said", ["A", "A.", "A is correct", "The answer is A.", "Answer: A, since it barks", "A - a dog", "Caption A."]
)
def test_the_letter_a_is_read(said):
    assert lmms_utils.answer(said, TWO) == 0


@pytest.mark.parametrize("piece", ["<answer>", "(A", "answer is ", "\\boxed{", "caption A ", "[", "\n"])
def test_an_answer_of_any_length_takes_no_time(piece):
    started = time.process_time()
    lmms_utils.answer(piece * 100_000, TWO)
    assert time.process_time() - started < 2
