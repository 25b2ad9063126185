"""Tests of other suites, on cases written in their own formats, with scores counted by hand."""

import io
import json
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from stages.contract.errors import InputError
from stages.evaluation.cases import figures
from stages.evaluation.ranks import rank
from stages.evaluation.sets import Layout
from stages.images.crops import ImageFolder, decode
from stages.shortcuts.scorers import scorers
from stages.suites import (
    aro,
    bivlc,
    cola,
    colorswap,
    eqben,
    mmvp,
    naturalbench,
    negbench,
    packed,
    sugarcrepe_pp,
    svo_probes,
    valse,
    vl_checklist,
    vsr,
    whatsup,
    winoground,
)
from stages.suites.audit import audit
from stages.suites.suite_files import Images, write_part

VSR_FILES = Path(__file__).parents[3] / "shared" / "data" / "vsr"
WINOGROUND = {"id": 0, "image_0": "ex_0_img_0", "image_1": "ex_0_img_1", "caption_0": "an old person kisses a young person"}
WINOGROUND |= {"caption_1": "a young person kisses an old person", "collapsed_tag": "Object"}
COLA = ["https://x.invalid/images/1.jpg", "long giraffe", "https://x.invalid/images/2.jpg", "brown giraffe"]
PLUS = {"id": 0, "filename": "000000222235.jpg"}
PLUS |= {"caption": "a cat sits", "caption2": "the cat is sitting", "negative_caption": "a cat runs"}
WHATSUP = {"image_path": "a/mug_on_chair.jpeg", "caption_options": ["a", "b"]}
VALSE = {"image_file": "000000291619.jpg", "caption": "exactly one field", "foil": "a number of fields", "mturk": {"caption": 3}}


def test_winoground(tmp_path):
    (tmp_path / "examples.jsonl").write_text(json.dumps(WINOGROUND) + "\n")
    images = Images()
    first, second = winoground.sets(tmp_path, images)
    assert first.texts == second.texts[::-1] and first.query.case == second.query.case and first.name == "object"
    assert images.names[first.query.crop.image_id] == "images/ex_0_img_0.png"


def test_cola(tmp_path):
    (tmp_path / cola.FILE).write_text(json.dumps([COLA]))
    images = Images()
    first, second = cola.sets(tmp_path, images)
    assert (first.truth, second.truth) == ("long giraffe", "brown giraffe") and list(images.names.values()) == ["1.jpg", "2.jpg"]


def test_sugarcrepe_pp(tmp_path):
    (tmp_path / "swap_obj.json").write_text(json.dumps([PLUS]))
    first, second = sugarcrepe_pp.sets(tmp_path, Images())
    assert first.negatives == second.negatives == ("a cat runs",) and first.query.case == second.query.case
    assert first.query.crop == second.query.crop and first.query.query_id != second.query.query_id


def test_sugarcrepe_pp_text_to_text(tmp_path):
    """The two captions and the negative are directions in degrees. Of five cases, one is right: 20 between the two, 70 and 50 to
    the negative. Otherwise, the negative is nearer to the first or the second, ties with it, or equals the second.
    """
    degrees = [(0, 20, 70), (0, 40, -10), (0, 40, 50), (0, 40, -40), (0, 40, 40)]
    entries = [
        PLUS
        | {"id": i, "filename": f"{i:012}.jpg"}
        | dict(zip(("caption", "caption2", "negative_caption"), map(str, three), strict=True))
        for i, three in enumerate(degrees)
    ]
    (tmp_path / "swap_obj.json").write_text(json.dumps(entries))
    (tmp_path / "swap_att.json").write_text(json.dumps(entries[:1]))
    (tmp_path / "cola").mkdir()
    (tmp_path / "cola" / cola.FILE).write_text(json.dumps([[COLA[0], "1", COLA[2], "2"]]))
    found = [*cola.sets(tmp_path / "cola", Images()), *sugarcrepe_pp.sets(tmp_path, Images())]
    layout = Layout.of(found)
    angles = np.radians([float(text) for text in layout.texts])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    figures = sugarcrepe_pp.text_to_text(found, layout, lambda at: vectors[at])
    assert {name: of["text_to_text"] for name, of in figures.items()} == {"swap_att": 100.0, "swap_obj": 20.0}
    assert figures["swap_obj"]["text_to_text_chance"] == 33.333


