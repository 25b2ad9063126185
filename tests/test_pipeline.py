"""The layout: files in ``stages/`` are stages, packages import no higher level, ``dvc.yaml`` tracks everything a stage reads."""

import ast
import re
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from stages.parameters.sections import SECTIONS
from stages.parameters.sections.evaluation import NO_MODEL
from tests.running import parameters

ROOT = Path(__file__).resolve().parents[1]
PIPELINE = YAML(typ="safe", pure=True).load(ROOT / "dvc.yaml")["stages"]
STAGES = {name: stage.get("do", stage) for name, stage in PIPELINE.items()}
PARAMS = parameters()
TEN = {"parse_train", "seen_index", "filter_vg", "split", "gen_hn_atom", "gen_hn_comp"}
TEN |= {"walk_subgraphs", "caption", "gen_hn_prod", "evaluate"}

# A package imports packages of lower levels, or of its own level without a cycle.
LEVELS = {
    **dict.fromkeys(("analyses", "page", "parser_training", "suites", "training"), 4),
    **dict.fromkeys(("models", "negatives", "pairs", "selection", "shortcuts", "subgraphs", "world"), 3),
    **dict.fromkeys(("annotations", "captions", "evaluation", "parsing", "semantics", "writing"), 2),
    **dict.fromkeys(("console", "contract", "graphs", "images", "parameters", "text"), 1),
}
UNTRACKED = {"parameters", "console"}
"""They can stop a stage but not change what it writes: the values are in ``params.yaml``, whose sections DVC tracks, and on the
command lines of ``dvc.yaml``, which it also tracks.

Thus a new parameter for one stage, or a better-looking progress bar, reruns no other stage.
"""


