import pytest

from stages.contract.errors import InputError
from stages.parser_training import learn
from stages.parsing.extraction import extract
from stages.parsing.factual_decisions import decisions
from stages.parsing.factual_gold import facts_of_text, read_gold
from stages.parsing.words import Words
from tests.parsing.trees import doc


def answers(tree, facts):
    draft = extract(Words(doc(tree)), pronouns=True)
    aligned = learn.Alignment(draft, facts_of_text(facts), {})
    return {d.key: aligned.answer(d) for d in decisions(draft) if d.kind != "object"}


@pytest.mark.parametrize(
    ("tree", "facts", "key", "answer"),
    [
        ("stop/NN/compound>sign sign/NN/ROOT>sign", "( stop sign )", "stop", "keep"),
        ("brick/NN/compound>wall wall/NN/ROOT>wall", "( wall , is , brick )", "brick", "attr"),
        ("wood/NN/compound>wall wall/NN/ROOT>wall", "( wall , is , wooden )", "wood", "attr wooden"),
        ("tree/NN/compound>branch branch/NN/ROOT>branch", "( tree , v:have , branch )", "tree", "have"),
        ("hot/JJ/amod>dog dog/NN/ROOT>dog", "( hot dog )", "hot", "keep"),
        ("big/JJ/amod>dog dog/NN/ROOT>dog", "( dog , is , big )", "big", "same"),
        ("leg/NN/ROOT>leg of/IN/prep>leg chair/NN/pobj>of", "( chair , v:have , leg )", "of", "~have"),
        ("stack/NN/ROOT>stack of/IN/prep>stack hay/NN/pobj>of", "( hay )", "of", None),
        ("leg/NN/ROOT>leg of/IN/prep>leg chair/NN/pobj>of", "( chair )", "of", "member"),
        ("cat/NN/nsubj>sits sits/VBZ/ROOT>sits on/IN/prep>sits mats/NNS/pobj>on", "( cat , v:sit on , mats )", "sit on", "same"),
        ("cat/NN/nsubj>sits sits/VBZ/ROOT>sits on/IN/prep>sits mats/NNS/pobj>on", "( cat , on , mats )", "sit on", "prep"),
    ],
)
def test_the_annotators_answer_is_read_off_their_facts(tree, facts, key, answer):
    assert answers(tree, facts).get(key) == answer


def test_learning_prefers_what_the_annotators_did_and_repeats_exactly():
    trees = [
        ("stop/NN/compound>sign sign/NN/ROOT>sign", "( stop sign )"),
        ("brick/NN/compound>wall wall/NN/ROOT>wall", "( wall , is , brick )"),
    ]
    drafts = [(extract(Words(doc(t)), pronouns=True), facts_of_text(f)) for t, f in trees for _ in range(3)]
    models = [learn.regression(learn.examples(drafts, {}), {}) for _ in range(2)]
    assert models[0] == models[1]
    for tree, answer in (("stop/NN/compound>sign sign/NN/ROOT>sign", "keep"), ("brick/NN/compound>wall wall/NN/ROOT>wall", "attr")):
        asked = [d for d in decisions(extract(Words(doc(tree)))) if d.kind == "modifier"]
        assert [models[0].answer(d) for d in asked] == [answer]


def test_gold_files_with_faults_are_named(tmp_path):
    path = tmp_path / "gold.csv"
    path.write_text("caption\na dog\n")
    with pytest.raises(InputError, match="row 1: has no column 'scene_graph'"):
        list(read_gold(path))
    path.write_text('caption,scene_graph\na dog,( dog )\na cat,""\n')
    with pytest.raises(InputError, match="row 2: has no facts"):
        list(read_gold(path))
