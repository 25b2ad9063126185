"""Noun phrases: an object's first mention with its attributes, and later references to it."""

from collections.abc import Collection
from functools import cache, lru_cache
from typing import NamedTuple

from stages.graphs.graph import SceneGraph, Span, Spans
from stages.text.attributes import LOOKS, MATERIALS, SIZES, makes_a_name
from stages.text.inflection import can_take, indefinite_article, number_of, plural
from stages.text.lexicon import words
from stages.text.normal import COLOURS, verb_base
from stages.text.usage import usage
from stages.text.word_classes import UNIQUE, attribute_place, is_definite, is_person
from stages.text.wordnet import wordnet


class Piece(NamedTuple):
    """Some words of a caption, and the atom that they name."""

    words: str
    kind: str = ""
    index: int = -1  # type: ignore[assignment]


ARTICLE = Piece("a")
"""The indefinite article, which becomes "a" or "an" when the next word is known."""
ORDINALS = ("first", "second", "third", "fourth", "fifth")
POSTURES = words("sit stand lie lay kneel crouch lean hang perch rest park")
"""Verbs of lasting states of people and things."""
KEPT_AT = words("on in at against")
"""Prepositions of the places of postures."""
SHORT = 20
"""Up to this total number of letters three attributes go before a noun, and otherwise two."""


class Realised(NamedTuple):
    """A caption with the place of each atom, and the places of further mentions (kind, index, span)."""

    caption: str
    spans: Spans
    mentions: tuple[tuple[str, int, Span], ...]


def assemble(graph: SceneGraph, pieces: list[Piece], sentence: bool) -> Realised:
    """Join the chunks by spaces, with articles and, for sentences, capital letters and a full stop."""
    text = ""
    found: dict[tuple[str, int], list[Span]] = {}
    for i, piece in enumerate(pieces):
        words = indefinite_article(pieces[i + 1].words) if piece is ARTICLE and i + 1 < len(pieces) else piece.words
        if sentence and (not text or text.endswith(".")):
            words = words[:1].upper() + words[1:]
        if text and words not in (".", ",", ";"):
            text += " "
        if piece.kind:
            found.setdefault((piece.kind, piece.index), []).append((len(text), len(text) + len(words)))
        text += words
    if sentence:
        text += "."
    first = {key: spans[0] for key, spans in found.items()}
    atoms = {"object": graph.objects, "attribute": graph.attributes, "relation": graph.relations}
    spans = Spans(*(tuple(first.get((kind, i)) for i in range(len(atoms_of_kind))) for kind, atoms_of_kind in atoms.items()))
    return Realised(text, spans, tuple((kind, i, span) for (kind, i), rest in found.items() for span in rest[1:]))


@lru_cache(maxsize=65536)
def _rank(attribute: str) -> int:
    last = attribute.split()[-1]
    known = next((rank for rank, group in ((0, SIZES), (2, LOOKS), (COLOUR, COLOURS), (6, MATERIALS)) if last in group), None)
    if known is not None:
        return known
    if last.endswith(("ing", "ed")):
        return STATE
    # A word that is no adjective, such as "cork" or "desk", goes next to its noun.
    return OTHER if wordnet().synsets(last, "a") or wordnet().synsets(last, "s") else NOUN


def _rank_before(attribute: str, noun: str) -> int:
    """Return the rank of an attribute before this noun: nothing goes between "sticky" and "note"."""
    rank = _rank(attribute)
    return NOUN if rank in (OTHER, STATE) and makes_a_name(attribute, noun) else rank


def _participle(attribute: str) -> bool:
    return " " not in attribute and attribute.endswith(("ing", "ed"))


OTHER, STATE, NOUN = 1, 3, 7
"""The ranks of all other adjectives, of participles, and of nouns."""
COLOUR = 4
"""The rank of colours, which are joined by "and": "a black and white cat"."""


