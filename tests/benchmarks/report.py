"""Measure how long the report takes to show: ``python -m tests.benchmarks.report [--queries 10000]``.

Makes ranks and images, builds the page, and opens it in Chromium, each time in a new browser, as a reader does. Times run from the
start of the navigation to the first paint of the findings, and until the gallery's first cards are interactive; the first view is
the later of the two.
Last line: JSON with ``queries, page_mb, build_s, first_paint_s, gallery_s, first_view_s, filter_s``.
"""

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from stages.page.gallery import gallery
from stages.report import report
from tests.page import made
from tests.page.browser import browser


def write_photographs(folder: Path, count: int) -> None:
    """Write images that compress as badly as photographs, so that the page is as large as a real one."""
    (folder / "VG_100K").mkdir(parents=True)
    for number in range(1, count + 1):
        noise = np.random.default_rng(number).integers(0, 256, (38, 50, 3), dtype=np.uint8)
        image = Image.fromarray(noise).resize((400, 300), Image.Resampling.BICUBIC)
        image.save(folder / "VG_100K" / f"{number}.jpg", quality=90)


def build(folder: Path, queries: int) -> tuple[Path, float]:
    """Return the page, and the seconds that it took from the table of ranks to the file."""
    write_photographs(folder / "images", 40)
    made.write_ranks(folder / "ranks.parquet", queries)
    metrics = made.metrics_of(folder / "ranks.parquet")
    start = time.perf_counter()
    shown = gallery(folder / "ranks.parquet", folder / "images", queries, 0, 256)
    html, _ = report(metrics, None, {}, shown)
    path = folder / "report.html"
    path.write_text(html, encoding="utf-8")
    return path, time.perf_counter() - start


def opened(path: Path) -> dict[str, float]:
    """Return the seconds to the first paint, to the gallery, and for one filter."""
    with browser() as running:
        view = running.new_page(viewport={"width": 1280, "height": 800})
        view.goto(path.as_uri(), wait_until="load")
        paint = view.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        cards = view.evaluate("performance.getEntriesByName('gallery')[0].startTime")
        filtered = view.evaluate(FILTER)
    return {
        "first_paint_s": paint / 1000,
        "gallery_s": cards / 1000,
        "first_view_s": max(paint, cards) / 1000,
        "filter_s": filtered / 1000,
    }


FILTER = """() => new Promise((done) => {
  const select = document.querySelector('select[name=answer]'), start = performance.now();
  select.value = 'wrong';
  select.dispatchEvent(new Event('change', { bubbles: true }));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
})"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=5, help="how often the page is opened; the median counts")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path, seconds = build(Path(folder), args.queries)
        size = path.stat().st_size / 1e6
        runs = [opened(path) for _ in range(args.times)]
    found: dict[str, Any] = {name: round(statistics.median(run[name] for run in runs), 3) for name in runs[0]}
    for run in runs:
        print(", ".join(f"{name} {value:.3f}" for name, value in run.items()))
    print(json.dumps({"queries": args.queries, "page_mb": round(size, 1), "build_s": round(seconds, 2), **found}))


if __name__ == "__main__":
    main()
