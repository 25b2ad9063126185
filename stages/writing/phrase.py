"""Noun phrases: an object's first mention with its attributes, and how a caption points at it again."""

from collections.abc import Collection
from functools import cache, lru_cache
from typing import NamedTuple

from stages.graphs.graph import SceneGraph, Span, Spans
from stages.language.lexicon import words
from stages.language.normal import COLOURS, verb_base
from stages.language.usage import usage
from stages.naming.attributes import LOOKS, MATERIALS, SIZES, makes_a_name
from stages.wording.inflection import can_take, indefinite_article, number_of, plural
from stages.wording.word_classes import UNIQUE, attribute_place, is_definite, is_person
from stages.wordnet.reader import wordnet


class Piece(NamedTuple):
    """Some words of a caption, and the atom that they name."""

    words: str
    kind: str = ""
    index: int = -1  # type: ignore[assignment]


ARTICLE = Piece("a")
"""The indefinite article, which becomes "a" or "an" when the next word is known."""
ORDINALS = ("first", "second", "third", "fourth", "fifth")
POSTURES = words("sit stand lie lay kneel crouch lean hang perch rest park")
"""What somebody, or something, does all the while."""
KEPT_AT = words("on in at against")
"""Where postures are kept."""
SHORT = 20
"""Three attributes of fewer letters than this stand before one noun, and otherwise two."""


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
    spans = Spans(*(tuple(first.get((kind, i)) for i in range(len(own))) for kind, own in atoms.items()))
    return Realised(text, spans, tuple((kind, i, span) for (kind, i), rest in found.items() for span in rest[1:]))


@lru_cache(maxsize=65536)
def _rank(attribute: str) -> int:
    last = attribute.split()[-1]
    known = next((rank for rank, group in ((0, SIZES), (2, LOOKS), (COLOUR, COLOURS), (6, MATERIALS)) if last in group), None)
    if known is not None:
        return known
    if last.endswith(("ing", "ed")):
        return STATE
    # A word that is no adjective, such as "cork" or "desk", stands next to its noun.
    return OTHER if wordnet().synsets(last, "a") or wordnet().synsets(last, "s") else NOUN


def _rank_before(attribute: str, noun: str) -> int:
    """The rank of an attribute before this noun: nothing stands between "sticky" and "note"."""
    rank = _rank(attribute)
    return NOUN if rank in (OTHER, STATE) and makes_a_name(attribute, noun) else rank


def _participle(attribute: str) -> bool:
    return " " not in attribute and attribute.endswith(("ing", "ed"))


OTHER, STATE, NOUN = 1, 3, 7
"""The ranks of all other adjectives, of participles, and of nouns."""
COLOUR = 4
"""The rank of colours, which are joined by "and": "a black and white cat"."""


