"""Make the candidates of some images' captions: a worker's task and its result."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from stages.contract.schemas import CLEARED, PAPER, PROTOCOLS
from stages.graphs.box import Box
from stages.images.crop_rule import CropRule
from stages.negatives import hn_atom, hn_comp, hn_neg, hn_swap, nearness
from stages.negatives.candidate import Candidate, Truth
from stages.negatives.caption import Caption
from stages.negatives.checks import checked
from stages.negatives.evidence import Evidence
from stages.negatives.image_context import Image, images, pieces
from stages.negatives.knowledge import Knowledge, Sources, load
from stages.parameters.sections import Foils

Row = dict[str, Any]
ATOM, COMP, SWAP, NEG = "HN-Atom", "HN-Comp", "HN-Swap", "HN-Neg"
WORDS_OF_THE_CAPTION = ("invisible", "unusual", "unseen_foil")
"""Checks of new words. HN-Swap and HN-Neg introduce none, and their definitions allow odd captions ("a nightstand on the dog")."""


class Task(NamedTuple):
    """Some images with their rows, and what a worker needs for them.

    Attributes:
        knowledge: the folder that :func:`stages.negatives.knowledge.prepare` wrote.
        foils: maximum number of foils tried for an atom.
        rejects: maximum number of refused candidates stored for each query, type and protocol.
        seed: for all random choices, together with the query's id.
        crop: which crops are fit to be queries; ``None`` where no crop is made.
    """

    images: list[Image]
    knowledge: Path
    foils: int
    rejects: int
    seed: int
    crop: CropRule | None = None


class Alternative(NamedTuple):
    """A truth with its candidates, valid or not."""

    truth: Truth
    candidates: list[Candidate]


class Made(NamedTuple):
    """The result for one query and one protocol: alternatives, of which a selection takes one, or why there are none.

    Attributes:
        refused: the number of refused candidates by the code of the failed check, also of those that are not stored; in HN-Comp
        also that of refused halves, which make no candidate.
    """

    query_id: str
    image_id: int
    type: str
    protocol: str
    alternatives: list[Alternative]
    reason: str | None = None
    refused: tuple[tuple[str, int], ...] = ()


def atoms_of_regions(task: Task) -> list[Made]:
    """Return the HN-Atom candidates of each region."""
    knowledge, found = load(task.knowledge), list[Made]()
    for image in task.images:
        for row, known in image.evidence(knowledge.meanings, knowledge.max_true):
            found += _shown(_hn_atom(Caption.of_region(row, known), knowledge, task, *_region(row)), task)
    return found


def compounds_of_regions(task: Task) -> list[Made]:
    """Return the HN-Comp candidates of each region."""
    knowledge, found = load(task.knowledge), list[Made]()
    for image in task.images:
        whole = image.whole(knowledge.meanings, knowledge.max_true)
        for row in image.rows:
            found += _shown(_hn_comp(row, whole, knowledge, task), task)
    return found


def _region(row: Row) -> tuple[str, int]:
    return f"region-{row['region_id']}", row["image_id"]


def negatives_of_captions(task: Task) -> list[Made]:
    """Return the candidates of all types of productivity, of each caption of a subgraph."""
    knowledge, found = load(task.knowledge), list[Made]()
    for image in task.images:
        for row, known in image.evidence(knowledge.meanings, knowledge.max_true):
            caption, asked = Caption.from_row(row, known), (f"walk-{row['subgraph_id']}", row["image_id"])
            found += _shown(_hn_atom(caption, knowledge, task, *asked), task)
            found += _shown(_hn_swap(caption, knowledge, *asked), task)
            found += _shown(_hn_neg(caption, knowledge, *asked), task)
    return found


def _hn_atom(caption: Caption, knowledge: Knowledge, task: Task, query_id: str, image_id: int) -> Iterator[Made]:
    every = list(hn_atom.candidates(caption, knowledge.vocabulary, near=False, most=task.foils))
    near = [candidate for candidate in every if candidate.nearness != nearness.FURTHER]
    for protocol, foils_of_protocol in ((PAPER, near), (CLEARED, every)):
        found = checked(foils_of_protocol, caption, knowledge, protocol)
        yield Made(query_id, image_id, ATOM, protocol, [Alternative(Truth(caption.text, caption.graph), found)])


def _hn_comp(row: Row, whole: Evidence, knowledge: Knowledge, task: Task) -> Iterator[Made]:
    query_id, image_id = _region(row)
    crop, seed, rule = Box.of(row), f"{task.seed}:{query_id}", task.crop

    def fit(box: Box) -> bool:
        return rule is None or rule.fault(box, row["image_width"], row["image_height"]) is None

    caption = Caption.of_region(row, whole.within(crop))
    halves = hn_comp.Halves(caption, knowledge, task.foils)
    alone = Alternative(Truth(caption.text, caption.graph), hn_comp.paper(halves, seed))
    yield Made(query_id, image_id, COMP, PAPER, [alone], None, tuple(halves.refused[PAPER].items()))
    found = hn_comp.cleared(halves, whole, crop, fit, seed)
    pairs = [Alternative(truth, candidates) for truth, candidates in found]
    why = None if pairs else "no_second_compound"
    yield Made(query_id, image_id, COMP, CLEARED, pairs, why, tuple(halves.refused[CLEARED].items()))


def _hn_swap(caption: Caption, knowledge: Knowledge, query_id: str, image_id: int) -> Iterator[Made]:
    for protocol in PROTOCOLS:
        found = checked(hn_swap.candidates(caption, protocol), caption, knowledge, protocol, WORDS_OF_THE_CAPTION)
        yield Made(query_id, image_id, SWAP, protocol, [Alternative(Truth(caption.text, caption.graph), found)])


def _hn_neg(caption: Caption, knowledge: Knowledge, query_id: str, image_id: int) -> Iterator[Made]:
    leave_out = (*WORDS_OF_THE_CAPTION, "identical_graph")  # a denial removes facts and adds no claim
    denied = checked(hn_neg.denials(caption), caption, knowledge, PAPER, leave_out)
    yield Made(query_id, image_id, NEG, PAPER, [Alternative(Truth(caption.text, caption.graph), denied)])
    truths, there = hn_neg.absences(caption, knowledge)
    found = checked(there, caption, knowledge, CLEARED, leave_out)
    why = None if truths and there else "nothing_to_deny"
    yield Made(query_id, image_id, NEG, CLEARED, [Alternative(truth, found) for truth in truths], why)


def _shown(every: Iterable[Made], task: Task) -> list[Made]:
    """Return the result with only so many refused candidates as are stored, drawn by the seed, without captionless ones."""
    shown = []
    for made in every:
        lists = {id(found): found for _, found in made.alternatives}.values()  # the truths of HN-Neg share one
        refused = Counter(dict(made.refused))
        refused.update(candidate.reason for found in lists for candidate in found if candidate.reason is not None)
        alternatives = [
            Alternative(truth, _drawn(found, task.rejects, f"{task.seed}:{made.query_id}")) for truth, found in made.alternatives
        ]
        shown.append(made._replace(alternatives=alternatives, refused=tuple(refused.items())))
    return shown


def _drawn(candidates: Sequence[Candidate], rejects: int, seed: str) -> list[Candidate]:
    others = [i for i, candidate in enumerate(candidates) if candidate.reason is not None and candidate.caption]
    drawn = set(random.Random(seed).sample(others, min(rejects, len(others))))
    return [candidate for i, candidate in enumerate(candidates) if candidate.reason is None or i in drawn]


def pieces_of(rows: Iterable[Row], sources: Sources, folder: Path, foils: Foils, crop: CropRule | None = None) -> Iterator[Task]:
    """Yield tasks of about ``foils.piece`` rows each, from rows that are sorted by ``image_id``.

    Args:
        folder: the folder that :func:`stages.negatives.knowledge.prepare` wrote.
    """
    for piece in pieces(images(rows, sources.scene_graphs, sources.facts), foils.piece):
        yield Task(piece, folder, foils.max_foils, foils.rejects_per_set, foils.seed, crop)
