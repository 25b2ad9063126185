"""What ``params.yaml`` may say: a class a section, a line a parameter with its kind and its bounds.

A parameter is added by one line in its section's class, ``folds: int = whole(1, 1000)``, and by its key in ``params.yaml`` with a
comment above it. Every key must be there, none is filled in; a key that no class knows is an error. A section's name in
``params.yaml`` is its class's in small letters (``GenHnAtom`` is ``gen_hn_atom``); a stage reads it by ``params.load(GenHnAtom)``
and finds its values as attributes. What hangs on several keys together is said in a method ``faults``.

Which *names* exist (of a model, a device, a suite) is said where they are used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from stages.parameters.kinds import MANY, Line, Memory, above, choice, keys, name, number, seed, switch, text, threads, whole

SET_NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"

Faults = Iterator[tuple[str, str, str]]
"""Key within the section ("" is the section itself), what is wrong, the remedy."""


# --- Sections ----


class Keys(BaseModel):
    """Keys with their values, of exactly the kinds that are declared."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False, protected_namespaces=())

    def faults(self) -> Faults:
        """What is wrong with values that are right each for itself."""
        yield from ()


class Section(Keys):
    """A section of ``params.yaml``."""

    section: ClassVar[str] = ""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.section = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()


class Run(Section):
    workers: int = threads()
    memory: Memory = Field(description="a size of memory such as 2GB")
    runner: Line = name()


class Sample(Section):
    seed: int = seed()
    images: int = whole(1, 10**7)
    regions: int = whole(1, 1000)
    training_images: int = whole(1, 10**8)
    web_faults: float = number(0, 100)


class TrainingSet(Keys):
    """One of ``training_sets``. A key that its format has no use for is an error."""

    path: Line = name()
    format: Literal["tsv", "csv", "jsonl", "json", "parquet", "txt"] = choice("tsv", "csv", "jsonl", "json", "parquet", "txt")
    column: Line | Annotated[int, Field(ge=0, le=100_000)] | None = Field(
        None, description="the column's name, or its number from 0 on where there is no header"
    )
    header: bool | None = Field(None, description="true or false")

    def faults(self) -> Faults:
        known = {"txt": (), "tsv": ("column", "header"), "csv": ("column", "header")}.get(self.format, ("column",))
        for key in ("column", "header"):
            if getattr(self, key) is None and key in known:
                yield key, "is missing", f"add it, a file of the format {self.format} needs it"
            if key in self.model_fields_set and key not in known:
                yield key, f"means nothing where the format is {self.format}", "take it out"


class TrainingSets(RootModel[dict[str, TrainingSet]]):
    """The section ``training_sets``: by names that become names of files and of stages."""

    section: ClassVar[str] = "training_sets"
    model_config = ConfigDict(strict=True, frozen=True)

    def folders(self, parent: Path) -> list[Path]:
        """Each training set's own folder below ``parent``, in the order of their names, and no other's."""
        return [parent / name for name in sorted(self.root)]

    def tables(self, parent: Path) -> list[Path]:
        """Each training set's own table in ``parent``, likewise."""
        return [parent / f"{name}.parquet" for name in sorted(self.root)]

    def faults(self) -> Faults:
        if not self.root:
            yield "", "names no training set", "name at least one, for seen and unseen are reckoned from them"
        for key, training_set in self.root.items():
            if not re.fullmatch(SET_NAME, key) or key in ("own", "none"):
                wrong = f"{key[:80]!r} cannot be a training set's name, which becomes part of names of files"
                yield "", wrong, "use letters, digits, - and _, up to 64, and neither own nor none"
            yield from ((f"{key}.{inner}", wrong, remedy) for inner, wrong, remedy in training_set.faults())


class VisualGenome(Section):
    annotations: Line = name()
    images: Line = name()


class Crop(Section):
    min_area: int = whole(0)
    min_share: float = number(0, 1)
    min_ratio: float = number(0)
    max_ratio: float = number(0)

    def faults(self) -> Faults:
        if self.min_ratio > self.max_ratio:
            yield "min_ratio", f"is {self.min_ratio}, above max_ratio", "no crop can be both; lower it or raise max_ratio"


class Language(Section):
    pipeline: Line = name()
    parser: Line = name()
    conventions: Literal["names", "none", "factual"] = choice("names", "none", "factual")
    parser_options: dict[str, Any] = keys("keys with their values, as the parser that is plugged in knows them")

    def faults(self) -> Faults:
        try:
            json.dumps(self.parser_options)
        except (ValueError, TypeError, RecursionError) as error:
            yield "parser_options", f"cannot be written as JSON ({error})", "give texts, numbers, lists and keys with their values"


class ParseTrain(Section):
    min_words: int = whole(0, 100_000)
    max_words: int = whole(1, 100_000)
    max_lines: int = whole(1, 100_000)
    shard: int = whole(1, 10**7)
    keep_graphs: bool | int = Field(ge=0, le=MANY, description="true, false, or how many: a whole number of at least 0")
    rejects_per_reason: int = whole(0)

    def faults(self) -> Faults:
        if self.min_words > self.max_words:
            yield "min_words", f"is {self.min_words}, above max_words", "no caption can be both; lower it or raise max_words"


