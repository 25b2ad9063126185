"""Tests of the nearest images, against a loop over all pairs."""

import numpy as np
import pytest

from stages.pairs import images as mining
from stages.pairs.images import nearest


def by_hand(features, k, captions, digests):
    found = []
    for i, own in enumerate(features):
        order = sorted(range(len(features)), key=lambda j: -float(own @ features[j]))
        allowed = [j for j in order if digests[j] != digests[i] and not set(captions[i]) & set(captions[j])]
        found.append(allowed[:k])
    return found


@pytest.fixture
def images():
    """Return thirty images, some of which are the same picture; many share a caption with the images most similar to them."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(30, 6)).astype(np.float32)
    features[10:20] = features[:10] + 0.01 * rng.normal(size=(10, 6))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    digests = [bytes([i % 10 if i < 15 else i]) for i in range(30)]
    captions = [[f"a {'red' if i % 10 > 6 else i} cup", f"cup {i}"] for i in range(30)]
    return features, captions, digests


@pytest.mark.parametrize("block", [7, 1024])
@pytest.mark.parametrize("spare", [0, 8])
def test_nearest_that_are_allowed(images, block, spare, monkeypatch):
    monkeypatch.setattr(mining, "BLOCK", block)
    monkeypatch.setattr(mining, "SPARE", spare)
    features, captions, digests = images
    assert list(nearest(features, 3, captions, digests)) == by_hand(features, 3, captions, digests)


def test_similarities_in_several_parts_find_the_same(images, monkeypatch):
    features, captions, digests = images
    monkeypatch.setattr(mining, "SIMILARITIES", 7 * len(features))
    assert list(nearest(features, 3, captions, digests)) == by_hand(features, 3, captions, digests)


def test_fewer_where_there_are_not_so_many(images):
    features, _, digests = images
    assert list(nearest(features[:3], 3, [["a"], ["b"], ["a"]], digests)) == [
        [1],
        by_hand(features[:3], 3, [["a"], ["b"], ["a"]], digests)[1],
        [1],
    ]


def test_beyond_a_million_faiss_is_asked(images, monkeypatch):
    monkeypatch.setattr(mining, "EXACT", 10)
    features, captions, digests = images
    found, right = list(nearest(features, 3, captions, digests)), by_hand(features, 3, captions, digests)
    assert sum(len(set(a) & set(b)) for a, b in zip(found, right, strict=True)) >= 80
