"""Tests of HN-Swap: every kind of swap in A.4 is valid only if known facts rule it out."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.contract.schemas import CLEARED, PAPER, PROTOCOLS
from stages.graphs.box import Box
from stages.graphs.graph import SceneGraph
from stages.negatives import edits, hn_swap
from stages.negatives.checks import checked
from stages.negatives.making import WORDS_OF_THE_CAPTION
from stages.text.tokens import words
from tests.negatives.captions import captioned
from tests.negatives.known import MAX_TRUE, evidence_of, in_boxes, knowing, vocabulary
from tests.writing.graphs import graphs

KNOWLEDGE = knowing(vocabulary())
VASE = SceneGraph(("vase", "television"), ((0, "yellow"), (1, "black")), ((0, "on", 1),))
TWO = SceneGraph(("cup", "table", "dog", "bed"), ((0, "red"),), ((0, "on", 1), (2, "under", 3)))


def swaps(caption, protocol=CLEARED, knowledge=KNOWLEDGE):
    return checked(hn_swap.candidates(caption, protocol), caption, knowledge, protocol, WORDS_OF_THE_CAPTION)


def found(graph, known=None, bare=True, protocol=CLEARED):
    return {swap.caption: swap for swap in swaps(captioned(graph, known=known, bare=bare), protocol)}


def parts(graph):
    """Return the multiset of a graph's atoms: their kinds and words."""
    return Counter((atom.kind, atom.text) for atom in graph.atoms())


def test_the_examples_of_the_paper():
    swapped = found(VASE)
    assert swapped["yellow television on black vase"].edit == "subject_object"
    assert swapped["black television on yellow vase"].edit == "subject_object_with_attributes"
    assert swapped["black vase on yellow television"].edit == "attributes"
    assert all(swap.reason is None for text, swap in swapped.items() if text)


def test_an_attribute_is_moved():
    swapped = found(
        SceneGraph(("cup", "dog"), ((0, "red"),), ((0, "on", 1),)),
        SceneGraph(("cup", "dog"), ((0, "red"), (1, "black")), ((0, "on", 1),)),
    )
    assert swapped["cup on red dog"].edit == "attribute_moved"
    assert swapped["cup on red dog"].reason is None


@pytest.mark.parametrize(
    ("graph", "known", "text", "reason"),
    [
        # near is symmetric; "A left of B" implies "B right of A" and not "B left of A"
        (SceneGraph(("cup", "dog"), (), ((0, "next to", 1),)), None, "dog next to cup", "may_be_true"),
        (SceneGraph(("cup", "dog"), (), ((0, "to the left of", 1),)), None, "dog to the left of cup", None),
        # both are red in the whole graph
        (
            SceneGraph(("cup", "dog"), ((0, "red"), (1, "old")), ((0, "on", 1),)),
            SceneGraph(("cup", "dog"), ((0, "red"), (1, "old"), (1, "red"), (0, "old")), ((0, "on", 1),)),
            "old cup on red dog",
            "may_be_true",
        ),
        # nothing is known of the dog's colour
        (SceneGraph(("cup", "dog"), ((0, "red"),), ((0, "on", 1),)), None, "cup on red dog", "may_be_true"),
    ],
)
def test_validity(graph, known, text, reason):
    assert found(graph, known)[text].reason == reason


def test_unconnected_objects_that_give_the_same_graph_are_no_swap():
    swapped = found(SceneGraph(("cup", "dog"), (), ()))
    assert swapped["dog and a cup"].reason == "identical_graph"


def test_what_attributes_distinguish_is_no_other_one():
    """Even if "A yellow bird near an orange bird and a white bucket" begins with the bucket, no bird is "another" one."""
    graph = SceneGraph(("bird", "bird", "bucket"), ((0, "yellow"), (1, "orange"), (2, "white")), ((0, "near", 1), (1, "near", 2)))
    for seed in range(20):
        for protocol in PROTOCOLS:
            texts = [swap.caption for swap in swaps(captioned(graph, str(seed)), protocol) if swap.reason is None]
            assert texts and not any("another" in text for text in texts)