def test_valse_asks_what_annotators_accepted(tmp_path):
    refused = VALSE | {"mturk": {"caption": 1}}
    (tmp_path / "plurals.json").write_text(json.dumps({"coco:1": VALSE, "coco:2": refused}))
    (found,) = valse.sets(tmp_path, Images())
    assert found.texts == ("exactly one field", "a number of fields") and found.name == "plurals"


def test_whatsup(tmp_path):
    options = [f"A mug {place} a chair" for place in ("on", "under", "left of", "right of")]
    true_first = [options, [options[2], *options[:2], options[3]]]
    rows = [
        {"image_path": f"data/controlled_images/mug_{p}_chair.jpeg", "caption_options": of}
        for p, of in zip(("on", "left_of"), true_first, strict=True)
    ]
    (tmp_path / "controlled_images_dataset.json").write_text(json.dumps(rows))
    (tmp_path / "coco_qa_one_obj.json").write_text(json.dumps([[37740, "A dog on the left", "A dog on the right"]]))
    images = Images()
    first, second, paired = whatsup.sets(tmp_path, images)
    assert first.query.case is second.query.case and second.edits == ("left of",) * 3
    assert second.texts == (options[2], options[0], options[1], options[3])
    assert second.source == ("controlled_images_dataset.json", "1")
    assert list(images.names.values()) == [
        "controlled_images/mug_on_chair.jpeg", "controlled_images/mug_left_of_chair.jpeg", "val2017/000000037740.jpg"
    ]  # fmt: skip
    assert paired.texts == ("A dog on the left", "A dog on the right") and paired.query.case is None


def png(shade):
    buffer = io.BytesIO()
    Image.new("RGB", (8, 6), (shade, 0, 0)).save(buffer, "PNG")
    return {"bytes": buffer.getvalue(), "path": None}


