"""HN-Neg: the whole caption or one atom is negated (paper, appendix A.4), where the whole graph says that the result is false.

A negated caption says what is left of its graph, and denies one statement: an attribute ("a cup that is not red"), a relation ("not
on a table"), an object ("with no hat"), or all of it ("there is no boy on grass").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from lemminflect import getLemma

from stages.foils import relations
from stages.foils.caption import Caption, Edited, Phrase, lowered, removed, substituted
from stages.foils.hn_swap import Negative
from stages.graphs.graph import Atom, SceneGraph, Span
from stages.language.inflection import indefinite_article, inflect_like, is_verbal, number_of, verb_form
from stages.language.word_classes import attribute_place

_THERE = re.compile(r"\b(there (?:is|are))( also)? $", re.IGNORECASE)
_HOLDS = re.compile(r"\b(?:with|has|have|having|wearing|holding|carrying|containing|showing) $")
_ARTICLE = re.compile(r"(?<![\w'-])(an?) $", re.IGNORECASE)


class Piece(NamedTuple):
    """A part of the caption and the words that replace it."""

    span: Span
    words: str


def negations(caption: Caption) -> Iterator[Negative]:
    """All negations of A.4, valid or not: the caption, then each attribute, relation and object.

    Of two that read alike, as "there is no dog" of each of two dogs, the second is no negative.
    """
    said: set[str] = set()
    for negative in _all(caption):
        again = negative.reason is None and negative.text in said
        said.add(negative.text)
        yield negative._replace(reason="identical_negative") if again else negative


def _all(caption: Caption) -> Iterator[Negative]:
    graph = caption.graph
    pieces = whole(caption)
    if pieces is not None:
        yield _negative(caption, "caption", " | ".join(graph.objects), pieces, SceneGraph(), None)
    for atom in graph.atoms():
        if atom.kind == "object":
            continue
        found = negated(caption, atom, atom.text)
        if isinstance(found, str):
            yield Negative("", atom.kind, stated(graph, atom), (), graph, found)
        else:
            yield _negative(caption, atom.kind, stated(graph, atom), [found], left(graph, atom), unsafe(caption, atom))
    for o in range(len(graph.objects)):
        yield from _objects(caption, o)


def _negative(caption: Caption, edit: str, atoms: str, pieces: list[Piece], graph: SceneGraph, reason: str | None) -> Negative:
    edited = apply(caption, pieces, graph)
    return Negative(edited.text, edit, atoms, edited.spans, graph, reason)


def apply(caption: Caption, pieces: list[Piece], graph: SceneGraph) -> Edited:
    """The caption with the pieces replaced; what it still affirms is ``graph``."""
    return Edited(substituted(caption.text, pieces), tuple(sorted(piece.span for piece in pieces)), graph)


def stated(graph: SceneGraph, atom: Atom) -> str:
    """The statement that an atom makes, its parts joined by " | ": "red | cup", "cup | on | table", "cup"."""
    if atom.kind == "attribute":
        return f"{atom.text} | {graph.objects[graph.attributes[atom.index][0]]}"
    if atom.kind == "relation":
        subject, _, o = graph.relations[atom.index]
        return f"{graph.objects[subject]} | {atom.text} | {graph.objects[o]}"
    return atom.text


def left(graph: SceneGraph, atom: Atom) -> SceneGraph:
    """What a graph says without one attribute or relation, or without an object and all that is said of it."""
    if atom.kind == "attribute":
        return SceneGraph(graph.objects, _but(graph.attributes, atom.index), graph.relations)
    if atom.kind == "relation":
        return SceneGraph(graph.objects, graph.attributes, _but(graph.relations, atom.index))
    kept = [o for o in range(len(graph.objects)) if o != atom.index]
    new = {o: n for n, o in enumerate(kept)}
    return SceneGraph(
        tuple(graph.objects[o] for o in kept),
        tuple((new[o], a) for o, a in graph.attributes if o in new),
        tuple((new[s], r, new[o]) for s, r, o in graph.relations if s in new and o in new),
    )


def _but(items: tuple, index: int) -> tuple:
    return items[:index] + items[index + 1 :]


# --- Is it false? ---------------------------------------------------------------------------------------------------


def unsafe(caption: Caption, atom: Atom) -> str | None:
    """Why the negation of an atom may be true (A.4's three checks on the whole graph); ``None`` where it is false.

    It is false if the crop has no other thing, or pair of things, of these names that may lack what is denied.
    """
    known, graph = caption.known, caption.graph
    if atom.kind == "attribute":
        name = graph.objects[graph.attributes[atom.index][0]]
        bearers = [known.things[i].attributes for i in known.called(name)]
        alone = known.count(name) <= 1
        # What may well be called so is not enough: a brown balloon is one that is not orange.
        every = all(atom.text in attributes for attributes in bearers)
        return None if alone or every else "another_without_attribute"
    if atom.kind == "relation":
        subject, _, o = graph.relations[atom.index]
        subjects, objects = known.called(graph.objects[subject]), known.called(graph.objects[o])
        if known.count(graph.objects[subject]) * known.count(graph.objects[o]) <= 1:
            return None
        holding = {(s, o) for s, r, o in known.relations if relations.implies(r, atom.text)}
        return None if {(s, o) for s, o in product(subjects, objects) if s != o} <= holding else "another_pair"
    return None


# --- Words ----------------------------------------------------------------------------------------------------------


def negated(caption: Caption, atom: Atom, text: str) -> Piece | str:
    """The piece that denies ``text`` (the attribute or relation itself, or a foil) in the place of ``atom``; or why it cannot."""
    places = caption.places(atom.kind, atom.index)
    if len(places) != 1:
        return "no_place" if not places else "reference"
    slot = caption.text[slice(*places[0])]
    if atom.kind == "relation":
        if not caption.active(atom):
            return "passive"
        if _shared(caption, atom.index):
            return "scope"
        return Piece(places[0], without(inflect_like(text, slot, "relation"), text))
    return _negated_attribute(caption, atom, places[0], inflect_like(text, slot, "attribute"))


def plain(caption: Caption, atom: Atom, text: str) -> Piece | str:
    """The piece that says ``text`` in the place of an attribute or relation; or why it cannot."""
    places = caption.places(atom.kind, atom.index)
    if len(places) != 1:
        return "no_place" if not places else "reference"
    start, end = places[0]
    words = inflect_like(text, caption.text[start:end], atom.kind)
    article = _ARTICLE.search(caption.text[:start])
    if article is None:
        return Piece((start, end), words)
    right = indefinite_article(words)
    right = right.capitalize() if article.group(1)[0].isupper() else right
    return Piece((article.start(), end), f"{right} {words}")


def without(words: str, relation: str) -> str:
    """The words of a relation, as they stand in a caption, denied.

    >>> [without(words, "have") for words in ("on", "sitting on", "is on", "has", "with", "holds")]
    ['not on', 'not sitting on', 'is not on', 'does not have', 'without', 'does not hold']
    """
    first, _, rest = words.partition(" ")
    if first.lower() in ("is", "are", "was", "were"):
        return f"{first} not {rest}"
    if words == "with":
        return "without"
    lemma = getLemma(first.lower(), "VERB")[0] if is_verbal(words) else ""
    if lemma and first.lower() in (verb_form(lemma, "does"), verb_form(lemma, "do")):
        auxiliary = "do" if first.lower() == verb_form(lemma, "do") else "does"
        return f"{auxiliary} not {lemma} {rest}".rstrip()
    return f"not {words}"


def _shared(caption: Caption, index: int) -> bool:
    """Whether another relation of the same subject follows in the same clause, so that a "not" would reach over it, too."""
    subject = caption.graph.relations[index][0]
    end = caption.places("relation", index)[0][1]
    for i, (s, _, _) in enumerate(caption.graph.relations):
        for start, _ in caption.places("relation", i):
            if s == subject and i != index and start > end and not re.search(r"[.;]|, and ", caption.text[end:start]):
                return True
    return False


def _negated_attribute(caption: Caption, atom: Atom, place: Span, words: str) -> Piece | str:
    """ "a cup that is not red" for "a red cup", "a lamp that is not turned on" for "a lamp that is turned on"."""
    owner = caption.graph.attributes[atom.index][0]
    if attribute_place(atom.text) == "number":
        return "number"
    if not caption.phrases[owner]:
        return "no_place"
    phrase = caption.phrases[owner][0]
    if not phrase.middle[0] <= place[0] < phrase.middle[1]:
        said = caption.text[: place[0]].endswith((" is ", " are "))
        return Piece(place, f"not {words}") if said else "attribute_after_noun"
    middle = removed(caption.text[slice(*phrase.middle)], caption.text[slice(*place)])
    if middle is None:
        return "attribute_after_noun"
    noun = caption.text[slice(*phrase.noun)]
    verb = "are" if number_of(noun) == "plural" else "is"
    tail = f" {phrase.relative or 'that'} {verb} not {words}" + (" and" if phrase.relative else "")
    return Piece((phrase.start, phrase.end), caption.rewritten(phrase, middle) + tail)


def whole(caption: Caption) -> list[Piece] | None:
    """ "There is no boy on grass", "No boy is on grass", "there is no boy on grass" for a fragment; ``None`` for other openings."""
    first = min((p[0] for p in caption.phrases.values() if p), key=lambda phrase: phrase.start, default=None)
    if first is None or first.determiner not in ("a", "an", ""):
        return None
    noun = caption.text[slice(*first.noun)]
    words = lowered(caption.text[first.middle[0] : first.noun[1]])
    there = _THERE.search(caption.text[: first.start])
    if there:
        return [Piece((there.start(1), first.noun[1]), f"{there.group(1)} no {words}")]
    if first.start:
        return None
    if caption.text.endswith("."):
        return [Piece((0, first.noun[1]), f"No {words}")]
    return [Piece((0, first.noun[1]), f"there {'are' if number_of(noun) == 'plural' else 'is'} no {words}")]


def _objects(caption: Caption, o: int) -> Iterator[Negative]:
    """ "with no hat"; or that there is none anywhere, with "something" in its place, as in the official release."""
    graph, phrases = caption.graph, caption.phrases[o]
    name = graph.objects[o]
    if not phrases:
        yield Negative("", "object", name, (), graph, "no_place")
        return
    middle = caption.text[slice(*phrases[0].middle)].lower()
    none = " | ".join((*(a for a in graph.attributes_of(o) if a in middle), name))
    rest, phrase = left(graph, Atom("object", o, name)), phrases[0]
    again = len(phrases) > 1 or o in caption.pronouns or phrase.ordinal or phrase.determiner not in ("a", "an", "")
    before, words = caption.text[: phrase.start], lowered(caption.text[phrase.middle[0] : phrase.noun[1]])
    there, listed = _THERE.search(before), caption.text[phrase.noun[1] :].startswith((",", " and "))
    if not again and there and there.group(2) and not listed:
        pieces = [Piece((there.start(1), phrase.noun[1]), f"{there.group(1)} no {words}")]
        yield _negative(caption, "existence", none, pieces, rest, None)
        return
    if not again and _HOLDS.search(before):
        subjects = {s for s, _, other in graph.relations if other == o}
        alone = all(caption.known.count(graph.objects[i]) <= 1 for i in (o, *subjects))
        pieces = [Piece((phrase.start, phrase.noun[1]), f"no {words}")]
        yield _negative(caption, "object", name, pieces, rest, None if alone else "another_without_object")
    pieces = [_none(caption, phrase, words)]
    if not again and not there and not phrase.relative:
        something = "Something" if caption.text[phrase.start].isupper() else "something"
        pieces = [Piece((phrase.start, phrase.noun[1]), something), *pieces]
    yield _negative(caption, "existence", none, pieces, rest, None)


def _none(caption: Caption, phrase: Phrase, words: str) -> Piece:
    """ "There is no bench." after the caption."""
    verb = "are" if number_of(caption.text[slice(*phrase.noun)]) == "plural" else "is"
    end = len(caption.text)
    return Piece((end, end), f" There {verb} no {words}." if caption.text.endswith(".") else f"; there {verb} no {words}")
