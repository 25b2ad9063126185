"""Checks that what ``params.yaml`` names exists, before the first stage instead of hours later in the last."""

import os
import re
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from stages.parameters.param_schema import Faults, nearest
from stages.parameters.sections.evaluation import Evaluate, Models, OpenClip, Scores
from stages.parameters.sections.inputs import CORPORA
from stages.parameters.sections.training import Train

MADE = ("data/sample", "data/train")
"""Folders that the stages ``sample`` and ``train`` make, which do not exist before."""
NO_OUTPUTS = {"sample", "features", "language_model_answers"}
"""What may be a link in ``data``: an output as a whole, or no output of DVC's. Links that hold outputs may not."""
TRAINED = "data/train/model/training.json"
"""The file in which ``train`` writes ``train.corpus`` as its model's training set."""
OF_TRAINING_SETS = (
    *(rf"data/{stage}/([^.].*?)(?:\.parquet)?" for stage in ("read_captions", "parse_train", "seen_index", "split")),
    r"metrics/(?:read_captions|parse_train|seen_index|split)_(.+)\.json",
    r"metrics/plots/atom_counts_(.+)\.csv",
)
"""Regular expressions of the files and folders of each training set, with its name."""
ANNOTATIONS = {"visual_genome": ("image_data.json", "scene_graphs.json")}
"""Files that the folder of annotations must have; other formats have other names (:mod:`stages.annotations.formats`)."""


def faults(sections: Mapping[str, Any]) -> Faults:
    """Yield the faults between the ``sections``, by name, and in the files that they name."""
    models, train = sections["models"], sections["train"]
    for key, name, *besides in (
        ("evaluate.model", sections["evaluate"].model),
        ("train.start", train.start, "none"),
        ("mine_negatives.features", sections["mine_negatives"].features, "pixels"),
    ):
        if name not in (*besides, *models.root):
            yield key, f"there is no model {name}", nearest(name, [*besides, *models.root], "add it to models")
    start = models.root.get(train.start)
    if start and not isinstance(start, OpenClip):
        yield "train.start", f"{train.start} is not a model of open_clip", "name one, or none"
    yield from _plugged_in(sections)
    place = start and isinstance(start, OpenClip) and Path(start.pretrained or start.architecture.removeprefix("local-dir:"))
    if place and place.resolve().is_relative_to(Path(TRAINED).parent.resolve()):
        wrong = f"{train.start} lies in {Path(TRAINED).parent}, which is emptied before the stage train writes there"
        yield "train.start", wrong, "copy that folder to another place, and name the copy in models"
    yield from _missing_weights(models, (sections["evaluate"].model, train.start, sections["mine_negatives"].features))
    yield from _unseen_weights(sections["evaluate"], models)
    yield from _architectures(models, train)
    yield from _judging(sections["evaluate"], models, train, sorted(sections["training_sets"].root))
    yield from _linked(sections)
    if not sections["parse_train"].keep_graphs:
        yield "parse_train.keep_graphs", "keeps no graphs, but negatives are made from them", "set true, or a number"
    for key, path in _paths(sections):
        if not path.exists() and not any(path.is_relative_to(made) for made in MADE):
            yield key, f"there is no {path}", "correct the path, or create it"
    yield from _corpus(sections)


def _linked(sections: Mapping[str, Any]) -> Faults:
    """Yield folders behind links, in which DVC does not see changes, and outputs behind one, which it refuses after all work."""
    for outputs in (Path("data"), *sorted(Path().glob("data/[!.]*"))):
        if outputs.is_symlink() and outputs.name not in NO_OUTPUTS:
            wrong = "is a link, but DVC keeps no outputs outside of the repository"
            yield outputs.as_posix(), wrong, "make it a folder, and set dvc cache dir"
    for key, path in (*_paths(sections), ("visual_genome.images", Path(sections["visual_genome"].images))):
        for place, folders, _ in os.walk(path):
            for folder in folders:
                if (link := Path(place, folder)).is_symlink():
                    yield key, f"{link} is a link to a folder, in which DVC sees no changes", REAL_FOLDER


REAL_FOLDER = "put the folder itself there, or name a folder without links to others"


def _missing_weights(models: Models, used: Iterable[str]) -> Faults:
    """Yield files and folders of weights that are missing, of the models that stages load; names of downloads are no paths."""
    for name in dict.fromkeys(used):
        preset = models.root.get(name)
        for place in preset.weights if preset else ():
            path = place.startswith(("/", ".")) or isinstance(preset, Scores)
            path |= isinstance(preset, OpenClip) and "/" in place and not place.startswith("hf-hub:")
            if path and not Path(place).exists() and not any(Path(place).is_relative_to(made) for made in MADE):
                yield f"models.{name}", f"there is no {place}", "correct the path, or put the model's file or folder there"


