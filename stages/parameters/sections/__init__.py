"""The schema of ``params.yaml``: a class for each section, a line for each parameter with its type and bounds; a file for related
sections.

A parameter is added by one line in its section's class, ``folds: int = whole(1, 1000)``, and by its key in ``params.yaml`` with a
comment above it. Every key must be present, none has a default; an unknown key is an error. A section's name in
``params.yaml`` is its class's in lower case (``GenHnAtom`` is ``gen_hn_atom``); a stage reads it by ``params.load(GenHnAtom)``
and finds its values as attributes. A method ``faults`` checks several keys together.

Whether the things a section names exist (a model, a training set, a file) is checked by :mod:`stages.parameters.references`.
"""

# ruff: noqa: F403, F405 - code that reads a section imports it from here

from stages.parameters.param_schema import Section
from stages.parameters.sections.evaluation import *
from stages.parameters.sections.graphs import *
from stages.parameters.sections.inputs import *
from stages.parameters.sections.negatives import *
from stages.parameters.sections.training import *

SECTIONS: dict[str, type[Section] | type[TrainingSets] | type[Models]] = {
    **{kind.section: kind for kind in Section.__subclasses__()},
    **{"training_sets": TrainingSets, "models": Models},
}
"""Every section by its name in ``params.yaml``."""
