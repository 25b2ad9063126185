"""At the paper's size: 400,000 crops and 1.5 million captions in bounded memory, and figures anew from kept features.

    python -m tests.benchmarks.evaluate_scale encode [--crops N] [--captions N]
    python -m tests.benchmarks.evaluate_scale again [--sets N]

``encode``: crops and captions go through the scorer, with features as wide as ViT-L/14's (768). A projection of the pixels stands
in for the towers, so that what is measured is all but the model: reading, keeping, finding, ranking. ``again``: the stage
``evaluate`` itself, as DVC calls it, with ViT-B-32 and a full store of features, on ``--sets`` retrieval sets over real-size
JPEGs. Last line: JSON with ``seconds``, ``cpu_seconds`` and ``peak_mb``.
"""

from __future__ import annotations

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
from pathlib import Path

import numpy as np
import open_clip
import torch
from PIL import Image
from ruamel.yaml import YAML

from stages.contract import params
from stages.genome.crops import Crop, ImageFolder
from stages.models.contract import DualEncoder
from stages.models.features import FeatureStore
from stages.models.load import load
from stages.models.scoring import Scorer
from stages.retrieval import raw
from stages.retrieval.ranks import rank
from stages.retrieval.sets import Layout, Query, RetrievalSet
from stages.suites import crepe
from tests.benchmarks.evaluate import write_pictures
from tests.suites.made import write_pipeline

ROOT = Path(__file__).resolve().parents[2]


class StandIn(DualEncoder):
    """Features without a model: a fixed projection of what is encoded."""

    identity, width = "stand-in", 768

    def prepare(self, image: Image.Image) -> np.ndarray:
        return np.asarray(image.resize((4, 4)), dtype=np.float32).ravel() / 255

    def encode_image(self, images: Sequence[np.ndarray]) -> np.ndarray:
        return self._project(np.stack(images))

    def encode_text(self, texts: Sequence[str]) -> np.ndarray:
        draws = [np.frombuffer(zlib.crc32(text.encode()).to_bytes(4, "little"), dtype=np.uint8) for text in texts]
        return self._project(np.stack(draws).astype(np.float32) / 255)

    def cut(self, texts: Sequence[str]) -> np.ndarray:
        return np.zeros(len(texts), dtype=bool)

    def _project(self, rows: np.ndarray) -> np.ndarray:
        weights = np.random.default_rng(0).normal(size=(rows.shape[1], self.width)).astype(np.float32)
        found = np.sin(3 * rows @ weights)
        return found / np.linalg.norm(found, axis=1, keepdims=True)


def encode(folder: Path, crops: int, captions: int) -> dict[str, float]:
    """Every crop is a query, whose captions nobody else has."""
    copy_pictures(folder / "images", 2000)
    shares = np.diff(np.arange(crops + 1) * captions // crops)
    sets = [
        RetrievalSet(
            "sys",
            "atom",
            Query(f"region-{i}", Crop(1 + i % 2000, i // 2000, i // 2000, 40, 40)),
            f"a thing {i}",
            tuple(f"a thing {i} beside a thing {j}" for j in range(each - 1)),
            ("object",) * (each - 1),
        )
        for i, each in enumerate(shares.tolist())
    ]
    start = time.perf_counter()
    layout = Layout.of(sets)
    scorer = Scorer(StandIn(), layout, ImageFolder(folder / "images"), folder / "features", workers=2)
    ranks = rank(scorer.scores(), layout.size)
    seconds = round(time.perf_counter() - start, 1)
    return {"crops": len(layout.crops), "captions": len(layout.texts), "sets": len(ranks), "seconds": seconds}


def copy_pictures(folder: Path, count: int) -> None:
    """``count`` JPEGs of 800 x 600: twenty pictures, each file with a tail of its own, so that no two have the same bytes."""
    write_pictures(folder, set(range(1, min(count, 20) + 1)))
    pictures = [(folder / "VG_100K" / f"{i}.jpg").read_bytes() for i in range(1, min(count, 20) + 1)]
    for i in range(21, count + 1):
        (folder / "VG_100K" / f"{i}.jpg").write_bytes(pictures[i % len(pictures)] + i.to_bytes(4, "big"))


def again(folder: Path, wanted: int) -> dict[str, float]:
    """Fill the store with features of random crops and captions, and time the stage on it."""
    images = range(1, wanted // 15 + 1)
    write_pipeline(folder, list(images))
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
    os.chdir(folder)
    YAML().dump(everything, folder / "params.yaml")
    sets = fill_store(folder)
    paths = {"atom": "atom.parquet", "comp": "comp.parquet", "prod": "prod.parquet", "regions": "regions.parquet"}
    paths |= {"captions": "captions.parquet", "splits": "splits", "training-captions": "parse_train", "images": "images"}
    paths |= {"features": "features", "ranks": "ranks.parquet", "metrics": "metrics.json"}
    command = [sys.executable, "-m", "stages.evaluate", *(part for k, v in paths.items() for part in (f"--{k}", v))]
    start = time.perf_counter()
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, stdout=sys.stderr)
    return {"sets": sets, "seconds": round(time.perf_counter() - start, 1)}


def fill_store(folder: Path) -> int:
    """Keep a feature for everything that the stage will ask for; the number of retrieval sets."""
    settings = params.load("evaluate")
    splits = crepe.read_splits(folder / "splits")
    sets = [*crepe.productivity(folder / "prod.parquet")]
    sets += crepe.systematicity(folder / "atom.parquet", folder / "comp.parquet", splits)
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
    model = load("b", params.load("models"), settings)
    Scorer(model, Layout.of(sets, [*pairs, *drawn]), ImageFolder(folder / "images"), folder / "features", ahead=leave)
    return len(sets)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("encode", "again"))
    parser.add_argument("--crops", type=int, default=400_000)
    parser.add_argument("--captions", type=int, default=1_500_000)
    parser.add_argument("--sets", type=int, default=60_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if arguments.what == "encode":
            figures, who = encode(folder, arguments.crops, arguments.captions), resource.RUSAGE_SELF
        else:
            figures, who = again(folder, arguments.sets), resource.RUSAGE_CHILDREN
    used = resource.getrusage(who)
    print(json.dumps({**figures, "cpu_seconds": round(used.ru_utime + used.ru_stime, 1), "peak_mb": round(used.ru_maxrss / 1024)}))


if __name__ == "__main__":
    main()
