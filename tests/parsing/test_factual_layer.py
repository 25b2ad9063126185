import pytest

from stages.parsing import factual_layer
from stages.parsing.draft import Relation
from stages.parsing.extraction import extract
from stages.parsing.factual_decisions import alternatives, decisions
from stages.parsing.factual_layer import Learned
from stages.parsing.parser import named
from stages.parsing.words import Words
from tests.parsing.trees import doc


def changed(tree, **answers):
    """Return the facts after decisions about the given words have these answers, and all others the default ones."""
    draft = extract(Words(doc(tree)), pronouns=True)
    default = {"object": "same", "modifier": "keep", "attribute": "same", "relation": "same"}
    pairs = [(d, answers.get(d.key.replace(" ", "_"), default[d.kind])) for d in decisions(draft)]
    graph, _ = named(factual_layer.change(draft, pairs, {}), plain=True)
    names = graph.objects
    return (set(names), {(names[o], a) for o, a in graph.attributes}, {(names[s], r, names[o]) for s, r, o in graph.relations})


SIGN = "stop/NN/compound>sign sign/NN/ROOT>sign on/IN/prep>sign poles/NNS/pobj>on"
LEG = "leg/NN/ROOT>leg of/IN/prep>leg chairs/NNS/pobj>of"
CAT = "cat/NN/nsubj>lying lying/VBG/ROOT>lying on/IN/prep>lying mat/NN/pobj>on"


@pytest.mark.parametrize(
    ("answer", "facts"),
    [
        ("keep", ({"stop sign", "poles"}, set(), {("stop sign", "on", "poles")})),
        ("drop", ({"sign", "poles"}, set(), {("sign", "on", "poles")})),
        ("attr", ({"sign", "poles"}, {("sign", "stop")}, {("sign", "on", "poles")})),
        ("attr halting", ({"sign", "poles"}, {("sign", "halting")}, {("sign", "on", "poles")})),
        ("have", ({"stop", "sign", "poles"}, set(), {("sign", "on", "poles"), ("stop", "have", "sign")})),
    ],
)
def test_answers_to_a_modifier(answer, facts):
    assert changed(SIGN, stop=answer) == facts


@pytest.mark.parametrize(
    ("answer", "facts"),
    [
        ("same", ({"leg", "chairs"}, set(), {("leg", "of", "chairs")})),
        ("~have", ({"leg", "chairs"}, set(), {("chairs", "have", "leg")})),
        ("=under", ({"leg", "chairs"}, set(), {("leg", "under", "chairs")})),
        ("member", ({"chairs"}, set(), set())),
        ("drop", ({"leg", "chairs"}, set(), set())),
    ],
)
def test_answers_to_a_relation(answer, facts):
    assert changed(LEG, of=answer) == facts


@pytest.mark.parametrize(("answer", "relation"), [("same", "lay on"), ("prep", "on"), ("verb", "lay")])
def test_a_relation_may_lose_its_verb_or_its_preposition(answer, relation):
    assert changed(CAT, lie_on=answer)[2] == {("cat", relation, "mat")}


def test_a_relation_may_have_another_subject():
    tree = "dog/NN/ROOT>dog with/IN/prep>dog hat/NN/pobj>with on/IN/prep>dog head/NN/pobj>on"
    assert changed(tree, on="down")[2] == {("dog", "with", "hat"), ("hat", "on", "head")}
    tree = "dog/NN/ROOT>dog in/IN/prep>dog box/NN/pobj>in with/IN/prep>box ball/NN/pobj>with"
    assert changed(tree, **{"with": "up"})[2] == {("dog", "in", "box"), ("dog", "with", "ball")}


def test_an_attribute_may_belong_to_the_name():
    tree = "hot/JJ/amod>dog dog/NN/ROOT>dog on/IN/prep>dog plate/NN/pobj>on"
    assert changed(tree, hot="keep")[2] == {("hot dog", "on", "plate")}
    assert changed(tree, hot="=warm")[1] == {("dog", "warm")}
    assert changed(tree, hot="drop")[1] == set()


def test_numbers_are_written_as_digits():
    assert changed("two/CD/nummod>dogs dogs/NNS/ROOT>dogs")[1] == {("dogs", "2")}


def test_an_object_may_have_another_name():
    assert changed("guy/NN/nsubj>sits sits/VBZ/ROOT>sits", guy="=person")[0] == {"person"}


def test_alternatives_of_a_relation_that_stands_alone_are_none():
    draft = extract(Words(doc(LEG)))
    assert alternatives(draft, draft.relations[0]) == {}
    assert isinstance(draft.relations[0], Relation)


def test_a_word_never_seen_gets_an_answer_that_is_open_to_any():
    model = Learned({"modifier": ["drop", "keep"], "object": ["same"]}, {"m:h=sign": {"keep": 1.0}}, {})
    asked = {d.kind: d for d in decisions(extract(Words(doc(SIGN)))) if d.kind in ("modifier", "object")}
    assert model.answer(asked["modifier"]) == "keep"
    assert model.answer(asked["object"]) == "same"
