"""Reading ``params.yaml`` as DVC reads it: YAML 1.2, where ``on`` and ``off`` are words and not booleans.

A section is read into the class that :mod:`stages.parameters.sections` declares for it, so that a wrong value is reported by name
before any work is done. ``python -m stages.parameters.params`` checks the whole file, and that the files it names exist.
"""

import codecs
from functools import lru_cache
from pathlib import Path
from reprlib import Repr
from typing import Any, TypeVar, cast, get_args, get_origin

from pydantic import BaseModel, RootModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from stages.contract.errors import InputError, ParameterError, one_line, run
from stages.parameters.param_schema import asked, nearest
from stages.parameters.references import faults, leftovers, notes, unknown_to_git
from stages.parameters.sections import SECTIONS, Models, Section, TrainingSets
from stages.parameters.sections.evaluation import NO_MODEL

T = TypeVar("T", bound=Section | TrainingSets | Models)

LARGEST = 1 << 20
"""Maximum bytes of a ``params.yaml``, and maximum number of its values with all aliases written out."""
SHOWN = Repr()
SHOWN.maxstring = SHOWN.maxother = SHOWN.maxlong = 80
SHOWN.maxdict = SHOWN.maxlist = 3
REPLACED = {
    "foils.selection": "remove it: every run makes and evaluates both protocols, `paper` and `cleared` (section `cleared`)",
    "foils.sense": "remove it: `least_association` and `max_compounds` replaced it",
    "gen_hn_comp.max_pairs": "remove it: no wrong half is in more than a few pairs",
    "gen_hn_prod.max_foils": "remove it: `foils.max_foils` applies to all types",
    "gen_hn_prod.rejects_per_set": "move it to `foils`",
    "evaluate.blind_captions": "write evaluate.shortcut_captions, its new name",
    "evaluate.blind_models": "write evaluate.shortcut_models, its new name",
}
"""Parameters of older versions, with the remedy."""
KEYS = "keys with their values"
TAKE_OUT = "take it out"
ADD = "add it, as in the project's own params.yaml"
AT_A_COLON = "found unexpected ':'"
COLON = ": DVC reads no value with a colon within braces; write each key with its value on its own line, without braces"


def load(kind: type[T], path: str | Path = "params.yaml") -> T:
    """Return the section of the parameters that ``kind`` declares, checked.

    Raises:
        ParameterError: the file, the section or a key of it is missing, unknown, or of the wrong kind.
        InputError: the file is not YAML.
    """
    return parse(kind, _read(kind.section, path)[kind.section])


def parse(kind: type[T], values: Any) -> T:
    """Return ``values`` as the section ``kind``; raises as :func:`load`."""
    section = kind.section
    if not isinstance(values, dict):
        remedy = "indent its keys below it, as in the project's own params.yaml"
        raise ParameterError(section, f"is {SHOWN.repr(values)} and not a section of keys", remedy)
    try:
        parsed = kind.model_validate(values)
    except ValidationError as error:
        # A misspelt key also causes a missing one; report the misspelling.
        weight = {"extra_forbidden": 0, "missing": 2}
        first = min(error.errors(include_url=False), key=lambda each: weight.get(each["type"], 1))
        raise _readable(section, kind, values, first) from None
    for key, wrong, remedy in parsed.faults():
        raise ParameterError(f"{section}.{key}".rstrip("."), wrong, remedy)
    return cast(T, parsed)


def _read(section: str, path: str | Path) -> dict[str, Any]:
    """Return the whole file, which must have the section and no unknown one."""
    try:
        if Path(path).stat().st_size > LARGEST:
            raise InputError(path, f"has more than {LARGEST:,} bytes", "give a smaller params.yaml")
        everything = _yaml(Path(path).read_bytes())
    except FileNotFoundError:
        raise ParameterError(section, "there is no params.yaml here", "run the stage in the project's folder") from None
    except (YAMLError, ValueError, TypeError, KeyError, AttributeError, AssertionError, RecursionError) as error:
        mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
        wrong = getattr(error, "problem", None) or next(iter(str(error).splitlines()), type(error).__name__)
        wrong = "it is nested too deeply" if isinstance(error, RecursionError) else one_line(wrong)
        remedy = f"fix this line{COLON if wrong == AT_A_COLON else ''}"
        raise InputError(path, f"is not YAML ({wrong})", remedy, row=mark.line + 1 if mark else None) from None
    everything = everything if isinstance(everything, dict) else {}
    for key in everything:
        if key not in SECTIONS:
            raise ParameterError(str(key)[:80], "is no section", nearest(key, SECTIONS, TAKE_OUT))
    if section not in everything:
        raise ParameterError(section, "is missing", f"add a section {section}, as in the project's own params.yaml")
    return everything


