"""The paper's template for captions of four atoms (appendix A.3): "tall and blue boy on green grass and a dog"."""

from __future__ import annotations

from stages.graphs.graph import SceneGraph
from stages.language.inflection import number_of, participle
from stages.writing.phrase import ARTICLE, Piece, Realised, assemble


def fill(graph: SceneGraph) -> Realised:
    """Attributes before objects, subjects, relations and objects strung together, what is disconnected appended with "and a".

    >>> fill(SceneGraph(("boy", "grass"), ((0, "tall"), (0, "blue"), (1, "green")), ((0, "on", 1),))).caption
    'tall and blue boy on green grass'
    """
    said: list[int] = []
    pieces: list[Piece] = []
    before = (-1, "", -1)
    for index, triple in enumerate(graph.relations):
        subject, relation, o = triple
        if pieces and subject != before[2]:
            pieces.append(Piece("and"))
        if subject not in (before[0], before[2]):
            pieces += _noun(graph, subject, said)
        words = "with" if relation == "have" else participle(relation)
        pieces += [Piece(words, "relation", index), *_noun(graph, o, said)]
        before = triple
    for o in range(len(graph.objects)):
        if o not in said:
            article = [ARTICLE] if number_of(graph.objects[o]) == "singular" and not _named(graph, o, said) else []
            pieces += [*([Piece("and"), *article] if pieces else []), *_noun(graph, o, said)]
    return assemble(graph, pieces, sentence=False)


def _named(graph: SceneGraph, o: int, said: list[int]) -> bool:
    """Whether another object of the same name was said before."""
    return any(graph.objects[i] == graph.objects[o] for i in said if i != o)


def _noun(graph: SceneGraph, o: int, said: list[int]) -> list[Piece]:
    if o in said:
        return [Piece(graph.objects[o], "object", o)]
    attributes = [[Piece(a, "attribute", i)] for i, (owner, a) in enumerate(graph.attributes) if owner == o]
    other = [Piece("another")] if _named(graph, o, said) else []
    joined = [attribute for part in attributes for attribute in (Piece("and"), *part)][1:]
    said.append(o)
    return [*other, *joined, Piece(graph.objects[o], "object", o)]
