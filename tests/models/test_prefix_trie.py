"""Tests of the trie of captions: every path gives its caption, and no batch is larger than allowed."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stages.models import prefix_trie

CAPTIONS = st.lists(st.lists(st.integers(3, 6), max_size=9).map(lambda words: (1, *words, 2)), min_size=1, max_size=40)


@given(CAPTIONS, st.integers(8, 40))
def test_tries_hold_every_caption_whole(captions, nodes):
    captions = sorted(set(captions))
    covered = []
    for trie in prefix_trie.tries(captions, nodes):
        part = captions[len(covered) :][: len(trie.paths)]
        assert len(trie.tokens) <= max(nodes, max(map(len, part)))
        assert len(trie.lengths) <= prefix_trie.most_captions(nodes)
        assert trie.paths.shape[1] % 16 == 0, "the width at which attention gives the same bits"
        for caption, path, length in zip(part, trie.paths, trie.lengths, strict=True):
            assert tuple(trie.tokens[path[:length]]) == caption
            assert trie.depths[path[:length]].tolist() == list(range(length))
        covered += part
        # ``first`` points to a node's own entry in the paths, from which its attention is read.
        assert np.array_equal(trie.paths.ravel()[trie.first], np.arange(len(trie.tokens)))
    assert covered == captions


def test_what_captions_share_is_one_node():
    captions = [(1, 3, 4, 2), (1, 3, 4, 5, 2), (1, 3, 6, 2)]
    (trie,) = prefix_trie.tries(captions, 64)
    assert len(trie.tokens) == 4 + 2 + 2
