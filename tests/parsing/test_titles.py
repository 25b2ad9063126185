"""Tests of what titles add to names, on drafts written by hand."""

import pytest

from stages.parsing.draft import Draft
from stages.parsing.extraction import extract
from stages.parsing.parser import named
from stages.parsing.titles import bare, without_abstractions
from stages.parsing.words import Words
from tests.parsing.trees import doc


@pytest.mark.parametrize(
    ("name", "objects", "attributes"),
    [
        ("wedding photo", ("wedding",), ()),
        ("desk lamp gray", ("desk lamp",), ((0, "gray"),)),
        # but not where nothing would remain
        ("vector image", ("vector image",), ()),
        ("photo", ("photo",), ()),
        ("navy blue", ("navy blue",), ()),
    ],
)
def test_a_name_ends_with_the_thing(name, objects, attributes):
    *modifiers, head = name.split()
    tree = doc(" ".join([*(f"{word}/NN/compound>{head}" for word in modifiers), f"{head}/NN/ROOT>{head}"]))
    graph, _ = named(bare(Draft(Words(tree), {len(modifiers): tuple(range(len(tree)))})))
    assert (graph.objects, graph.attributes) == (objects, attributes)


def test_a_color_behind_a_comma_is_one_of_what_was_named():
    graph, _ = named(bare(extract(Words(doc("jacket/NN/ROOT>jacket ,/,/punct>jacket black/NN/appos>jacket")))))
    assert (graph.objects, graph.attributes) == (("jacket",), ((0, "black"),))


IDEAS = "the/DT/det>ideas best/JJS/amod>ideas ideas/NNS/ROOT>ideas for/IN/prep>ideas a/DT/det>garden garden/NN/pobj>for"


@pytest.mark.parametrize(("title", "objects"), [(False, ("garden",)), (True, ())])
def test_what_no_picture_shows_is_left_out_and_of_titles_all(title, objects):
    graph, _ = named(without_abstractions(extract(Words(doc(IDEAS))), title))
    assert (graph.objects, graph.attributes, graph.relations) == (objects, (), ())


def test_opinions_are_no_attributes():
    draft = extract(Words(doc("perfect/JJ/amod>lamp red/JJ/amod>lamp lamp/NN/ROOT>lamp")))
    assert named(without_abstractions(draft, False))[0].attributes == ((0, "red"),)


@pytest.mark.parametrize(
    ("tree", "objects", "attributes"),
    [
        ("the/DT/det>dog handsomest/JJS/amod>dog dog/NN/ROOT>dog", ("dog",), ()),
        ("stuff/NN/ROOT>stuff to/TO/aux>buy buy/VB/acl>stuff", ("stuff",), ()),
        ("menus/NNS/nsubj>are are/VBP/ROOT>are a/DT/det>party party/NN/attr>are", ("menu",), ()),
        ("wall/NN/nsubj>is is/VBZ/ROOT>is brick/NN/attr>is", ("wall",), ((0, "brick"),)),
        ("fountain/NN/compound>review pen/NN/compound>review review/NN/ROOT>review", ("fountain pen",), ()),
        ("every/DT/det>man man/NN/nsubj>holds holds/VBZ/ROOT>holds a/DT/det>rope rope/NN/dobj>holds", ("rope",), ()),
        ("tell/VB/ROOT>tell if/IN/mark>likes a/DT/det>girl girl/NN/nsubj>likes likes/VBZ/ccomp>tell", (), ()),
        ("floor/NN/nsubj>becomes becomes/VBZ/ROOT>becomes", ("floor",), ()),
        ("first/JJ/amod>bus bus/NN/ROOT>bus", ("bus",), ()),
        ("she/PRP/nsubj>takes takes/VBZ/ROOT>takes part/NN/dobj>takes", (), ()),
        ("anyone/NN/nsubj>has has/VBZ/ROOT>has a/DT/det>rope rope/NN/dobj>has", ("rope",), ()),
    ],
)
def test_opinions_what_is_supposed_and_what_is_yet_to_be_done_are_not_seen(tree, objects, attributes):
    graph, _ = named(without_abstractions(extract(Words(doc(tree))), False))
    assert (graph.objects, graph.attributes) == (objects, attributes)
