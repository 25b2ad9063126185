"""BiVLC, ColorSwap, EqBen, MMVP-VLM and VL-CheckList, on cases written in their own formats, with scores counted by hand."""

import io
import json
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from stages.contract.errors import InputError
from stages.retrieval.cases import figures
from stages.suites import bivlc, colorswap, eqben, mmvp, packed, vl_checklist
from stages.suites.files import Images, write_part
from stages.visual_genome.crops import ImageFolder, decode


def png(shade):
    buffer = io.BytesIO()
    Image.new("RGB", (8, 6), (shade, 0, 0)).save(buffer, "PNG")
    return {"bytes": buffer.getvalue(), "path": None}


BIVLC = [
    {
        "image": png(10),
        "caption": "a man",
        "negative_image": png(20),
        "negative_caption": "a child",
        "type": "Replace",
        "subtype": "obj",
    },
    {
        "image": png(30),
        "caption": "a red cup",
        "negative_image": png(40),
        "negative_caption": "a cup",
        "type": "Add",
        "subtype": "att",
    },
]
COLORSWAP = [
    {"id": 1, "image_1": png(1), "image_2": png(2), "caption_1": "a red cup on a blue mat", "caption_2": "a blue cup on a red mat"}
]
EQBEN = {"image0": "eqbensd/1.png", "image1": "eqbensd/2.png", "caption0": "a day", "caption1": "a night"}
MMVP = "Question ID,Type,Statement\n1,Color,red car\n2,Color,blue car\n3,Camera Perspective,seen from above\n"
MMVP += "4,Camera Perspective,seen from below\n"
CHECKLIST = ["VG_100K/7.jpg", {"POS": ["man wears shirt", "x"], "NEG": ["man riding shirt"]}]


def write_parquet(folder, rows):
    (folder / "data").mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), folder / "data" / "test-00000-of-00001.parquet")
    return folder


def test_bivlc_and_its_pictures(tmp_path, monkeypatch, capsys):
    folder, images = write_parquet(tmp_path, BIVLC), Images()
    found = list(bivlc.sets(folder, images))
    assert [(s.name, s.texts) for s in found[::2]] == [("replace_obj", ("a man", "a child")), ("add_att", ("a red cup", "a cup"))]
    with pytest.raises(InputError, match=r"4 of the 4 .*first is images/test-00000-of-00001-0-image.*packed"):
        ImageFolder(folder, images.names).paths(s.query.crop.image_id for s in found)
    monkeypatch.setattr(sys, "argv", ["packed", str(folder)])
    packed.main()
    assert "4 pictures" in capsys.readouterr().out
    paths = ImageFolder(folder, images.names).paths(s.query.crop.image_id for s in found)
    assert [decode(paths[s.query.crop.image_id]).getpixel((0, 0))[0] for s in found] == [10, 20, 30, 40]


def test_what_is_counted_over_bivlcs_cases(tmp_path):
    """Of two cases the first is wholly right; in the second both captions prefer the first picture."""
    found = list(bivlc.sets(write_parquet(tmp_path, BIVLC), Images()))
    scores = [np.array([0.9, 0.1]), np.array([0.8, 0.2]), np.array([0.9, 0.5]), np.array([0.4, 0.3])]
    counted = figures(found, scores)
    assert (counted["n"], counted["text"], counted["image"], counted["group"]) == (2, 100.0, 50.0, 50.0)


def test_a_part_of_a_parquet_file_is_read_again(tmp_path):
    folder = write_parquet(tmp_path / "whole", BIVLC)
    write_part(folder, tmp_path / "part", {("data/test-00000-of-00001.parquet", "1")})
    assert [s.truth for s in bivlc.sets(tmp_path / "part", Images())] == ["a red cup", "a cup"]
    assert packed.unpack(tmp_path / "part") == 2


