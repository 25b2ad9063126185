"""Reading ``params.yaml`` as DVC reads it: YAML 1.2, where ``on`` and ``off`` are words and not truth values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from stages.contract.errors import InputError, ParameterError
from stages.contract.param_schema import KINDS


class Section(dict[str, Any]):
    """A section of the parameters: a dictionary that names the key it lacks.

    Raises:
        ParameterError: of ``section["key"]``, where there is no such key.
    """

    def __init__(self, name: str, values: dict[str, Any]):
        deeper = {key: Section(f"{name}.{key}", value) if isinstance(value, dict) else value for key, value in values.items()}
        super().__init__(deeper)
        self.name = name

    def __missing__(self, key: str) -> Any:
        raise ParameterError(f"{self.name}.{key}", "is missing", "add it, as the project's own params.yaml has it")

    def __reduce__(self) -> tuple:
        return Section, (self.name, dict(self))


def load(section: str, path: str | Path = "params.yaml") -> Section:
    """One top-level section of the parameters as plain dictionaries and lists.

    Raises:
        ParameterError: the file, the section or a key that is asked for is missing, or a value is of the wrong kind.
        InputError: the file is no YAML.
    """
    try:
        everything = YAML(typ="safe", pure=True).load(Path(path))
    except FileNotFoundError:
        raise ParameterError(section, "there is no params.yaml here", "run the stage in the project's folder") from None
    except (YAMLError, UnicodeDecodeError) as error:
        mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
        wrong = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise InputError(path, f"is no YAML ({wrong})", "mend this line", row=mark.line + 1 if mark else None) from None
    if not isinstance(everything, dict) or section not in everything:
        raise ParameterError(section, "is missing", f"add a section {section}, as the project's own params.yaml has it")
    if not isinstance(everything[section], dict):
        wrong = f"is {everything[section]!r} and no section of keys"
        raise ParameterError(section, wrong, "indent its keys below it, as the project's own params.yaml has it")
    values = Section(section, everything[section])
    for key, kind in KINDS.get(section, {}).items():
        value: Any = values
        for part in key.split("."):
            value = value.get(part) if isinstance(value, dict) and part in value else kind
        if value is not kind and not kind.holds(value):
            raise ParameterError(f"{section}.{key}", f"is {value!r}", f"give {kind.says}")
    return values
