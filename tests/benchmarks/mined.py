"""Measure how many of NegCLIP's mined text negatives are false: ``python -m tests.benchmarks.mined``, after ``dvc repro``.

The truth of training images is not retained, so the same mining is done on captions of the sample's test images. Each negative is
parsed and compared with its image's complete truth; undecided ones count as not false (``doubtful``). Captions that do not surely
hold themselves, because they were misread, are left out. The exchange sees no image, so a negative that happens to be true is part
of the method (Yuksekgonul et al., ICLR 2023, section 4). Last line: ``{part: {share, low, high, n}}``.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stages.contract import tables
from stages.evaluation.intervals import wilson_share
from stages.graphs.box import Box
from stages.pairs.exchanged import negatives
from stages.parameters.sections import Language, MineNegatives
from stages.parsing.parser import Parser
from stages.world.truth import World
from tests.running import ROOT, section


class Labelled(NamedTuple):
    """A negative with the image it was made for; ``false`` is ``None`` where the truth does not decide."""

    image_id: int
    part: str
    false: bool | None
    caption: str


def labelled(captions: dict[str, int], truths: dict[int, dict[str, Any]]) -> Iterator[Labelled]:
    """Yield every negative of the captions that hold.

    Args:
        captions: the image of each caption.
        truths: rows of the table ``truth``, by image.
    """
    mining, parser = section(MineNegatives), Parser(section(Language))
    for caption, found in negatives(captions, parser, mining.texts, mining.seed):
        truth = truths[captions[caption]]
        world = World.of(truth, Box(0, 0, truth["image_width"], truth["image_height"]))
        own, *others = (world.label(one.graph) for one in parser.parse([caption, *(negative.caption for negative in found)]))
        if own:
            for negative, verdict in zip(found, others, strict=True):
                yield Labelled(truth["image_id"], negative.part, None if verdict is None else not verdict, negative.caption)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT / "data" / "sample", help="what the stage sample has made")
    args = parser.parse_args()
    images = json.loads((args.data / "captions.json").read_text(encoding="utf-8"))["images"]
    captions = {sentence["raw"]: image["imgid"] for image in images for sentence in image["sentences"]}
    rows = list(labelled(captions, {row["image_id"]: row for row in tables.read("truth", args.data / "truth.parquet")}))
    found = {}
    for part in ("all", *sorted({row.part for row in rows})):
        of = [row for row in rows if part in ("all", row.part)]
        found[part] = wilson_share(np.array([row.false is True for row in of]), np.array([row.image_id for row in of]))
        doubtful = sum(row.false is None for row in of)
        print(f"{part}: {100 * found[part]['share']:.1f} % of {len(of):,} are false, {doubtful:,} are not decided")
    print(*(f"true: {row.caption}" for row in rows if row.false is False), sep="\n")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
