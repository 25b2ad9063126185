import json
from pathlib import Path

import numpy as np
import pytest

from stages.contract import tables
from stages.contract.errors import InputError
from stages.contract.json_files import read_json
from stages.evaluation.cleared import ADVERSARY
from stages.graphs.graph import SceneGraph
from stages.page import audit as audits
from stages.page import crepe, sections
from stages.page.display_names import SCORERS
from stages.page.gallery import gallery
from stages.parameters import params
from stages.parameters.sections import OpenClip
from stages.report import about, is_of, main, report
from stages.shortcuts.neural import NAME
from stages.shortcuts.scorers import scorers
from stages.shortcuts.set_similarity import set_scores
from tests.page import made
from tests.running import loading, training_sets
from tests.suites.made import query

COUNTS = {"cleared": {"cc12m": {"SC": [(10, 2)], "UA": [(0, 1)]}, "yfcc15m": {"SC": [(3, 1)]}}}

SEEN = {"queries": 7_654, "images": 321, "atoms": 44, "atoms_seen": 43, "compounds": 99, "compounds_seen": 98}
DOG = SceneGraph(("dog",))
LABEL = {"training_set": "cc12m", "split": "SC", "min_atom_count": 120}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    made.write_images(folder / "images")
    made.write_ranks(folder / "ranks.parquet", 200, protocols=("paper", "cleared"))
    (folder / "evaluate.json").write_text(json.dumps(made.metrics_of(folder / "ranks.parquet")))
    (folder / "plots").mkdir()
    (folder / "plots/atom_counts_cc12m.csv").write_text("split,kind,atom,training_count,test_count\nSC,object,dog,120,3\n")
    crop = {"image_id": 1, "x": 0, "y": 0, "width": 9, "height": 9}
    dog = query("region-1", "HN-Atom", crop, 1, "a dog", DOG, ["a cat"], ["object"])
    tables.write("queries", folder / "queries.parquet", [dog | {"splits": [LABEL]}])
    return folder


def run(inputs, out, monkeypatch, **more):
    paths = {name: inputs / place for name, place in INPUTS.items()} | {"out": out / "report.html", "plots": out / "figures"}
    paths |= {"summary": out / "summary.json"} | more
    monkeypatch.setattr("sys.argv", ["report", *(text for name, path in paths.items() for text in (f"--{name}", str(path)))])
    monkeypatch.setattr(params, "load", loading(training_sets=training_sets("cc12m")))
    main()


INPUTS = {"evaluated": "evaluate.json", "ranks": "ranks.parquet", "images": "images"}
INPUTS |= {"queries": "queries.parquet", "atom-counts": "plots"}


def test_two_runs_give_the_same_bytes(inputs, tmp_path, monkeypatch, capsys):
    for name in "ab":
        run(inputs, tmp_path / name, monkeypatch)
    a, b = ({p.relative_to(tmp_path / n): p.read_bytes() for p in (tmp_path / n).rglob("*") if p.is_file()} for n in "ab")
    assert a == b
    assert {path.name for path in a} == {
        *("report.html", "summary.json", "atom_counts_cc12m.svg"),
        *("seen_against_unseen_cleared.svg", "seen_against_unseen_paper.svg"),
    }
    assert "350 queries" in capsys.readouterr().out


def test_an_audit_of_another_version_stops_before_any_output(inputs, tmp_path, monkeypatch):
    (tmp_path / "audit.json").write_text('{"false": {}}')
    with pytest.raises(InputError, match=r"audit\.json: has no key groups\. Remedy: run dvc repro, which makes it again\.$"):
        run(inputs, tmp_path, monkeypatch, audit=tmp_path / "audit.json")
    assert [path.name for path in tmp_path.iterdir()] == ["audit.json"]


