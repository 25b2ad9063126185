"""HN-Neg: the whole caption or one atom is negated (paper, appendix A.4), where the whole graph says that the result is false.

A negated caption says what is left of its graph, and denies one statement: an attribute ("a cup that is not red"), a relation ("not
on a table"), an object ("with no hat"), or all of it ("there is no boy on grass").
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, product
from random import Random

from stages.foils.caption import Caption, lowered
from stages.foils.meanings import says_nothing
from stages.foils.negative import Negative
from stages.foils.vocabulary import Vocabulary
from stages.graphs.graph import Atom, SceneGraph
from stages.productivity import denial
from stages.productivity.denial import Piece
from stages.productivity.shown import things_beside
from stages.semantics import relations
from stages.wording.inflection import number_of

_HOLDS = re.compile(r"\b(?:(?<!along )with|has|have|having|wearing|holding|carrying|containing|showing) $")


def negations(caption: Caption, vocabulary: Vocabulary) -> list[Negative]:
    """All negations of A.4, valid or not: the caption, each attribute, relation and object, and what else the crop shows.

    Of two that read alike, as "there is no dog" of each of two dogs, the second is no negative.
    """
    negatives, texts = [], set[str]()
    beside = [name for name in things_beside(caption, vocabulary, surely=True) if not names(caption, caption.graph, name)]
    for negative in chain(_all(caption), (denying(caption, name) for name in beside)):
        again = negative.reason is None and negative.text in texts
        texts.add(negative.text)
        negatives.append(negative._replace(reason="identical_negative") if again else negative)
    return negatives


WAYS_TO_DENY = {"existence": "no", "caption": "no", "object": "no", "attribute": "not", "relation": "not", "something": "something"}
"""The ways of denying, by what is denied: there is no such thing, a thing is not so, there is something but no such thing."""


def in_one_way(negatives: Sequence[Negative], size: int, draw: Random) -> list[Negative]:
    """The negatives, of which only those that deny in one way stay valid; all, if ``size`` cannot be had in any.

    Who sees four that end in "there is no dog", and one that does not, knows that this one was made in another way.
    """
    ways = [WAYS_TO_DENY[negative.edit] for negative in negatives if negative.reason is None]
    enough = [{way} for way in ("no", "not") if ways.count(way) >= size]
    allowed = draw.choice(enough) if enough else {"no", "something"}
    if sum(way in allowed for way in ways) < size:
        return list(negatives)
    other = [negative.reason is None and WAYS_TO_DENY[negative.edit] not in allowed for negative in negatives]
    return [n._replace(reason="other_way") if out else n for n, out in zip(negatives, other, strict=True)]


def _all(caption: Caption) -> Iterator[Negative]:
    graph = caption.graph
    pieces = denial.whole(caption)
    if pieces is not None:
        yield _negative(caption, "caption", " | ".join(graph.objects), pieces, SceneGraph(), None)
    for atom in graph.atoms():
        if atom.kind == "object":
            continue
        piece = denial.negated(caption, atom, atom.text)
        if isinstance(piece, str):
            yield Negative("", atom.kind, stated(graph, atom), (), graph, piece)
        else:
            yield _negative(caption, atom.kind, stated(graph, atom), [piece], left(graph, atom), unsafe(caption, atom))
    for o in range(len(graph.objects)):
        yield from _objects(caption, o)


def _negative(caption: Caption, edit: str, atoms: str, pieces: list[Piece], graph: SceneGraph, reason: str | None) -> Negative:
    edited = caption.substituted(pieces, graph)
    return Negative(edited.text, edit, atoms, edited.spans, graph, reason)


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
    if atom.kind == "object":
        return graph.without(atom.index)
    attributes, relations_ = (
        [i for i in range(len(said)) if (kind, i) != (atom.kind, atom.index)]
        for kind, said in (("attribute", graph.attributes), ("relation", graph.relations))
    )
    return graph.induced(range(len(graph.objects)), attributes, relations_)


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


def _objects(caption: Caption, o: int) -> Iterator[Negative]:
    """Such as "with no hat"; or that there is none anywhere, with "something" in its place, as in the official release."""
    graph, phrases = caption.graph, caption.phrases[o]
    name = graph.objects[o]
    if not phrases or not denial.deniable(caption, o):
        yield Negative("", "object", name, (), graph, "contradiction" if phrases else "no_place")
        return
    rest, phrase, begins = left(graph, Atom("object", o, name)), phrases[0], denial.heads(caption)
    words, middle = denial.without_article(caption, o), caption.text[slice(*phrase.middle)].lower()
    none = " | ".join((*(a for a in graph.attributes_of(o) if a in middle), name))
    if o in begins and len(begins) > 1:
        later = list(begins)[list(begins).index(o) + 1 :]
        # Not "there is no cup and a dog", and no "also" after what is denied.
        if later and (begins[later[0]] or " also " in caption.text[phrase.end :]):
            yield Negative("", "existence", name, (), graph, "scope")
        else:
            yield _negative(caption, "existence", none, [denial.no_such(caption, o)], rest, None)
            if denial.THERE.search(caption.text[: phrase.start]):
                return
    if _HOLDS.search(caption.text[: phrase.start]):
        subjects = {s for s, _, other in graph.relations if other == o}
        alone = all(caption.known.count(graph.objects[i]) <= 1 for i in (o, *subjects))
        pieces = [Piece((phrase.start, phrase.noun[1]), f"no {words}")]
        yield _negative(caption, "object", name, pieces, rest, None if alone else "another_without_object")
    noun = caption.text[slice(*phrase.noun)]
    several = number_of(noun) == "plural"
    # "There is no red car", and none at all.
    for denied, atoms in {words: none, lowered(noun): name}.items():
        pieces = [denial.something_for(caption, o, several), denial.none_of(caption, denied, several)]
        yield _negative(caption, "something", atoms, pieces, rest, None)


def names(caption: Caption, graph: SceneGraph, name: str) -> bool:
    """Does ``graph`` speak of what may be called ``name``? "A girl is on grass. There is no lady." contradicts itself."""
    return any(caption.known.meanings.alike(own, name) for own in graph.objects if not says_nothing(own))


def denying(caption: Caption, name: str) -> Negative:
    """The caption, and that there is nothing called ``name``, of which it does not speak: "A cup is red. There is no dog."."""
    return _negative(caption, "existence", name, [denial.absence(caption, name)], caption.graph, None)
