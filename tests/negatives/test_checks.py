"""Each reason to refuse a candidate, in the smallest case that has it, with no other reason before it."""

from dataclasses import replace

import pytest

from stages.contract.schemas import CLEARED, PAPER
from stages.graphs.graph import SceneGraph
from stages.negatives import hn_atom
from stages.negatives.candidate import Candidate
from stages.negatives.checks import CHECKS, checked, visible
from stages.negatives.vocabulary import Vocabulary
from tests.negatives.captions import written
from tests.negatives.known import MAX_TRUE, evidence_of, knowing, vocabulary, with_usage

RED_CAR = SceneGraph(("car",), ((0, "red"),))
DOG_ON_CAR = SceneGraph(("dog", "car"), (), ((0, "on", 1),))


def related(subject, relation, object_):
    return SceneGraph((subject, object_), (), ((0, relation, 1),))


def described(attribute, name):
    return SceneGraph((name,), ((0, attribute),))


def text_of(graph):
    """Return a text such as "red car" or "dog on car"."""
    words = [*graph.attributes_of(0), graph.objects[0], *(r for _, r, _ in graph.relations), *graph.objects[1:2]]
    return " ".join(words)


def settled(graph, kind, index, foil, known=None, text=None, protocol=CLEARED, knowledge=None):
    """Return the checked candidate in which ``foil`` replaces an atom."""
    knowledge = knowledge() if callable(knowledge) else knowledge or knowing(vocabulary())
    caption = written(text or text_of(graph), graph, evidence_of(known or graph, knowledge.meanings))
    atom = next(a for a in graph.atoms() if (a.kind, a.index) == (kind, index))
    (found,) = checked([*hn_atom.replaced(caption, atom, [foil])], caption, knowledge, protocol)
    return found


def with_more(graph, objects=(), attributes=()):
    return SceneGraph(graph.objects + objects, graph.attributes + attributes, graph.relations)


LACKING = {"attribute": {"red": [0], "green": [0], "black": [1]}}
SEEN = knowing(Vocabulary({kind: {} for kind in ("object", "attribute", "relation")}, LACKING))


def sense():
    """Return knowledge with usage counts, which takes seconds to make: only cases that need it call this."""
    return knowing(vocabulary(), with_usage(), least_association=0.1)


CASES = [
    ("repeats", (DOG_ON_CAR, "object", 0, "car")),
    ("repeats", (DOG_ON_CAR, "object", 0, "vehicle")),
    ("pronoun", (related("man", "hold", "chin"), "object", 0, "bride", None, "man hold his chin")),
    ("invisible", (RED_CAR, "object", 0, "process")),
    ("invisible", (related("lever", "on", "door"), "object", 0, "click")),
    ("unusual", (related("dog", "on", "bed"), "relation", 0, "eat", None, None, CLEARED, sense)),
    ("unseen_foil", (RED_CAR, "attribute", 0, "black", None, None, CLEARED, SEEN)),
    ("always_true", (related("bird", "on", "sky"), "relation", 0, "under")),
    # Another name of the thing: a synonym, a wider or narrower term, or what others call it.
    ("may_be_true", (described("red", "couch"), "object", 0, "sofa")),
    ("may_be_true", (described("red", "dog"), "object", 0, "animal")),
    ("may_be_true", (described("red", "cup"), "object", 0, "mug")),
    # What another person may say of it, or what may hold as well.
    ("may_be_true", (related("man", "sit on", "bench"), "object", 0, "model", None, None, PAPER)),
    ("may_be_true", (RED_CAR, "attribute", 0, "orange")),
    ("may_be_true", (described("white", "dog"), "attribute", 0, "furry")),
    ("may_be_true", (described("blue", "man"), "attribute", 0, "red")),
    ("may_be_true", (described("black", "cow"), "attribute", 0, "white")),
    ("may_be_true", (related("man", "sit on", "bench"), "relation", 0, "on")),
    ("may_be_true", (related("man", "look at", "dog"), "relation", 0, "hold")),
    ("may_be_true", (related("dog", "near", "car"), "relation", 0, "to the left of")),
    # Parts, and what everybody wears.
    ("may_be_true", (related("car", "have", "windshield"), "object", 1, "roof")),
    ("may_be_true", (related("head", "of", "woman"), "object", 0, "hand")),
    ("may_be_true", (related("girl", "wear", "skirt"), "object", 1, "shirt")),
    # What is known of the crop, about this thing or another.
    ("may_be_true", (RED_CAR, "attribute", 0, "green", with_more(RED_CAR, attributes=((0, "green"),)))),
    ("may_be_true", (RED_CAR, "attribute", 0, "green", with_more(RED_CAR, ("car",)))),
    ("may_be_true", (RED_CAR, "object", 0, "bus", with_more(RED_CAR, ("bus",), ((1, "red"),)))),
    ("may_be_true", (DOG_ON_CAR, "object", 0, "horse", with_more(DOG_ON_CAR, ("horse",)))),
    # What English does not say in that place.
    ("number", (described("red", "shirt"), "object", 0, "pants", None, "a red shirt")),
    ("number", (DOG_ON_CAR, "object", 0, "toilet paper")),
    ("number", (DOG_ON_CAR, "object", 0, "macaroni")),
    ("number", (related("man", "wear", "jacket"), "object", 1, "boot")),
    ("number", (related("man", "wear", "pants"), "object", 1, "dress")),
    ("number", (SceneGraph(("man", "shoes"), (), ((0, "wear", 1),)), "object", 1, "hat")),
    ("two_verbs", (related("lamp", "on", "floor"), "relation", 0, "stand next to", None, "a lamp standing on a floor")),
    (None, (related("building", "on", "hill"), "relation", 0, "stand next to", None, "a building on a hill")),
    (None, (RED_CAR, "attribute", 0, "green")),
    (None, (RED_CAR, "object", 0, "bus")),
    (None, (DOG_ON_CAR, "relation", 0, "under")),
    (None, (related("man", "hold", "cup"), "relation", 0, "kick")),
]