BIVLC = [
    dict(zip(("image", "caption", "negative_image", "negative_caption", "type", "subtype"), row, strict=True))
    for row in (
        (png(10), "a man", png(20), "a child", "Replace", "obj"),
        (png(30), "a red cup", png(40), "a cup", "Add", "att"),
    )
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
    """The first of two cases is entirely right; in the second, both captions prefer the first picture."""
    found = list(bivlc.sets(write_parquet(tmp_path, BIVLC), Images()))
    scores = [np.array([0.9, 0.1]), np.array([0.8, 0.2]), np.array([0.9, 0.5]), np.array([0.4, 0.3])]
    counted = figures(found, scores)
    assert (counted["n"], counted["text"], counted["image"], counted["group"]) == (2, 100.0, 50.0, 50.0)


def test_a_part_of_a_parquet_file_is_read_again(tmp_path):
    folder = write_parquet(tmp_path / "whole", BIVLC)
    write_part(folder, tmp_path / "part", {("data/test-00000-of-00001.parquet", "1")})
    images = Images()
    found = list(bivlc.sets(tmp_path / "part", images))
    assert [s.truth for s in found] == ["a red cup", "a cup"]
    assert packed.unpack(folder) == 4 and packed.unpack(tmp_path / "part") == 2
    asked = [s.query.crop.image_id for s in found]
    with pytest.raises(InputError, match="2 of the 2"):
        ImageFolder(folder, images.names).paths(asked)  # the whole suite's pictures: its first row is another case
    paths = ImageFolder(tmp_path / "part", images.names).paths(asked)
    assert [decode(paths[number]).getpixel((0, 0))[0] for number in asked] == [30, 40]


def test_colorswap(tmp_path):
    first, second = colorswap.sets(write_parquet(tmp_path, COLORSWAP), Images())
    assert first.texts == second.texts[::-1] == ("a red cup on a blue mat", "a blue cup on a red mat") and first.name == "all"
    assert first.query.case == second.query.case and first.query.crop != second.query.crop


def test_two_files_of_one_name_are_not_taken_for_each_other(tmp_path):
    """Their pictures would share one place, and their cases one id."""
    for part in ("a", "b"):
        write_parquet(tmp_path / part, COLORSWAP)
    for read in (packed.unpack, lambda folder: list(colorswap.sets(folder, Images()))):
        with pytest.raises(InputError, match="several Parquet files of the same name"):
            read(tmp_path)


def test_a_csv_files_lines_are_those_of_its_records(tmp_path):
    """Quoted text may contain line breaks, a caption may contain a character that others take for one, and lines may be empty."""
    (tmp_path / mmvp.FILE).write_text(MMVP.replace("red car", '"red\ncar"').replace("blue", "blue\u2028\x85") + "\n\n")
    found = list(mmvp.sets(tmp_path, Images()))
    assert len(found) == 4 and found[0].texts == ("a photo of red\ncar", "a photo of blue\u2028\x85 car")
    write_part(tmp_path, tmp_path / "part", {s.source for s in found[:2]})
    assert [s.texts for s in mmvp.sets(tmp_path / "part", Images())] == [s.texts for s in found[:2]]


@pytest.mark.parametrize("entry", [["text"], {"image1": "eqbensd/2.png"}, [3], [[None]]])
def test_an_entry_of_eqben_without_a_picture_is_an_error(tmp_path, entry):
    (tmp_path / "subset.json").write_text(json.dumps([EQBEN, entry]))
    with pytest.raises(InputError, match=r"subset\.json, row 2: is not a case of EqBen"):
        list(eqben.sets(tmp_path, Images()))


@pytest.mark.parametrize("side", [float("inf"), 10**30, 1e300])
def test_a_box_of_aros_beyond_every_picture_is_an_error(tmp_path, side):
    case = {"image_path": "1.jpg", "bbox_x": 1, "bbox_y": 1, "bbox_w": side, "bbox_h": 9, "relation_name": "on"}
    case |= {"true_caption": "the dog is on the mat", "false_caption": "the mat is on the dog"}
    (tmp_path / "visual_genome_relation.json").write_text(json.dumps([case]))
    with pytest.raises(InputError, match=r"visual_genome_relation\.json, row 1: is not a case of ARO"):
        list(aro.sets(tmp_path))


@pytest.mark.parametrize("number", ["Infinity", "NaN", "1e400", "-1e400", "4.5", "99999999999999999999", "true"])
def test_what_is_no_number_of_an_image_is_named(tmp_path, number):
    (tmp_path / "vg_qa_one_obj.json").write_text(f'[[7, "a dog", "a cat"], [{number}, "a dog", "a cat"]]')
    with pytest.raises(InputError, match=r"vg_qa_one_obj\.json, row 2: is not a case of What'sUp .*the image's number is"):
        list(whatsup.sets(tmp_path, Images()))


def test_an_image_of_aros_beyond_64_bits_is_an_error(tmp_path):
    case = {"image_path": f"{10**20}.jpg", "bbox_x": 1, "bbox_y": 1, "bbox_w": 9, "bbox_h": 9, "relation_name": "on"}
    case |= {"true_caption": "the dog is on the mat", "false_caption": "the mat is on the dog"}
    (tmp_path / "visual_genome_relation.json").write_text(json.dumps([case]))
    with pytest.raises(InputError, match=r"visual_genome_relation\.json, row 1: .*image_path is '100000000000000000000'"):
        list(aro.sets(tmp_path))


def test_eqbens_arrays_become_pictures(tmp_path):
    """Arrays of frames have blue first."""
    (tmp_path / "subset.json").write_text(json.dumps([EQBEN, EQBEN | {"image1": "eqbenyoucook2/1.npy"}]))
    (tmp_path / "eqbenyoucook2").mkdir()
    np.save(tmp_path / "eqbenyoucook2" / "1.npy", np.full((6, 8, 3), (30, 20, 10), np.uint8))
    images = Images()
    first, second, *_ = eqben.sets(tmp_path, images)
    assert (first.name, first.truth, second.truth) == ("eqbensd", "a day", "a night")
    assert list(images.names.values()) == ["eqbensd/1.png", "eqbensd/2.png", "eqbenyoucook2/1.npy.png"]
    assert packed.unpack(tmp_path) == 1 and decode(tmp_path / "eqbenyoucook2/1.npy.png").getpixel((0, 0)) == (10, 20, 30)


@pytest.mark.parametrize("array", [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3)), np.array([{}], dtype=object)])
def test_an_array_that_is_no_picture_is_an_error(tmp_path, array):
    np.save(tmp_path / "a.npy", array, allow_pickle=True)
    with pytest.raises(InputError, match=r"not a picture|not a complete array"):
        packed.unpack(tmp_path)