class NounPhrases:
    """Mentions of a graph's objects, in the order of the caption; the objects ``plurals`` are several each."""

    def __init__(self, graph: SceneGraph, plurals: Collection[int]):
        self.graph, self.plurals = graph, plurals
        self.said: list[int] = []
        self.mentioned: set[int] = set()
        self.attributes: list[list[Piece]] = [[] for _ in graph.objects]
        for index, (o, attribute) in enumerate(graph.attributes):
            self.attributes[o].append(Piece(attribute, "attribute", index))

    def counted(self, o: int) -> bool:
        """Return whether an attribute gives the object's number."""
        return any(attribute_place(piece.words) == "number" for piece in self.attributes[o])

    def number(self, o: int) -> str:
        """Return ``plural`` or ``singular``, for the verb."""
        several = self.counted(o) or (o in self.plurals and can_take(self.graph.objects[o], "plural"))
        return "plural" if several or number_of(self.graph.objects[o]) == "plural" else "singular"

    def be(self, o: int) -> Piece:
        """Return the verb, "is" or "are"."""
        return Piece("are" if self.number(o) == "plural" else "is")

    def it(self, o: int) -> Piece:
        """Return the pronoun, "it" or "them"."""
        return Piece("them" if self.number(o) == "plural" else "it")

    def pronoun(self, o: int) -> Piece:
        """Return the relative pronoun."""
        return Piece("who" if is_person(self.graph.objects[o]) else "that")

    def heavy(self, o: int) -> bool:
        """Return whether a relative clause follows the object's first mention: "a lamp that is turned on"."""
        return bool(self._sorted(o)[2])

    def doing(self, o: int) -> list[Piece]:
        """Return the object's action, to go after its noun or to be the clause's verb: "walking"; empty if mentioned."""
        pieces = [] if o in self.said else self._behind(o, doing=True)[:1]
        self.mentioned |= {piece.index for piece in pieces}
        return pieces

    def does(self, o: int) -> bool:
        """Return whether the object has an action that is not mentioned yet."""
        return o not in self.said and bool(self._behind(o, doing=True))

    def state(self, o: int) -> list[Piece]:
        """Return the object's state, for the end of a clause: "turned off"; empty if mentioned, or if it has an action."""
        return [] if o in self.said or self.does(o) else self._behind(o, doing=False)[:1]

    def is_unique(self, o: int) -> bool:
        """Return whether the object is definite from the first mention on, as "the sky": nobody says "there is a sky"."""
        return self.graph.objects[o] in UNIQUE and not self.attributes[o]

    def look(self, o: int) -> list[Piece]:
        """Return the only adjective of a unique thing, for the end of a clause: "(the sky is) blue"."""
        attributes, name = self.attributes[o], self.graph.objects[o]
        single = len(attributes) == 1 and attribute_place(attributes[0].words) == "before" and self.graph.objects.count(name) == 1
        return (
            attributes[:1]
            if single and (name in UNIQUE or is_definite(name)) and _rank_before(attributes[0].words, name) < NOUN
            else []
        )

    def _behind(self, o: int, doing: bool) -> list[Piece]:
        """Return the object's unmentioned attributes that go after it: its action, or its state."""
        return [
            piece
            for piece in self.attributes[o]
            if piece.index not in self.mentioned
            and (attribute_place(piece.words) == "after" or self._keeps(o, piece.words))
            and (piece.words.split()[0].endswith("ing") if doing else not _participle(piece.words))
        ]

    def _keeps(self, o: int, attribute: str) -> bool:
        """Return whether an attribute is a posture at a place: "a coat hanging on a chair", but "a hanging coat"."""
        posture = attribute.endswith("ing") and verb_base(attribute) in POSTURES
        return posture and any(s == o and relation in KEPT_AT for s, relation, _ in self.graph.relations)

    def noun(self, o: int) -> Piece:
        """Return the object's name, in the plural where it is several."""
        name = self.graph.objects[o]
        return Piece(plural(name) if self.number(o) == "plural" else name, "object", o)

    def mention(self, o: int, place: bool = False, owner: int | None = None) -> list[Piece]:
        """Return the object as a definite noun phrase if it was mentioned before, else with its attributes.

        Args:
            place: it is the place of something else: "on the wall", though a sentence begins with "a wall".
            owner: the person of whom it is a part: "holding his chin".
        """
        if o in self.said:
            return [Piece(self.personal(o))] if self.personal(o) else self.again(o)
        return self._first(o, place, owner)

    def personal(self, o: int) -> str:
        """Return the word "him" or "her" for the only person mentioned; "" where it may be another, or either sex."""
        persons = [i for i in self.said if is_person(self.graph.objects[i])]
        return OF_WHOM[possessive(self.graph.objects[o], self.number(o))] if persons == [o] else ""

    def _first(self, o: int, place: bool, owner: int | None) -> list[Piece]:
        counts, before, after = self._sorted(o)
        possessor = [] if owner is None else [Piece(possessive(self.graph.objects[owner], self.number(owner)))]
        # "A group of people" has an article before its number, "two people" has none.
        article = [ARTICLE] if counts and counts[0].words.endswith(" of") else []
        pieces = [*(possessor or article or self._determiner(o, bool(counts), place)), *counts]
        for i, piece in enumerate(before):
            if i and _rank(before[i - 1].words) == _rank(piece.words) == COLOUR:
                pieces.append(Piece("and"))
            pieces.append(piece)
        self.said.append(o)
        pieces.append(self.noun(o))
        if after:
            pieces += [self.pronoun(o), self.be(o), *listed([[piece] for piece in after])]
        return pieces

    def _sorted(self, o: int) -> tuple[list[Piece], list[Piece], list[Piece]]:
        """Return the object's attributes: numbers, at most two (three if short) before the noun, and the rest after it."""
        places: dict[str, list[Piece]] = {"number": [], "before": [], "after": []}
        for piece in self.attributes[o]:
            place = attribute_place(piece.words)
            # "A raised chin", "a leaning bookshelf": not "a chin that is raised".
            place = "before" if place == "after" and _participle(piece.words) else place
            places[place] += [piece] if piece.index not in self.mentioned else []
        name = self.graph.objects[o]
        before = sorted(places["before"], key=lambda piece: (_rank_before(piece.words, name), piece.index))
        most = 3 if sum(len(piece.words) for piece in before[:3]) < SHORT else 2
        return places["number"][:1], before[:most], before[most:] + places["after"] + places["number"][1:]

    def _determiner(self, o: int, counted: bool, place: bool) -> list[Piece]:
        name = self.graph.objects[o]
        attributes = self.graph.attributes_of(o)
        alike = [i for i in self.said if self.graph.objects[i] == name]
        told_apart = bool(attributes) and all(not set(attributes) <= set(self.graph.attributes_of(i)) for i in alike)
        if alike and not told_apart:
            if self.number(o) == "plural" or number_of(name) == "mass":
                return [Piece("other")] if not counted else []
            return [Piece("another")] if len(alike) == 1 else [Piece("a"), Piece(ORDINALS[min(len(alike), 4)])]
        # "in the blue sky", but "there is a blue sky".
        if (name in UNIQUE and (place or not attributes)) or (place and not alike and not attributes and is_definite(name)):
            return [Piece("the")]
        return [] if counted or self.number(o) == "plural" or is_bare(name) else [ARTICLE]

    def again(self, o: int) -> list[Piece]:
        """Return a reference to a mentioned object by its name: "the boy"; "the red cup" or "the first cup" if there are others."""
        alike = [i for i in self.said if self.graph.objects[i] == self.graph.objects[o]]
        telling = [
            piece
            for piece in self.attributes[o]
            if attribute_place(piece.words) == "before"
            and all(piece.words not in self.graph.attributes_of(i) for i in alike if i != o)
        ]
        if len(alike) == 1:
            return [Piece("the"), self.noun(o)]
        return [Piece("the"), *(telling[:1] or [Piece((*ORDINALS, "last")[min(alike.index(o), 5)])]), self.noun(o)]