@cache
def imports(file: Path) -> frozenset[Path]:
    """Return the project's own files that ``file`` imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            path = ROOT / name.replace(".", "/")
            found |= {p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()}
    return frozenset(found)


def reachable(file: Path) -> set[Path]:
    """Return ``file`` and every local file that it imports, directly or through others."""
    seen: set[Path] = set()
    todo = [file]
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            todo += imports(path)
    return seen


def packages_of(file: str) -> set[str]:
    """Return the packages that ``file`` of ``stages/`` imports, directly or indirectly, and on which its outputs depend."""
    files = reachable(ROOT / "stages" / file)
    return {file.relative_to(ROOT / "stages").parts[0] for file in files if file.parent != ROOT / "stages"} - UNTRACKED


def test_the_ten_stages_keep_their_names():
    assert set(STAGES) >= TEN


def test_every_file_in_stages_is_a_stage_and_every_folder_a_room():
    assert {file.stem for file in (ROOT / "stages").glob("*.py")} == set(STAGES)
    folders = {folder.name for folder in (ROOT / "stages").iterdir() if folder.is_dir() and folder.name != "__pycache__"}
    assert folders == set(LEVELS)
    assert all((ROOT / "stages" / package / "__init__.py").is_file() for package in LEVELS)


@pytest.mark.parametrize("name", STAGES)
def test_a_stage_says_what_it_is_for(name):
    assert STAGES[name]["desc"].endswith(".")
    assert ast.get_docstring(ast.parse((ROOT / "stages" / f"{name}.py").read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", STAGES)
def test_a_stage_depends_on_its_file_and_the_packages_it_imports(name):
    """DVC does not see imports: if a package were missing here, a change to its code would not rerun the stage."""
    deps = {dep for dep in STAGES[name]["deps"] if dep.startswith("stages/")}
    right = {f"stages/{name}.py", *(f"stages/{package}" for package in packages_of(f"{name}.py"))}
    assert deps == right, "its list in dvc.yaml is to be:\n" + "\n".join(f"      - {dep}" for dep in sorted(right))


@cache
def loaded_sections(file: Path) -> set[str]:
    """Return the sections of the parameters that ``file`` loads with ``params.load(Class)``."""
    classes = {kind.__name__: section for section, kind in SECTIONS.items()}
    return {
        classes[getattr(node.args[0], "attr", getattr(node.args[0], "id", ""))]
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", getattr(node.func, "id", "")) == "load"
        and isinstance(getattr(node.func, "value", None), ast.Name)
        and node.func.value.id == "params"  # type: ignore[attr-defined]
        and node.args
    }


@pytest.mark.parametrize(
    "file",
    [
        "captions/training_set.py",
        "parsing/shards.py",
        "annotations/descriptions.py",
        "mine_negatives.py",
        "analyses/generations.py",
    ],
)
def test_what_is_kept_of_a_killed_run_depends_on_the_packages_that_made_it(file):
    packages = import_module(f"stages.{file.removesuffix('.py').replace('/', '.')}").PACKAGES
    assert set(packages) == packages_of(file)


@pytest.mark.parametrize("name", STAGES)
def test_another_model_or_another_speed_reruns_nothing(name):
    """A stage depends only on the entry of ``models`` that it uses, which exists for every value, and on no batch size."""
    asked = set(STAGES[name].get("params", []))
    assert not asked & {"models", "parse_train", "parse_train.shard", "run"}
    assert name == "evaluate" or not asked & {"evaluate", "evaluate.batch", "evaluate.text_batch_tokens"}
    assert {key: PARAMS["models"][key] for key in NO_MODEL} == {"none": {}, "pixels": {}}


@pytest.mark.parametrize("name", STAGES)
def test_a_stage_depends_on_the_parameters_it_loads(name):
    """It depends on all except ``run``, which changes how a stage runs but not what it writes."""
    sections = {param.split(".")[0] for param in STAGES[name].get("params", [])}
    loaded = set().union(*(loaded_sections(file) for file in reachable(ROOT / "stages" / f"{name}.py")))
    assert loaded - {"run"} == sections
    assert sections <= set(PARAMS)


def speed_only() -> set[str]:
    """Return the keys of params.yaml below a comment that says "Speed only"."""
    keys, path, comment, depth = set(), [], "", 0
    for line in (ROOT / "params.yaml").read_text(encoding="utf-8").splitlines():
        if line.lstrip().startswith("#"):
            comment, depth = line if depth else comment + line, 0
        elif key := re.match("( *)([a-z_0-9]+):", line):
            level = len(key[1]) // 2
            path, depth = [*path[:level], key[2]], depth or level or -1
            if "Speed only" in comment and depth == level:
                keys.add(".".join(path))
    return keys


def deciding(node: object, path: str, fast: set[str]) -> list[str]:
    """Return the highest keys from ``path`` down that together contain every key except those in ``fast``."""
    if path in fast:
        return []
    if not any(key.startswith(f"{path}.") for key in fast):
        return [path]
    return [found for key, value in node.items() for found in deciding(value, f"{path}.{key}", fast)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", STAGES)
def test_what_only_decides_speed_reruns_nothing(name):
    fast = speed_only()
    assert len(fast) > 5
    asked = STAGES[name].get("params", [])
    assert not any(f"{key}.".startswith(f"{slow}.") or f"{slow}.".startswith(f"{key}.") for key in asked for slow in fast)
    for section in {key.split(".")[0] for key in fast}:
        own = [key for key in asked if key.split(".")[0] == section]
        assert set(own) <= set(deciding(PARAMS[section], section, fast))
        assert name != section or len(own) == len(deciding(PARAMS[section], section, fast))


@pytest.mark.parametrize("name", STAGES)
def test_a_stage_is_a_file_of_readable_length(name):
    text = (ROOT / "stages" / f"{name}.py").read_text(encoding="utf-8")
    assert text.count("\n") <= 160, "a stage reads, calls and writes; knowledge belongs in a package"


@pytest.mark.parametrize("name", STAGES)
def test_metrics_stand_in_git_and_nothing_persists(name):
    for metric in STAGES[name].get("metrics", []):
        ((path, how),) = metric.items()
        assert how == {"cache": False}
        assert all((ROOT / path.replace("${key}", key)).is_file() for key in PARAMS["training_sets"])
    assert "persist" not in str(STAGES[name]) and "wdir" not in STAGES[name]


def test_imports_go_down():
    for file in (ROOT / "stages").rglob("*.py"):
        place = file.relative_to(ROOT / "stages").parts
        level = 5 if len(place) == 1 else LEVELS[place[0]]
        for other in imports(file):
            if other.is_relative_to(ROOT / "stages"):
                target = other.relative_to(ROOT / "stages").parts
                assert len(target) > 1, f"{file} imports the stage {target[0]}"
                assert LEVELS[target[0]] <= level, f"{file} imports the package {target[0]}, which stands above it"


def test_packages_of_a_level_make_no_circle():
    edges = {
        (package, other.relative_to(ROOT / "stages").parts[0])
        for package in LEVELS
        for file in (ROOT / "stages" / package).rglob("*.py")
        for other in imports(file)
        if other.is_relative_to(ROOT / "stages")
    }
    edges = {(a, b) for a, b in edges if a != b}
    for package in LEVELS:
        seen, todo = set(), [b for a, b in edges if a == package]
        while todo:
            other = todo.pop()
            if other not in seen:
                seen.add(other)
                todo += [b for a, b in edges if a == other]
        assert package not in seen, f"{package} imports itself through {sorted(seen)}"


@pytest.mark.parametrize("name", STAGES)
def test_parameters_reach_the_shell_looked_through_and_in_single_quotes(name: str) -> None:
    """A path with a space stays one word, and none is executed: the first command refuses what quotes cannot hold."""
    commands = STAGES[name]["cmd"]
    if isinstance(commands, str):
        assert "${" not in commands
        return
    looking, stage = commands
    assert looking == "python -m stages.parameters.params"
    for place in re.finditer(r"\$\{", stage):
        assert stage[: place.start()].count("'") % 2 == 1, stage[place.start() :]


def test_yaml_words_stay_words():
    """PyYAML would read ``on`` as true; this project is about prepositions."""
    assert YAML(typ="safe", pure=True).load("[on, off, 1e-3]") == ["on", "off", 0.001]


def test_what_dvc_writes_anew_dvc_can_read():
    """``dvc exp run -S`` drops quotes, and within braces DVC's parser accepts no unquoted word with a colon."""
    written = StringIO()
    YAML().dump(YAML().load(ROOT / "params.yaml"), written)
    assert YAML(typ="safe").load(written.getvalue()) == PARAMS
