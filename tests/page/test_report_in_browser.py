"""Tests of the report as readers meet it: in a browser, with mouse, keyboard or phone, and with malicious captions."""

import io

import pytest
from PIL import Image

from stages.contract import tables
from stages.page.gallery import gallery
from stages.page.page import Section
from stages.page.table import Table
from stages.report import report as written
from tests.page import made
from tests.page.browser import browser, eventually, needs_browser, watched

pytestmark = [needs_browser, pytest.mark.heavy]


def write_report(folder, queries=200, hostile=False):
    made.write_images(folder / "images")
    # There are enough of each kind for conclusions; the gallery shows some.
    made.write_ranks(folder / "ranks.parquet", 10 * queries, hostile, ("paper", "cleared"))
    metrics = made.metrics_of(folder / "ranks.parquet")
    shown = gallery(folder / "ranks.parquet", folder / "images", queries, 1, 128)
    script, ended, picture, *_ = made.HOSTILE
    more = Section("more", picture, script, [Table(script, ["a", "b"], [[ended, picture]])])
    metrics["model"]["name"] = made.HOSTILE[1] if hostile else "a model"
    html, _ = written(metrics, None, {}, shown, training=more)
    file = folder / "report.html"
    file.write_text(html, encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def running():
    with browser() as started:
        yield started


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return write_report(tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    return write_report(tmp_path_factory.mktemp("hostile"), 100, hostile=True)


def test_opens_with_the_answer_and_asks_nobody(running, report):
    """The page shows the table, sentences, pictures and examples; all else is folded, and a link to it opens it."""
    view, troubles = watched(running)
    view.goto(report)
    assert view.locator(".answer tbody tr").count() == 5 and view.locator(".answer tbody td .verdict").count() == 15
    assert 1 <= view.locator("#sentences p").count() <= 3
    # Each complexity has too few queries for a line, so there is no drawing of complexities.
    assert view.locator("#pictures figure").count() == 1 and view.locator(".examples li").count() == 6
    assert view.locator(".examples .right").count() == view.locator(".examples .wrong").count() == 3
    eventually(view, "[...document.querySelectorAll('.examples img')].every((image) => image.naturalWidth > 0)")
    assert view.evaluate("[...document.querySelectorAll('details')].filter((part) => part.open).length") == 0
    top = view.evaluate("[...document.querySelectorAll('main > *')].map((part) => part.id)")
    assert top[:4] == ["answer", "sentences", "pictures", "examples"]
    view.goto(report + "#gallery")
    assert view.locator(".cards > li").count() == 24
    view.locator(".cards img").first.scroll_into_view_if_needed()
    eventually(view, "document.querySelector('.cards img').naturalWidth > 0")
    assert troubles == []


def test_filters_narrow_the_gallery_and_stand_in_the_address(running, report):
    view, _ = watched(running)
    view.goto(report + "#gallery")
    view.locator("select[name=type]").select_option("HN-Swap")
    view.get_by_label("Model's answer").select_option("wrong")
    cards = view.locator(".cards .card")
    assert cards.count() and cards.count() == view.locator(".cards .card.wrong").count()
    assert set(view.locator(".cards .facts .tag:nth-child(2)").all_text_contents()) == {"HN-Swap"}
    count = "document.querySelector('.count').textContent"
    assert "right in" not in view.evaluate(count), "of queries chosen by the answer it says nothing"
    assert "type=HN-Swap" in view.url and "answer=wrong" in view.url
    view.reload()
    assert view.locator("select[name=type]").input_value() == "HN-Swap"
    view.get_by_role("button", name="Clear").click()
    eventually(view, "document.querySelector('.count').textContent.startsWith('200 of 200')")


def test_words_find_captions(running, report):
    view, _ = watched(running)
    view.goto(report + "#gallery")
    view.get_by_label("Words in a caption").fill("THING 17")
    eventually(view, "!document.querySelector('.count').textContent.startsWith('200')")
    assert all("thing 17" in text for text in view.locator(".cards .captions .truth").all_text_contents())


@pytest.mark.parametrize("width", [1280, 390])
def test_whether_the_model_beats_text_is_seen_without_scrolling_sideways(running, report, width):
    view, _ = watched(running, viewport={"width": width, "height": 900})
    view.goto(report)
    assert view.locator("#answer-heading").bounding_box()["y"] < 450
    first = view.locator(".answer .verdict").first
    assert first.is_visible() and first.bounding_box()["y"] < 900
    assert view.evaluate("document.documentElement.scrollWidth") == width
    for cell in view.locator(".answer td").all():
        box = cell.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width


def test_marks_the_truth_the_choice_and_what_was_changed(running, report):
    view, _ = watched(running)
    view.goto(report + "#gallery")
    view.get_by_label("Model's answer").select_option("wrong")
    card = view.locator(".cards .card").first
    first = card.locator(".captions li").first
    assert "chosen by the model" in first.text_content() and "Negative" in first.text_content()
    assert first.locator("mark").text_content() in ("under", "behind", "above", "inside", "far from", "against")
    assert card.locator(".captions .truth").count() == 1 and card.locator(".captions .truth mark").count() == 0
    scores = [float(text) for text in card.locator(".score").all_text_contents()]
    assert scores == sorted(scores, reverse=True)


def test_marks_word_by_word_what_differs_from_the_truth(running, tmp_path):
    truth = "a red dog is not on a blue mat"
    negatives = ["a blue dog is not on a red mat", "a red dog is on a blue mat", "on a blue mat", truth + " now"]
    tables.write("ranks", tmp_path / "ranks.parquet", [made.ranks_row("prod", "swap", 1, truth=truth, negatives=negatives)])
    made.write_images(tmp_path)
    shown = gallery(tmp_path / "ranks.parquet", tmp_path, 9, 1, 64)
    html, _ = written(made.metrics_of(tmp_path / "ranks.parquet"), None, {}, shown)
    (tmp_path / "report.html").write_text(html, encoding="utf-8")
    view, _ = watched(running)
    view.goto((tmp_path / "report.html").as_uri() + "#gallery")
    found = {}
    for caption in view.locator(".captions bdi").all():
        marks = caption.locator("mark").all()
        found[caption.text_content()] = [mark.text_content() or mark.get_attribute("class") for mark in marks]
    # Marks must not change what the caption says.
    assert list(found) and set(found) == {truth, *negatives}
    assert [found[caption] for caption in (truth, *negatives)] == [[], ["blue", "red"], ["gone"], ["gone"], ["now"]]


def test_works_by_keyboard_alone(running, report):
    view, _ = watched(running)
    view.goto(report)
    view.keyboard.press("Tab")
    assert view.evaluate("document.activeElement.className") == "skip"
    view.keyboard.press("Enter")
    view.get_by_text("Gallery of queries").focus()
    view.evaluate("document.querySelector('#gallery > summary').focus()")
    view.keyboard.press("Enter")
    view.get_by_role("button", name="Next").focus()
    view.keyboard.press("Enter")
    assert view.locator(".pages .page").text_content() == "Page 2 of 9"
    # Focus must not be lost when the cards that held it are gone.
    assert view.evaluate("document.activeElement.id") == "gallery-heading"
    # Wide tables are scrolled with the arrow keys, so they must be reachable.
    assert view.evaluate(
        "[...document.querySelectorAll('.scroll')].every((e) => e.tabIndex === 0 && e.getAttribute('aria-labelledby'))"
    )


def test_says_to_a_screen_reader_what_it_shows(running, report):
    view, _ = watched(running)
    view.goto(report)
    assert view.get_by_role("main").count() == view.get_by_role("banner").count() == 1
    assert view.evaluate("[...document.querySelectorAll('.cards img')].every((e) => e.alt)")
    assert view.evaluate("[...document.querySelectorAll('svg')].every((e) => e.getAttribute('aria-label'))")
    assert view.evaluate(
        "[...document.querySelectorAll('table')].every((e) => e.caption && e.querySelectorAll('th:not([scope])').length === 0)"
    )
    assert view.evaluate("[...document.querySelectorAll('select, input')].every((e) => e.labels.length === 1)")
    levels = view.evaluate("[...document.querySelectorAll('h1, h2, h3')].map((e) => e.tagName)")
    assert levels[0] == "H1" and levels.count("H1") == 1
    ids = view.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_their_ground(running, report, scheme):
    view, _ = watched(running, color_scheme=scheme)
    view.goto(report)
    view.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert view.evaluate(CONTRAST) >= 4.5, "WCAG 2.2 AA asks for 4.5"


def test_fits_a_phone(running, report):
    view, _ = watched(running, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    view.goto(report)
    assert view.evaluate("document.documentElement.scrollWidth") == 360
    assert view.evaluate("[...document.querySelectorAll('select, button')].every((e) => !e.offsetHeight || e.offsetHeight >= 44)")


def test_a_table_with_hidden_columns_shows_it(running, report):
    """An edge that hides columns has a shadow, and one that hides nothing has none."""
    view, _ = watched(running, viewport={"width": 390, "height": 740})
    view.goto(report)
    view.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    box = view.locator("#figures .scroll").first
    assert box.evaluate("(e) => e.scrollWidth > e.clientWidth + 20")

    def right_edge():
        """Return how much darker the outermost pixels are than those further in, below the caption's line."""
        picture = Image.open(io.BytesIO(box.screenshot())).convert("L")
        width = picture.width
        return min(picture.getpixel((width - 60, 4 + k)) - picture.getpixel((width - 4, 4 + k)) for k in range(5))

    box.scroll_into_view_if_needed()
    assert right_edge() > 20
    box.evaluate("(e) => { e.scrollLeft = e.scrollWidth; }")
    assert right_edge() < 5


def test_no_caption_runs_a_script_or_becomes_markup(running, hostile):
    view, troubles = watched(running)
    view.goto(hostile + "#gallery")
    title = view.title()
    for _ in range(4):
        for image in view.locator(".cards img").all()[::8]:
            image.scroll_into_view_if_needed()
        view.get_by_role("button", name="Next").click()
    view.get_by_label("Words in a caption").fill("<script>")
    view.wait_for_timeout(300)
    assert view.title() == title != "owned"
    assert view.evaluate("document.querySelectorAll('.cards script, .cards style, img[src=x], table script').length") == 0
    assert made.HOSTILE[2] in view.locator(".cards").text_content()
    assert troubles == []


def test_the_policy_would_stop_what_an_escape_forgot(running, hostile):
    """The second line of defence: even markup put into the page by hand runs no script and reaches no network."""
    view, troubles = watched(running)
    view.goto(hostile)
    refused = view.evaluate("(() => { try { document.body.innerHTML = '<b>x</b>'; return false } catch { return true } })()")
    assert refused
    view.evaluate(
        "(() => { const s = document.createElement('img'); s.src = 'http://127.0.0.1:9/x.png'; document.body.append(s) })()"
    )
    view.wait_for_timeout(200)
    assert any("Content Security Policy" in trouble for trouble in troubles)
    assert not any(trouble.startswith("http") for trouble in troubles)


CONTRAST = """(() => {
  const context = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = (text) => { context.clearRect(0, 0, 1, 1); context.fillStyle = text; context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data]; };
  const part = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = (c) => 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2]);
  const ground = (e) => {
    for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; }
    return [255, 255, 255, 255];
  };
  const texts = 'p, th, td, a, .tag, .verdict, .score, bdi, mark, label, button, .queries, .margin, figcaption, '
    + 'li, .label, .number, .small, dt, dd, .asks';
  let worst = 99;
  for (const e of document.querySelectorAll(texts)) {
    if (!e.textContent.trim() || !e.offsetHeight || e.disabled || e.closest('.cards > li:nth-child(n + 7)')) continue;
    const [a, b] = [light(rgb(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
    worst = Math.min(worst, (a + 0.05) / (b + 0.05));
  }
  return worst;
})()"""


def test_no_column_is_cut_off(running, report):
    view, _ = watched(running, viewport={"width": 1280, "height": 900})
    view.goto(report)
    view.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    wide = "[...document.querySelectorAll('.scroll')].filter((box) => box.scrollWidth > box.clientWidth)"
    assert view.evaluate(f"{wide}.map((box) => box.innerText)") == []
