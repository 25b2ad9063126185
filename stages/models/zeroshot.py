"""Measure zero-shot accuracy on folders of classes: ``python -m stages.models.zeroshot FOLDER … --out accuracies.csv``.

For models without a published ImageNet accuracy; ``python -m stages.page.compare … --accuracies accuracies.csv`` relates it
to their R@1 (paper, Figures 7 and 8). The folder has a subfolder of images for each class, as ImageNet's unpacked validation
set has. A class is named as its folder or, where the folders are ImageNet's thousand, as open_clip names it; the
prompts are OpenAI's 80. Every folder is a data set with its own row, named as the folder, or ``imagenet``.
"""

import argparse
import csv
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from open_clip import IMAGENET_CLASSNAMES, OPENAI_IMAGENET_TEMPLATES

from stages.console.progress import progress
from stages.contract.errors import CrepeError, InputError, run
from stages.contract.files import check_folder, complete
from stages.images.crops import ENDINGS, decode
from stages.models.contract import DualEncoder, finite
from stages.models.load import load_dual, preset_of, training_set_of
from stages.parameters import params
from stages.parameters.sections import Evaluate, Models, Run

COLUMNS = ("model", "dataset", "architecture", "pretrained", "training_set", "top1", "source")
IMAGENET = "imagenet"
"""The data set's name where its classes are ImageNet's, and of a row without a data set."""
# Images decoded at a time.
BATCH = 256


def accuracy(model: DualEncoder, classes: Sequence[tuple[str, Sequence[Path]]], workers: int = 1) -> tuple[float, int]:
    """Return the fraction of images whose class's prompts are nearest, between 0 and 1, and the number of images.

    ``classes`` have a name and images.

    Raises:
        CrepeError: as :func:`stages.models.contract.finite`.
    """
    prompts = [template(name) for name, _ in classes for template in OPENAI_IMAGENET_TEMPLATES]
    heads = finite(model.encode_text(prompts), prompts, model.name).reshape(len(classes), -1, model.width).mean(axis=1)
    heads /= np.linalg.norm(heads, axis=1, keepdims=True)
    images = [(path, label) for label, (_, paths) in enumerate(classes) for path in paths]
    right = 0
    with ThreadPoolExecutor(max(1, workers)) as pool:
        for start in progress(range(0, len(images), BATCH), "classifying", f"{BATCH} images"):
            paths, labels = zip(*images[start : start + BATCH], strict=True)
            prepared = list(pool.map(lambda path: model.prepare(decode(path)), paths))
            features = finite(model.encode_image(prepared), paths, model.name)
            right += int((np.argmax(features @ heads.T, axis=1) == labels).sum())
    return right / len(images), len(images)


def read_classes(folder: Path) -> list[tuple[str, list[Path]]]:
    """Return the classes of ``folder`` with their images.

    Raises:
        InputError: there is no such folder, or fewer than two classes, or one has no image.
    """
    check_folder(folder, "name a folder with a subfolder of images for each class")
    folders = sorted(path for path in folder.iterdir() if path.is_dir())
    if len(folders) < 2:
        raise InputError(folder, "has fewer than two classes", "put the images of each class into a subfolder")
    # ImageNet's thousand folders are WordNet ids, in the order of open_clip's names.
    ids = all(path.name[0] == "n" and path.name[1:].isdigit() for path in folders)
    imagenet = ids and len(folders) == len(IMAGENET_CLASSNAMES)
    names = IMAGENET_CLASSNAMES if imagenet else [path.name.replace("_", " ") for path in folders]
    classes = [
        (name, sorted(p for p in path.iterdir() if p.suffix.lower() in ENDINGS)) for name, path in zip(names, folders, strict=True)
    ]
    empty = [path for path, (_, images) in zip(folders, classes, strict=True) if not images]
    if empty:
        raise InputError(empty[0], "is a class without images", "fill it or remove it")
    return classes


def record(path: Path, row: dict[str, str]) -> None:
    """Write ``row`` into the table at ``path``, in place of an earlier one of the same model and data set.

    Raises:
        InputError: the file at ``path`` is no such table.
    """
    rows = []
    if path.is_file():
        with path.open(newline="", encoding="utf-8", errors="replace") as file:
            table = csv.DictReader(file)
            if not {"model", "top1"} <= set(table.fieldnames or ()):
                raise InputError(path, "is not a table of accuracies, and would be lost", "name another place")
            rows = [old for old in table if _key(old) != _key(row)]
    with complete(path) as partial, partial.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows([*rows, row])


def _key(row: Mapping[str, str]) -> tuple[str, str]:
    return row["model"], row.get("dataset") or IMAGENET


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="+", help="a subfolder of images for each class")
    parser.add_argument("--out", type=Path, required=True, help="CSV to write the accuracies into; its other rows stay")
    parser.add_argument("--model", help="a name of the parameters' section models (default: evaluate.model)")
    args = parser.parse_args()
    settings, presets, workers = params.load(Evaluate), params.load(Models), params.load(Run).workers
    name = args.model or settings.model
    datasets = {}
    for folder in args.folder:
        classes = read_classes(folder)
        is_imagenet = [name for name, _ in classes] == IMAGENET_CLASSNAMES
        datasets[IMAGENET if is_imagenet else folder.resolve().name] = classes
    if len(datasets) < len(args.folder):
        raise CrepeError("two folders have the same name. Remedy: rename one of them.")
    model = load_dual(name, presets, settings)
    preset = preset_of(name, presets)
    about = {"architecture": getattr(preset, "architecture", ""), "pretrained": getattr(preset, "pretrained", None) or ""}
    for dataset, classes in datasets.items():
        share, n = accuracy(model, classes, workers)
        row = {"model": name, "dataset": dataset, **about, "training_set": training_set_of(name, presets) or ""}
        row |= {"top1": f"{100 * share:.2f}", "source": f"measured on {n} images of {len(classes)} classes"}
        record(args.out, row)
        asked = f"{n:,} images of {len(classes):,} classes"
        print(f"zeroshot: {name} classifies {100 * share:.2f} % of {asked} of {dataset} correctly; put into {args.out}")


if __name__ == "__main__":
    run(main)
