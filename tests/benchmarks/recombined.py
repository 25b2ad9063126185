"""Make data of Visual Genome's and the web's sizes and shapes from real files (:mod:`tests.benchmarks.full_size`).

Scene graphs draw their names, attributes and predicates in proportion to GQA's counts, and take their boxes and sizes from real
data. Descriptions and captions join the first half of a real one and the second half of another. So the numbers of distinct texts,
words and compounds grow as in a real corpus. Faults (capitals, spaces, repeats) are retained.
"""

import csv
import gzip
import json
import random
import re
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from stages.contract.files import complete

REGIONS, OBJECTS, RELATIONS = 50, 35, 21
"""Averages per image of Visual Genome: 108,077 images have 5.4 million regions, 3.8 million objects and 2.3 million relations."""
SIZES = ((800, 600), (500, 375), (500, 333), (375, 500), (640, 480), (1024, 768))
AS_WRITTEN = 0.3
"""Fraction of captions that stay whole, because a corpus repeats some many times."""
INVENTED = 0.08
"""Fraction of captions with a name that no other has."""
OUTSIDE = 0.01
"""Fraction of boxes that may leave their image."""
JOINT = re.compile(r" (?:on|in|with|and|of|at|near|by|for|next to|is|,) ")


class Drawn:
    """Draws items in proportion to their counts."""

    def __init__(self, counts: dict[Any, float]):
        self.items, self.weights = list(counts), list(accumulate(counts.values()))

    def draw(self, rng: random.Random) -> Any:
        return rng.choices(self.items, cum_weights=self.weights)[0]


