"""Tests of what sets of HN-Atom ask, and of the figures for each kind, counted by hand."""

import numpy as np
import pytest

from stages.contract import tables
from stages.evaluation.ranks import rank
from stages.evaluation.sets import Query, RetrievalSet
from stages.evaluation.summary import Ranked
from stages.graphs.graph import SceneGraph
from stages.images.crops import Crop
from stages.negatives import nearness
from stages.page import crepe
from stages.suites import atoms
from stages.suites.atoms import AtomQuery
from tests.suites.made import query

CROP = {"image_id": 1, "x": 0, "y": 0, "width": 9, "height": 9}
TRUTH = "A red dog is on a mat and near the dog is a cup."
GRAPH = SceneGraph(("dog", "mat", "cup"), ((0, "red"),), ((0, "on", 1), (2, "near", 0)))


def row(name, kind, *negatives, truth=TRUTH):
    """Return a query with a negative for each ``(edit, words, …)``, which replaces the words' first occurrence in the truth."""
    made = query(name, kind, CROP, 6, truth, GRAPH, [str(i) for i in range(len(negatives))], [edit for edit, *_ in negatives])
    for negative, (_, *pieces) in zip(made["negatives"], negatives, strict=True):
        negative["spans"] = [{"start": truth.index(piece), "end": truth.index(piece) + len(piece)} for piece in pieces]
    return made


def test_a_set_asks_the_atom_that_all_its_negatives_replace(tmp_path):
    rows = [
        row("region-1", "HN-Atom", ("attribute", "red"), ("attribute", "red")),
        row("region-2", "HN-Atom", ("object", "mat"), ("object", "mat")),
        row("region-3", "HN-Atom", ("object", "a cup."), ("object", "a cup.")),
        # The dog is named again at the end, but the question is where it is named first.
        row("region-4", "HN-Atom", ("object", "dog", "the dog"), ("object", "dog", "the dog")),
        row("region-5", "HN-Atom", ("object", "dog"), ("relation", "near")),
        row("region-6", "HN-Atom", ("object",), ("object",)),
        row("region-7", "HN-Comp", ("object", "dog"), ("object", "dog")),
    ]
    tables.write("queries", tmp_path / "queries.parquet", rows)
    found = atoms.read(tmp_path / "queries.parquet")
    assert {name: one[:2] for (_, name), one in found.items()} == {
        "region-1": ("attribute", "first"),
        "region-2": ("object", "middle"),
        "region-3": ("object", "last"),
        "region-4": ("object", "first"),
        "region-5": ("several", "several"),
        "region-6": ("object", ""),
    }
    assert {one.named for one in found.values()} == {(3 / 6, 1 / 6, 2 / 6)}


def test_nearness_goes_by_the_furthest_negative_counted_by_hand(tmp_path):
    """Three sets have two negatives each, of equal or different nearness; for a fourth, one nearness is unknown."""
    nears = [("antonym", "sibling"), ("sibling", "further"), ("sibling", "sibling"), ("sibling", None)]
    rows = []
    for i, near in enumerate(nears):
        rows.append(row(f"region-{i}", "HN-Atom", ("object", "dog"), ("object", "dog")))
        for negative, name in zip(rows[-1]["negatives"], near, strict=True):
            negative["nearness"] = name
    tables.write("queries", tmp_path / "queries.parquet", rows)
    asked = atoms.read(tmp_path / "queries.parquet")
    assert [one.furthest for one in asked.values()] == ["sibling", "further", "sibling", ""]
    sets = [
        RetrievalSet("sys", "atom", Query(q, Crop(1, 0, 0, 9, 9)), "t", ("x", "y"), ("object",) * 2, protocol="cleared")
        for _, q in asked
    ]
    scores, size = np.array([1, 0, 0, 0, 1, 1, 0, 1, 2, 1, 0, 0]), np.full(4, 3)
    ranked = Ranked(sets, np.split(scores, 4), rank(scores, size), None, {}, np.zeros(4, dtype=np.int64))
    found = atoms.figures(ranked, asked)["nearness"]
    assert {name: (of["n"], of.get("r1"), of["asked"], of["negatives"]) for name, of in found.items()} == {
        "antonym": (0, None, 0, pytest.approx(16.667)),
        "sibling": (2, 50, 50, pytest.approx(66.667)),
        "further": (1, 0, 25, pytest.approx(16.667)),
    }


