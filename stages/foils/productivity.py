"""All candidate negatives of the productivity captions: HN-Atom, HN-Swap and HN-Neg (paper, section 4.2 and appendix A.4)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from stages.blind.ngram import words
from stages.foils import hn_atom
from stages.foils.caption import Caption
from stages.foils.evidence import Evidence
from stages.foils.hn_neg import negations
from stages.foils.hn_neg_balanced import Denials, denials
from stages.foils.hn_swap import Negative, swaps
from stages.foils.image_context import Image
from stages.foils.knowledge import Knowledge, load

Row = dict[str, Any]
TYPES = ("HN-Atom", "HN-Swap", "HN-Neg")


class Task(NamedTuple):
    """Some images with their captions, and what a worker needs for them.

    ``balanced``: the truth of an HN-Neg set denies something, too, and HN-Swaps say no word more often than the truth does.
    ``rejects``: how many candidates that are not valid are shown of each type and caption. ``seed`` draws all that is drawn.
    """

    images: list[Image]
    knowledge: Path
    foils_per_atom: int
    balanced: bool
    rejects: int
    seed: int


class Answer(NamedTuple):
    """The candidates of one caption and type; the truth's row where it is not the plain caption; why there is none, if so."""

    query_id: str
    type: str
    rows: list[Row]
    truth: Row | None = None
    reason: str | None = None


def work(task: Task) -> list[Answer]:
    """The candidates of every caption of a task, by type."""
    foils = load(task.knowledge)
    done = []
    for image in task.images:
        known = Evidence.of(image.scene_graph, image.facts, foils.meanings)
        for row in image.rows:
            done += answers(row, known.within(hn_atom.crop_of(row)), foils, task)
    return done


def answers(row: Row, known: Evidence, foils: Knowledge, task: Task) -> list[Answer]:
    """The three types of one caption; ``known`` is what is known of its crop."""
    query_id = f"walk-{row['subgraph_id']}"
    caption = Caption.from_row(row, known)
    replaced = list(hn_atom.candidates(row, query_id, known, foils, task.foils_per_atom, caption))
    swapped = [_row(row, "HN-Swap", negative) for negative in swaps(caption, foils.max_true)]
    if task.balanced:
        _same_words(caption, swapped)
    found = [Answer(query_id, "HN-Atom", replaced), Answer(query_id, "HN-Swap", swapped)]
    if task.balanced:
        drawn = denials(caption, valid_foils(caption, replaced), random.Random(f"{task.seed}:{query_id}"))  # noqa: S311
        if isinstance(drawn, Denials):
            rows = [_row(row, "HN-Neg", negative) for negative in drawn.negatives]
            found.append(Answer(query_id, "HN-Neg", rows, _row(row, "HN-Neg", drawn.truth)))
        else:
            found.append(Answer(query_id, "HN-Neg", [], reason=drawn))
    else:
        found.append(Answer(query_id, "HN-Neg", [_row(row, "HN-Neg", negative) for negative in negations(caption)]))
    return [answer._replace(rows=shown(answer.rows, task.rejects, f"{task.seed}:{query_id}")) for answer in found]


def _same_words(caption: Caption, swapped: Sequence[Row]) -> None:
    """Reject the swaps that say a word more often than the truth does: a count of words would find them. "an" counts as "a"."""
    truth = _bag(caption.text)
    for row in swapped:
        if row["reason"] is None and _bag(row["caption"]) != truth:
            row["reason"] = "other_words"


def _bag(text: str) -> Counter[str]:
    return Counter("a" if word == "an" else word for word in words(text))


def valid_foils(caption: Caption, rows: Sequence[Row]) -> dict[tuple[str, int], list[str]]:
    """The foils of each attribute and relation that are valid HN-Atoms, by the atom's kind and index."""
    foils: dict[tuple[str, int], list[str]] = {}
    for atom in caption.graph.atoms():
        places = {span[0] for span in caption.places(atom.kind, atom.index)[:1]}
        own = (row for row in rows if row["edit"] == atom.kind and {span["start"] for span in row["spans"][:1]} == places)
        foils[atom.kind, atom.index] = [row["foil"] for row in own if row["reason"] is None]
    return foils


def shown(rows: Sequence[Row], rejects: int, seed: str) -> list[Row]:
    """The valid rows and ``rejects`` of the others, drawn from the seed; those that have no caption are not shown."""
    others = [i for i, row in enumerate(rows) if row["reason"] is not None and row["caption"]]
    kept = set(random.Random(seed).sample(others, min(rejects, len(others))))  # noqa: S311
    return [row for i, row in enumerate(rows) if row["reason"] is None or i in kept]


def _row(row: Mapping[str, Any], kind: str, negative: Negative) -> Row:
    return {
        "query_id": f"walk-{row['subgraph_id']}",
        "image_id": row["image_id"],
        "type": kind,
        "caption": negative.text,
        "edit": negative.edit,
        "atom": negative.atoms,
        "foil": negative.foil,
        "spans": [{"start": start, "end": end} for start, end in negative.spans],
        **negative.graph.columns(),
        "plausibility": None,
        "p_true": None,
        "nearness": None,
        "reason": negative.reason,
    }
