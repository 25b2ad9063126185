from stages.parser_training import silver
from stages.parsing.factual_gold import facts_of_text
from tests.parsing.trees import doc

RIGHT = "man/NN/ROOT>man with/IN/prep>man dog/NN/pobj>with on/IN/prep>dog leash/NN/pobj>on"
WRONG = RIGHT.replace("on/IN/prep>dog", "on/IN/prep>man")
FACTS = "( man , with , dog ) , ( dog , on , leash )"


def arcs(tree):
    return [(t.tag_, t.dep_, t.head.i) for t in tree]


def test_a_tree_agrees_if_it_gives_the_annotators_graph():
    assert silver.agrees(doc(RIGHT), facts_of_text(FACTS), {})
    assert not silver.agrees(doc(WRONG), facts_of_text(FACTS), {})


def test_the_right_tree_is_found_near_a_wrong_one():
    found = [v for v in silver.variants(doc(WRONG)) if silver.agrees(v, facts_of_text(FACTS), {})]
    assert arcs(found[0]) == arcs(doc(RIGHT))


def test_every_variant_is_a_tree():
    for text in (RIGHT, WRONG):
        for variant in silver.variants(doc(text)):
            assert sum(t.head.i == t.i for t in variant) == 1
            assert [t.text for t in variant] == [t.text for t in doc(text)]
