"""Tests of further suites by name: SugarCrepe and the official release."""

import json

import pytest
from PIL import Image

from stages.contract.errors import InputError, ParameterError
from stages.parameters.sections import Evaluate
from stages.suites import cola, sugarcrepe
from stages.suites.catalogue import further
from stages.suites.suite_files import Images
from tests.running import section


def sugar(folder, entry, key="0"):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "replace_obj.json").write_text(json.dumps({key: entry}))
    return folder


ENTRY = {"filename": "000000085329.jpg", "caption": "a dog", "negative_caption": "a cat"}
OFFICIAL = {"region_id": "3", "caption": "a dog", "image_id": 2, "x": 0, "y": 0, "width": 9, "height": 8}
OFFICIAL |= {"valid_hard_negs_atom": ["a cat"], "valid_hard_negs_comp": ["a cat and a dog"]}


def test_sugarcrepes_entries_are_sets_of_two_on_whole_images(tmp_path):
    suites = {"sugarcrepe": {"folder": str(sugar(tmp_path, ENTRY)), "images": str(tmp_path / "coco")}}
    (((found,), images),) = further(section(Evaluate, suites_folder=str(tmp_path), suites=suites), None, tmp_path)
    assert (found.suite, found.name, found.texts) == ("sugarcrepe", "replace_obj", ("a dog", "a cat"))
    assert found.query.crop.image_id == 85329 and images.root == tmp_path / "coco"


@pytest.mark.parametrize("filename", ["../../etc/passwd", "/etc/passwd", "", None, ["1.jpg"]])
def test_a_file_name_cannot_leave_the_folder(tmp_path, filename):
    with pytest.raises(InputError, match=r"key 7"):
        list(sugarcrepe.sets(sugar(tmp_path, ENTRY | {"filename": filename}, "7"), Images()))


def test_numbers_of_coco_and_names_do_not_meet(tmp_path):
    """A named picture gets a number, which may be that of another image in COCO."""
    sugar(tmp_path, ENTRY)
    (tmp_path / "zz.json").write_text(json.dumps({"0": ENTRY | {"filename": "a.png"}}))
    with pytest.raises(InputError, match="mixed with names"):
        list(sugarcrepe.sets(tmp_path, Images()))


def test_missing_keys_and_files_are_named(tmp_path):
    with pytest.raises(InputError, match="'negative_caption'"):
        list(sugarcrepe.sets(sugar(tmp_path, {"filename": "1.jpg", "caption": "x"}), Images()))
    with pytest.raises(InputError, match=r"holds no \*\.json"):
        list(sugarcrepe.sets(tmp_path / "nowhere", Images()))


def test_an_unknown_suite_is_named(tmp_path):
    with pytest.raises(ParameterError, match=r"evaluate\.suites\.nobody: .* official, aro"):
        section(Evaluate, suites={"nobody": {"folder": "x"}})
    with pytest.raises(ParameterError, match=r"suites\.sugar_crepe: there is no such suite. Remedy: write sugarcrepe"):
        section(Evaluate, suites={"sugar_crepe": {"folder": "x"}})


def test_of_the_official_release_only_the_models_own_splits_are_asked(tmp_path):
    for name in ("cc12m", "laion"):
        (tmp_path / f"syst_vg_hard_negs_seen_compounds_in_{name}.json").write_text(json.dumps([OFFICIAL]))
    suites = {"official": {"folder": str(tmp_path)}}
    settings = section(Evaluate, suites_folder=str(tmp_path), suites=suites)
    ((sets, _),) = further(settings, "laion400m", tmp_path)
    assert {tuple(s.query.splits) for s in sets} == {("laion400m",)} and len(sets) == 3
    with pytest.raises(ParameterError, match="trained on openai"):
        list(further(settings, "openai", tmp_path))
    settings = section(Evaluate, suites_folder=str(tmp_path), suites=suites, training_set="none")
    assert next(further(settings, "openai", tmp_path))[0] == []


