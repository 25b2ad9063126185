"""Tests of what ``params.yaml`` may say, and of the errors about everything else."""

import json
import pickle
from copy import deepcopy
from typing import Any

import pytest

from stages.captions.corpus import FORMATS
from stages.contract.errors import CrepeError, InputError, ParameterError
from stages.parameters import params
from stages.parameters.sections import SECTIONS, Foils, Language, Run, TrainingSet
from tests.running import ROOT, parameters

PARAMS = parameters()


def said(section: str, **changes: Any) -> str:
    """Return the error about the project's section with changed values; in keys, ``__`` separates levels. ``None`` drops a key."""
    values = deepcopy(PARAMS[section])
    for key, value in changes.items():
        *above, last = key.split("__")
        place = values
        for part in above:
            place = place[part]
        if value is None:
            del place[last]
        else:
            place[last] = value
    with pytest.raises(ParameterError) as error:
        params.parse(SECTIONS[section], values)
    return str(error.value)


def test_names_of_models_are_single_keys_and_entries_that_are_no_models_are_left_out():
    wrong = said("models", **{"qwen2.5": PARAMS["models"]["siglip"]})
    assert wrong == "params.yaml, models.qwen2.5: has a dot, where DVC begins a new key. Remedy: write qwen2_5."
    assert not {"none", "pixels"} & set(params.parse(SECTIONS["models"], PARAMS["models"]).root)
    assert "models.siglip.family: is missing" in said("models", siglip={})


@pytest.mark.parametrize("key", ["evaluate.device", "train.device", "foils.plausibility__device", "gen_hn_prod.entailment__device"])
def test_a_device_that_nobody_has_is_told_before_the_first_stage(key):
    section, inner = key.split(".")
    assert "is 'gpu'. Remedy: give one of cpu, cuda, auto" in said(section, **{inner: "gpu"})


def test_every_section_is_declared_and_is_read_as_it_stands():
    assert set(PARAMS) == set(SECTIONS)
    for section, kind in SECTIONS.items():
        values = {key: value for key, value in PARAMS[section].items() if (section, value) != ("models", {})}
        assert params.load(kind, ROOT / "params.yaml").model_dump(exclude_unset=True) == values


def test_every_value_of_the_projects_file_is_needed():
    for section in set(PARAMS) - {"models", "training_sets"}:
        for key in PARAMS[section]:
            assert f"{section}.{key}: is missing" in said(section, **{key: None})


