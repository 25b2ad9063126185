"""The sample: images and captions, drawn in worker processes from the seed and a number, and their files in real ones' formats."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from stages.console.progress import progress
from stages.contract import tables
from stages.contract.ledger import Ledger
from stages.contract.workers import each, in_order
from stages.parameters.sections import CORPORA, Sample
from stages.world.annotate import annotate_graph, annotate_regions
from stages.world.compose import compose
from stages.world.corpora import captions, coverage, image_captions, web_fault
from stages.world.facts import drawn, facts, framed
from stages.world.relations import Relations
from stages.world.render import render
from stages.world.scene import HEIGHT, WIDTH, Scene, union

CROP = 56
"""Side of a training crop, in pixels; crops of any shape are resized to a square."""
CROPS = 5
"""Number of training crops from one scene."""
ALONE = 0.8
"""The fraction of crops whose captions state one fact; the others state two or three."""
SITE = "https://sample.invalid"
"""The host of the pictures' addresses, which does not exist: the pictures are in the sample."""
NO_IMAGE_DATA = 0.012
"""The fraction of images without a row in ``image_data.json``."""
SHARDS = 4
"""Number of files of the LAION-400M corpus."""
YFCC_COLUMNS = (
    "photoid", "uid", "title", "description", "usertags", "longitude", "latitude", "pageurl", "downloadurl", "licensename",
)  # fmt: skip


class TestImage(NamedTuple):
    """A test image with its annotations and its truth."""

    image_id: int
    jpeg: bytes
    regions: list[dict[str, Any]]
    graph: dict[str, Any]
    truth: dict[str, Any]
    captions: list[str]


class Crop(NamedTuple):
    """A training image with its captions in each corpus."""

    key: str
    jpeg: bytes
    captions: dict[str, list[str]]


def jpeg(image: Image.Image, quality: int) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality, subsampling=0)
    return buffer.getvalue()


def test_image(seed: int, regions: int, image_id: int) -> TestImage:
    """Draw and annotate test image number ``image_id``."""
    rng = Random(f"{seed}:image:{image_id}")
    scene = compose(rng)
    relations = Relations(scene)
    described = annotate_regions(rng, image_id, scene, relations, regions)
    graph = annotate_graph(rng, image_id, scene, relations)
    captions = image_captions(Random(f"{seed}:captions:{image_id}"), scene, facts(scene, relations))
    row = truth(image_id, scene, relations)
    return TestImage(image_id, jpeg(render(scene), 86), described, graph, row, captions)


def truth(image_id: int, scene: Scene, relations: Relations) -> dict[str, Any]:
    """Return the row of the truth table: all things, and all relations that hold or are doubtful."""
    every = [(verdict, {"subject": s, "relation": r, "object": o}) for s, r, o, verdict in relations.all()]
    return {
        "image_id": image_id,
        "image_width": WIDTH,
        "image_height": HEIGHT,
        "theme": scene.theme,
        "things": [
            {name: getattr(thing, name) for name in ("kind", "colour", "pattern", "size", "state")}
            | {"x": x0, "y": y0, "width": max(1, x1 - x0), "height": max(1, y1 - y0)}
            for thing in scene.things
            for x0, y0, x1, y1 in [map(round, thing.box)]
        ],
        "relations": [relation for verdict, relation in every if verdict],
        "doubtful": [relation for verdict, relation in every if verdict is None],
    }


def training_crops(seed: int, number: int) -> list[Crop]:
    """Return the crops of training scene ``number``, with each corpus's captions."""
    rng = Random(f"{seed}:training:{number}")
    scene = compose(rng)
    weighted = facts(scene, Relations(scene))
    crops = []
    for k in range(CROPS):
        chosen = drawn(rng, weighted, 1 if rng.random() < ALONE else rng.choice((2, 3)))
        box = framed(rng, union(fact.box(scene) for fact in chosen))
        words = {corpus: captions(rng, scene, chosen, coverage(seed, corpus)) for corpus in CORPORA}
        image = jpeg(render(scene, box, (CROP, CROP)), 88) if any(words.values()) else b""
        crops.append(Crop(f"{number:06d}{k}", image, words))
    return crops


def write(folder: Path, settings: Sample, workers: int, ledger: Ledger) -> dict[str, Any]:
    """Write the sample of ``settings`` into ``folder``, and return its counts; the ``ledger`` gets those of its regions."""
    images = (partial(test_image, settings.seed, settings.regions, number) for number in range(1, settings.images + 1))
    scenes = (partial(training_crops, settings.seed, number) for number in range(-(-settings.training_images // CROPS)))
    # One after another by the same workers: each takes seconds to start.
    every = in_order(each(_drawn, chain[Drawing](images, scenes), workers))
    counts = _write_visual_genome(folder, islice(every, settings.images), settings, ledger)
    return counts | _write_corpora(folder / "train", chain.from_iterable(every), settings)


Drawing = Callable[[], Any]
"""A test image, or the crops of a training scene, to be drawn by a worker."""


def _drawn(drawing: Drawing) -> Any:
    return drawing()


def _write_visual_genome(folder: Path, every: Iterator[TestImage], settings: Sample, ledger: Ledger) -> dict[str, Any]:
    """Write ``visual_genome/``, ``captions.json`` and ``truth.parquet`` below ``folder``, and return the number of images."""
    home = folder / "visual_genome"
    image_data, descriptions, graphs, captioned = [], [], [], []
    with tables.writer("truth", folder / "truth.parquet") as put:
        for image in progress(every, "test images", "images", settings.images):
            rng = Random(f"{settings.seed}:files:{image.image_id}")
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
            ledger.read(settings.regions)
            ledger.keep(len(image.regions))
            if wordless := settings.regions - len(image.regions):
                ledger.drop("wordless", wordless)
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


def _write_corpora(folder: Path, every: Iterator[Crop], settings: Sample) -> dict[str, Any]:
    """Write the three corpora with their pairs, and the pool of images, and return the number of captions of each.

    About ``training_images`` are drawn, and those that have no caption in any corpus are left out.
    """
    pool = (crop for crop in every if crop.jpeg)
    (folder / "pairs").mkdir(parents=True)
    pairs: dict[str, list[tuple[str, str]]] = {corpus: [] for corpus in CORPORA}
    with tables.writer("training_images", folder / "images.parquet") as put:
        for crop in progress(pool, "training images", "images", settings.training_images):
            put([{"image_key": crop.key, "jpeg": crop.jpeg}])
            for corpus in CORPORA:
                pairs[corpus] += [(crop.key, caption) for caption in crop.captions[corpus]]
    for corpus, rows in pairs.items():
        pairs_file = folder / "pairs" / f"{corpus}.parquet"
        tables.write("training_pairs", pairs_file, ({"image_key": key, "caption": caption} for key, caption in rows))
    webbed = {
        corpus: with_web_faults(Random(f"{settings.seed}:web:{corpus}"), rows, settings.web_faults)
        for corpus, rows in pairs.items()
    }
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
