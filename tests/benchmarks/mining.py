"""Measure mining at COCO's size, given features: ``python -m tests.benchmarks.mining [--pairs 590000]``.

Makes captions like those of the benchmarks' corpora and features like a model's, with five captions per image, and mines as the
stage does. Prints seconds, CPU seconds (which other work on the machine does not change) and peak memory of both halves; the
last line is JSON.
"""

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from stages.pairs import texts
from stages.pairs.images import nearest
from stages.parameters.sections import Language, MineNegatives, Run
from tests.benchmarks import made_data
from tests.running import section

PAIRS, AN_IMAGE, WIDTH = 590_000, 5, 512
"""COCO's pairs, its captions per image, and the length of CLIP's features."""


def measured(work: Callable[[], int]) -> dict[str, float]:
    """Return the cost of ``work``, and the count that it returns."""
    begun, before = time.perf_counter(), cpu()
    n = work()
    peak = sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024
    seconds = time.perf_counter() - begun
    return {"n": n, "seconds": round(seconds, 1), "cpu_seconds": round(cpu() - before, 1), "peak_mb": round(peak)}


def cpu() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--captions", type=Path, help="a caption a line, instead of made ones")
    args = parser.parse_args()
    settings, images = section(MineNegatives), args.pairs // AN_IMAGE
    with tempfile.TemporaryDirectory() as folder:
        path = args.captions or Path(folder) / "captions.txt"
        if not args.captions:
            made_data.captions(path, args.pairs)
        lines = path.read_text(encoding="utf-8").splitlines()
        captions = sorted(set((lines * (args.pairs // len(lines) + 1))[: args.pairs]))
        work = Path(folder) / "work"
        found = {
            "texts": measured(lambda: sum(1 for _ in texts.mine(captions, settings, section(Language), section(Run).workers, work)))
        }
    features = np.random.default_rng(0).standard_normal((images, WIDTH), np.float32)
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    own = [[f"caption {i}"] for i in range(images)]
    digests = [i.to_bytes(16) for i in range(images)]
    found["images"] = measured(lambda: sum(1 for _ in nearest(features, settings.neighbours, own, digests)))
    for half, figures in found.items():
        print(f"{half}: {figures['n']:,} in {figures['seconds']} s ({figures['cpu_seconds']} s of CPU), {figures['peak_mb']:,} MB")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
