import json
from collections import Counter
from pathlib import Path

import pytest

from stages.language import normal

GENOME = Path(__file__).parents[3] / "shared" / "data" / "visual_genome"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  The STOP signs. ", "stop sign"),
        ("men", "man"),
        ("glasses", "glasses"),
        ("bus", "bus"),
        ("leaves", "leaf"),
        ("t-shirts", "t-shirt"),
        ("grey cat", "gray cat"),
        ("his hat", "hat"),
        ("a", "a"),
        ("", ""),
    ],
)
def test_object_names(text, name):
    assert normal.object_name(text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Grey", "gray"),
        ("2", "two"),
        ("is Parked", "parked"),
        ("Sitting  down", "sitting down"),
        ("blond", "blonde"),
        ("both", "two"),
    ],
)
def test_attributes(text, name):
    assert normal.attribute(text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ON", "on"),
        ("wears", "wear"),
        ("is wearing", "wear"),
        ("is sitting on the top of", "sit on top of"),
        ("laying on", "lie on"),
        ("has", "have"),
        ("has on", "have on"),
        ("next to the", "next to"),
        ("in the middle of", "in the middle of"),
        ("staring at", "stare at"),
        ("riding", "ride"),
        ("parked along side of", "park beside"),
        ("are", "be"),
    ],
)
def test_relations(text, name):
    assert normal.relation(text) == name


@pytest.mark.parametrize("form", [normal.object_name, normal.attribute, normal.relation])
@pytest.mark.parametrize("text", ["", " ", "...", "?!", "3", "'s", "\N{SNOWMAN}", "a the an", "is is is", "ON TOP OF", "x" * 500])
def test_any_text_has_a_normal_form_that_is_its_own(form, text):
    assert form(form(text)) == form(text)


@pytest.mark.skipif(not GENOME.exists(), reason="needs real annotations")
def test_normal_forms_are_stable_and_merge_names_of_real_annotations():
    graphs = json.loads((GENOME / "scene_graphs.json").read_text())
    relations = Counter(r["predicate"] for g in graphs for r in g["relationships"])
    names = Counter(n for g in graphs for o in g["objects"] for n in o["names"])
    for form, texts in ((normal.relation, relations), (normal.object_name, names)):
        forms = {form(text) for text in texts}
        assert {form(text) for text in forms} == forms
        assert len(forms) < len(texts)  # "ON" and "on", "tree" and "trees" met
