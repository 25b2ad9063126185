import random
from pathlib import Path

import pytest
import spacy
from spacy.tokens import DocBin

from stages.parser_training import captions
from stages.parser_training.__main__ import BEFORE, Course, _average, save, train
from stages.parser_training.captions import words_of
from stages.parsing.pipeline import BUNDLED
from tests.parsing.trees import doc

TREES = [
    "the/DT/det>dog dog/NN/nsubj>sits sits/VBZ/ROOT>sits on/IN/prep>sits the/DT/det>mat#1 mat/NN/pobj>on ././punct>sits",
    "a/DT/det>cat cat/NN/ROOT>cat with/IN/prep>cat black/JJ/amod>paws paws/NNS/pobj>with ././punct>cat",
    "men/NNS/nsubj>hold hold/VBP/ROOT>hold cups/NNS/dobj>hold ././punct>hold",
]


@pytest.fixture(scope="module")
def trees():
    return [doc(tree) for tree in TREES] * 20  # rarer labels are left out


@pytest.mark.heavy
def test_training_learns_its_trees_repeats_exactly_and_goes_on(trees, tmp_path):
    files = (tmp_path / "trees.spacy",) * 2
    DocBin(docs=trees).to_disk(files[0])
    one, again = (train(tmp_path / name, *files, Course(30, 0.02, 60)) for name in ("one", "again"))
    assert one.get_pipe("tok2vec").to_bytes() == again.get_pipe("tok2vec").to_bytes()
    assert [t.tag_ for t in one("the dog sits on the mat .")] == ["DT", "NN", "VBZ", "IN", "DT", "NN", "."]
    further = train(tmp_path / "further", *files, Course(1, 1e-9, 60), base=tmp_path / "one" / "model-last")
    assert [t.dep_ for t in further("men hold cups .")] == [t.dep_ for t in one("men hold cups .")]


def test_the_webs_trees_are_trees_and_every_fifth_is_held_out():
    trained, held_out = captions.web_docs(spacy.blank("en").vocab)
    assert len(trained) + len(held_out) > 1000
    assert len(held_out) == pytest.approx(len(trained) / 4, abs=1)
    assert all(sum(token.head.i == token.i for token in tree) == 1 for tree in [*trained, *held_out])
    assert {token.dep_ for tree in held_out for token in tree} >= {"ROOT", "dobj", "pobj", "compound"}


def test_examples_are_written_as_captions_are(trees):
    random.seed(0)
    nlp = spacy.blank("en")
    texts = {captions.variant(nlp, tree).text.strip() for tree in trees[:3] for _ in range(40)}
    assert {"a cat with black paws .", "a cat with black paws", "cat with black paws ."} <= texts


def test_other_words_have_the_same_tag():
    assert {"joins", "walks"} <= set(words_of("VBZ")) and "bowls" in words_of("NNS") and "wooden" in words_of("JJ")
    assert not {"is", "cardboard"} & {*words_of("VBZ"), *words_of("NNS")} and not words_of("IN")


def test_now_and_then_a_tree_gets_other_words(trees):
    random.seed(0)
    nlp = spacy.blank("en")
    several = [captions.variant(nlp, trees[0]) for _ in range(60)]
    known = {token.lower_ for tree in trees for token in tree}
    other = [token for tree in several for token in tree if token.lower_ not in known]
    assert other and all(token.lower_ in words_of(token.tag_) for token in other)


def test_weights_that_go_on_keep_a_share_of_those_before():
    before, trained = spacy.load(BUNDLED), spacy.load(BUNDLED)
    output = next(node for node in trained.get_pipe("tagger").model.walk() if node.has_param("W"))
    old = output.get_param("W").copy()
    output.set_param("W", old + 4)
    _average(trained, before)
    assert output.get_param("W") == pytest.approx(old + 4 * (1 - BEFORE), abs=1e-4)


def test_what_is_saved_is_what_is_shipped(tmp_path):
    save(spacy.load(BUNDLED), tmp_path / "made")
    files = {path.relative_to(BUNDLED) for path in BUNDLED.rglob("*") if path.is_file()} - {Path("README.md")}
    assert {path.relative_to(tmp_path / "made") for path in (tmp_path / "made").rglob("*") if path.is_file()} == files
    assert all((tmp_path / "made" / file).read_bytes() == (BUNDLED / file).read_bytes() for file in files)
