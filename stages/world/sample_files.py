"""The sample's files: Visual Genome's, the corpora in the formats of real ones, and the truth."""

import csv
import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from stages.contract import tables
from stages.contract.ledger import Ledger
from stages.world.build import Crop, TestImage
from stages.world.corpora import CORPORA, web_fault
from stages.world.scene import HEIGHT, WIDTH

SITE = "https://sample.invalid"
"""The host of the pictures' addresses, which does not exist: the pictures are in the sample."""
NO_IMAGE_DATA = 0.012
"""The fraction of images without a row in ``image_data.json``."""
SHARDS = 4
"""Number of files of the LAION-400M corpus."""
YFCC_COLUMNS = (
    "photoid", "uid", "title", "description", "usertags", "longitude", "latitude", "pageurl", "downloadurl", "licensename",
)  # fmt: skip


def write_visual_genome(folder: Path, seed: int, images: Iterable[TestImage], ledger: Ledger) -> dict[str, Any]:
    """Write ``visual_genome/``, ``captions.json`` and ``truth.parquet`` below ``folder``, and return the number of images."""
    home = folder / "visual_genome"
    image_data, descriptions, graphs, captioned = [], [], [], []
    with tables.writer("truth", folder / "truth.parquet") as put:
        for image in images:
            rng = Random(f"{seed}:files:{image.image_id}")
            place = "VG_100K" if rng.random() < 0.6 else "VG_100K_2"
            (home / place).mkdir(parents=True, exist_ok=True)
            (home / place / f"{image.image_id}.jpg").write_bytes(image.jpeg)
            # The first image always lacks its row, so that the smallest sample also has this fault.
            if image.image_id > 1 and rng.random() >= NO_IMAGE_DATA:
                url = f"{SITE}/{place}/{image.image_id}.jpg"
                size = {"width": WIDTH, "url": url, "height": HEIGHT}
                image_data.append(size | {"image_id": image.image_id, "coco_id": None, "flickr_id": None})
            descriptions.append({"regions": image.regions, "id": image.image_id})
            graphs.append(image.graph)
            captioned.append(_captioned(image, place))
            ledger.read(len(image.regions) + image.wordless)
            ledger.keep(len(image.regions))
            if image.wordless:
                ledger.drop("wordless", image.wordless)
            put([image.truth])
    for name, content in (("image_data", image_data), ("region_descriptions", descriptions), ("scene_graphs", graphs)):
        (home / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    (folder / "captions.json").write_text(json.dumps({"dataset": "sample", "images": captioned}), encoding="utf-8")
    return {"images": len(descriptions), "objects": sum(len(g["objects"]) for g in graphs)}


def _captioned(image: TestImage, place: str) -> dict[str, Any]:
    """Return the image's entry in Karpathy's format, the common format of COCO's and Flickr30k's captions."""
    return {
        "filepath": place,
        "filename": f"{image.image_id}.jpg",
        "imgid": image.image_id,
        "split": "test",
        "sentences": [{"raw": caption, "imgid": image.image_id} for caption in image.captions],
    }


def write_corpora(folder: Path, seed: int, crops: Iterable[Crop], faults: float) -> dict[str, Any]:
    """Write the three corpora with their pairs, and the pool of images, and return the number of captions of each."""
    (folder / "pairs").mkdir(parents=True)
    pairs: dict[str, list[tuple[str, str]]] = {corpus: [] for corpus in CORPORA}
    with tables.writer("training_images", folder / "images.parquet") as put:
        for crop in crops:
            put([{"image_key": crop.key, "jpeg": crop.jpeg}])
            for corpus in CORPORA:
                pairs[corpus] += [(crop.key, caption) for caption in crop.captions[corpus]]
    for corpus, rows in pairs.items():
        pairs_file = folder / "pairs" / f"{corpus}.parquet"
        tables.write("training_pairs", pairs_file, ({"image_key": key, "caption": caption} for key, caption in rows))
    webbed = {corpus: with_web_faults(Random(f"{seed}:web:{corpus}"), rows, faults) for corpus, rows in pairs.items()}
    _write_cc12m(folder / "cc12m.tsv", webbed["cc12m"])
    _write_yfcc15m(folder / "yfcc15m.csv", webbed["yfcc15m"])
    _write_laion400m(folder / "laion400m", webbed["laion400m"])
    counts = {"captions": webbed, "pairs": pairs}
    return {what: {corpus: len(rows) for corpus, rows in corpora.items()} for what, corpora in counts.items()}


def with_web_faults(rng: Random, rows: list[tuple[str, str]], share: float) -> list[tuple[str, str]]:
    """Return the rows (image key, caption), mixed with a ``share`` of web faults whose keys have no image."""
    mixed = []
    for key, caption in rows:
        mixed.append((key, caption))
        if rng.random() < share:
            mixed.append((f"{key}x", web_fault(rng, caption)))
    return mixed


def _write_cc12m(path: Path, rows: list[tuple[str, str]]) -> None:
    lines = (f"{SITE}/{key}.jpg\t{caption}\n".replace("\t|", " |") for key, caption in rows)
    path.write_text("".join(lines), encoding="utf-8")


def _write_yfcc15m(path: Path, rows: list[tuple[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, YFCC_COLUMNS, restval="")
        out.writeheader()
        for key, caption in rows:
            about = {"photoid": key, "uid": "1@N00", "title": f"IMG {key}", "description": caption, "licensename": "CC0"}
            out.writerow(about | {"pageurl": f"{SITE}/photos/{key}", "downloadurl": f"{SITE}/{key}.jpg"})


def _write_laion400m(folder: Path, rows: list[tuple[str, str]]) -> None:
    folder.mkdir()
    size = max(1, -(-len(rows) // SHARDS))
    table = pa.table(
        {
            "SAMPLE_ID": pa.array(range(len(rows)), pa.int64()),
            "URL": pa.array([f"{SITE}/{key}.jpg" for key, _ in rows], pa.string()),
            "TEXT": pa.array([caption for _, caption in rows], pa.string()),
            "NSFW": pa.array(["UNLIKELY"] * len(rows), pa.string()),
        }
    )
    for shard in range(SHARDS):
        pq.write_table(table.slice(shard * size, size), folder / f"part-{shard:05d}.parquet", compression="zstd")
