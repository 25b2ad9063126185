import json
from pathlib import Path

import pytest
import spacy

from stages.parameters.sections import Language
from stages.parsing import pipeline
from stages.parsing.parser import Parser, make
from stages.text import normal
from tests.running import section

GENOME = Path(__file__).parents[3] / "shared" / "data" / "visual_genome"


def facts(parsed):
    graph = parsed.graph
    return {(graph.objects[o], a) for o, a in graph.attributes} | {
        (graph.objects[s], r, graph.objects[o]) for s, r, o in graph.relations
    }


@pytest.mark.parametrize(
    ("caption", "found"),
    [
        ("a man is holding a red umbrella", {("umbrella", "red"), ("man", "hold", "umbrella")}),
        ("The man's hat is black.", {("man", "have", "hat"), ("hat", "black")}),
        ("two dogs sitting on top of a car", {("dog", "two"), ("dog", "sit on top of", "car")}),
        ("A car is parked in front of a house.", {("car", "park in front of", "house")}),
        ("there is a cat under the table", {("cat", "under", "table")}),
        ("a woman in a long dress", {("woman", "in", "dress"), ("dress", "long")}),
        ("man cooking food in a metallic tray", {("man", "cook", "food"), ("food", "in", "tray"), ("tray", "metallic")}),
        ("a girl dressed as a bear", {("girl", "dress as", "bear")}),
        ("portrait of a man as a saint", {("portrait", "of", "man")}),
        ("time lapse of the sun rising behind clouds", {("sun", "rise behind", "cloud")}),
        ("columns at the ruin of a castle", {("column", "at", "ruin"), ("ruin", "of", "castle")}),
        ("A CPU is on the floor", {("cpu", "on", "floor")}),
        ("the chair is purple in color", {("chair", "purple")}),
        ("a picture frame that is gold in colour on a wall", {("picture frame", "gold"), ("picture frame", "on", "wall")}),
    ],
)
def test_the_bundled_pipeline_and_the_rules_read_plain_captions(parser, caption, found):
    assert facts(next(parser.parse([caption]))) == found


def test_the_order_is_kept_and_spans_are_of_the_caption_itself(parser):
    captions = [f"{i} Red Cars on a Road" for i in range(2, 600)]
    for caption, parsed in zip(captions, parser.parse(captions), strict=True):
        assert parsed.caption == caption
        spans = parsed.spans
        for name, span in zip(parsed.graph.objects, spans.objects, strict=True):
            assert normal.object_name(caption[slice(*span)]) == name
        for (_, name), span in zip(parsed.graph.attributes, spans.attributes, strict=True):
            assert normal.attribute(caption[slice(*span)]) == name


@pytest.mark.parametrize(
    "caption", ["", " ", "\n", "?!", "the", "\N{SNOWMAN}", "123", "a" * 3000, "of of of", "is", "( ) , ;", "不是英文"]
)
def test_odd_captions_have_a_graph(parser, caption):
    parsed = next(parser.parse([caption]))
    assert parsed.caption == caption.strip()
    assert len(parsed.spans.objects) == len(parsed.graph.objects)


def test_spaces_too_many_are_no_words(parser):
    # spaCy makes each space a word, which would become an object or split "on top of".
    spaced, plain = parser.parse(["  A  brown\tdog on   top of a \n table ", "A brown dog on top of a table"])
    assert spaced == plain


def test_spans_skip_what_the_network_does_not_read(parser):
    parsed = next(parser.parse(["Nike Youth Black Warwickshire Beanie"]))
    assert ("youth beanie", "black") in facts(parsed)
    for name, span in zip(parsed.graph.objects, parsed.spans.objects, strict=True):
        assert span is None or normal.object_name(parsed.caption[slice(*span)]) == name


@pytest.mark.parametrize(
    "caption",
    ["7 Minute Workout Challenge", "A Short History of the Twentieth Century", "How To Visit a Beach", "Anne of the Island"],
)
def test_titles_and_advice_have_no_atoms(parser, caption):
    assert next(parser.parse([caption])).graph.objects == ()


def test_advice_that_is_no_title_has_its_things(parser):
    # A picture comes with it; what "you" do is another matter.
    assert next(parser.parse(["how to build a table and benches"])).graph.objects == ("table", "bench")
    assert next(parser.parse(["you can pick up the front of the car"])).graph.objects == ("front", "car")


