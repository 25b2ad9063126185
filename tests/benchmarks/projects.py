"""Copy a checkout's code into a separate folder, with people's annotations and captions as its inputs.

A data folder has Visual Genome's ``image_data.json``, ``scene_graphs.json`` and, if the data set has regions,
``region_descriptions.json`` (at its top or in ``visual_genome/``). It also has files of captions (at its top or in ``captions/``),
each a training set: TSV, CSV, Parquet or JSON with a column ``caption``, ``TEXT`` or ``title``; TSV without a header and with the
caption first; or text with one caption per line.
"""

import csv
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from ruamel.yaml import YAML

from tests.running import ROOT

ANNOTATIONS = ("image_data.json", "scene_graphs.json")
REGIONS = "region_descriptions.json"
COLUMNS = ("caption", "TEXT", "title")
STDERR = 2
"""Programs print here, because the last line of a benchmark's own output is JSON."""
FORMATS = {".tsv": "tsv", ".csv": "csv", ".parquet": "parquet", ".json": "json", ".txt": "txt"}


def annotations(folder: Path) -> Path:
    """Return the folder of Visual Genome's files."""
    for place in (folder, folder / "visual_genome"):
        if all((place / name).is_file() for name in ANNOTATIONS):
            return place.resolve()
    raise SystemExit(f"error: {folder} has no {', '.join(ANNOTATIONS)}, neither at its top nor in visual_genome/")


def caption_files(folder: Path) -> list[Path]:
    """Return the files of captions in ``folder/captions``, or in ``folder`` if there is no such folder."""
    place = next(place for place in (folder / "captions", folder) if place.is_dir())
    paths = sorted(path for path in place.iterdir() if path.suffix in FORMATS and path.name not in (*ANNOTATIONS, REGIONS))
    if not paths:
        raise SystemExit(f"error: {place} has no file of captions ({', '.join(FORMATS)})")
    return paths


def training_sets(paths: list[Path]) -> dict[str, dict[str, Any]]:
    """Return the parameters' section ``training_sets`` for these files of captions."""
    names = {path: re.sub(r"[^A-Za-z0-9_-]", "-", path.stem).lstrip("-_")[:64] for path in paths}
    return {names[path]: {"path": str(path.resolve()), "format": FORMATS[path.suffix], **column(path)} for path in paths}


def column(path: Path) -> dict[str, Any]:
    """Return which column of a file holds its captions, as parameters of a training set."""
    if path.suffix == ".txt":
        return {}
    if path.suffix == ".parquet":
        return {"column": next((name for name in COLUMNS if name in pq.read_schema(path).names), COLUMNS[0])}
    if path.suffix == ".json":
        return {"column": "caption"}
    with path.open(encoding="utf-8", newline="") as file:
        names = next(csv.reader(file, delimiter="\t" if path.suffix == ".tsv" else ","), [])
    found = next((name for name in COLUMNS if name in names), None)
    return {"column": 0, "header": False} if found is None else {"column": found, "header": True}


class Project:
    """A copy of the code of ``checkout`` in ``folder``; commands run there as DVC runs them."""

    def __init__(self, folder: Path, changes: Mapping[str, Any], checkout: Path = ROOT):
        self.folder, self.checkout = folder, checkout.resolve()
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("stages", "dvc.yaml"):
            copy(self.checkout / name, folder / name)
        (folder / ".dvc").mkdir(exist_ok=True)
        (folder / ".dvc" / "config").write_text("[core]\n    no_scm = true\n    analytics = false\n")
        if not (folder / ".nltk_data").exists():
            (folder / ".nltk_data").symlink_to((ROOT / ".nltk_data").resolve())
        self.set_parameters(changes)
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.environment = {**os.environ, "PATH": path, "PYTHONPATH": str(folder.resolve())}

    def set_parameters(self, changes: Mapping[str, Any]) -> None:
        """Write the checkout's ``params.yaml`` with ``changes``, by keys such as ``section.key``.

        Raises:
            SystemExit: the checkout has no such key; the message gives the remedy.
        """
        yaml = YAML()
        whole = yaml.load(self.checkout / "params.yaml")
        for key, value in changes.items():
            *sections, name = key.split(".")
            section = whole
            for part in sections:
                section = section.get(part, {})
            if name not in section:
                raise SystemExit(f"error: params.yaml has no {key}. Remedy: name a parameter of {self.checkout}.")
            section[name] = value
        yaml.dump(whole, self.folder / "params.yaml")

    def has_parameter(self, key: str) -> bool:
        """Return whether the checkout's ``params.yaml`` has ``key``, such as ``section.key``."""
        found = YAML(typ="safe").load(self.checkout / "params.yaml")
        for part in key.split("."):
            if part not in found:
                return False
            found = found[part]
        return True

    def repro(self, *stages: str) -> None:
        """Bring ``stages`` and all that they depend on up to date."""
        command = ["dvc", "repro", "--quiet", *stages]
        done = subprocess.run(command, cwd=self.folder, env=self.environment, stdout=STDERR)
        if done.returncode:
            raise SystemExit(f"error: dvc repro in {self.folder} ended with status {done.returncode}")

    def stage(self, name: str) -> dict[str, Any]:
        """Return a stage's section of ``dvc.yaml``."""
        return YAML(typ="safe").load(self.folder / "dvc.yaml")["stages"][name]

    def outputs(self, name: str) -> list[str]:
        """Return the files that a stage writes."""
        listed = [*self.stage(name).get("outs", ()), *self.stage(name).get("metrics", ())]
        return [path if isinstance(path, str) else next(iter(path)) for path in listed]

    def timed(self, name: str) -> float:
        """Run only the command of stage ``name``, which must be a single one without templates.

        Returns:
            Processor seconds, user and system, of its process and all its children.
        """
        for path in self.outputs(name):
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, *shlex.split(self.stage(name)["cmd"])[1:]]
        process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=STDERR)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"error: {name} in {self.folder} ended with status {process.returncode}")
        return usage.ru_utime + usage.ru_stime

    def succeeds(self, code: str, *arguments: str) -> bool:
        """Return whether ``code`` ends with status 0 in this project."""
        command = [sys.executable, "-c", code, *arguments]
        return not subprocess.run(command, cwd=self.folder, env=self.environment, stdout=STDERR).returncode


def copy(source: Path, target: Path) -> None:
    """Make ``target`` a copy of ``source``."""
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
        return
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))


@contextmanager
def kept_or_temporary(keep: Path | None) -> Iterator[Path]:
    """Yield the folder ``keep``, which is retained, or a temporary one."""
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep
    else:
        with tempfile.TemporaryDirectory() as name:
            yield Path(name)
