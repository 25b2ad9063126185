"""HN-Neg that cannot be told by its negation word: every caption of a set, the truth too, denies exactly one statement.

Either two places of a caption, each an attribute or a relation, can say what is true there or a foil that is known to be false, and
one of the two is denied. "A cup that is not blue on a table" is true of a red cup; "a cup that is not red", "a blue cup not on a
table" and their like are false. Or every caption ends with the denial of a thing of which it does not speak: "There is a cup on a
table, with no plate in sight." is true where there is none; it is false of what the crop shows, and of any thing if the cup is a
foil. A set denies in one of the two ways throughout, in the second where it can, for so do people. That makes a dozen false
captions and more, from which the negatives are chosen as those of the other types are.
"""

import random
from collections.abc import Sequence
from itertools import combinations, islice, product
from typing import NamedTuple

from stages.foils import edits
from stages.foils.caption import Caption
from stages.foils.knowledge import Knowledge
from stages.foils.negative import Negative
from stages.graphs.graph import Atom, SceneGraph
from stages.language.lexicon import words
from stages.productivity.absences import remarkable
from stages.productivity.denial import Piece, absence, negated, plain
from stages.productivity.hn_neg import denying, left, names, stated, unsafe
from stages.productivity.shown import plain_name, things_beside
from stages.semantics import things, wordnet

REMARKABLE, SAID = 0.55, 0.01
"""A thing is denied where it is at least so natural to say that it is missing (:mod:`stages.productivity.absences`); what is denied
of a thing is at least such a share of all that people say of such things."""
KIN = words(
    "friend wife husband mother father son daughter sister brother bride groom mom dad king queen grandmother grandfather "
    "guy gentleman owner"
)
"""Whose somebody is, or how one speaks of him, which nobody denies of a picture."""
COMMON, AT_HOME, DENIED, FOILS = 1000, 60, 6, 3
"""Of so many common names so many that are most at home are tried; so many things that are there and HN-Atoms, the most acceptable,
are what a set is chosen from; and so many foils are tried for a place."""
APART = 2
"""After one of so many foils what the truth denies is denied, too, so that this does not tell it; after all what is there."""


class Place(NamedTuple):
    """An atom of the caption, and the words that may stand in its place: its own, then foils that are false there."""

    atom: Atom
    words: tuple[str, ...]


class Denials(NamedTuple):
    """A truth, whose ``spans`` are what was replaced in the plain caption, and the negatives to choose from."""

    truth: Negative
    negatives: list[Negative]


def denials(caption: Caption, replaced: Sequence[Negative], knowledge: Knowledge, draw: random.Random) -> Denials | str:
    """A truth and its negatives, drawn from all that the caption allows; or why there are none.

    Args:
        replaced: the caption's valid HN-Atoms.
    """
    others = _of_others(caption, replaced, knowledge, draw)
    return _of_atoms(caption, replaced, draw) if isinstance(others, str) else others


def _of_others(caption: Caption, replaced: Sequence[Negative], knowledge: Knowledge, draw: random.Random) -> Denials | str:
    """The caption "with no dog in sight": true of what the crop does not show; false of what it does, or after a foil."""
    there = [n for n in things_beside(caption, knowledge.vocabulary, surely=True) if _deniable(caption, caption.graph, n)]
    first = _missing(caption, there, knowledge)
    if first is None:
        return "nothing_to_deny"
    there = _remarkable(there, caption, caption.graph, knowledge)[:DENIED]
    sensible = sorted(replaced, key=lambda negative: -(negative.acceptability or 0))[:DENIED]
    false = [denying(caption, name) for name in there]
    for number, negative in enumerate(draw.sample(sensible, len(sensible))):
        shown = _shown_beside(caption, negative, there, knowledge)
        denied = [draw.choice(shown)] if shown else []
        denied += [] if shown and number % APART else [first]
        false += [_denied_after(caption, negative, name) for name in denied if not names(caption, negative.graph, name)]
    if all(negative.atoms == first for negative in false):
        return "nothing_to_deny"
    return Denials(denying(caption, first), false)


def _shown_beside(caption: Caption, negative: Negative, there: Sequence[str], knowledge: Knowledge) -> list[str]:
    """What is there, and can be denied after a foil: the thing that gave way to it; else what is ``there`` beside.

    "A bench by a lake, with no chair in sight" of a chair by a lake: who overlooks the "no" finds as much of it there as of "a
    chair by a lake, with no boat in sight".
    """
    able = [negative.atoms] if negative.edit == "object" and plain_name(negative.atoms, knowledge.vocabulary) else []
    # "A tripod is … There is no tripod." contradicts itself.
    able = [name for name in able if _deniable(caption, negative.graph, name)]
    own = _remarkable(able, caption, negative.graph, knowledge)
    return own or [name for name in there if not names(caption, negative.graph, name)]