@pytest.mark.parametrize(("code", "case"), CASES)
def test_reasons(code, case):
    found = settled(*case)
    assert found.reason == code, (found.caption, found.p_true)


def test_what_says_nothing_else_is_no_negative():
    """Swapping two things in a list leaves the same two things."""
    caption = written("a cup and a dog", SceneGraph(("cup", "dog")))
    swapped = Candidate("a dog and a cup", "objects", "cup | dog", ((0, 15),), SceneGraph(("dog", "cup")))
    assert [c.reason for c in checked([swapped], caption, knowing(vocabulary()), PAPER)] == ["identical_graph"]


def test_what_people_say_less_often_than_by_chance_is_refused():
    """Cats sit on benches more often than by chance, and cars less often."""
    graph = related("man", "sit on", "bench")
    knowledge = knowing(vocabulary(), with_usage(), least_association=1.0)
    found = {foil: settled(graph, "object", 0, foil, knowledge=knowledge).reason for foil in ("cat", "car")}
    assert found == {"cat": None, "car": "unusual"}


def test_every_check_has_a_code_a_sentence_and_a_case():
    codes = [check.code for check in CHECKS]
    assert len(codes) == len(set(codes)) and all(check.sentence.endswith(".") for check in CHECKS)
    assert {*codes} <= {"identical_graph", *(code for code, _ in CASES)}


@pytest.mark.parametrize("code", [check.code for check in CHECKS if check.protocols != (PAPER, CLEARED)])
def test_paper_asks_no_rules_of_our_own(code):
    cases = [case for own, case in CASES if own == code]
    assert cases
    for graph, kind, index, foil, *rest in cases:
        known, text, _, knowledge = (*rest, *(None, None, None, None)[len(rest) :])
        assert settled(graph, kind, index, foil, known, text, PAPER, knowledge).reason != code


def test_checks_that_do_not_apply_to_a_type_are_left_out():
    caption = written("red car", RED_CAR)
    (process,) = hn_atom.replaced(caption, next(RED_CAR.atoms()), ["process"])
    assert [c.reason for c in checked([process], caption, SEEN, CLEARED, ("invisible",))] != ["invisible"]


def test_a_foil_is_seen_by_the_training_sets_that_have_seen_the_truth():
    """The first training set has not seen "red" either: for that model, the truth itself is new."""
    reasons = [settled(RED_CAR, "attribute", 0, foil, knowledge=SEEN).reason for foil in ("green", "black", "blue")]
    assert reasons == [None, "unseen_foil", None]


def test_a_candidate_that_reads_as_the_truth_or_an_earlier_one_is_refused():
    caption = written("red car", RED_CAR)
    (bus,) = hn_atom.replaced(caption, next(RED_CAR.atoms()), ["bus"])
    again, same = replace(bus, caption="Red  bus"), replace(bus, caption="Red  car")
    found = checked([bus, again, same], caption, knowing(vocabulary()), PAPER)
    assert [c.reason for c in found] == [None, "identical_negative", "identical_caption"]


def test_how_probable_it_is_true_is_asked_of_what_no_other_check_refuses():
    refused, kept = settled(DOG_ON_CAR, "object", 0, "car"), settled(DOG_ON_CAR, "object", 0, "horse")
    assert refused.p_true is None and 0 < kept.p_true < MAX_TRUE


@pytest.mark.parametrize("noun", ["mug", "sign", "cloud", "field", "hot dog", "qux"])
def test_what_a_picture_may_show_is_visible(noun):
    assert visible(noun)


def test_a_wider_limit_lets_more_pass():
    couch = settled(described("black", "cow"), "attribute", 0, "white")
    assert couch.reason == "may_be_true"
    lenient = knowing(vocabulary(), max_true=couch.p_true)
    assert settled(described("black", "cow"), "attribute", 0, "white", knowledge=lenient).reason is None
