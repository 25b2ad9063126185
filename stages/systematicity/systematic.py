"""Systematicity's queries: a worker's task and answer, and the rows that come of them."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from stages.contract import schemas, tables
from stages.foils.choosing import CandidateSet
from stages.foils.evidence import Evidence
from stages.foils.hn_atom import candidates
from stages.foils.image_context import Image
from stages.foils.knowledge import Knowledge, load
from stages.foils.meanings import says_nothing
from stages.graphs.graph import SceneGraph
from stages.splits.splits import Label
from stages.systematicity import hn_comp
from stages.systematicity.frame import SAYING_NOTHING, Half
from stages.systematicity.queries import with_candidates
from stages.systematicity.second_compound import Truth, with_second

Row = dict[str, Any]
SECONDS = 10
"""Second compounds that are tried: of a black road, or a white wall, hardly anything else makes sense. With 4 images 1 to 10 keep
33 sets, and with 10 they keep 40."""


class Task(NamedTuple):
    """Some images with the regions to ask about, and what a worker needs for them."""

    images: list[Image]
    knowledge: Path
    most: int


def atoms_of(task: Task) -> list[CandidateSet]:
    """The candidates of each region."""
    knowledge = load(task.knowledge)
    done = []
    for image in task.images:
        for row, known in image.evidence(knowledge.meanings):
            query_id = f"region-{row['region_id']}"
            done.append(CandidateSet(query_id, row["caption"], list(candidates(row, query_id, known, knowledge, task.most))))
    return done


class CompoundTask(NamedTuple):
    """The same for HN-Comp: at most ``most`` pairs of ``foils`` an atom, of which a set takes ``negatives``; the rows carry their
    valid HN-Atom candidates, under ``atoms``."""

    images: list[Image]
    knowledge: Path
    most: int
    foils: int
    negatives: int
    seed: int
    balanced: bool


def compounds_of(task: CompoundTask) -> list[tuple[CandidateSet, Truth | None]]:
    """The candidates of each region with what they stand beside, ``None`` where no second compound is known."""
    if not task.balanced:
        return [_alone(row, task.most) for image in task.images for row in image.rows]
    knowledge = load(task.knowledge)
    return [
        _beside_a_second(row, image.rows, known, knowledge, task)
        for image in task.images
        for row, known in image.evidence(knowledge.meanings)
    ]


def _alone(row: Row, most: int) -> tuple[CandidateSet, Truth]:
    """The candidates of a region beside its own caption."""
    query_id = f"region-{row['region_id']}"
    asked = CandidateSet(query_id, row["caption"], list(hn_comp.candidates(query_id, row, row["atoms"], most)))
    return asked, Truth(row["caption"], SceneGraph.from_columns(row))


def _beside_a_second(
    row: Row, regions: list[Row], known: Evidence, knowledge: Knowledge, task: CompoundTask
) -> tuple[CandidateSet, Truth | None]:
    """The candidates beside the truth of two compounds, where a second compound is known of the crop: the first with a full set,
    or else with the most valid candidates."""
    if not row["atoms"]:
        return _alone(row, task.most)
    query_id = f"region-{row['region_id']}"
    tried: list[tuple[int, CandidateSet, Truth | None]] = []
    for truth in islice(with_second(row, regions, known, knowledge, task.seed), SECONDS):
        second = truth.second.columns() if truth.second else {}
        other = [foiled for foiled in candidates({**row, **second}, query_id, known, knowledge, task.foils) if not foiled["reason"]]
        least = knowledge.acceptable.pair
        pairs = [*hn_comp.balanced_candidates(query_id, row, truth, row["atoms"], other, least, task.most, task.seed)]
        valid = sum(not pair["reason"] for pair in pairs)
        tried.append((valid, CandidateSet(query_id, truth.whole[0], pairs), truth))
        if valid >= task.negatives:
            break
    unknown = 0, CandidateSet(query_id, row["caption"], []), None
    return max(tried, key=lambda one: one[0], default=unknown)[1:]


def with_atoms(regions: Path, candidates_: Path) -> Iterator[Row]:
    """The regions that systematicity asks about, each with its valid HN-Atom candidates under ``atoms``."""
    asked = with_candidates(eligible(regions), lambda row: f"region-{row['region_id']}", candidates_)
    return ({**row, "atoms": atoms} for row, atoms in asked)


def one_compound(row: Row) -> bool:
    """Is a caption one compound and nothing else: an attribute and its object, or two objects and their relation?

    "A bicycle in the photo" and "an outdoor scene" are none: what they name beside it is nothing that a picture shows. Nor are
    "traffic is present", "the sign says walk", and what has words that say more than its compound: "head bent down to the ground".
    """
    n = len(row["attributes"]) + len(row["relations"])
    whole = n == 1 and len(row["objects"]) == len(row["attributes"]) + 2 * len(row["relations"])
    graph = SceneGraph.from_columns(row)
    return (
        whole
        and not any(says_nothing(name) for name in graph.objects)
        and not any(atom.text in SAYING_NOTHING for atom in graph.atoms())
        and not Half.of(row).says_more
    )


def eligible(regions: Path) -> Iterator[Row]:
    """The regions whose caption has exactly one compound; systematicity asks about no others (section 4.1)."""
    return (row for row in tables.read("regions", regions) if one_compound(row))


def query_row(
    row: Row, query_id: str, kind: str, truth: str, labels: list[Label], negatives: list[Row], graph: SceneGraph | None = None
) -> Row:
    """A row of the table ``queries`` for a region.

    Args:
        labels: what the training sets have seen of the truth.
        graph: the truth's, where it is not the region's.
    """
    own = graph or SceneGraph.from_columns(row)
    asked = {"query_id": query_id, "type": kind, **{name: row[name] for name, *_ in schemas.CROP}, "n": own.n, "truth": truth}
    return {**asked, **own.columns(), "splits": [label._asdict() for label in labels], "negatives": negatives}


def reject_row(row: Row, query_id: str, reason: str, detail: str) -> Row:
    """A row of the table ``rejects`` for a region."""
    return {"image_id": row["image_id"], "item": query_id, "text": row["caption"], "reason": reason, "detail": detail}
