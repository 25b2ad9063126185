"""Tests of the losses against loops written as in the papers."""

import math

import torch
from torch.nn import functional as F

from stages.training.batches import Batch, Batches, Material
from stages.training.losses import Names, contrastive, distillation
from tests.training import made


def unit(*shape):
    return F.normalize(torch.randn(*shape, dtype=torch.float64), dim=-1)


def cross_entropy(scores, right):
    return math.log(sum(math.exp(score) for score in scores)) - scores[right]


def by_hand(images, texts, scale, allowed):
    """Return the loss; ``allowed(i, j)`` says whether text j counts against image i. Texts beyond the images have no column."""
    m = len(images)
    logits = [[float(scale * images[i] @ texts[j]) for j in range(len(texts))] for i in range(m)]
    rows = [[j for j in range(len(texts)) if j == i or allowed(i, j)] for i in range(m)]
    columns = [[i for i in range(m) if j == i or allowed(i, j)] for j in range(m)]
    of_rows = [cross_entropy([logits[i][j] for j in rows[i]], rows[i].index(i)) for i in range(m)]
    of_columns = [cross_entropy([logits[i][j] for i in columns[j]], columns[j].index(j)) for j in range(m)]
    return (sum(of_rows) / m + sum(of_columns) / m) / 2


def test_clips_loss_is_that_of_the_paper():
    torch.manual_seed(0)
    images, texts = unit(6, 5), unit(6, 5)
    names = Names(torch.arange(6), torch.eye(6, dtype=torch.bool))
    found = contrastive(images, texts, torch.tensor(7.0), names)
    logits = 7 * images @ texts.T
    plain = (F.cross_entropy(logits, torch.arange(6)) + F.cross_entropy(logits.T, torch.arange(6))) / 2
    assert torch.allclose(found.double(), plain, atol=1e-6)


def test_negclips_loss_of_2n_images_and_4n_texts_against_a_loop():
    """N = 3 pairs and 3 neighbours, with negatives. Image 4 is image 0, texts 1 and 5 are equal, and a negative is missing; the
    negative of 0 is a caption of 2, as is text 3, which 2 did not draw."""
    torch.manual_seed(1)
    images, texts = unit(6, 8), unit(12, 8)
    numbers, drawn = [0, 1, 2, 3, 0, 5], ["a", "b", "c", "d", "e", "b"]
    negatives = ["c", "a cow", "a mill", "", "a boat", "a tree"]
    captions = [["a", "e"], ["b"], ["c", "d"], ["d"], [], ["b", "f"]]
    batches = Batches(Material(captions, {}, [[]] * 6), made.settings(method="negclip"))
    true = torch.from_numpy(batches.true(Batch(numbers, drawn, negatives, (0, 0)), {}))

    def allowed(i, j):
        text = [*drawn, *negatives][j]
        return text not in captions[numbers[i]] and text != ""

    found = contrastive(images, texts, torch.tensor(5.0), Names(torch.tensor(numbers), true))
    assert abs(float(found) - by_hand(images, texts, 5.0, allowed)) < 1e-6


def test_hard_negatives_have_no_column():
    """A negative caption has no image: it changes rows, but not columns."""
    torch.manual_seed(2)
    images, texts = unit(4, 5), unit(8, 5)
    names = Names(torch.arange(4), torch.eye(4, 8, dtype=torch.bool))
    with_them = contrastive(images, texts, torch.tensor(3.0), names)
    logits = 3 * images @ texts.T
    rows = F.cross_entropy(logits, torch.arange(4))
    columns = F.cross_entropy(logits[:, :4].T, torch.arange(4))
    assert torch.allclose(with_them.double(), (rows + columns) / 2, atol=1e-6)


def test_distillation_is_none_from_equal_features_and_grows():
    torch.manual_seed(3)
    old, new = unit(5, 8), unit(5, 8)
    assert distillation(old, old).abs() < 1e-9
    assert torch.allclose(distillation(new, old), 1 - F.cosine_similarity(new, old).mean())