def halves(texts: list[str]) -> tuple[list[str], list[str]]:
    """Return the first and the second halves of texts, with the joint in the second."""
    cut = ((text, match.start()) for text in texts if (match := JOINT.search(text, len(text) // 4)))
    first, second = zip(*((text[:at], text[at:]) for text, at in cut), strict=True)
    return list(first), list(second)


def recombined(texts: list[str], rng: random.Random) -> Iterator[str]:
    """Yield endless texts, recombined from ``texts``."""
    first, second = halves(texts)
    while True:
        text = rng.choice(texts) if rng.random() < AS_WRITTEN else rng.choice(first) + rng.choice(second)
        yield f"{text} {_name(rng)}" if rng.random() < INVENTED else text


def _name(rng: random.Random) -> str:
    return "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(rng.randint(2, 4))).capitalize()


def corpora(data: Path) -> dict[str, list[str]]:
    """Return real captions for three training sets: clean ones, those of Conceptual Captions, and raw web ones."""
    captions = data / "captions"
    clean = [row["caption"] for row in json.loads((captions / "coco_val2017.json").read_text())]
    with gzip.open(captions / "multi30k_train.txt.gz", "rt", encoding="utf-8") as file:
        clean += file.read().splitlines()
    conceptual = [line.split("\t")[0] for line in (captions / "cc3m_val.tsv").read_text(encoding="utf-8").splitlines()]
    web = [text for text in pq.read_table(captions / "laion400m_10k.parquet")["TEXT"].to_pylist() if text]
    return {"yfcc15m": clean, "cc12m": conceptual, "laion400m": web}


def write_captions(path: Path, texts: list[str], n: int, seed: int) -> None:
    """Write a text file of ``n`` captions."""
    rng = random.Random(f"captions {seed}")
    made = recombined([" ".join(text.split()) for text in texts], rng)
    with complete(path) as partial, partial.open("w", encoding="utf-8") as file:
        file.writelines(f"{text}\n" for _, text in zip(range(n), made, strict=False))


class Annotations:
    """Makes the records of images one by one."""

    def __init__(self, data: Path, seed: int):
        self.rng = random.Random(f"annotations {seed}")
        counts = {name: json.loads((data / "gqa_counts" / f"{name}.json").read_text()) for name in COUNTS}
        self.names = Drawn({name: sum(int(k) * n for k, n in of.items()) for name, of in counts["all_obj_counts"].items()})
        self.attributes = {name: Drawn(of) for name, of in counts["obj_to_attr_counts"].items() if of}
        sides = ("to the left of", "to the right of")  # GQA computed these
        said = {name: of for name, of in counts["pred_to_subj_counts"].items() if name not in sides}
        self.predicates = Drawn({name: sum(of.values()) for name, of in said.items()})
        with (data / "vg_regions" / "hvg_train.tsv").open(encoding="utf-8", newline="") as file:
            rows = [
                row
                for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
                if len(row) >= 6 and all(place.isdigit() for place in row[:5])
            ]
        self.boxes = [tuple(map(int, row[1:5])) for row in rows]
        self.phrases = recombined([row[5] for row in rows], self.rng)
        graphs = json.loads((data / "visual_genome" / "scene_graphs.json").read_text())
        self.shapes = [(len(graph["objects"]), len(graph["relationships"])) for graph in graphs]
        self.scale = [
            want / (sum(of) / len(of)) for want, of in zip((OBJECTS, RELATIONS), zip(*self.shapes, strict=True), strict=True)
        ]

    def box(self, width: int, height: int) -> tuple[int, int, int, int]:
        """Return the place and size of a real box, moved into the image; one in a hundred may leave it."""
        x, y, w, h = self.rng.choice(self.boxes)
        w, h, beyond = min(w, width), min(h, height), 10 * (self.rng.random() < OUTSIDE)
        return min(x, width - w) + beyond, min(y, height - h) + beyond, w, h

    def regions(self, image_id: int, width: int, height: int) -> dict[str, Any]:
        made = []
        for i in range(REGIONS):
            x, y, w, h = self.box(width, height)
            place = {"x": x, "y": y, "width": w, "height": h}
            made.append({"region_id": image_id * 100 + i, "image_id": image_id, "phrase": next(self.phrases), **place})
        return {"id": image_id, "regions": made}

    def scene_graph(self, image_id: int, width: int, height: int) -> dict[str, Any]:
        shape = self.rng.choice(self.shapes)
        n, related = (max(2, round(size * scale)) for size, scale in zip(shape, self.scale, strict=True))
        objects = [self._object(image_id * 100 + i, width, height) for i in range(n)]
        relations = [
            {
                "relationship_id": image_id * 100 + i,
                "predicate": self._predicate(),
                "subject_id": self.rng.choice(objects)["object_id"],
                "object_id": self.rng.choice(objects)["object_id"],
                "synsets": [],
            }
            for i in range(related)
        ]
        return {"image_id": image_id, "objects": objects, "relationships": relations}

    def _object(self, object_id: int, width: int, height: int) -> dict[str, Any]:
        x, y, w, h = self.box(width, height)
        name = self.names.draw(self.rng)
        made = {"object_id": object_id, "names": [name], "synsets": [], "x": x, "y": y, "w": w, "h": h}
        if name in self.attributes and self.rng.random() < 0.5:
            made["attributes"] = [self.attributes[name].draw(self.rng)]
        return made

    def _predicate(self) -> str:
        name: str = self.predicates.draw(self.rng)
        return name.upper() if self.rng.random() < 0.1 else name


COUNTS = "all_obj_counts", "obj_to_attr_counts", "pred_to_subj_counts"


def write_annotations(folder: Path, data: Path, images: int, seed: int = 0) -> None:
    """Write Visual Genome's three files with ``images`` images to ``folder``."""
    rng = random.Random(f"sizes {seed}")
    sizes = [rng.choice(SIZES) for _ in range(images)]
    made = Annotations(data, seed)

    def image(image_id: int, width: int, height: int) -> dict[str, Any]:
        return {"image_id": image_id, "width": width, "height": height, "url": ""}

    files: dict[str, Callable[[int, int, int], dict[str, Any]]] = {
        "image_data": image,
        "region_descriptions": made.regions,
        "scene_graphs": made.scene_graph,
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, record in files.items():
        with complete(folder / f"{name}.json") as partial, partial.open("w", encoding="utf-8") as file:
            file.write("[")
            for i, size in enumerate(sizes, 1):
                file.write((", " if i > 1 else "") + json.dumps(record(i, *size)))
            file.write("]")