def test_colorswap(tmp_path):
    first, second = colorswap.sets(write_parquet(tmp_path, COLORSWAP), Images())
    assert first.texts == second.texts[::-1] == ("a red cup on a blue mat", "a blue cup on a red mat") and first.name == "all"
    assert first.query.case == second.query.case and first.query.crop != second.query.crop


def test_eqben_leaves_arrays_out_and_says_so(tmp_path, capsys):
    (tmp_path / eqben.FILE).write_text(json.dumps([EQBEN, EQBEN | {"image1": "eqbenyoucook2/1.npy"}]))
    images = Images()
    first, second = eqben.sets(tmp_path, images)
    assert (first.name, first.truth, second.truth) == ("eqbensd", "a day", "a night")
    assert list(images.names.values()) == ["eqbensd/1.png", "eqbensd/2.png"] and "1 cases" in capsys.readouterr().err


def test_mmvp_scores_a_pair_by_its_statements(tmp_path):
    """In the first pair each statement prefers its picture, in the second both prefer the first."""
    (tmp_path / mmvp.FILE).write_text(MMVP)
    images = Images()
    found = list(mmvp.sets(tmp_path, images))
    assert found[0].texts == ("a photo of red car", "a photo of blue car") and found[2].name == "camera_perspective"
    assert images.names[found[3].query.crop.image_id] == "MLLM_VLM Images/Camera Perspective/4.jpg"
    scores = [np.array([0.6, 0.3]), np.array([0.5, 0.4]), np.array([0.9, 0.9]), np.array([0.8, 0.2])]
    assert figures(found, scores)["image"] == 50.0
    write_part(tmp_path, tmp_path / "part", {s.source for s in found[2:]})
    assert [s.texts for s in mmvp.sets(tmp_path / "part", Images())] == [s.texts for s in found[2:]]


def test_vl_checklist(tmp_path):
    for place in (
        "Relation/vg/action.json",
        "Relation/swig_action.json",
        "Attribute/vaw/size.json",
        "Object/Size/vg_size/vg_obj_small.json",
    ):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(json.dumps([CHECKLIST]))
    images = Images()
    found = {s.name: s for s in vl_checklist.sets(tmp_path, images)}
    assert set(found) == {"relation_vg_action", "relation_swig_action", "attribute_vaw_size", "object_size_vg_size_vg_obj_small"}
    assert found["relation_vg_action"].texts == ("man wears shirt", "man riding shirt")
    assert set(images.names.values()) == {"vg/VG_100K/7.jpg", "swig/VG_100K/7.jpg"}


@pytest.mark.parametrize(
    ("suite", "file", "wrong"),
    [
        (eqben, eqben.FILE, json.dumps([{"image0": "a.png"}])),
        (eqben, eqben.FILE, json.dumps([EQBEN | {"caption1": None}])),
        (eqben, eqben.FILE, json.dumps([EQBEN | {"image0": "../../a.png"}])),
        (mmvp, mmvp.FILE, "Question ID,Type,Statement\n1,Color,red car\n"),
        (mmvp, mmvp.FILE, "a,b,c\nx,Color,red car\n2,Color,blue car\n"),
        (mmvp, mmvp.FILE, ""),
        (vl_checklist, "vg.json", "[]\n[]"),
        (vl_checklist, "other.json", json.dumps([CHECKLIST])),
        (vl_checklist, "vg_a/x.json", json.dumps([["a.jpg", {"POS": [], "NEG": ["x"]}]])),
        (bivlc, "test.parquet", "PAR1"),
    ],
)
def test_another_form_is_an_error(tmp_path, suite, file, wrong):
    with pytest.raises(InputError):
        list(suite.sets(tmp_path, Images()))
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(wrong)
    with pytest.raises(InputError):
        list(suite.sets(tmp_path, Images()))


@pytest.mark.parametrize("row", [{"caption": "a"}, {**BIVLC[0], "caption": None}])
def test_parquet_of_another_form_is_an_error(tmp_path, row):
    with pytest.raises(InputError, match=r"no column|no text"):
        list(bivlc.sets(write_parquet(tmp_path, [row]), Images()))