class WalkSubgraphs(Section):
    seed: int = seed()
    complexities: list[Annotated[int, Field(ge=1, le=1000)]] = Field(
        min_length=1, max_length=1000, description="a list of different whole numbers from 1 to 1000"
    )
    per_complexity: int = whole(0)
    per_image: int = whole(1, 10_000)
    tries: int = whole(1, 10_000)
    one_relation_a_pair: bool = switch()
    most_attributes: int = whole(0, 1000)
    max_overlap: float = number(0, 1)

    def faults(self) -> Faults:
        if len(set(self.complexities)) < len(self.complexities):
            yield "complexities", "has a number twice", "give a list of different whole numbers"


class SceneGraphs(Section):
    same_object: float = number(0, 1)
    piece: int = whole(1, 10**6)
    rejects_per_reason: int = whole(0)


class GenAro(Section):
    min_side: float = number(0, 1)
    per_image: int = whole(1)
    seed: int = seed()
    rejects_per_reason: int = whole(0)


class GenOrder(Section):
    captions: Line = name()
    images_in: Line = name()
    split: Line = text()
    images: int = whole(0)
    max_words: int = whole(2, 1000)
    seed: int = seed()
    retrieval_images: int = whole(0)
    retrieval_seeds: int = whole(1, 100)


class FilterVg(Section):
    seed: int = seed()
    min_atoms: int = whole(0, 1000)
    min_compounds: int = whole(0, 1000)
    facts: Literal["all", "queries"] = choice("all", "queries")
    piece: int = whole(1, 10**6)
    rejects_per_reason: int = whole(0)


class Split(Section):
    min_count: int = whole(1)


class Suite(Keys):
    folder: Line = name()
    images: Line | None = Field(None, min_length=1, max_length=4096, description="a name in one line, without single quotes")
    missing: Literal["stop", "leave_out"] = Field("stop", description="one of stop, leave_out")


class BlindModel(Keys):
    kind: Literal["causal", "masked", "grammar", "vera"] = choice("causal", "masked", "grammar", "vera")
    checkpoint: Line = name()


class Evaluate(Section):
    model: Line = name()
    checkpoints: Line = name()
    training_set: Line = name()
    suites_folder: Line = name()
    suites: dict[Line, Suite] = keys("suites by their names, as {official: {folder: PATH}}")
    folds: int = whole(1, 10_000)
    seed: int = seed()
    strata: int = whole(1, 1000)
    blind_captions: int = whole(0)
    blind_models: dict[Line, BlindModel] = keys("models by names of one's own, as {gpt2: {kind: causal, checkpoint: NAME}}")
    device: Line = name()
    precision: Literal["fp32", "bf16", "fp16", "auto"] = choice("fp32", "bf16", "fp16", "auto")
    threads: int = threads()
    batch: int = whole(1, 65_536)
    text_batch_tokens: int = whole(1, 10**7)


class MineNegatives(Section):
    texts: int = whole(1, 1000)
    neighbours: int = whole(1, 1000)
    features: Line = name()
    seed: int = seed()
    piece: int = whole(1, 10**6)


class PairsFrom(Keys):
    """``train.pairs``."""

    path: Line = name()
    format: Literal["sample", "webdataset", "tsv", "csv", "jsonl", "json", "parquet"] = choice(
        "sample", "webdataset", "tsv", "csv", "jsonl", "json", "parquet"
    )
    caption: Line | Annotated[int, Field(ge=0, le=100_000)] = Field(description="a column's name, or its number from 0 on")
    image: Line | Annotated[int, Field(ge=0, le=100_000)] = Field(description="a column's name, or its number from 0 on")
    header: bool = switch()
    images: Line = name()


class CodebookOf(Keys):
    """``train.codebook``."""

    codes: int = whole(2, 10**7)
    width: int = whole(1, 65_536)
    temperature: float = above(0, 1000)


class Iterated(Keys):
    """``train.iterated``."""

    warm_up: int = whole(0)
    distil: int = whole(0)
    interact: int = whole(1)
    last: int = whole(0)
    spawn: Literal["text", "vision", "alternately"] = choice("text", "vision", "alternately")
    distillation: Literal["teacher", "contrastive"] = choice("teacher", "contrastive")
    codebook: bool = switch()
    freeze_codebook: bool = switch()


