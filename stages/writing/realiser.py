"""Scene graph to English: fluent captions that mention every atom, with the atoms' places.

The default writer of productivity captions (paper, appendix A.3), without a language model. A caption is a sequence of clauses
(``clauses``). This module decides their order: the next subject, existence clauses, lists, and how clauses are joined. Choices
among equals are drawn from the seed and the subgraph's id.
"""

import random
from collections.abc import Collection
from itertools import accumulate

from stages.graphs.graph import SceneGraph
from stages.text.word_classes import UNIQUE, is_person
from stages.writing.clauses import AT, MAX_PREDICATES, around, phrase, statement
from stages.writing.phrase import ARTICLE, Piece, Realised, assemble, listed
from stages.writing.relations import HAVING, LOOSE, TIGHT, Relation, Remaining, only_place, only_tight

LONGEST = 20
"""Maximum number of words of the phrases in a list."""
NAMED = 0.4
"""Probability that a caption that can be a single phrase is one, not a sentence."""
JOINED = 24
"""Maximum number of words of two clauses joined by ", and"."""
EXISTS = 0.4
"""Probability of "there is a man holding a ball" instead of "a man is holding a ball", where people write both."""
THERE = Piece("there")


def realise(graph: SceneGraph, seed: str, plurals: Collection[int] = ()) -> Realised:
    """Return a caption of ``graph``; the same graph and seed give the same caption. The objects ``plurals`` are several each."""
    fragment = Realiser(graph, random.Random(seed), plurals, sentences=False)
    whole = fragment.caption()
    if len(fragment.clauses) == 1 and not fragment.wants_verb and fragment.rng.random() < NAMED:
        return whole
    return Realiser(graph, random.Random(seed), plurals, sentences=True).caption()


class Realiser:
    """Writes a graph clause by clause; without ``sentences`` the first one may be a phrase."""

    def __init__(self, graph: SceneGraph, rng: random.Random, plurals: Collection[int], sentences: bool):
        self.graph, self.rng, self.sentences = graph, rng, sentences
        self.remaining = Remaining(graph, plurals)
        self.nouns = self.remaining.nouns
        self.clauses: list[list[Piece]] = []
        self.subject = -1
        self.joined = -1
        self.wants_verb = False

    def caption(self) -> Realised:
        """Return the whole caption: related objects, then single ones, and finally the states of these."""
        joined = {end for s, _, o in self.graph.relations for end in (s, o)}
        alone = [o for o in range(len(self.graph.objects)) if o not in joined]
        states = [o for o in alone if self.nouns.state(o) or self.nouns.look(o)]
        alone = [o for o in alone if o not in states]
        phrases = short_phrases(self.remaining)
        phrases = phrases if len(alone) + len(phrases) > 1 else []
        self.remaining.left = [r for r in self.remaining.left if not any(r in said_relations for _, said_relations in phrases)]
        while self.remaining.left:
            self._add(self._clause())
        if alone or phrases:
            self.clauses += self._lists(alone, phrases)
        self.clauses += [self._state(o) for o in states]
        pieces: list[Piece] = []
        for i, clause in enumerate(self.clauses):
            pieces += self._joint(i) + clause
        return assemble(self.graph, pieces, self.sentences)

    def _joint(self, i: int) -> list[Piece]:
        """Return the words before clause ``i``: a full stop, or ", and" between two short ones."""
        if i == 0:
            return []
        lengths = [count_words(clause) for clause in self.clauses]
        # One of them may consist of two already.
        even = (len(self.clauses) - i) % 2 == 1 and lengths[i - 1] + lengths[i] <= JOINED and self.joined not in (i - 1, i)
        return [Piece(","), Piece("and")] if even and (i == 1 or len(self.clauses) == i + 1) else [Piece(".")]

    def _add(self, clause: list[Piece]) -> None:
        """Add a clause; two existence clauses become one: "there is a tree next to a road, and a red car on the road"."""
        # After "on a shelf and" a monitor's screen would be there too.
        if clause[0] is not THERE or not self._is_open() or only_tight(self.remaining.said_in(clause)):
            self.clauses.append(clause)
            return
        last, self.joined = self.clauses[-1], len(self.clauses) - 1
        apart = any(p.words in ("and", ",") for p in last) or any(r.name in LOOSE for r in self.remaining.said_in(last))
        last += [*([Piece(",")] if apart else []), Piece("and"), *clause[2:]]

    def _is_open(self) -> bool:
        """Return whether the last clause states that one thing exists at a place: not "a man with a cup and a tree"."""
        if not self.clauses or self.clauses[-1][0] is not THERE or Piece(",") in self.clauses[-1]:
            return False
        relations = self.remaining.said_in(self.clauses[-1])
        return self.joined < len(self.clauses) - 1 and bool(relations) and relations[-1].is_place

    def _repeatable(self) -> set[tuple[str, int]]:
        """Return the predicate of the last clause that the next may repeat with "also": "and a van is also on the road"."""
        if any(piece.words == "also" for clause in self.clauses for piece in clause) or min(map(len, self.graph.components())) == 1:
            return set()
        return {(r.name, r.object) for clause in self.clauses[-1:] for r in self.remaining.said_in(clause)}

    def _clause(self) -> list[Piece]:
        """Return the clause of the next subject: its existence, or its predicates."""
        subject, before = next_subject(self.remaining, self.rng), self._repeatable()
        also, self.subject = subject == self.subject, subject
        if subject in self.nouns.said:
            return statement(self.remaining, subject, also, before)
        outgoing, free = self.remaining.of(subject), self.remaining.free(subject)
        # "There is a chair against a wall, near a desk": of places a sentence needs no verb.
        several = len(free or outgoing) > 1 and not only_place(free)
        # Not "a man wearing pants and with his hand on a keyboard".
        owning = free and any(r.name in TIGHT and self.remaining.beyond(r) for r in outgoing)
        verb = bool(several or owning or self.nouns.state(subject) or self.nouns.does(subject) or self.nouns.is_unique(subject))
        self.wants_verb |= verb
        if not self.sentences and not self.clauses:
            return phrase(self.remaining, subject)
        if verb or (free and not self._exists(free[0])):
            return statement(self.remaining, subject, also, before)
        again = [Piece("also")] if any((r.name, r.object) in before for r in free[:1]) else []
        return [THERE, self.nouns.be(subject), *again, *phrase(self.remaining, subject), *around(self.remaining, subject)]

    def _exists(self, r: Relation) -> bool:
        """Return whether to write "there is a sign by a road" instead of "a sign is by a road"; agents may begin a sentence."""
        return not r.is_verbal or self._is_open() or (not self.clauses and self.rng.random() < EXISTS)

    def _lists(self, objects: list[int], phrases: list[tuple[int, list[Relation]]]) -> list[list[Piece]]:
        """Return things without relations, and those with short phrases only, as clauses: "there is a cup and a bus with a mirror".

        Of two, neither may seem to share the other's relation: "there is a cup, and there is a bag next to a bin".
        """
        parts = [self.nouns.mention(o) for o in sorted(objects, key=lambda o: self.graph.objects[o] in UNIQUE)]
        for subject, relations in phrases:
            self.remaining.left = [*relations]
            parts.append(phrase(self.remaining, subject))
        tight = [only_tight(relations) for _, relations in phrases]
        if len(parts) == 2 and tight in ([False], [False, True]):
            lists = parts
        elif len(parts) > 2:
            lists = [[*listed(parts[:-1], last=","), Piece(","), Piece("and"), *parts[-1]]]
        else:
            lists = [listed(parts)]
        if len(lists) == 1 and not self.clauses and not self.sentences:
            return lists
        also = bool(self.clauses and objects)
        return [self._there_is(names, also and names is lists[0]) for names in lists]

    def _there_is(self, names: list[Piece], also: bool) -> list[Piece]:
        first = next(piece.index for piece in names if piece.kind == "object")
        return [THERE, self.nouns.be(first), *([Piece("also")] if also else []), *names]

    def _state(self, o: int) -> list[Piece]:
        """Return the state of a thing without relations: "the lights are on", "the sky is blue"."""
        self.wants_verb = True
        state = self.nouns.state(o) or self.nouns.look(o)
        self.nouns.mentioned |= {piece.index for piece in state}
        mention = self.nouns.mention(o)
        if mention[0] is ARTICLE or (not self.nouns.counted(o) and mention[0].words not in ("the", "other")):
            mention = [Piece("the"), *(piece for piece in mention if piece is not ARTICLE)]
        return [*mention, self.nouns.be(o), *state]


