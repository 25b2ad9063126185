import random

import pytest
import spacy

from stages.parser_training import captions, finish, train
from tests.parsing.trees import doc

TREES = [
    "the/DT/det>dog dog/NN/nsubj>sits sits/VBZ/ROOT>sits on/IN/prep>sits the/DT/det>mat#1 mat/NN/pobj>on ././punct>sits",
    "a/DT/det>cat cat/NN/ROOT>cat with/IN/prep>cat black/JJ/amod>paws paws/NNS/pobj>with ././punct>cat",
    "men/NNS/nsubj>hold hold/VBP/ROOT>hold cups/NNS/dobj>hold ././punct>hold",
]


@pytest.fixture(scope="module")
def trees():
    return [doc(tree) for tree in TREES] * 20  # labels that are rarer are left out


def test_training_learns_its_trees_and_repeats_exactly(trees, monkeypatch):
    monkeypatch.setitem(train.PARSER, "hidden_width", 16)
    made = []
    for _ in range(2):
        nlp = train.untrained(trees, seed=1)
        train.train(nlp, trees, steps=60, rate=0.01, seed=1, words=40)
        made.append(nlp)
    assert made[0].get_pipe("tok2vec").to_bytes() == made[1].get_pipe("tok2vec").to_bytes()
    assert [t.tag_ for t in made[0]("the dog sits on the mat .")] == ["DT", "NN", "VBZ", "IN", "DT", "NN", "."]


def test_examples_are_written_as_captions_are(trees):
    rng, nlp = random.Random(0), spacy.blank("en")
    texts = {captions.example(nlp, tree, rng).reference.text.strip() for tree in trees[:3] for _ in range(40)}
    assert {"a cat with black paws .", "a cat with black paws", "cat with black paws ."} <= texts


def test_finishing_adds_parts_of_speech_and_lemmas(tmp_path):
    nlp = spacy.blank("en")
    finish.finish(nlp)
    words = ["riding", "staring", "is", "has", "dogs", "sitting"]
    tags = ["VBG", "VBG", "VBZ", "VBZ", "NNS", "VBG"]
    made = spacy.tokens.Doc(nlp.vocab, words=words, tags=tags, deps=["ROOT"] + ["dep"] * 5, heads=[0] * 6)
    for _, pipe in nlp.pipeline:
        made = pipe(made)
    assert [t.lemma_ for t in made] == ["ride", "stare", "be", "have", "dog", "sit"]
    assert [t.pos_ for t in made] == ["VERB", "VERB", "AUX", "VERB", "NOUN", "VERB"]
    nlp.to_disk(tmp_path / "made")
    finish.forget_strings(tmp_path / "made")
    assert spacy.load(tmp_path / "made")("dogs")[0].text == "dogs"