def test_a_title_that_names_a_thing_has_atoms(parser):
    assert next(parser.parse(["Acoustic Guitar Logo Business Card Template"])).graph.objects


def test_signs_without_a_letter_are_no_atoms(parser):
    for parsed in parser.parse(
        ["a red car for $ 1,000 # sold", "*** dog *** on | mat", "100 % rayon dress @ shop", "\N{BLACK STAR} a cat"]
    ):
        atoms = [*parsed.graph.objects, *(name for _, name in parsed.graph.attributes)]
        assert atoms
        assert all(any(map(str.isalnum, name)) for name in atoms)


def test_an_article_in_the_place_of_a_preposition_is_no_relation(parser):
    parsed = next(parser.parse(["Red bus a the bus stop"]))
    assert (parsed.graph.objects, parsed.graph.relations, parsed.spans.relations) == (("bus", "bus stop"), (), ())


def test_conventions_are_switched_by_a_parameter():
    caption = "a man in a black wood chair"
    core, theirs = (next(make(section(Language, conventions=c)).parse(["wheel of a wooden cart"])) for c in ("none", "factual"))
    assert ("wheel", "of", "cart") in facts(core)
    assert ("cart", "have", "wheel") in facts(theirs)
    assert next(Parser(section(Language, pipeline="auto")).parse([caption])).caption == caption


def test_any_pipeline_with_the_labels_will_do(tmp_path, parser):
    # A pipeline given by its path represents an installed en_core_web_sm.
    spacy.load(parser.reader.nlp.config and Path(pipeline.__file__).parent / "model").to_disk(tmp_path / "en_core_web_tiny")
    other = Parser(section(Language, pipeline=str(tmp_path / "en_core_web_tiny")))
    assert facts(next(other.parse(["a man holding a cup"]))) == {("man", "hold", "cup")}


@pytest.mark.skipif(not GENOME.exists(), reason="needs real annotations")
def test_a_phrase_gives_the_same_atoms_from_a_caption_and_from_an_annotated_graph(parser):
    """The annotators' own triples, written as phrases and parsed, give the annotated atoms again."""
    graphs = json.loads((GENOME / "scene_graphs.json").read_text())
    met = total = 0
    for graph in graphs:
        names = {o["object_id"]: o["names"][0] for o in graph["objects"]}
        triples = [(names[r["subject_id"]], r["predicate"], names[r["object_id"]]) for r in graph["relationships"]]
        triples = [t for t in triples if all(t)]
        annotated = [(normal.object_name(s), normal.relation(r), normal.object_name(o)) for s, r, o in triples]
        phrases = [f"{s} {r} {o}".lower() for s, r, o in triples]
        for wanted, parsed in zip(annotated, parser.parse(phrases), strict=True):
            total += 1
            met += wanted in facts(parsed)
    assert met / total > 0.75, f"{met} of {total}"


@pytest.mark.parametrize(
    "caption",
    ["person tries to stand straight in an air filled ball on a lake", "spiral in a circle drawn by the brush painted grey paint"],
)
def test_captions_whose_repair_went_round_in_a_circle_are_read(parser, caption):
    assert [parsed.caption for parsed in parser.parse([caption])] == [caption]


