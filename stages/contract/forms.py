"""The forms of JSON files that a stage writes and another reads: the keys that are needed, and the types of their values."""

from pathlib import Path
from types import GenericAlias
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from stages.contract.errors import InputError

KINDS = ("float", "str")
SHOWN = 40
"""Number of letters of a wrong value that a message shows."""


def form(further: Any, /, **keys: Any) -> Any:
    """Return the form of a mapping with these ``keys``, each with its type; the values of ``further`` keys have one type.

    A key may be missing whose type comes in a pair with a default.
    """

    class Mapping(BaseModel):
        model_config = ConfigDict(strict=True, extra="allow")
        __pydantic_extra__: dict[str, further] = Field(init=False)  # type: ignore[valid-type]

    fields: dict[str, Any] = {key: kind if isinstance(kind, tuple) else (kind, ...) for key, kind in keys.items()}
    return create_model("Form", __base__=Mapping, **fields)


def maybe(kind: Any) -> Any:
    """Return the type of a key that may be missing or ``None``."""
    return kind | None, None


def by_name(kind: Any) -> Any:
    """Return the type of a mapping from names to values of one ``kind``."""
    return GenericAlias(dict, (str, kind))


def checked(found: Any, name: str | Path, remedy: str, of: Any) -> dict[str, Any]:
    """Return ``found``, which was read from ``name``, if it has the form ``of``.

    Raises:
        InputError: it has another form; with the first key that is missing or has another value, and the ``remedy``.
    """
    try:
        of.model_validate(found)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        # The last part of a place may be the kind of value that was tried.
        key = ".".join(str(part) for part in first["loc"] if part not in KINDS)
        says = first["msg"].partition(" or instance")[0].lower().replace("valid dictionary", "mapping")
        wrong = f"{key or 'all of it'} is {repr(first['input'])[:SHOWN]}: {says}"
        raise InputError(name, f"has no key {key}" if first["type"] == "missing" else wrong, remedy) from None
    mapping: dict[str, Any] = found
    return mapping
