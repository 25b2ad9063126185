"""The parts of the sample, each made from the seed and a number, so that worker processes can share the work."""

import io
from collections.abc import Iterator
from functools import partial
from itertools import chain
from random import Random
from typing import Any, NamedTuple

from PIL import Image

from stages.contract.workers import each, in_order
from stages.world.annotate import annotate_graph, annotate_regions
from stages.world.compose import compose
from stages.world.corpora import CORPORA, captions, coverage, image_captions
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


class TestImage(NamedTuple):
    """A test image with its annotations and its truth."""

    image_id: int
    jpeg: bytes
    regions: list[dict[str, Any]]
    wordless: int
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
    return TestImage(image_id, jpeg(render(scene), 86), described, regions - len(described), graph, row, captions)


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


def test_images(seed: int, images: int, regions: int, workers: int) -> Iterator[TestImage]:
    """Yield test images 1, 2, …."""
    return in_order(each(partial(test_image, seed, regions), range(1, images + 1), workers))


def training_pool(seed: int, crops: int, workers: int) -> Iterator[Crop]:
    """Yield about ``crops`` training images, without those that have no caption in any corpus."""
    every = in_order(each(partial(training_crops, seed), range(-(-crops // CROPS)), workers))
    return (crop for crop in chain.from_iterable(every) if crop.jpeg)
