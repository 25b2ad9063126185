"""DVC experiments in separate workspaces, in a project in which every stage has run."""

import shutil
from pathlib import Path

import pytest

from tests.project import Project
from tests.stage_runs import TINY, Undisturbed
from tests.writing.server import reply, serving

pytestmark = pytest.mark.heavy


@pytest.fixture
def project(undisturbed: Undisturbed, tmp_path: Path) -> Project:
    """Return a clone with the undisturbed pipeline's tables and figures, which DVC accepts as its own."""
    project = Project(tmp_path / "project")
    project.set(**TINY)
    for made in ("data", "metrics"):
        shutil.copytree(undisturbed.folder / made, project.folder / made, dirs_exist_ok=True)
    project.run("dvc", "commit", "--force")
    return project


def test_experiments_find_what_is_kept_in_workspaces_of_their_own(project: Project, tmp_path: Path) -> None:
    """``--temp`` leaves its encoded features for other runs; ``--queue`` finds WordNet and a language model's paid answers.

    Then ``compare`` compares an experiment with a revision whose table another machine made.
    """
    committed = project.commit_of_another_machine()
    features = project.folder / "data" / "features"
    kept = {path.name for path in features.iterdir()}
    shutil.rmtree(features)
    project.run("dvc", "exp", "run", "--temp", "-n", "five", "-S", "evaluate.folds=5", "evaluate")
    assert {path.name for path in features.iterdir()} == kept
    with serving(lambda request, number: reply("a thing")) as (address, requests):
        llm = {"caption.writer": "llm", "caption.llm.base_url": address, "caption.llm.model": "tiny"}
        project.write_captions(tmp_path, **llm)
        asked = len(requests)
        changes = [word for key, value in llm.items() for word in ("-S", f"{key}={value}")]
        project.run("dvc", "exp", "run", "--queue", *changes, "-S", "caption.seed=5", "caption")
        project.run("dvc", "exp", "run", "--run-all")
        assert asked and len(requests) == asked
    stored = (project.folder / "data" / "language_model_answers").rglob("*.json")
    assert len(list(stored)) == asked and "Success" in project.run("dvc", "queue", "status")
    compared = project.run("python", "-m", "stages.page.compare", committed, "five")
    assert "less that of" in compared
    assert project.repro() == []
