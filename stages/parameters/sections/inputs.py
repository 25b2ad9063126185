"""Parameters of the machine and of the inputs: the sample, training sets, Visual Genome."""

import re
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, RootModel

from stages.parameters.param_schema import Faults, Keys, Line, Memory, Section, name, number, seed, threads, whole

SET_NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"


class Run(Section):
    workers: int = threads()
    memory: Memory = Field(description="a size of memory such as 2GB")
    runner: Literal["local", "ray"]
    most_dropped: float = number(0, 1)


CORPORA = ("cc12m", "yfcc15m", "laion400m")
"""The training corpora of the sample."""


class Sample(Section):
    seed: int = seed()
    images: int = whole(1, 10**7)
    regions: int = whole(1, 1000)
    training_images: int = whole(1, 10**8)
    web_faults: float = number(0, 100)


class TrainingSet(Keys):
    """One of ``training_sets``. A key that its format does not use is an error."""

    path: Line = name()
    format: Literal["tsv", "csv", "jsonl", "json", "parquet", "txt", "webdataset"]
    column: Line | Annotated[int, Field(ge=0, le=100_000)] | None = Field(
        None, description="the column's name, or its number from 0 on where there is no header"
    )
    header: bool | None = None

    def faults(self) -> Faults:
        known = {"txt": (), "tsv": ("column", "header"), "csv": ("column", "header")}.get(self.format, ("column",))
        for key in ("column", "header"):
            if getattr(self, key) is None and key in known and self.format != "webdataset":
                yield key, "is missing", f"add it: a file of the format {self.format} needs it"
            if key in self.model_fields_set and key not in known:
                yield key, f"means nothing where the format is {self.format}", "remove it"


class TrainingSets(RootModel[dict[str, TrainingSet]]):
    """The section ``training_sets``, by names that are also names of files and of stages."""

    section: ClassVar[str] = "training_sets"
    model_config = ConfigDict(strict=True, frozen=True)

    def folders(self, parent: Path) -> list[Path]:
        """Return each named training set's own folder below ``parent``, in the order of names."""
        return [parent / name for name in sorted(self.root)]

    def tables(self, parent: Path) -> list[Path]:
        """Return each named training set's own table in ``parent``, in the order of names."""
        return [parent / f"{name}.parquet" for name in sorted(self.root)]

    def faults(self) -> Faults:
        if not self.root:
            yield "", "names no training set", "name at least one, because seen and unseen depend on them"
        for key, training_set in self.root.items():
            if not re.fullmatch(SET_NAME, key) or key in ("own", "none"):
                wrong = f"{key[:80]!r} cannot be a training set's name, which becomes part of names of files"
                yield "", wrong, "use letters, digits, - and _, up to 64, and neither own nor none"
            if same := [other for other in self.root if other != key and other.lower() == key.lower()]:
                wrong = f"{key!r} and {same[0]!r} differ in capitals only, which file names on macOS do not distinguish"
                yield "", wrong, "rename one of them"
            yield from ((f"{key}.{inner}", wrong, remedy) for inner, wrong, remedy in training_set.faults())


class VisualGenome(Section):
    annotations: Line = name()
    format: Literal["visual_genome", "gqa", "psg"]
    images: Line = name()
    boxes: Literal["xywh", "xyxy", "relative_xywh", "relative_xyxy"]
