"""Convert Visual Genome's annotated scene graphs to the normal form of captions, one row an image.

Reads ``image_data.json`` and ``scene_graphs.json``, or GQA's or PSG's own files (``--format``); writes the tables ``scene_graphs``
and ``rejects``. Boxes are cut to the image. Names, attributes and predicates are phrases that people typed: workers read each
distinct one once. Unusable and duplicate rows are dropped with a reason; so are the relations of a dropped object.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from stages.annotations.formats import as_visual_genome
from stages.annotations.phrases import Phrases, read
from stages.annotations.scene_graphs import Normalising, Readings, phrases, size
from stages.annotations.visual_genome import Fault, SceneRecord, load_images, scene_records
from stages.console import command
from stages.console.progress import progress, progress_bar
from stages.contract import tables
from stages.contract.duck import database
from stages.contract.errors import run
from stages.contract.files import scratch
from stages.contract.inputs import watch
from stages.contract.ledger import Ledger
from stages.contract.workers import each
from stages.parameters import params
from stages.parameters.sections import Language, Run, SceneGraphs, VisualGenome


def readings(records: Iterable[SceneRecord], piece: int, language: Language, running: Run) -> Readings:
    """Return the reading of each distinct phrase of the records."""
    distinct: dict[str, set[str]] = {"object": set(), "attribute": set(), "relation": set()}
    for record in records:
        for kind, text in phrases(record):
            distinct[kind].add(text)
    tasks = [
        Phrases(kind, texts[start : start + piece], language)
        for kind, texts in ((kind, sorted(distinct[kind])) for kind in distinct)
        for start in range(0, len(texts), piece)
    ]
    by_name: dict[tuple[str, str], Any] = {}
    with progress_bar("annotations", "phrases", sum(map(len, distinct.values()))) as bar:
        for number, answers in each(read, tasks, running):
            by_name.update(zip(((tasks[number].kind, text) for text in tasks[number].texts), answers, strict=True))
            bar.update(len(answers))
    return by_name


def normalised(
    records: Iterable[SceneRecord], phrases: Readings, same_object: float
) -> Iterator[tuple[SceneRecord, Any, list[Fault]]]:
    """Yield each record with its row of ``scene_graphs``, or None, and the dropped rows."""
    last = None
    for record in records:
        unfit = (
            "image_no_id" if record.image_id is None
            else "image_duplicate" if record.image_id == last
            else "image_no_size" if record.image_width is None
            else None
        )  # fmt: skip
        last = record.image_id
        if unfit:
            yield record, None, [Fault("image", "", unfit)]
        else:
            normalising = Normalising(record, same_object, phrases)
            yield record, normalising.row(), normalising.faults


class Paths(NamedTuple):
    """The command line."""

    visual_genome: Path
    out: command.Output
    rejects: command.Output
    metrics: command.Output
    format: str = "visual_genome"


PARTS = (
    ("image_", "images", "an image_id that image_data.json has"),
    ("object_", "objects", "object_id, names, and x, y, w, h (or bbox)"),
    ("attribute_", "attributes", "attributes: a list of texts"),
    ("relation_", "relations", "subject_id, object_id (or subject, object) and predicate"),
)
"""For each kind of rows the prefix of its reasons, its unit, and the fields without which a row is useless."""


def main() -> None:
    paths = command.parse(Paths, __doc__)
    settings, running = params.load(SceneGraphs), params.load(Run)
    boxes = params.load(VisualGenome).boxes
    watch(paths.visual_genome / name for name in ("image_data.json", "scene_graphs.json"))
    ledger, counts, unsayable = Ledger("annotations", running.most_dropped), Counter[str](), Counter[str]()
    with (
        scratch(paths.out) as folder,
        database(running.memory, running.workers, folder) as db,
        tables.writer("scene_graphs", paths.out) as write,
        tables.writer("rejects", paths.rejects) as reject,
    ):
        source = as_visual_genome(paths.visual_genome, paths.format, folder)
        images = load_images(db, source)
        phrases = readings(scene_records(db, source, boxes), settings.piece, params.load(Language), running)
        records = progress(scene_records(db, source, boxes), "scene graphs", "images")
        for record, row, faults in normalised(records, phrases, settings.same_object):
            ledger.read(size(record))
            if row is None:  # all annotations of the image are dropped with it
                ledger.drop(faults[0].reason, size(record) - len(faults))
            else:
                ledger.keep(size(record) - len(faults))
                counts.update(images=1, **{kind: len(row[kind]) for kind in ("objects", "attributes", "relations")})
                unsayable.update(f"{atom['kind']}_{atom['reason']}" for atom in row["unsayable"])
                write([row])
            for fault in faults:
                ledger.drop(fault.reason, example=f"{fault.item} of image {record.image_id}, {fault.text!r}")
                if ledger.dropped[fault.reason] <= settings.rejects_per_reason:
                    reject([{"image_id": record.image_id, **fault._asdict(), "detail": ""}])
        for part, kind, looked_for in PARTS:
            path = paths.visual_genome / "scene_graphs.json"
            ledger.stop_if_nothing(path, looked_for, "write them so, or give Visual Genome's own file", part, counts[kind])
    reasons = dict(sorted(unsayable.items()))
    ledger.write(paths.metrics, **counts, unsayable=reasons, distinct_phrases=len(phrases), image_data=images)
    print(f"scene_graphs: {ledger}")


if __name__ == "__main__":
    run(main)