def _unseen_weights(evaluate: Evaluate, models: Models) -> Faults:
    """Yield local weights that DVC does not track: after they change, all figures would stay the same."""
    preset = models.root.get(evaluate.model)
    if preset is None:
        return
    said = preset.trained_on if (preset.trained_on or "").endswith(".json") else None
    besides = (model.checkpoint for model in evaluate.shortcut_models.values())
    for place in (Path(name.removeprefix("local-dir:")) for name in (*preset.weights, said, *besides) if name):
        made = any(place.is_relative_to(folder) for folder in MADE)
        if (made or place.exists()) and not place.resolve().is_relative_to(Path(evaluate.checkpoints).resolve()):
            wrong = f"is {evaluate.checkpoints}, but weights are read from {place}: a change there would go unnoticed"
            yield "evaluate.checkpoints", wrong, f"name {place}, or a folder around it"


def notes(sections: Mapping[str, Any]) -> Iterator[str]:
    """Yield what does not stop a run: local files that no stage depends on, and missing pictures, for which DVC names no remedy."""
    models, start, features = sections["models"].root, sections["train"].start, sections["mine_negatives"].features
    of_language = "parse_train filter_vg scene_graphs gen_order caption mine_negatives audit"
    named = [
        ("language.pipeline", sections["language"].pipeline, of_language),
        ("foils.plausibility.model", sections["foils"].plausibility.model, "gen_hn_atom gen_hn_comp gen_hn_prod"),
        ("gen_hn_prod.entailment.model", sections["gen_hn_prod"].entailment.model, "gen_hn_prod"),
        *((f"models.{start}", place, "train") for place in (models[start].weights if start in models else ())),
        *((f"models.{features}", place, "mine_negatives") for place in (models[features].weights if features in models else ())),
    ]
    for key, place, stages in named:
        if "/" in place and Path(place).exists():
            yield f"note: {key}: DVC does not see when {place} changes. Remedy: then run dvc repro -f {stages}"
    images = Path(sections["visual_genome"].images)
    if not images.exists() and not any(images.is_relative_to(made) for made in MADE):
        stops = "negatives are made all the same, but evaluate, report and analyse stop"
        yield f"note: visual_genome.images: there is no {images}: {stops}. Remedy: correct the path, or create it"


def _plugged_in(sections: Mapping[str, Any]) -> Faults:
    """Yield faults in the names of things that are not the project's own."""
    language, caption, plausibility = sections["language"], sections["caption"], sections["foils"].plausibility
    if caption.writer == "llm" and not (caption.llm.base_url and caption.llm.model):
        yield "caption.llm", "base_url or model is empty", "name the server's address and its model"
    if language.parser != "rules":
        module = language.parser.rpartition(".")[0]
        try:
            there = bool(module) and find_spec(module) is not None
        except (ImportError, ValueError):
            there = False
        if not there:
            yield "language.parser", f"there is no module {module or language.parser}", "'rules', or module.Class"
    checkpoints = {"language.pipeline": language.pipeline, "foils.plausibility.model": plausibility.model}
    models = sections["evaluate"].shortcut_models
    checkpoints |= {f"evaluate.shortcut_models.{name}.checkpoint": model.checkpoint for name, model in models.items()}
    for key, place in checkpoints.items():
        if place.startswith((".", "/", "~")) and not Path(place).is_dir():
            yield key, f"there is no folder {place}", "correct the path"


def leftovers(training_sets: Collection[str]) -> list[Path]:
    """Return leftovers of training sets that are no longer named; stages that depend on their folders run again."""
    every = sorted(path for pattern in ("data/*/*", "metrics/*", "metrics/plots/*") for path in Path().glob(pattern))
    found = [(path, match[1]) for path in every for place in OF_TRAINING_SETS if (match := re.fullmatch(place, path.as_posix()))]
    return [path for path, name in found if name not in training_sets]


