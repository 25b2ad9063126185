"""Whatever annotators mistype in the sample is read as what is drawn."""

from random import Random

from stages.annotations.phrases import Phrases, read
from stages.parameters.sections import Language
from stages.world.annotate import annotate_graph
from stages.world.relations import Relations
from stages.world.words import named
from tests.running import section
from tests.world.scenes import random_scenes


def test_typed_names_are_read_as_things_of_the_scene():
    typed = []
    for number, scene in enumerate(random_scenes(120)):
        graph = annotate_graph(Random(number), number, scene, Relations(scene))
        assert len({made["object_id"] for made in graph["objects"]}) == len(graph["objects"])
        typed += [(made["names"][0], {thing.kind for thing in scene.things}) for made in graph["objects"]]
    readings = read(Phrases("object", [name for name, _ in typed], section(Language)))
    phrases = [name for name, _ in typed if " " in name]
    assert any(" is " in name for name in phrases) and any("thing" in name for name, _ in typed)
    assert any(reading.plural and reading.name not in ("pants", "trousers") for reading in readings)
    strange = [
        (name, reading.name)
        for (name, kinds), reading in zip(typed, readings, strict=True)
        if not reading.fault and not any(named(reading.name, kind) for kind in kinds)
    ]
    assert not strange
