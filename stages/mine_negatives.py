"""Find NegCLIP's hard negatives: captions with two parts exchanged, and similar images (Yuksekgonul et al., section 4).

Reads the image–caption pairs of ``train.pairs``. Writes a table of text negatives, a row for each distinct caption, and a table of
neighbours, a row for each image. Captions with nothing to exchange are counted; ``train`` decides whether they are left out.
"""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from stages.console import command
from stages.contract import tables
from stages.contract.errors import run
from stages.contract.ledger import Ledger
from stages.contract.resume import code, fingerprint, work_folder
from stages.pairs import images, pairs, texts
from stages.parameters import params
from stages.parameters.sections import Evaluate, Language, MineNegatives, Models, Run, Train
from stages.parsing.pipeline import identity

PACKAGES = ("captions", "contract", "graphs", "images", "models", "pairs", "parsing", "semantics", "text")
"""The packages whose code the resumable work depends on."""


class Paths(NamedTuple):
    """The command line."""

    texts: command.Output
    neighbours: command.Output
    work: Path
    metrics: command.Output


BATCHES = {"batch": 64, "text_batch_tokens": 1024}
"""In place of the section ``evaluate``'s, which are the machine's: another batch would run this stage and the training again."""


def main() -> None:
    args = command.parse(Paths, __doc__)
    settings, running = params.load(MineNegatives), params.load(Run)
    language, presets, evaluate = params.load(Language), params.load(Models), params.load(Evaluate).model_copy(update=BATCHES)
    every = pairs.read(params.load(Train), Ledger("pairs"))
    captions = sorted({caption for of_image in every.captions for caption in of_image})
    ledger, parts = Ledger("captions"), Counter[str]()
    how = [section.model_dump_json() for section in (settings, language, presets, evaluate)]
    with work_folder(
        args.work, fingerprint(code(*PACKAGES), [every.identity(), *how, identity(language.pipeline, language.parser)])
    ) as work:
        with tables.writer("text_negatives", args.texts) as write:
            for row in texts.mine(captions, settings, language, running, work):
                ledger.read()
                ledger.keep() if row["negatives"] else ledger.drop("nothing_to_exchange")
                parts.update(negative["part"] for negative in row["negatives"])
                write([row])
        mined = images.mine(every, settings.neighbours, settings.features, presets, evaluate, running, work)
    rows = ({"image_key": key, "neighbours": near} for key, near in mined.neighbours.items())
    tables.write("image_neighbours", args.neighbours, rows)
    counts = {"images": len(every.keys), "unreadable_images": len(mined.unreadable)}
    ledger.write(args.metrics, negatives=dict(sorted(parts.items())), **counts)
    bad = f", {len(mined.unreadable)} unreadable: {pairs.named(mined.unreadable)}" if mined.unreadable else ""
    print(f"mine_negatives: {ledger}; {sum(parts.values()):,} negatives; {len(every.keys):,} images{bad}")


if __name__ == "__main__":
    run(main)
