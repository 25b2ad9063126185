import sys
import types

import pytest

from stages.contract.errors import MissingPackage, ParameterError
from stages.parameters.sections import Language
from stages.parsing.factual_t5 import FactualT5, located
from stages.parsing.parser import make
from tests.running import section


class Model:
    """A stand-in for the package's parser, with its graphs for known captions."""

    def __init__(self, checkpoint, device):
        self.checkpoint = checkpoint

    def parse(self, captions, **options):
        return ["( man , v:hold , umbrella ) , ( umbrella , is , red )" for _ in captions]


def test_another_parser_is_made_from_its_class_path(monkeypatch):
    module = types.ModuleType("factual_scene_graph.parser.scene_graph_parser")
    module.SceneGraphParser = Model
    for name in ("factual_scene_graph", "factual_scene_graph.parser"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    parser = make(section(Language, parser="stages.parsing.factual_t5.FactualT5", parser_options={"checkpoint": "here"}))
    assert parser.model.checkpoint == "here"
    parsed = list(parser.parse(f"A man holding a red umbrella {i}" for i in range(70)))
    assert len(parsed) == 70
    assert parsed[69].caption == "A man holding a red umbrella 69"
    assert parsed[0].graph.objects == ("man", "umbrella")
    assert parsed[0].graph.relations == ((0, "hold", 1),)
    assert parsed[0].spans.objects == ((2, 5), (20, 28))
    assert parsed[0].spans.relations == (None,)


def test_a_missing_package_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "factual_scene_graph", None)
    with pytest.raises(MissingPackage, match="pip install FactualSceneGraph"):
        FactualT5(section(Language))


@pytest.mark.parametrize("path", ["nowhere.Class", "stages.parsing.parser.Nothing", "word"])
def test_a_wrong_class_path_is_an_error_that_names_the_choices(path):
    with pytest.raises(ParameterError, match=r"language\.parser.*'rules'"):
        make(section(Language, parser=path))


@pytest.mark.parametrize("text", ["", "( )", "( man , is )", "( man", "( a , b , c , d )", "( man , on , man )"])
def test_a_graph_that_the_model_broke_off_is_no_error(text):
    graph, spans = located("a man", text)
    assert len(graph.objects) == len(spans.objects)
    assert not graph.relations
