"""The sample as a whole: formats, faults, thresholds, and images that do not depend on how many there are."""

import csv
import hashlib
import json
import re

import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image

from stages.contract import tables
from stages.parameters.sections import Sample
from stages.sample import sample
from stages.world.build import YFCC_COLUMNS
from stages.world.corpora import CORPORA
from tests.running import run_stage, section

SETTINGS = {"seed": 7, "images": 24, "regions": 40, "training_images": 300, "web_faults": 0.06}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample") / "one"
    ledger, counts = sample(folder, section(Sample, **SETTINGS), workers=1)
    return folder, ledger, counts


def digests(folder):
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_more_images_leave_the_first_as_they_are(made, tmp_path):
    """Each image is drawn from its number alone, so that a miniature is a part of the whole."""
    sample(tmp_path / "fewer", section(Sample, **SETTINGS | {"images": 3}), workers=1)
    few = digests(tmp_path / "fewer")
    assert {name: digest for name, digest in few.items() if name.endswith(".jpg")}.items() <= digests(made[0]).items()


def test_visual_genome_files(made):
    folder, ledger, counts = made
    home = folder / "visual_genome"
    images, regions, graphs = (
        json.loads((home / f"{name}.json").read_text()) for name in ("image_data", "region_descriptions", "scene_graphs")
    )
    assert set(images[0]) == {"width", "url", "height", "image_id", "coco_id", "flickr_id"}
    assert set(regions[0]) == {"regions", "id"}
    assert set(regions[0]["regions"][0]) == {"region_id", "image_id", "phrase", "x", "y", "width", "height"}
    assert set(graphs[0]) == {"image_id", "objects", "relationships"}
    assert len(graphs) == 24 and len(images) < 24, "an image without its row is one of the faults"
    every = [region for image in regions for region in image["regions"]]
    assert len({region["region_id"] for region in every}) == len(every) == ledger.kept
    assert ledger.rows_in == ledger.kept + ledger.dropped.total()
    for image in regions:
        paths = list(home.glob(f"*/{image['id']}.jpg"))
        assert len(paths) == 1 and Image.open(paths[0]).size == (800, 600)
    assert counts["images"] == 24


def test_many_regions_pass_the_papers_thresholds_and_many_do_not(made):
    every = [r for image in json.loads((made[0] / "visual_genome/region_descriptions.json").read_text()) for r in image["regions"]]
    fit = np.array([r["width"] * r["height"] >= 48_000 and 0.5 <= r["width"] / r["height"] <= 2 for r in every])
    assert 0.3 < fit.mean() < 0.75


def test_faults_are_there(made):
    home = made[0] / "visual_genome"
    phrases = [r["phrase"] for image in json.loads((home / "region_descriptions.json").read_text()) for r in image["regions"]]
    graphs = json.loads((home / "scene_graphs.json").read_text())
    objects = [o for graph in graphs for o in graph["objects"]]
    for fault in (r"^[A-Z ]{6,}$", r" $", r"\n$", r"\.$", r"  "):
        assert any(re.search(fault, phrase) for phrase in phrases), fault
    assert any("attributes" not in o for o in objects) and all(o.get("attributes") != [] for o in objects)
    assert any(len(o["names"]) > 1 for o in objects)
    assert any(r["predicate"].isupper() for graph in graphs for r in graph["relationships"])
    assert any(o["x"] < 0 or o["x"] + o["w"] > 800 for o in objects)


def test_corpora_have_the_formats_of_the_real_ones(made):
    train = made[0] / "train"
    lines = (train / "cc12m.tsv").read_text(encoding="utf-8").splitlines()
    assert all(line.count("\t") == 1 for line in lines)
    with (train / "yfcc15m.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(YFCC_COLUMNS) and all(row["description"] for row in rows)
    shards = sorted((train / "laion400m").glob("*.parquet"))
    assert len(shards) == 4 and {"URL", "TEXT"} <= set(pq.read_schema(shards[0]).names)
    keys = {row["image_key"] for row in tables.read("training_images", train / "images.parquet")}
    for corpus in CORPORA:
        pairs = list(tables.read("training_pairs", train / "pairs" / f"{corpus}.parquet"))
        assert pairs and {row["image_key"] for row in pairs} <= keys


def test_truth_names_every_thing_and_relation(made):
    rows = list(tables.read("truth", made[0] / "truth.parquet"))
    assert [row["image_id"] for row in rows] == list(range(1, 25))
    for row in rows:
        places = range(len(row["things"]))
        for relation in row["relations"] + row["doubtful"]:
            assert relation["subject"] in places and relation["object"] in places


@pytest.mark.parametrize("key", ["images", "regions", "training_images"])
def test_a_wrong_number_is_said(tmp_path, key):
    code, _, error = run_stage("sample", f"--out {tmp_path}/out --metrics {tmp_path}/m.json", tmp_path, {f"sample.{key}": 0})
    assert code == 1 and f"sample.{key}" in error and not (tmp_path / "out").exists()