def unknown_to_git(sections: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    """Yield relative paths in the repository that neither git nor DVC tracks: other workspaces of the repository lack them."""
    here = ((key, path) for key, path in _paths(sections) if path.exists() and not path.is_absolute())
    asked = [(key, path) for key, path in here if not any(path.is_relative_to(made) for made in MADE)]
    for key, path in asked:
        known = subprocess.run(["git", "ls-files", "--error-unmatch", path], capture_output=True, check=False)
        if known.returncode == 1 and not Path(f"{path}.dvc").is_file():  # 128: there is no repository
            yield key, path


def no_splits(settings: Evaluate, training_set: str | None, known: Sequence[str]) -> tuple[str, str, str]:
    """Return the fault where only the training sets ``known`` have splits, but not the model's ``own`` one."""
    asked = settings.training_set
    subject = f"{settings.model} was trained on {training_set or 'nobody says what'}, and there" if asked == "own" else "there"
    remedy = f"name the training set whose splits count ({', '.join(known)}), or none to leave systematicity out"
    return "evaluate.training_set", f"is {asked}, but {subject} are splits for {', '.join(known)} only", remedy


def _judging(settings: Evaluate, models: Models, train: Train, known: Sequence[str]) -> Faults:
    training_set = models.root[settings.model].trained_on
    training_set = train.corpus if training_set == TRAINED else training_set
    asked = training_set if settings.training_set == "own" else settings.training_set
    # Another file with a model's training set is read with the model.
    if asked not in (*known, "none") and not (asked or "").endswith(".json"):
        yield no_splits(settings, training_set, known)


def _corpus(sections: Mapping[str, Any]) -> Faults:
    """Yield pairs whose corpus does not exist, or is another than that whose seen and unseen compounds are looked up."""
    train, evaluate = sections["train"], sections["evaluate"]
    pairs, corpus = train.pairs, train.corpus
    if pairs.format == "sample":
        known = sorted(path.stem for path in Path(pairs.path, "pairs").glob("*.parquet")) or CORPORA
        if corpus not in known:
            yield "train.corpus", f"the sample has no pairs of {corpus}", nearest(corpus, known, "name pairs in train.pairs")
            return
    model, training_set = sections["models"].root.get(evaluate.model), sections["training_sets"].root.get(corpus)
    if not model or model.trained_on != TRAINED or not training_set or evaluate.training_set != "own":
        return
    drawn = [Path(path).is_relative_to(MADE[0]) for path in (pairs.path, training_set.path)]
    if drawn == [True, False]:
        wrong = f"is {corpus}, whose captions are in {training_set.path}, but the pairs are the sample's"
        yield "train.corpus", wrong, f"name their pairs in train.pairs, or set evaluate.training_set: {corpus}"
    elif drawn == [False, True]:
        wrong = f"is {corpus}, whose captions are the sample's, but the pairs are in {pairs.path}"
        yield "train.corpus", wrong, "add the pairs' captions to training_sets, and give their name there"


def _architectures(models: Models, train: Train) -> Faults:
    asked = {f"models.{name}.architecture": each.architecture for name, each in models.root.items() if isinstance(each, OpenClip)}
    known = _open_clips()
    for key, name in {**asked, "train.architecture": train.architecture}.items():
        special = name.startswith(("local-dir:", "hf-hub:")) or (key, name) == ("train.architecture", "small")
        if known and not special and name not in known:
            yield key, f"open_clip has no architecture {name}", nearest(name, known, "name one of open_clip's")


def _open_clips() -> list[str]:
    """Return the names of open_clip's architectures, as ``open_clip.list_models`` does, without its slow import."""
    found = find_spec("open_clip")
    places = found.submodule_search_locations if found else None
    return sorted(path.stem for place in places or () for path in Path(place, "model_configs").glob("*.json"))


def _paths(sections: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    """Yield the files and folders that stages depend on and cannot do without, by key: DVC names neither key nor remedy."""
    for name, training_set in sections["training_sets"].root.items():
        yield f"training_sets.{name}.path", Path(training_set.path)
    vg, order, pairs, evaluate = sections["visual_genome"], sections["gen_order"], sections["train"].pairs, sections["evaluate"]
    yield from (("visual_genome.annotations", Path(vg.annotations, file)) for file in ANNOTATIONS.get(vg.format, ("",)))
    yield "gen_order.captions", Path(order.captions)
    yield "gen_order.images_in", Path(order.images_in)
    yield "train.pairs.path", Path(pairs.path)
    yield "train.pairs.images", Path(pairs.images)
    yield "evaluate.checkpoints", Path(evaluate.checkpoints)
    yield "evaluate.suites_folder", Path(evaluate.suites_folder)
    for name, suite in evaluate.suites.items():
        yield f"evaluate.suites.{name}.folder", Path(suite.folder)
        if suite.images:
            yield f"evaluate.suites.{name}.images", Path(suite.images)
