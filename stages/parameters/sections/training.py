"""Parameters of training."""

from typing import Annotated, Literal

from pydantic import Field

from stages.parameters.param_schema import Faults, Keys, Line, Section, above, device, name, number, seed, threads, whole


class MineNegatives(Section):
    texts: int = whole(1, 1000)
    neighbours: int = whole(1, 1000)
    features: Line = name()
    seed: int = seed()
    piece: int = whole(1, 10**6)


class PairsFrom(Keys):
    """``train.pairs``."""

    path: Line = name()
    format: Literal["sample", "webdataset", "tsv", "csv", "jsonl", "json", "parquet"]
    caption: Line | Annotated[int, Field(ge=0, le=100_000)] = Field(description="a column's name, or its number from 0 on")
    image: Line | Annotated[int, Field(ge=0, le=100_000)] = Field(description="a column's name, or its number from 0 on")
    header: bool
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
    spawn: Literal["text", "vision", "alternately"]
    distillation: Literal["teacher", "contrastive"]
    codebook: bool
    freeze_codebook: bool


class Train(Section):
    method: Literal["clip", "negclip", "codebook", "iterated"]
    start: Line = name()
    architecture: Line = name()
    corpus: Line = name()
    pairs: PairsFrom
    without_negatives: Literal["keep", "drop"]
    seed: int = seed()
    threads: int = threads()
    device: Line = device()
    precision: Literal["fp32", "bf16", "auto"]
    memory: float = number(0)
    steps: int = whole(1, 10**8)
    batch: int = whole(2, 65_536)
    shift: int = whole(0, 1000)
    learning_rate: float = above(0, 10)
    muon: float = number(0, 10)
    warm_up: int = whole(0)
    weight_decay: float = number(0, 10)
    grad_clip_norm: float = number(0)
    logit_scale: float = above(0, 100)
    spectral_norm: bool
    checkpoint: int = whole(1)
    codebook: CodebookOf
    iterated: Iterated

    def faults(self) -> Faults:
        if self.method == "negclip" and self.batch < 4:
            yield "batch", f"is {self.batch}", "give at least 4, because half of a batch are neighbours of the other half"
        cycle = self.iterated
        least = cycle.warm_up + cycle.distil + cycle.interact + cycle.last
        if self.method == "iterated" and self.steps < least:
            wrong = f"is {self.steps}, and iterated learning needs {least} for its first new agent"
            yield "steps", wrong, "raise it, or lower warm_up, distil, interact or last of train.iterated"
