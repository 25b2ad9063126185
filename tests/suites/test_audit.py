"""Tests of the audit of a published suite: what text-only shortcuts solve, from its files alone."""

import json
import sys
from random import Random

import pytest

from stages.contract.errors import InputError
from stages.evaluation.cases import clusters
from stages.evaluation.sets import Case, Query, RetrievalSet
from stages.images.crops import Crop
from stages.shortcuts.scorers import scorers
from stages.suites import audit, case_weights, sugarcrepe
from stages.suites.suite_files import Images
from tests.suites.made import COLOURS, THINGS

WHERE = ("here", "there", "inside", "outside", "above", "below")


def test_a_suite_whose_truths_are_shorter(tmp_path, monkeypatch, capsys):
    """As in SugarCrepe's added attributes, choosing the caption with fewer words needs no picture."""
    things = ("dog", "cup", "car", "bus", "hat")
    cases = {}
    for i, thing in enumerate(things * 4):
        captions = {"caption": f"a {thing} on a mat", "negative_caption": f"a {'big' if i % 2 else 'red'} {thing} on a mat"}
        cases[str(i)] = {"filename": f"{i:012d}.jpg", **captions}
    (tmp_path / "add_att.json").write_text(json.dumps(cases))
    monkeypatch.setattr(sys, "argv", ["audit", "sugarcrepe", str(tmp_path)])
    audit.main()
    note, *printed, last = capsys.readouterr().out.splitlines()
    assert "scorers are left out: frequency, ngram, ngram_mean, bag, skip_bigrams, meaning" in note
    assert printed[0] == "add_att: 20 sets, chance 50.0 %"
    assert any(line.split() == ["shorter", "100.0", "(83.9", "to", "100.0)"] for line in printed)
    found = json.loads(last)["add_att"]
    assert (found["n"], found["chance"], found["best"], found["scorer"]) == (20, 50.0, 100.0, "shorter")
    assert found["trained"] > 90


def test_crops_of_one_image_are_one_cluster(tmp_path):
    """Our export in this format names a picture by image and crop; the adversary's folds once shared images."""
    entry = {"caption": "a dog", "negative_caption": "a cat"}
    names = ("7-0-0-90-60.png", "7-10-0-40-60.png", "12-0-0-90-60.png")
    (tmp_path / "prod_atom.json").write_text(json.dumps({str(i): entry | {"filename": name} for i, name in enumerate(names)}))
    images = Images()
    sets = list(sugarcrepe.sets(tmp_path, images))
    assert clusters(sets).tolist() == [7, 7, 12] and list(images.names.values()) == list(names)


def test_a_suite_without_cases_says_so(tmp_path, monkeypatch):
    (tmp_path / "add_att.json").write_text("{}")
    monkeypatch.setattr(sys, "argv", ["audit", "sugarcrepe", str(tmp_path)])
    with pytest.raises(InputError, match="has no case of sugarcrepe"):
        audit.main()


@pytest.mark.parametrize("option", ["--weights", "--cleared"])
def test_no_output_replaces_a_file_of_the_suite(tmp_path, monkeypatch, option):
    file = tmp_path / "add_att.json"
    file.write_text("{}")
    monkeypatch.setattr(sys, "argv", ["audit", "sugarcrepe", str(tmp_path), option, str(file)])
    with pytest.raises(InputError, match="lies in the folder that is audited"):
        audit.main()
    assert file.read_text() == "{}"


def test_a_folder_that_is_missing_or_a_file_is_named(tmp_path, monkeypatch):
    (tmp_path / "add_att.json").write_text("{}")
    for name, wrong in (("add_att.json", "add_att.json: is no folder"), ("suite", "suite: there is no such folder")):
        monkeypatch.setattr(sys, "argv", ["audit", "sugarcrepe", str(tmp_path / name)])
        with pytest.raises(InputError, match=wrong):
            audit.main()


def test_where_no_weights_help_it_is_said_and_nothing_is_written(tmp_path, monkeypatch):
    cases = {str(i): {"filename": f"{i}.jpg", "caption": "a dog", "negative_caption": "a red dog"} for i in range(20)}
    (tmp_path / "suite").mkdir()
    (tmp_path / "suite/add_att.json").write_text(json.dumps(cases))
    command = ["audit", "sugarcrepe", str(tmp_path / "suite"), "--weights", str(tmp_path / "weights.jsonl")]
    monkeypatch.setattr(sys, "argv", command)
    with pytest.raises(InputError, match=r"no part \(20 sets\) that can be weighted so that no shortcut"):
        audit.main()
    assert not (tmp_path / "weights.jsonl").exists()


def test_captions_come_from_a_file_or_a_folder(tmp_path):
    (tmp_path / "captions.txt").write_text("a dog on a mat\n\nzwei Hunde – á\n", encoding="utf-8")
    assert audit.captions_at(tmp_path / "captions.txt") == ["a dog on a mat", "zwei Hunde – á"]
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\xfa")
    for path, wrong in (
        (tmp_path / "bytes.txt", "as text"),
        (tmp_path, "no training captions"),
        (tmp_path / "none", "no training"),
    ):
        with pytest.raises(InputError, match=wrong):
            audit.captions_at(path)


def test_parts_of_one_name_are_told_apart():
    query = Query("q", Crop(1, 0, 0, 9, 9))
    sets = [RetrievalSet(suite, "atom", query, "a", ("b",), ("",)) for suite in ("official_prod", "official_sys")]
    empty = RetrievalSet("official_sys", "comp", query, "a", (), ())
    assert list(case_weights.subsets([*sets, empty])) == ["official_prod.atom", "official_sys.atom"]
    assert list(case_weights.subsets(sets[:1])) == ["atom"]


def test_what_is_learnt_does_not_hang_on_how_pictures_are_numbered():
    """A part numbers its own pictures, and text-only scorers must solve it as well as when it was chosen."""
    things = [f"{colour} {thing}" for colour in COLOURS for thing in THINGS][:60]
    reached = []
    for numbers in (range(60), [7 * i % 60 for i in range(60)], range(60, 0, -1)):
        captions = [[f"a {thing} {where}" for where in Random(thing).sample(WHERE, 2)] for thing in things]
        crops = [Crop.whole(number) for number in numbers]
        sets = [RetrievalSet("s", "x", Query(str(i), crops[i]), a, (b,), ("",)) for i, (a, b) in enumerate(captions)]
        reached.append(audit.audit(sets, scorers([]))["trained"].recall(1).tolist())
    assert reached[0] == reached[1] == reached[2] and 0 < sum(reached[0]) < 60


def test_the_two_images_of_a_case_are_learnt_from_together():
    """A scorer that learns from one image that its caption is true is wrong about the other image, where it is the negative."""
    things = [f"{colour} {thing}" for colour in COLOURS for thing in THINGS]
    sets = [
        s
        for i in range(30)
        for s in Case.paired(str(i), [Crop(2 * i + k, 0, 0, 9, 9) for k in (0, 1)], things[2 * i : 2 * i + 2]).sets("cola", "multi")
    ]
    assert audit.audit(sets, scorers([]))["trained"].recall(1).mean() == 0.5
    assert clusters(sets).tolist() == [2 * (i // 2) for i in range(60)]
    shared = list(Case.paired("x", [Crop(1, 0, 0, 9, 9), Crop(2, 0, 0, 9, 9)], ["a", "b"]).sets("cola", "multi"))
    assert set(clusters([*sets[:4], *shared])) == {0}, "cases that share an image are one"