def count_words(pieces: list[Piece]) -> int:
    return sum(len(piece.words.split()) for piece in pieces)


def next_subject(remaining: Remaining, rng: random.Random) -> int:
    """Return the next subject: the object with most actions, people first; later one just mentioned, or a related one."""
    subjects, said = sorted({r.subject for r in remaining.left}), remaining.nouns.said
    mentioned = [o for o in reversed(said) if o in subjects]
    if mentioned:
        return mentioned[0]

    def is_near(o: int) -> bool:
        """Return whether it was mentioned, or its only relation is to be at a mentioned thing."""
        outgoing = remaining.of(o)
        return o in said or (len(outgoing) == 1 and outgoing[0].object in said)

    def weight(o: int) -> tuple[bool, bool, bool, int]:
        outgoing = remaining.of(o)
        # A whole comes before its part: "a monitor with a screen" before what is on the screen.
        whole = any(r.name in HAVING for r in outgoing)
        return is_person(remaining.graph.objects[o]), not remaining.to(o), whole, len(outgoing)

    # "Books on shelves on the wall", not "shelves on the wall" first.
    subjects = [s for s in subjects if any(is_near(r.object) for r in remaining.of(s))] or subjects
    most = max(map(weight, subjects))
    return rng.choice([o for o in subjects if weight(o) == most])


def short_phrases(remaining: Remaining) -> list[tuple[int, list[Relation]]]:
    """Return the related things that a short phrase describes completely: its first object, and the relations.

    "A bus with a mirror" and its like come last.
    """
    able = []
    for component in remaining.graph.components():
        relations = [r for r in remaining.left if r.subject in component]
        if not relations:
            continue
        trial = Remaining(remaining.graph, remaining.nouns.plurals)
        trial.left = [*relations]
        subject = next_subject(trial, random.Random(0))
        pieces = phrase(trial, subject)
        # People come first, and have actions: no "a roof and a man wearing a backpack".
        name = remaining.graph.objects[subject]
        thing = not is_person(name) and not remaining.nouns.state(subject) and not remaining.nouns.is_unique(subject)
        if thing and remaining.graph.objects.count(name) == 1 and not trial.left and len(remaining.free(subject)) < MAX_PREDICATES:
            # A phrase that ends with a place may seem to continue: "leaves on a tree and a bus with a mirror".
            able.append((remaining.said_in(pieces)[-1].name.split()[-1] not in AT, count_words(pieces), subject, relations))
    able.sort()
    lengths = accumulate(length for _, length, _, _ in able)
    return [(subject, relations) for (_, _, subject, relations), so_far in zip(able, lengths, strict=True) if so_far <= LONGEST]