def test_the_page_holds_what_was_measured(inputs):
    metrics = read_json(inputs / "evaluate.json", "again")
    shown = gallery(inputs / "ranks.parquet", inputs / "images", 20, 1, 64)
    share = {"share": 0.9941, "low": 0.981, "high": 0.999, "n": 800}
    text = {"n": 90, "chance": 20.0, "best": 23.4, "scorer": "ngram", "trained": 26.7}
    groups = {"atom": {"cc12m": {"UA": text, "UC": text}}, "atom_prod": {"n": {"n04": text | {"n": 12}}}}
    yields = {"swap": {"n04": {"sets": 61, "captions": 200, "share": 0.305, "paper": 0.0179}}}
    audit = {
        "truly_false": {"cleared": {"atom_prod": {**share, "doubtful": 3, "by_edit": {"object": share}, "by_n": {"n04": share}}}},
        "truths": {"cleared": {"atom_prod": share}},
        "grammar": {"cleared": {"atom_prod": {"truths": share, "negatives": share}}},
        "groups": {"cleared": groups},
        "yields": {"cleared": yields},
    }
    seen = {protocol: {"cc12m": {"SC": SEEN | {"queries": n}}} for protocol, n in (("cleared", SEEN["queries"]), ("paper", 9_876))}
    html, drawings = report(metrics, audit, COUNTS, shown, seen=seen)
    assert html.count(">9,876</td>") == 1, "each protocol has its own queries"
    headings = (
        "Systematicity: the cleared sets",
        "Productivity: the cleared sets",
        "Text-only baselines",
        "What was changed",
        "All captions",
    )
    assert all(f"<summary><span>{heading}</span></summary>" in html for heading in (*headings, "The negatives themselves"))
    assert f"{metrics['cleared']['sys']['atom']['SC']['r1']:.1f}" in html and ">30.5</td>" in html and ">1.8</td>" in html
    assert "99.4 % (98.1–99.9) of 800 HN-Atom, productivity" in html
    # Four shares are of negatives and two of truths, one of each for good English; the unit was once "queries" throughout.
    assert [html.count(f'800<span class="unseen"> {unit}') for unit in ("negatives", "queries")] == [4, 2]
    groups = next(table for table in audits.section(audit).tables if "of text-only scorers, by split" in table.caption)
    assert [row[1] for row in groups.rows] == ["UC of cc12m", "UA of cc12m", "n = 4"] and "26.7" in html
    assert [row[2].tells_little for row in groups.rows] == [False, False, True]
    assert all(f">{number:,}</td>" in html for number in SEEN.values())
    assert [drawing.name for drawing in drawings if drawing.name.startswith("atom")] == ["atom_counts_cc12m", "atom_counts_yfcc15m"]


def test_every_text_only_scorer_is_explained(inputs):
    """The page names the scorers, but once nothing on it said what "outlying_words" looks at."""
    similarity = set_scores(["a dog", "no dog"], np.array([0, 1]), np.array([2]), np.eye(2))
    assert {*scorers(["a dog on a mat", "a cat"]), *similarity, ADVERSARY, NAME} == set(SCORERS)
    table = sections.text_only(read_json(inputs / "evaluate.json", "again")).tables[0]
    assert table.head[1] == "chooses" and ["longer", "the caption with most words"] in [row[:2] for row in table.rows]


def test_hn_atom_goes_by_what_is_asked(inputs):
    """Groups of fewer than 30 queries are grey, those without any have only their shares, and no sentence mentions either."""
    metrics = read_json(inputs / "evaluate.json", "again")
    many = {
        "n": 200,
        "images": 90,
        **made.share("r1", 43.25, 2.0),
        "r1_chance": 20.0,
        "scorer": "ngram",
        **made.share("shortcut_r1", 21.5, 1.0),
    }
    few, none = many | {"n": 12, "r1": 91.25}, {"n": 0, "images": 0, "asked": 0.0, "named": 31.0}
    kinds = {"object": many | {"asked": 94.3, "named": 52.0}, "attribute": few | {"asked": 5.7, "named": 17.0}, "relation": none}
    near = {"further": few | {"asked": 6.0, "negatives": 4.0}, "sibling": many | {"asked": 94.0, "negatives": 96.0}}
    metrics["cleared"]["sys"]["atom"]["asked"] = {"kind": kinds, "place": {"last": many | {"asked": 100.0}}, "nearness": near}
    section = crepe.systematicity(metrics, "cleared", {}, {})
    table = next(table for table in section.tables if table.caption.startswith("HN-Atom by kind and place"))
    shown = {str(row[0]): row[1:] for row in table.rows}
    assert list(shown) == ["objects", "attributes", "relations", "last third of the words"]
    shares = [["94.3", "52.0"], ["5.7", "17.0"], ["0.0", "31.0"], ["100.0", None]]
    assert [row[4:] for row in shown.values()] == shares and shown["objects"][2] == "ngram"
    assert [None if row[0] is None else row[0].tells_little for row in shown.values()] == [False, True, None, False]
    table = next(table for table in section.tables if table.caption.startswith("HN-Atom by nearness"))
    assert [(row[0], row[1].tells_little, *row[5:]) for row in table.rows] == [
        ("under the same hypernym, or of the same class", False, "94.0", "96.0"),
        ("further", True, "6.0", "4.0"),
    ]
    html, _ = report(metrics, None, COUNTS, gallery(inputs / "ranks.parquet", inputs / "images", 20, 1, 64))
    assert "of the captions' atoms" in html.replace("&#39;", "'") and "43.2" in html and "91.2" in html
    assert "91.2 %" not in html
    assert not any("HN-Atom by" in table.caption for table in crepe.productivity(metrics, "cleared").tables)


