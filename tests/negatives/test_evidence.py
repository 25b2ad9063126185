"""Tests of what is known of an image, as probabilities, with cases that were once taken for certain."""

import pytest

from stages.graphs.box import Box
from stages.graphs.graph import SceneGraph
from stages.negatives.counts import RULED_OUT
from stages.negatives.evidence import Evidence
from stages.negatives.known_things import Thing
from stages.negatives.meanings import ALIKE, LIKELY
from tests.negatives.known import MAX_TRUE, MEANINGS, evidence_of, fact, in_boxes, with_usage

RARE = MAX_TRUE / 2
"""Whatever is less probable than this may be offered as false."""


def box(x, y=0, size=100):
    return Box(x, y, size, size)


def test_attributes():
    known = evidence_of(SceneGraph(("wall", "car", "cup"), ((0, "red"), (1, "wet"))))
    assert known.attribute("wall", "red") == 1
    assert known.attribute("wall", "green") < RARE
    assert known.attribute("car", "blue") > 0.2, "its colour is not known"
    assert known.attribute("elephant", "blue") < RARE


def test_a_second_thing_of_the_kind_leaves_an_attribute_open():
    assert evidence_of(SceneGraph(("wall", "wall"), ((0, "red"),))).attribute("wall", "green") > 0.2
    both = evidence_of(SceneGraph(("wall", "wall"), ((0, "red"), (1, "pink"))))
    assert both.attribute("wall", "green") < RARE
    assert both.count("wall") == 2


def test_a_thing_of_two_colours_may_have_a_third():
    """A red crosswalk "marked with white stripes" may be called white, and is likelier to be yellow than a plain red one."""
    plain, mixed = (evidence_of(SceneGraph(("crosswalk",), tuple((0, c) for c in own))) for own in (("red",), ("red", "white")))
    assert mixed.attribute("crosswalk", "white") == 1
    assert mixed.attribute("crosswalk", "yellow") > plain.attribute("crosswalk", "yellow")


def test_what_is_on_a_wall_is_beside_it_and_what_is_on_a_table_is_not():
    on = {name: evidence_of(SceneGraph(("frame", name), (), ((0, "on", 1),))) for name in ("wall", "table")}
    assert on["wall"].triple("frame", "next to", "wall") > 0.2
    assert on["table"].triple("frame", "next to", "table") < RARE
    assert on["wall"].triple("frame", "under", "wall") < RARE


def test_what_is_black_is_often_white_as_well_and_what_is_red_is_seldom_green():
    """Annotators often give a thing both colours of such a pair, though one excludes the other."""
    black, red = (evidence_of(SceneGraph(("cow",), ((0, colour),))) for colour in ("black", "red"))
    assert black.attribute("cow", "white") > MAX_TRUE > RARE > red.attribute("cow", "green")


def test_the_colour_of_one_thing_says_little_of_another():
    graph = SceneGraph(("wall", "jacket", "distance"), ((0, "white"), (1, "gray")))
    blue = evidence_of(SceneGraph((*graph.objects, "plate"), (*graph.attributes, (3, "orange"))))
    assert blue.attribute("jacket", "orange") < MAX_TRUE
    assert evidence_of(graph).attribute("wall", "orange") <= blue.attribute("wall", "orange") < MAX_TRUE


def test_a_description_speaks_of_the_object_that_its_region_shows():
    walls = SceneGraph(("wall", "wall")), [box(0), box(300)]
    facts = [
        fact(SceneGraph(("wall",), ((0, "red"),)), box(0, 0, 120)),
        fact(SceneGraph(("wall",), ((0, "pink"),)), box(290, 0, 120)),
    ]
    known = in_boxes(*walls, facts)
    assert [sorted(thing.attributes) for thing in known.things] == [["red"], ["pink"]]
    assert in_boxes(*walls, facts[:1]).attribute("wall", "green") > 0.2


def test_a_description_far_away_speaks_of_another_thing():
    """A dog is on a sofa, and 450 pixels away, a description has a dog on grass: there are two dogs."""
    described = fact(SceneGraph(("dog", "grass"), (), ((0, "on", 1),)), box(550))
    known = in_boxes(SceneGraph(("dog", "sofa"), (), ((0, "on", 1),)), [box(0), box(0, 50, 200)], [described])
    assert known.count("dog") == 2
    assert known.triple("dog", "on", "grass") == 1
    assert len(known.called("dog")) == 2


def test_an_annotated_black_dog_and_a_brown_one_described_elsewhere():
    known = in_boxes(SceneGraph(("dog",), ((0, "black"),)), [box(0)], [fact(SceneGraph(("dog",), ((0, "brown"),)), box(550))])
    assert known.attribute("dog", "brown") == known.attribute("dog", "black") == 1
    assert known.count("dog") == 2


