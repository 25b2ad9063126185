import re
import shutil
import subprocess
from pathlib import Path

from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[1]


def test_make_works_in_a_folder_with_a_space(tmp_path):
    """Existing files are not made again, so a Python that only logs its arguments can stand in for the environment."""
    folder = tmp_path / "my project; x"
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    shutil.copy(ROOT / "Makefile", folder)
    for name in ("python", "dvc", "chromium"):
        (programs / name).write_text(f'#!/bin/sh\necho {name} "$@" >> "{folder}/asked"\n')
        (programs / name).chmod(0o755)
    (folder / "requirements.txt").touch()
    (folder / ".venv" / "ready").touch()
    (folder / ".nltk_data" / "corpora" / "wordnet").mkdir(parents=True)
    subprocess.run(["make"], cwd=folder, check=True, capture_output=True)
    assert (folder / "asked").read_text().splitlines() == ["python -m stages.parameters.params", "python -m dvc repro"]
    (folder / "asked").unlink()
    subprocess.run(["make", "full"], cwd=folder, check=True, capture_output=True)
    asked = (folder / "asked").read_text()
    assert asked.startswith("python -m dvc exp run --set-param sample.images=300 --set-param ")
    keys = re.findall(r"--set-param (\S+)=\d", asked)
    values = YAML(typ="safe").load(ROOT / "params.yaml")
    assert len(keys) == 4 and all(key.split(".")[1] in values[key.split(".")[0]] for key in keys)
    (folder / "asked").unlink()
    (folder / ".venv" / "ready").unlink()
    subprocess.run(["make", "PYTHON=true", "test"], cwd=folder, check=True, capture_output=True)
    asked = (folder / "asked").read_text()
    assert "pip install --quiet --requirement requirements.txt" in asked and asked.endswith("python -m pytest -m not heavy\n")
