"""Time the exports with pictures: ``python -m tests.benchmarks.exports [--rows 6220] [--old CHECKOUT]``.

Makes that many cleared sets over pictures of Visual Genome's size with photographic grain (the worst case for PNG), and writes
them in each format with two workers. ``--old`` also runs another checkout. The last line is JSON: the number of rows, seconds by
format (``_cpu``: processor seconds; ``old_``: the other checkout), and the number of files that differ in more than encoding.
"""

import argparse
import hashlib
import io
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from PIL import Image

from stages.contract import tables
from stages.graphs.graph import SceneGraph
from tests.suites.made import query

FORMATS = ("huggingface", "columns", "sugarcrepe")
ROWS_OF_AN_IMAGE = 20
REGIONS, COMPS, WALKS, NEGS, ORDERS = 8, 2, 3, 2, 4
"""Queries per image: of systematicity, those of them with HN-Comp, of productivity, those of them with HN-Neg, and of Order."""
SIDE = (800, 600)
WORDS = [*"abcdefghijklmnopqrstuvwxyz"]


def picture(seed: int) -> Image.Image:
    """Return a picture of smooth colours with photographic grain."""
    draw = np.random.default_rng(seed)
    smooth = Image.fromarray(draw.integers(0, 256, (12, 16, 3), dtype=np.uint8)).resize(SIDE, Image.Resampling.BICUBIC)
    return Image.fromarray(np.clip(np.asarray(smooth) + draw.normal(0, 4, (*SIDE[::-1], 3)), 0, 255).astype(np.uint8))


def sets_of(image: int, draw: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the 20 queries of an image, each with its table."""

    def asked(table: str, query_id: str, kind: str, crop: dict[str, int], negatives: int) -> tuple[str, dict[str, Any]]:
        texts = [" ".join(draw.sample(WORDS, 12)) for _ in range(1 + negatives)]
        if query_id == f"region-{image}0":
            texts[1] = texts[0].upper()  # the same to CLIP's tokenizer: a tie
        n = 4 if table == "prod" else None
        protocol = None if table == "order" else "cleared"
        graph = SceneGraph(("dog",))
        return table, query(query_id, kind, crop, n, texts[0], graph, texts[1:], ["object"] * negatives, protocol=protocol)

    def crop(least: int, most: int) -> dict[str, int]:
        width, height = draw.randint(least, most), draw.randint(least, most)
        x, y = draw.randint(0, SIDE[0] - width), draw.randint(0, SIDE[1] - height)
        return {"image_id": image, "x": x, "y": y, "width": width, "height": height}

    for i in range(REGIONS):
        box = crop(60, 350)
        yield asked("atom", f"region-{image}{i}", "HN-Atom", box, 4)
        if i < COMPS:
            yield asked("comp", f"region-{image}{i}", "HN-Comp", box, 6)
    for i in range(WALKS):
        box = crop(250, 600)
        for kind in ("HN-Atom", "HN-Swap", *(("HN-Neg",) if i < NEGS else ())):
            if kind != "HN-Swap" or i < NEGS - 1:
                yield asked("prod", f"walk-{image}-4-{i}", kind, box, 5)
    whole = {"image_id": image, "x": 0, "y": 0, "width": 2**31 - 1, "height": 2**31 - 1}
    for i in range(ORDERS):
        yield asked("order", f"order-{image}-{i}", "Order", whole, 4)


def write(folder: Path, rows: int) -> None:
    """Write the tables and pictures of ``rows`` sets."""
    draw = random.Random(0)
    by_table: dict[str, list[dict[str, Any]]] = {}
    (folder / "VG_100K").mkdir()
    for image in range(1, -(-rows // ROWS_OF_AN_IMAGE) + 1):
        picture(image).save(folder / "VG_100K" / f"{image}.jpg", quality=90)
        for table, row in sets_of(image, draw):
            by_table.setdefault(table, []).append(row)
    for table, found in by_table.items():
        tables.write("queries", folder / f"{table}.parquet", found)


def seconds(form: str, made: Path, out: Path, checkout: Path) -> tuple[float, float]:
    """Return a checkout's wall and processor seconds to write a format; the latter are reliable on a busy machine too."""
    named = [f"--{name}={made / name}.parquet" for name in ("atom", "comp", "prod")]
    if form != "sugarcrepe":
        named += [f"--order={made / 'order.parquet'}", f"--order-images={made}"]
    command = [sys.executable, "-m", "stages.suites.export", form, f"--out={out}", f"--images={made}", *named, "--workers=2"]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, cwd=checkout, env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(done.stderr[-3000:])
    return round(wall, 1), round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1)


def differing(one: Path, other: Path) -> int:
    """Return the number of files of two exports that differ in more than the encoding of pictures and tables."""
    files = {path.relative_to(folder) for folder in (one, other) for path in folder.rglob("*") if path.is_file()}
    return sum(digest(one / name) != digest(other / name) for name in files)


def digest(path: Path) -> str:
    """Return a digest of a file's text, pixels or rows; a missing file's digest differs from any file's."""
    if path.suffix == ".parquet":
        found = hashlib.sha256()
        for batch in pq.ParquetFile(path).iter_batches(64):
            for row in batch.to_pylist():
                found.update(pixels(row.pop("image")["bytes"]) + repr(row).encode())
        return found.hexdigest()
    content = path.read_bytes() if path.is_file() else b"missing"
    # Task files contain the path of their own folder.
    content = pixels(content) if path.suffix == ".png" else content.replace(str(path.parents[1]).encode(), b"")
    return hashlib.sha256(content).hexdigest()


def pixels(png: bytes) -> bytes:
    """Return a picture's size, mode and pixels as bytes."""
    image = Image.open(io.BytesIO(png))
    return repr((image.size, image.mode)).encode() + image.tobytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=6220)
    parser.add_argument("--old", type=Path, help="another checkout")
    asked = parser.parse_args()
    figures: dict[str, Any] = {}
    with TemporaryDirectory() as folder:
        made = Path(folder) / "made"
        made.mkdir()
        write(made, asked.rows)
        figures["rows"] = sum(len(list(tables.read("queries", path, ["query_id"]))) for path in made.glob("*.parquet"))
        sides = {"": Path(), **({"old_": asked.old} if asked.old else {})}
        for form in FORMATS:
            for side, checkout in sides.items():
                wall, cpu = seconds(form, made, Path(folder) / f"{side}out" / form, checkout)
                figures |= {f"{side}{form}": wall, f"{side}{form}_cpu": cpu}
                print(f"{form}, {'the other' if side else 'this'} checkout: {wall:.1f} s, {cpu:.1f} s of processors", flush=True)
            if asked.old:
                figures[f"{form}_differing"] = differing(*(Path(folder) / f"{side}out" / form for side in sides))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
