"""Fuzz ``params.yaml``: drop or misspell keys, make values huge or of another type. Every stage runs, or ends with one line.

``python -m tests.test_parameters [N]`` makes N changes (1,000 by default) and counts how they end.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from stages.contract.errors import CrepeError
from stages.parameters import params
from stages.parameters.sections import SECTIONS
from tests.running import ROOT, parameters
from tests.test_pipeline import STAGES, loaded_sections, reachable

PARAMS = parameters()
STRANGE: list[Any] = [
    *(None, True, False, 0, -1, 1, 1.5, -0.0, float("nan"), float("inf"), 10**9, 10**19, 10**400, 1 << 63, 1 << 64),
    *("", " ", "on", "false", "1", "auto", "a" * 5000, "it's", "$(touch x)", "a\nb", "\0", "../..", "ä", "none", "\ud800"),
    *([], {}, [1], ["a"], [[]], {"a": 1}, {1: 2}, {None: None}, [None]),
]


def places(values: Any, path: tuple = ()) -> Iterator[tuple]:
    """Yield the paths of all keys within ``values``."""
    if isinstance(values, dict):
        for key, value in values.items():
            yield (*path, key)
            yield from places(value, (*path, key))


PLACES = list(places(PARAMS))


def changed(draw: Random) -> tuple[str, dict[str, Any]]:
    """Return a description of a change at random, and the project's parameters after it."""
    everything = deepcopy(PARAMS)
    *above, key = draw.choice(PLACES)
    inside = everything
    for part in above:
        inside = inside[part]
    way = draw.choice(("drop", "misspell", "add", "replace", "replace", "replace", "itself", "double"))
    if way in ("drop", "misspell"):
        value = inside.pop(key)
        if way == "misspell":
            at = draw.randrange(len(key))
            inside[key[:at] + draw.choice("xyz_- .'") + key[at + 1 :]] = value
    elif way == "add":
        inside[draw.choice(("new", "a.b", "a b", "", 3, None, True))] = draw.choice(STRANGE)
    elif way == "itself":
        inside[key] = inside
    elif way == "double" and isinstance(inside[key], int | float | str):
        inside[key] = inside[key] * draw.choice((2, 1000, 10**12)) if not isinstance(inside[key], str) else inside[key] * 2000
    else:
        inside[key] = draw.choice(STRANGE)
    return f"{way} {'.'.join(map(str, (*above, key)))}", everything


@cache
def sections_of_stages() -> dict[str, set[str]]:
    """Return the sections that each stage loads, anywhere in its packages."""
    return {name: set().union(*(loaded_sections(file) for file in reachable(ROOT / "stages" / f"{name}.py"))) for name in STAGES}


def met(everything: dict[str, Any], sections: dict[str, set[str]], path: Path) -> dict[str, str]:
    """Return, by stage, ``runs`` or the line that it ends with; raise anything else."""
    try:
        YAML(typ="safe", pure=True).dump(everything, path)
    except (ValueError, UnicodeError, RecursionError):  # what cannot be written cannot be in a file either
        return {}
    answers: dict[str, str] = {}
    try:
        written = YAML(typ="safe", pure=True).load(path)
    except YAMLError:  # some keys can be written but not read; every stage reports it
        written = {}
    for section in sorted(set().union(*sections.values())):
        kind = SECTIONS[section]
        try:
            # The file is read once for all sections that it has, in the same way as each stage reads it.
            if section == "run" or section not in written or not set(written) <= set(SECTIONS):
                params.load(kind, path)
            else:
                params.parse(kind, written[section])
            answers[section] = "runs"
        except CrepeError as error:
            line = str(error)
            assert "\n" not in line and len(line) < 1000 and "Remedy: " in line, line
            answers[section] = line
    return {
        stage: next((answers[name] for name in sorted(own) if answers[name] != "runs"), "runs") for stage, own in sections.items()
    }


@pytest.mark.parametrize("seed", range(40))
def test_a_changed_file_is_sane_or_one_line(seed: int, tmp_path: Path) -> None:
    what, everything = changed(Random(seed))
    assert set(met(everything, sections_of_stages(), tmp_path / "params.yaml")) in (set(STAGES), set()), what


def main() -> None:
    sections, found = sections_of_stages(), Counter[str]()
    with TemporaryDirectory() as folder:
        for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 1000):
            what, everything = changed(Random(seed))
            try:
                answers = met(everything, sections, Path(folder) / "params.yaml")
            except Exception as error:  # what this fuzz test looks for
                print(f"{seed} {what}: {type(error).__name__} {error}")
                found["neither"] += 1
                continue
            stops = {line for line in answers.values() if line != "runs"}
            found["not a file" if not answers else "a line" if stops else "runs"] += 1
    print(dict(found))


if __name__ == "__main__":
    main()
