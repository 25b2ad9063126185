"""NegCLIP's text negatives: two parts of a caption change places (Yuksekgonul et al., ICLR 2023, section 4 and appendix C.1).

"The horse is eating the grass and the zebra is drinking the water" → "the zebra is … and the horse is …" (nouns), "the horse is
drinking … and the zebra is eating …" (verb phrases). Unlike the benchmark's HN-Swap they come without an image: one that happens to
be true costs little. Exchanges that keep the meaning ("a cat and a dog", "next to") are left out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace as copy
from itertools import combinations, islice
from random import Random
from typing import Any, NamedTuple

from stages.graphs.graph import SceneGraph, Span
from stages.parsing.extraction import extract
from stages.parsing.parser import Parsed, Parser, named
from stages.parsing.surface import Surface
from stages.parsing.trees import Tree
from stages.parsing.words import Words, repair
from stages.semantics.relations import symmetric
from stages.text.inflection import can_take, capitals_like, inflect_like
from stages.text.normal import singular_at
from stages.text.number import number_in
from stages.text.spans import replace, whole

PARTS = ("noun", "adjective", "adverb", "verb phrase", "noun phrase")
LEFT = {"det", "amod", "nummod", "compound", "poss", "nmod", "predet"}
"""Dependencies of words before a noun that belong to it."""
SHORTEST_NOUN_PHRASE = 3
"""Tokens; in shorter ones only the noun would be left to exchange."""


class Negative(NamedTuple):
    """A caption with two of its parts exchanged, and the kind of the parts, one of :data:`PARTS`."""

    part: str
    caption: str


class Piece(NamedTuple):
    """A part of a caption that can be exchanged: its first word, its last word, which is its head, and its span."""

    first: int
    head: int
    span: Span


def negatives(captions: Iterable[str], parser: Parser, most: int, seed: int) -> Iterator[tuple[str, list[Negative]]]:
    """Return each caption with up to ``most`` negatives of each kind of parts, in order; drawn by the seed and the caption."""

    def read(caption: str, tree: Tree, _surface: Surface) -> tuple[str, list[Negative]]:
        words = repair(tree)
        # Everything in the tree: annotators' conventions do not matter here, and would take a fifth of the time.
        parsed = Parsed(caption, *named(extract(words)))
        draw = Random(f"{seed}:{caption}")
        return caption, list(exchanged(words, parsed, draw, most))

    return parser.map(captions, read)


def exchanged(words: Words, parsed: Parsed, draw: Random, most: int) -> Iterator[Negative]:
    """Yield captions that differ from ``parsed`` by one exchange of similar parts and in meaning: up to ``most`` of each kind.

    In random order; only as many are computed as are needed.
    """
    taken = {parsed.caption.lower()}
    before = _both_ways(parsed.graph).canonical()
    for part in draw.sample(PARTS, len(PARTS)):
        every = _of_part(words, parsed, before, part, draw)
        fresh = (negative for negative in every if negative.caption.lower() not in taken)
        for negative in islice(fresh, most):
            taken.add(negative.caption.lower())
            yield negative


def _of_part(words: Words, parsed: Parsed, before: tuple, part: str, draw: Random) -> Iterator[Negative]:
    # spaCy splits words such as "gotta": a part of one cannot move.
    movable = (piece for piece in pieces(words, part) if whole(parsed.caption, piece.span))
    every = [piece for piece in movable if not within_relation(words, parsed, piece)]
    pairs = [(one, other) for one, other in combinations(every, 2) if one.span[1] <= other.span[0]]
    draw.shuffle(pairs)
    for one, other in pairs:
        if says_the_same(words, parsed, before, part, one, other):
            continue
        texts = moved(words, parsed.caption, part, one, other)
        if texts is not None:
            yield Negative(part, replace(parsed.caption, [one.span, other.span], texts))


def within_relation(words: Words, parsed: Parsed, piece: Piece) -> bool:
    """Return whether a part without a verb belongs to a relation: nothing is "on table of the top", or "big to" a thing."""
    if words.kind[piece.head] == "verb":
        return False
    start, end = words.start[piece.head], words.end[piece.head]
    # Of "sits on a desk in front of a screen" the graph has no words of the second relation, which are not adjacent.
    return piece.head in words.phrase or any(span and span[0] <= start and end <= span[1] for span in parsed.spans.relations)


# --- The parts ----


def pieces(words: Words, part: str) -> list[Piece]:
    """Return the parts of one kind, in their order."""
    every = (_ends(words, part, head) for head in range(len(words)))
    return [Piece(first, head, (words.start[first], words.end[head])) for first, head in filter(None, every)]


def _ends(words: Words, part: str, head: int) -> tuple[int, int] | None:
    """Return the first and the last word of the part with this ``head``, or None if it heads none."""
    kind = words.kind[head]
    match part:
        case "noun" if kind == "noun" and words.dep[head] != "compound":
            return _leftmost(words, head, {"compound"}), head
        case "noun phrase" if kind == "noun" and words.dep[head] != "compound":
            first = _leftmost(words, head, LEFT)
            # "A very tall stand" cannot be split: "a very" would stay behind.
            whole_phrase = not any(first <= words.head[i] <= head for i in range(first))
            return (first, head) if whole_phrase and head - first + 1 >= SHORTEST_NOUN_PHRASE else None
        case "adjective" if kind == "adj":
            return head, head
        case "adverb" if kind == "adv" and words.low[head] not in ("not", "n't"):
            return head, head
        case "verb phrase" if kind == "verb":
            particle = head + 1 < len(words) and words.dep[head + 1] == "prt" and words.head[head + 1] == head
            return head, head + particle
    return None


def _leftmost(words: Words, head: int, labels: set[str]) -> int:
    """Return the first of the words right before ``head`` that depend on it by the dependencies ``of``, without a gap."""
    first = head
    while first and words.dep[first - 1] in labels and head >= words.head[first - 1] >= first:
        first -= 1
    return first


def moved(words: Words, caption: str, part: str, one: Piece, other: Piece) -> list[str] | None:
    """Return the words in the places of ``one`` and ``other`` after the exchange; None where they would not be English."""
    first, second = caption[slice(*one.span)], caption[slice(*other.span)]
    if part == "noun":
        if _owns(words, one.head) != _owns(words, other.head):  # "men's shoes" has no "shoes's men"
            return None
        numbers = number_in(caption, one.span), number_in(caption, other.span)
        names = _one_of(caption, other.span), _one_of(caption, one.span)
        if not all(map(can_take, names, numbers)):
            return None
        return [inflect_like(name, slot, "object", n) for name, slot, n in zip(names, (first, second), numbers, strict=True)]
    if part == "noun phrase" and number_in(caption, one.span) != number_in(caption, other.span):
        return None
    if part in ("verb phrase", "adjective") and words.tag[one.first] != words.tag[other.first]:
        return None
    return [capitals_like(_lowered(words, other, second), first), capitals_like(_lowered(words, one, first), second)]


def _one_of(caption: str, span: Span) -> str:
    """Return the noun at ``span``, in the singular."""
    parts, behind = caption[slice(*span)].lower().split(), caption[span[1] :].lower().split()[:1]
    return " ".join([*parts[:-1], singular_at([*parts, *behind], len(parts) - 1)])


def _owns(words: Words, head: int) -> bool:
    """Return whether a possessive mark follows a noun."""
    return head + 1 < len(words) and words.dep[head + 1] == "case" and words.head[head + 1] == head


def _lowered(words: Words, piece: Piece, text: str) -> str:
    """Return ``text`` without the capital letter of a sentence's beginning; names keep theirs."""
    return text if words.tag[piece.first].startswith("NNP") else text[:1].lower() + text[1:]


