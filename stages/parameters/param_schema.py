"""What :mod:`stages.parameters.sections` is made of: the base of a section, and types with a description for error messages."""

import os
import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import extractOne

Faults = Iterator[tuple[str, str, str]]
"""Key within the section ("" is the section itself), the fault, the remedy."""


class Keys(BaseModel):
    """Keys with their values, exactly of the declared types."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False, protected_namespaces=())

    def faults(self) -> Faults:
        """Yield faults of values that are valid only each by itself."""
        yield from ()


class Section(Keys):
    """A section of ``params.yaml``."""

    section: ClassVar[str] = ""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.section = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()


SEED_BOUND = 1 << 63
MANY = 10**12
"""More than any data set has."""
THREADS = 4 * (os.cpu_count() or 1)
"""More processes or threads than this only do harm."""


def whole(least: int, most: int = MANY) -> Any:
    """Return a whole number from ``least`` to ``most``."""
    return Field(ge=least, le=most, description=f"a whole number from {least} to {most}")


def number(least: float, most: float = 1e9) -> Any:
    """Return a number from ``least`` to ``most``."""
    return Field(ge=least, le=most, description=f"a number from {least:g} to {most:g}")


def above(least: float, most: float = 1e9) -> Any:
    """Return a number greater than ``least`` and at most ``most``."""
    return Field(gt=least, le=most, description=f"a number above {least:g}, up to {most:g}")


def seed() -> Any:
    return Field(ge=-SEED_BOUND, lt=SEED_BOUND, description="a whole number of at most 64 bits")


def threads() -> Any:
    return Field(ge=1, le=THREADS, description=f"a whole number from 1 to {THREADS}, four times this machine's cores")


def device() -> Any:
    return Field(pattern=r"^(auto|cpu|cuda(:\d+)?)$", description="one of cpu, cuda, auto")


def text() -> Any:
    """Return a text, which may be empty."""
    return Field(max_length=4096, description="a text of one line")


def name(default: Any = ...) -> Any:
    """Return a name or a path: one line that is not empty."""
    return Field(default, min_length=1, max_length=4096, description="a name in one line, without single quotes")


def keys(what: str) -> Any:
    return Field(description=what)


def asked(field: FieldInfo) -> str | None:
    """Return a description of a parameter's allowed values: its type's, if that has one."""
    if get_origin(field.annotation) is Literal:
        return f"one of {', '.join(get_args(field.annotation))}"
    return "true or false" if field.annotation in (bool, bool | None) else field.description


def nearest(wrong: Any, names: Iterable[str], otherwise: str) -> str:
    """Return the remedy for an unknown name: the nearest known one, or what to do ``otherwise``."""
    names = list(names)
    near = extractOne(str(wrong), names, scorer=ratio, processor=str.casefold, score_cutoff=60)
    return f"write {near[0]}, if you mean that, or {otherwise}" if near else f"{otherwise}; known are {', '.join(names)}"


def _one_line(value: str) -> str:
    if value != value.strip() or not value.isprintable() or "'" in value:
        raise ValueError("it has a line break, another invisible character, a space at an end, or a single quote")
    if value == "~" or re.match("(local-dir:)?~[^/]*/", value):
        raise ValueError("~ is not expanded here; write the path of the home folder")
    return value


def _memory(value: str) -> str:
    if not re.fullmatch(r"\d{1,6}(\.\d{1,3})? ?[KMGT]i?B", value):
        raise ValueError("it is not a size")
    return value


Line = Annotated[str, AfterValidator(_one_line)]
Memory = Annotated[str, AfterValidator(_memory)]
