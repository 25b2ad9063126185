"""Run a stage as DVC does: as its own process, in a folder with its own parameters."""

import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache, lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from ruamel.yaml import YAML

from stages.annotations.descriptions import Describing, describe
from stages.contract.errors import run
from stages.parameters import params
from stages.parameters.sections import Language, Models, Section, TrainingSet, TrainingSets
from stages.text.inflection import plural
from stages.text.wordnet import wordnet

T = TypeVar("T", bound=Section | TrainingSets | Models)
ROOT = Path(__file__).resolve().parents[1]
_parsed = lru_cache(maxsize=8)(params._yaml.__wrapped__)
_written: dict[bytes, Any] = {}
"""Contents of parameter files that tests wrote: parsing one takes a quarter of a second, and there are hundreds."""
params._yaml = lambda content: _written[content] if content in _written else _parsed(content)  # type: ignore[assignment]


@cache
def parameters() -> dict[str, Any]:
    """Return the project's parameters, which callers must not change."""
    everything: dict[str, Any] = params._yaml((ROOT / "params.yaml").read_bytes())
    return everything


def section(kind: type[T], **changes: Any) -> T:
    """Return a section of the project's parameters with ``changes`` to its keys, checked as in a stage."""
    return params.parse(kind, parameters()[kind.section] | changes)


def training_sets(*names: str) -> TrainingSets:
    """Return a section ``training_sets`` with these names, for stages that use only the names."""
    return TrainingSets({name: TrainingSet(path="captions.txt", format="txt") for name in names})


def loading(**changes: Any) -> Callable[[type[T]], T]:
    """Return a stand-in for ``params.load``: the project's parameters with changes by section, or a section as given."""
    whole = {kind: part for kind, part in changes.items() if not isinstance(part, Mapping)}
    return lambda kind: whole[kind.section] if kind.section in whole else section(kind, **changes.get(kind.section, {}))


def set_parameters(path: Path, changes: Mapping[str, Any], source: Path | None = None) -> None:
    """Change parameters as a user would by editing the file ``path``.

    Args:
        changes: new values, by keys such as ``section.key``, which must exist.
        source: the file to change and write to ``path``, if not ``path`` itself.
    """
    yaml = YAML()
    parameters = yaml.load(source or path)
    _change(parameters, changes)
    yaml.dump(parameters, path)


def write_parameters(path: Path, changes: Mapping[str, Any], before: Path = ROOT / "params.yaml") -> None:
    """Write the parameters of the file ``before`` with ``changes``, as JSON, which is valid YAML and fast to write."""
    everything = deepcopy(params._yaml(before.read_bytes()))
    _change(everything, changes)
    write_all_parameters(path, everything)


def write_all_parameters(path: Path, everything: dict[str, Any]) -> None:
    """Write all sections and cache them, so that stages in this process and its forks need not parse them."""
    content = re.sub(r'"(\d+)":', r"\1:", json.dumps(everything)).encode()  # some keys are numbers
    _written[content] = deepcopy(everything)
    path.write_bytes(content)


def _change(parameters: dict[str, Any], changes: Mapping[str, Any]) -> None:
    for key, value in changes.items():
        *sections, name = key.split(".")
        section = parameters
        for part in sections:
            section = section[part]
        assert name in section, f"no such parameter: {key}"
        section[name] = value


def start_stage(stage: str, arguments: str, folder: Path, parameters: dict[str, Any], **options: Any) -> subprocess.Popen:
    """Write ``params.yaml`` in ``folder`` and start ``python -m stages.<stage> <arguments>`` there."""
    write_parameters(folder / "params.yaml", parameters)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-m", f"stages.{stage}", *arguments.split()], cwd=folder, env=environment, **options)


@cache
def read_words() -> None:
    """Load in this process, for its forks, the data that stages load lazily: it would take most of each fork's time."""
    wordnet().synsets("dog")
    plural("dog")
    with tempfile.TemporaryDirectory() as folder:
        describe(Describing(["a red dog on a mat"], section(Language), Path(folder) / "described.parquet"))


def run_stage(stage: str, arguments: str, folder: Path, parameters: dict[str, Any]) -> tuple[int, str, str]:
    """Run a stage to its end in a fork of this process, which need not import anything again; use one worker by default.

    Returns:
        The exit status, the standard output, and the standard error.
    """
    write_parameters(folder / "params.yaml", {"run.workers": 1} | parameters)
    main = importlib.import_module(f"stages.{stage}").main
    read_words()
    with tempfile.TemporaryDirectory() as beside:
        told = [Path(beside) / name for name in ("out", "err")]
        process = get_context("fork").Process(target=_serve, args=([stage, *arguments.split()], main, folder, told))
        process.start()
        process.join()
        return process.exitcode or 0, *(path.read_text() for path in told)  # type: ignore[return-value]


def _serve(command: list[str], main: Callable[[], None], folder: Path, told: list[Path]) -> None:
    os.chdir(folder)
    for number, path in enumerate(told, start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1) for number in (1, 2))
    sys.argv = command
    run(main)