def test_what_is_told_of_none_of_the_known_things_may_be_told_of_another():
    """Green trees are annotated, and a region that meets one of them describes a leafless tree: it may be brown."""
    trees = SceneGraph(("tree", "tree"), ((0, "green"), (1, "green")))
    colours = []
    for said, x in (("leafless", 130), ("leafless", 82), ("green", 130), ("two", 130)):
        known = in_boxes(trees, [box(0), box(80)], [fact(SceneGraph(("tree",), ((0, said),)), box(x))])
        assert known.count("tree") == 2
        colours.append(known.attribute("tree", "brown"))
    assert colours[0] > 0.05 > RARE > max(colours[1:])


def test_what_lies_on_a_plate_lies_on_its_desk_and_not_on_a_shelf():
    graph = SceneGraph(("fork", "plate", "desk", "shelf"), (), ((0, "on", 1), (1, "on", 2)))
    known = in_boxes(graph, [box(50, 50, 10), box(40, 40, 40), box(0, 0, 200), box(45, 10, 25)])
    assert known.triple("fork", "on", "desk") > 0.2
    assert known.triple("fork", "on", "shelf") < MAX_TRUE


def test_two_mentions_in_disjoint_boxes_are_two_things():
    cups = [fact(SceneGraph(("cup",)), box(0)), fact(SceneGraph(("cup",)), box(500))]
    assert Evidence.of(None, cups, MEANINGS).count("cup") == 2
    assert Evidence.of(None, [cups[0], fact(SceneGraph(("cup",)), box(50))], MEANINGS).count("cup") == 1
    assert Evidence.of(None, cups, MEANINGS).attribute("cup", "two") == 1


def test_the_whole_of_which_a_part_is_known_may_be_there():
    """A green wall may belong to a green room."""
    known = evidence_of(SceneGraph(("wall",), ((0, "green"),)))
    assert known.attribute("room", "green") > RARE
    assert known.attribute("zebra", "green") < RARE


def test_a_name_that_says_nothing_says_nothing():
    """Every image has a region of a "photo" or a "scene", either of which could otherwise be anything."""
    known = evidence_of(SceneGraph(("photo", "scene", "left side", "monitor"), ((3, "on"),)))
    assert known.object("elephant") < RARE and known.object("toddler") < RARE


def test_a_description_may_be_of_a_thing_that_is_annotated_already():
    """The annotated wall has no colour, so the red wall of the description may be the same."""
    known = in_boxes(SceneGraph(("wall",)), [box(0, 0, 400)], [fact(SceneGraph(("wall",), ((0, "red"),)), box(300, 0, 50))])
    assert known.count("wall") == 1
    assert known.attribute("wall", "green") < RARE


def test_relations():
    known = evidence_of(SceneGraph(("dog", "car", "cup"), (), ((0, "on", 1), (2, "to the left of", 1))))
    assert known.triple("animal", "on", "car") == 1
    assert known.triple("dog", "near", "car") == 1
    assert known.triple("car", "on", "dog") < MAX_TRUE
    assert known.triple("car", "to the right of", "cup") == 1
    assert known.triple("dog", "behind", "cup") > 0.2, "nothing is known of the two"
    assert known.triple("dog", "on", "elephant") < RARE


@pytest.mark.parametrize("relation", ["in", "with", "wear"])
@pytest.mark.parametrize("asked", ["in", "with", "wear", "have"])
def test_who_is_in_glasses_has_them(relation, asked):
    known = evidence_of(SceneGraph(("woman", "glasses", "box", "cup"), (), ((0, relation, 1), (3, "in", 2))))
    assert known.triple("woman", asked, "glasses") == 1
    assert known.triple("cup", "wear", "box") < 1


@pytest.mark.parametrize(("x", "on", "left"), [(300, 0.05, 1.0), (40, 1.0, 1.0)])
def test_boxes_settle_where_things_are(x, on, left):
    known = in_boxes(SceneGraph(("dog", "table")), [box(0), box(x)])
    assert known.triple("dog", "on", "table") < on and known.triple("dog", "to the left of", "table") <= left
    if x == 300:
        assert known.triple("dog", "to the right of", "table") < 0.05 < known.triple("dog", "to the left of", "table")


def test_a_crop_shows_what_meets_it():
    known = in_boxes(SceneGraph(("dog", "elephant")), [box(0), box(500)])
    cropped = known.within(Box(400, 0, 300, 300))
    assert cropped.object("elephant") == 1
    assert cropped.object("dog") < LIKELY and cropped.share == 300 * 300 / (800 * 600)
    assert known.within(Box(0, 0, 120, 120)).unmentioned("cat") < known.unmentioned("cat")


def test_the_words_before_a_name_count_as_attributes():
    assert "orange" in Thing(("orange box",), Box(0, 0, 9, 9), distinct=True).attributes