class NounPhrases:
    """Mentions of a graph's objects, in the order in which a caption makes them; the objects ``plurals`` are several each."""

    def __init__(self, graph: SceneGraph, plurals: Collection[int]):
        self.graph, self.plurals = graph, plurals
        self.said: list[int] = []
        self.told: set[int] = set()
        self.attributes: list[list[Piece]] = [[] for _ in graph.objects]
        for index, (o, attribute) in enumerate(graph.attributes):
            self.attributes[o].append(Piece(attribute, "attribute", index))

    def counted(self, o: int) -> bool:
        """Whether an attribute says how many the object is."""
        return any(attribute_place(piece.words) == "number" for piece in self.attributes[o])

    def number(self, o: int) -> str:
        """``plural`` or ``singular``, for the verb."""
        several = self.counted(o) or (o in self.plurals and can_take(self.graph.objects[o], "plural"))
        return "plural" if several or number_of(self.graph.objects[o]) == "plural" else "singular"

    def be(self, o: int) -> Piece:
        """The verb, "is" or "are"."""
        return Piece("are" if self.number(o) == "plural" else "is")

    def it(self, o: int) -> Piece:
        """The pronoun, "it" or "them"."""
        return Piece("them" if self.number(o) == "plural" else "it")

    def pronoun(self, o: int) -> Piece:
        """The relative pronoun."""
        return Piece("who" if is_person(self.graph.objects[o]) else "that")

    def heavy(self, o: int) -> bool:
        """Whether a relative clause follows the object's first mention: "a lamp that is turned on"."""
        return bool(self._sorted(o)[2])

    def doing(self, o: int) -> list[Piece]:
        """What the object does, for the caller to say after its noun or as the clause's verb: "walking"; empty where it is said."""
        pieces = [] if o in self.said else self._behind(o, doing=True)[:1]
        self.told |= {piece.index for piece in pieces}
        return pieces

    def does(self, o: int) -> bool:
        """Whether there is something that the object does and that is not said yet."""
        return o not in self.said and bool(self._behind(o, doing=True))

    def state(self, o: int) -> list[Piece]:
        """How the object is, for a clause to end with: "turned off"; empty where that is said, or it does something."""
        return [] if o in self.said or self.does(o) else self._behind(o, doing=False)[:1]

    def is_unique(self, o: int) -> bool:
        """Whether the object is "the sky" from the first mention on, and "there is a sky" is said by nobody."""
        return self.graph.objects[o] in UNIQUE and not self.attributes[o]

    def look(self, o: int) -> list[Piece]:
        """The one adjective of what a picture has one of, for a clause to end with: "(the sky is) blue"."""
        own, name = self.attributes[o], self.graph.objects[o]
        single = len(own) == 1 and attribute_place(own[0].words) == "before" and self.graph.objects.count(name) == 1
        return own[:1] if single and (name in UNIQUE or is_definite(name)) and _rank_before(own[0].words, name) < NOUN else []

    def _behind(self, o: int, doing: bool) -> list[Piece]:
        """The object's attributes that stand after it and are not told: what it does, or how it is."""
        return [
            piece
            for piece in self.attributes[o]
            if piece.index not in self.told
            and (attribute_place(piece.words) == "after" or self._keeps(o, piece.words))
            and (piece.words.split()[0].endswith("ing") if doing else not _participle(piece.words))
        ]

    def _keeps(self, o: int, attribute: str) -> bool:
        """Whether an attribute is a posture, and a relation says where: "a coat hanging on a chair", but "a hanging coat"."""
        posture = attribute.endswith("ing") and verb_base(attribute) in POSTURES
        return posture and any(s == o and relation in KEPT_AT for s, relation, _ in self.graph.relations)

    def noun(self, o: int) -> Piece:
        """The object's name, in the plural where it is several."""
        name = self.graph.objects[o]
        return Piece(plural(name) if self.number(o) == "plural" else name, "object", o)

    def mention(self, o: int, place: bool = False, owner: int | None = None) -> list[Piece]:
        """The object by a definite noun phrase if it was said before, else with its attributes.

        Args:
            place: it is where something else is: "on the wall", though "a wall" is what a sentence begins with.
            owner: the person whose part it is: "holding his chin".
        """
        if o in self.said:
            return [Piece(self.personal(o))] if self.personal(o) else self.again(o)
        return self._first(o, place, owner)

    def personal(self, o: int) -> str:
        """The word "him" or "her" for the one person that was said; "" where it may be another, or either."""
        persons = [i for i in self.said if is_person(self.graph.objects[i])]
        return OF_WHOM[possessive(self.graph.objects[o], self.number(o))] if persons == [o] else ""

    def _first(self, o: int, place: bool, owner: int | None) -> list[Piece]:
        counts, before, after = self._sorted(o)
        own = [] if owner is None else [Piece(possessive(self.graph.objects[owner], self.number(owner)))]
        # "A group of people" has an article before its number, "two people" none.
        of = [ARTICLE] if counts and counts[0].words.endswith(" of") else []
        pieces = [*(own or of or self._determiner(o, bool(counts), place)), *counts]
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
        """The object's attributes: numbers, at most two (three where short) before the noun, and the rest after it."""
        places: dict[str, list[Piece]] = {"number": [], "before": [], "after": []}
        for piece in self.attributes[o]:
            place = attribute_place(piece.words)
            # "A raised chin", "a leaning bookshelf": not "a chin that is raised".
            place = "before" if place == "after" and _participle(piece.words) else place
            places[place] += [piece] if piece.index not in self.told else []
        name = self.graph.objects[o]
        before = sorted(places["before"], key=lambda piece: (_rank_before(piece.words, name), piece.index))
        most = 3 if sum(len(piece.words) for piece in before[:3]) < SHORT else 2
        return places["number"][:1], before[:most], before[most:] + places["after"] + places["number"][1:]

    def _determiner(self, o: int, counted: bool, place: bool) -> list[Piece]:
        name = self.graph.objects[o]
        own = self.graph.attributes_of(o)
        alike = [i for i in self.said if self.graph.objects[i] == name]
        told_apart = bool(own) and all(not set(own) <= set(self.graph.attributes_of(i)) for i in alike)
        if alike and not told_apart:
            if self.number(o) == "plural" or number_of(name) == "mass":
                return [Piece("other")] if not counted else []
            return [Piece("another")] if len(alike) == 1 else [Piece("a"), Piece(ORDINALS[min(len(alike), 4)])]
        # "in the blue sky", but "there is a blue sky".
        if (name in UNIQUE and (place or not own)) or (place and not alike and not own and is_definite(name)):
            return [Piece("the")]
        return [] if counted or self.number(o) == "plural" or is_bare(name) else [ARTICLE]

    def again(self, o: int) -> list[Piece]:
        """What was said before, by its name: "the boy"; "the red cup" where another cup was said, "the first cup" where no
        attribute tells them apart."""
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
    """The word "his", "her" or "their"."""
    head = person.split()[-1]
    return "their" if number == "plural" else "his" if head in HIS else "her" if head in HER else "their"


OFTEN = 20
"""How often a noun must be bare, and how many times as often as with an article, to be a mass noun."""


@cache
def is_bare(noun: str) -> bool:
    """Whether a noun in the singular has no article: a mass noun, by the lexicon or because people hardly ever write "a" to it."""
    use = usage().nouns.get(noun)
    written = use is not None and use.bare >= OFTEN and use.a <= (use.bare - use.plural) / OFTEN and not is_person(noun)
    return number_of(noun) == "mass" or written


def listed(parts: list[list[Piece]], last: str = "and") -> list[Piece]:
    """Parts joined as a list: "A", "A and B", "A, B and C"."""
    pieces: list[Piece] = []
    for i, part in enumerate(parts):
        if i:
            pieces.append(Piece(last) if i == len(parts) - 1 else Piece(","))
        pieces += part
    return pieces
