"""HN-Neg: a denial makes the caption false (paper, table 2 and appendix A.4).

``paper`` (:func:`denials`): the whole caption or one of its atoms is denied, "vase that is not yellow on top of television", where
the image's graph says that the result is false.

``cleared`` (:func:`absences`): where the truth has no "not", any "not" gives the negative away. So truth and negatives are one
caption with one denial in the same words, "…, with no cup in sight", and only the denied thing differs: in the truth it is absent
from the crop; in the negatives it is present, and the caption does not name it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, product
from math import log

from scipy.spatial.distance import cdist

from stages.graphs.graph import Atom, SceneGraph
from stages.negatives import denial
from stages.negatives.candidate import TRIED, Candidate, Truth
from stages.negatives.caption import Caption, lowered
from stages.negatives.checks import visible
from stages.negatives.denial import Piece
from stages.negatives.knowledge import Knowledge
from stages.negatives.meanings import says_nothing
from stages.semantics import attributes, relations, wordnet
from stages.semantics.usage import MIN_ASSOCIATION
from stages.text.inflection import number_of
from stages.text.lexicon import words
from stages.text.word_classes import UNIQUE

_HOLDS = re.compile(r"\b(?:(?<!along )with|has|have|having|wearing|holding|carrying|containing|showing) $")
WHOLE_THINGS = ("noun.artifact", "noun.animal", "noun.person", "noun.plant", "noun.food")
"""WordNet's lexical files of things that can be counted, not of places, materials or parts of bodies."""
ANYBODY = words("person people human individual somebody someone")
"""Names that say no more of a person than "someone" does."""
COMMON = 1000
"""Number of names, those that annotators give in most images, that are considered as absent things: it bounds time."""


# --- paper ------------------------------------------------------------------------------------------------------------------------


def denials(caption: Caption) -> Iterator[Candidate]:
    """Yield all negations of appendix A.4, valid or not: of the caption, and of each attribute, relation and object."""
    graph = caption.graph
    pieces = denial.whole(caption)
    if pieces is not None:
        yield _denied(caption, "caption", " | ".join(graph.objects), pieces, SceneGraph(), None)
    for atom in graph.atoms():
        if atom.kind == "object":
            continue
        piece = denial.negated(caption, atom)
        if isinstance(piece, str):
            yield Candidate("", atom.kind, stated(graph, atom), (), graph, reason=piece)
        else:
            yield _denied(caption, atom.kind, stated(graph, atom), [piece], left(graph, atom), may_hold(caption, atom))
    for o in range(len(graph.objects)):
        yield from _objects(caption, o)


def _denied(caption: Caption, edit: str, atoms: str, pieces: list[Piece], graph: SceneGraph, reason: str | None) -> Candidate:
    edited = caption.substituted(pieces, graph)
    return Candidate(edited.text, edit, atoms, edited.spans, edited.graph, reason=reason)


def stated(graph: SceneGraph, atom: Atom) -> str:
    """Return the statement that an attribute or a relation makes, its parts joined by " | ": "red | cup", "cup | on | table"."""
    if atom.kind == "attribute":
        return f"{atom.text} | {graph.objects[graph.attributes[atom.index][0]]}"
    subject, _, o = graph.relations[atom.index]
    return f"{graph.objects[subject]} | {atom.text} | {graph.objects[o]}"


def left(graph: SceneGraph, atom: Atom) -> SceneGraph:
    """Return a graph without one attribute or relation."""
    attributes, relations_ = (
        [i for i in range(len(said)) if (kind, i) != (atom.kind, atom.index)]
        for kind, said in (("attribute", graph.attributes), ("relation", graph.relations))
    )
    return graph.induced(range(len(graph.objects)), attributes, relations_)


def may_hold(caption: Caption, atom: Atom) -> str | None:
    """Return why the denial of an attribute or relation may be true (A.4's checks on the whole graph); ``None`` where it is false.

    It is false if the crop has no other thing, or pair of things, of these names without the attribute or relation, and nobody
    contests the attribute.
    """
    known, graph = caption.known, caption.graph
    if atom.kind == "attribute":
        name = graph.objects[graph.attributes[atom.index][0]]
        bearers = [known.things[i].attributes for i in known.called(name)]
        if any(attributes.excludes(own, atom.text) for others in bearers for own in others):
            return "contested"  # one annotator calls it beige, and another gray
        alone = known.count(name) <= 1 or all(atom.text in others for others in bearers)
        return None if alone else "another_without_attribute"
    subject, _, o = graph.relations[atom.index]
    subjects, objects = known.called(graph.objects[subject]), known.called(graph.objects[o])
    if known.count(graph.objects[subject]) * known.count(graph.objects[o]) <= 1:
        return None
    holding = {(s, o) for s, r, o in known.relations if relations.implies(r, atom.text)}
    return None if {(s, o) for s, o in product(subjects, objects) if s != o} <= holding else "another_pair"