def test_a_swap_neither_adds_nor_drops_the_word_another():
    graph = SceneGraph(("bird", "bucket", "bird"), (), ((0, "near", 1), (1, "near", 2)))
    caption = captioned(graph, "0")
    assert "another" in caption.text
    found = [swap for swap in swaps(caption) if swap.caption]
    assert found and all(swap.caption.count("another") == 1 for swap in found)


def test_changes_are_what_is_new():
    after = SceneGraph(("television", "vase"), ((0, "yellow"), (1, "black")), ((0, "on", 1),))
    assert edits.changes(VASE, after) == SceneGraph(after.objects, after.attributes, after.relations)
    assert edits.changes(VASE, VASE) == SceneGraph()


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(graphs(least=2), st.integers(0, 50), st.booleans())
def test_only_who_has_what_differs(protocol, graph, seed, bare):
    caption = captioned(graph, str(seed), bare=bare)
    texts = [caption.text.lower()]
    for swap in swaps(caption, protocol):
        if not swap.caption or swap.reason in ("identical_caption", "identical_negative"):
            continue
        texts.append(swap.caption.lower())
        assert parts(swap.graph) == parts(graph) and swap.foil is None
        assert "  " not in swap.caption and swap.caption[0].isupper() == caption.text[0].isupper()
        if swap.reason is None:
            assert swap.graph.canonical() != graph.canonical()
            assert caption.known.probability(swap.claim) <= MAX_TRUE
    assert len(texts) == len(set(texts))


@given(graphs(least=2), st.integers(0, 50))
def test_a_swap_of_once_mentioned_atoms_keeps_the_bag_of_words(graph, seed):
    caption = captioned(graph, str(seed), bare=True)
    once = all(len(caption.places("object", o)) == 1 for o in range(len(graph.objects)))
    for swap in swaps(caption):
        if once and swap.caption and "another" not in caption.text + swap.caption and "relations" not in swap.edit:
            bags = [Counter("a" if w == "an" else w for w in words(text)) for text in (caption.text, swap.caption)]
            inflected = bags[0] == bags[1] or any(a in caption.text for a in ("two", "people", "pants"))
            assert inflected or sum((bags[0] - bags[1]).values()) <= 2


def test_permutations_of_several_atoms_are_tried_at_low_complexity_and_in_cleared():
    """Appendix A.4 permutes only at n = 4, table 2 at any n."""
    four = SceneGraph(("cup", "table", "dog"), (), ((0, "on", 1),))
    for graph, protocol, permuted in ((four, PAPER, True), (four, CLEARED, True), (TWO, PAPER, False), (TWO, CLEARED, True)):
        made = hn_swap.candidates(captioned(graph, bare=True), protocol)
        assert any("permuted" in swap.edit for swap in made) == permuted


def test_of_many_atoms_some_orders_are_tried_and_the_same_ones_each_time():
    graph = SceneGraph(tuple(["cup", "table", "dog", "bed", "lamp", "box", "car", "chair"]), ((0, "red"),))
    caption = captioned(graph, bare=True)
    every = [[swap.caption for swap in hn_swap.candidates(caption, CLEARED) if swap.edit == "objects_permuted"] for _ in "ab"]
    assert every[0] == every[1] and 0 < len(every[0]) <= hn_swap.ORDERS


def test_what_is_on_one_thing_is_not_on_another_and_what_one_wears_no_other_wears():
    graph = SceneGraph(("cup", "table", "shelf", "man", "hat", "woman"), (), ((0, "on", 1), (3, "wear", 4)))
    known = captioned(graph).known
    taken = [("cup", "on", "shelf"), ("woman", "wear", "hat")]
    open_ = [("shelf", "on", "table"), ("cup", "near", "shelf")]
    assert all(known.triple(*triple) <= MAX_TRUE for triple in taken)
    assert all(known.triple(*triple) > MAX_TRUE for triple in open_)


def test_two_colours_of_one_thing_and_adjectives_out_of_order_are_no_swaps():
    graph = SceneGraph(("car", "box"), ((0, "red"), (0, "old"), (1, "white"), (1, "small")), ((0, "near", 1),))
    known = SceneGraph(("car", "box"), (*graph.attributes, (0, "clean")), graph.relations)
    texts = set(found(graph, known))
    assert not any("white red" in text or "red white" in text for text in texts)
    assert not any("old white car" in text and "red small" in text for text in texts)


