"""Zero-shot accuracy on a folder of classes: ``python -m stages.models.zeroshot FOLDER --out accuracies.csv``.

For models whose ImageNet accuracy nobody has published; ``python -m stages.page.compare … --accuracies accuracies.csv`` sets it
beside their R@1 (paper, Figures 7 and 8). The folder has a subfolder of images for each class, as ImageNet's validation set has
when it is unpacked. A class is named as its folder is or, where the folders are ImageNet's thousand, as open_clip names it; the
prompts are OpenAI's 80.
"""

import argparse
import csv
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from open_clip import IMAGENET_CLASSNAMES, OPENAI_IMAGENET_TEMPLATES

from stages.console.progress import progress
from stages.contract.errors import CrepeError, InputError, run
from stages.contract.files import complete
from stages.images.crops import ENDINGS, decode
from stages.models.contract import DualEncoder
from stages.models.load import load, preset_of, training_set_of
from stages.parameters import params
from stages.parameters.sections import Evaluate, Models, Run

COLUMNS = ("model", "architecture", "pretrained", "training_set", "top1", "source")
# Decoded at a time.
PIECE = 256


def accuracy(model: DualEncoder, classes: Sequence[tuple[str, Sequence[Path]]], workers: int = 1) -> tuple[float, int]:
    """Share of images whose class's prompts are nearest, between 0 and 1, and how many images there are; ``classes`` have a name
    and images.

    Raises:
        CrepeError: as :func:`numbers`.
    """
    prompts = [template(name) for name, _ in classes for template in OPENAI_IMAGENET_TEMPLATES]
    heads = numbers(model.encode_text(prompts)).reshape(len(classes), -1, model.width).mean(axis=1)
    heads /= np.linalg.norm(heads, axis=1, keepdims=True)
    images = [(path, label) for label, (_, paths) in enumerate(classes) for path in paths]
    right = 0
    with ThreadPoolExecutor(max(1, workers)) as pool:
        for start in progress(range(0, len(images), PIECE), "classifying", f"{PIECE} images"):
            paths, labels = zip(*images[start : start + PIECE], strict=True)
            prepared = list(pool.map(lambda path: model.prepare(decode(path)), paths))
            right += int((np.argmax(numbers(model.encode_image(prepared)) @ heads.T, axis=1) == labels).sum())
    return right / len(images), len(images)


def numbers(features: np.ndarray) -> np.ndarray:
    """``features``, if all are finite: of others the first class would be the nearest to every image.

    Raises:
        CrepeError: some are not.
    """
    if np.isfinite(features).all():
        return features
    raise CrepeError("the model's features are no finite numbers. Remedy: take another checkpoint, or evaluate.precision: fp32.")


def read_classes(folder: Path) -> list[tuple[str, list[Path]]]:
    """The classes of ``folder`` with their images.

    Raises:
        InputError: there are no two classes, or one has no image.
    """
    folders = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    if len(folders) < 2:
        raise InputError(folder, "has not a subfolder for each of two classes or more", "unpack ImageNet's validation set so")
    # ImageNet's folders are WordNet ids, and open_clip's names stand in the order of the ids.
    imagenet = len(folders) == len(IMAGENET_CLASSNAMES) and all(path.name[0] == "n" and path.name[1:].isdigit() for path in folders)
    names = IMAGENET_CLASSNAMES if imagenet else [path.name.replace("_", " ") for path in folders]
    classes = [
        (name, sorted(p for p in path.iterdir() if p.suffix.lower() in ENDINGS)) for name, path in zip(names, folders, strict=True)
    ]
    empty = [path for path, (_, images) in zip(folders, classes, strict=True) if not images]
    if empty:
        raise InputError(empty[0], "is a class without images", "fill it or remove it")
    return classes


def record(path: Path, row: dict[str, str]) -> None:
    """Put ``row`` into the table at ``path``, in place of an earlier one of the same model.

    Raises:
        InputError: there is another file.
    """
    rows = []
    if path.is_file():
        with path.open(newline="", encoding="utf-8", errors="replace") as file:
            table = csv.DictReader(file)
            if not {"model", "top1"} <= set(table.fieldnames or ()):
                raise InputError(path, "is no table of accuracies, and would be lost", "name another place")
            rows = [old for old in table if old["model"] != row["model"]]
    with complete(path) as partial, partial.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows([*rows, row])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a subfolder of images for each class")
    parser.add_argument("--out", type=Path, required=True, help="CSV to put the accuracy into; other models' rows stay")
    parser.add_argument("--model", help="a name of the parameters' section models (default: evaluate.model)")
    args = parser.parse_args()
    settings, presets, workers = params.load(Evaluate), params.load(Models), params.load(Run).workers
    name = args.model or settings.model
    classes = read_classes(args.folder)
    model = load(name, presets, settings)
    if not isinstance(model, DualEncoder):
        raise CrepeError(f"{name} scores only pairs of image and caption. Remedy: name a dual encoder.")
    share, n = accuracy(model, classes, workers)
    preset = preset_of(name, presets)
    row = {
        "model": name,
        "architecture": getattr(preset, "architecture", ""),
        "pretrained": getattr(preset, "pretrained", None) or "",
        "training_set": training_set_of(name, presets) or "",
        "top1": f"{100 * share:.2f}",
        "source": f"measured on {n} images of {len(classes)} classes",
    }
    record(args.out, row)
    asked = f"{n:,} images of {len(classes):,} classes"
    print(f"zeroshot: {name} classifies {100 * share:.2f} % of {asked} rightly; put into {args.out}")


if __name__ == "__main__":
    run(main)
