"""HN-Neg that cannot be told by its negation word: every caption of a set, the truth too, denies exactly one statement.

Two places of a caption, each an attribute or a relation, can say what is true there or a foil that is known to be false, and one
of the two is denied. "A cup that is not blue on a table" is true of a red cup; "a cup that is not red", "a blue cup not on a table"
and their like are false. With some foils for each place that makes a dozen false captions and more, from which the negatives are
chosen as those of the other types are.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple

from stages.foils import edits
from stages.foils.caption import Caption, Edited
from stages.foils.hn_neg import Piece, apply, left, negated, plain, stated, unsafe
from stages.foils.hn_swap import Negative
from stages.graphs.graph import Atom, SceneGraph

FOILS = 3
"""Foils that are tried for a place."""


class Place(NamedTuple):
    """An atom of the caption, and the words that may stand in its place: its own, then foils that are false there."""

    atom: Atom
    words: tuple[str, ...]


class Denials(NamedTuple):
    """A truth, whose ``spans`` are what was replaced in the plain caption, and the negatives to choose from."""

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
    """A truth and its negatives, drawn from all that the caption allows; or why there are none."""
    able = places(caption, foils)
    if len(able) < 2:
        return "fewer_than_two_places"
    apart = [pair for pair in combinations(able, 2) if not _overlap(caption, pair[0][0], pair[1][0])]
    if not apart:
        return "places_overlap"
    pairs = [pair for pair in apart if not _inside(caption.graph, pair[0][0], pair[1][0])]
    if not pairs:
        return "places_inside"
    two = [Place(atom, (atom.text, *draw.sample(list(own), min(FOILS, len(own))))) for atom, own in draw.choice(pairs)]
    draw.shuffle(two)
    return _set(caption, two[0], two[1])


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


def _inside(graph: SceneGraph, one: Atom, other: Atom) -> bool:
    """Whether one atom describes what the other relates something to.

    Then the one is denied along with the other: of a yellow fish, "not under an orange fish" might even be said to be true.
    """
    described = {graph.attributes[atom.index][0] for atom in (one, other) if atom.kind == "attribute"}
    return any(graph.relations[atom.index][2] in described for atom in (one, other) if atom.kind == "relation")


def _set(caption: Caption, first: Place, second: Place) -> Denials:
    """The truth denies the first foil of ``first``; negatives deny what is true, or affirm a foil."""
    truth = _said(caption, (first, second), (first.words[1], second.words[0]), 0)
    said, negatives = {truth.text.lower()}, []
    for words, denied in _false(first, second):
        negative = _said(caption, (first, second), words, denied)
        if negative.text.lower() not in said:
            said.add(negative.text.lower())
            negatives.append(negative)
    return Denials(truth, negatives)


def _false(first: Place, second: Place) -> Iterator[tuple[tuple[str, str], int]]:
    """The words of the two places and which is denied, wherever the denied word is the atom's own or the other one is a foil."""
    for words, denied in product(product(first.words, second.words), (0, 1)):
        own = (words[0] == first.words[0], words[1] == second.words[0])
        if own[denied] or not own[1 - denied]:
            yield words, denied


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
