"""Brings Visual Genome's annotated scene graphs to the normal form that captions have too, one row an image.

Reads ``image_data.json`` and ``scene_graphs.json``; writes the tables ``scene_graphs`` and ``rejects``. Boxes are cut to the image.
What cannot be used, or is there twice, is dropped with its reason; so are the relations of a dropped object.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from stages.contract import params, tables
from stages.contract.duck import database
from stages.contract.errors import run
from stages.contract.files import scratch
from stages.contract.ledger import Ledger
from stages.contract.param_schema import Run, SceneGraphs
from stages.contract.progress import progress
from stages.visual_genome.annotations import Normalising, size
from stages.visual_genome.files import Fault, load_images, scene_records


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("--visual-genome", "--out", "--rejects", "--metrics"):
        parser.add_argument(option, required=True, type=Path)
    paths = parser.parse_args()
    settings, running = params.load(SceneGraphs), params.load(Run)
    ledger, counts, last = Ledger("annotations"), Counter[str](), None
    with (
        scratch(paths.out) as folder,
        database(running.memory, running.workers, folder) as db,
        tables.writer("scene_graphs", paths.out) as write,
        tables.writer("rejects", paths.rejects) as reject,
    ):
        images = load_images(db, paths.visual_genome)
        for record in progress(scene_records(db, paths.visual_genome), "scene graphs", "images"):
            unfit = (
                "image_no_id" if record.image_id is None
                else "image_duplicate" if record.image_id == last
                else "image_no_size" if record.image_width is None
                else None
            )  # fmt: skip
            last = record.image_id
            if unfit:
                ledger.read()
                faults = [Fault("image", "", unfit)]
            else:
                normalising = Normalising(record, settings.same_object)
                row = normalising.row()
                faults = normalising.faults
                ledger.read(size(record))
                ledger.keep(size(record) - len(faults))
                counts.update(images=1, **{kind: len(row[kind]) for kind in ("objects", "attributes", "relations")})
                write([row])
            for fault in faults:
                ledger.drop(fault.reason)
                if ledger.dropped[fault.reason] <= settings.rejects_per_reason:
                    reject([{"image_id": record.image_id, **fault._asdict(), "detail": ""}])
    ledger.write(paths.metrics, **counts, image_data=images)
    print(f"scene_graphs: {ledger}")


if __name__ == "__main__":
    run(main)
