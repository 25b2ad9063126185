"""Make ARO's cases of relation and attribution from annotated scene graphs (Yuksekgonul et al., ICLR 2023, appendix A.1).

Reads ``scene_graphs`` and the facts in descriptions of the same images (``region_facts``), to exclude exchanged captions
that may be true. Writes ``queries``, a set of two captions each, and ``rejects``; the ledger lists the relations that were
left out because they are symmetric, with their counts.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from stages.console import command
from stages.console.progress import progress
from stages.contract import tables
from stages.contract.errors import run
from stages.contract.ledger import Ledger
from stages.contract.workers import Running, at_most, each, in_order
from stages.negatives import image_context, meanings
from stages.negatives.evidence import Evidence
from stages.parameters import params
from stages.parameters.sections import GenAro, Run
from stages.suites.aro_cases import ATTRIBUTION, RELATION, Case, cases, drawn


class Paths(NamedTuple):
    """The command line."""

    scene_graphs: Path
    facts: Path
    queries: command.Output
    rejects: command.Output
    metrics: command.Output


Found = list[tuple[int, list[tuple[Case, str | None]]]]
"""For each image all cases with their faults."""
IMAGES = 250
"""Number of images of a worker's task, which takes some ten seconds; a worker takes several to start."""
MEANINGS = cache(meanings.shipped)


def asked(scene_graphs: Path, facts: Path, least: float, running: Running) -> Iterator[tuple[int, list[tuple[Case, str | None]]]]:
    """Yield each image's cases; ``least`` as for :func:`stages.suites.aro_cases.large`."""
    images = ({"image_id": row["image_id"]} for row in tables.read("scene_graphs", scene_graphs, ["image_id"]))
    total = tables.count("scene_graphs", scene_graphs)
    several = image_context.images(progress(images, "ARO", "images", total=total), scene_graphs, facts)
    pieces = image_context.pieces(several, IMAGES)
    for found in in_order(each(partial(look_up, least=least), pieces, at_most(running, -(-total // IMAGES)))):
        yield from found


def look_up(images: list[image_context.Image], least: float) -> Found:
    """Return the cases of a task's images."""
    annotated = ((image, image.scene_graph) for image in images if image.scene_graph is not None)
    return [(image.image_id, list(cases(row, Evidence.of(row, image.facts, MEANINGS()), least))) for image, row in annotated]


def reject(image_id: int, case: Case, reason: str) -> dict[str, Any]:
    return {"image_id": image_id, "item": case.case_id, "text": case.truth, "reason": reason, "detail": case.negative}


def main() -> None:
    paths = command.parse(Paths, __doc__)
    settings = params.load(GenAro)
    ledger, symmetric, groups = Ledger("cases"), Counter[str](), Counter[tuple[str, str]]()
    made_from = tables.lineage({"scene_graphs": paths.scene_graphs, "region_facts": paths.facts})
    with tables.writer("queries", paths.queries, made_from) as write, tables.writer("rejects", paths.rejects) as put_aside:
        for image_id, found in asked(paths.scene_graphs, paths.facts, settings.min_side, params.load(Run)):
            kept = drawn((case for case, fault in found if fault is None), settings.per_image, settings.seed)
            for case, fault in found:
                ledger.read()
                reason = fault or (None if case in kept else "more_than_per_image")
                if reason is None:
                    ledger.keep()
                    groups[case.type, case.group] += 1
                    continue
                ledger.drop(reason)
                symmetric.update([case.group] if reason == "symmetric" else [])
                if ledger.dropped[reason] <= settings.rejects_per_reason:
                    put_aside([reject(image_id, case, reason)])
            write(case.row(image_id) for case in sorted(kept, key=lambda case: case.case_id))
    counts = {kind: sum(n for (group_kind, _), n in groups.items() if group_kind == kind) for kind in (RELATION, ATTRIBUTION)}
    relations = {group: n for (group_kind, group), n in sorted(groups.items()) if group_kind == RELATION}
    ledger.write(paths.metrics, cases=counts, relations=relations, symmetric=dict(symmetric))
    print(f"gen_aro: {ledger}; {counts}; symmetric: {', '.join(sorted(symmetric)) or 'none'}")


if __name__ == "__main__":
    run(main)
