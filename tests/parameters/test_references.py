"""Whatever ``params.yaml`` names is looked for before the first stage."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel
from ruamel.yaml import YAML

from stages.contract.errors import ParameterError
from stages.parameters import params, references
from stages.parameters.sections import SECTIONS
from stages.world.corpora import CORPORA
from tests.running import ROOT, write_parameters

NO_SUITES = {"evaluate__suites_folder": "LICENSE"}
OWN = {"path": "/nowhere/captions.tsv", "format": "txt"}


def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> str:
    """Return the error of ``python -m stages.parameters.params`` for the project's parameters with ``changes``."""
    (tmp_path / "requirements.txt").touch()
    (tmp_path / "LICENSE").touch()
    write_parameters(tmp_path / "params.yaml", {key.replace("__", "."): value for key, value in changes.items()})
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ParameterError) as error:
        params.main()
    return str(error.value)


def test_all_leftovers_of_a_renamed_training_set_are_listed(tmp_path, monkeypatch):
    left = [
        "data/parse_train/mine",
        "data/read_captions/mine",
        "data/seen_index/mine",
        "data/split/mine.parquet",
        "data/split/v1.5.parquet",
        "metrics/parse_train_mine.json",
        "metrics/plots/atom_counts_mine.csv",
        "metrics/read_captions_mine.json",
        "metrics/seen_index_mine.json",
        "metrics/split_mine.json",
    ]
    for name in (*left, "data/split/cc12m.parquet", "data/split/.gitignore", "data/train/model", "metrics/train.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "data/seen_index/cc12m").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert [str(path) for path in references.leftovers(["cc12m", "laion400m"])] == left


def test_the_corpora_of_the_sample_are_known():
    assert references.CORPORA == CORPORA


def test_a_section_of_own_models_alone_says_what_dvc_needs(tmp_path, monkeypatch):
    mine = {"mine": {"family": "open_clip", "architecture": "ViT-B-32", "pretrained": "openai", "trained_on": "cc12m"}}
    told = said(tmp_path, monkeypatch, models=mine, evaluate__model="mine")
    assert "models.none: is missing, without which DVC stops. Remedy: write none: {} in the section models" in told


def test_the_projects_own_names_are_there(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    params.main()
    assert "git does not know" not in capsys.readouterr().out


def test_what_other_workspaces_lack_is_told(tmp_path, monkeypatch):
    """An experiment with ``--temp`` starts from what git and DVC know; one said "no such file" about a path in its own copy."""
    monkeypatch.chdir(tmp_path)
    for name in ("mine", "theirs", "dvcs", "outside"):
        Path(f"{name}.pt").touch()
    Path("dvcs.pt.dvc").touch()
    sections = {kind: params.load(section, ROOT / "params.yaml") for kind, section in SECTIONS.items()}

    def told(checkpoints: str) -> list[tuple[str, str]]:
        sections["evaluate"] = sections["evaluate"].model_copy(update={"checkpoints": checkpoints})
        return [(key, str(path)) for key, path in references.unknown_to_git(sections)]

    assert told("mine.pt") == [], "there is no repository"
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "add", "theirs.pt"], check=True)
    assert told("mine.pt") == [("evaluate.checkpoints", "mine.pt")]
    assert told("theirs.pt") == told("dvcs.pt") == told(str(tmp_path / "mine.pt")) == told("data/train/model") == []


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"evaluate__model": "ViT-B-32-openai"},
            "evaluate.model: there is no model ViT-B-32-openai. Remedy: write vit-b-32-openai",
        ),
        ({"train__start": "flava"}, "train.start: flava is not a model of open_clip"),
        ({"caption__writer": "llm"}, "caption.llm: base_url or model is empty"),
        ({"language__parser": "nope.Parser"}, "language.parser: there is no module nope"),
        ({"language__pipeline": "/nowhere"}, "language.pipeline: there is no folder /nowhere"),
        ({"parse_train__keep_graphs": False}, "parse_train.keep_graphs: keeps no graphs, but negatives are made from them"),
        ({"train__start": "sampel"}, "train.start: there is no model sampel. Remedy: write sample"),
        ({"train__start": "sample"}, "train.start: sample lies in data/train/model, which is emptied before the stage"),
        ({"mine_negatives__features": "pixel"}, "mine_negatives.features: there is no model pixel. Remedy: write pixels"),
        ({"evaluate__training_set": "cc3m"}, "evaluate.training_set: is cc3m, but there are splits for cc12m, laion400m"),
        ({"evaluate__model": "siglip"}, "is own, but siglip was trained on webli, and there are splits for cc12m"),
        ({"train__corpus": "mine", "train__pairs__format": "tsv"}, "is own, but sample was trained on mine"),
        (
            {"train__corpus": "cc13m", "evaluate__training_set": "cc12m", **NO_SUITES},
            "train.corpus: the sample has no pairs of cc13m. Remedy: write cc12m, if you mean that, or name pairs in train.pairs",
        ),
        (
            {"training_sets__cc12m": {"path": "LICENSE", "format": "txt"}, **NO_SUITES},
            "train.corpus: is cc12m, whose captions are in LICENSE, but the pairs are the sample's. Remedy: name their pairs",
        ),
        (
            {"train__pairs__path": "LICENSE", "train__pairs__format": "tsv", **NO_SUITES},
            "train.corpus: is cc12m, whose captions are the sample's, but the pairs are in LICENSE. Remedy: add the pairs'",
        ),
        ({"evaluate__suites": {"sugar_crepe": {"folder": "x"}}}, "evaluate.suites.sugar_crepe: there is no such suite"),
        (
            {
                "models__siglip": {"family": "open_clip", "architecture": "RN50", "pretrained": "./LICENSE"},
                "evaluate__model": "siglip",
            },
            "evaluate.checkpoints: is data/train/model, but weights are read from LICENSE: a change there would go unnoticed",
        ),
        (
            {"models__siglip": {"family": "open_clip", "architecture": f"local-dir:{ROOT}"}, "evaluate__model": "siglip"},
            f"evaluate.checkpoints: is data/train/model, but weights are read from {ROOT}",
        ),
        ({"evaluate__model": "cyclip"}, "models.cyclip: there is no models/cyclip.pt. Remedy: correct the path"),
        ({"evaluate__model": "albef"}, "models.albef: there is no models/albef.csv"),
        (
            {"models__siglip": {"family": "open_clip", "architecture": "local-dir:/nowhere"}, "train__start": "siglip"},
            "models.siglip: there is no /nowhere",
        ),
        ({"train__architecture": "ViT-B-99"}, "train.architecture: open_clip has no architecture ViT-B-99. Remedy: write ViT-B-"),
        (
            {"models__siglip": {"family": "open_clip", "architecture": "RN5O", "pretrained": "a"}},
            "models.siglip.architecture: open_clip",
        ),
        ({"training_sets__cc12m": OWN}, "training_sets.cc12m.path: there is no /nowhere/captions.tsv. Remedy: correct the path"),
        ({"visual_genome__annotations": "/nowhere"}, "visual_genome.annotations: there is no /nowhere/image_data.json"),
        ({"gen_order__images_in": "/nowhere"}, "gen_order.images_in: there is no /nowhere"),
        ({"visual_genome__images": "~/pictures"}, "visual_genome.images: is '~/pictures': ~ is not expanded here"),
    ],
)
def test_what_is_not_there_is_told_by_its_key(changes, told, tmp_path, monkeypatch):
    assert told in said(tmp_path, monkeypatch, **changes)


