"""The relations of a graph: the words for each, its kind, and which of them a caption has not mentioned yet."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache

from stages.graphs.graph import SceneGraph
from stages.text.grammar_words import PREPOSITIONS, STATIVE
from stages.text.inflection import clause_form, is_verbal, participle
from stages.text.usage import usage
from stages.text.word_classes import is_person, is_worn_in
from stages.writing.phrase import NounPhrases, Piece

HAVING = ("have", "with")
# Relations that must follow their noun: "a leg of a table", "a boy with a hat". No clause says "the leg is of a table".
TIGHT = frozenset((*HAVING, "of", "for", "to", "from", "without"))
# Relations that seem to be the subject's if they follow another place: "a cup near a plate to the left of a fork".
LOOSE = ("to the left of", "to the right of", "in front of", "behind", "below", "above", "near", "by", "next to", "beside")


@cache
def words_after_noun(relation: str) -> str:
    """Return the words of a relation right after a noun: "a sign attached to", "a house with".

    >>> [words_after_noun(relation) for relation in ("attach to", "have", "sit on", "behind")]
    ['attached to', 'with', 'sitting on', 'behind']
    """
    written = usage().relations.get(relation)
    return "with" if relation == "have" else written[0] if written else participle(relation)


@cache
def words_of_clause(relation: str, number: str) -> tuple[str, str]:
    """Return the auxiliary of a relation as a clause's verb ("" where there is none), and its words.

    >>> words_of_clause("attach to", "singular"), words_of_clause("with", "plural"), words_of_clause("contain", "singular")
    (('is', 'attached to'), ('', 'have'), ('', 'contains'))
    """
    if relation in HAVING or (relation.split()[0] in STATIVE and words_after_noun(relation).endswith("ing")):
        return clause_form(relation, number)
    return ("are" if number == "plural" else "is"), words_after_noun(relation)


@dataclass(frozen=True)
class Relation:
    """A relation: its index among its graph's relations, the indices of its two objects, and the names of all three."""

    index: int
    subject: int
    object: int
    subject_name: str
    name: str
    object_name: str

    def piece(self, words: str = "") -> Piece:
        """Return the relation in these words, or in those after a noun."""
        return Piece(words or self.words, "relation", self.index)

    @property
    def words(self) -> str:
        return words_after_noun(self.name)

    @property
    def is_verbal(self) -> bool:
        return is_verbal(self.name)

    @property
    def is_place(self) -> bool:
        """Return whether it is the subject's place: "on", "sit at", and not "in a shirt", "have", "look at"."""
        worn = self.name == "in" and is_person(self.subject_name) and is_worn_in(self.object_name)
        return self.name not in TIGHT and self.name.split()[-1] in PREPOSITIONS and not worn


def only_tight(relations: Iterable[Relation]) -> bool:
    """Return whether all of them belong to the thing that has them: "a monitor with a screen"."""
    return all(r.name in TIGHT for r in relations)


def only_place(relations: Collection[Relation]) -> bool:
    """Return whether the relations are places of their subject only, not actions there."""
    return bool(relations) and all(r.is_place and not r.is_verbal for r in relations)


class Remaining:
    """A graph's noun phrases, and its relations that are ``left`` to mention."""

    def __init__(self, graph: SceneGraph, plurals: Collection[int]):
        self.graph, self.nouns = graph, NounPhrases(graph, plurals)
        names = graph.objects
        self.relations = tuple(Relation(i, s, o, names[s], name, names[o]) for i, (s, name, o) in enumerate(graph.relations))
        self.left = list(self.relations)

    def said_in(self, pieces: Iterable[Piece]) -> list[Relation]:
        """Return the relations in chunks of a caption."""
        return [self.relations[piece.index] for piece in pieces if piece.kind == "relation"]

    def of(self, subject: int) -> list[Relation]:
        """Return the unmentioned relations of an object."""
        return [r for r in self.left if r.subject == subject]

    def to(self, o: int) -> list[Relation]:
        """Return the unmentioned relations of others to this object."""
        return [r for r in self.left if r.object == o]

    def is_of_another(self, o: int, owner: int) -> bool:
        """Return whether a part belongs to another thing than ``owner``: "a man sitting on the head of an elephant", not on his."""
        having = any(r.object == o and r.name in HAVING and r.subject != owner for r in self.relations)
        return having or any(r.subject == o and r.name == "of" and r.object != owner for r in self.relations)

    def free(self, subject: int) -> list[Relation]:
        """Return the subject's relations that can be a clause's verb or place."""
        return [r for r in self.of(subject) if r.name not in TIGHT]

    def beyond(self, r: Relation) -> list[Relation]:
        """Return the further unmentioned relations of a relation's object, if it is new."""
        return [p for p in self.of(r.object) if p != r] if r.object not in self.nouns.said else []

    def is_again(self, r: Relation) -> bool:
        """Return whether the two objects of a relation have another one: "has a shirt and is wearing it"."""
        return any(p != r and {p.subject, p.object} == {r.subject, r.object} for p in self.left)

    def is_bystander(self, r: Relation) -> bool:
        """Return whether this is the only relation of its subject, which is new."""
        s = r.subject
        return self.of(s) == [r] and s not in (r.object, *self.nouns.said) and not self.to(s) and not self.nouns.state(s)