# --- Equal meaning ----


def says_the_same(words: Words, parsed: Parsed, before: tuple, part: str, one: Piece, other: Piece) -> bool:
    """Return whether the exchange keeps the meaning, by the tree where the graph (``before``: in canonical form) lacks a part."""
    after = _graph_after(parsed, part, one.span, other.span)
    if after is None:
        return _on_a_par(words, one.head, other.head)
    if part in ("noun", "noun phrase") and _joined(words, one.head) == _joined(words, other.head):
        if words.low[max(one.head, other.head) - 1] in ("and", "or"):
            return True  # "sliced strawberries and bananas": the attribute of the first may apply to both
        # In the tree, the predicate of one joined thing holds of both: "a man and a woman sitting on a bench".
        return copy(after, relations=()).canonical() == copy(parsed.graph, relations=()).canonical()
    return _both_ways(after).canonical() == before


def _graph_after(parsed: Parsed, part: str, one: Span, other: Span) -> SceneGraph | None:
    graph, spans = parsed.graph, parsed.spans
    if part in ("noun", "noun phrase"):
        i, j = _at(spans.objects, one), _at(spans.objects, other)
        if i is None or j is None:
            return None
        place = {i: j, j: i}
        if part == "noun phrase":  # its attributes go with it
            relations = tuple((place.get(s, s), relation, place.get(o, o)) for s, relation, o in graph.relations)
            return copy(graph, relations=relations)
        return copy(graph, objects=tuple(graph.objects[place.get(n, n)] for n in range(len(graph.objects))))
    for kind in ("attributes", "relations"):
        i, j = (_at(getattr(spans, kind), span) for span in (one, other))
        if i is not None and j is not None:
            # Both (object, attribute) and (subject, relation, object) have their words in the second place.
            said = [list(row) for row in getattr(graph, kind)]
            said[i][1], said[j][1] = said[j][1], said[i][1]
            after: dict[str, Any] = {kind: tuple(map(tuple, said))}
            return copy(graph, **after)
    return None


def _at(spans: Iterable[Span | None], span: Span) -> int | None:
    """Return the atom whose words are within ``span`` or around it."""
    overlap = (n for n, atom_span in enumerate(spans) if atom_span and atom_span[0] < span[1] and span[0] < atom_span[1])
    return next(overlap, None)


def _both_ways(graph: SceneGraph) -> SceneGraph:
    """Return the graph with symmetric relations in both directions."""
    turned = ((o, relation, s) for s, relation, o in graph.relations if symmetric(relation))
    return copy(graph, relations=tuple(sorted({*graph.relations, *turned})))


def _joined(words: Words, i: int) -> int:
    """Return the first of the words that ``i`` is joined to by "and"."""
    while words.dep[i] == "conj" and words.head[i] != i:
        i = words.head[i]
    return i


def _on_a_par(words: Words, one: int, other: int) -> bool:
    """Return whether two words are joined by "and", or depend on the same word."""
    return words.head[one] == words.head[other] or (words.dep[other] == "conj" and words.head[other] == one)
