"""The paper's template for captions of four atoms (appendix A.3): "tall and blue boy on green grass and a dog"."""

from __future__ import annotations

from collections.abc import Collection

from stages.graphs.graph import SceneGraph
from stages.wording.word_classes import attribute_place
from stages.writing.phrase import ARTICLE, NounPhrases, Piece, Realised, assemble, is_bare, listed
from stages.writing.relations import words_after_noun


def fill(graph: SceneGraph, plurals: Collection[int] = ()) -> Realised:
    """Attributes before objects, subjects, relations and objects strung together, what is disconnected appended with "and a".

    The objects ``plurals`` are several each.

    >>> fill(SceneGraph(("boy", "grass"), ((0, "tall"), (0, "blue"), (1, "green")), ((0, "on", 1),))).caption
    'tall and blue boy on green grass'
    """
    nouns = NounPhrases(graph, plurals)
    mentioned: list[int] = []
    pieces: list[Piece] = []
    before = (-1, "", -1)
    for index, triple in enumerate(graph.relations):
        subject, relation, o = triple
        if pieces and subject != before[2]:
            pieces.append(Piece("and"))
        if subject not in (before[0], before[2]):
            pieces += _noun(nouns, subject, mentioned)
        pieces += [Piece(words_after_noun(relation), "relation", index), *_noun(nouns, o, mentioned)]
        before = triple
    for o in range(len(graph.objects)):
        if o not in mentioned:
            one = nouns.number(o) == "singular" and not is_bare(graph.objects[o]) and not _named(graph, o, mentioned)
            article = [ARTICLE] if one else []
            pieces += [*([Piece("and"), *article] if pieces else []), *_noun(nouns, o, mentioned)]
    return assemble(graph, pieces, sentence=False)


def _named(graph: SceneGraph, o: int, mentioned: list[int]) -> bool:
    """Whether another object of the same name was said before."""
    return any(graph.objects[i] == graph.objects[o] for i in mentioned if i != o)


def _noun(nouns: NounPhrases, o: int, mentioned: list[int]) -> list[Piece]:
    if o in mentioned:
        return [nouns.noun(o)]
    attributes = [piece for piece in nouns.attributes[o] if attribute_place(piece.words) != "after"]
    behind = [piece for piece in nouns.attributes[o] if piece not in attributes]
    other = [Piece("other" if nouns.number(o) == "plural" else "another")] if _named(nouns.graph, o, mentioned) else []
    joined = [piece for attribute in attributes for piece in (Piece("and"), attribute)][1:]
    mentioned.append(o)
    that = [] if all(piece.words.endswith("ing") for piece in behind) else [Piece(nouns.pronoun(o)), Piece(nouns.be(o))]
    return [*other, *joined, nouns.noun(o), *that, *listed([[piece] for piece in behind])]
