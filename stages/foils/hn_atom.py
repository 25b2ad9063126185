"""All HN-Atom candidates of a caption: each atom with each foil, the edited caption, and the reason where it is no negative."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from stages.foils import edits, nearness
from stages.foils.acceptability import Edit, acceptable
from stages.foils.caption import Caption, Edited
from stages.foils.evidence import Evidence
from stages.foils.knowledge import Knowledge
from stages.foils.negative import Negative, Row
from stages.foils.validity import Candidate, may_be_true, reason
from stages.graphs.graph import Atom, SceneGraph, Spans
from stages.semantics import attributes, relations, wordnet

POOL = 400
"""Nouns, the commonest, among which the most sensible are looked for."""
ENOUGH = 10
"""So many negatives of an atom are enough to choose from; of more only those are tried that captions as good as say, and those
that they say as often as what they replace: where there are none, a truth is told by its common words."""
AS_GOOD_AS_SAID = 0.8
NAMES_OF_ONE = 2
"""So many foils may name one relation."""


class Foil(NamedTuple):
    """A word in the place of an atom: the edited graph, what the edit makes it say, and how acceptable that is."""

    word: str
    graph: SceneGraph
    claim: SceneGraph
    fit: float


def candidates(
    row: Row, query_id: str, known: Evidence, knowledge: Knowledge, most: int, mentions: Caption | None = None
) -> Iterator[Row]:
    """Rows of the table ``candidates`` for a caption with its graph and spans.

    Args:
        row: has ``image_id``, ``caption``, and the columns of a graph and of its spans.
        known: what is known of the caption's crop.
        most: foils that are tried for each atom.
        mentions: the same caption, if it may name an atom more than once: each place is edited, and what agrees with it.
    """
    graph, spans, truth = SceneGraph.from_columns(row), Spans.from_columns(row), row["caption"]
    seen, lacked = {truth}, knowledge.vocabulary.lack(graph.atoms())
    for atom in graph.atoms():
        span = spans.of(atom)
        active = edits.active(graph, spans, atom) if mentions is None else mentions.active(atom)
        if span is None or not active:
            continue
        taken: list[str] = []
        often = knowledge.vocabulary.counts[atom.kind]
        for foil, edited, claim, fit in foils(graph, atom, knowledge, most):
            if len(taken) >= ENOUGH and fit < AS_GOOD_AS_SAID and often.get(foil, 0) < often.get(atom.text, 0):
                continue
            new = (
                mentions.with_foil(atom, foil)
                if mentions
                else Edited(edits.foil_caption(truth, span, atom.kind, foil), (span,), edited)
            )
            if isinstance(new, str):
                continue
            caption, places, _ = new
            own = (truth, graph, atom, span, foil, caption, edited, claim, fit)
            candidate = Candidate(*own, known, knowledge.sense, knowledge.max_true, knowledge.acceptable.of(atom.kind))
            why = reason(candidate)
            # Estimated last, and not of what its words rule out.
            p_true = candidate.p_true if why in (None, may_be_true.__name__) else None
            # A word that the model never met tests its vocabulary, unless the truth itself has such a one.
            if why is None and not lacked.issuperset(knowledge.vocabulary.lack([Atom(atom.kind, atom.index, foil)])):
                why = "unseen_foil"
            if why is None and caption in seen:
                why = "identical_negative"
            if why is None and already_said(atom.kind, foil, taken):
                why = "same_foil"
            if why is None:
                taken.append(foil)
            seen.add(caption)
            negative = Negative(caption, atom.kind, atom.text, places, edited, why, foil, fit)
            near = nearness.of(atom.kind, atom.text, foil)
            yield negative.row(query_id, row["image_id"], "HN-Atom", p_true, near)


def foils(graph: SceneGraph, atom: Atom, knowledge: Knowledge, most: int) -> list[Foil]:
    """The words that are tried in the place of ``atom``: those that go together best, the most acceptable first.

    Not those that are at home in the scene: readers found 17 of 98 of these true, and 30 of 425 others.
    """
    pool = []
    for word in knowledge.vocabulary.candidates(atom.kind, atom.text, POOL):
        edited = edits.foil_graph(graph, atom, word)
        claim = edits.changed(edited, atom)
        pool.append(Foil(word, edited, claim, knowledge.sense.fit(claim)))
    best = sorted(pool, key=lambda foil: foil.fit, reverse=True)[:most]
    others = frozenset(graph.objects)
    judged = acceptable([(foil.claim, Edit(atom.kind, foil.word, others)) for foil in best], knowledge.sense)
    best = [foil._replace(fit=fit) for foil, fit in zip(best, judged.tolist(), strict=True)]
    return sorted(best, key=lambda foil: foil.fit, reverse=True)


def _one_word(foil: str, other: str) -> bool:
    """As "navy" and "navy blue", and, of one group, "wood" and "wooden", "gold" and "golden"."""
    begins = foil.startswith(other) or other.startswith(foil)
    return not set(foil.split()).isdisjoint(other.split()) or (begins and attributes.implies(foil, other))


def already_said(kind: str, foil: str, taken: Sequence[str]) -> bool:
    """Do foils that are ``taken`` say the same, as "bike" and "bicycle", "stool" and "bar stool", "wood" and "wooden"?

    Of relations there are few, so two names of one may stand in a set, as "on" and "on top of".

    >>> already_said("object", "bicycle", ["bike"]), already_said("attribute", "navy", ["navy blue"])
    (True, True)
    >>> already_said("attribute", "wooden", ["wood"]), already_said("attribute", "wooden", ["red"])
    (True, False)
    >>> already_said("relation", "in", ["inside"]), already_said("relation", "in", ["inside", "into"])
    (False, True)
    """
    if kind == "relation":
        return sum(relations.read(foil) == relations.read(other) for other in taken) >= NAMES_OF_ONE
    if kind == "attribute":
        return any(_one_word(foil, other) for other in taken)
    return any(other in wordnet.synonyms(foil, "n") or foil.endswith(f" {other}") or other.endswith(f" {foil}") for other in taken)
