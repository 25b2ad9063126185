"""Runs a stage as DVC does, as a process of its own, in a folder with parameters of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[1]


def write_parameters(path: Path, changes: dict[str, Any]) -> None:
    """The project's parameters with ``changes``, whose keys are ``section.key``."""
    yaml = YAML()
    parameters = yaml.load(ROOT / "params.yaml")
    for key, value in changes.items():
        section, name = key.split(".")
        parameters[section][name] = value
    yaml.dump(parameters, path)


def start_stage(stage: str, arguments: str, folder: Path, parameters: dict[str, Any], **options: Any) -> subprocess.Popen:
    """Start ``python -m stages.<stage> <arguments>`` in ``folder``, whose ``params.yaml`` is written first."""
    write_parameters(folder / "params.yaml", parameters)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-m", f"stages.{stage}", *arguments.split()], cwd=folder, env=environment, **options)


def run_stage(stage: str, arguments: str, folder: Path, parameters: dict[str, Any]) -> tuple[int, str, str]:
    """Its exit status, what it printed, and its errors."""
    process = start_stage(stage, arguments, folder, parameters, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err
