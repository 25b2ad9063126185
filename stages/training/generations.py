"""The schedule of iterated learning: warm-up, generations of spawn, distil, interact (Zheng et al., CVPR 2024, section 3.3)."""

from typing import Literal, NamedTuple

from stages.parameters.sections import Iterated

Agent = Literal["text", "vision"]


class Phase(NamedTuple):
    """The phase of a step.

    Attributes:
        generation: 0 until the first spawn.
        name: ``interact`` (all train, as in the warm-up) or ``distil`` (the codebook is frozen).
        since: number of steps since the generation's first.
        spawned: the agent that was replaced when this generation began; ``None`` in the first.
    """

    generation: int
    name: Literal["interact", "distil"]
    since: int
    spawned: Agent | None


def generations(steps: int, settings: Iterated) -> int:
    """Return the number of generations in ``steps``: the full cycles that leave ``settings.last`` steps for the last one."""
    return max(0, (steps - settings.warm_up - settings.last) // (settings.distil + settings.interact))


def phase(step: int, steps: int, settings: Iterated) -> Phase:
    """Return the phase of ``step``, from 0, of ``steps``; steps beyond full cycles belong to the last generation."""
    cycle, last = settings.distil + settings.interact, generations(steps, settings)
    if step < settings.warm_up or not last:
        return Phase(0, "interact", step, None)
    number = min((step - settings.warm_up) // cycle, last - 1)
    since = step - settings.warm_up - number * cycle
    return Phase(number + 1, "distil" if since < settings.distil else "interact", since, spawned(number + 1, settings))


def spawned(generation: int, settings: Iterated) -> Agent:
    """Return the agent that is replaced at the beginning of a generation."""
    if settings.spawn == "alternately":
        return "text" if generation % 2 else "vision"
    return settings.spawn
