"""Words and trees equal spaCy's own, both for pipelines whose network is computed here and for others."""

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from stages.parsing import network, pipeline, reader
from stages.parsing.reader import Reader
from stages.parsing.trees import Tokens, Tree

CAPTIONS = [
    *("a red dog on a mat", "Two dogs, one mat and a ©", "the the the", "x", "", "a", "man can't ride: he's late", "of of of"),
    *("A man at 9 a.m. near p.m . O'Clock", "don't : ) go", "e.g . a dog :) :( ... .", "the bench that the man is sitting on"),
    *(
        "What is the man who the dog ran to holding",
        "不是英文 dog",
        "a black-and-white t-shirt's pocket",
        "she said she would " * 9,
    ),
    "The dog barks. The cat sleeps! A man walks; a woman runs | and who is she looking at",
]


@pytest.fixture(scope="module")
def ours():
    return Reader()


@pytest.fixture(scope="module")
def theirs():
    nlp = spacy.load(pipeline.BUNDLED)
    pipeline.keep_words_whole(nlp)
    return nlp


def test_the_bundled_network_is_computed_here(ours):
    assert ours.network


def test_words_are_those_of_spacys_tokeniser(ours, theirs):
    captions = [" ".join(caption.split()) for caption in CAPTIONS]
    captions += [f"{a} {b}".strip() for a in captions for b in (":)", ")", "m.", ".", "'s")]
    for caption in 2 * captions:
        found, doc = ours.tokens(caption), theirs.make_doc(caption)
        assert found[:3] == tuple(map(list, Tokens.of(doc)[:3])), caption
        assert [ours._attributes[row][0] for row in found.rows] == [token.norm for token in doc]


@pytest.mark.parametrize("several", [1, 100])
def test_trees_are_those_of_spacy(ours, theirs, several, monkeypatch):
    monkeypatch.setattr(network, "STATES", 7)
    captions = [" ".join(caption.split()) for caption in CAPTIONS] * several
    expected = [Tree.of(doc) for doc in theirs.pipe(captions)]
    assert ours.trees([ours.tokens(caption) for caption in captions]) == expected
    assert any("||" in label for label in theirs.get_pipe("parser").move_names)


def test_sentences_begin_where_that_is_known(ours, theirs):
    words, begins = (
        ["a", "red", "bus", "stop", "sign", "a", "dog", "he", "sees"],
        [True, False, False, True, False, True, False, False, False],
    )
    doc = theirs(Doc(theirs.vocab, words=words, sent_starts=list(begins)))
    tokens = Tokens.of(doc)._replace(begins=begins)
    assert ours.trees([tokens]) == [Tree.of(doc)]
    assert ours.trees([tokens._replace(begins=None)]) != [Tree.of(doc)]


def test_vectors_are_those_of_spacy_up_to_rounding(ours, theirs):
    captions = [caption for caption in CAPTIONS if caption]
    tokens = [ours.tokens(caption) for caption in captions]
    rows = np.array([row for one in tokens for row in one.rows])
    found = ours.network._encoded(rows, ours._attributes, np.array([len(one.words) for one in tokens]))
    docs = [theirs.make_doc(caption) for caption in captions]
    np.testing.assert_allclose(found, np.concatenate(theirs.get_pipe("tok2vec").predict(docs)), atol=2e-5)


def test_another_network_is_left_to_spacy(tmp_path, theirs, monkeypatch):
    monkeypatch.setattr(reader, "known", lambda nlp: False)
    other = Reader()
    assert other.network is None
    captions = [" ".join(caption.split()) for caption in CAPTIONS]
    assert other.trees([other.tokens(caption) for caption in captions]) == [Tree.of(doc) for doc in theirs.pipe(captions)]


def test_only_networks_of_the_known_kind_are_known(theirs):
    assert network.known(theirs)
    nlp = spacy.blank("en")
    assert not network.known(nlp)
    nlp.add_pipe(
        "tok2vec", config={"model": {"@architectures": "spacy.Tok2Vec.v2", "encode": {**ENCODER, "depth": 2}, "embed": EMBEDDING}}
    )
    for name in ("tagger", "parser"):
        nlp.add_pipe(name, config={"model": {"tok2vec": {"@architectures": "spacy.Tok2VecListener.v1", "width": 96}}})
    nlp.get_pipe("tagger").add_label("NN")
    nlp.get_pipe("parser").add_label("dobj")
    nlp.initialize()
    assert not network.known(nlp)


def test_what_is_kept_is_bounded(ours, monkeypatch):
    monkeypatch.setattr(reader, "CACHED", 10)
    few = Reader()
    for caption in CAPTIONS:
        with few.zone():
            few.trees([few.tokens(" ".join(caption.split()))])
    assert len(few._chunks) < 60


ENCODER = {"@architectures": "spacy.MaxoutWindowEncoder.v2", "width": 96, "window_size": 1, "maxout_pieces": 3}
EMBEDDING = {
    **{"@architectures": "spacy.MultiHashEmbed.v2", "width": 96, "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE"]},
    **{"rows": [500, 100, 250, 250], "include_static_vectors": False},
}
