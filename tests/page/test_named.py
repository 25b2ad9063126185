"""Tests of what queries name, counted by hand."""

import pytest

from stages.contract import tables
from stages.contract.errors import InputError
from stages.graphs.graph import SceneGraph
from stages.page import named
from tests.suites.made import query

HEAD = "split,kind,atom,training_count,test_count\n"
# More regions name a dog than became queries.
COUNTS = "SC,object,dog,5,9\nSC,attribute,red,3,4\nUC,object,dog,5,1\nUC,object,emu,2,1\nUA,object,emu,2,1\nUA,relation,above,0,1\n"
RED_DOG, RED_EMU = (SceneGraph((name,), ((0, "red"),)) for name in ("dog", "emu"))
TWO_DOGS, ABOVE = SceneGraph(("dog", "dog"), ((0, "red"),)), SceneGraph(("emu", "dog"), (), ((0, "above", 1),))


@pytest.fixture
def queries(tmp_path):
    """Return two SC queries of one image, one with two dogs, and UC and UA of others; for the other training set, all are UC."""
    rows = []
    for i, (image, graph, split) in enumerate([(1, RED_DOG, "SC"), (1, TWO_DOGS, "SC"), (2, RED_EMU, "UC"), (3, ABOVE, "UA")]):
        crop = {"image_id": image, "x": 0, "y": 0, "width": 9, "height": 9}
        labels = [{"training_set": name, "split": of, "min_atom_count": 1} for name, of in (("a", split), ("b", "UC"))]
        rows.append(query(f"region-{i}", "HN-Atom", crop, 2, "", graph, [], []) | {"splits": labels})
    rows.append(rows[-1] | {"protocol": "paper"})
    tables.write("queries", tmp_path / "queries.parquet", rows)
    found = named.read(tmp_path / "queries.parquet")
    assert [query.protocol for query in found] == ["cleared"] * 4 + ["paper"]
    return found[:4]


@pytest.fixture
def counts(queries, tmp_path):
    (tmp_path / "counts.csv").write_text(HEAD + COUNTS)
    return named.read_training_counts(tmp_path / "counts.csv", queries)


def test_figure_12_counts_each_atom_of_a_query_once(queries, counts):
    """SC's two captions count red and dog, though one of them has dog twice; the order is by kind and atom."""
    assert named.atom_counts(queries, "a", counts) == {
        "SC": [(3, 2), (5, 2)],
        "UC": [(3, 1), (2, 1)],
        "UA": [(5, 1), (2, 1), (0, 1)],
    }
    assert named.atom_counts(queries, "b", counts) == {"UC": [(3, 3), (5, 3), (2, 2), (0, 1)]}


def test_table_8_counts_distinct_atoms_and_compounds(queries, counts):
    names = ("queries", "images", "atoms", "atoms_seen", "compounds", "compounds_seen")
    found = {split: tuple(of[name] for name in names) for split, of in named.table(queries, "a", counts, 1).items()}
    assert found == {"SC": (2, 1, 2, 2, 1, 1), "UC": (1, 1, 2, 2, 1, 0), "UA": (1, 1, 3, 2, 1, 0)}
    assert named.table(queries, "nobody", counts, 1) == {}
    # If seen means at least three captions, only the first of UA's atoms, with 5, 2 and 0, is seen.
    assert [of["atoms_seen"] for of in named.table(queries, "a", counts, 3).values()] == [2, 1, 1]


def test_counts_of_other_regions_are_refused(queries, tmp_path):
    with pytest.raises(InputError, match="no such file"):
        named.read_training_counts(tmp_path / "none.csv", queries)
    (tmp_path / "other.csv").write_text(HEAD + COUNTS.replace("red", "blue"))
    with pytest.raises(InputError, match="attribute 'red', which a query names"):
        named.read_training_counts(tmp_path / "other.csv", queries)
