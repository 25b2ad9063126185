"""Scene graph to English: fluent, varied captions in which every atom is said, with its place.

The default writer of productivity captions (paper, appendix A.3) where no language model is asked. A caption is a row of clauses. A
clause says some of the relations of one object; where an object comes last in a clause, its own relations follow it at once. What
is chosen among equals is drawn from the seed and the subgraph's id.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from stages.graphs.graph import SceneGraph
from stages.language.inflection import clause_form, participle
from stages.language.lexicon import PREPOSITIONS
from stages.language.word_classes import is_person
from stages.writing.phrase import NounPhrases, Piece, Realised, assemble, listed

# Relations that hang on the noun before them: "a leg of a table", "a boy with a hat". No clause says "the leg is of a table".
TIGHT = frozenset(("of", "with", "have", "for", "to", "from", "without"))
DEEPEST = 2
"""How many relative clauses may stand inside each other."""


def realise(graph: SceneGraph, seed: str) -> Realised:
    """A caption of ``graph``; the same graph and seed give the same caption."""
    return Realiser(graph, random.Random(seed)).caption()  # noqa: S311


class Realiser:
    """Says a graph's relations clause by clause; ``pending`` are those not said yet, by index."""

    def __init__(self, graph: SceneGraph, rng: random.Random):
        self.graph, self.rng = graph, rng
        self.nouns = NounPhrases(graph, rng)
        self.pending = list(range(len(graph.relations)))
        self.sentences = rng.random() < 0.7
        self.clauses: list[list[Piece]] = []

    def caption(self) -> Realised:
        while self.pending:
            self.clauses.append(self._clause())
        alone = [o for o in range(len(self.graph.objects)) if o not in self.nouns.said]
        if alone:
            self.clauses.append(self._alone(alone))
        pieces: list[Piece] = []
        for i, clause in enumerate(self.clauses):
            pieces += self._joint(i, clause) + clause
        return assemble(self.graph, pieces, self.sentences)

    def _joint(self, i: int, clause: list[Piece]) -> list[Piece]:
        """What stands before clause ``i``: a full stop between sentences, ", and" or a semicolon in a fragment."""
        if i == 0:
            return []
        last = i == len(self.clauses) - 1
        if self.sentences and (i % 2 == 0 or not last or self.rng.random() < 0.5):
            return [Piece(".")]
        return [Piece(","), Piece("and")] if last else [Piece(";")]

    # --- What to say next ------------------------------------------------------------

    def _outgoing(self, o: int) -> list[int]:
        return [r for r in self.pending if self.graph.relations[r][0] == o]

    def _incoming(self, o: int) -> list[int]:
        return [r for r in self.pending if self.graph.relations[r][2] == o]

    def _next_subject(self) -> int:
        """The object to speak of: one just mentioned if it has more to say, else a neighbour of what was said, else a root."""
        subjects = {self.graph.relations[r][0] for r in self.pending}
        for o in reversed(self.nouns.said):
            if o in subjects:
                return o
        near = sorted(self.graph.relations[r][0] for r in self.pending if self.graph.relations[r][2] in self.nouns.said)
        if near:
            return near[0]
        roots = sorted(s for s in subjects if not self._incoming(s)) or sorted(subjects)
        most = max(len(self._outgoing(s)) for s in roots)
        return self.rng.choice([s for s in roots if len(self._outgoing(s)) == most])

    def _clause(self) -> list[Piece]:
        subject = self._next_subject()
        container = self._container(subject)
        if container is not None and self.rng.random() < 0.6:
            return self._held(container)
        said = subject in self.nouns.said
        free = [r for r in self._outgoing(subject) if self.graph.relations[r][1] not in TIGHT - {"have"}]
        if not said and not self.sentences and not self.clauses:
            return self._phrase(subject)
        if not said and (not free or self.rng.random() < 0.35):
            return [Piece("there"), Piece("are" if self.nouns.number(subject) == "plural" else "is"), *self._phrase(subject)]
        return self._statement(subject, said)

    def _alone(self, objects: list[int]) -> list[Piece]:
        """What has no relation left: "there is a shelf and a lamp", or just "a shelf" at the end of a fragment."""
        names = listed([self.nouns.mention(o) for o in objects])
        if not self.clauses and not self.sentences:
            return names
        verb = "are" if self.nouns.number(objects[0]) == "plural" else "is"
        also = [Piece("also")] if self.clauses else []
        return [Piece("there"), Piece(verb), *also, *names]

    # --- Clauses ------------------------------------------------------------

    def _statement(self, subject: int, said: bool) -> list[Piece]:
        """ "A tall boy is sitting on a bench, holding a ball", "The desk also has a lid"."""
        before = len(self.pending)
        pieces = self.nouns.mention(subject)
        if not said:
            pieces += self._tight(subject, keep=1)
        number = self.nouns.number(subject)
        relations = sorted(self._take(subject, most=3), key=lambda r: (self._form(r, number)[0] == "", self.graph.relations[r][2]))
        also = said and before < len(self.graph.relations) and self._spoke_last(subject)
        verb: tuple[str, bool] | None = None

        def head(r: int) -> list[Piece]:
            # "is on a bench and is holding a ball": the auxiliary comes again where the verb's form changes.
            nonlocal verb
            auxiliary, words = self._form(r, number)
            now = (auxiliary, words.split()[0] in PREPOSITIONS)
            again = [Piece(auxiliary)] if auxiliary and now != verb else []
            linked = [Piece("also")] if also and verb is None else []
            verb = now
            return [*again, *linked, Piece(words, "relation", r)]

        return pieces + listed(self._groups(relations, head))

    def _spoke_last(self, subject: int) -> bool:
        """Whether the clause before spoke of this subject too, so that "also" links them."""
        if not self.clauses:
            return False
        first = next((piece.index for piece in self.clauses[-1] if piece.kind == "object"), -1)
        return first == subject

    def _phrase(self, subject: int) -> list[Piece]:
        """ "a tall boy sitting on a bench and holding a ball"; one relation such as "with" follows its noun at once."""
        pieces = self.nouns.mention(subject)
        tight = self._tight(subject, keep=0)
        if tight:
            return pieces + tight
        relations = sorted(self._take(subject, most=2), key=self._bare_order)
        return pieces + listed(self._groups(relations, lambda r: [Piece(self._bare(r), "relation", r)]))

    def _bare_order(self, r: int) -> tuple[bool, int]:
        return self._bare(r).split()[0] not in PREPOSITIONS, self.graph.relations[r][2]

    def _bare(self, r: int) -> str:
        relation = self.graph.relations[r][1]
        return "with" if relation == "have" else participle(relation)

    def _groups(self, relations: list[int], head: Callable[[int], list[Piece]]) -> list[list[Piece]]:
        """Each relation with its object; "it" where the object is the one just named: "along a road and next to it"."""
        groups: list[list[Piece]] = []
        for before, r in zip((None, *relations), relations, strict=False):
            o = self.graph.relations[r][2]
            same = before is not None and self.graph.relations[before][2] == o and not is_person(self.graph.objects[o])
            pronoun = [Piece("them" if self.nouns.number(o) == "plural" else "it")]
            groups.append(
                [*head(r), *(pronoun if same and groups[-1][-1].kind == "object" else self._object(r, last=r == relations[-1]))]
            )
        return groups

    def _container(self, subject: int) -> int | None:
        """An unsaid object that several unsaid things are on or in, so that "a table with a cup on it" can say it."""
        if self.nouns.said:
            return None
        places = []
        for o in range(len(self.graph.objects)):
            held = [r for r in self._incoming(o) if self._can_be_held(r)]
            if len(held) >= 2 and not self._outgoing(o):
                places.append((len(held), -o))
        return -max(places)[1] if places else None

    def _can_be_held(self, r: int) -> bool:
        subject, relation, o = self.graph.relations[r]
        fits = participle(relation).split()[-1] in PREPOSITIONS and relation not in TIGHT and subject != o
        return fits and len(self._outgoing(subject)) == 1 and subject not in self.nouns.said

    def _held(self, container: int) -> list[Piece]:
        """ "a table with a cup on it and a lamp next to it"."""
        pieces = [*self.nouns.mention(container), Piece("with")]
        if self.sentences:
            pieces = [Piece("there"), Piece("are" if self.nouns.number(container) == "plural" else "is"), *pieces]
        pronoun = "them" if self.nouns.number(container) == "plural" else "it"
        groups = []
        for r in [r for r in self._incoming(container) if self._can_be_held(r)][:3]:
            subject = self.graph.relations[r][0]
            self.pending.remove(r)
            groups.append([*self.nouns.mention(subject), Piece(self._bare(r), "relation", r), Piece(pronoun)])
        return pieces + listed(groups)

    # --- Parts of clauses ------------------------------------------------------------

    def _form(self, r: int, number: str) -> tuple[str, str]:
        return clause_form(self.graph.relations[r][1], number)

    def _take(self, subject: int, most: int) -> list[int]:
        """Up to ``most`` of the subject's relations, which are then no longer pending; one of a tight kind comes alone."""
        loose = [r for r in self._outgoing(subject) if self.graph.relations[r][1] not in TIGHT - {"have"}]
        taken = (loose or self._outgoing(subject)[:1])[:most]
        having = [r for r in taken if self.graph.relations[r][1] == "have"]
        taken = [r for r in taken if r not in having[1:]]
        for r in taken:
            self.pending.remove(r)
        return taken

    def _tight(self, subject: int, keep: int, depth: int = 0) -> list[Piece]:
        """ "of a table", "with a hat", right after its noun; ``keep`` relations are left to the clause's verb."""
        outgoing = self._outgoing(subject)
        tight = [r for r in outgoing if self.graph.relations[r][1] in TIGHT and not self._again(r)]
        if not tight or (len(outgoing) <= keep and self.graph.relations[tight[0]][1] == "have"):
            return []
        r = tight[0]
        self.pending.remove(r)
        relation = self.graph.relations[r][1]
        words = "with" if relation == "have" else relation
        return [Piece(words, "relation", r), *self._object(r, last=keep == 0, depth=depth + 1)]

    def _again(self, r: int) -> bool:
        """Whether more is to be said of the two objects of relation ``r``: "has a shirt and is wearing it"."""
        ends = {self.graph.relations[r][0], self.graph.relations[r][2]}
        return any(p != r and {self.graph.relations[p][0], self.graph.relations[p][2]} == ends for p in self.pending)

    def _object(self, r: int, last: bool, depth: int = 0) -> list[Piece]:
        """The object of a relation; what it does itself follows if it is new and the last of the clause."""
        subject, _, o = self.graph.relations[r]
        if subject == o:
            return [Piece("itself")]
        new = o not in self.nouns.said
        pieces = self.nouns.mention(o)
        if new:
            of = self._tight(o, keep=0 if not last else 1, depth=depth) if depth < DEEPEST else []
            pieces += of
            if last and not of and depth < DEEPEST:
                pieces += self._relative(o, depth)
        return pieces

    def _relative(self, o: int, depth: int) -> list[Piece]:
        """ "a bench that is under a tree", "a bench covered with snow"."""
        outgoing = self._outgoing(o)
        if len(outgoing) != 1 or self.nouns.heavy(o) or self.rng.random() < 0.3:
            return []
        r = outgoing[0]
        self.pending.remove(r)
        auxiliary, words = self._form(r, self.nouns.number(o))
        reduced = auxiliary and words.split()[0] not in PREPOSITIONS and self.rng.random() < 0.5
        head = [] if reduced else [Piece(self.nouns.pronoun(o)), *([Piece(auxiliary)] if auxiliary else [])]
        return [*head, Piece(words, "relation", r), *self._object(r, last=True, depth=depth + 1)]