def test_a_suite_without_splits_of_the_training_set_in_question_is_asked_without(tmp_path, capsys):
    """A model whose own tables are judged by "mine" may also be asked the official release, which knows three training sets."""
    (tmp_path / "syst_vg_hard_negs_seen_compounds_in_cc12m.json").write_text(json.dumps([OFFICIAL]))
    settings = section(Evaluate, suites_folder=str(tmp_path), suites={"official": {"folder": str(tmp_path)}})
    ((sets, _),) = further(settings, "mine", tmp_path, "mine")
    assert sets == [] and "official: has splits of cc12m and none of mine" in capsys.readouterr().err
    with pytest.raises(ParameterError, match="trained on mine"):
        list(further(settings, "mine", tmp_path))


def test_a_suite_outside_the_folder_that_dvc_watches_is_refused(tmp_path):
    folder = sugar(tmp_path / "elsewhere", ENTRY)
    with pytest.raises(ParameterError, match=r"suites\.sugarcrepe\.folder: .*is not below"):
        section(Evaluate, suites_folder=str(tmp_path / "suites"), suites={"sugarcrepe": {"folder": str(folder)}})


def test_a_suite_without_a_case_is_an_error_and_no_crash(tmp_path):
    (tmp_path / cola.FILE).write_text("[]")
    with pytest.raises(InputError, match="has no case of cola"):
        list(further(section(Evaluate, suites_folder=str(tmp_path), suites={"cola": {"folder": str(tmp_path)}}), None, tmp_path))


def test_cases_without_a_picture_are_left_out_where_asked_for_and_counted(tmp_path, capsys):
    """One of two pairs lacks a picture, or has an HTML page in its place: both of its sets are left out."""
    rows = [[f"http://x.invalid/{2 * i}.jpg", "a", f"http://x.invalid/{2 * i + 1}.jpg", "b"] for i in range(2)]
    (tmp_path / cola.FILE).write_text(json.dumps(rows))
    for number in (0, 1, 2):
        Image.new("RGB", (20, 20)).save(tmp_path / f"{number}.jpg")
    places = {"folder": str(tmp_path), "images": str(tmp_path), "missing": "leave_out"}
    ((sets, _),) = further(section(Evaluate, suites_folder=str(tmp_path), suites={"cola": places}), None, tmp_path)
    assert [s.query.query_id for s in sets] == ["cola-0-0", "cola-0-1"]
    said = capsys.readouterr().err
    assert "1 of the 4 images cannot be used: 3.jpg is not there" in said and "note: cola: 2 of 4 sets are left out" in said
    whole = (tmp_path / "1.jpg").read_bytes()
    for harm in (b"<html>gone</html>", b"", whole[: len(whole) // 2]):
        (tmp_path / "3.jpg").write_bytes(harm)
        ((left, _),) = further(section(Evaluate, suites_folder=str(tmp_path), suites={"cola": places}), None, tmp_path)
        assert len(left) == 2 and "3.jpg cannot be opened" in capsys.readouterr().err
    places["images"] = str(tmp_path / "nowhere")
    with pytest.raises(InputError, match="4 of the 4 images cannot be used"):
        list(further(section(Evaluate, suites_folder=str(tmp_path), suites={"cola": places}), None, tmp_path))


def test_the_ceiling_of_a_bag_of_words_is_printed(tmp_path, capsys):
    entries = [ENTRY | {"caption": "a dog on a mat", "negative_caption": "a mat on a dog"}, ENTRY]
    folder = tmp_path / "s"
    folder.mkdir()
    (folder / "swap_obj.json").write_text(json.dumps({str(i): entry for i, entry in enumerate(entries)}))
    settings = section(Evaluate, suites_folder=str(tmp_path), suites={"sugarcrepe": {"folder": str(folder)}})
    list(further(settings, None, tmp_path))
    said = capsys.readouterr().out
    assert "sugarcrepe: 1 of 2 negatives (50.0 %) are the same bag of words as the truth; a bag-of-words model reaches" in said
    assert "an R@1 of 75.0 % at most" in said
