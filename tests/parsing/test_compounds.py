"""Tests of what belongs to a name for every reader: on trees written by hand, without anything learned from people's graphs."""

import pytest

from stages.parsing import factual_layer
from stages.parsing.extraction import extract
from stages.parsing.factual_layer import Learned
from stages.parsing.parser import named
from stages.parsing.words import Words
from tests.parsing.trees import doc

CUTS = Learned({"modifier": ["attr", "keep"], "attribute": ["same", "keep"]}, {"a:w=hot h=dog": {"keep": 1.0}}, {})
"""Weights that cut every name except "hot dog", which people wrote."""


@pytest.mark.parametrize(
    ("tree", "name", "attributes"),
    [
        ("football/NN/compound>player player/NN/ROOT>player", "football player", set()),
        ("rock/NN/compound>artist artist/NN/ROOT>artist", "rock artist", set()),
        ("brick/NN/compound>wall wall/NN/ROOT>wall", "wall", {"brick"}),
        ("pink/NN/compound>map map/NN/ROOT>map", "map", {"pink"}),
        ("skinny/NN/compound>jeans jeans/NNS/ROOT>jeans", "jeans", {"skinny"}),
        ("bald/JJ/amod>eagle eagle/NN/ROOT>eagle", "bald eagle", set()),
        ("wet/JJ/amod>eagle eagle/NN/ROOT>eagle", "eagle", {"wet"}),
        ("hot/JJ/amod>dog dog/NN/ROOT>dog", "hot dog", set()),
        ("comic/JJ/amod>hero book/NN/compound>hero hero/NN/ROOT>hero", "comic book hero", set()),
        (
            "red/JJ/amod>bracelet steel/NN/amod>bracelet hook/NN/amod>bracelet bracelet/NN/ROOT>bracelet",
            "hook bracelet",
            {"red", "steel"},
        ),
    ],
)
def test_a_noun_says_what_kind_of_thing_it_is_and_a_material_what_it_is_made_of(tree, name, attributes):
    graph, _ = named(factual_layer.divide(extract(Words(doc(tree))), CUTS))
    assert (graph.objects, {text for _, text in graph.attributes}) == ((name,), attributes)
