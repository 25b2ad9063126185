"""What ``params.yaml`` may say: a class a section, a line a parameter with its kind and its bounds; a file here for what
belongs together.

A parameter is added by one line in its section's class, ``folds: int = whole(1, 1000)``, and by its key in ``params.yaml`` with a
comment above it. Every key must be there, none is filled in; a key that no class knows is an error. A section's name in
``params.yaml`` is its class's in small letters (``GenHnAtom`` is ``gen_hn_atom``); a stage reads it by ``params.load(GenHnAtom)``
and finds its values as attributes. What hangs on several keys together is said in a method ``faults``.

Whether what a section names is there (a model, a training set, a file) is asked by :mod:`stages.parameters.references`.
"""

# ruff: noqa: F401 - whoever reads a section imports it from here

from __future__ import annotations

from stages.parameters.sections.evaluation import (
    SUITES,
    AnyPreset,
    Audit,
    BlindModel,
    Checkpoint,
    Evaluate,
    Generative,
    Models,
    OpenClip,
    Preset,
    Report,
    Sheet,
    Suite,
)
from stages.parameters.sections.graphs import Crop, FilterVg, Language, ParseTrain, ReadCaptions, SceneGraphs, Split, WalkSubgraphs
from stages.parameters.sections.inputs import Run, Sample, TrainingSet, TrainingSets, VisualGenome
from stages.parameters.sections.negatives import (
    Entailment,
    Foils,
    GenAro,
    GenHnAtom,
    GenHnComp,
    GenHnProd,
    GenOrder,
    MaxTrue,
    Plausibility,
    Sense,
)
from stages.parameters.sections.section import Keys, Section
from stages.parameters.sections.training import CodebookOf, Iterated, MineNegatives, PairsFrom, Train
from stages.parameters.sections.writing import Caption, LanguageModel

SECTIONS: dict[str, type[Section] | type[TrainingSets] | type[Models]] = {
    **{kind.section: kind for kind in Section.__subclasses__()},
    **{"training_sets": TrainingSets, "models": Models},
}
"""Every section by its name in ``params.yaml``."""
