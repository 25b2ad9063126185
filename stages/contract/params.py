"""Reading ``params.yaml`` as DVC reads it: YAML 1.2, where ``on`` and ``off`` are words and not truth values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from stages.contract.errors import ParameterError


def load(section: str, path: str | Path = "params.yaml") -> dict[str, Any]:
    """One top-level section of the parameters as plain dictionaries and lists.

    Raises:
        ParameterError: the file or the section is missing.
    """
    try:
        everything = YAML(typ="safe", pure=True).load(Path(path))
    except FileNotFoundError:
        raise ParameterError(section, "there is no params.yaml here", "run the stage in the project's folder") from None
    if section not in (everything or {}):
        raise ParameterError(section, "is missing", f"add a section {section}, as the project's own params.yaml has it")
    return everything[section]
