"""Subgraphs with captions written by hand, the examples in a language model's prompt (paper, appendix A.3).

The paper has five for each complexity, from random subgraphs. Here a prompt has the five nearest to its complexity of sixteen: two
of each from 5 to 12 atoms, chosen so that they show what random ones mostly do not (several things of one name, attributes after a
noun).
"""

from __future__ import annotations

from stages.graphs.graph import SceneGraph

PER_PROMPT = 5

EXAMPLES: tuple[tuple[SceneGraph, str], ...] = (
    (
        SceneGraph(("woman", "scarf", "dog"), ((1, "striped"),), ((0, "wear", 1),)),
        "A woman is wearing a striped scarf, and there is also a dog.",
    ),
    (
        SceneGraph(("kite", "beach", "child"), (), ((0, "above", 1), (2, "hold", 0))),
        "A child is holding a kite above a beach.",
    ),
    (
        SceneGraph(("tray", "cup", "cup"), ((1, "blue"),), ((1, "on", 0), (2, "next to", 1))),
        "A blue cup is on a tray, and another cup is next to it.",
    ),
    (
        SceneGraph(("horse", "fence", "field"), ((0, "brown"), (1, "wooden")), ((0, "behind", 1),)),
        "A brown horse is behind a wooden fence; there is also a field.",
    ),
    (
        SceneGraph(("boat", "lake", "man"), ((0, "small"), (0, "white")), ((0, "on", 1), (2, "sit in", 0))),
        "A man is sitting in a small white boat on a lake.",
    ),
    (
        SceneGraph(("shelf", "book", "vase"), ((1, "thick"),), ((1, "on", 0), (2, "on", 0), (2, "next to", 1))),
        "A thick book is on a shelf, and a vase is on the shelf and next to the book.",
    ),
    (
        SceneGraph(("bus", "street", "sign", "tree"), ((0, "red"),), ((0, "on", 1), (2, "near", 1), (3, "behind", 2))),
        "A red bus is on a street with a sign near it, and a tree is behind the sign.",
    ),
    (
        SceneGraph(("girl", "hat", "bench"), ((0, "young"), (1, "yellow"), (2, "metal")), ((0, "wear", 1), (0, "sit on", 2))),
        "A young girl wearing a yellow hat is sitting on a metal bench.",
    ),
    (
        SceneGraph(
            ("window", "window", "house", "roof"),
            ((0, "open"), (1, "closed"), (3, "gray")),
            ((2, "have", 0), (2, "have", 1)),
        ),
        "A house has an open window and also has a closed window. There is a gray roof.",
    ),
    (
        SceneGraph(
            ("lamp", "desk", "laptop", "chair"),
            ((0, "tall"), (1, "white")),
            ((0, "on", 1), (2, "on", 1), (3, "in front of", 1)),
        ),
        "There is a tall lamp on a white desk, a laptop is on the desk too, and a chair is in front of it.",
    ),
    (
        SceneGraph(
            ("cat", "sofa", "pillow", "wall"),
            ((0, "black"), (0, "sleeping"), (2, "round")),
            ((0, "lie on", 1), (2, "under", 0), (1, "against", 3)),
        ),
        "A black sleeping cat is lying on a sofa against a wall, with a round pillow under the cat.",
    ),
    (
        SceneGraph(
            ("plate", "table", "fork", "knife"),
            ((0, "large"), (1, "wooden")),
            ((0, "on", 1), (2, "to the left of", 0), (3, "to the right of", 0), (3, "on", 1)),
        ),
        "A large plate is on a wooden table; a fork is to the left of the plate, and a knife is on the table to the right of it.",
    ),
    (
        SceneGraph(
            ("man", "shirt", "surfboard", "wave", "sky"),
            ((1, "wet"), (2, "long"), (4, "cloudy")),
            ((0, "wear", 1), (0, "ride", 2), (2, "on", 3)),
        ),
        "A man wearing a wet shirt rides a long surfboard on a wave, and there is a cloudy sky.",
    ),
    (
        SceneGraph(
            ("elephant", "river", "elephant", "bush"),
            ((0, "old"), (2, "small"), (3, "green")),
            ((0, "stand in", 1), (2, "follow", 0), (3, "beside", 1), (2, "touch", 3)),
        ),
        "An old elephant is standing in a river, a green bush is beside the river, and a small elephant touching the bush is "
        "following the old elephant.",
    ),
    (
        SceneGraph(
            ("train", "track", "bridge", "tower", "flag"),
            ((0, "yellow"), (2, "high"), (3, "stone")),
            ((0, "on", 1), (1, "under", 2), (3, "behind", 2), (4, "on top of", 3)),
        ),
        "A yellow train is on a track under a high bridge. A stone tower is behind the bridge, and a flag is on top of the tower.",
    ),
    (
        SceneGraph(
            ("boy", "cap", "bicycle", "basket", "road"),
            ((0, "smiling"), (1, "red"), (1, "backward"), (3, "empty")),
            ((0, "wear", 1), (0, "ride", 2), (2, "have", 3)),
        ),
        "A smiling boy is wearing a red backward cap and riding a bicycle that has an empty basket. There is also a road.",
    ),
)


def nearest(n: int) -> list[tuple[SceneGraph, str]]:
    """The five examples whose complexity is nearest to ``n``, simplest first."""
    chosen = sorted(EXAMPLES, key=lambda example: (abs(example[0].n - n), example[0].n))[:PER_PROMPT]
    return sorted(chosen, key=lambda example: example[0].n)
