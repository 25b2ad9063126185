"""How natural it is to remark that a thing is missing: of a rocky shore that there is no boat, but hardly that there is no pillow.

Readers judged captions that end in "with no … in sight" by the denial alone; trees (:mod:`stages.foils.trees`) learned to say so
from how much at home the thing is beside what the caption and others speak of, how well captions relate the two, how large it is
and what it means. Whether it is there they are not told, so that they judge what is denied truly and falsely alike.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stages.foils import trees, word_vectors
from stages.foils.sense import Sense
from stages.foils.vocabulary import zipf
from stages.semantics import things

TREES = Path(__file__).with_name("absences.json.gz")
WHERE, WHOSE = ("on", "next to", "in"), ("have", "hold", "wear")
"""The relations of a thing to another, and of another to it."""
MEANING = 20
"""So many of the first components of what texts know of the thing."""
SIGNS = (
    *("at_home_in_image", "at_home_in_caption", "scenes", "together_least", "together_mean", "together_most"),
    *(relation.replace(" ", "_") for relation in WHERE + WHOSE),
    *("zipf", "size", "smallest", "largest"),
    *(f"meaning_{i}" for i in range(1, MEANING + 1)),
)
"""What :func:`signs` gives, in this order."""


def remarkable(names: Sequence[str], own: Sequence[str], said: frozenset[str], sense: Sense) -> np.ndarray:
    """From 0 to 1, how natural it is to say that there is nothing called so; shape (names,).

    Args:
        own: what the caption names.
        said: all that is known of the image.
    """
    return trees.load(TREES).predict([signs(name, own, said, sense) for name in names]) if names else np.zeros(0)


def signs(name: str, own: Sequence[str], said: frozenset[str], sense: Sense) -> list[float]:
    """The :data:`SIGNS`; of all that the caption names, that which the thing goes with best."""
    together = [sense.scenes.together(name, other) for other in own]
    size, *sizes = map(things.size_sign, (name, *own))
    sizes = [each for each in sizes if each != things.UNKNOWN]
    made = [
        *(sense.scenes.fit(name, around) for around in (said - {name}, frozenset(own))),
        things.at_home(name, frozenset(own)),
        *(min(together), sum(together) / len(together), max(together)),
        *(max(sense.weighed("relation", relation, (name, other)) for other in own) for relation in WHERE),
        *(max(sense.weighed("relation", relation, (other, name)) for other in own) for relation in WHOSE),
        *(zipf(name), size, min(sizes, default=things.UNKNOWN), max(sizes, default=things.UNKNOWN)),
        *map(float, word_vectors.of(name)[:MEANING]),
    ]
    return [round(sign, trees.DIGITS) for sign in made]
