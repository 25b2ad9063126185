"""``python -m tests.benchmarks.intervals``: measure how often the 95 % intervals hold, with few and unequal clusters.

Each image has its own probability that its queries are right (beta-distributed, so that two of them correlate by ``CORRELATION``),
and a log-normal number of queries. The draws are a ``mean``, a difference of two sides that every image has (``mixed``), one of two
sides with separate images (``apart``), and one whose first side is right in 97 of 100 (``near_one``). Then come fractions over 20
to 300 images of 1 to 7 queries, with several correlations (``cells``). Those with fewer than five expected events are only printed.

Prints how many of 100 intervals contain the truth: with the normal quantile over errors corrected by one factor (``normal``),
and ``now``. The last line is JSON.
"""

import json
from collections.abc import Callable

import numpy as np

from stages.evaluation.intervals import Z95, Interval, of_mean, of_means

RUNS = 1000
CORRELATION = 0.2
DRAWN: dict[str, Callable[[np.random.Generator, np.ndarray], np.ndarray]] = {
    "mean": lambda draw, images: np.zeros(len(images), np.int64),
    "mixed": lambda draw, images: (draw.random(len(images)) < 0.5).astype(np.int64),
    "apart": lambda draw, images: images % 2,
    "near_one": lambda draw, images: images % 2,
}


def normal(values: np.ndarray, cells: np.ndarray, weights: np.ndarray, images: np.ndarray) -> tuple[float, float]:
    """Return the interval from raw residuals, with the sums of all clusters corrected by one factor."""
    size = np.bincount(cells)
    means = np.bincount(cells, weights=values) / size
    influence = (weights / size)[cells] * (values - means[cells])
    sums, groups = np.bincount(images, weights=influence), len(np.unique(images))
    half = Z95 * np.sqrt(groups / (groups - 1) * np.square(sums).sum())
    return float(weights @ means - half), float(weights @ means + half)


def held(kind: str, clusters: int) -> tuple[float, float]:
    """Return the percentages of runs in which the normal interval holds, and ours."""
    draw, counts = np.random.default_rng(0), np.zeros(2)
    shares = np.array([0.97, 0.5] if kind == "near_one" else [0.5, 0.5])
    spread = 1 / CORRELATION - 1
    runs = 0
    while runs < RUNS:
        images = np.repeat(np.arange(clusters), np.maximum(1, draw.lognormal(1.5, 0.7, clusters).round().astype(int)))
        cells = DRAWN[kind](draw, images)
        weights = np.array([1.0]) if kind == "mean" else np.array([1.0, -1.0])
        of_image = draw.beta(shares[:, None] * spread, (1 - shares[:, None]) * spread, (2, clusters))
        right = (draw.random(len(images)) < of_image[0 if kind in ("mean", "mixed") else cells, images]).astype(float)
        found: Interval | None = of_means(right, cells, weights, images) if cells.max() == len(weights) - 1 else None
        if found is None or np.isnan(found.low):
            continue
        truth, (low, high) = float(shares[: len(weights)] @ weights), normal(right, cells, weights, images)
        counts += (low <= truth <= high, found.low <= truth <= found.high)
        runs += 1
    before, now = 100 * counts / runs
    return float(before), float(now)


SHARES, IMAGES, CORRELATIONS = (0.02, 0.1, 0.5, 0.9, 0.98), (20, 60, 100, 300), (0.0, 0.1, 0.2, 0.4)
EVENTS = 5


def of_shares(share: float, n_images: int, correlation: float, runs: int, seed: int = 1) -> tuple[float, float]:
    """Return the fractions of runs in which the symmetric interval of a fraction holds, and ours."""
    draw, held_in = np.random.default_rng(seed), np.zeros(2)
    for _ in range(runs):
        size = draw.integers(1, 8, n_images)
        spread = 1 / correlation - 1 if correlation else np.inf
        own = draw.beta(share * spread, (1 - share) * spread, n_images) if correlation else np.full(n_images, share)
        images = np.repeat(np.arange(n_images), size)
        right = (draw.random(len(images)) < own[images]).astype(float)
        before, now = of_means(right, np.zeros(len(right), np.int64), np.ones(1), images), of_mean(right, images)
        held_in += (before.low <= share <= before.high, now.low <= share <= now.high)
    before_share, now_share = held_in / runs
    return float(before_share), float(now_share)


def cells() -> list[tuple[float, int, float]]:
    """Return every combination of fraction, number of images and correlation."""
    return [(share, images, correlation) for share in SHARES for images in IMAGES for correlation in CORRELATIONS]


def counts(share: float, images: int) -> bool:
    """Return whether a cell has enough expected events to be judged."""
    return 4 * images * min(share, 1 - share) >= EVENTS


def main() -> None:
    found: dict[str, dict[str, dict[str, float]]] = {}
    for kind in DRAWN:
        for clusters in (5, 10, 30, 100):
            before, now = held(kind, clusters)
            found.setdefault(kind, {})[str(clusters)] = {"normal": round(before, 1), "now": round(now, 1)}
            print(f"{kind:<9} {clusters:>4} images: {before:5.1f} of 100 with the normal quantile, {now:5.1f} now")
    held_to: list[tuple[float, float]] = []
    for share, images, correlation in cells():
        symmetric, now = of_shares(share, images, correlation, RUNS)
        enough = counts(share, images)
        if enough:
            held_to.append((symmetric, now))
        few = "" if enough else ", few events"
        print(f"share {share:4}, {images:>3} images, correlation {correlation}: {symmetric:.3f} symmetric, {now:.3f} now{few}")
    for name, which in (("symmetric", 0), ("now", 1)):
        of = [100 * cell[which] for cell in held_to]
        found.setdefault("cells", {})[name] = {"mean": round(float(np.mean(of)), 1), "least": round(min(of), 1)}
    print(json.dumps(found, sort_keys=True))


if __name__ == "__main__":
    main()
