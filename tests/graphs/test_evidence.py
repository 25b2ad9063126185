import pytest

from stages.graphs.box import Box
from stages.graphs.evidence import Evidence, Literal, Thing, Verdict
from stages.graphs.graph import SceneGraph

COLOURS = {"red", "blue", "green"}


class Toy(Literal):
    """Colours exclude each other; a dog is an animal; "left of" and "right of" are converse and follow the boxes."""

    def may_name(self, known, asked):
        return known == asked or {known, asked} == {"dog", "animal"}

    def excludes(self, known, asked):
        return known != asked and {known, asked} <= COLOURS

    def relation_implies(self, known, asked, turned):
        return (known == asked and not turned) or (turned and {known, asked} == {"left of", "right of"})

    def relation_excludes(self, known, asked, turned):
        return known == asked == "on" and turned

    def direction(self, relation):
        return {"left of": (0, -1), "right of": (0, 1)}.get(relation)


def box(x, y=0, size=10):
    return {"x": x, "y": y, "width": size, "height": size}


def annotated(graph, boxes, aliases=None):
    return {**graph.columns(), "boxes": boxes, "aliases": aliases or [[] for _ in boxes]}


def fact(graph, where):
    return {**graph.columns(), "box": where}


def test_attributes():
    graph = SceneGraph(("dog", "car", "cup"), ((0, "red"), (1, "wet")))
    truth = Evidence.of_graph(graph, Toy())
    assert truth.attribute("dog", "red") is Verdict.TRUE
    assert truth.attribute("animal", "red") is Verdict.TRUE
    assert truth.attribute("dog", "blue") is Verdict.FALSE
    assert truth.attribute("car", "blue") is Verdict.UNKNOWN  # its colour is not known
    assert truth.attribute("bird", "blue") is Verdict.ABSENT


def test_a_second_thing_of_the_kind_leaves_an_attribute_open():
    truth = Evidence.of_graph(SceneGraph(("dog", "dog"), ((0, "red"),)), Toy())
    assert truth.attribute("dog", "blue") is Verdict.UNKNOWN
    both = Evidence.of_graph(SceneGraph(("dog", "dog"), ((0, "red"), (1, "green"))), Toy())
    assert both.attribute("dog", "blue") is Verdict.FALSE
    assert both.count("dog") == 2


def test_a_description_speaks_of_the_object_that_its_region_shows():
    scene = annotated(SceneGraph(("dog", "dog")), [box(0), box(100)])
    facts = [
        fact(SceneGraph(("dog",), ((0, "red"),)), box(0, size=20)),
        fact(SceneGraph(("dog",), ((0, "green"),)), box(95, size=20)),
    ]
    truth = Evidence.of(scene, facts, Toy())
    assert [sorted(thing.attributes) for thing in truth.things] == [["red"], ["green"]]
    assert truth.attribute("dog", "blue") is Verdict.FALSE
    assert Evidence.of(scene, facts[:1], Toy()).attribute("dog", "blue") is Verdict.UNKNOWN


@pytest.mark.parametrize(("left", "n"), [(3, 1), (3.1, 2)])
def test_a_region_shows_an_object_of_which_it_has_exactly_the_share(left, n):
    region = {"x": left, "y": 0, "width": 50, "height": 50}
    truth = Evidence.of(annotated(SceneGraph(("dog",)), [box(0)]), [fact(SceneGraph(("dog",)), region)], Toy())
    assert len(truth.things) == n


def test_words_that_mean_themselves():
    words = Literal()
    assert words.relation_implies("on", "on", turned=False)
    assert not words.relation_implies("on", "on", turned=True)
    assert not words.relation_implies("on", "under", turned=False)


def test_a_description_that_shows_two_is_kept_apart():
    truth = Evidence.of(
        annotated(SceneGraph(("dog", "dog")), [box(0), box(20)]), [fact(SceneGraph(("dog",)), box(0, size=50))], Toy()
    )
    assert [thing.distinct for thing in truth.things] == [True, True, False]
    assert truth.count("dog") == 2


def test_aliases_are_names():
    truth = Evidence.of(annotated(SceneGraph(("puppy",)), [box(0)], [["dog"]]), [], Toy())
    assert truth.object("animal") is Verdict.TRUE


def test_relations():
    truth = Evidence.of_graph(SceneGraph(("dog", "car", "cup"), (), ((0, "on", 1), (1, "left of", 2))), Toy())
    assert truth.triple("animal", "on", "car") is Verdict.TRUE
    assert truth.triple("car", "on", "dog") is Verdict.FALSE
    assert truth.triple("cup", "right of", "car") is Verdict.TRUE
    assert truth.triple("dog", "on", "cup") is Verdict.UNKNOWN
    assert truth.triple("dog", "on", "bird") is Verdict.ABSENT
    assert truth.triple("dog", "on", "dog") is Verdict.ABSENT  # there is only one