@pytest.mark.parametrize(
    ("section", "changes", "told"),
    [
        ("crop", {"min_area": None, "min_aera": 1}, "crop.min_aera: is no parameter. Remedy: write min_area"),
        ("caption", {"llm__time_out": 3}, "caption.llm.time_out: is no parameter. Remedy: write timeout"),
        ("foils", {"qqqq": 1}, "foils.qqqq: is no parameter. Remedy: take it out; known are seed, min_training_count"),
        ("run", {"workers": 100_000}, "four times this machine's cores"),
        ("run", {"memory": 2}, "run.memory: is 2. Remedy: give a size of memory such as 2GB"),
        ("run", {"memory": "GB"}, "run.memory: is 'GB'"),
        ("sample", {"seed": 1 << 64}, "sample.seed: is 18446744073709551616. Remedy: give a whole number of at most 64 bits"),
        ("sample", {"images": 10**40}, "sample.images: is 1000"),
        ("evaluate", {"folds": 0}, "evaluate.folds: is 0. Remedy: give a whole number from 1 to"),
        ("evaluate", {"precision": "fp8"}, "Remedy: give one of fp32, bf16, fp16, auto"),
        ("evaluate", {"suites": []}, "evaluate.suites: is []. Remedy: give suites by their names"),
        ("evaluate", {"suites": {"official": "x"}}, "evaluate.suites.official: is 'x'. Remedy: give keys with their values"),
        ("evaluate", {"suites": {"official": {"fodler": "x"}}}, "suites.official.fodler: is no parameter. Remedy: write folder"),
        ("evaluate", {"blind_captions": 5}, "blind_captions: is no parameter. Remedy: write evaluate.shortcut_captions"),
        ("foils", {"selection": "balanced"}, "foils.selection: is no parameter. Remedy: remove it: every run makes"),
        ("gen_hn_comp", {"max_pairs": 240}, "gen_hn_comp.max_pairs: is no parameter. Remedy: remove it"),
        (
            "evaluate",
            {"shortcut_models": {"a": {"kind": "oracle", "checkpoint": "x"}}},
            "give one of causal, masked, grammar, vera",
        ),
        ("train", {"logit_scale": 0}, "train.logit_scale: is 0. Remedy: give a number above 0, up to 100"),
        ("train", {"learning_rate": float("nan")}, "train.learning_rate: is nan"),
        ("train", {"learning_rate": 10**400}, "train.learning_rate: is 1000"),
        ("train", {"spectral_norm": "yes"}, "train.spectral_norm: is 'yes'. Remedy: give true or false"),
        ("walk_subgraphs", {"complexities": [4, 4]}, "complexities: has a number twice"),
        ("walk_subgraphs", {"complexities": ["4"]}, "complexities: is '4'. Remedy: give a list of different whole numbers"),
        ("walk_subgraphs", {"times": {4: -1}}, "times.4: is -1. Remedy: give numbers from 0 to 1000 by complexities"),
        ("walk_subgraphs", {"times": {"n4": 2.5}}, "times: has a key 'n4'. Remedy: give numbers from 0 to 1000 by complexities"),
        (
            "evaluate",
            {"suites": {2017: {"folder": "x"}}},
            'suites: has a key 2017, which is no text in YAML. Remedy: put it in quotes: "2017"',
        ),
        (
            "models",
            {"x": {"family": "chat", "checkpoint": "c", "form": "p_yes", "question": "Is it?"}},
            "models.x.question: does not contain {caption}, but form is p_yes",
        ),
        (
            "models",
            {"x": {"family": "chat", "checkpoint": "c", "form": "caption", "question": "Is it {caption}?"}},
            "models.x.question: contains {caption}, which would give the answer away",
        ),
        ("models", {"x": {"family": "scores", "checkpoint": "c"}}, "models.x.checkpoint: is no parameter"),
        ("evaluate", {"suites": {"aro ": {"folder": "x"}}}, "suites: has a key 'aro '. Remedy: give names of one line as keys"),
        ("crop", {"min_ratio": 3.0}, "crop.min_ratio: is 3.0, above max_ratio"),
        ("read_captions", {"min_words": 101}, "read_captions.min_words: is 101, above max_words"),
        ("parse_train", {"keep_graphs": "some"}, "give true, false, or how many"),
        (
            "train",
            {"method": "iterated", "steps": 279},
            "train.steps: is 279, and iterated learning needs 280 for its first new agent. Remedy: raise it, or lower warm_up",
        ),
        ("visual_genome", {"images": "a\nb"}, "images: is 'a\\nb': it has a line break"),
        ("training_sets", {"cc12m__path": "x'; touch y; '"}, "training_sets.cc12m.path: is"),
        ("training_sets", {"cc12m__header": "false"}, "training_sets.cc12m.header: is 'false'. Remedy: give true or false"),
        ("training_sets", {"cc12m__column": True}, "training_sets.cc12m.column: is True"),
        ("training_sets", {"cc12m__haeder": True}, "training_sets.cc12m.haeder: is no parameter. Remedy: write header"),
        ("training_sets", {"cc12m__header": None}, "training_sets.cc12m.header: is missing"),
        ("training_sets", {"cc12m__format": "xml"}, "give one of tsv, csv, jsonl, json, parquet, txt"),
        ("training_sets", {"laion400m__header": True}, "header: means nothing where the format is parquet"),
        ("training_sets", {"cc12m": 3}, "training_sets.cc12m: is 3. Remedy: give keys with their values"),
        (
            "training_sets",
            dict.fromkeys(("Zero", "zero"), PARAMS["training_sets"]["cc12m"]),
            "'Zero' and 'zero' differ in capitals",
        ),
        ("training_sets", {3: {}} and {"own": PARAMS["training_sets"]["cc12m"]}, "'own' cannot be a training set's name"),
        ("models", {"x": {"family": "jax"}}, "models.x.family: is 'jax'. Remedy: give one of 'open_clip', 'dual'"),
        ("models", {"x": {"architecture": "a"}}, "models.x.family: is missing"),
        ("models", {"x": {"family": "dual", "checkpont": "a"}}, "models.x.checkpont: is no parameter. Remedy: write checkpoint"),
        ("models", {"x": {"family": "dual", "checkpoint": "a", "alpha": 1.0}}, "models.x.alpha: is no parameter"),
        ("models", {"sample__pretrained": "openai"}, "models.sample.pretrained: means nothing with local-dir:"),
        ("models", {"rn50-openai__pretrained": None}, "models.rn50-openai.pretrained: is missing"),
        ("models", {"x": ["a"]}, "models.x: is ['a']"),
    ],
)
def test_what_is_wrong_is_told_by_its_key(section, changes, told):
    assert told in said(section, **changes)


