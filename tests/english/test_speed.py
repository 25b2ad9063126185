"""What makes the pipeline faster changes nothing of what it finds."""

import numpy as np
import spacy

from stages.english import pipeline, speed

CAPTIONS = ["a red dog on a mat", "a mat on a red dog", "Two dogs, one mat and a ©", "the the the", "x"]


def test_words_that_come_again_have_the_same_embedding_as_if_each_were_reckoned_by_itself():
    plain = spacy.load(pipeline.BUNDLED).get_pipe("tok2vec").model
    nlp = pipeline.load()
    quick = nlp.get_pipe("tok2vec").model
    assert quick.layers[0].name == "each_word_once", "the bundled pipeline is no longer made faster"
    docs = [nlp.make_doc(caption) for caption in CAPTIONS]
    for expected, found in zip(plain.layers[0].predict(docs), quick.layers[0].predict(docs), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-5)
    for expected, found in zip(plain.predict(docs), quick.predict(docs), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-5)


def test_networks_that_read_other_things_of_a_word_are_left_as_they_are():
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger", config={"model": {"tok2vec": NETWORK}}).add_label("NN")
    nlp.initialize()
    before = [node.name for node in nlp.get_pipe("tagger").model.walk()]
    speed.patch_for_speed(nlp)
    assert [node.name for node in nlp.get_pipe("tagger").model.walk()] == before
    assert nlp("a dog").has_annotation("TAG")


NETWORK = {
    **{"@architectures": "spacy.HashEmbedCNN.v2", "width": 8, "depth": 1, "embed_size": 50, "window_size": 1, "maxout_pieces": 2},
    **{"subword_features": False, "pretrained_vectors": None},
}
