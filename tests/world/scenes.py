"""Scenes made by hand from boxes in pixels, without sprites."""

from random import Random
from typing import Any

from stages.world.build import truth
from stages.world.relations import Relations
from stages.world.scene import Box, Look, Scene, Thing


def thing(kind: str, box: Box, colour: str | None = "red", **fields: Any) -> Thing:
    """Return a thing that stands on the ground at the lower edge of its box."""
    values = {"pattern": "plain", "size": "", "state": "", "depth": box[3]} | fields
    return Thing(kind, colour, box=box, frame=box, look=Look("box"), **values)


def scene(things: list[Thing], links: list[tuple[int, str, int]] | None = None) -> Scene:
    return Scene("park", 0, things, links or [])


def truth_of(made: Scene) -> dict[str, Any]:
    """Return the scene's row of the truth table."""
    return truth(1, made, Relations(made))


def random_scenes(n: int) -> list[Scene]:
    from stages.world.compose import compose

    return [compose(Random(f"test:{i}")) for i in range(n)]