def test_eqbens_parts_lie_by_video_and_by_subject(tmp_path):
    """Action Genome's captions are lists, of which the first counts."""
    part = {"video1": {"person": [EQBEN | {"caption0": ["one", "x"], "caption1": ["two"]}, EQBEN], "dog": [EQBEN]}}
    (tmp_path / "ag.json").write_text(json.dumps(part))
    (tmp_path / "gebc.json").write_text(json.dumps({"video2": [EQBEN]}))
    found = list(eqben.sets(tmp_path, Images()))
    assert len(found) == 8 and found[0].texts == ("one", "two") and len({s.query.query_id for s in found}) == 8
    write_part(tmp_path, tmp_path / "part", {s.source for s in found if s.source})
    assert len(list(eqben.sets(tmp_path / "part", Images()))) == 2


SVO = "sentence,pos_triplet,neg_triplet,pos_url,neg_url,pos_image_id,neg_image_id,subj_neg,verb_neg,obj_neg\n"
SVO += 'a girl sits,"girl,sit,grass","boy,sit,grass",u,u,1,2,True,False,False\n'
SVO += 'a girl sits,"girl,sit,grass","girl,run,grass",u,u,1,3,False,True,False\n'
SVO += 'a girl sits,"girl,sit,grass","boy,run,grass",u,u,1,4,True,True,False\n'


def test_svo_probes_asks_which_image_a_sentence_is_of(tmp_path, capsys):
    """The sentence prefers its image in the first row and the other in the second; the third row changes two things."""
    (tmp_path / svo_probes.FILE).write_text(SVO)
    images = Images()
    found = list(svo_probes.sets(tmp_path, images))
    assert [(s.name, s.texts, s.edits) for s in found] == [
        ("subject", ("a girl sits", "a girl sits"), ("subject",)), ("verb", ("a girl sits", "a girl sits"), ("verb",))
    ]  # fmt: skip
    assert [[images.names[crop.image_id] for crop in s.crops] for s in found] == [["1.jpg", "2.jpg"], ["1.jpg", "3.jpg"]]
    assert "1 rows" in capsys.readouterr().err
    layout = Layout.of(found)
    assert layout.crop.tolist() == [0, 1, 0, 2] and layout.text.tolist() == [0] * 4
    assert rank(np.array([0.9, 0.1, 0.2, 0.8]), layout.size).recall(1).tolist() == [1, 0]
    assert figures(found, [np.array([0.9, 0.1]), np.array([0.2, 0.8])])["image"] == 50.0
    write_part(tmp_path, tmp_path / "part", {found[1].source})
    assert [s.name for s in svo_probes.sets(tmp_path / "part", Images())] == ["verb"]


def test_blind_scorers_stand_at_chance_where_images_are_asked(tmp_path):
    (tmp_path / svo_probes.FILE).write_text(SVO)
    ranks = audit(list(svo_probes.sets(tmp_path, Images())), scorers([]))
    assert {name: of.recall(1).tolist() for name, of in ranks.items()} == {name: [0.5, 0.5] for name in ranks}


SINGLE = {"labels": [["red cup"], "old man", "blue sky"], "data": []}
SINGLE["data"] = [
    ["vg/1.jpg", {}, [1, 0, 1], [1, 1, 0]],
    ["vg/2.jpg", {}, [0, 0, 0], [1, 1, 0]],
    ["vg/3.jpg", {}, [1, 1, 0], [1, 0, 0]],
    ["vg/4.jpg", {}, [0, 0, 0], [1, 0, 0]],
]


@pytest.mark.parametrize("content", [SINGLE, [SINGLE["labels"], SINGLE["data"]]])
def test_cola_finds_single_objects_among_hard_images(tmp_path, content):
    """With "red cup" true of images 1 and 3 of four, ranked first and third: average precision (1 + 2/3) / 2. The other two
    captions are true of none of the images they are asked about, or have no images.
    """
    (tmp_path / "COLA_singleobjects_benchmark_GQA.json").write_text(json.dumps(content))
    images = Images()
    found = list(cola.sets(tmp_path, images))
    assert [s.name for s in found] == ["single_gqa"] * 2 and list(images.names.values()) == [f"{i}.jpg" for i in range(1, 5)]
    assert [[images.names[crop.image_id] for crop in s.crops] for s in found] == [
        ["1.jpg", "2.jpg", "4.jpg"], ["3.jpg", "2.jpg", "4.jpg"]
    ]  # fmt: skip
    counted = figures(found, [np.array([0.9, 0.5, 0.1]), np.array([0.4, 0.5, 0.1])])
    assert counted["map"] == 83.333 and counted["n"] == 1