def test_nearness_has_the_names_that_the_foils_have():
    foils = (nearness.ANTONYM, nearness.SIBLING, nearness.GRAND, nearness.FURTHER)
    assert atoms.NEARNESS == foils == tuple(crepe.NEARNESS)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (1, ["middle"]),
        (2, ["first", "last"]),
        (3, ["first", "middle", "last"]),
        (4, ["first", "middle", "middle", "last"]),
        (5, ["first", "first", "middle", "last", "last"]),
        (6, ["first", "first", "middle", "middle", "last", "last"]),
    ],
)
def test_thirds_of_captions(words, expected):
    caption = " ".join("abcdef"[:words])
    assert [atoms.third(caption, 2 * i, 2 * i + 1) for i in range(words)] == expected


def test_a_long_piece_stands_where_its_middle_is():
    assert atoms.third("a b c d e f", 0, 11) == "middle"
    assert atoms.third("a b c d e f", 0, 5) == "first"
    assert atoms.third("a b c d e f", 4, 11) == "last"


def test_figures_by_kind_and_place_counted_by_hand():
    """Four sets over two images: three ask objects, of which two are right, and one asks an attribute; none asks a relation."""
    asked = {
        "a": AtomQuery("object", "first", (0.5, 0.5, 0.0)),
        "b": AtomQuery("object", "last", (0.5, 0.0, 0.5)),
        "c": AtomQuery("object", "last", (0.5, 0.5, 0.0)),
        "d": AtomQuery("attribute", "first", (0.5, 0.5, 0.0)),
    }
    images = {"a": 1, "b": 1, "c": 2, "d": 2}
    sets = [RetrievalSet("sys", "atom", Query(q, Crop(images[q], 0, 0, 9, 9)), "t", ("x",), ("object",)) for q in asked]
    size = np.full(4, 2)
    model = np.array([1, 0, 1, 0, 0, 1, 0, 1])
    scores = np.split(model, 4)
    shortcuts = {"longer": [0, 1, 1, 0, 0, 1, 0, 0], "ngram": [0, 1, 0, 1, 0, 1, 1, 0], "trained": [1, 0] * 4}
    shortcuts = {name: rank(np.array(scores), size) for name, scores in shortcuts.items()}
    ranked = Ranked(sets, scores, rank(model, size), None, shortcuts, np.zeros(4, dtype=np.int64))
    found = atoms.figures(ranked, {(None, name): one for name, one in asked.items()})
    kinds, places = found["kind"], found["place"]
    assert {name: (of["n"], of["asked"], of["named"]) for name, of in kinds.items()} == {
        "object": (3, 75.0, 50.0),
        "attribute": (1, 25.0, 37.5),
        "relation": (0, 0.0, 12.5),
    }
    assert kinds["object"]["r1"] == pytest.approx(66.667) and kinds["attribute"]["r1"] == 0
    # Image 1's two are right by 1/3 each and image 2's one is wrong by 2/3, over three sets: (2/9)² twice, each divided by the
    # fraction of the sets that are the other image's.
    assert kinds["object"]["r1_se"] == pytest.approx(100 * ((2 / 9) ** 2 * (3 / 1 + 3 / 2)) ** 0.5, abs=1e-3)
    # Over all four sets, the longer caption is right more often than the likelier one, but not in the attribute's set.
    reached = {name: (of["scorer"], of["shortcut_r1"], of["trained_r1"]) for name, of in kinds.items() if of["n"]}
    assert reached == {"object": ("longer", pytest.approx(33.333), 100), "attribute": ("ngram", 100, 100)}
    assert "r1" not in kinds["relation"]
    assert {name: (of["n"], of["r1"], of["asked"]) for name, of in places.items()} == {"first": (2, 50, 50), "last": (2, 50, 50)}
