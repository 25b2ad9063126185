"""Measure training on real photographs: ``python -m tests.benchmarks.photographs FOLDER [--old CHECKOUT]``.

``FOLDER`` has captions in Karpathy's form (``dataset_*.json``) and the photographs, in a tar file or loose: Flickr8k, Flickr30k.
Mines negatives, trains all four methods for the same number of steps, and tests each model on held-out photographs: captions
against four shuffles of their words (chance 20 %), as in ARO, and retrieval both ways. For ``clip`` it compares pictures per second
with a plain open_clip loop and with an older version, whose losses must be equal. Runs take turns, each in a separate process.
``--smallest`` makes a few synthetic pictures. The last line is JSON.
"""

import argparse
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from scipy.stats import t

from stages.contract.errors import InputError
from stages.pairs import images, texts
from stages.pairs.pairs import Pairs, Place
from stages.parameters.sections import Evaluate, Language, MineNegatives, Models, Run
from stages.parsing import pipeline
from stages.suites.word_order import alternatives, penn_tags, words_of
from stages.training.agents import SMALL
from tests.running import ROOT, section

METHODS = ("clip", "negclip", "codebook", "iterated")
ENDING, COMPARED = "_differing", 20
"""Suffix of figures that must be 0, and the number of steps whose losses are compared with an older version's."""
SAME = 1e-4
MAX_WORDS = 30
"""As in ARO."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--smallest", action="store_true", help="a few made-up pictures, in seconds")
    parser.add_argument("--old", type=Path, help="a checkout of an older version")
    parser.add_argument("--pictures", type=int, default=6000)
    parser.add_argument("--held-out", type=int, default=1000, help="photographs of the split test")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    if args.smallest:
        args.pictures, args.steps, args.batch, args.seeds, args.threads = 12, 8, 4, 1, 1
    elif not args.folder:
        parser.error("name a FOLDER, or --smallest")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "open_clip_config.json").write_bytes(SMALL.read_bytes())
        pairs = made_up(folder, args.pictures) if args.smallest else read(args.folder, folder, args.pictures)
        held = pairs if args.smallest else read(args.folder, folder, args.held_out, "test")
        begun = time.perf_counter()
        asked = mined(pairs, folder) | {"folder": name, "held_out": with_orders(held)}
        found: dict[str, Any] = {"pictures": len(pairs.keys), "mining_seconds": round(time.perf_counter() - begun, 1)}
        found |= trained(asked, args)
    print(json.dumps(found))


# --- The pairs ----


def read(source: Path, folder: Path, most: int, split: str = "train") -> Pairs:
    """Return the first ``most`` photographs of a ``split``; a tar file is unpacked into ``folder``."""
    described = next(source.glob("dataset_*.json"), None)
    if described is None:
        raise InputError(source, "has no dataset_*.json", "put captions in Karpathy's form there")
    for tar in () if (folder / "images").exists() else source.glob("*.tar"):
        with tarfile.open(tar) as file:
            file.extractall(folder / "images", filter="data")
    found = {path.name: path for root in (source, folder) for path in root.rglob("*.jpg")}
    rows = [row for row in json.loads(described.read_text(encoding="utf-8"))["images"] if row["split"] == split]
    rows = [row for row in rows if row["filename"] in found][:most]
    captions = [list(dict.fromkeys(sentence["raw"].strip() for sentence in row["sentences"])) for row in rows]
    return Pairs([row["filename"] for row in rows], [Place(found[row["filename"]]) for row in rows], captions)


def made_up(folder: Path, n: int) -> Pairs:
    rng, colours = np.random.default_rng(0), ("red", "green", "blue", "white")
    names, captions = [f"{i}.png" for i in range(n)], []
    for i, name in enumerate(names):
        Image.fromarray(rng.integers(0, 256, (40 + i, 50, 3), dtype=np.uint8)).save(folder / name)
        captions.append([f"a {colours[i % 4]} dog sits on a {colours[(i + 1) % 4]} mat number {i}"])
    return Pairs(names, [Place(folder / name) for name in names], captions)


def mined(pairs: Pairs, folder: Path) -> dict[str, Any]:
    """Return the pairs with NegCLIP's negatives of their captions and the neighbours of their pictures, in JSON's types."""
    settings, running = section(MineNegatives), section(Run)
    captions = sorted({caption for of_image in pairs.captions for caption in of_image})
    rows = texts.mine(captions, settings, section(Language), running, folder / "texts")
    negatives = {row["caption"]: [negative["caption"] for negative in row["negatives"]] for row in rows}
    (folder / "neighbours").mkdir()
    near = images.mine(
        pairs, settings.neighbours, settings.features, section(Models), section(Evaluate), running, folder / "neighbours"
    ).neighbours
    number = {key: i for i, key in enumerate(pairs.keys)}
    neighbours = [[number[other] for other in near.get(key, ())] for key in pairs.keys]
    paths = [str(place.path) for place in pairs.pictures if isinstance(place, Place)]
    return {"pictures": paths, "captions": pairs.captions, "negatives": negatives, "neighbours": neighbours}


def with_orders(pairs: Pairs) -> dict[str, Any]:
    """Return the pairs, and each caption with its four orders as in the stage ``gen_order``, in JSON's types."""
    rows = [(i, words_of(caption, MAX_WORDS)) for i, of_image in enumerate(pairs.captions) for caption in of_image]
    tags = penn_tags(pipeline.load("bundled"), (words for _, words in rows))
    orders = []
    for number, ((image, words), penn) in enumerate(zip(rows, tags, strict=True)):
        others = [*alternatives(words, penn, f"0:{number}").values()]
        orders += [[image, " ".join(words), *others]] if None not in others else []
    paths = [str(place.path) for place in pairs.pictures if isinstance(place, Place)]
    return {"pictures": paths, "captions": pairs.captions, "orders": orders}