def test_a_model_without_systematicity_has_a_page_too(inputs):
    metrics = read_json(inputs / "evaluate.json", "again")
    for protocol in ("paper", "cleared", "paper_on_cleared"):
        del metrics[protocol]["sys"]
    del metrics["raw"]
    metrics["judged_by"] = None
    html, _ = report(metrics, None, {}, gallery(inputs / "ranks.parquet", inputs / "images", 20, 1, 64))
    assert ">Systematicity: " not in html and ">Productivity: " in html and ">All captions<" not in html


def test_what_training_made_of_another_model_is_not_said_of_this_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = Path("data/train/model")
    for folder, shown in ((made, True), (made.resolve(), True), (made / "generations/003", True), ("other", False)):
        assert is_of(OpenClip(family="open_clip", architecture=f"local-dir:{folder}"), made) is shown
    assert not is_of(OpenClip(family="open_clip", architecture="ViT-B-32", pretrained="laion400m_e32"), made)


def test_drawings_are_not_counted_with_ones_own_pictures(inputs):
    """Once half of the queries in a user's report were ARO's orders on the sample's toy drawings, and nothing said so."""
    metrics = read_json(inputs / "evaluate.json", "again")
    order = metrics["cleared"]["sys"]["atom"] | {"kinds": {}}
    metrics |= {"aro_order": {"order": order}, "drawn": {"images": False, "order": True}}
    counted = about(metrics)
    assert counted.endswith(
        "200 of the paper's sets, 150 of the cleared sets. Not counted: ARO, which is on the sample's drawings."
    )
    html, _ = report(metrics, None, {}, gallery(inputs / "ranks.parquet", inputs / "images", 20, 1, 64))
    assert "ARO: order, on the sample&#39;s drawings" in html
    metrics["drawn"] = {"images": True, "order": True}
    assert "30 of other suites. All pictures are the sample world's drawings." in about(metrics)


def test_missing_ranks_are_named_and_leave_nothing(inputs, tmp_path, monkeypatch):
    monkeypatch.setitem(INPUTS, "ranks", "none.parquet")
    with pytest.raises(InputError, match="a table of ranks was expected"):
        run(inputs, tmp_path / "out", monkeypatch)
    assert not (tmp_path / "out").exists()


def test_further_suites_have_a_table_each(inputs):
    metrics = read_json(inputs / "evaluate.json", "again")
    metrics["official_prod"] = metrics["cleared"]["prod"]
    metrics["sugarcrepe"] = {"swap_obj": metrics["cleared"]["prod"]["swap"]}
    html, drawings = report(metrics, None, {}, gallery(inputs / "ranks.parquet", inputs / "images", 20, 1, 64))
    assert "Official release, productivity: R@1 (%)" in html and "SugarCrepe: R@1 (%)" in html
    assert "swap_obj, SugarCrepe" in html
    assert len({drawing.name for drawing in drawings}) == len(drawings)


def test_an_audit_without_a_known_truth_has_no_shares(inputs):
    share = {"share": 0.5, "low": 0.4, "high": 0.6, "n": 10}
    audit = {"grammar": {"cleared": {"atom": {"truths": share, "negatives": share}}}, "shortcuts": {}}
    shown = gallery(inputs / "ranks.parquet", inputs / "images", 20, 1, 64)
    html, _ = report(read_json(inputs / "evaluate.json", "again"), audit, {}, shown)
    assert "Good English" in html and "that are false" not in html