HIS = words("man boy guy gentleman father son husband")
HER = words("woman girl lady mother daughter wife")


OF_WHOM = {"his": "him", "her": "her", "their": ""}
"""The pronouns after prepositions, of a single person whose sex is known, by the possessive ones."""


def possessive(person: str, number: str) -> str:
    """Return the word "his", "her" or "their"."""
    head = person.split()[-1]
    return "their" if number == "plural" else "his" if head in HIS else "her" if head in HER else "their"


OFTEN = 20
"""Minimum number of times that a noun is bare, and minimum ratio to those with an article, of a mass noun."""


@cache
def is_bare(noun: str) -> bool:
    """Return whether a singular noun has no article: a mass noun, by the lexicon or because people rarely write "a" with it."""
    use = usage().nouns.get(noun)
    written = use is not None and use.bare >= OFTEN and use.a <= (use.bare - use.plural) / OFTEN and not is_person(noun)
    return number_of(noun) == "mass" or written


def listed(parts: list[list[Piece]], last: str = "and") -> list[Piece]:
    """Return parts joined as a list: "A", "A and B", "A, B and C"."""
    pieces: list[Piece] = []
    for i, part in enumerate(parts):
        if i:
            pieces.append(Piece(last) if i == len(parts) - 1 else Piece(","))
        pieces += part
    return pieces
