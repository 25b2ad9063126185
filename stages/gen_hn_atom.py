"""Makes the HN-Atom queries of systematicity (paper, section 4.1): one atom of a one-compound caption replaced by a foil.

Reads ``regions`` with their ``splits``, within which sets are balanced, what is known of their images (``scene_graphs``,
``region_facts``), and the training captions, whose words become foils and whose language model says how plausible a caption is.
Writes ``candidates`` (every foil that was tried, with the reason where it is no negative), ``queries`` (those with a full set) and
``rejects`` (the regions that have none).
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from stages.console import command
from stages.console.progress import progress
from stages.contract import tables
from stages.contract.errors import run
from stages.contract.files import scratch
from stages.contract.ledger import Ledger
from stages.contract.workers import each, in_order
from stages.foils import image_context, knowledge
from stages.foils.choosing import Choice, Chooser
from stages.parameters import params
from stages.parameters.sections import Foils, GenHnAtom, Run, Split, TrainingSets
from stages.splits import splits
from stages.splits.splits import Label
from stages.systematicity import systematic
from stages.systematicity.queries import assign_negatives, write_candidates


class Paths(NamedTuple):
    """The command line."""

    regions: Path
    facts: Path
    scene_graphs: Path
    splits: Path
    captions: Path
    queries: command.Output
    candidates: command.Output
    rejects: command.Output
    metrics: command.Output


def make_candidates(
    paths: Paths, training_sets: list[Path], foils: Foils, running: Run, selector: Chooser, made_from: dict[str, str]
) -> None:
    """Write the table ``candidates``, and show the valid ones to ``selector``."""
    with scratch(paths.candidates) as folder:
        least = params.load(Split).min_count
        knowledge.prepare(folder, training_sets, paths.scene_graphs, paths.facts, foils, least, running)
        rows = progress(systematic.eligible(paths.regions), "foils", "regions")
        pieces = image_context.pieces(image_context.images(rows, paths.scene_graphs, paths.facts), foils.piece)
        tasks = (systematic.Task(piece, folder, foils.max_foils) for piece in pieces)
        write_candidates(paths.candidates, in_order(each(systematic.atoms_of, tasks, running.workers)), selector, made_from)


def write_queries(paths: Paths, labels: Mapping[int, list[Label]], choice: Choice, size: int, made_from: dict[str, str]) -> Ledger:
    """Write ``queries`` and ``rejects`` from the candidates that were chosen."""
    ledger = Ledger("regions")
    for row in tables.read("regions", paths.regions):
        ledger.read()
        if not systematic.one_compound(row):
            ledger.drop("not_one_compound")
    rows, ids = systematic.eligible(paths.regions), (f"region-{row['region_id']}" for row in systematic.eligible(paths.regions))
    with tables.writer("queries", paths.queries, made_from) as write, tables.writer("rejects", paths.rejects) as reject:
        for row, query in zip(rows, assign_negatives(ids, paths.candidates, choice, size), strict=True):
            if query.reason is None:
                ledger.keep()
                own = labels.get(row["region_id"], [])
                write([systematic.query_row(row, query.query_id, "HN-Atom", row["caption"], own, query.negatives)])
            else:
                ledger.drop(query.reason)
                reject([systematic.reject_row(row, query.query_id, query.reason, f"{query.found} valid candidates")])
    return ledger


def main() -> None:
    paths = command.parse(Paths, __doc__)
    foils, size, running = params.load(Foils), params.load(GenHnAtom).negatives, params.load(Run)
    asked = params.load(TrainingSets)
    training_sets, labels = asked.folders(paths.captions), splits.of_regions(asked.tables(paths.splits))
    inputs = {"regions": paths.regions, "region_facts": paths.facts, "scene_graphs": paths.scene_graphs}
    inputs |= {f"splits of {table.stem}": table for table in asked.tables(paths.splits)}
    made_from = tables.lineage(inputs | {f"captions of {folder.name}": folder / "graphs.parquet" for folder in training_sets})
    selector = Chooser(foils, training_sets, size, atoms=True)
    make_candidates(paths, training_sets, foils, running, selector, made_from)
    choice = selector.choose({f"region-{region}": splits.groups(own) for region, own in labels.items()})
    ledger = write_queries(paths, labels, choice, size, made_from)
    eligible = ledger.rows_in - ledger.dropped["not_one_compound"]
    kept_share = ledger.kept / eligible if eligible else 0.0
    figures = {"way": foils.selection, "eligible": eligible, "kept_share": round(kept_share, 4)}
    ledger.write(paths.metrics, **figures)
    print(f"gen_hn_atom: {ledger}; {kept_share:.1%} of {eligible:,} eligible regions have {size} negatives")
    if not ledger.kept:
        needed = f"named in {foils.min_training_count} captions (foils.min_training_count) of {foils.seen_by} set (foils.seen_by)"
        print(f"note: no region has enough foils, which must be {needed}: give more training captions", file=sys.stderr)


if __name__ == "__main__":
    run(main)