def test_boxes_settle_what_is_left_and_right():
    truth = Evidence.of(annotated(SceneGraph(("dog", "car")), [box(0), box(50)]), [], Toy())
    assert truth.triple("dog", "right of", "car") is Verdict.FALSE
    assert truth.triple("dog", "left of", "car") is Verdict.UNKNOWN
    above = Evidence.of(annotated(SceneGraph(("dog", "car")), [box(0), box(0, 50)]), [], Toy())
    assert above.triple("dog", "right of", "car") is above.triple("dog", "left of", "car") is Verdict.UNKNOWN


def test_the_box_of_a_description_settles_nothing():
    """It is the region's, in which the thing lies somewhere."""
    truth = Evidence.of(annotated(SceneGraph(("dog",)), [box(0)]), [fact(SceneGraph(("car",)), box(50))], Toy())
    assert truth.triple("dog", "right of", "car") is truth.triple("car", "left of", "dog") is Verdict.UNKNOWN


@pytest.mark.parametrize(("x", "verdict"), [(1, Verdict.UNKNOWN), (1.5, Verdict.FALSE)])
def test_centres_that_are_a_margin_apart_settle_nothing(x, verdict):
    """A tenth of the box's width."""
    truth = Evidence.of(annotated(SceneGraph(("dog", "car")), [box(0), box(x)]), [], Toy())
    assert truth.triple("dog", "right of", "car") is verdict


def test_a_thing_without_a_box_lies_nowhere():
    truth = Evidence([Thing(("dog",), Box(0, 0, 10, 10), True), Thing(("car",), None, True)], [], Toy())
    assert truth.triple("dog", "right of", "car") is truth.triple("car", "right of", "dog") is Verdict.UNKNOWN


def test_boxes_that_lie_apart_settle_what_needs_contact():
    class Contact(Literal):
        def touches(self, relation, object_):
            return relation == "on"

    rows = annotated(SceneGraph(("dog", "car", "cup")), [box(0), box(11), box(50)])
    truth = Evidence.of(rows, [], Contact())
    assert truth.triple("dog", "on", "cup") is Verdict.FALSE
    assert truth.triple("dog", "near", "cup") is Verdict.UNKNOWN
    assert truth.triple("dog", "on", "car") is Verdict.UNKNOWN  # the boxes are drawn loosely


def test_a_relation_is_open_while_another_pair_may_stand_in_it():
    graph = SceneGraph(("dog", "dog", "car"), (), ((2, "on", 0),))
    assert Evidence.of_graph(graph, Toy()).triple("dog", "on", "car") is Verdict.UNKNOWN


def test_a_relation_is_settled_when_it_is_for_every_pair_of_distinct_things():
    graph = SceneGraph(("dog", "dog", "car"), (), ((2, "on", 0), (2, "on", 1)))
    assert Evidence.of_graph(graph, Toy()).triple("dog", "on", "car") is Verdict.FALSE


def test_what_is_only_mentioned_does_not_open_a_relation():
    """It may be the annotated one; and what is said of it may be said of that."""
    on = SceneGraph(("dog", "car"), (), ((1, "on", 0),))
    apart, boxes = SceneGraph(("dog", "car")), [box(0), box(100)]
    mentioned = fact(SceneGraph(("car",)), box(500))
    assert Evidence.of(annotated(on, boxes), [mentioned], Toy()).triple("dog", "on", "car") is Verdict.FALSE
    said = fact(on, box(0, size=20))
    truth = Evidence.of(annotated(apart, boxes), [said], Toy())
    assert [thing.distinct for thing in truth.things] == [True, True, False]
    assert truth.triple("dog", "on", "car") is Verdict.FALSE


def test_only_what_shows_in_the_crop_counts():
    truth = Evidence.of(annotated(SceneGraph(("dog", "car"), ((0, "red"),), ((0, "on", 1),)), [box(0), box(100)]), [], Toy())
    cropped = truth.within(Box(95, 0, 50, 50))
    assert cropped.attribute("dog", "red") is Verdict.ABSENT
    assert cropped.relations == []
    assert truth.within(Box(0, 0, 50, 50)).relations == []
    assert truth.within(Box(0, 0, 200, 50)).relations == [(0, "on", 1)]
    assert truth.within(Box(9, 9, 200, 200)).object("dog") is Verdict.TRUE


@pytest.mark.parametrize(
    ("graph", "verdict"),
    [
        (SceneGraph(("dog",), ((0, "red"),)), Verdict.TRUE),
        (SceneGraph(("dog", "car"), ((0, "blue"),)), Verdict.FALSE),
        (SceneGraph(("dog", "car"), ((1, "blue"),)), Verdict.UNKNOWN),
        (
            SceneGraph(
                ("dog", "bird"),
            ),
            Verdict.ABSENT,
        ),
    ],
)
def test_the_verdict_on_a_whole_graph(graph, verdict):
    assert Evidence.of_graph(SceneGraph(("dog", "car"), ((0, "red"),)), Toy()).verdict(graph) is verdict