@pytest.mark.parametrize(
    ("caption", "thing", "attributes", "relations"),
    [
        ("the boat is painted white", "boat", {"white", "painted"}, set()),
        ("a wooden door painted dark green", "door", {"wooden", "dark green", "painted"}, set()),
        ("the hydrant is painted yellow and red", "hydrant", {"yellow", "red", "painted"}, set()),
        ("her hair is dyed blonde", "hair", {"blonde", "dyed"}, set()),
        ("a fence painted green by a road", "fence", {"green", "painted"}, {("fence", "by", "road")}),
        ("a bench painted blue near a tree", "bench", {"blue", "painted"}, {("bench", "near", "tree")}),
        ("a living room painted beige with a couch", "living room", {"beige", "painted"}, {("living room", "with", "couch")}),
        ("a fence painted blue by a man", "fence", {"blue"}, {("fence", "paint by", "man")}),
        ("a wall painted by an artist", "wall", set(), {("wall", "paint by", "artist")}),
        ("the ceiling is painted a pale yellow", "ceiling", {"pale yellow", "painted"}, set()),
        ("the ceiling is painted pale yellow", "ceiling", {"pale yellow", "painted"}, set()),
        ("the ceiling is painted in pale yellow", "ceiling", {"pale yellow", "painted"}, set()),
        ("a wall painted a bright blue", "wall", {"bright blue", "painted"}, set()),
        ("the dress is dyed in a deep red", "dress", {"deep red", "dyed"}, set()),
        ("the dress is a deep red", "dress", {"deep red"}, set()),
        ("the walls are coloured a dark brown", "wall", {"dark brown", "colored"}, set()),
        ("a bus painted in red, white and blue", "bus", {"red", "white", "blue", "painted"}, set()),
        ("the wall is a light shade of green", "wall", {"light green"}, set()),
        ("a wall painted in a light shade of green", "wall", {"light green", "painted"}, set()),
        ("a hydrant painted bright yellow in a field", "hydrant", {"bright yellow", "painted"}, {("hydrant", "in", "field")}),
        ("a man with hair dyed a bright green", "hair", {"bright green", "dyed"}, {("man", "with", "hair")}),
        ("a boat on the beach painted a bright blue", "boat", {"bright blue", "painted"}, {("boat", "on", "beach")}),
        ("a bus painted with flowers", "bus", set(), {("bus", "paint with", "flower")}),
    ],
)
def test_a_participle_gives_a_color(parser, caption, thing, attributes, relations):
    parsed = next(parser.parse([caption]))
    assert facts(parsed) == {(thing, attribute) for attribute in attributes} | relations


@pytest.mark.parametrize(
    ("caption", "relation", "objects"),
    [
        ("a table with a plate, a fork and a knife", "with", ["plate", "fork", "knife"]),
        ("a man next to a bike, a car and a bus", "next to", ["bike", "car", "bus"]),
        ("a man holding a cup and a phone", "hold", ["cup", "phone"]),
        ("a man in a hat, a woman and a dog", "in", ["hat"]),
        ("a shelf with a clock, and a vase", "with", ["clock", "vase"]),
        ("a table with a plate, a fork, and a knife", "with", ["plate", "fork", "knife"]),
        ("a desk with a lamp, a phone, a cup, and a book", "with", ["lamp", "phone", "cup", "book"]),
        ("a man holding a bat, a ball, and a glove", "hold", ["bat", "ball", "glove"]),
        ("a man wearing a hat, a shirt, and a tie", "wear", ["hat", "shirt", "tie"]),
        ("a woman wearing a hat, and glasses", "wear", ["hat", "glasses"]),
        ("the room has a bed, and a chair", "have", ["bed", "chair"]),
        ("a shelf filled with books, and toys", "fill with", ["book", "toy"]),
        ("a plate with food and a fork", "with", ["food", "fork"]),
        ("a man with a hat, and a woman", "with", ["hat"]),
        ("a man with a hat, a woman, and a dog", "with", ["hat"]),
        ("a man with hair and a woman", "with", ["hair"]),
    ],
)
def test_everything_in_a_list_is_related(parser, caption, relation, objects):
    parsed = next(parser.parse([caption]))
    assert facts(parsed) == {(parsed.graph.objects[0], relation, name) for name in objects}


@pytest.mark.parametrize(
    ("caption", "found"),
    [
        ("a man with a hat, and a woman walks past", {("man", "with", "hat")}),
        ("a man with a hat, and a woman with an umbrella", {("man", "with", "hat"), ("woman", "with", "umbrella")}),
        ("a woman holding a cup, and a man is sitting", {("woman", "hold", "cup"), ("man", "sitting")}),
        (
            "a man wearing a coat with buttons, and boots",
            {("man", "wear", "coat"), ("coat", "with", "button"), ("man", "wear", "boot")},
        ),
    ],
)
def test_a_comma_may_end_a_list(parser, caption, found):
    """What follows the comma is not held or owned by the first."""
    assert {fact for fact in facts(next(parser.parse([caption]))) if "past" not in fact} == found