# --- The trainings ----


def trained(asked: dict[str, Any], args: argparse.Namespace) -> dict[str, Any]:
    """Train every method and version with every seed, in turns; return the figures, with intervals over seeds."""
    runs = [(method, ROOT, False) for method in METHODS] + [("plain", ROOT, True)]
    runs += [("old", args.old, False)] if args.old else []
    found: dict[str, list[dict[str, Any]]] = {name: [] for name, _, _ in runs}
    for seed in range(args.seeds):
        for name, checkout, plain in runs:
            method = name if name in METHODS else "clip"
            settings = {"method": method, "steps": args.steps, "batch": args.batch, "seed": seed, "threads": args.threads}
            sixth = max(1, args.steps // 6)
            iterated = {"warm_up": sixth, "distil": max(1, sixth // 2), "interact": sixth, "last": sixth}
            # An older version may write its model in a different way.
            held = asked["held_out"] if name in METHODS else None
            run = {"settings": settings, "iterated": iterated, "plain": plain, "held_out": held}
            found[name].append(worker(checkout, asked | run))
    table = {name: {key: interval([run[key] for run in of]) for key in of[0] if key != "losses"} for name, of in found.items()}
    for name, of in found.items():
        table[name]["last_losses"] = interval([float(np.mean(run["losses"][-5:])) for run in of])
        print(f"{name}: " + ", ".join(f"{key} {mean:.3g} ± {half:.2g}" for key, (mean, half) in table[name].items()))
    result: dict[str, Any] = {"trainings": table, "times_plain": ratio(found, "plain")}
    if args.old:
        pairs = [
            np.subtract(a["losses"][:COMPARED], b["losses"][:COMPARED]) for a, b in zip(found["clip"], found["old"], strict=True)
        ]
        greatest = float(np.abs(pairs).max())
        result |= {"times_old": ratio(found, "old"), "greatest_difference": greatest, f"losses{ENDING}": int(greatest > SAME)}
    return result


def worker(checkout: Path, asked: dict[str, Any]) -> dict[str, Any]:
    """Train in a separate process, with the code and parameters of ``checkout``."""
    environment = {**os.environ, "PYTHONPATH": str(checkout.resolve()), "OMP_NUM_THREADS": str(asked["settings"]["threads"])}
    command = [sys.executable, "-P", str(Path(__file__).with_name("photographs_worker.py").resolve())]
    done = subprocess.run(command, cwd=checkout, env=environment, input=json.dumps(asked), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr[-3000:])
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def interval(values: list[float]) -> tuple[float, float]:
    """Return the mean over seeds, and half of its 95 % interval."""
    half = t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return round(float(np.mean(values)), 5), round(float(half), 5)


def ratio(found: dict[str, list[dict[str, Any]]], other: str) -> tuple[float, float]:
    """Return the ratio of ``clip``'s pictures per second to those of ``other``, paired by seed."""
    key = "pictures_a_second"
    return interval([a[key] / b[key] for a, b in zip(found["clip"], found[other], strict=True)])


if __name__ == "__main__":
    main()
