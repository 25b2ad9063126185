"""Measure the paper's size: 400,000 crops and 1.5 million captions in bounded memory, and new metrics from cached features.

    python -m tests.benchmarks.evaluate_scale encode [--crops N] [--captions N]
    python -m tests.benchmarks.evaluate_scale again [--queries N]

``encode`` takes crops and captions through everything the stage does between reading and writing its tables, with features as wide
as ViT-B/32's. A projection of the pixels replaces the towers, so everything except the model is measured. ``again`` runs the stage
``evaluate`` as DVC does, with ViT-B-32 and a full feature store, on ``--queries`` queries over real-size JPEGs. Last line: JSON
with ``seconds``, ``cpu_seconds`` and ``peak_mb``.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Sequence
from functools import partial
from itertools import islice, product
from pathlib import Path

import numpy as np
import open_clip
import torch
from PIL import Image
from ruamel.yaml import YAML

from stages.contract import tables
from stages.evaluation import raw
from stages.evaluation.sets import Layout, Query, RetrievalSet, Split
from stages.images.crops import Crop, ImageFolder
from stages.models.contract import DualEncoder, Tokens
from stages.models.features import FeatureStore
from stages.models.load import load
from stages.models.scoring import Scorer
from stages.parameters import params
from stages.parameters.sections import Evaluate, Models
from stages.suites import crepe, score_cache
from stages.suites.evaluation import Evaluation, Part
from tests.benchmarks.evaluate import write_pictures
from tests.running import training_sets
from tests.suites.made import COLOURS, THINGS, TRAINING_SETS, write_pipeline

ROOT = Path(__file__).resolve().parents[2]
SYLLABLES = [consonant + vowel for consonant in "bdklmr" for vowel in "aio"]
# The synthetic tables have three crops per image, each with five rows of queries.
QUERIES_AN_IMAGE = 15


class StandIn(DualEncoder):
    """A replacement for a model: its features are a fixed projection of the input."""

    identity, width, context = "stand-in", 512, 10_000

    def prepare(self, image: Image.Image) -> np.ndarray:
        return np.asarray(image.resize((4, 4)), dtype=np.float32).ravel() / 255

    def encode_image(self, images: Sequence[np.ndarray]) -> np.ndarray:
        return self._project(np.stack(images))

    def encode_text(self, texts: Sequence[str]) -> np.ndarray:
        draws = [np.frombuffer(zlib.crc32(text.encode()).to_bytes(4, "little"), dtype=np.uint8) for text in texts]
        return self._project(np.stack(draws).astype(np.float32) / 255)

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        return [tuple(text.encode()) for text in texts]

    def _project(self, rows: np.ndarray) -> np.ndarray:
        weights = np.random.default_rng(0).normal(size=(rows.shape[1], self.width)).astype(np.float32)
        found = np.sin(3 * rows @ weights)
        return found / np.linalg.norm(found, axis=1, keepdims=True)


def encode(folder: Path, crops: int, captions: int) -> dict[str, float]:
    """Encode, rank, score by shortcuts, summarise and write one query per crop; no two queries share captions."""
    copy_pictures(folder / "images", 2000)
    shares = np.diff(np.arange(crops + 1) * captions // crops)
    sets = [_query(i, each) for i, each in enumerate(shares.tolist())]
    settings = params.load(Evaluate)
    training = [f"a {a} beside a {b}" for a in COLOURS for b in THINGS]
    shortcuts = partial(score_cache.scores, score_cache.scorer_groups(training, settings), kept=folder / "features" / "shortcuts")
    start = time.perf_counter()
    images = ImageFolder(folder / "images")
    _, ranked = Evaluation(StandIn(), shortcuts, folder / "features", "cc12m", settings, workers=2)(Part(sets, {}, images))
    tables.write("ranks", folder / "ranks.parquet", ranked.rows("cc12m"))
    return {"crops": crops, "captions": captions, "sets": len(sets), "seconds": round(time.perf_counter() - start, 1)}


def _query(i: int, captions: int) -> RetrievalSet:
    truth, *negatives = (f"{a}{i} {THINGS[i % 10]} on the {b}" for a, b in islice(product(COLOURS, THINGS), captions))
    crop = Crop(1 + i % 2000, i // 2000, i // 2000, 40, 40)
    query = Query(f"region-{i}", crop, None, "attribute_object", {"cc12m": Split("SC" if i % 3 else "UC", i % 997)})
    return RetrievalSet("sys", "atom", query, truth, tuple(negatives), ("object",) * len(negatives))


def copy_pictures(folder: Path, count: int) -> None:
    """Write ``count`` 800 x 600 JPEGs: copies of twenty pictures, each with a unique tail so that no two have the same bytes."""
    write_pictures(folder, set(range(1, min(count, 20) + 1)))
    pictures = [(folder / "VG_100K" / f"{i}.jpg").read_bytes() for i in range(1, min(count, 20) + 1)]
    for i in range(21, count + 1):
        (folder / "VG_100K" / f"{i}.jpg").write_bytes(pictures[i % len(pictures)] + i.to_bytes(4, "big"))


def again(folder: Path, queries: int) -> dict[str, float]:
    """Fill the feature store with random features, and time the stage on it.

    The vocabulary is large, and there are as many training captions as ``evaluate.shortcut_captions`` lets shortcut scorers read.
    """
    images = range(1, queries // QUERIES_AN_IMAGE + 1)
    words = ["".join(syllables) for syllables in product(SYLLABLES, repeat=3)]
    captions = 2 * params.load(Evaluate).shortcut_captions
    write_pipeline(folder, list(images), colours=words[:200], things=words[200:], training_captions=captions)
    copy_pictures(folder / "images", len(images))
    torch.manual_seed(0)
    torch.save(open_clip.create_model("ViT-B-32").state_dict(), folder / "weights.pt")
    everything = YAML(typ="safe", pure=True).load(ROOT / "params.yaml")
    everything["models"]["b"] = {
        "family": "open_clip",
        "architecture": "ViT-B-32",
        "pretrained": "weights.pt",
        "trained_on": "cc12m",
    }
    everything["evaluate"]["model"] = "b"
    everything["training_sets"] = {name: {"path": "x", "format": "txt"} for name in TRAINING_SETS}
    os.chdir(folder)
    YAML().dump(everything, folder / "params.yaml")
    sets, texts = fill_store(folder)
    paths = {"atom": "atom.parquet", "comp": "comp.parquet", "prod": "prod.parquet", "regions": "regions.parquet"}
    paths |= {"captions": "captions.parquet", "splits": "splits", "training-captions": "parse_train", "images": "images"}
    paths |= {"features": "features", "ranks": "ranks.parquet", "metrics": "metrics.json"}
    command = [sys.executable, "-m", "stages.evaluate", *(part for k, v in paths.items() for part in (f"--{k}", v))]
    # The first run caches shortcut scores and the model's identity; the second is what a change of metrics costs.
    for name in ("first", "again"):
        start, before = time.perf_counter(), cpu_seconds(resource.RUSAGE_CHILDREN)
        subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, stdout=sys.stderr)
        seconds, used = time.perf_counter() - start, cpu_seconds(resource.RUSAGE_CHILDREN) - before
        print(f"{name}: {seconds:.1f} s, {used:.1f} s of the processor", file=sys.stderr)
    asked = {"queries": len(images) * QUERIES_AN_IMAGE, "sets": sets, "captions": texts}
    return {**asked, "seconds": round(seconds, 1), "cpu_seconds": round(used, 1)}


def cpu_seconds(who: int) -> float:
    """Return the processor seconds used so far by this process or by its children."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def fill_store(folder: Path) -> tuple[int, int]:
    """Cache a feature for everything that the stage needs; return the numbers of retrieval sets and of captions."""
    settings = params.load(Evaluate)
    splits = crepe.read_splits(training_sets(*TRAINING_SETS).tables(folder / "splits"))
    sets = [*crepe.productivity(folder / "prod.parquet")]
    sets += crepe.systematicity(folder / "atom.parquet", folder / "comp.parquet")
    pairs = [
        *crepe.raw_systematicity(folder / "regions.parquet", splits["cc12m"]),
        *crepe.raw_productivity(folder / "captions.parquet"),
    ]

    def leave(_: Path, kept: Path, crops: list, texts: list) -> None:
        for name, keys in (("crops", [key for key, _ in crops]), ("texts", [key for key, _ in texts])):
            for start in range(0, len(keys), 8192):
                some = keys[start : start + 8192]
                found = np.random.default_rng(start).normal(size=(len(some), 512)).astype(np.float32)
                FeatureStore.write(kept / name, some, found / np.linalg.norm(found, axis=1, keepdims=True))

    drawn = [pair for group in raw.folds(pairs, 20, 0).values() for fold in group for pair in fold]
    model = load("b", params.load(Models), settings)
    layout = Layout.of(sets, [*pairs, *drawn])
    Scorer(model, layout, ImageFolder(folder / "images"), folder / "features", ahead=leave)
    return len(sets), len(layout.texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("encode", "again"))
    parser.add_argument("--crops", type=int, default=400_000)
    parser.add_argument("--captions", type=int, default=1_500_000)
    parser.add_argument("--queries", type=int, default=60_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if arguments.what == "encode":
            figures, who = encode(folder, arguments.crops, arguments.captions), resource.RUSAGE_SELF
        else:
            figures, who = again(folder, arguments.queries), resource.RUSAGE_CHILDREN
    figures = {"cpu_seconds": round(cpu_seconds(who), 1), "peak_mb": round(resource.getrusage(who).ru_maxrss / 1024), **figures}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
