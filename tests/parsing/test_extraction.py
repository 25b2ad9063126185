"""Tests of the core's rules on trees written by hand, so that no trained pipeline can hide a rule's fault."""

import pytest

from stages.parsing.extraction import extract
from stages.parsing.parser import named
from stages.parsing.words import Words, repair
from tests.parsing.trees import doc

CASES = {
    "of a view": (
        "front/JJ/amod>view view/NN/ROOT>view of/IN/prep>view a/DT/det>temple old/JJ/amod>temple temple/NN/pobj>of",
        ({"temple"}, {("temple", "old")}, set()),
    ),
    "shade no name": (
        "vase/NN/ROOT>vase on/IN/prep>vase a/DT/det>wall light/NN/compound>wall green/JJ/amod>wall wall/NN/pobj>on",
        ({"vase", "wall"}, {("wall", "light green")}, {("vase", "on", "wall")}),
    ),
    "depicted": (
        "a/DT/det>photo photo/NN/ROOT>photo of/IN/prep>photo a/DT/det>singer singer/NN/pobj>of "
        "leaning/VBG/acl>photo against/IN/prep>leaning a/DT/det>van van/NN/pobj>against",
        ({"photo", "singer", "van"}, set(), {("photo", "of", "singer"), ("singer", "lean against", "van")}),
    ),
    "depicted subject": (
        "sketch/NN/nsubj>sleeping of/IN/prep>sketch a/DT/det>puppy puppy/NN/pobj>of sleeping/VBG/ROOT>sleeping "
        "on/IN/prep>sleeping a/DT/det>rug rug/NN/pobj>on",
        ({"sketch", "puppy", "rug"}, set(), {("sketch", "of", "puppy"), ("puppy", "sleep on", "rug")}),
    ),
    "what a close-up shows is somewhere": (
        "a/DT/det>close-up close-up/NN/ROOT>close-up of/IN/prep>close-up apples/NNS/pobj>of on/IN/prep>close-up a/DT/det>tree "
        "tree/NN/pobj>on",
        ({"apple", "tree"}, set(), {("apple", "on", "tree")}),
    ),
    "a thing is not joined to a material": (
        "wall/NN/ROOT>wall of/IN/prep>wall brick/NN/pobj>of and/CC/cc>brick a/DT/det>hydrant hydrant/NN/conj>brick",
        ({"wall", "brick", "hydrant"}, set(), {("wall", "of", "brick")}),
    ),
    "who wears walks": (
        "boys/NNS/nsubj>wearing wearing/VBG/ROOT>wearing caps/NNS/dobj>wearing running/VBG/acl>caps to/IN/prep>running "
        "a/DT/det>gate gate/NN/pobj>to",
        ({"boy", "cap", "gate"}, set(), {("boy", "wear", "cap"), ("boy", "run to", "gate")}),
    ),
    "what is worn may say": (
        "boys/NNS/nsubj>wearing wearing/VBG/ROOT>wearing caps/NNS/dobj>wearing covered/VBN/acl>caps with/IN/prep>covered "
        "mud/NN/pobj>with",
        ({"boy", "cap", "mud"}, set(), {("boy", "wear", "cap"), ("cap", "cover with", "mud")}),
    ),
    "adjective that names": (
        "pile/JJ/nsubj>drying of/IN/prep>pile nets/NNS/pobj>of drying/VBG/ROOT>drying on/IN/prep>drying a/DT/det>pier "
        "pier/NN/pobj>on",
        ({"net", "pier"}, set(), {("net", "dry on", "pier")}),
    ),
    "noun that describes": (
        "fog/NN/ROOT>fog over/IN/prep>fog a/DT/det>lake calm/NNP/amod>lake lake/NN/pobj>over",
        ({"fog", "lake"}, {("lake", "calm")}, {("fog", "over", "lake")}),
    ),
    "nothing had": (
        "the/DT/det>film film/NN/nsubj>has has/VBZ/ROOT>has no/DT/det>plot plot/NN/dobj>has",
        ({"film"}, set(), set()),
    ),
    "compounds": (
        "red/JJ/amod>sign stop/NN/compound>sign sign/NN/ROOT>sign on/IN/prep>sign a/DT/det>pole "
        "metal/NN/compound>pole pole/NN/pobj>on",
        ({"stop sign", "metal pole"}, {("stop sign", "red")}, {("stop sign", "on", "metal pole")}),
    ),
    "copula": (
        "the/DT/det>dog dog/NN/nsubj>is is/VBZ/ROOT>is black/JJ/acomp>is and/CC/cc>black small/JJ/conj>black",
        ({"dog"}, {("dog", "black"), ("dog", "small")}, set()),
    ),
    "copula with noun": (
        "the/DT/det>wall wall/NN/nsubj>is is/VBZ/ROOT>is brick/NN/attr>is",
        ({"wall"}, {("wall", "brick")}, set()),
    ),
    "there is": (
        "there/EX/expl>is is/VBZ/ROOT>is a/DT/det>dog dog/NN/attr>is on/IN/prep>is the/DT/det>bed bed/NN/pobj>on",
        ({"dog", "bed"}, set(), {("dog", "on", "bed")}),
    ),
    "participle": (
        "man/NN/ROOT>man riding/VBG/acl>man a/DT/det>horse brown/JJ/amod>horse horse/NN/dobj>riding",
        ({"man", "horse"}, {("horse", "brown")}, {("man", "ride", "horse")}),
    ),
    "intransitive participle": (
        "a/DT/det>boy boy/NN/nsubj>skating is/VBZ/aux>skating skating/VBG/ROOT>skating",
        ({"boy"}, {("boy", "skating")}, set()),
    ),
    "verb and preposition": (
        "cat/NN/nsubj>sitting is/VBZ/aux>sitting sitting/VBG/ROOT>sitting on/IN/prep>sitting a/DT/det>mat mat/NN/pobj>on",
        ({"cat", "mat"}, set(), {("cat", "sit on", "mat")}),
    ),
    "verb and phrase": (
        "cat/NN/ROOT>cat sitting/VBG/acl>cat on/IN/prep>sitting top/NN/pobj>on of/IN/prep>top a/DT/det>car car/NN/pobj>of",
        ({"cat", "car"}, set(), {("cat", "sit on top of", "car")}),
    ),
    "agent": (
        "bear/NN/ROOT>bear surrounded/VBN/acl>bear by/IN/agent>surrounded grass/NN/pobj>by",
        ({"bear", "grass"}, set(), {("bear", "surround by", "grass")}),
    ),
    "particle": (
        "plane/NN/nsubj>taking is/VBZ/aux>taking taking/VBG/ROOT>taking off/RP/prt>taking",
        ({"plane"}, {("plane", "taking off")}, set()),
    ),
    "coordination distributed": (
        "man/NN/nsubj>holding and/CC/cc>man woman/NN/conj>man holding/VBG/ROOT>holding "
        "a/DT/det>cup cup/NN/dobj>holding "
        "and/CC/cc>cup a/DT/det>spoon spoon/NN/conj>cup",
        (
            {"man", "woman", "cup", "spoon"},
            set(),
            {("man", "hold", "cup"), ("man", "hold", "spoon"), ("woman", "hold", "cup"), ("woman", "hold", "spoon")},
        ),
    ),
    "relative clause": (
        "man/NN/ROOT>man who/WP/nsubj>holds holds/VBZ/relcl>man a/DT/det>bat bat/NN/dobj>holds",
        ({"man", "bat"}, set(), {("man", "hold", "bat")}),
    ),
    "object relative with stranded preposition": (
        "bench/NN/ROOT>bench that/WDT/pobj>on the/DT/det>man man/NN/nsubj>sitting "
        "is/VBZ/aux>sitting sitting/VBG/relcl>bench "
        "on/IN/prep>sitting",
        ({"bench", "man"}, set(), {("man", "sit on", "bench")}),
    ),
    "copula relative": (
        "grass/NN/ROOT>grass the/DT/det>dog dog/NN/nsubj>is is/VBZ/relcl>grass on/IN/prep>is",
        ({"grass", "dog"}, set(), {("dog", "on", "grass")}),
    ),
    "possessive": (
        "the/DT/det>man man/NN/poss>hat 's/POS/case>man hat/NN/nsubj>is is/VBZ/ROOT>is black/JJ/acomp>is",
        ({"man", "hat"}, {("hat", "black")}, {("man", "have", "hat")}),
    ),
    "numeral": (
        "three/CD/nummod>zebras grazing/VBG/amod>zebras zebras/NNS/ROOT>zebras",
        ({"zebra"}, {("zebra", "three"), ("zebra", "grazing")}, set()),
    ),
    "with": (
        "man/NN/ROOT>man with/IN/prep>man a/DT/det>beard long/JJ/amod>beard beard/NN/pobj>with",
        ({"man", "beard"}, {("beard", "long")}, {("man", "with", "beard")}),
    ),
    "a clock on it": (
        "post/NN/ROOT>post with/IN/prep>post a/DT/det>clock clock/NN/pobj>with on/IN/prep>clock it/PRP/pobj>on",
        ({"post", "clock"}, set(), {("clock", "on", "post")}),
    ),
    "a man next to her": (
        "woman/NN/ROOT>woman with/IN/prep>woman a/DT/det>man man/NN/pobj>with next/RB/advmod>man to/IN/prep>next "
        "her/PRP/pobj>to on/IN/prep>woman a/DT/det>slope slope/NN/pobj>on",
        ({"woman", "man", "slope"}, set(), {("man", "next to", "woman"), ("woman", "on", "slope")}),
    ),
    "in front of her, not of the table": (
        "woman/NN/ROOT>woman at/IN/prep>woman a/DT/det>table table/NN/pobj>at with/IN/prep>table a/DT/det>plate plate/NN/pobj>with "
        "in/IN/prep>plate front/NN/pobj>in of/IN/prep>front her/PRP/pobj>of",
        (
            {"woman", "table", "plate"},
            set(),
            {("woman", "at", "table"), ("table", "with", "plate"), ("plate", "in front of", "woman")},
        ),
    ),
    "a sign on it is on the last": (
        "man/NN/ROOT>man on/IN/prep>man a/DT/det>bench bench/NN/pobj>on with/IN/prep>bench a/DT/det>sign sign/NN/pobj>with "
        "on/IN/prep>sign it/PRP/pobj>on#2",
        ({"man", "bench", "sign"}, set(), {("man", "on", "bench"), ("sign", "on", "bench")}),
    ),
    "a cup and a plate on it": (
        "table/NN/ROOT>table with/IN/prep>table a/DT/det>cup cup/NN/pobj>with and/CC/cc>cup a/DT/det>plate plate/NN/conj>cup "
        "on/IN/prep>plate it/PRP/pobj>on",
        ({"table", "cup", "plate"}, set(), {("cup", "on", "table"), ("plate", "on", "table")}),
    ),
    "a word is one atom": (
        "a/DT/det>dog white/JJ/amod>dog and/CC/cc>white tan/NN/conj>white dog/NN/ROOT>dog",
        ({"dog"}, {("dog", "white"), ("dog", "tan")}, set()),
    ),
    "is white color": (
        "sink/NN/nsubj>is is/VBZ/ROOT>is white/JJ/amod>color color/NN/attr>is",
        ({"sink"}, {("sink", "white")}, set()),
    ),
    "goes with the participle alone": (
        "remote/NN/amod>car controlled/VBN/amod>car car/NN/ROOT>car",
        ({"car"}, {("car", "remote controlled")}, set()),
    ),
    "part of no name": (
        "multi/AFX/compound>kite colored/VBN/amod>kite kite/NN/ROOT>kite",
        ({"kite"}, {("kite", "multi colored")}, set()),
    ),
    "a color before a participle": (
        "beige/NN/amod>cabinet closed/VBN/amod>cabinet cabinet/NN/ROOT>cabinet",
        ({"cabinet"}, {("cabinet", "beige"), ("cabinet", "closed")}, set()),
    ),
    "outside in": (
        "people/NNS/nsubj>are are/VBP/ROOT>are outside/RB/advmod>are in/IN/prep>outside the/DT/det>snow snow/NN/pobj>in",
        ({"people", "snow"}, set(), {("people", "outside in", "snow")}),
    ),
    "is close to": (
        "bed/NN/nsubj>is is/VBZ/ROOT>is close/JJ/acomp>is to/IN/prep>close a/DT/det>window window/NN/pobj>to",
        ({"bed", "window"}, set(), {("bed", "near", "window")}),
    ),
    "a letter that is no verb": (
        "letter/NN/nsubj>s s/VBZ/ROOT>s on/IN/prep>s a/DT/det>sign sign/NN/pobj>on",
        ({"letter", "sign"}, set(), {("letter", "on", "sign")}),
    ),
    "an odd looking lamp": (
        "an/DT/det>lamp odd/JJ/amod>lamp looking/VBG/compound>lamp lamp/NN/ROOT>lamp",
        ({"lamp"}, {("lamp", "odd")}, set()),
    ),
    "a funny looking dog": (
        "a/DT/det>dog funny/JJ/amod>dog looking/VBG/amod>dog dog/NN/ROOT>dog",
        ({"dog"}, {("dog", "funny")}, set()),
    ),
    "a sign on top": (
        "pole/NN/ROOT>pole with/IN/prep>pole a/DT/det>sign sign/NN/pobj>with on/IN/prep>sign top/NN/pobj>on",
        ({"pole", "sign"}, set(), {("sign", "on top of", "pole")}),
    ),
    "group of": (
        "a/DT/det>group group/NN/ROOT>group of/IN/prep>group young/JJ/amod>people "
        "people/NNS/pobj>of on/IN/prep>group a/DT/det>hill "
        "hill/NN/pobj>on",
        ({"people", "hill"}, {("people", "young")}, {("people", "on", "hill")}),
    ),
    "part of": (
        "leg/NN/ROOT>leg of/IN/prep>leg the/DT/det>chair chair/NN/pobj>of",
        ({"leg", "chair"}, set(), {("leg", "of", "chair")}),
    ),
    "shades": (
        "dark/JJ/amod>shirt green/JJ/amod>shirt shirt/NN/ROOT>shirt",
        ({"shirt"}, {("shirt", "dark green")}, set()),
    ),
    "a pile of keywords": (
        "welsh/NN/compound>figurine dog/NN/compound>figurine christmas/NN/compound>figurine holiday/NN/compound>figurine "
        "figurine/NN/ROOT>figurine",
        ({"holiday figurine"}, set(), set()),
    ),
    "measure before a name": (
        "360/CD/nummod>degree degree/NN/compound>case case/NN/ROOT>case",
        ({"case"}, {("case", "360")}, set()),
    ),
    "says nothing": (
        "people/NNS/ROOT>people are/VBP/auxpass>seen seen/VBN/acl>people on/IN/prep>people a/DT/det>beach beach/NN/pobj>on",
        ({"people", "beach"}, set(), {("people", "on", "beach")}),
    ),
    "without": (
        "man/NN/ROOT>man without/IN/prep>man a/DT/det>hat hat/NN/pobj>without",
        ({"man"}, set(), set()),
    ),
    "no": (
        "there/EX/expl>are are/VBP/ROOT>are no/DT/det>people people/NNS/attr>are on/IN/prep>are the/DT/det>beach beach/NN/pobj>on",
        ({"beach"}, set(), set()),
    ),
    "not": (
        "the/DT/det>man man/NN/nsubj>wearing is/VBZ/aux>wearing not/RB/neg>wearing "
        "wearing/VBG/ROOT>wearing a/DT/det>hat "
        "hat/NN/dobj>wearing",
        ({"man"}, set(), set()),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_rules(name):
    tree, (objects, attributes, relations) = CASES[name]
    graph, _ = named(extract(repair(doc(tree))))
    assert set(graph.objects) == objects
    assert {(graph.objects[o], a) for o, a in graph.attributes} == attributes
    assert {(graph.objects[s], r, graph.objects[o]) for s, r, o in graph.relations} == relations


@pytest.mark.parametrize("name", CASES)
def test_every_span_names_its_atom(name):
    # Negatives replace spans, so a span that is off by a letter damages the caption.
    tree = doc(CASES[name][0])
    graph, spans = named(extract(repair(tree)))
    assert [len(spans.objects), len(spans.attributes), len(spans.relations)] == [
        len(graph.objects),
        len(graph.attributes),
        len(graph.relations),
    ]
    starts, ends = {t.idx for t in tree}, {t.idx + len(t) for t in tree}
    for span in (*spans.objects, *spans.attributes, *spans.relations):
        assert span is None or (span[0] in starts and span[1] in ends and span[0] < span[1])


def test_words_that_do_not_stand_together_have_no_span():
    tree = doc("man/NN/ROOT>man taking/VBG/acl>man his/PRP$/poss>hat hat/NN/dobj>taking off/RP/prt>taking")
    graph, spans = named(extract(Words(tree)))
    assert graph.relations == ((0, "take off", 1),)
    assert spans.relations == (None,)


@pytest.mark.parametrize(
    "text", ["a/DT/ROOT>a", "././ROOT>.", "run/VB/ROOT>run", "of/IN/ROOT>of", "is/VBZ/ROOT>is it/PRP/nsubj>is"]
)
def test_captions_without_a_noun_have_no_relation(text):
    graph, _ = named(extract(repair(doc(text))))
    assert not graph.relations


def test_pronouns_are_objects_only_where_asked_for():
    tree = "she/PRP/nsubj>holds holds/VBZ/ROOT>holds a/DT/det>cup cup/NN/dobj>holds"
    assert named(extract(Words(doc(tree))))[0].relations == ()
    assert named(extract(Words(doc(tree)), pronouns=True))[0].relations == ((0, "hold", 1),)
