"""What the two stages of systematicity share: their command line, their regions, and the tables that they write."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from stages.console import command
from stages.console.progress import progress
from stages.contract import schemas, tables
from stages.contract.files import scratch
from stages.contract.workers import at_most, each, in_order
from stages.images.crop_rule import CropRule
from stages.negatives import knowledge, making
from stages.negatives.candidate import Truth
from stages.negatives.caption import Caption
from stages.negatives.evidence import Evidence
from stages.negatives.frame import is_one_compound
from stages.negatives.knowledge import Sources
from stages.negatives.making import Made, Task
from stages.negatives.meanings import says_nothing, shipped
from stages.negatives.sets import Key, Sets
from stages.negatives.splits import Label
from stages.parameters import params
from stages.parameters.sections import Cleared, Crop, Foils, Run, Split, TrainingSets
from stages.selection.selector import Selector

Row = dict[str, Any]


REGIONS = 5000
"""Number of regions for each worker: those of one compound among them take some ten seconds; a worker takes several to start."""


class Paths(NamedTuple):
    """The command line."""

    regions: Path
    facts: Path
    scene_graphs: Path
    splits: Path
    seen: Path
    captions: Path
    queries: command.Output
    candidates: command.Output
    rejects: command.Output
    metrics: command.Output


class Inputs(NamedTuple):
    """The command line's folders for the training sets that the parameters name.

    Attributes:
        made_from: the versions of all input tables.
    """

    sources: Sources
    split_tables: list[Path]
    seen: list[Path]
    made_from: dict[str, str]


def command_line(description: str | None) -> tuple[Paths, Inputs]:
    """Return the command line, and the tables that it names."""
    paths, named = command.parse(Paths, description), params.load(TrainingSets)
    sources = Sources(named.folders(paths.captions), paths.scene_graphs, paths.facts)
    split_tables, seen = named.tables(paths.splits), named.folders(paths.seen)
    read = {"regions": paths.regions, "region_facts": paths.facts, "scene_graphs": paths.scene_graphs}
    read |= {f"splits of {table.stem}": table for table in split_tables}
    read |= {f"captions of {folder.name}": folder / "graphs.parquet" for folder in sources.training_sets}
    read |= {f"{kind} that {f.name} has seen": f / f"{kind}.parquet" for f in seen for kind in ("atoms", "compounds")}
    return paths, Inputs(sources, split_tables, seen, tables.lineage(read))


def eligible(regions: Path) -> Iterator[Row]:
    """Yield the regions whose caption is exactly one compound, the only ones that systematicity uses (section 4.1)."""
    nothing = Evidence.of(None, [], shipped())
    for row in tables.read("regions", regions):
        whole = len(row["attributes"]) + len(row["relations"]) == 1 and not any(map(says_nothing, row["objects"]))
        if whole and is_one_compound(Caption.of_region(row, nothing)):
            yield row


def made(paths: Paths, inputs: Inputs, kind: str, work: Callable[[Task], list[Made]], size: int) -> Sets:
    """Make the candidates of one type, write their table, and return the sets to choose from."""
    foils, running = params.load(Foils), params.load(Run)
    selector = Selector(params.load(Cleared), foils.plausibility, inputs.sources.training_sets, size)
    sets = Sets({kind: selector}, size, foils.seed)
    with scratch(paths.candidates) as folder, tables.writer("candidates", paths.candidates, inputs.made_from) as write:
        knowledge.prepare(folder, inputs.sources, foils, params.load(Split).min_count, running)
        rows = progress(eligible(paths.regions), kind, "regions")
        tasks = making.pieces_of(rows, inputs.sources, folder, foils, CropRule.of(params.load(Crop)))
        workers = at_most(running, tables.count("regions", paths.regions) // REGIONS)
        for batch in in_order(each(work, tasks, workers)):
            sets.add(batch, write)
    return sets


def write(paths: Paths, inputs: Inputs, sets: Sets, labels: Callable[[Key, Truth], list[Label]], stage: str) -> None:
    """Write ``queries``, ``rejects`` and the ledger, and print one line."""
    rows = {f"region-{row['region_id']}": row for row in eligible(paths.regions)}

    def row_of(key: Key, truth: Truth) -> Row:
        crop = {name: rows[key[1]][name] for name, *_ in schemas.CROP}
        crop |= truth.crop._asdict() if truth.crop else {}
        return {**crop, "n": truth.graph.n, "splits": [label._asdict() for label in labels(key, truth)]}

    sets.write(paths, rows, row_of, inputs.made_from, stage)
