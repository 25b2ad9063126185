"""What ``params.yaml`` may say: a class a section, a line a parameter with its kind and its bounds; a file here for what
belongs together.

A parameter is added by one line in its section's class, ``folds: int = whole(1, 1000)``, and by its key in ``params.yaml`` with a
comment above it. Every key must be there, none is filled in; a key that no class knows is an error. A section's name in
``params.yaml`` is its class's in small letters (``GenHnAtom`` is ``gen_hn_atom``); a stage reads it by ``params.load(GenHnAtom)``
and finds its values as attributes. What hangs on several keys together is said in a method ``faults``.

Whether what a section names is there (a model, a training set, a file) is asked by :mod:`stages.parameters.references`.
"""

# ruff: noqa: F403, F405 - code that reads a section imports it from here

from stages.parameters.sections.evaluation import *
from stages.parameters.sections.graphs import *
from stages.parameters.sections.inputs import *
from stages.parameters.sections.negatives import *
from stages.parameters.sections.section import *
from stages.parameters.sections.training import *
from stages.parameters.sections.writing import *

SECTIONS: dict[str, type[Section] | type[TrainingSets] | type[Models]] = {
    **{kind.section: kind for kind in Section.__subclasses__()},
    **{"training_sets": TrainingSets, "models": Models},
}
"""Every section by its name in ``params.yaml``."""
