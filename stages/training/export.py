"""Write training pairs with hard negatives for open_clip's own training: ``python -m stages.training.export …``.

``pairs.tsv`` has the columns that open_clip's ``--train-data`` reads by default, ``filepath`` and ``title``, and further ones for a
trainer with hard negatives such as NegCLIP's: lists as Python writes them, ``neg_caption`` of captions and ``neg_image`` of the
numbers of rows, from 0, with a neighbouring image, or of the same row where there is none. NegCLIP's trainer draws from both, and
fails where a caption has no negative: it needs ``train.without_negatives: drop``, which leaves such pairs out, as its authors did.
The pictures are in ``images/``.
"""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from stages.console import command
from stages.contract import tables
from stages.contract.errors import run
from stages.contract.files import complete
from stages.contract.ledger import Ledger
from stages.pairs import pairs
from stages.pairs.pairs import Pairs
from stages.parameters import params
from stages.parameters.sections import Train


class Paths(NamedTuple):
    """The command line: the tables of ``mine_negatives``, and a folder to create."""

    texts: Path
    neighbours: Path
    out: Path


def export(every: Pairs, negatives: Mapping[str, Sequence[str]], neighbours: Mapping[str, Sequence[str]], out: Path) -> int:
    """Write ``pairs.tsv`` and ``images/`` into the folder ``out``, without unreadable pictures, and return the number of pairs."""
    names: dict[str, str] = {}
    with complete(out, folder=True) as folder:
        (folder / "images").mkdir()
        for number, (key, picture) in enumerate(zip(every.keys, every.pictures, strict=True)):
            if found := pairs.opened(picture):
                data, _ = found
                names[key] = f"images/{number:08d}.{_ending(data)}"
                (folder / names[key]).write_bytes(data)
        with (folder / "pairs.tsv").open("w", newline="", encoding="utf-8") as file:
            put = csv.writer(file, delimiter="\t", lineterminator="\n")
            put.writerow(("filepath", "title", "neg_caption", "neg_image"))
            rows = [(key, text) for key, texts in zip(every.keys, every.captions, strict=True) if key in names for text in texts]
            rows_of: dict[str, list[int]] = {}
            for row, (key, _) in enumerate(rows):
                rows_of.setdefault(key, []).append(row)
            for number, (key, caption) in enumerate(rows):
                near = [row for other in neighbours.get(key, ()) for row in rows_of.get(other, ())]
                put.writerow((names[key], caption, list(negatives.get(caption, ())), near or [number]))
    return len(rows)


def _ending(data: bytes) -> str:
    """Return a picture's extension by its first bytes, because its name may have none."""
    return {b"\xff\xd8": "jpg", b"\x89P": "png", b"RI": "webp"}.get(data[:2], "jpg")


def main() -> None:
    args = command.parse(Paths, __doc__)
    settings, ledger = params.load(Train).model_copy(update={"method": "negclip"}), Ledger("pairs")
    every, negatives = pairs.with_negatives(pairs.read(settings, ledger), args.texts, settings, ledger)
    neighbours = {row["image_key"]: row["neighbours"] for row in tables.read("image_neighbours", args.neighbours)}
    ledger.keep(export(every, negatives, neighbours, args.out))
    if ledger.kept < every.n():
        ledger.drop("unreadable_image", every.n() - ledger.kept)
    print(f"export: {ledger}, in {args.out}")


if __name__ == "__main__":
    run(main)
