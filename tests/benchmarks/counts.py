"""``python -m tests.benchmarks.counts FOLDER KEPT``: make ``stages/negatives/counts.json.gz``.

FOLDER is laid out as for :mod:`tests.benchmarks.real`, with COCO's ``captions/coco_val2017.json``, Flickr8k's
``captions/flickr8k.txt`` (five consecutive captions per image), and FACTUAL's ``factual/train.csv`` (descriptions of single
regions, with graphs). KEPT is the folder that ``real --keep`` left, where the captions are already parsed.
"""

import argparse
import csv
import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from stages.captions.clean import clean
from stages.contract import tables
from stages.graphs.graph import SceneGraph
from stages.negatives.counts import SHIPPED, Counts
from stages.negatives.name_pairs import Pairs
from stages.text import normal

LEAST_IMAGES, LEAST_LIFT = 8, 2.0
"""Minimum images of a retained name, and minimum lift of a retained pair; pairs that seem to name one thing are always retained."""
FACT = re.compile(r"\( ([^,]+) , ([^,]+) , ([^)]+) \)")


def described(folder: Path, kept: Path) -> Iterator[list[SceneGraph]]:
    """Yield the graphs of each image's captions."""
    images: defaultdict[str, list[str]] = defaultdict(list)
    for row in json.loads((folder / "captions/coco_val2017.json").read_bytes()):
        images[f"coco {row['image_id']}"].append(clean(row["caption"]))
    for i, line in enumerate((folder / "captions/flickr8k.txt").read_text(encoding="utf-8").splitlines()):
        images[f"flickr {i // 5}"].append(clean(line))
    graphs = {
        row["caption"]: SceneGraph.from_columns(row)
        for name in ("coco_val2017", "flickr8k")
        for row in tables.read("training_graphs", kept / f"data/parse_train/{name}/graphs.parquet")
    }
    yield from ([graphs[caption] for caption in captions if caption in graphs] for captions in images.values())


def regions(folder: Path, counts: Counts) -> None:
    """Count the attributes of each thing in the descriptions of single regions."""
    with (folder / "factual/train.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            things: defaultdict[str, list[str]] = defaultdict(list)
            for subject, relation, other in FACT.findall(row["scene_graph"]):
                if relation == "is":
                    things[normal.object_name(subject)].append(normal.attribute(other.strip()))
            attributes = tuple((i, a) for i, own in enumerate(things.values()) for a in own)
            counts._describe(SceneGraph(tuple(things), attributes))


def pruned(counts: Counts) -> Counts:
    """Remove what is too rare to be informative, and return the counts."""
    counts.said = {name: n for name, n in counts.said.items() if n[0] >= LEAST_IMAGES}
    kept: dict[str, dict[str, list[int]]] = {}
    for one, row in counts.together.nested().items():
        for other, n in row.items():
            if one in counts.said and other in counts.said:
                lift = n[0] * counts.images / (counts.said[one][0] * counts.said[other][0])
                if lift >= LEAST_LIFT or n[1]:
                    kept.setdefault(one, {})[other] = n
    counts.together = Pairs.of(kept)
    counts.described = {
        a: {b: n for b, n in sorted(row.items()) if n > 1} for a, row in sorted(counts.described.items()) if row[a] >= LEAST_IMAGES
    }
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("kept", type=Path, metavar="KEPT")
    arguments = parser.parse_args()
    counts = Counts.of(described(arguments.folder, arguments.kept))
    regions(arguments.folder, counts)
    text = json.dumps(vars(pruned(counts)) | {"together": counts.together.nested()}, separators=(",", ":"))
    SHIPPED.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{SHIPPED}: {len(counts.said):,} names, {len(counts.together.n):,} pairs of {counts.images:,} images")


if __name__ == "__main__":
    main()