def test_a_statement_is_no_more_probable_than_its_parts():
    known = evidence_of(SceneGraph(("wall", "car"), ((0, "red"),), ((1, "near", 0),)))
    assert known.probability(SceneGraph(("wall", "car"), ((0, "red"),), ((1, "near", 0),))) == 1
    assert known.probability(SceneGraph(("wall", "car"), ((0, "green"),), ((1, "near", 0),))) < RARE
    assert known.probability(SceneGraph(("wall",))) == 1


def test_a_colour_that_is_not_known_is_as_probable_as_among_such_things():
    known = evidence_of(SceneGraph(("elephant", "car")), with_usage())
    assert known.attribute("elephant", "pink") < RARE < MAX_TRUE < known.attribute("elephant", "gray")
    assert known.attribute("car", "purple") < MAX_TRUE < known.attribute("car", "blue")


def test_a_word_that_nobody_says_and_one_that_nothing_excludes_may_hold():
    known = evidence_of(SceneGraph(("woman", "plate", "plate"), ((1, "dirty"),)), with_usage())
    assert min(known.attribute("woman", "crying"), known.attribute("woman", "lovely"), known.attribute("plate", "clean")) > MAX_TRUE


def test_where_a_known_thing_stands_is_open():
    graph = SceneGraph(("man", "jacket", "couch"), (), ((0, "near", 1),))
    assert evidence_of(graph, with_usage()).triple("man", "to the left of", "jacket") > 0.1


def test_what_people_never_say_of_such_things_does_not_hold():
    """Nobody wrote where the mountain is, but no mountain wears sunglasses; a person may."""
    known = evidence_of(SceneGraph(("mountain", "person", "sunglasses")), with_usage())
    assert known.triple("mountain", "wear", "sunglasses") < MAX_TRUE < known.triple("person", "wear", "sunglasses")
    assert known.triple("sunglasses", "wear", "person") < MAX_TRUE
    assert min(known.triple("mountain", place, "sunglasses") for place in ("behind", "rise behind", "near")) > MAX_TRUE


def test_what_nobody_mentions_is_where_such_things_are():
    """There may be an unmentioned cup near a desk; if so, it is mostly on the desk. A second desk may be anywhere."""
    known = evidence_of(SceneGraph(("desk", "floor")), with_usage())
    assert known.triple("cup", "on", "desk") == pytest.approx(known.unmentioned("cup"))
    of_two = evidence_of(SceneGraph(("desk", "cup"), (), ((1, "on", 0),)), with_usage())
    assert of_two.triple("desk", "on", "cup") < RULED_OUT + of_two.unmentioned("cup") + of_two.unmentioned("desk") / 2


def test_what_is_covered_in_snow_shows_snow():
    """Nobody lists the snow, but the attribute of several words names it."""
    known = evidence_of(SceneGraph(("bench",), ((0, "covered in snow"),)), with_usage())
    assert known.unmentioned("snow") == LIKELY > known.unmentioned("lamp")
    assert known.within(Box(0, 0, 1, 1)).unmentioned("snow") < LIKELY, "the crop does not show the bench"


def test_where_a_clock_may_be_a_wall_clock_may():
    """Hardly anybody calls it a wall clock, and a reader sees a clock."""
    known = evidence_of(SceneGraph(("desk",)), with_usage())
    assert known.unmentioned("wall clock") >= ALIKE * known.unmentioned("clock") > 1e-4


def boxed(names, boxes):
    return in_boxes(SceneGraph(names), boxes, of_words=with_usage())


def test_what_lies_in_the_box_of_a_desk_may_well_be_on_it():
    """Hardly anybody says this of a carrot, but its box lies in the desk's."""
    inside, apart = (boxed(("carrot", "desk"), [box(x, 50, 40), box(0, 0, 300)]) for x in (100, 500))
    assert inside.triple("carrot", "on", "desk") > 0.1 and apart.triple("carrot", "on", "desk") < 0.02


def test_where_things_stand_holds_whether_or_not_anybody_says_so():
    """A parking meter stands along the road, a desk between screens."""
    known = boxed(("meter", "road", "desk", "screen"), [box(0), box(50), box(100), box(150)])
    assert known.triple("meter", "along", "road") > MAX_TRUE
    assert known.triple("desk", "between", "screen") > MAX_TRUE


def test_what_is_far_apart_is_not_next_to_each_other():
    near, far = (boxed(("cup", "chair"), [box(0), box(x)]) for x in (150, 500))
    assert far.triple("cup", "next to", "chair") < 0.02 < near.triple("cup", "next to", "chair")


def test_the_material_of_what_has_a_colour_is_open():
    """A silver backpack may be made of leather, but not of stone."""
    graph = SceneGraph(("backpack",), ((0, "silver"),))
    assert evidence_of(graph, with_usage()).attribute("backpack", "leather") > RARE
