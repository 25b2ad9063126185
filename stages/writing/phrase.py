"""Noun phrases: an object's first mention with its attributes, and how a caption points at it again."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import NamedTuple

from stages.graphs.graph import SceneGraph, Span, Spans
from stages.language.inflection import indefinite_article, number_of, plural
from stages.language.lexicon import words
from stages.language.word_classes import UNIQUE, attribute_place, is_person
from stages.language.wordnet import wordnet

# The order in which English puts adjectives: size, age and shape, colour, material, what it is doing.
SIZES = words("large big small little tiny huge tall short long wide narrow thin thick giant tiny high low")
LOOKS = words("old young new round square flat open closed empty full clean dirty bright dark light shiny wet dry curved straight")
COLOURS = words(
    """red orange yellow green blue purple pink brown black white gray grey silver gold golden beige tan cream maroon teal turquoise
    violet lavender blonde navy bronze"""
)
MATERIALS = words("wooden wood metal plastic glass brick stone concrete leather paper steel ceramic cotton denim rubber marble")


class Piece(NamedTuple):
    """Some words of a caption, and the atom that they name."""

    words: str
    kind: str = ""
    index: int = -1  # type: ignore[assignment]


ARTICLE = Piece("a")
"""The indefinite article, which becomes "a" or "an" when the next word is known."""


class Realised(NamedTuple):
    """A caption with the place of each atom, and the further places (kind, index, span) where it names an atom again."""

    caption: str
    spans: Spans
    mentions: tuple[tuple[str, int, Span], ...]


def assemble(graph: SceneGraph, pieces: list[Piece], sentence: bool) -> Realised:
    """Join the pieces by spaces, with articles and, for sentences, capital letters and a full stop."""
    text = ""
    found: dict[tuple[str, int], list[Span]] = {}
    for i, piece in enumerate(pieces):
        said = indefinite_article(pieces[i + 1].words) if piece is ARTICLE and i + 1 < len(pieces) else piece.words
        if sentence and (not text or text.endswith(".")):
            said = said[:1].upper() + said[1:]
        if text and said not in (".", ",", ";"):
            text += " "
        if piece.kind:
            found.setdefault((piece.kind, piece.index), []).append((len(text), len(text) + len(said)))
        text += said
    if sentence:
        text += "."
    first = {key: spans[0] for key, spans in found.items()}
    spans = Spans(
        *(
            tuple(first.get((kind, i)) for i in range(n))
            for kind, n in (
                ("object", len(graph.objects)),
                ("attribute", len(graph.attributes)),
                ("relation", len(graph.relations)),
            )
        )
    )
    return Realised(text, spans, tuple((kind, i, span) for (kind, i), rest in found.items() for span in rest[1:]))


@lru_cache(maxsize=65536)
def _rank(attribute: str) -> int:
    last = attribute.split()[-1]
    known = next((rank for rank, group in ((0, SIZES), (2, LOOKS), (COLOUR, COLOURS), (6, MATERIALS)) if last in group), None)
    if known is not None:
        return known
    if last.endswith(("ing", "ed")):
        return 3
    # A word that is no adjective, such as "cork" or "desk", stands next to its noun.
    return 1 if wordnet().synsets(last, "a") or wordnet().synsets(last, "s") else 7


COLOUR = 4
"""The rank of colours, which are joined by "and": "a black and white cat"."""


class NounPhrases:
    """Mentions of a graph's objects, in the order in which a caption makes them."""

    def __init__(self, graph: SceneGraph, rng: random.Random):
        self.graph, self.rng = graph, rng
        self.said: list[int] = []
        self._attributes: dict[int, list[tuple[int, str]]] = {}
        for index, (o, attribute) in enumerate(graph.attributes):
            self._attributes.setdefault(o, []).append((index, attribute))

    def number(self, o: int) -> str:
        """``plural`` or ``singular``, for the verb."""
        counted = any(attribute_place(attribute) == "number" for _, attribute in self._attributes.get(o, ()))
        return "plural" if counted or number_of(self.graph.objects[o]) == "plural" else "singular"

    def pronoun(self, o: int) -> str:
        return "who" if is_person(self.graph.objects[o]) else "that"

    def heavy(self, o: int) -> bool:
        """Whether a relative clause follows the object's first mention: "a lamp that is turned on"."""
        return bool(self._sorted(o)[2])

    def noun(self, o: int) -> Piece:
        name = self.graph.objects[o]
        return Piece(plural(name) if self.number(o) == "plural" else name, "object", o)

    def mention(self, o: int) -> list[Piece]:
        """The object by a definite noun phrase if it was said before, else with its attributes."""
        return self._again(o) if o in self.said else self._first(o)

    def _first(self, o: int) -> list[Piece]:
        counts, before, after = self._sorted(o)
        pieces = [*self._determiner(o, bool(counts)), *counts]
        for i, piece in enumerate(before):
            if i and _rank(piece.words) == _rank(before[i - 1].words):
                pieces.append(Piece("and") if _rank(piece.words) == COLOUR else Piece(","))
            pieces.append(piece)
        self.said.append(o)
        pieces.append(self.noun(o))
        if after:
            verb = "are" if self.number(o) == "plural" else "is"
            pieces += [Piece(self.pronoun(o)), Piece(verb), *listed([[piece] for piece in after])]
        return pieces

    def _sorted(self, o: int) -> tuple[list[Piece], list[Piece], list[Piece]]:
        """The object's attributes: numbers, at most two (three where short) before the noun, and the rest after it."""
        places: dict[str, list[Piece]] = {"number": [], "before": [], "after": []}
        for index, attribute in self._attributes.get(o, ()):
            places[attribute_place(attribute)].append(Piece(attribute, "attribute", index))
        before = sorted(places["before"], key=lambda piece: (_rank(piece.words), piece.index))
        if len(places["number"]) > 1:
            places["after"] += places["number"][1:]
        most = 3 if sum(len(piece.words) for piece in before[:3]) < 20 else 2
        return places["number"][:1], before[:most], before[most:] + places["after"]

    def _determiner(self, o: int, counted: bool) -> list[Piece]:
        name = self.graph.objects[o]
        own = self.graph.attributes_of(o)
        alike = [i for i in self.said if self.graph.objects[i] == name]
        told_apart = bool(own) and all(not set(own) <= set(self.graph.attributes_of(i)) for i in alike)
        if alike and not told_apart:
            if self.number(o) == "plural" or number_of(name) == "mass":
                return [Piece("other")] if not counted else []
            return (
                [Piece("another")] if len(alike) == 1 else [Piece("a"), Piece(("third", "fourth", "fifth")[min(len(alike) - 2, 2)])]
            )
        if name in UNIQUE:
            return [Piece("the")]
        return [] if counted or self.number(o) == "plural" or number_of(name) == "mass" else [ARTICLE]

    def _again(self, o: int) -> list[Piece]:
        """ "the boy"; "the red cup" where another cup was said, "the first cup" where no attribute tells them apart."""
        alike = [i for i in self.said if self.graph.objects[i] == self.graph.objects[o]]
        telling = [
            (index, attribute)
            for index, attribute in self._attributes.get(o, ())
            if attribute_place(attribute) == "before" and all(attribute not in self.graph.attributes_of(i) for i in alike if i != o)
        ]
        if len(alike) == 1:
            between: list[Piece] = []
        elif telling:
            between = [Piece(telling[0][1], "attribute", telling[0][0])]
        else:
            between = [Piece(("first", "second", "third", "fourth", "fifth", "last")[min(alike.index(o), 5)])]
        return [Piece("the"), *between, self.noun(o)]


def listed(parts: list[list[Piece]], last: str = "and") -> list[Piece]:
    """Parts joined as a list: "A", "A and B", "A, B and C"."""
    pieces: list[Piece] = []
    for i, part in enumerate(parts):
        if i:
            pieces.append(Piece(last) if i == len(parts) - 1 else Piece(","))
        pieces += part
    return pieces
