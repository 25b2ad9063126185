"""The base of every section of ``params.yaml``."""

import re
from collections.abc import Iterator
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

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
    replaced: ClassVar[dict[str, str]] = {}
    """Keys of older versions, with their replacements."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.section = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()
