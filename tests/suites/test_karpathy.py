"""Tests of caption files in the forms in which COCO's and Flickr30k's are distributed."""

import json
from codecs import BOM_UTF8

import pytest

from stages.contract.errors import InputError
from stages.suites.karpathy import Captioned, read

MAN = {"filename": "COCO_val2014_000000391895.jpg", "cocoid": 391895, "split": "test"}
MAN |= {"sentences": [{"raw": "A man."}, {"raw": "Two."}]}
TRAY = {"filename": "COCO_train2014_000000000009.jpg", "cocoid": 9, "split": "train", "sentences": [{"raw": "A tray."}]}
DOG = {"filename": "dog.jpg", "split": "test", "sentences": [{"raw": "a"}]}


def written(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_karpathys_form_by_split(tmp_path):
    path = written(tmp_path / "coco.json", {"dataset": "coco", "images": [MAN, TRAY]})
    assert read(path, "test") == [Captioned(391895, ["A man.", "Two."])]
    assert [image.image_id for image in read(path)] == [9, 391895]
    path.write_bytes(BOM_UTF8 + path.read_bytes())
    assert [image.image_id for image in read(path)] == [9, 391895]


def test_flickrs_images_are_numbered_by_their_files(tmp_path):
    images = [DOG | {"filename": "1000092795.jpg", "imgid": 0}]
    assert read(written(tmp_path / "f.json", {"images": images}), "test") == [Captioned(1000092795, ["a"])]


def test_the_form_that_aros_loaders_fetch(tmp_path):
    rows = [{"image": "val2014/COCO_val2014_000000391895.jpg", "caption": ["a", "b"]}]
    assert read(written(tmp_path / "c.json", rows)) == [Captioned(391895, ["a", "b"])]


def test_one_caption_an_entry_as_blips_files_have_it(tmp_path):
    rows = [{"image": "val2014/COCO_val2014_000000000042.jpg", "caption": text} for text in ("a dog", "a black dog")]
    assert read(written(tmp_path / "c.json", rows)) == [Captioned(42, ["a black dog", "a dog"])]


def test_names_that_are_no_number_have_one_of_their_own(tmp_path):
    """As with Flickr8k's names, whose last digits may be another image's number."""
    images = [DOG | {"filename": name} for name in ("1000268201_693b08cb0e.jpg", "100_42.jpg", "42.jpg", "dog.jpg")]
    numbers = [image.image_id for image in read(written(tmp_path / "f.json", {"images": images}), "test")]
    assert numbers[0] == 42 and len(set(numbers)) == 4 and all(1 << 40 <= number < 1 << 49 for number in numbers[1:])
    assert numbers == [image.image_id for image in read(tmp_path / "f.json", "test")]


def test_two_files_of_one_number_are_not_taken_for_one_image(tmp_path):
    rows = [{"image": name, "caption": "a"} for name in ("1.jpg", "COCO_val2014_000000000001.jpg")]
    with pytest.raises(InputError, match=r"the files '1\.jpg' and 'COCO_val2014_000000000001\.jpg' have one number"):
        read(written(tmp_path / "c.json", rows))


@pytest.mark.parametrize("whole", [False, True])
def test_cocos_own_form(tmp_path, whole):
    rows = [{"image_id": number, "caption": caption} for number, caption in ((3, "b"), (2, "a"), (3, "c"))]
    content = {"info": {"year": 2017}, "images": [{"id": 1}], "annotations": rows} if whole else rows
    assert read(written(tmp_path / "c.json", content)) == [Captioned(2, ["a"]), Captioned(3, ["b", "c"])]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "is not JSON"),
        ({"images": [{"id": 1}]}, "no list of captions"),
        ({"images": [TRAY]}, "no image of the split test"),
        ([{"image_id": 1, "caption": "a"}, 7], "neither"),
        ([{"image_id": 1}], "neither"),
        ([{"image_id": 1, "caption": None}], "None is not a caption"),
        ([{"image": "1.jpg", "caption": ["a", 7]}], "7 is not a caption"),
        ([{"image_id": 10**30, "caption": "a"}], "JSON|image_id is '1000000000000000000000000000000', not a whole number"),
        ([{"image_id": "1e400", "caption": "a"}], "image_id is '1e400', not a whole number of at most 64 bits"),
        ([{"image_id": float("inf"), "caption": "a"}], "is not JSON"),
        ({"images": [MAN | {"cocoid": "Infinity", "split": "test"}]}, "cocoid is 'Infinity', not a whole number"),
        ({"images": [MAN | {"cocoid": 4.5, "split": "test"}]}, "cocoid is '4.5', not a whole number"),
        ({"images": [MAN | {"sentences": [{"raw": None}]}]}, "None is not a caption"),
    ],
)
def test_another_form_is_an_error(tmp_path, content, says):
    with pytest.raises(InputError, match=says):
        read(written(tmp_path / "x.json", content), "test")
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "nowhere.json")