def _objects(caption: Caption, o: int) -> Iterator[Candidate]:
    """Yield denials of an object: "with no hat"; or "something" in its place plus its denial, as in the official release."""
    graph, phrases = caption.graph, caption.phrases[o]
    name = graph.objects[o]
    if not phrases or not denial.deniable(caption, o):
        yield Candidate("", "object", name, (), graph, reason="contradiction" if phrases else "no_place")
        return
    rest, phrase, begins = graph.without(o), phrases[0], denial.heads(caption)
    bare, middle = denial.without_article(caption, o), caption.text[slice(*phrase.middle)].lower()
    none = " | ".join((*(a for a in graph.attributes_of(o) if a in middle), name))
    if o in begins and len(begins) > 1:
        later = list(begins)[list(begins).index(o) + 1 :]
        # Not "there is no cup and a dog", and no "also" after a denied object.
        if later and (begins[later[0]] or " also " in caption.text[phrase.end :]):
            yield Candidate("", "existence", name, (), graph, reason="scope")
        else:
            yield _denied(caption, "existence", none, [denial.no_such(caption, o)], rest, None)
            if denial.THERE.search(caption.text[: phrase.start]):
                return
    if _HOLDS.search(caption.text[: phrase.start]):
        subjects = {s for s, _, other in graph.relations if other == o}
        alone = all(caption.known.count(graph.objects[i]) <= 1 for i in (o, *subjects))
        pieces = [Piece((phrase.start, phrase.noun[1]), f"no {bare}")]
        yield _denied(caption, "object", name, pieces, rest, None if alone else "another_without_object")
    if name in ANYBODY:
        return  # "someone is on a bench; there is no person" contradicts itself
    several = number_of(caption.text[slice(*phrase.noun)]) == "plural"
    # "There is no red car" as well as no car at all.
    for denied, atoms in {bare: none, lowered(caption.text[slice(*phrase.noun)]): name}.items():
        pieces = [denial.something_for(caption, o, several), denial.none_of(caption, denied, several)]
        yield _denied(caption, "something", atoms, pieces, rest, None)


# --- cleared ----------------------------------------------------------------------------------------------------------------------


def absences(caption: Caption, knowledge: Knowledge) -> tuple[list[Truth], list[Candidate]]:
    """Return truths, each of which denies a thing that the crop does not show, and candidates that deny things it shows."""
    known, taken = caption.known, _taken(caption, knowledge)
    nouns = dict.fromkeys(thing.names[0] for thing in known.things if not thing.described)
    shown = [name for name in nouns if _deniable(name, knowledge) and not taken(name)]
    if not shown:
        return [], []
    there = [_absence(caption, name) for name in sorted(shown)]
    tried = [name for name in _often_named(knowledge) if not (name in shown or name in known.mentioned or taken(name))]
    absent = (name for name in _matched(tried, shown, caption, knowledge) if known.object(name) <= knowledge.max_true)
    return [Truth(c.caption, c.graph, c.atom) for c in (_absence(caption, name) for name in islice(absent, TRIED))], there


@lru_cache(1)
def _often_named(knowledge: Knowledge) -> list[str]:
    """Return the deniable ones of the :data:`COMMON` names that annotators give in most images, the most common first."""
    said = knowledge.meanings.habits.own.said
    common = sorted(said, key=lambda name: (-said[name][0], name))[:COMMON]
    return [name for name in common if _deniable(name, knowledge)]


def _taken(caption: Caption, knowledge: Knowledge) -> Callable[[str], bool]:
    """Return a function that says whether the caption mentions something that a noun may mean as well."""
    named = [name for name in dict.fromkeys(caption.graph.objects) if not says_nothing(name)]
    return lambda noun: any(knowledge.meanings.alike(name, noun) for name in named)


def _matched(absent: Sequence[str], shown: Sequence[str], caption: Caption, knowledge: Knowledge) -> list[str]:
    """Return absent things in the order of how close they are to a present one.

    By how common they are, and how usual next to the caption's things, so that neither gives the truth away.
    """
    if not absent:
        return []
    places = [[_usual(name, caption, knowledge) for name in names] for names in (absent, shown)]
    near = cdist(*places).min(axis=1).round(6)
    return [name for _, name in sorted(zip(near.tolist(), absent, strict=True))]


def _deniable(name: str, knowledge: Knowledge) -> bool:
    """Return whether a noun names a thing that is clearly present or absent."""
    return name in knowledge.vocabulary.counts["object"] and knowledge.vocabulary.is_noun(name) and _is_whole(name)


@lru_cache(1 << 16)
def _is_whole(name: str) -> bool:
    """Return whether a noun, in the sense that captions mean, names a visible thing, of which there may be several.

    A noun that is a place first, as "front" and "corner" are, mostly names a place.
    """
    sense, first = wordnet.sense(name), wordnet.senses(name, "n")[:1]
    whole = sense is not None and sense.lexname() in WHOLE_THINGS and not any(s.lexname() == "noun.location" for s in first)
    return whole and name not in UNIQUE and not says_nothing(name) and visible(name)


def _usual(name: str, caption: Caption, knowledge: Knowledge) -> tuple[float, float]:
    """Return logarithms of how common a noun is, and how much more common next to the caption's nouns, if not odd."""
    objects = sorted(set(caption.graph.objects))
    together = sum(knowledge.meanings.usage.together(name, other) for other in objects) / len(objects)
    return round(log(knowledge.vocabulary.counts["object"][name]), 6), round(log(max(together, MIN_ASSOCIATION)), 6)


def _absence(caption: Caption, name: str) -> Candidate:
    edited = caption.substituted([denial.absence(caption, name)], caption.graph)
    return Candidate(edited.text, "existence", name, edited.spans, edited.graph, denies=name)
