"""An edit changes its span and an article right before it, and no other letter."""

import pytest

from stages.graphs.graph import Atom, SceneGraph
from stages.negatives import edits


@pytest.mark.parametrize(
    ("caption", "span", "foil", "kind", "expected"),
    [
        ("an orange car", (3, 9), "red", "attribute", "a red car"),
        ("A red car", (2, 5), "orange", "attribute", "An orange car"),
        ("Dogs on a bench.", (0, 4), "cat", "object", "Cats on a bench."),
        ("the man is wearing a hat", (11, 18), "hold", "relation", "the man is holding a hat"),
        ("a man sits on a horse", (6, 13), "under", "relation", "a man is under a horse"),
    ],
)
def test_a_foil_takes_the_form_of_its_slot(caption, span, foil, kind, expected):
    assert edits.foil_caption(caption, [span], kind, foil) == expected


@pytest.mark.parametrize(
    ("kind", "slot", "foil", "fits"),
    [
        ("object", "car", "grass", False),
        ("object", "cars", "pants", True),
        ("object", "car", "pants", False),
        ("relation", "caught", "throw", False),
        ("relation", "seated on", "stand on", True),
        ("relation", "holding", "wear", True),
        ("relation", "covered in", "under", True),
    ],
)
def test_what_fits_a_slot(kind, slot, foil, fits):
    assert edits.fits(kind, slot, (0, len(slot)), foil) is fits


def test_the_part_of_a_graph_that_an_edit_changes():
    graph = SceneGraph(("dog", "car", "cup"), ((0, "red"), (1, "wet")), ((0, "on", 1),))
    assert edits.changed(graph, Atom("attribute", 1, "wet")) == SceneGraph(("car",), ((0, "wet"),))
    assert edits.changed(graph, Atom("object", 0, "dog")) == SceneGraph(("dog", "car"), ((0, "red"),), ((0, "on", 1),))
    assert edits.changed(graph, Atom("object", 2, "cup")) == SceneGraph(("cup",))
    assert edits.changed(graph, Atom("relation", 0, "on")) == SceneGraph(("dog", "car"), (), ((0, "on", 1),))