def test_mmvp_scores_a_pair_by_its_statements(tmp_path):
    """In the first pair, each statement prefers its picture; in the second, both prefer the first picture."""
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
    places = ("Relation/vg/action", "Relation/swig_action", "Attribute/vaw/size", "Object/Size/vg_size/vg_obj_small")
    for place in (f"{name}.json" for name in places):
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
        (whatsup, "vg_qa_one_obj.json", "[[1, 2]]"),
        (whatsup, "controlled_images_dataset.json", '[{"image_path": 3}]'),
        (whatsup, "controlled_images_dataset.json", json.dumps([WHATSUP, WHATSUP | {"caption_options": ["a", "c"]}])),
        (whatsup, "controlled_images_dataset.json", json.dumps([WHATSUP | {"caption_options": ["a", "b", "a"]}])),
        (winoground, "examples.jsonl", '{"id": 1}'),
        (winoground, "examples.jsonl", f"{json.dumps(WINOGROUND)}\n{json.dumps(WINOGROUND)}\n"),
        (winoground, "examples.jsonl", json.dumps(WINOGROUND | {"image_0": "../../x"})),
        (winoground, "examples.jsonl", "7"),
        (cola, cola.FILE, "[[1, 2, 3]]"),
        (cola, cola.FILE, "3"),
        (sugarcrepe_pp, "a.json", '[{"filename": null}]'),
        (valse, "a.json", '{"a": {"mturk": 3}}'),
        (valse, "a.json", "[" * 100_000),
        (winoground, "examples.jsonl", json.dumps(WINOGROUND | {"caption_1": None})),
        (cola, cola.FILE, json.dumps([[*COLA[:3], None]])),
        (sugarcrepe_pp, "a.json", json.dumps([PLUS | {"negative_caption": None}])),
        (valse, "a.json", json.dumps({"a": VALSE | {"foil": None}})),
        (whatsup, "coco_qa_one_obj.json", json.dumps([[37740, "A dog on the left", None]])),
        (whatsup, "coco_qa_one_obj.json", json.dumps([[37740, None, "A dog on the left"]])),
        (eqben, "a.json", json.dumps([{"image0": "a.png"}])),
        (eqben, "a.json", json.dumps([EQBEN | {"caption1": None}])),
        (eqben, "a.json", json.dumps([EQBEN | {"image0": "../../a.png"}])),
        (eqben, "a.json", json.dumps({"video": 3})),
        (svo_probes, svo_probes.FILE, ""),
        (svo_probes, svo_probes.FILE, "sentence\na\n"),
        (svo_probes, svo_probes.FILE, SVO.replace("True,False,False", "maybe,False,False")),
        (svo_probes, svo_probes.FILE, SVO.replace("u,u,1,2", "u,u,../1,2")),
        (svo_probes, svo_probes.FILE, SVO.replace("a girl sits", " ")),
        (cola, "COLA_singleobjects_benchmark_GQA.json", "[1]"),
        (cola, "COLA_singleobjects_benchmark_GQA.json", json.dumps(SINGLE | {"labels": ["red cup"]})),
        (cola, "COLA_singleobjects_benchmark_PACO.json", json.dumps({"labels": [], "data": [["1.jpg", {}, [1]]]})),
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


VSR_ROWS = [
    {"image": "a.jpg", "caption": "The cat is on the mat.", "label": 1, "relation": "on"},
    {"image": "b.jpg", "caption": "The cat is on the mat.", "label": 0, "relation": "on"},
    {"image": "c.jpg", "caption": "The cat is on the mat.", "label": 1, "relation": "on"},
    {"image": "a.jpg", "caption": "The dog is under the bed.", "label": 0, "relation": "under"},
]


