"""Tests of the annotators' sheet: the seeded choice, its questions, and hostile captions."""

import json

from PIL import Image

from stages.images.crops import ImageFolder
from stages.page.agreement import read
from stages.page.sheet import drawn, items, page
from tests.page.browser import browser, needs_browser, watched

HOSTILE = "a dog</script><script>document.title='taken'</script><img src=x onerror=document.title='taken'>"
CROP = {"image_id": 1, "x": 0, "y": 0, "width": 60, "height": 40}
QUERY = CROP | {"protocol": "cleared", "query_id": "region-1", "type": "HN-Atom", "n": 2, "truth": "a cat", "objects": ["cat"]}
QUERY |= {"negatives": [{"caption": HOSTILE}, {"caption": "a cow"}]}
OTHER = QUERY | {"query_id": "walk-2-4-0", "n": 4, "image_id": 2, "truth": "a red bus", "objects": ["bus"]}
CAPTION = CROP | {"n": 4, "subgraph_id": "1-4-0", "caption": "a cat on a mat"}


def test_a_larger_table_keeps_the_choice():
    rows = [{"query_id": f"region-{i}"} for i in range(1000)]
    few, many = drawn(rows[:500], "query_id", 0.1, 0), drawn(rows, "query_id", 0.1, 0)
    assert many[: len(few)] == few and 60 < len(many) < 140
    assert drawn(rows, "query_id", 0.1, 1) != many


def test_every_negative_is_asked_between_controls_of_both_kinds():
    asked = list(items([QUERY, OTHER], [CAPTION]))
    assert [(item["type"], item["expected"]) for item in asked] == [
        *[("HN-Atom, systematicity, cleared", "no")] * 2,
        *[("control, true", "yes"), ("control, false", "no")],
        *[("HN-Atom, productivity, cleared", "no")] * 2,
        *[("control, true", "yes"), ("control, false", "no")],
        ("caption", "yes"),
    ]
    assert len({item["id"] for item in asked}) == 9
    assert asked[3]["asked"] == "a red bus" and asked[3]["crop"].image_id == 1
    shown = {frozenset(item) for item in asked}
    assert len(shown) == 1, "nothing but the line and the picture tells an item from another"


def test_a_query_of_both_protocols_is_asked_twice():
    asked = list(items([QUERY, QUERY | {"protocol": "paper"}], []))
    assert len({item["id"] for item in asked}) == len(asked) == 5, "but its truth once"


def test_what_names_a_thing_of_the_image_is_no_control_that_is_false():
    """A caption of another cat may be true of this one."""
    same = OTHER | {"query_id": "walk-3-4-0", "image_id": 3, "truth": "a big cat", "objects": ["cat"]}
    controls = [
        (item["crop"].image_id, item["asked"]) for item in items([QUERY, OTHER, same], []) if item["type"] == "control, false"
    ]
    assert sorted(controls)[::2] == [(1, "a red bus"), (3, "a red bus")] and controls[1][1] in ("a cat", "a big cat")


def made(tmp_path):
    for number in (1, 2):
        Image.new("RGB", (80, 60), "red").save(tmp_path / f"{number}.jpg")
    return page(list(items([QUERY, OTHER], [CAPTION])), ImageFolder(tmp_path), 1)


def test_page_is_whole_and_escaped(tmp_path):
    html = made(tmp_path)
    assert "<script>document" not in html and "onerror=document" not in html.replace("&lt;img src=x onerror", "")
    assert "http://" not in html and "https://" not in html
    assert html.count("data:image/jpeg;base64") == 9
    assert html == made(tmp_path), "the same sheet for everybody"


def progress_of(shown, name):
    """Return the sheet's progress for the annotator."""
    shown.fill("#annotator", name)
    shown.keyboard.press("Enter")
    return shown.text_content("#progress")


@needs_browser
def test_answers_are_saved_and_read(tmp_path):
    path = tmp_path / "sheet.html"
    path.write_text(made(tmp_path))
    with browser() as running:
        shown, errors = watched(running, accept_downloads=True)
        shown.goto(path.as_uri())
        shown.keyboard.press("y")
        assert shown.text_content("#progress") == "Give your name first." and shown.locator("input:checked").count() == 0
        shown.fill("#annotator", "Ada")
        shown.keyboard.press("Enter")
        shown.locator("fieldset").first.focus()
        for key in ("n", "g", "y", "b", "c", "g"):
            shown.keyboard.press(key)
        assert shown.text_content("#progress") == "3 of 9"
        # Answers reappear without a file. A busy browser stores them slightly later, so the sheet is reloaded until it has.
        for _ in range(40):
            shown.reload()
            if progress_of(shown, " Ada ") == "3 of 9":
                break
            shown.wait_for_timeout(250)
        assert progress_of(shown, "Grace") == "0 of 9" and progress_of(shown, " Ada ") == "3 of 9", "everybody's own answers"
        shown.locator("fieldset").nth(3).focus()
        for key in ("y", "g") * 6:
            shown.keyboard.press(key)
        with shown.expect_download() as download:
            shown.click("#save")
        download.value.save_as(tmp_path / "ada.json")
        assert shown.title() == "Is it true of the picture?"
        assert not errors
    answers = [(one["answer"], one["fluent"]) for one in read(tmp_path / "ada.json")["answers"]]
    assert answers == [("no", "yes"), ("yes", "no"), ("cannot tell", "yes"), *[("yes", "yes")] * 6]
    assert json.loads((tmp_path / "ada.json").read_text())["annotator"] == "Ada"