@pytest.mark.parametrize(
    ("caption", "found"),
    [
        ("a dog with a collar running through the grass", {("dog", "with", "collar"), ("dog", "run through", "grass")}),
        (
            "a boy wearing a shirt and jeans jumping on a bed",
            {("boy", "wear", "shirt"), ("boy", "wear", "jeans"), ("boy", "jump on", "bed")},
        ),
        (
            "a man in a jacket and a hat is standing on a hill",
            {("man", "in", "jacket"), ("man", "in", "hat"), ("man", "stand on", "hill")},
        ),
        (
            "a man with glasses and a beard sits on a couch",
            {("man", "with", "glasses"), ("man", "with", "beard"), ("man", "sit on", "couch")},
        ),
        (
            "a man wearing a shirt, a vest, and a hat is riding a horse",
            {("man", "wear", "shirt"), ("man", "wear", "vest"), ("man", "wear", "hat"), ("man", "ride", "horse")},
        ),
        (
            "a man in a hat sits on a bench and a bus drives on a road",
            {("man", "in", "hat"), ("man", "sit on", "bench"), ("bus", "drive on", "road")},
        ),
        ("a woman with a scarf and the sofa is purple", {("woman", "with", "scarf"), ("sofa", "purple")}),
        ("a dog with a ribbon hanging from its collar", {("dog", "with", "ribbon"), ("ribbon", "hang from", "collar")}),
        ("a house with a boy sitting on the roof", {("house", "with", "boy"), ("boy", "sit on", "roof")}),
        ("cows walking along a beach, and people in the water", {("cow", "walk along", "beach"), ("people", "in", "water")}),
    ],
)
def test_who_has_a_thing_acts_and_not_the_thing(parser, caption, found):
    assert facts(next(parser.parse([caption]))) == found


@pytest.mark.parametrize(
    ("caption", "relation", "subjects"),
    [
        ("a fork, a pork chop and potatoes on a white plate", "on", {"fork", "pork chop", "potato"}),
        ("a fork and a knife on a plate", "on", {"fork", "knife"}),
        ("a mouse, keyboard, and a monitor on a desk", "on", {"mouse", "keyboard", "monitor"}),
        ("two men and a woman in front of a house", "in front of", {"man", "woman"}),
        ("two children, a boy and a girl, in the air", "in", {"child", "boy", "girl"}),
        ("a man, a woman and a dog sit on a bench", "sit on", {"man", "woman", "dog"}),
        ("a man, a woman, and a dog are sitting on a bench", "sit on", {"man", "woman", "dog"}),
        ("a jeep, a motorcycle, and a plane are in front of a wall", "in front of", {"jeep", "motorcycle", "plane"}),
        ("one day, a man and a woman sit on a bench", "sit on", {"man", "woman"}),
        # Only the last one has it, or acts.
        ("a table and a chair with a cushion", "with", {"chair"}),
        ("four men and a woman in a black dress", "in", {"woman"}),
        ("two men, one in a red shirt and the other in a blue one", "in", set()),
        ("a man, a woman, and a child who is holding a ball", "hold", {"child"}),
    ],
)
def test_all_of_joined_subjects_are_related(parser, caption, relation, subjects):
    graph = next(parser.parse([caption])).graph
    assert {graph.objects[s] for s, r, _ in graph.relations if r == relation} == subjects


@pytest.mark.parametrize(
    ("caption", "objects", "found"),
    [
        ("a close up of a pizza on a table", {"pizza", "table"}, {("pizza", "on", "table")}),
        ("an extreme closeup of a man wearing a hat", {"man", "hat"}, {("man", "wear", "hat")}),
        ("one close up of a bird", {"bird"}, set()),
        ("two close-ups of a bird", {"bird"}, set()),
        ("Closeups of two dogs", {"dog"}, {("dog", "two")}),
        ("close ups of a dog", {"dog"}, set()),
        ("violin close-up", {"violin"}, set()),
        ("men's hands counting money close up", {"man", "hand", "money"}, {("man", "have", "hand"), ("hand", "count", "money")}),
        ("a giraffe is close up next to the fence", {"giraffe", "fence"}, {("giraffe", "next to", "fence")}),
        ("close up food on a plate", {"food", "plate"}, {("food", "on", "plate")}),
        ("a close up photo of a dog", {"photo", "dog"}, {("photo", "of", "dog")}),
        ("a close-up", set(), set()),
    ],
)
def test_a_close_up_is_neither_a_thing_nor_said_of_one(parser, caption, objects, found):
    parsed = next(parser.parse([caption]))
    assert set(parsed.graph.objects) == objects
    assert facts(parsed) == found


def test_glasses_of_wine_are_no_spectacles():
    parser = Parser(section(Language))
    texts = ["two glasses of wine on a table", "a man wearing glasses", "wine glasses on a table", "a bear in the woods"]
    objects = [set(parsed.graph.objects) for parsed in parser.parse(texts)]
    assert "glass" in objects[0] and "glasses" in objects[1] and "wine glass" in objects[2] and "woods" in objects[3]
