"""What every section of ``params.yaml`` is."""

import re
from collections.abc import Iterator
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

Faults = Iterator[tuple[str, str, str]]
"""Key within the section ("" is the section itself), what is wrong, the remedy."""


class Keys(BaseModel):
    """Keys with their values, of exactly the kinds that are declared."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False, protected_namespaces=())

    def faults(self) -> Faults:
        """What is wrong with values that are right each for itself."""
        yield from ()


class Section(Keys):
    """A section of ``params.yaml``."""

    section: ClassVar[str] = ""
    replaced: ClassVar[dict[str, str]] = {}
    """Keys of older versions, each with what replaced it."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.section = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()