@pytest.mark.parametrize(
    ("known", "swapped"),
    [
        # A thing in a desk may be on it, and one on the desk may be in a drawer.
        (
            SceneGraph(("desk", "cd", "file"), (), ((1, "on", 0), (2, "in", 0))),
            SceneGraph(("desk", "cd", "file"), (), ((1, "in", 0), (2, "on", 0))),
        ),
        # Nobody says whether the packet was used.
        (
            SceneGraph(("napkin", "sauce packet"), ((0, "unused"),), ((1, "on", 0),)),
            SceneGraph(("napkin", "sauce packet"), ((1, "unused"),), ((1, "on", 0),)),
        ),
    ],
)
def test_a_swap_that_may_be_true_as_well_is_refused(known, swapped):
    claim = edits.changes(known, swapped)
    assert evidence_of(known).probability(claim) > MAX_TRUE


def test_who_works_on_a_computer_works_on_its_desk():
    graph = SceneGraph(("girl", "computer", "desk", "bench"), (), ((0, "work on", 1),))
    image = in_boxes(graph, (Box(0, 0, 50, 90), Box(60, 20, 30, 30), Box(40, 40, 90, 30), Box(300, 300, 40, 20)))
    assert image.triple("girl", "work on", "desk") > MAX_TRUE


def test_a_chin_of_his_becomes_his_mug_and_a_mug_does_not_hold_his_man():
    known = SceneGraph(("man", "chin", "mug"), ((2, "red"),), ((0, "hold", 1), (2, "near", 0)))
    reasons = {n.caption: n.reason for n in swaps(captioned(known), knowledge=knowing(vocabulary(), max_true=1.0))}
    assert not any("his a" in text or "mug holding his" in text for text, reason in reasons.items() if reason is None)
    assert reasons["There is a man holding his mug, with a red chin near him."] is None


@pytest.mark.parametrize(
    "triple",
    [
        ("lettering", "on", "bus"),  # it is on the bus's side
        ("tire", "on the side of", "bus"),
        ("window", "on", "bus"),  # a bus has windows
        ("bag", "have", "word"),  # words elsewhere do not rule it out
        ("barrier", "in", "city"),
        ("man", "wear", "shoe"),  # as everybody does
        ("man", "on", "ground"),  # his jacket does not rule it out
        ("word", "on", "bag"),
        ("bus", "with", "word"),
        ("barrier", "on", "ground"),
    ],
)
def test_what_goes_without_saying_of_two_things_of_the_crop(triple):
    """Readers assume that everything in a street is in the city, and that letters on the side of a bus are on the bus."""
    assert STREET.triple(*triple) > MAX_TRUE


@pytest.mark.parametrize("triple", [("bag", "on", "bus"), ("desk", "with", "shoe"), ("note", "on", "shelf")])
def test_what_is_elsewhere_or_somebody_elses_is_not_here(triple):
    assert STREET.triple(*triple) <= MAX_TRUE


def street():
    objects = ("lettering", "bus", "window", "word", "bag", "barrier", "ground", "kite", "city", "note", "desk", "cup", "book")
    things = (*objects, "shelf", "sky", "monitor", "tire", "man", "jacket", "woman", "shoe", "hat")
    place = {name: i for i, name in enumerate(things)}
    said = [("lettering", "on the side of", "bus"), ("barrier", "near", "bus"), ("kite", "in", "sky"), ("note", "on", "monitor")]
    said += [("cup", "on", "desk"), ("book", "on", "desk"), ("bag", "on", "shelf"), ("tire", "on", "bus"), ("man", "in", "jacket")]
    said += [("woman", "wear", "shoe"), ("woman", "wear", "hat")]
    return evidence_of(SceneGraph(things, (), tuple((place[s], r, place[o]) for s, r, o in said)))


STREET = street()


def test_shoes_become_no_jackets():
    """One man wears two shoes, but one jacket."""
    dressed = captioned(SceneGraph(("man", "shoe", "jacket"), ((1, "brown"),), ((0, "wear", 1),)), plurals=(1,))
    assert dressed.renamed({1: "jacket"}) == "number" and not isinstance(dressed.renamed({1: "boot"}), str)