class Train(Section):
    method: Literal["clip", "negclip", "codebook", "iterated"] = choice("clip", "negclip", "codebook", "iterated")
    start: Line = name()
    architecture: Line = name()
    corpus: Line = name()
    pairs: PairsFrom
    without_negatives: Literal["keep", "drop"] = choice("keep", "drop")
    seed: int = seed()
    threads: int = threads()
    device: Line = name()
    precision: Literal["fp32", "bf16", "auto"] = choice("fp32", "bf16", "auto")
    memory: float = number(0)
    steps: int = whole(1, 10**8)
    batch: int = whole(2, 65_536)
    shift: int = whole(0, 1000)
    learning_rate: float = above(0, 10)
    muon: float = number(0, 10)
    warm_up: int = whole(0)
    weight_decay: float = number(0, 10)
    logit_scale: float = above(0, 100)
    spectral_norm: bool = switch()
    checkpoint: int = whole(1)
    codebook: CodebookOf
    iterated: Iterated

    def faults(self) -> Faults:
        if self.method == "negclip" and self.batch < 4:
            yield "batch", f"is {self.batch}", "give at least 4, for half of a batch are the neighbours of the other half"


class Audit(Section):
    grammar_queries: int = whole(0)
    seed: int = seed()


class Sheet(Section):
    queries: float = above(0, 1)
    captions: float = above(0, 1)
    seed: int = seed()


class Preset(Keys):
    """A model of ``models``: how it is loaded. Each family knows keys of its own."""

    family: Line = name()
    trained_on: Line | None = Field(None, description="the name of a training set, or a JSON file that names it")


class OpenClip(Preset):
    family: Literal["open_clip"] = choice("open_clip")
    architecture: Line = name()
    pretrained: Line | None = Field(None, description="a tag of open_clip, or a checkpoint file")

    def faults(self) -> Faults:
        whole_model = self.architecture.startswith(("local-dir:", "hf-hub:"))
        if whole_model and self.pretrained is not None:
            yield "pretrained", f"means nothing beside {self.architecture}, which has its own weights", "take one of the two out"
        if not whole_model and self.pretrained is None:
            yield (
                "pretrained",
                "is missing",
                "name a tag of open_clip or a checkpoint file, or its weights are drawn at random",
            )


class Checkpoint(Preset):
    family: Literal["dual", "matching"] = choice("dual", "matching")
    checkpoint: Line = name()


class Generative(Preset):
    family: Literal["generative"] = choice("generative")
    checkpoint: Line = name()
    alpha: float = number(0, 10)


AnyPreset = Annotated[OpenClip | Checkpoint | Generative, Field(discriminator="family")]


class Models(RootModel[dict[Line, AnyPreset]]):
    """The section ``models``: presets by their names."""

    section: ClassVar[str] = "models"
    model_config = ConfigDict(strict=True, frozen=True)

    def faults(self) -> Faults:
        for key, preset in self.root.items():
            yield from ((f"{key}.{inner}", wrong, remedy) for inner, wrong, remedy in preset.faults())


class LanguageModel(Keys):
    """``caption.llm``."""

    base_url: Line = text()
    model: Line = text()
    key_variable: Line = name()
    temperature: float = number(0, 10)
    max_tokens: int = whole(1, 10**6)
    timeout: float = above(0, 86_400)
    attempts: int = whole(1, 1000)
    first_pause: float = number(0, 3600)
    parallel: int = whole(1, 1000)
    max_requests: int = whole(0)
    max_tokens_in_all: int = whole(0)


class Caption(Section):
    seed: int = seed()
    template_up_to: int = whole(0, 1000)
    writer: Literal["realiser", "llm"] = choice("realiser", "llm")
    llm: LanguageModel


class Report(Section):
    gallery: int = whole(0, 10**6)
    seed: int = seed()
    crop_size: int = whole(1, 4096)
    machine_spread: float = number(0, 100)


class Plausibility(Keys):
    """``foils.plausibility``."""

    model: Line = name()
    max_captions: int = whole(0)
    batch_tokens: int = whole(1, 10**7)
    device: Line = name()


class Sense(Keys):
    """``foils.sense``."""

    floor: float = number(0, 1000)
    max_compounds: int = whole(0)


class MaxTrue(Keys):
    """``foils.max_true``."""

    balanced: float = number(0, 1)
    paper: float = number(0, 1)


class Foils(Section):
    selection: Literal["paper", "balanced"] = choice("paper", "balanced")
    seed: int = seed()
    min_training_count: int = whole(0)
    min_zipf: float = number(0, 10)
    max_foils: int = whole(1, 10**6)
    plausibility: Plausibility
    sense: Sense
    max_true: MaxTrue
    piece: int = whole(1, 10**6)


class GenHnAtom(Section):
    negatives: int = whole(1, 100)


class GenHnComp(Section):
    negatives: int = whole(1, 100)
    max_pairs: int = whole(1, 10**6)


class Entailment(Keys):
    """``gen_hn_prod.entailment``."""

    model: Line = name()
    threshold: float = number(0, 1)
    batch_tokens: int = whole(1, 10**7)
    device: Line = name()


class GenHnProd(Section):
    negatives: int = whole(1, 100)
    max_foils: int = whole(1, 10**6)
    entailment: Entailment
    rejects_per_set: int = whole(0)


SECTIONS: dict[str, type[Section] | type[TrainingSets] | type[Models]] = {
    **{kind.section: kind for kind in Section.__subclasses__()},
    **{"training_sets": TrainingSets, "models": Models},
}
"""Every section by its name in ``params.yaml``."""