def test_vsr(tmp_path, capsys):
    (tmp_path / "test.jsonl").write_text("".join(json.dumps(row) + "\n" for row in VSR_ROWS))
    images = Images()
    first, second = vsr.sets(tmp_path, images)
    names = [images.names[crop.image_id] for crop in (first.query.crop, second.query.crop, *first.others)]
    assert names == ["a.jpg", "c.jpg", "b.jpg"] and first.others == second.others and first.edits == ("on",)
    assert first.texts == ("The cat is on the mat.",) * 2 and first.query.case == second.query.case
    assert "1 judgements of" in capsys.readouterr().err
    with pytest.raises(InputError, match=r"holds no test\.jsonl or dev\.jsonl or train\.jsonl"):
        list(vsr.sets(tmp_path / "nowhere", Images()))
    (tmp_path / "test.jsonl").write_text(json.dumps(VSR_ROWS[0]) + "\n" + json.dumps(VSR_ROWS[0] | {"label": 0}) + "\n")
    with pytest.raises(InputError, match=r"both true and false of a\.jpg"):
        list(vsr.sets(tmp_path, Images()))


@pytest.mark.skipif(not VSR_FILES.exists(), reason="needs the published file")
def test_vsr_as_it_is_published():
    found = list(vsr.sets(VSR_FILES, Images()))
    assert len({s.query.case.case_id for s in found}) > 2000 and all(s.others and not s.negatives for s in found)


NATURAL = {
    "Index": 0,
    "Question_0": "Is the dog red?",
    "Image_0_Question_0": "Yes",
    "Image_1_Question_0": "No",
    "Question Type": "yes_no",
}
NATURAL |= {"Question_1": "What is it? Option: A: cat; B: dog;", "Image_0_Question_1": "B", "Image_1_Question_1": "A"}


def test_naturalbench(tmp_path, monkeypatch, capsys):
    (tmp_path / "data").mkdir()
    pictures = {f"Image_{i}": png(50 + i) for i in (0, 1)}
    pq.write_table(pa.Table.from_pylist([NATURAL | pictures]), tmp_path / "data" / "train-00000-of-00001.parquet")
    images = Images()
    one, two, three, four = naturalbench.sets(tmp_path, images)
    assert one.texts == ("Is the dog red? Yes", "Is the dog red? No") == two.texts[::-1] and one.name == "yes_no"
    assert three.texts == ("What is it? Option: A: cat; B: dog; B", "What is it? Option: A: cat; B: dog; A")
    assert one.query.case != three.query.case and one.query.crop == three.query.crop and four.query.crop == two.query.crop
    monkeypatch.setattr(sys, "argv", ["packed", str(tmp_path)])
    packed.main()
    assert decode(ImageFolder(tmp_path, images.names).path(two.query.crop.image_id)).getpixel((0, 0)) == (51, 0, 0)
    same = NATURAL | {"Image_1_Question_0": "Yes"} | pictures
    pq.write_table(pa.Table.from_pylist([same]), tmp_path / "data" / "train-00000-of-00001.parquet")
    with pytest.raises(InputError, match="row 1: gives one answer to question 0"):
        list(naturalbench.sets(tmp_path, Images()))


NEG = "correct_answer,caption_0,caption_1,caption_2,caption_3,correct_answer_template,image_path\n"


def test_negbench(tmp_path):
    row = '2,a dog,no dog but a cat,"a cat, but no dog",a cat and a dog,hybrid,data/coco/images/val2017/000000397133.jpg\n'
    (tmp_path / "COCO_val_mcq_llama3.1_rephrased.csv").write_text(NEG + row)
    images = Images()
    (found,) = negbench.sets(tmp_path, images)
    assert found.truth == "a cat, but no dog" and found.negatives == ("a dog", "no dog but a cat", "a cat and a dog")
    assert found.name == "hybrid" and list(images.names.values()) == ["val2017/000000397133.jpg"]
    for wrong in (row.replace("2,", "4,", 1), row.replace("a dog,", '"a cat, but no dog",', 1), row.replace(",a dog", ",", 1)):
        (tmp_path / "COCO_val_mcq_llama3.1_rephrased.csv").write_text(NEG + wrong)
        with pytest.raises(InputError, match="do not have one right answer"):
            list(negbench.sets(tmp_path, Images()))
    with pytest.raises(InputError, match=r"holds no \*mcq\*\.csv"):
        list(negbench.sets(tmp_path / "nowhere", Images()))
