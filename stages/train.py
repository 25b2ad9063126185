"""Trains a small CLIP on the image–caption pairs of one of the sample's corpora.

Reads the pool of training images and the corpus's captions of them; writes a folder that ``open_clip`` loads as ``local-dir:``,
with ``training.json``, which says what the model has seen. So the figures of the sample stand well above chance, and models that
were trained on different corpora can be compared.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import NamedTuple

from stages.contract import command, params, tables
from stages.contract.errors import InputError, ParameterError, run
from stages.contract.files import complete, write_json
from stages.contract.ledger import Ledger
from stages.contract.param_schema import Language, Train
from stages.contract.progress import progress
from stages.foils.exchanged import exchanged
from stages.parsing import parser
from stages.training.contrastive import Pairs, decode, train


class Paths(NamedTuple):
    """The command line."""

    sample: Path
    out: Path
    metrics: Path


def read_pairs(images: Path, pairs: Path, ledger: Ledger) -> Pairs:
    """The pairs of a corpus, by image; a caption without its image is dropped."""
    captions: dict[str, list[str]] = {}
    for row in tables.read("training_pairs", pairs):
        ledger.read()
        captions.setdefault(row["image_key"], []).append(row["caption"])
    found = {row["image_key"]: row["jpeg"] for row in tables.read("training_images", images) if row["image_key"] in captions}
    if not found:
        raise InputError(pairs, f"no caption has an image in {images}", "run dvc repro, which makes both")
    kept = sum(len(captions[key]) for key in found)
    ledger.keep(kept)
    if ledger.rows_in > kept:
        ledger.drop("no_image", ledger.rows_in - kept)
    return Pairs(decode(list(found.values())), [captions[key] for key in found])


def exchanges(captions: list[list[str]], seed: int) -> list[list[str | None]]:
    """For each caption a swap negative, or None; the same for the same caption."""
    distinct = sorted({caption for of_image in captions for caption in of_image})
    parsed = progress(parser.make(params.load(Language)).parse(distinct), "swap negatives", "captions", len(distinct))
    found = {p.caption: exchanged(p, Random(f"{seed}:{p.caption}")) for p in parsed}  # noqa: S311
    return [[found[caption] for caption in of_image] for of_image in captions]


def main() -> None:
    args = command.parse(Paths, __doc__)
    settings = params.load(Train)
    corpus = settings.corpus
    known = sorted(path.stem for path in (args.sample / "train" / "pairs").glob("*.parquet"))
    if corpus not in known:
        raise ParameterError("train.corpus", f"there are no pairs of {corpus}", f"choose one of {', '.join(known) or 'none'}")
    ledger = Ledger("pairs")
    pairs = read_pairs(args.sample / "train" / "images.parquet", args.sample / "train" / "pairs" / f"{corpus}.parquet", ledger)
    if settings.swap_negatives:
        pairs = pairs._replace(swapped=exchanges(pairs.captions, settings.seed))
    with complete(args.out, folder=True, alone=True) as folder:
        losses = train(pairs, folder, settings)
        write_json(folder / "training.json", {"training_set": corpus})
    ledger.write(args.metrics, training_set=corpus, steps=settings.steps, images=len(pairs.captions), **losses)
    print(f"train: {ledger}; {settings.steps} steps on {corpus}, loss {losses['first_loss']:.2f} to {losses['last_loss']:.2f}")


if __name__ == "__main__":
    run(main)
