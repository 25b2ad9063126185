"""Two captions, and two graphs, as one."""

import pytest

from stages.graphs.graph import SceneGraph
from stages.systematicity import second_compound


@pytest.mark.parametrize(
    ("one", "other", "joined"),
    [
        ("a blue car", "a pink toy", "a blue car and a pink toy"),
        ("A blue car.", "A pink toy.", "A blue car and a pink toy."),
        ("a TV", "USA flag", "a TV and USA flag"),
    ],
)
def test_two_captions_become_one(one, other, joined):
    assert second_compound.joined(one, other) == joined


def test_joined_graphs_share_no_object():
    one = SceneGraph(("dog",), ((0, "red"),))
    joined = second_compound.joined_graph(one, SceneGraph(("dog", "car"), (), ((0, "on", 1),)))
    assert joined == SceneGraph(("dog", "dog", "car"), ((0, "red"),), ((1, "on", 2),))
