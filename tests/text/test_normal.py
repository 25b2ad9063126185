import json
from collections import Counter, defaultdict
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from stages.annotations.spelling import correct
from stages.captions.clean import clean
from stages.parameters.sections import Language
from stages.parsing.parser import make
from stages.semantics.usage import GQA
from stages.text import normal
from stages.text.inflection import plural
from tests.running import section

GENOME = Path(__file__).parents[3] / "shared" / "data" / "visual_genome"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("glass", "glass"),
        ("blue jean", "blue jeans"),
        ("scissor", "scissors"),
        ("leaves", "leaf"),
        ("t-shirts", "t-shirt"),
        ("colours", "color"),
        ("a corgi", "corgi"),
        ("cola", "cola"),
        ("plumbing", "plumbing"),
        ("hoodies", "hoodie"),
        ("grey cat", "gray cat"),
        ("his hat", "hat"),
        ("the woods", "woods"),
        ("wine glasses", "wine glass"),
        ("Drinking Glasses", "drinking glass"),
        ("reading glasses", "reading glasses"),
        ("persons", "person"),
        ("a", "a"),
        ("", ""),
    ],
)
def test_object_names(text, name):
    assert normal.object_name(text) == name


def test_one_and_several_of_a_thing_have_one_name():
    """The exceptions are plurals that name another thing: people wear glasses, and shorts."""
    nouns = sorted(set(pq.read_table(GQA)["noun"].to_pylist()))
    two_names = [noun for noun in nouns if normal.object_name(plural(noun)) != normal.object_name(noun)]
    assert two_names == ["glass", "person", "pesto", "plier", "wii"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("grey coloured", "gray"),
        ("white in color", "white"),
        ("light brown color", "light brown"),
        ("multi colored", "multi colored"),
        ("dark colored", "dark colored"),
        ("colored", "colored"),
        ("is Parked", "parked"),
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
        ("laying on", "lie on"),
        ("has", "have"),
        ("next to the", "next to"),
        ("in the middle of", "in the middle of"),
        ("staring at", "stare at"),
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
        assert len(forms) < len(texts)  # "ON" and "on", and "tree" and "trees", became one


@pytest.mark.skipif(not GENOME.exists(), reason="needs real annotations")
def test_a_real_region_has_the_atoms_of_its_images_own_scene_graph():
    # If a region states exactly what the annotated graph states ("the clock is green"), both must name it alike; otherwise, a
    # walk's compound would never be found in a caption. Ten images have 215 of these; 9 differ in what is part of a name.
    graphs = {graph["image_id"]: graph for graph in json.loads((GENOME / "scene_graphs.json").read_text())}
    parser, alike = make(section(Language)), []
    for image in json.loads((GENOME / "region_descriptions.json").read_text()):
        regions = [clean(region["phrase"]) for region in image["regions"]]
        said = annotated(graphs[image["regions"][0]["image_id"]])
        for phrase, parsed in zip(regions, parser.parse(correct(region) for region in regions), strict=True):
            compounds = {(name, parsed.graph.objects[i]) for i, name in parsed.graph.attributes}
            compounds |= {(parsed.graph.objects[i], name, parsed.graph.objects[j]) for i, name, j in parsed.graph.relations}
            alike += [compound in compounds for compound in said.get(without_grammar(phrase), ())]
    assert len(alike) > 200
    assert sum(alike) / len(alike) >= 0.95


def annotated(graph):
    """Return an annotated graph's compounds by the words for them: attribute and object, or subject, relation and object."""
    said = defaultdict(set)
    names = {o["object_id"]: o["names"][0] for o in graph["objects"]}
    for o in graph["objects"]:
        for attribute in o.get("attributes", []):
            compound = (normal.attribute(attribute), normal.object_name(o["names"][0]))
            said[without_grammar(f"{attribute} {o['names'][0]}")].add(compound)
            said[without_grammar(f"{o['names'][0]} {attribute}")].add(compound)
    for r in graph["relationships"]:
        subject, object_ = names[r["subject_id"]], names[r["object_id"]]
        triple = (normal.object_name(subject), normal.relation(r["predicate"]), normal.object_name(object_))
        said[without_grammar(f"{subject} {r['predicate']} {object_}")].add(triple)
    return said


def without_grammar(text):
    return " ".join(word for word in clean(text).lower().split() if word not in ("a", "an", "the", "is", "are"))