def test_folders_behind_links_and_weights_that_nobody_sees_change_are_refused(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "shards").mkdir()
    (tmp_path / "shards" / "more").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "suites").mkdir()
    (tmp_path / "trained.json").write_text('{"training_set": "cc12m"}')
    sets = {"mine": {"path": "shards", "format": "txt"}}
    assert "training_sets.mine.path: shards/more is a link to a folder" in said(
        tmp_path, monkeypatch, training_sets=sets, evaluate__training_set="mine"
    )
    shortcuts = {"mine": {"kind": "causal", "checkpoint": str(tmp_path / "elsewhere")}}
    assert "but weights are read from" in said(tmp_path, monkeypatch, evaluate__shortcut_models=shortcuts)
    assert "read from trained.json" in said(tmp_path, monkeypatch, models__sample__trained_on="trained.json")
    suites = {"sugarcrepe": {"folder": "suites", "images": "elsewhere"}}
    says = said(tmp_path, monkeypatch, evaluate__suites_folder="suites", evaluate__suites=suites)
    assert "evaluate.suites.sugarcrepe.images: elsewhere is not below" in says


def texts_in(kind: Any, key: str) -> Iterator[str]:
    """Yield the keys of ``kind`` whose values are free text, and may be a path."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        for name, field in kind.model_fields.items():
            fixed = any(hasattr(each, "pattern") and each.pattern for each in field.metadata)
            yield from () if fixed else texts_in(field.annotation, key if name == "root" else f"{key}.{name}")
    elif kind is str:
        yield key
    elif get_origin(kind) is dict:
        yield from texts_in(get_args(kind)[1], f"{key}.*")
    elif get_origin(kind) is Annotated:
        yield from texts_in(get_args(kind)[0], key)
    elif get_origin(kind) is not Literal:
        for member in get_args(kind):
            yield from texts_in(member, key)


DEPENDENCIES = {
    "training_sets.*.path": {"read_captions"},
    "visual_genome.annotations": {"scene_graphs", "filter_vg", "analyse", "audit"},
    "visual_genome.images": {"analyse", "evaluate", "report"},
    "gen_order.captions": {"gen_order"},
    "gen_order.images_in": {"evaluate"},
    "train.pairs.path": {"mine_negatives", "train", "analyse"},
    "train.pairs.images": {"mine_negatives", "train", "analyse"},
    "evaluate.checkpoints": {"evaluate"},
    "evaluate.suites_folder": {"evaluate"},
}
"""Paths that are dependencies of these stages."""
BELOW_A_DEPENDENCY = {
    *(f"evaluate.suites.*.{key}" for key in ("folder", "images", "weights")),
    *(f"models.*.{key}" for key in ("architecture", "pretrained", "checkpoint", "file", "trained_on")),
    "evaluate.shortcut_models.*.checkpoint",
}
"""Paths that are refused outside ``evaluate.suites_folder`` and ``evaluate.checkpoints``."""
NOTED = {"language.pipeline", "foils.plausibility.model", "gen_hn_prod.entailment.model"}
"""Paths for which a note says that no stage depends on them."""
NO_PATHS = {
    *("run.memory", "training_sets.*.column", "models.*.question", "train.pairs.caption", "train.pairs.image"),
    *("evaluate.model", "evaluate.training_set", "mine_negatives.features", "train.start", "train.architecture", "train.corpus"),
    *("language.parser", "gen_order.split", "caption.llm.base_url", "caption.llm.model", "caption.llm.key_variable"),
}


def test_every_path_is_a_dependency_or_is_refused_or_noted():
    """A new key with a text value must be in one of the four sets above."""
    found = {key for section, kind in SECTIONS.items() for key in texts_in(kind, section)}
    assert found == DEPENDENCIES.keys() | BELOW_A_DEPENDENCY | NOTED | NO_PATHS
    pipeline = YAML(typ="safe", pure=True).load(ROOT / "dvc.yaml")["stages"]
    stages = {name: stage.get("do", stage) for name, stage in pipeline.items()}
    for key, readers in DEPENDENCIES.items():
        written = f"${{{key.replace('training_sets.*', 'item')}}}"
        assert {name for name, stage in stages.items() if written in stage["deps"]} == readers, key
        assert {name for name, stage in stages.items() if f"'{written}" in str(stage["cmd"])} <= readers, key


@pytest.mark.parametrize("key", sorted(BELOW_A_DEPENDENCY))
def test_a_path_that_no_dependency_covers_is_refused(key, tmp_path, monkeypatch):
    (tmp_path / "suites").mkdir()
    (tmp_path / "mine.json").write_text('{"training_set": "cc12m"}')
    section, _, name = key.partition(".*.")
    if section == "evaluate.suites":
        suite = {"folder": "suites", name: "mine.json"}
        told = said(tmp_path, monkeypatch, evaluate__suites_folder="suites", evaluate__suites={"official": suite})
        assert f"evaluate.suites.official.{name}: mine.json is not below evaluate.suites_folder" in told
        return
    if section == "evaluate.shortcut_models":
        changes: dict[str, Any] = {"evaluate__shortcut_models": {"mine": {"kind": "causal", "checkpoint": "mine.json"}}}
    else:
        given = "local-dir:mine.json" if name == "architecture" else "mine.json"
        family = {"checkpoint": "dual", "file": "scores"}.get(name, "open_clip")
        needed = {"architecture": "RN50", "pretrained": "openai"} if name in ("pretrained", "trained_on") else {}
        mine = {"family": family, "trained_on": "cc12m", **needed, name: given}
        changes = {"models__siglip": mine, "evaluate__model": "siglip"}
    assert "weights are read from mine.json: a change there would go unnoticed" in said(tmp_path, monkeypatch, **changes)


def test_files_that_no_stage_depends_on_are_noted(tmp_path, monkeypatch, capsys):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "mine.pt").touch()
    preset = {"family": "open_clip", "architecture": "RN50", "pretrained": "models/mine.pt", "trained_on": "cc12m"}
    changes = {
        "models.siglip": preset,
        "train.start": "siglip",
        "mine_negatives.features": "siglip",
        "language.pipeline": "./models",
    }
    changes |= {"foils.plausibility.model": "./models", "gen_hn_prod.entailment.model": "./models"}
    write_parameters(tmp_path / "params.yaml", changes)
    (tmp_path / "stages").symlink_to(ROOT / "stages")
    monkeypatch.chdir(tmp_path)
    params.main()
    told = capsys.readouterr().out
    assert "models.siglip: DVC does not see when models/mine.pt changes. Remedy: then run dvc repro -f train" in told
    assert "models.siglip: DVC does not see when models/mine.pt changes. Remedy: then run dvc repro -f mine_negatives" in told
    assert all(f"note: {key}: DVC does not see when ./models changes" in told for key in NOTED)


@pytest.mark.parametrize("key", ["visual_genome.images", "gen_order.images_in", "train.pairs.path", "train.pairs.images"])
def test_a_linked_folder_in_any_folder_of_inputs_is_refused(key, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "VG_100K").symlink_to(tmp_path / "elsewhere")
    assert f"{key}: given/VG_100K is a link to a folder" in said(tmp_path, monkeypatch, **{key.replace(".", "__"): "given"})


def _places() -> list[str]:
    """Return the folders of the outputs that DVC caches, all in ``data``."""
    text = (ROOT / "dvc.yaml").read_text(encoding="utf-8")
    outs = re.findall(r"^ +- (data/\S+)$", "\n".join(re.findall(r"outs:\n((?: +[-#].*\n)+)", text)), re.MULTILINE)
    return sorted({"data", *(Path(*Path(out).parts[:2]).as_posix() for out in outs if len(Path(out).parts) > 2)})


@pytest.mark.parametrize("place", _places())
def test_outputs_behind_a_link_are_refused_before_any_work(place, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).symlink_to(tmp_path / "elsewhere")
    assert f"{place}: is a link" in said(tmp_path, monkeypatch)


def test_negatives_are_made_without_visual_genomes_pictures_with_a_note(tmp_path, monkeypatch, capsys):
    write_parameters(tmp_path / "params.yaml", {"visual_genome.images": "/nowhere"})
    (tmp_path / "data").mkdir()
    for place in ("data/sample", "stages"):
        (tmp_path / place).symlink_to(ROOT / place)
    monkeypatch.chdir(tmp_path)
    params.main()
    assert "note: visual_genome.images: there is no /nowhere: negatives are made all the same" in capsys.readouterr().out
    write_parameters(tmp_path / "params.yaml", {})
    params.main()
    assert "there is no" not in capsys.readouterr().out
