"""Scene graphs for tests: drawn by hypothesis, and turned into table rows."""

from hypothesis import strategies as st

from stages.graphs.graph import SceneGraph

OBJECTS = ["dog", "cup", "table", "man", "stop sign", "grass", "pants", "box", "umbrella", "people", "window", "sky"]
ATTRIBUTES = ["red", "large", "old", "two", "smiling", "turned on", "wooden", "light blue", "on", "made of brick", "orange"]
RELATIONS = ["on", "have", "wear", "next to", "of", "attach to", "sit on", "with", "hold", "in front of", "cover", "to the left of"]


@st.composite
def graphs(draw, least: int = 1, most: int = 7) -> SceneGraph:
    """Draw any scene graph that a walk could find, and some that it could not (loops, repeated relations)."""
    objects = draw(st.lists(st.sampled_from(OBJECTS), min_size=least, max_size=most))
    places = st.integers(0, len(objects) - 1)
    attributes = draw(st.lists(st.tuples(places, st.sampled_from(ATTRIBUTES)), max_size=5, unique=True))
    pairs = st.tuples(places, st.sampled_from(RELATIONS), places).filter(lambda triple: triple[0] != triple[2])
    relations = draw(st.lists(pairs, max_size=6, unique=True)) if len(objects) > 1 else []
    return SceneGraph(tuple(objects), tuple(attributes), tuple(relations))


def graph_of(described: str) -> SceneGraph:
    """Return the graph that the two lines of a prompt describe; objects and attributes have one word each."""
    objects, relations = (line.partition(": ")[2].split(", ") for line in described.split("\n"))
    names = [thing.split()[-1] for thing in objects]
    attributes = ((i, attribute) for i, thing in enumerate(objects) for attribute in thing.split()[:-1])
    triples = (relation.split() for relation in relations)
    related = ((names.index(s), " ".join(words), names.index(o)) for s, *words, o in triples)
    return SceneGraph(tuple(name.rstrip("12") for name in names), tuple(attributes), tuple(related))


def subgraph_row(graph: SceneGraph, subgraph_id: str = "1-5-0") -> dict:
    """Return a row of the table ``subgraphs``."""
    crop = {"image_id": 1, "x": 0, "y": 0, "width": 300, "height": 300}
    ids = list(range(len(graph.objects)))
    return {
        "subgraph_id": subgraph_id,
        **crop,
        "n": graph.n,
        "n_components": 1,
        **graph.columns(),
        "plurals": [],
        "object_ids": ids,
    }
