"""Each rule of the grammar check has a caption that breaks it, and a similar one that does not."""

import pytest
import spacy
from spacy.tokens import Doc

from stages.writing import grammar

NLP = spacy.blank("en")


@pytest.mark.parametrize(
    ("caption", "code"),
    [
        ("a orange car", "article"),
        ("an red car", "article"),
        ("a dog  on a table", "double_space"),
        ("a dog on a table ", "double_space"),
        ("a dog , a cat", "space_before_mark"),
        ("A dog on a table. .", "double_mark"),
        ("a dog on on a table", "doubled_word"),
        ("a dog on the", "cut_off"),
    ],
)
def test_text_fault(caption, code):
    assert code in grammar.text_faults(caption)


@pytest.mark.parametrize(
    "caption",
    ["an orange car", "A red car.", "an hour on a unicycle", "the dog that that man has", "a dog, a cat and a cow", "an SUV"],
)
def test_text_without_fault(caption):
    assert grammar.text_faults(caption) == []


@pytest.mark.parametrize(
    ("caption", "code"),
    [
        ("books on a shelf and on another shelf", "one_name_again"),
        ("A man is wearing a hat. The man is also wearing shoes.", "the_same_also"),
        ("A man is holding his chin that is raised.", "bare_participle"),
        ("A monitor that is attached to a wall is on a shelf.", None),
        ("A cd is on a desk and near a mug.", "two_places"),
        ("A cd on a desk is near a mug.", None),
    ],
)
def test_usage(caption, code):
    assert [name for name, rule in grammar.USAGE_RULES.items() if rule.search(caption)] == ([code] if code else [])


def doc(words, heads, deps, tags):
    return Doc(NLP.vocab, words=words.split(), heads=heads, deps=deps.split(), tags=tags.split())


@pytest.mark.parametrize(
    ("tree", "broken"),
    [
        (doc("a red dogs", [2, 2, 2], "det amod ROOT", "DT JJ NNS"), True),
        (doc("a red dog", [2, 2, 2], "det amod ROOT", "DT JJ NN"), False),
        (doc("a few dogs", [2, 2, 2], "det amod ROOT", "DT JJ NNS"), False),
    ],
)
def test_article_number(tree, broken):
    assert grammar.article_number(tree) is broken


@pytest.mark.parametrize(
    ("tree", "broken"),
    [
        (doc("two dog", [1, 1], "nummod ROOT", "CD NN"), True),
        (doc("two dogs", [1, 1], "nummod ROOT", "CD NNS"), False),
        (doc("one dogs", [1, 1], "nummod ROOT", "CD NNS"), True),
        (doc("two sheep", [1, 1], "nummod ROOT", "CD NNS"), False),
    ],
)
def test_numeral_number(tree, broken):
    assert grammar.numeral_number(tree) is broken


@pytest.mark.parametrize(
    ("tree", "broken"),
    [
        (doc("the dogs is red", [1, 2, 2, 2], "det nsubj ROOT acomp", "DT NNS VBZ JJ"), True),
        (doc("the dog are red", [1, 2, 2, 2], "det nsubj ROOT acomp", "DT NN VBP JJ"), True),
        (doc("the dog is red", [1, 2, 2, 2], "det nsubj ROOT acomp", "DT NN VBZ JJ"), False),
        (doc("the pants are red", [1, 2, 2, 2], "det nsubj ROOT acomp", "DT NNS VBP JJ"), False),
        # "a dog and a cat are": the subject has more than its first noun.
        (doc("dog and cat are red", [3, 0, 0, 3, 3], "nsubj cc conj ROOT acomp", "NN CC NN VBP JJ"), False),
        (doc("there are a dog", [1, 1, 3, 1], "expl ROOT det attr", "EX VBP DT NN"), True),
    ],
)
def test_verb_number(tree, broken):
    assert grammar.verb_number(tree) is broken


def test_truth_and_negative_must_look_alike():
    assert grammar.unlike("a dog on a table", "A dog under a table.")
    assert not grammar.unlike("A dog on a table.", "A dog under a table.")
