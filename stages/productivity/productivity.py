"""All candidate negatives of the productivity captions: HN-Atom, HN-Swap and HN-Neg (paper, section 4.2 and appendix A.4)."""

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from stages.foils import hn_atom
from stages.foils.caption import Caption
from stages.foils.evidence import Evidence
from stages.foils.image_context import Image
from stages.foils.knowledge import Knowledge, load
from stages.foils.negative import Negative
from stages.productivity.hn_neg import in_one_way, negations
from stages.productivity.hn_neg_balanced import denials
from stages.productivity.hn_swap import exchanges, most_sensible, swaps
from stages.wording.tokens import words

Row = dict[str, Any]
TYPES = ("HN-Atom", "HN-Swap", "HN-Neg")
SPARE = 4
"""How many times as many HN-Swaps as a set has are kept, the most sensible, where there are to be some to choose from."""
ENOUGH = 2
"""… and where there are fewer than so many times as many, what only the rest of the image shows is exchanged, too."""
LONG = 8
"""Atoms of a long caption: the middle of the paper's complexities."""


class Task(NamedTuple):
    """Some images with their captions, and what a worker needs for them.

    ``balanced``: the truth of an HN-Neg set denies something, too, and HN-Swaps say no word more often than the truth does.
    ``size``: negatives a set. ``spare``: whether more HN-Swaps are kept: sets are balanced, or a model of inference drops some.
    ``rejects``: how many candidates that are not valid are shown of each type and caption. ``seed`` draws all that is drawn.
    """

    images: list[Image]
    knowledge: Path
    foils_per_atom: int
    size: int
    balanced: bool
    spare: bool
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
        for row, known in image.evidence(foils.meanings):
            done += answers(row, known, foils, task)
    return done


def answers(row: Row, known: Evidence, foils: Knowledge, task: Task) -> list[Answer]:
    """The three types of one caption; ``known`` is what is known of its crop."""
    query_id = f"walk-{row['subgraph_id']}"
    caption = Caption.from_row(row, known)
    replaced = list(hn_atom.candidates(row, query_id, known, foils, task.foils_per_atom, caption))
    swapped = [*swaps(caption, foils), *exchanges(caption, foils)]
    if task.balanced:
        swapped = _of_same_words(caption, swapped)
    if sum(negative.reason is None for negative in swapped) < ENOUGH * task.size:
        swapped += exchanges(caption, foils, elsewhere=True)
    swapped = most_sensible(swapped, (SPARE if task.spare else 1) * task.size)
    every = [Answer(query_id, "HN-Atom", replaced)]
    every.append(Answer(query_id, "HN-Swap", [n.row(query_id, row["image_id"], "HN-Swap") for n in swapped]))
    every.append(_negated(row, caption, replaced, foils, task, random.Random(f"{task.seed}:{query_id}")))
    return [answer._replace(rows=shown(answer.rows, task.rejects, f"{task.seed}:{query_id}")) for answer in every]


def _of_same_words(caption: Caption, swapped: Sequence[Negative]) -> list[Negative]:
    """The swaps, of which none stays valid that says a word of the truth's more often than that does: a count of words would
    find it. "an" counts as "a".
    """
    truth = _bag(caption.text)
    more = [n.reason is None and n.foil is None and _bag(n.text) != truth for n in swapped]
    return [n._replace(reason="other_words") if out else n for n, out in zip(swapped, more, strict=True)]


def _bag(text: str) -> Counter[str]:
    return Counter("a" if word == "an" else word for word in words(text))


def _negated(row: Row, caption: Caption, replaced: Sequence[Row], foils: Knowledge, task: Task, draw: random.Random) -> Answer:
    """HN-Neg: in the way ``balanced`` with a truth that denies something, too."""
    query_id = f"walk-{row['subgraph_id']}"

    def rows(negatives: Sequence[Negative]) -> list[Row]:
        return [negative.row(query_id, row["image_id"], "HN-Neg") for negative in negatives]

    if not task.balanced:
        return Answer(query_id, "HN-Neg", rows(in_one_way(negations(caption, foils.vocabulary), task.size, draw)))
    drawn = denials(caption, [Negative.of(other) for other in replaced if other["reason"] is None], foils, draw)
    if isinstance(drawn, str):
        return Answer(query_id, "HN-Neg", [], reason=drawn)
    truth, *negatives = rows([drawn.truth, *drawn.negatives])
    return Answer(query_id, "HN-Neg", negatives, truth)


def shown(rows: Sequence[Row], rejects: int, seed: str) -> list[Row]:
    """The valid rows and ``rejects`` of the others, drawn from the seed; those that have no caption are not shown."""
    others = [i for i, row in enumerate(rows) if row["reason"] is not None and row["caption"]]
    drawn = set(random.Random(seed).sample(others, min(rejects, len(others))))
    return [row for i, row in enumerate(rows) if row["reason"] is None or i in drawn]


def compared_within(n: int) -> tuple[str, str]:
    """The groups of a caption of ``n`` atoms: its complexity; and, for a slope compares the two, the short or the long ones.

    >>> compared_within(5), compared_within(12)
    (('n05', 'short'), ('n12', 'long'))
    """
    return f"n{n:02d}", "long" if n >= LONG else "short"
