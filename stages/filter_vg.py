"""Select the regions that are fit to be queries (paper, section 4.1, "Filtering low-quality data").

Reads ``image_data.json`` and ``region_descriptions.json``. Writes ``regions`` (a usable crop, and a description with enough atoms
and a compound, one region for each distinct graph), ``region_facts`` (the facts in all descriptions of each image, for the checks
that a negative is false) and ``rejects``. Every distinct description is cleaned, corrected and parsed once; finished batches stay
in the folder ``--work`` when the run is killed. Where no region is described, all three tables are empty.
"""

from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from stages.annotations import descriptions
from stages.annotations.descriptions import Describing, describe
from stages.annotations.formats import as_visual_genome
from stages.annotations.verdicts import FACT_ROWS, REGIONS, REJECTS, decide
from stages.annotations.visual_genome import REGION_FILE, load_images, load_regions
from stages.console import command
from stages.console.progress import progress_bar
from stages.contract import tables
from stages.contract.duck import database, stream
from stages.contract.errors import run
from stages.contract.files import scratch
from stages.contract.inputs import watch
from stages.contract.ledger import Ledger
from stages.contract.resume import code, fingerprint, load_done, work_folder
from stages.contract.workers import each
from stages.images.crop_rule import CropRule
from stages.parameters import params
from stages.parameters.sections import Crop, FilterVg, Language, Run, VisualGenome
from stages.parsing.pipeline import identity


class Paths(NamedTuple):
    """The command line."""

    visual_genome: Path
    regions: command.Output
    facts: command.Output
    rejects: command.Output
    metrics: command.Output
    work: Path
    format: str = "visual_genome"


FACTS = {"all": "true", "queries": "crop_fault IS NULL"}
"""SQL for the values of ``filter_vg.facts``, which select the descriptions to parse."""


def parse(db: duckdb.DuckDBPyConnection, facts: str, piece: int, language: Language, running: Run, work: Path) -> None:
    """Parse the distinct phrases of the view ``regions`` and make the view ``described``, a row a phrase."""
    db.table("regions").filter(f"fault IS NULL AND {FACTS[facts]}").project("phrase").distinct().create("phrases")
    total = db.table("phrases").shape[0]

    def tasks() -> Iterator[Describing]:
        for number, phrases in enumerate(stream(db, "FROM phrases ORDER BY phrase", batch=piece)):
            out = work / f"{number:06}.parquet"
            if load_done(out.with_suffix(".json")) is None:
                yield Describing(phrases["phrase"].to_pylist(), language, out)

    # A cached batch that is damaged is made again.
    with progress_bar("descriptions", "phrases", total) as bar:
        for _, n in each(describe, tasks(), running):
            bar.update(n)
    if not total:
        describe(Describing([], language, work / "none.parquet"))
    db.read_parquet(str(work / "*.parquet")).create_view("described")


def counted(db: duckdb.DuckDBPyConnection, path: Path, most_dropped: float) -> Ledger:
    """Return the numbers of regions by verdict; an InputError where none is kept."""
    ledger = Ledger("regions", most_dropped)
    query = """
        SELECT reason, count(*), min_by('region ' || coalesce(region_id::VARCHAR, '?') || ' ' || coalesce(phrase, ''), position)
        FROM verdicts JOIN regions USING (position) GROUP BY reason ORDER BY reason"""
    for reason, n, example in db.sql(query).fetchall():
        ledger.read(n)
        ledger.keep(n) if reason is None else ledger.drop(reason, n, example)
    ledger.stop_if_nothing(path, LOOKED_FOR, "correct the file, or lower the sections crop and filter_vg in params.yaml")
    return ledger


LOOKED_FOR = "region_id, x, y, width, height (or bbox) and phrase, crops that meet crop, and compounds that meet filter_vg"


def main() -> None:
    paths = command.parse(Paths, __doc__)
    settings, language, running = params.load(FilterVg), params.load(Language), params.load(Run)
    crop, facts, boxes = params.load(Crop), settings.facts, params.load(VisualGenome).boxes
    watch([path for name in ("image_data.json", REGION_FILE) if (path := paths.visual_genome / name).is_file()])
    with scratch(paths.regions) as folder, database(running.memory, running.workers, folder / "spill") as db:
        source = as_visual_genome(paths.visual_genome, paths.format, folder)
        images = load_images(db, source)
        load_regions(db, source, CropRule.of(crop), folder / "regions.parquet", boxes)
        inputs = [path for name in ("image_data.json", REGION_FILE) if (path := source / name).is_file()]
        values: list[Any] = [part.model_dump() for part in (crop, settings, language)]
        values += [boxes, identity(language.pipeline, language.parser), *map(version, ("spacy", "ftfy", "wordfreq"))]
        # The batches also depend on the set of phrases and their order.
        made_by = code(*descriptions.PACKAGES, "images")
        name = fingerprint([*inputs, *made_by], values)
        with work_folder(paths.work, name) as work:
            parse(db, facts, settings.piece, language, running, work)
            decide(db, settings)
            described = bool(db.sql("SELECT count(*) FROM regions").fetchall()[0][0])
            ledger = counted(db, paths.visual_genome / REGION_FILE, running.most_dropped) if described else Ledger("regions")
            counts: Counter[str] = Counter()
            for table, path, query in (
                ("regions", paths.regions, REGIONS),
                ("region_facts", paths.facts, FACT_ROWS.format(facts=FACTS[facts])),
                ("rejects", paths.rejects, REJECTS.format(most=int(settings.rejects_per_reason))),
            ):
                with tables.writer(table, path) as write:
                    for rows in stream(db, query):
                        write(rows)
                        counts[table] += len(rows)
            phrases = db.table("described").shape[0]
    ledger.write(paths.metrics, images=images, distinct_phrases=phrases, facts=counts["region_facts"])
    print(f"filter_vg: {ledger}" if described else "filter_vg: no region is described; only systematicity is left out")


if __name__ == "__main__":
    run(main)
