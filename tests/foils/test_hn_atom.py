"""Which foils are tried in the place of an atom."""

from stages.foils import edits, hn_atom
from stages.foils.hn_atom import Foil
from stages.foils.vocabulary import Vocabulary
from stages.graphs.graph import SceneGraph
from stages.writing import template
from tests.foils.known import evidence_of, knowing

WALL = SceneGraph(("wall",), ((0, "red"),))
NAMED = {"red": 10, "green": 1, "black": 12, "white": 1, "blue": 2}


def test_enough_foils_are_tried_and_those_that_are_as_common_as_the_truth(monkeypatch):
    """Were all foils rarer than what they replace, a truth would be told by its common words."""
    knowledge = knowing(Vocabulary({"object": {"wall": 9}, "attribute": NAMED, "relation": {}}))
    monkeypatch.setattr(hn_atom, "ENOUGH", 1)
    monkeypatch.setattr(hn_atom, "foils", lambda graph, atom, *_: [_foil(graph, atom, w) for w in NAMED if w != "red"])
    written = template.fill(WALL)
    row = {"image_id": 1, "caption": written.caption, **WALL.columns(), **written.spans.columns()}
    found = hn_atom.candidates(row, "region-1", evidence_of(WALL), knowledge, 9)
    assert [negative["foil"] for negative in found if negative["edit"] == "attribute"] == ["green", "black"]


def test_a_foil_is_seen_by_the_training_sets_that_have_seen_the_truth(monkeypatch):
    """The first has not seen "red" either: there the truth itself is new to the model."""
    lacking = {"attribute": {"red": [0], "green": [0], "black": [1]}}
    knowledge = knowing(Vocabulary({"object": {"wall": 9}, "attribute": NAMED, "relation": {}}, lacking))
    monkeypatch.setattr(hn_atom, "foils", lambda graph, atom, *_: [_foil(graph, atom, w) for w in ("green", "black", "blue")])
    written = template.fill(WALL)
    row = {"image_id": 1, "caption": written.caption, **WALL.columns(), **written.spans.columns()}
    found = hn_atom.candidates(row, "region-1", evidence_of(WALL), knowledge, 9)
    reasons = {negative["foil"]: negative["reason"] for negative in found if negative["edit"] == "attribute"}
    assert reasons == {"green": None, "black": "unseen_foil", "blue": None}


def _foil(graph, atom, word):
    edited = edits.foil_graph(graph, atom, word)
    return Foil(word, edited, edits.changed(edited, atom), 0.5)