def _missing(caption: Caption, there: Sequence[str], knowledge: Knowledge) -> str | None:
    """What one looks for in such a scene and does not find: of what is surely not there, what it is most natural to miss.

    Readers found 64 % of these natural, and 45 % of the next.
    """
    vocabulary, known, own = knowledge.vocabulary, caption.known, frozenset(caption.graph.objects)
    others = (name for name in vocabulary.commonest[:COMMON] if name not in there)
    at_home = sorted(others, key=lambda name: (-knowledge.sense.scenes.fit(name, own), name))
    able = (name for name in at_home if plain_name(name, vocabulary) and _deniable(caption, caption.graph, name))
    best = _remarkable([*islice(able, AT_HOME)], caption, caption.graph, knowledge)
    return next((name for name in best if known.object(name) <= knowledge.max_true), None)


def _remarkable(names: Sequence[str], caption: Caption, graph: SceneGraph, knowledge: Knowledge) -> list[str]:
    """Those of the names of which it is natural enough to say, beside what ``graph`` says, that they are missing; the most natural
    first."""
    fits = remarkable(names, graph.objects, caption.known.said, knowledge.sense)
    order = sorted(zip(-fits, names, strict=True))
    return [name for fit, name in order if -fit >= REMARKABLE]


def _deniable(caption: Caption, graph: SceneGraph, name: str) -> bool:
    """Might a picture of what ``graph`` says show a thing of that name, too, of which it does not speak?"""
    fit = things.row(name) is not None and all(things.meet(name, own) for own in graph.objects)
    # A painting is a picture, and that is what people call anything that hangs on a wall.
    clear = name not in KIN and wordnet.ANYTHING.isdisjoint(wordnet.synonyms(name, "n"))
    return fit and clear and not names(caption, graph, name)


def _denied_after(caption: Caption, replaced: Negative, name: str) -> Negative:
    """A caption with a foil, and that there is no thing called ``name``."""
    (start, end), words = piece = absence(caption, name)
    text = f"{replaced.text[: len(replaced.text) - (end - start)]}{words}"
    return replaced._replace(text=text, edit="existence", atoms=name, spans=(*replaced.spans, piece.span))


def _of_atoms(caption: Caption, replaced: Sequence[Negative], draw: random.Random) -> Denials | str:
    """Of two attributes or relations one is denied: "a cup that is not blue on a table"."""
    able = _able(caption, replaced)
    if len(able) < 2:
        return "fewer_than_two_places"
    apart = [pair for pair in combinations(able, 2) if not _overlap(caption, pair[0][0], pair[1][0])]
    if not apart:
        return "places_overlap"
    pairs = [pair for pair in apart if not _inside(caption.graph, pair[0][0], pair[1][0])]
    if not pairs:
        return "places_inside"
    two = [Place(atom, (atom.text, *draw.sample(own, min(FOILS, len(own))))) for atom, own in draw.choice(pairs)]
    draw.shuffle(two)
    return _set(caption, two[0], two[1])


def _able(caption: Caption, replaced: Sequence[Negative]) -> list[tuple[Atom, list[str]]]:
    """The attributes and relations that can be denied, falsely, each with its foils that are valid HN-Atoms, so that these can be.

    Nobody denies what hardly anybody says of such things: that a man is selling his pants.
    """
    able = []
    said = caption.known.meanings.sense.said
    for atom in caption.graph.atoms():
        if atom.kind == "object" or unsafe(caption, atom) or not isinstance(negated(caption, atom, atom.text), Piece):
            continue
        starts = {span[0] for span in caption.places(atom.kind, atom.index)[:1]}
        own = (n for n in replaced if n.edit == atom.kind and {span[0] for span in n.spans[:1]} == starts)
        nouns = edits.changed(caption.graph, atom).objects
        if foils := [n.foil for n in own if n.foil and said(atom.kind, n.foil, nouns) >= SAID]:
            able.append((atom, foils))
    return able


def _overlap(caption: Caption, one: Atom, other: Atom) -> bool:
    """Whether the pieces of two atoms that can be denied share letters: then they cannot be edited each by itself."""
    pieces = [said(caption, atom, atom.text) for said in (negated, plain) for atom in (one, other)]
    (a, b), (c, d), (e, f), (g, h) = (piece.span for piece in pieces if isinstance(piece, Piece))
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
    texts, negatives = {truth.text.lower()}, []
    for pair, denied in product(product(first.words, second.words), (0, 1)):
        own = (pair[0] == first.words[0], pair[1] == second.words[0])
        if own[denied] or not own[1 - denied]:
            negative = _said(caption, (first, second), pair, denied)
            if negative.text.lower() not in texts:
                texts.add(negative.text.lower())
                negatives.append(negative)
    return Denials(truth, negatives)


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
    edited = caption.substituted([piece for piece in pieces if isinstance(piece, Piece)], left(graph, atom))
    return Negative(edited.text, atom.kind, stated(graph, atom), edited.spans, edited.graph, None, " | ".join(foils) or None)
