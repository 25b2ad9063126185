"""What titles add to names, on drafts written by hand."""

import pytest

from stages.parsing.draft import Draft
from stages.parsing.parser import named
from stages.parsing.titles import abstract, bare
from stages.parsing.words import Words
from tests.parsing.trees import doc


@pytest.mark.parametrize(
    ("name", "objects", "attributes"),
    [
        ("wedding photo", ("wedding",), ()),
        ("desk lamp gray", ("desk lamp",), ((0, "gray"),)),
        # but not where nothing would be left
        ("vector image", ("vector image",), ()),
        ("photo", ("photo",), ()),
        ("navy blue", ("navy blue",), ()),
    ],
)
def test_a_name_ends_with_the_thing(name, objects, attributes):
    *modifiers, head = name.split()
    tree = doc(" ".join([*(f"{word}/NN/compound>{head}" for word in modifiers), f"{head}/NN/ROOT>{head}"]))
    graph, _ = named(bare(Draft(Words(tree), {len(modifiers): tuple(range(len(tree)))})))
    assert (graph.objects, graph.attributes) == (objects, attributes)


def test_a_noun_is_abstract_by_its_singular_too():
    assert abstract("importance")
    assert not abstract("bowls")