@lru_cache(maxsize=1)
def _yaml(content: bytes) -> Any:
    """Return a file's content, cached: reading it takes a fifth of a second, and a stage loads several sections."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise ValueError("it is UTF-16, which DVC does not read: save it as UTF-8")
    YAML(typ="safe", pure=True).load(content)  # first, because nesting that is too deep for Python ends the parser in C
    values = YAML(typ="safe").load(content)  # DVC's parser, which refuses more
    if _size(values, {}) > LARGEST:
        raise ValueError(f"its aliases (*name) repeat more than {LARGEST:,} values")
    return values


def _size(value: Any, known: dict[int, int]) -> int:
    """Return the number of values in a mapping or list with every alias written out.

    Args:
        known: the sizes of those seen, by id; one that is inside itself counts as 1, and is reported when it is read.
    """
    if not isinstance(value, dict | list):
        return 1
    if id(value) not in known:
        known[id(value)] = 1
        known[id(value)] = 1 + sum(_size(each, known) for each in (value.values() if isinstance(value, dict) else value))
    return known[id(value)]


def _readable(section: str, kind: type[BaseModel], values: Any, error: ErrorDetails) -> ParameterError:
    """Return a readable error for one of pydantic's."""
    path, says, names = _place(kind, values, error["loc"])
    key, given = " ".join(".".join([section, *path]).split()), SHOWN.repr(error["input"])
    match error["type"]:
        case "missing":
            return ParameterError(key, "is missing", ADD)
        case "extra_forbidden":
            return ParameterError(key, "is no parameter", REPLACED.get(key) or nearest(path[-1], names, TAKE_OUT))
        case "union_tag_not_found":
            return ParameterError(f"{key}.family", "is missing", ADD)
        case "union_tag_invalid":
            wrong = f"is {SHOWN.repr(error['ctx']['tag'])}"
            return ParameterError(f"{key}.family", wrong, f"give one of {error['ctx']['expected_tags']}")
        case "recursion_loop":
            return ParameterError(key, "leads to itself", "write its values out, without an anchor")
    if error["loc"][-1] == "[key]":
        if error["type"] == "string_type":
            return ParameterError(key, f"has a key {given}, which is no text in YAML", f'put it in quotes: "{error["input"]}"')
        return ParameterError(
            key, f"has a key {given}", f"give {says if error['type'] == 'int_type' else 'names of one line as keys'}"
        )
    why = f": {error['ctx']['error']}" if error["type"] == "value_error" else ""
    return ParameterError(key, f"is {given}{why}", f"give {says}")


def _place(kind: Any, values: Any, loc: tuple[int | str, ...]) -> tuple[list[str], str, list[str]]:
    """Return the place of ``loc`` in the file, what the nearest declared key there accepts, and the known keys next to it.

    Pydantic's locations also have the family of a preset, the member of a union, and ``[key]``, which are not in the file.
    """
    path: list[str] = []
    says, names = KEYS, list[str]()
    for number, part in enumerate(loc, 1):
        of_pydantic = part == "[key]" or loc[number:] == ("[key]",)
        if of_pydantic or not isinstance(values, dict) or (part not in values and number < len(loc)):
            continue
        fields, item = _declared(kind, values)
        names = list(fields)
        field = fields.get(str(part))
        kind, values = (field.annotation if field else item), values.get(part)
        # One of several numbers under user-defined keys: the type of the whole describes it.
        if field or _declared(kind, {})[0]:
            says = (asked(field) if field else None) or KEYS
        path.append(str(part)[:80])
    return path, says, names


def _declared(kind: Any, values: dict[str, Any]) -> tuple[dict[str, FieldInfo], Any]:
    """Return the fields that ``kind`` declares for ``values``, or else the type of each of its values."""
    if get_origin(kind) is dict:
        return {}, get_args(kind)[1]
    if get_origin(kind) is not None:  # a union, or an annotated type: the member for this family
        members = [_declared(member, values)[0] for member in get_args(kind) if get_origin(member) or isinstance(member, type)]
        family = [each for each in members if "family" in each and values.get("family") in get_args(each["family"].annotation)]
        return next(iter(family or members), {}), Any
    if issubclass(kind, RootModel):
        return _declared(kind.model_fields["root"].annotation, values)
    return (kind.model_fields, Any) if issubclass(kind, BaseModel) else ({}, Any)


def main() -> None:
    whole = _read("run", "params.yaml")  # faults of the whole file come first
    for name in NO_MODEL:
        if name not in (whole.get("models") or {}):
            raise ParameterError(
                f"models.{name}", "is missing, without which DVC stops", f"write {name}: {{}} in the section models"
            )
    sections: dict[str, Any] = {section: load(kind) for section, kind in SECTIONS.items()}
    for key, wrong, remedy in faults(sections):
        raise ParameterError(key, wrong, remedy)
    for note in notes(sections):
        print(note)
    if left := leftovers(sections["training_sets"].root):
        note = "note: these belong to no training set in params.yaml, and stages run again because of them"
        print(f"{note}. Remedy: delete them, or move them out of data and metrics:", *left)
    for key, path in unknown_to_git(sections):
        remedy = f"name it by its absolute path, commit it, or add -C {path} to dvc exp run"
        print(f"note: {key}: git does not know {path}: dvc exp run --temp and --queue do not find it. Remedy: {remedy}.")


if __name__ == "__main__":
    run(main)
