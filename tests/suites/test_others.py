"""The other suites, on cases written in their own formats."""

import json

import numpy as np
import pytest

from stages.contract.errors import InputError
from stages.retrieval.sets import Layout
from stages.suites import cola, sugarcrepe_pp, valse, whatsup, winoground
from stages.suites.files import Images

WINOGROUND = {"id": 0, "image_0": "ex_0_img_0", "image_1": "ex_0_img_1", "caption_0": "an old person kisses a young person"}
WINOGROUND |= {"caption_1": "a young person kisses an old person", "collapsed_tag": "Object"}
COLA = ["https://x.invalid/images/1.jpg", "long giraffe", "https://x.invalid/images/2.jpg", "brown giraffe"]
PLUS = {
    "id": 0,
    "filename": "000000222235.jpg",
    "caption": "a cat sits",
    "caption2": "the cat is sitting",
    "negative_caption": "a cat runs",
}
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
    """Two captions and a negative as directions in degrees. Of five cases one is right: 20 between the two, 70 and 50 to the
    negative. Else the negative is nearer to the first, nearer to the second, as near to the first (a tie), or the second itself.
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
    assert second.texts == (options[2], options[0], options[1], options[3]) and second.source == (
        "controlled_images_dataset.json",
        "1",
    )
    assert list(images.names.values()) == [
        "controlled_images/mug_on_chair.jpeg", "controlled_images/mug_left_of_chair.jpeg", "val2017/000000037740.jpg"
    ]  # fmt: skip
    assert paired.texts == ("A dog on the left", "A dog on the right") and paired.query.case is None


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
    ],
)
def test_another_form_is_an_error(tmp_path, suite, file, wrong):
    with pytest.raises(InputError):
        list(suite.sets(tmp_path, Images()))
    (tmp_path / file).write_text(wrong)
    with pytest.raises(InputError):
        list(suite.sets(tmp_path, Images()))
