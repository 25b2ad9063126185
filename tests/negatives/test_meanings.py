"""Tests of which names may mean one thing, and of their index."""

from stages.negatives.meanings import Index
from tests.negatives.known import MEANINGS

NAMES = (
    "man",
    "surfer",
    "couch",
    "sofa",
    "furniture",
    "road",
    "street",
    "stop sign",
    "sign",
    "side",
    "cup",
    "mug",
    "dog",
    "hot dog",
)


def test_the_index_finds_every_name_that_may_mean_the_same_thing() -> None:
    index = Index(MEANINGS.habits)
    for place, name in enumerate(NAMES):
        index.add((name,), place)
    for asked in (*NAMES, "animal", "thing", "person", "wall clock"):
        same = [name for name in NAMES if MEANINGS.one_thing(name, asked) > 0]
        found = index.related(asked)
        assert set(same) <= set(found) and dict(found) == {name: [i] for i, name in enumerate(NAMES) if name in found}, asked
    assert "cup" not in index.related("street")
