"""Parameters of models, of their evaluation, and of the report."""

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, RootModel, model_validator

from stages.parameters.param_schema import (
    Faults,
    Keys,
    Line,
    Section,
    above,
    device,
    keys,
    name,
    nearest,
    number,
    seed,
    threads,
    whole,
)


class Preset(Keys):
    """A model of ``models``: how it is loaded. Each family has its own keys."""

    family: Line = name()
    trained_on: Line | None = Field(None, description="the name of a training set, or a JSON file that names it")

    @property
    def weights(self) -> list[str]:
        """Return the places of its weights: paths, or names of downloads."""
        return [self.checkpoint] if hasattr(self, "checkpoint") else []


class OpenClip(Preset):
    family: Literal["open_clip"]
    architecture: Line = name()
    pretrained: Line | None = Field(None, description="a tag of open_clip, or a checkpoint file")

    @property
    def weights(self) -> list[str]:
        return [name.removeprefix("local-dir:") for name in (self.pretrained, self.architecture) if name]

    def faults(self) -> Faults:
        whole_model = self.architecture.startswith(("local-dir:", "hf-hub:"))
        if whole_model and self.pretrained is not None:
            yield "pretrained", f"means nothing with {self.architecture}, which has its own weights", "remove one of the two"
        if not whole_model and self.pretrained is None:
            yield "pretrained", "is missing", "name a tag of open_clip or a checkpoint file: otherwise weights are random"


class Checkpoint(Preset):
    family: Literal["dual", "matching"]
    checkpoint: Line = name()


class Generative(Preset):
    family: Literal["generative"]
    checkpoint: Line = name()
    alpha: float = number(0, 10)


class Chat(Preset):
    """A multimodal language model."""

    family: Literal["chat"]
    checkpoint: Line = name()
    form: Literal["p_yes", "p_yes_of_both", "caption"]
    question: Line = name()
    alpha: float = Field(0.0, ge=0, le=10, description="a number from 0 to 10")

    def faults(self) -> Faults:
        asks = self.form != "caption"
        if asks != ("{caption}" in self.question):
            where = "does not contain {caption}" if asks else "contains {caption}, which would give the answer away"
            yield "question", f"{where}, but form is {self.form}", "correct the question, or the form"


class Embedder(Preset):
    """An encoder, or a reranker, of sentence-transformers."""

    family: Literal["embedder"]
    checkpoint: Line = name()
    reranker: bool = False


class Scores(Preset):
    """Scores that another program has written."""

    family: Literal["scores"]
    file: Line = name()

    @property
    def weights(self) -> list[str]:
        return [self.file]


AnyPreset = Annotated[OpenClip | Checkpoint | Generative | Chat | Embedder | Scores, Field(discriminator="family")]


NO_MODEL = ("none", "pixels")
"""Values of ``train.start`` and ``mine_negatives.features`` that are no models. Stages depend on the entry of ``models`` that they
use, so DVC needs one for each."""


class Models(RootModel[dict[Line, AnyPreset]]):
    """The section ``models``: presets by their names, without the empty entries of :data:`NO_MODEL`."""

    section: ClassVar[str] = "models"
    model_config = ConfigDict(strict=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _presets(cls, values: Any) -> Any:
        return {key: value for key, value in values.items() if key not in NO_MODEL or value} if isinstance(values, dict) else values

    def faults(self) -> Faults:
        for key, preset in self.root.items():
            if "." in key:
                yield key, "has a dot, where DVC begins a new key", f"write {key.replace('.', '_')}"
            yield from ((f"{key}.{inner}", wrong, remedy) for inner, wrong, remedy in preset.faults())


SUITES = ["official", "aro", "bivlc", "cola", "colorswap", "eqben", "mmvp", "naturalbench", "negbench", "sugarcrepe"]
SUITES += ["sugarcrepe_pp", "svo_probes", "valse", "vl_checklist", "vsr", "whatsup", "winoground"]
"""The names that ``evaluate.suites`` may have, each a file in ``stages/suites``."""


class Suite(Keys):
    folder: Line = name()
    images: Line | None = name(None)
    weights: Line | None = name(None)
    missing: Literal["stop", "leave_out"] = "stop"


class ShortcutModel(Keys):
    kind: Literal["causal", "masked", "grammar", "vera"]
    checkpoint: Line = name()


class Evaluate(Section):
    model: Line = name()
    checkpoints: Line = name()
    training_set: Line = name()
    suites_folder: Line = name()
    missing: Literal["stop", "leave_out"]
    suites: dict[Line, Suite] = keys("suites by their names, as {official: {folder: PATH}}")
    folds: int = whole(1, 10_000)
    seed: int = seed()
    strata: int = whole(1, 1000)
    shortcut_captions: int = whole(0)
    shortcut_models: dict[Line, ShortcutModel] = keys("models by names of your choice, as {gpt2: {kind: causal, checkpoint: NAME}}")
    device: Line = device()
    precision: Literal["fp32", "bf16", "fp16", "auto"]
    threads: int = threads()
    batch: int = whole(1, 65_536)
    text_batch_tokens: int = whole(1, 10**7)

    def faults(self) -> Faults:
        for key, places in self.suites.items():
            if key not in SUITES:
                yield f"suites.{key}", "there is no such suite", nearest(key, SUITES, "remove it")
            for inner, place in (("folder", places.folder), ("images", places.images), ("weights", places.weights)):
                if place and not Path(place).resolve().is_relative_to(Path(self.suites_folder).resolve()):
                    wrong = f"{place} is not below evaluate.suites_folder, so a change of its files would go unnoticed"
                    yield f"suites.{key}.{inner}", wrong, "name the folder of all suites there"


class Audit(Section):
    grammar_queries: int = whole(0)
    seed: int = seed()


class Sheet(Section):
    queries: float = above(0, 1)
    captions: float = above(0, 1)
    seed: int = seed()


class Report(Section):
    gallery: int = whole(0, 10**6)
    seed: int = seed()
    crop_size: int = whole(1, 4096)
    machine_spread: float = number(0, 100)
