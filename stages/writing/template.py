"""The paper's template for captions of four atoms (appendix A.3): "tall and blue boy on green grass and a dog"."""

from collections.abc import Collection

from stages.graphs.graph import SceneGraph
from stages.text.word_classes import attribute_place
from stages.writing.phrase import ARTICLE, NounPhrases, Piece, Realised, assemble, is_bare, listed
from stages.writing.relations import words_after_noun


def fill(graph: SceneGraph, plurals: Collection[int] = ()) -> Realised:
    """Return attributes before objects, then subject, relation, object in a row; unconnected objects follow "and a".

    The objects ``plurals`` are several each.

    >>> fill(SceneGraph(("boy", "grass"), ((0, "tall"), (0, "blue"), (1, "green")), ((0, "on", 1),))).caption
    'tall and blue boy on green grass'
    """
    nouns = NounPhrases(graph, plurals)
    pieces: list[Piece] = []
    before = (-1, -1)
    for index, (subject, relation, o) in enumerate(graph.relations):
        if pieces and subject != before[1]:
            pieces.append(Piece("and"))
        if subject not in before:
            pieces += _noun(nouns, subject)
        pieces += [Piece(words_after_noun(relation), "relation", index), *_noun(nouns, o)]
        before = subject, o
    for o, name in enumerate(graph.objects):
        if o not in nouns.said:
            one = nouns.number(o) == "singular" and not is_bare(name) and not _named(nouns, name)
            article = [ARTICLE] if one else []
            pieces += [*([Piece("and"), *article] if pieces else []), *_noun(nouns, o)]
    return assemble(graph, pieces, sentence=False)


def _named(nouns: NounPhrases, name: str) -> bool:
    """Return whether an object of this name was mentioned before."""
    return any(nouns.graph.objects[i] == name for i in nouns.said)


def _noun(nouns: NounPhrases, o: int) -> list[Piece]:
    if o in nouns.said:
        return [nouns.noun(o)]
    numbers, attributes, behind = (
        [piece for piece in nouns.attributes[o] if attribute_place(piece.words) == place] for place in ("number", "before", "after")
    )
    other = [Piece("other" if nouns.number(o) == "plural" else "another")] if _named(nouns, nouns.graph.objects[o]) else []
    joined = [piece for attribute in attributes for piece in (Piece("and"), attribute)][1:]
    nouns.said.append(o)
    that = [] if all(piece.words.endswith("ing") for piece in behind) else [nouns.pronoun(o), nouns.be(o)]
    return [*other, *numbers, *joined, nouns.noun(o), *that, *listed([[piece] for piece in behind])]
