"""HN-Neg that cannot be told by its negation word: every caption of a set, the truth too, denies exactly one statement.

Two places of a caption, each an attribute or a relation, can say what is true there or a foil that is known to be false, and one
of the two is denied. "A cup that is not blue on a table" is true of a red cup; "a cup that is not red", "a blue cup not on a table"
and their like are false. Of the eight captions that two places give, two are true; one of these is the truth, and of the six false
ones five are taken, so that which place is denied and which word stands in it says nothing of which caption is true. Blind scorers
of words see the same words as often in the truth as in its negatives.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple

from stages.foils import edits
from stages.foils.caption import Caption, Edited
from stages.foils.negations import Piece, apply, left, negated, plain, stated, unsafe
from stages.foils.swaps import Negative
from stages.graphs.graph import Atom


class Place(NamedTuple):
    """An atom of the caption, and a foil that is false in its place."""

    atom: Atom
    foil: str


class Denials(NamedTuple):
    """A set: the truth, whose ``spans`` are what was replaced in the plain caption, and its negatives."""

    truth: Negative
    negatives: list[Negative]


def places(caption: Caption, foils: Mapping[tuple[str, int], Sequence[str]]) -> list[tuple[Atom, Sequence[str]]]:
    """The atoms that can be denied, falsely, and whose foils can be: ``foils`` are an atom's foils that are valid HN-Atoms."""
    found = []
    for atom in caption.graph.atoms():
        own = foils.get((atom.kind, atom.index), ())
        if atom.kind == "object" or not own or unsafe(caption, atom):
            continue
        if isinstance(negated(caption, atom, atom.text), Piece):
            found.append((atom, own))
    return found


def denials(caption: Caption, foils: Mapping[tuple[str, int], Sequence[str]], draw: random.Random) -> Denials | str:
    """One set of denials, drawn from all that the caption allows; or why there is none."""
    able = places(caption, foils)
    if len(able) < 2:
        return "fewer_than_two_places"
    pairs = [pair for pair in combinations(able, 2) if not _overlap(caption, pair[0][0], pair[1][0])]
    draw.shuffle(pairs)
    for (one, one_foils), (other, other_foils) in pairs:
        two = [Place(one, draw.choice(list(one_foils))), Place(other, draw.choice(list(other_foils)))]
        draw.shuffle(two)
        found = _set(caption, two[0], two[1], draw)
        if found is not None:
            return found
    return "places_overlap"


def _overlap(caption: Caption, one: Atom, other: Atom) -> bool:
    """Whether the pieces of two atoms share letters: then they cannot be edited each by itself."""
    pieces = [negated(caption, atom, atom.text) for atom in (one, other)] + [
        plain(caption, atom, atom.text) for atom in (one, other)
    ]
    spans = [piece.span for piece in pieces if not isinstance(piece, str)]
    if len(spans) < len(pieces):
        return True
    (a, b), (c, d), (e, f), (g, h) = spans
    return not (max(b, f) <= min(c, g) or max(d, h) <= min(a, e))


def _set(caption: Caption, first: Place, second: Place, draw: random.Random) -> Denials | None:
    """The truth denies the foil of ``first``; of the six false captions one, with ``first`` denied, is left out by lot."""
    made: dict[tuple[bool, bool, bool], Negative] = {}
    for denied_first, first_true, second_true in product((True, False), repeat=3):
        words = [place.atom.text if true else place.foil for place, true in ((first, first_true), (second, second_true))]
        made[denied_first, first_true, second_true] = _said(caption, (first, second), words, 0 if denied_first else 1)
    truth = made.pop((True, False, True))
    del made[False, True, False]  # the other true one
    left_out = draw.choice([(True, True, True), (True, True, False), (True, False, False)])
    negatives = [negative for key, negative in made.items() if key != left_out]
    texts = {truth.text.lower(), *(negative.text.lower() for negative in negatives)}
    return Denials(truth, negatives) if len(texts) == len(negatives) + 1 else None


def _said(caption: Caption, two: tuple[Place, Place], words: Sequence[str], denied: int) -> Negative:
    """The caption with ``words`` in the two places, and the one of them denied."""
    graph, pieces, foils = caption.graph, [], []
    for i, (each, word) in enumerate(zip(two, words, strict=True)):
        if word != each.atom.text:
            graph = edits.foil_graph(graph, each.atom, word)
            foils.append(word)
        if i == denied:
            pieces.append(negated(caption, each.atom, word))
        elif word != each.atom.text:
            pieces.append(plain(caption, each.atom, word))
    place = two[denied].atom
    atom = Atom(place.kind, place.index, words[denied])
    edited: Edited = apply(caption, [piece for piece in pieces if isinstance(piece, Piece)], left(graph, atom))
    return Negative(edited.text, atom.kind, stated(graph, atom), edited.spans, edited.graph, None, " | ".join(foils) or None)
