"""Batches depend only on the seed and the step."""

from collections import Counter

import pytest
from open_clip.tokenizer import SimpleTokenizer

from stages.training.batches import Batch, Batches, Material
from stages.training.loading import Tokens
from tests.training import made


def test_an_epoch_has_each_image_once_and_another_epoch_another_order():
    batches = Batches(made.material(), made.settings(method="clip", batch=4))
    epochs = [[i for step in (2 * epoch, 2 * epoch + 1) for i in batches.at(step).images] for epoch in range(3)]
    assert all(sorted(epoch) == list(range(8)) for epoch in epochs)
    assert epochs[0] != epochs[1]


def test_a_step_is_the_same_whatever_came_before():
    settings = made.settings(method="negclip", batch=8)
    one, other = Batches(made.material(), settings), Batches(made.material(), settings)
    in_order = [one.at(step) for step in range(6)]
    assert [other.at(step) for step in (5, 0, 3)] == [in_order[5], in_order[0], in_order[3]]
    assert Batches(made.material(), made.settings(method="negclip", batch=8, seed=1)).at(0) != in_order[0]


def test_negclip_draws_a_neighbour_of_each_and_a_negative_of_all_that_have_one():
    material = made.material()
    batches = Batches(material, made.settings(method="negclip", batch=8))
    batch = batches.at(0)
    assert batches.size == 4 and len(batch.images) == len(batch.captions) == len(batch.negatives) == 8
    assert all(near in material.neighbours[i] for i, near in zip(batch.images[:4], batch.images[4:], strict=True))
    assert all(material.captions[i] == [caption] for i, caption in zip(batch.images, batch.captions, strict=True))
    for caption, negative in zip(batch.captions, batch.negatives, strict=True):
        assert negative in material.negatives.get(caption, [""])
    drawn = Counter(near for step in range(40) for near in batches.at(step).images[4:])
    assert len(drawn) == 8, "all neighbours have their turn"


def test_another_caption_of_the_image_is_no_negative_of_it():
    """Another caption of the same image says just what the exchange gives; for another image, it may be false."""
    one, other = "a dog beside a cat", "a cat beside a dog"
    material = Material([[one, other], [one]], {one: [other], other: [one, "a cow beside a dog"]}, [[1], [0]])
    batches = Batches(material, made.settings(method="negclip", batch=4))
    drawn = {row for step in range(40) for row in zip(*batches.at(step)[:3], strict=True)}
    assert drawn == {(0, one, ""), (0, other, "a cow beside a dog"), (1, one, other)}


def test_what_the_model_reads_as_a_caption_is_no_negative_of_its_image():
    """To the model, another image's caption in other capitals is true, and so is a negative that differs only beyond the cut."""
    drawn, negatives = ["a red cup on a plate", "A RED cup on a plate", "a dog"], ["a red cup on a mat", "", "a cat"]
    texts = [*drawn, *filter(None, negatives)]
    numbers = Tokens(SimpleTokenizer(context_length=6), texts, cut=True).numbers
    material = Material([[caption] for caption in drawn], {}, [[]] * 3)
    true = Batches(material, made.settings(method="negclip")).true(Batch([0, 1, 2], drawn, negatives, (0, 0)), numbers)
    assert true.astype(int).tolist() == [[1, 1, 0, 1, 1, 0], [1, 1, 0, 1, 1, 0], [0, 0, 1, 0, 1, 0]]


@pytest.mark.parametrize("method", ["clip", "codebook", "iterated"])
def test_the_others_have_no_hard_negatives(method):
    assert Batches(made.material(), made.settings(method=method)).at(0).negatives == []
