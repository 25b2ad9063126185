"""A caption that leaves out or invents an atom would make false negatives true, so it is detected."""

import pytest

from stages.graphs.graph import SceneGraph
from stages.writing.agreement import Failure, agree
from stages.writing.examples import EXAMPLES, PER_PROMPT, nearest
from stages.writing.realiser import realise
from stages.writing.writer import description
from tests.writing.graphs import graph_of

BOY = SceneGraph(("boy", "bench", "hat"), ((0, "tall"), (2, "red")), ((0, "sit on", 1), (0, "wear", 2)))


@pytest.fixture(scope="module")
def parse(parser):
    return lambda caption: next(parser.parse([caption]))


@pytest.mark.parametrize(
    "caption",
    [
        "A tall boy wearing a red hat is sitting on a bench.",
        "A tall boy is sitting on a bench. The boy is wearing a red hat.",
        "a tall boy sitting on a bench and wearing a red hat",
    ],
)
def test_a_faithful_caption_keeps_its_places(parse, caption):
    realised = agree(BOY, parse(caption))
    assert not isinstance(realised, Failure), realised
    said = [caption[slice(*realised.spans.of(atom))] for atom in BOY.atoms()]
    assert said == ["boy", "bench", "hat", "tall", "red", "sitting on", "wearing"]


@pytest.mark.parametrize(
    ("caption", "reason"),
    [
        ("A boy wearing a red hat is sitting on a bench.", "atom left out"),
        ("A tall boy is sitting on a bench.", "atom left out"),
        ("A tall boy with a red hat is sitting on a bench.", "atom left out"),
        ("A tall boy wearing a red hat is sitting on a bench with a dog.", "invented object"),
        ("A tall boy wearing a red hat is sitting on a wooden bench.", "invented attribute"),
        ("A tall boy wearing a red hat is sitting on a bench, and there is another boy.", "invented object"),
        ("A tall boy wearing a red hat is not sitting on a bench.", "denial"),
        ("A tall boy wearing a red hat is sitting on a bench, and there is no dog.", "denial"),
        ("A tall boy wearing a red hat isn't sitting on a bench.", "denial"),
        ("", "atom left out"),
        ("Sorry, I cannot help with that.", "atom left out"),
    ],
)
def test_what_is_missing_or_invented_is_named(parse, caption, reason):
    failure = agree(BOY, parse(caption))
    assert isinstance(failure, Failure) and (failure.text, failure.reason) == (caption, reason)


def test_a_second_mention_is_not_a_second_object(parse):
    caption = "A tall boy is sitting on a bench. The tall boy is wearing a red hat."
    realised = agree(BOY, parse(caption))
    assert [(kind, caption[slice(*span)]) for kind, _, span in realised.mentions] == [("object", "boy"), ("attribute", "tall")]


def test_objects_of_one_name_are_told_apart(parse):
    graph = SceneGraph(("cup", "table", "cup"), ((0, "red"), (2, "blue")), ((0, "on", 1), (2, "under", 1)))
    caption = "A blue cup is under a table. A red cup is on the table."
    realised = agree(graph, parse(caption))
    assert [realised.spans.objects[0], realised.spans.objects[2]] == [(35, 38), (7, 10)]


def test_the_examples_are_what_they_teach(parse):
    graphs = [graph_of(example.described) for example in EXAMPLES]
    assert [description(graph) for graph in graphs] == [example.described for example in EXAMPLES]
    assert [graph.n for graph in graphs] == [example.n for example in EXAMPLES] == sorted([*range(5, 13)] * 2)
    agreeing = [agree(graph, parse(example.caption)) for graph, example in zip(graphs, EXAMPLES, strict=True)]
    failures = [result for result in agreeing if isinstance(result, Failure)]
    assert len(failures) <= 2, failures
    assert all(len(nearest(n)) == PER_PROMPT for n in range(5, 13))


def test_most_realised_captions_parse_back(parse):
    graphs = [graph_of(example.described) for example in EXAMPLES]
    agreeing = [agree(graph, parse(realise(graph, str(seed)).caption)) for graph in graphs for seed in range(3)]
    assert sum(not isinstance(result, Failure) for result in agreeing) >= 0.8 * len(agreeing)