@pytest.mark.parametrize("name", ["a.b", "a b", "it's", 'a"b', "a/b", "..", "a;touch x", "", "-a", "ä", "none", 3, None, True])
def test_a_training_sets_name_becomes_names_of_files(name):
    with pytest.raises(ParameterError, match=r"training_sets: .*(cannot be a training set's name|has a key)"):
        params.parse(SECTIONS["training_sets"], {name: PARAMS["training_sets"]["cc12m"]})


def test_no_training_set_is_an_error():
    with pytest.raises(ParameterError, match="training_sets: names no training set"):
        params.parse(SECTIONS["training_sets"], {})


def test_formats_are_those_that_are_read():
    assert set(TrainingSet.model_fields["format"].annotation.__args__) == set(FORMATS)


BOMB = "language:\n  parser_options:\n    a0: &a0 x\n" + "".join(
    f"    a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9)
)


@pytest.mark.parametrize(
    ("text", "error", "told"),
    [
        ("run: &a\n  workers: *a\n", ParameterError, "run.workers: is {'workers': {"),
        ("language: {pipeline: a, parser: b, conventions: names, parser_options: &a {x: *a}}", ParameterError, "parser_options"),
        ("run: 1\nfiols: {}\n", ParameterError, "fiols: is no section. Remedy: write foils"),
        ("[" * 999, InputError, "nested too deep"),
        ("run: " + "[" * 100_000 + "]" * 100_000, InputError, "nested too deep"),
        ("run: {workers: " + "9" * 5000 + "}", InputError, "is not YAML"),
        ("run: {workers: 2001-99-99}", CrepeError, "params.yaml"),
        ("run: {[1]: 2}", CrepeError, "params.yaml"),
        ("run: {? {a: 1} : 2}", CrepeError, "params.yaml"),
        ("run: \0", CrepeError, "params.yaml"),
        (BOMB, InputError, "its aliases (*name) repeat more than"),
        ("a" * (2 << 20), InputError, "more than"),
        ("run: !!timestamp x", CrepeError, "params.yaml"),
        ("%YAML 9.9\n---\nrun: 1", CrepeError, "params.yaml"),
        ("a: 1\n---\nb: 1", CrepeError, "params.yaml"),
        (
            "models: {a: {architecture: local-dir:/b}}",
            InputError,
            "row 1: is not YAML (found unexpected ':'). Remedy: fix this line: ",
        ),
    ],
)
def test_a_file_that_no_one_would_write_is_told_in_one_line(tmp_path, text, error, told):
    path = tmp_path / "params.yaml"
    path.write_text(text)
    kind = Language if text.startswith("language") else Run
    with pytest.raises(error) as told_of:
        params.load(kind, path)
    assert told in str(told_of.value) and "\n" not in str(told_of.value) and len(str(told_of.value)) < 1000


def test_a_section_travels_to_workers_and_back_from_json():
    foils = params.load(Foils, ROOT / "params.yaml")
    assert pickle.loads(pickle.dumps(foils)) == foils == Foils.model_validate_json(foils.model_dump_json())  # noqa: S301
    assert json.loads(foils.model_dump_json()) == PARAMS["foils"]


def test_every_parameter_has_its_comment():
    """It is above the key, or above one of the two before it. Names that users choose and keys within keys need none."""
    lines = (ROOT / "params.yaml").read_text(encoding="utf-8").splitlines()
    section, explained, silent = "", 0, []
    for line in lines:
        key, indented = line.strip().partition(":")[0], line.startswith(" ")
        if not indented and ":" in line and not line.startswith("#"):
            section, explained = key, 0
        elif line.strip().startswith("#"):
            explained = 3
        elif indented and not line.startswith("    ") and section not in ("training_sets", "models"):
            explained -= 1
            silent += [f"{section}.{key}"] if explained < 0 else []
    assert silent == []


def test_a_file_in_utf_16_is_refused_because_dvc_does_not_read_it(tmp_path):
    path = tmp_path / "params.yaml"
    path.write_text("run: {}", encoding="utf-16")
    with pytest.raises(InputError, match="it is UTF-16, which DVC does not read: save it as UTF-8"):
        params.load(Run, path)
