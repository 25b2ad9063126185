"""Scene graph to English: fluent captions in which every atom is said, with its place.

The default writer of productivity captions (paper, appendix A.3) where no language model is asked. A caption is a row of clauses. A
clause says some of the relations of one object; what there is to say of the object that comes last follows it at once. Words, voice
and articles are those that people write (``language.usage``). What is chosen among equals is drawn from the seed and the
subgraph's id.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from functools import cache
from itertools import accumulate

from stages.graphs.graph import SceneGraph
from stages.language.lexicon import words
from stages.language.usage import usage
from stages.wording.inflection import clause_form, is_verbal, participle
from stages.wording.lexicon import PREPOSITIONS, STATIVE
from stages.wording.usage import weight
from stages.wording.word_classes import UNIQUE, attribute_place, is_body_part, is_definite, is_person, is_worn_in
from stages.writing.phrase import ARTICLE, NounPhrases, Piece, Realised, assemble, listed

# Relations that hang on the noun before them: "a leg of a table", "a boy with a hat". No clause says "the leg is of a table".
TIGHT = frozenset(("of", "with", "have", "for", "to", "from", "without"))
# Relations that a reader takes for the subject's, if they follow another place: "a cup near a plate to the left of a fork".
LOOSE = frozenset(
    ("to the left of", "to the right of", "in front of", "behind", "below", "above", "near", "by", "next to", "beside")
)
# What follows a thing's place is another's: "a bike on a sidewalk next to a street", "leaves on a tree and a bus".
AT = ("on", "in", "at")
# People write "a desk with a lamp on it", and hardly ever "a tree with a bench next to it".
BEARING = ("on", "in")
# What somebody does all the while: "a girl sitting at a desk is working", and not "a girl working is sitting at a desk".
POSTURES = words("sit stand lie lay kneel crouch lean hang perch rest park")
TURNED = {"on": "turned on", "off": "turned off"}
DEEPEST = 2
"""How many phrases may stand inside each other: "a cup on a desk with a lamp on it" has two."""
MOST = 2
"""How many things a clause says of its subject."""
LONGEST = 20
"""Words of the phrases in a list."""
NAMED = 0.4
"""How often a caption that can be one phrase is one, and no sentence."""
JOINED = 24
"""Words of two clauses that ", and" may join."""
EXISTS = 0.4
"""How often a caption says "there is a man holding a ball" and not "a man is holding a ball", where people say both."""
THERE = Piece("there")


def realise(graph: SceneGraph, seed: str, plurals: Collection[int] = ()) -> Realised:
    """A caption of ``graph``; the same graph and seed give the same caption. The objects ``plurals`` are several each."""
    fragment = Realiser(graph, random.Random(seed), plurals, sentences=False)  # noqa: S311
    whole = fragment.caption()
    if len(fragment.clauses) == 1 and not fragment.wants_verb and fragment.rng.random() < NAMED:
        return whole
    return Realiser(graph, random.Random(seed), plurals, sentences=True).caption()  # noqa: S311


@cache
def words_after_noun(relation: str) -> str:
    """The words of a relation right after a noun: "a sign attached to", "a house with".

    >>> [words_after_noun(relation) for relation in ("attach to", "have", "sit on", "behind")]
    ['attached to', 'with', 'sitting on', 'behind']
    """
    written = usage().relations.get(relation)
    return "with" if relation == "have" else written[0] if written else participle(relation)


@cache
def words_of_clause(relation: str, number: str) -> tuple[str, str]:
    """The auxiliary of a relation as a clause's verb ("" where there is none), and its words.

    >>> words_of_clause("attach to", "singular"), words_of_clause("with", "plural"), words_of_clause("contain", "singular")
    (('is', 'attached to'), ('', 'have'), ('', 'contains'))
    """
    if relation in ("have", "with") or (relation.split()[0] in STATIVE and words_after_noun(relation).endswith("ing")):
        return clause_form(relation, number)
    return ("are" if number == "plural" else "is"), words_after_noun(relation)


class Realiser:
    """Says a graph's relations clause by clause; ``pending`` are those not said yet, by index."""

    def __init__(self, graph: SceneGraph, rng: random.Random, plurals: Collection[int], sentences: bool):
        self.graph, self.rng, self.sentences = graph, rng, sentences
        self.nouns = NounPhrases(graph, plurals)
        self.pending = list(range(len(graph.relations)))
        self.clauses: list[list[Piece]] = []
        self.subject = -1
        self.joined = -1
        self.wants_verb = False

    def caption(self) -> Realised:
        """The whole caption: what is related, then what stands alone, at last what of that is on or off."""
        joined = {end for s, _, o in self.graph.relations for end in (s, o)}
        alone = [o for o in range(len(self.graph.objects)) if o not in joined]
        states = [o for o in alone if self.nouns.state(o) or self.nouns.look(o)]
        alone = [o for o in alone if o not in states]
        phrases = self._phrases()
        phrases = phrases if len(alone) + len(phrases) > 1 else []
        self.pending = [r for r in self.pending if not any(r in own for _, own in phrases)]
        while self.pending:
            self._add(self._clause())
        if alone or phrases:
            self.clauses += self._lists(alone, phrases)
        self.clauses += [self._state(o) for o in states]
        pieces: list[Piece] = []
        for i, clause in enumerate(self.clauses):
            pieces += self._joint(i) + clause
        return assemble(self.graph, pieces, self.sentences)

    def _joint(self, i: int) -> list[Piece]:
        """What stands before clause ``i``: a full stop, or ", and" between two short ones."""
        if i == 0:
            return []
        lengths = [sum(len(piece.words.split()) for piece in clause) for clause in self.clauses]
        # One of them may be two already.
        even = (len(self.clauses) - i) % 2 == 1 and lengths[i - 1] + lengths[i] <= JOINED and self.joined not in (i - 1, i)
        return [Piece(","), Piece("and")] if even and (i == 1 or len(self.clauses) == i + 1) else [Piece(".")]

    def _add(self, clause: list[Piece]) -> None:
        """Add a clause; of two that say what there is one is made: "there is a tree next to a road, and a red car on the road"."""
        if not (clause[0] is THERE and self._is_open()):
            self.clauses.append(clause)
            return
        last, self.joined = self.clauses[-1], len(self.clauses) - 1
        apart = any(p.words in ("and", ",") or (p.kind == "relation" and self._relation(p.index) in LOOSE) for p in last)
        last += [*([Piece(",")] if apart else []), Piece("and"), *clause[2:]]

    def _is_open(self) -> bool:
        """Whether the clause before says what there is, of one thing, and ends with its place: not "there is a man with a cup and a
        bench under a tree"."""
        if not self.clauses or self.clauses[-1][0] is not THERE or Piece(",") in self.clauses[-1]:
            return False
        relations = [piece.index for piece in self.clauses[-1] if piece.kind == "relation"]
        return self.joined < len(self.clauses) - 1 and bool(relations) and self._is_place(relations[-1])

    # --- What to say next ------------------------------------------------------------

    def _outgoing(self, o: int) -> list[int]:
        return [r for r in self.pending if self.graph.relations[r][0] == o]

    def _incoming(self, o: int) -> list[int]:
        return [r for r in self.pending if self.graph.relations[r][2] == o]

    def _next_subject(self) -> int:
        """The object to speak of: who has most to do, people first; later one just mentioned, or a neighbour of what was said."""
        subjects = sorted({self.graph.relations[r][0] for r in self.pending})
        mentioned = [o for o in reversed(self.nouns.said) if o in subjects]
        if mentioned:
            return mentioned[0]
        # "Books on shelves on the wall", and not "shelves on the wall" first.
        near = [s for s in subjects if any(self._is_at_said(o) or o in self.nouns.said for o in self._at(s))]
        subjects = near or subjects

        def weight(o: int) -> tuple[bool, bool, bool, int]:
            outgoing = self._outgoing(o)
            # A whole comes before its part: "a monitor with a screen" before what is on the screen.
            whole = any(self._relation(r) in ("have", "with") for r in outgoing)
            return is_person(self.graph.objects[o]), not self._incoming(o), whole, len(outgoing)

        most = max(map(weight, subjects))
        return self.rng.choice([o for o in subjects if weight(o) == most])

    def _at(self, subject: int) -> list[int]:
        """What the subject's relations lead to."""
        return [self.graph.relations[r][2] for r in self._outgoing(subject)]

    def _is_at_said(self, o: int) -> bool:
        """Whether all there is to say of an object is that it is at what was said."""
        return len(self._outgoing(o)) == 1 and self._at(o)[0] in self.nouns.said

    def _clause(self) -> list[Piece]:
        subject = self._next_subject()
        also = subject == self.subject
        self.subject = subject
        if subject in self.nouns.said:
            return self._statement(subject, also)
        loose = self._loose(subject)
        # "There is a chair against a wall, near a desk": of places a sentence needs no verb.
        several = len(loose or self._outgoing(subject)) > 1 and not self._is_only_placed(loose)
        # Not "a man wearing pants and with his hand on a keyboard".
        owning = loose and any(self._more(self.graph.relations[r][2], r) for r in self._owning(subject))
        verb = bool(several or owning or self.nouns.state(subject) or self.nouns.does(subject) or self.nouns.is_unique(subject))
        self.wants_verb |= verb
        if not self.sentences and not self.clauses:
            return self._phrase(subject)
        if verb or (loose and not self._exists(loose[0])):
            return self._statement(subject, also)
        again = [Piece("also")] if self._repeats(loose) else []
        return [THERE, Piece(self.nouns.be(subject)), *again, *self._phrase(subject), *self._around(subject)]

    def _exists(self, r: int) -> bool:
        """Whether to say "there is a sign next to a road" and not "a sign is next to a road"; who does something may begin a
        sentence."""
        if not is_verbal(self._relation(r)):
            return True
        return self._is_open() or (not self.clauses and self.rng.random() < EXISTS)

    def _phrases(self) -> list[tuple[int, list[int]]]:
        """The related things of which a short phrase says all there is to say: what it begins with, and its relations.

        "A bus with a mirror" and its like come last.
        """
        able = []
        for component in self.graph.components():
            trial = Realiser(self.graph, random.Random(0), self.nouns.plurals, sentences=False)  # noqa: S311
            own = [r for r in self.pending if self.graph.relations[r][0] in component]
            trial.pending = [*own]
            subject = trial._next_subject() if own else -1
            phrase = trial._phrase(subject) if own else []
            # People come first, and do things: no "a roof and a man wearing a backpack".
            name = self.graph.objects[subject]
            thing = not is_person(name) and not self.nouns.state(subject) and not self.nouns.is_unique(subject)
            thing = thing and self.graph.objects.count(name) == 1
            if own and thing and not trial.pending and len(self._loose(subject)) < MOST:
                # What ends with a place is followed by others: "leaves on a tree and a bus with a mirror".
                last = [self._relation(piece.index) for piece in phrase if piece.kind == "relation"][-1]
                able.append((last.split()[-1] not in AT, sum(len(piece.words.split()) for piece in phrase), subject, own))
        lengths = accumulate(length for _, length, _, _ in sorted(able))
        return [(subject, own) for (_, _, subject, own), so_far in zip(sorted(able), lengths, strict=True) if so_far <= LONGEST]

    def _lists(self, objects: list[int], phrases: list[tuple[int, list[int]]]) -> list[list[Piece]]:
        """The clause that says what has no relation, then what the phrases of others say: "there is a cup and a bus with a mirror".

        Of two neither may seem to share what is said of the other: "there is a bag next to a bin, along with a cup".
        """
        parts = [self.nouns.mention(o) for o in sorted(objects, key=lambda o: self.graph.objects[o] in UNIQUE)]
        for subject, own in phrases:
            self.pending = [*own]
            parts.append(self._phrase(subject))
        if len(parts) > 2:
            names = [*listed(parts[:-1], last=","), Piece(","), Piece("and"), *parts[-1]]
        elif objects and phrases and not self._is_owner(phrases[0][1]):
            names = [*parts[1], Piece(","), Piece("along"), Piece("with"), *parts[0]]
        else:
            names = listed(parts)
        first = next(piece.index for piece in names if piece.kind == "object")
        also = [Piece("also")] if self.clauses and objects else []
        return [[THERE, Piece(self.nouns.be(first)), *also, *names] if self.clauses or self.sentences else names]

    def _is_owner(self, own: list[int]) -> bool:
        """Whether a phrase's relations say but what its subject has: "(a cup and) a bus with a mirror"."""
        return all(self._relation(r) in TIGHT for r in own)

    def _state(self, o: int) -> list[Piece]:
        """How something is that has no relation: "the lights are on", "the sky is blue"."""
        self.wants_verb = True
        state = self.nouns.state(o) or self.nouns.look(o)
        self.nouns.told |= {piece.index for piece in state}
        counted = any(attribute_place(attribute) == "number" for attribute in self.graph.attributes_of(o))
        mention = self.nouns.mention(o)
        if mention[0] is ARTICLE or (not counted and mention[0].words not in ("the", "other")):
            mention = [Piece("the"), *(piece for piece in mention if piece is not ARTICLE)]
        return [*mention, Piece(self.nouns.be(o)), *state]

    # --- Clauses ------------------------------------------------------------

    def _statement(self, subject: int, also: bool) -> list[Piece]:
        """As "A tall boy on a bench is holding a ball", "A man is walking on the road", "The desk also has a lid"."""
        new, state, doing = subject not in self.nouns.said, self.nouns.state(subject), self.nouns.doing(subject)
        self.nouns.told |= {piece.index for piece in state}
        outgoing = self._outgoing(subject)
        if state and (self.nouns.heavy(subject) or (outgoing and not any(map(self._is_place, outgoing)))):
            self.nouns.told -= {piece.index for piece in state}
            state = []
        pieces = self.nouns.mention(subject)
        if new:
            pieces += self._tight(subject, keep=0 if doing or state else 1)
        taken = self._take(subject, 1 if state else MOST - len(doing) + 1, places=bool(state))
        if new and (len(taken) > 1 or state) and not self.nouns.heavy(subject):
            pieces += self._leading(taken, doing)
        if state:
            # "A monitor on a desk is turned on": not "on a desk is on".
            return [*pieces, Piece(self.nouns.be(subject)), *(p._replace(words=TURNED.get(p.words, p.words)) for p in state)]
        *groups, last = self._predicates(subject, taken, doing, also or (not doing and self._repeats(taken))) or [[]]
        if len(groups) > 1 and self._relation(taken[-1]) in ("have", "with"):
            # "Is holding a cup and wearing glasses, and has a beard".
            return [*pieces, *listed(groups), Piece(","), Piece("and"), *last]
        return [*pieces, *listed([*groups, last]), *self._around(subject)]

    def _around(self, person: int) -> list[Piece]:
        """What else is at the place of a person who does something: ", with a parking meter behind him"."""
        held = [r for r in self._incoming(person) if self._is_place(r) and self._is_bystander(r)]
        if not held or self._outgoing(person) or not self.nouns.personal(person):
            return []
        self.pending.remove(held[0])
        one, relation, _ = self.graph.relations[held[0]]
        it = self.nouns.mention(person)
        return [Piece(","), Piece("with"), *self.nouns.mention(one), Piece(words_after_noun(relation), "relation", held[0]), *it]

    def _is_bystander(self, r: int) -> bool:
        """Whether all there is to say of a relation's subject is this relation."""
        s, _, o = self.graph.relations[r]
        return self._outgoing(s) == [r] and s not in (o, *self.nouns.said) and not self._incoming(s) and not self.nouns.state(s)

    def _repeats(self, taken: list[int]) -> bool:
        """Whether the clause before says the same of another thing: "a car is on the road, and a van is also on the road"."""
        if any(piece.words == "also" for clause in self.clauses for piece in clause) or min(map(len, self.graph.components())) == 1:
            return False
        before = {self.graph.relations[piece.index][1:] for piece in (self.clauses or [[]])[-1] if piece.kind == "relation"}
        return any(self.graph.relations[r][1:] in before for r in taken[:1])

    def _leading(self, taken: list[int], doing: list[Piece]) -> list[Piece]:
        """One place of a clause's subject right after it, so that its verb is free: "a cd on a desk (is near a mug)"."""
        places = [r for r in taken if self._is_place(r)]
        if not places:
            return []
        r = min(places, key=lambda r: (is_verbal(self._relation(r)), self._relation(r) in LOOSE, not self._is_posture(r)))
        taken.remove(r)
        walking = [] if is_verbal(self._relation(r)) else [doing.pop()] if doing else []
        return [*walking, Piece(words_after_noun(self._relation(r)), "relation", r), *self._object(r, last=True, depth=1)]

    def _is_only_placed(self, relations: list[int]) -> bool:
        return bool(relations) and all(self._is_place(r) and not is_verbal(self._relation(r)) for r in relations)

    def _is_place(self, r: int) -> bool:
        """Whether a relation says where its subject is: "on", "sit at", and not "in a shirt", "have", "look at"."""
        s, relation, o = self.graph.relations[r]
        worn = relation == "in" and is_person(self.graph.objects[s]) and is_worn_in(self.graph.objects[o])
        return relation not in TIGHT and relation.split()[-1] in PREPOSITIONS and not worn

    def _is_posture(self, r: int) -> bool:
        return self._relation(r).split()[0] in POSTURES

    def _predicates(self, subject: int, taken: list[int], doing: list[Piece], also: bool) -> list[list[Piece]]:
        """What a clause says of its subject: "is sitting on a bench", "holding a ball", "has a lid"."""
        if not taken:
            return [[Piece(self.nouns.be(subject)), *doing]] if doing else []
        groups: list[list[Piece]] = []
        before = ""
        for i, r in enumerate(taken):
            auxiliary, words = words_of_clause(self._relation(r), self.nouns.number(subject))
            # "is on a bench and is holding a ball": the auxiliary comes again where the kind of the predicate changes.
            kind = f"{auxiliary} {is_verbal(self._relation(r))}"
            head = [Piece(auxiliary)] if auxiliary and kind != before else []
            before = kind
            linked = [Piece("also")] if also and i == 0 else []
            tail = [Piece(words, "relation", r), *self._object(r, last=r == taken[-1])]
            groups += self._done(doing if i == 0 else [], [*head, *linked], tail, r)
        return groups

    def _phrase(self, subject: int) -> list[Piece]:
        """Such as "a tall boy sitting on a bench and holding a ball"; one relation such as "with" follows its noun at once."""
        doing = self.nouns.doing(subject)
        pieces = self.nouns.mention(subject)
        loose = self._loose(subject)
        tight = self._tight(subject, keep=0, last=not loose)
        pieces += tight
        if tight and not loose:
            return pieces + doing
        taken = self._take(subject, MOST)
        groups: list[list[Piece]] = []
        for i, r in enumerate(taken):
            tail = [Piece(words_after_noun(self._relation(r)), "relation", r), *self._object(r, last=r == taken[-1])]
            groups += self._done(doing if i == 0 else [], [], tail, r)
        return pieces + listed(groups, last="," if self._is_only_placed(taken) else "and")

    def _done(self, doing: list[Piece], head: list[Piece], tail: list[Piece], r: int) -> list[list[Piece]]:
        """What the subject does joins where that is: "is walking on the road"; beside a verb it stands alone: "walking and
        wearing"."""
        if not doing:
            return [[*head, *tail]]
        be = [Piece(self.nouns.be(self.graph.relations[r][0]))] if head or words_of_clause(self._relation(r), "")[0] == "" else []
        if not is_verbal(self._relation(r)) and self._relation(r) not in ("have", "with"):
            return [[*(head or be), *doing, *tail]]
        return [[*(head or be), *doing], tail]

    # --- Parts of clauses ------------------------------------------------------------

    def _relation(self, r: int) -> str:
        return self.graph.relations[r][1]

    def _take(self, subject: int, most: int, places: bool = False) -> list[int]:
        """Up to ``most`` of the subject's relations, which are then no longer pending: verbs, then places, then what it has.

        With ``places`` only where it is.
        """
        outgoing = [r for r in self._outgoing(subject) if self._relation(r) not in TIGHT - {"have", "with"}] or self._outgoing(
            subject
        )[:1]

        def order(r: int) -> tuple[int, bool, bool, int]:
            relation = self._relation(r)
            rank = 2 if relation in ("have", "with") else 0 if is_verbal(relation) else 1
            # What leads on stands last, where it can be followed.
            return rank, bool(self._more(self.graph.relations[r][2], r)), not self._is_posture(r), r

        taken: list[int] = []
        for r in sorted((r for r in outgoing if not places or self._is_place(r)), key=order):
            same = any(words_after_noun(self._relation(t)) == words_after_noun(self._relation(r)) for t in taken)
            if len(taken) < most and not same:
                taken.append(r)
        for r in taken:
            self.pending.remove(r)
        return taken

    def _more(self, o: int, r: int) -> list[int]:
        return [p for p in self._outgoing(o) if p != r] if o not in self.nouns.said else []

    def _tight(self, subject: int, keep: int, last: bool = False, depth: int = 0) -> list[Piece]:
        """As "of a table", "with a hat", "in a red shirt", after its noun; ``keep`` relations are left to the clause's verb."""
        outgoing = self._outgoing(subject)
        hanging = [r for r in outgoing if self._relation(r) in TIGHT and not self._again(r)]
        # What leads on stands where it can be followed: "and has his hand on a keyboard".
        hanging = [r for r in hanging if last or not self._more(self.graph.relations[r][2], r)]
        garments = [r for r in outgoing if is_worn_in(self.graph.objects[self.graph.relations[r][2]])]
        worn = [r for r in garments if self._relation(r) == "wear"]
        if is_person(self.graph.objects[subject]):
            hanging = [r for r in garments if self._relation(r) in ("in", "have")] + hanging
        # "A man in a shirt wearing glasses": the second garment needs another word than the first.
        if len([r for r in outgoing if self._relation(r) == "wear"]) > 1 and worn and is_person(self.graph.objects[subject]):
            hanging = sorted(worn, key=lambda r: -weight("man", "in", self.graph.objects[self.graph.relations[r][2]]))
        spare = len(outgoing) > keep or (hanging and self._relation(hanging[0]) not in ("have", "with"))
        if not hanging or not spare or self.nouns.heavy(subject):
            return []
        r = hanging[0]
        self.pending.remove(r)
        dressed = is_person(self.graph.objects[subject]) and r in garments
        words = "in" if dressed and self._relation(r) in ("wear", "have") else words_after_noun(self._relation(r))
        return [Piece(words, "relation", r), *self._object(r, last=last, depth=depth + 1)]

    def _loose(self, subject: int) -> list[int]:
        """The subject's relations that are a clause's verb or place."""
        return [r for r in self._outgoing(subject) if self._relation(r) not in TIGHT]

    def _owning(self, subject: int) -> list[int]:
        """The subject's relations that hang on it."""
        return [r for r in self._outgoing(subject) if self._relation(r) in TIGHT]

    def _again(self, r: int) -> bool:
        """Whether more is to be said of the two objects of relation ``r``: "has a shirt and is wearing it"."""
        ends = {self.graph.relations[r][0], self.graph.relations[r][2]}
        return any(p != r and {self.graph.relations[p][0], self.graph.relations[p][2]} == ends for p in self.pending)

    def _object(self, r: int, last: bool, depth: int = 0) -> list[Piece]:
        """The object of a relation; what there is to say of it follows if it is new and the last of the clause."""
        subject, relation, o = self.graph.relations[r]
        if subject == o:
            return [Piece("each other" if self.nouns.number(o) == "plural" else "itself")]
        new = o not in self.nouns.said
        place = relation.split()[-1] in PREPOSITIONS and relation not in TIGHT
        # "A man holding his chin", "with his hand on a keyboard".
        own = (is_verbal(relation) and relation != "have") or (relation in ("have", "with") and self._outgoing(o))
        whose = subject if own and is_person(self.graph.objects[subject]) and is_body_part(self.graph.objects[o]) else None
        follows = last and depth < DEEPEST and new
        doing = self.nouns.doing(o) if follows and self._where(o) else []
        # "On the sidewalk", but "on a sidewalk next to a street".
        leads = follows and len(self._outgoing(o)) == 1
        pieces = self.nouns.mention(o, place and not leads, whose) + doing
        if follows and not self.nouns.heavy(o):
            # Not "holding a ball near a tree", where the ball is near it.
            more = self._following(o, depth, clear=bool(doing) or relation in LOOSE or relation.split()[-1] in AT)
            # Not "a monitor with a screen with panes on it", "on the floor with a bin on it", "papers on a desk with a cd on it".
            bears = relation not in ("have", "with") and depth == 0 and not is_definite(self.graph.objects[o])
            pieces += more or (self._bearing(r) if bears else [])
        return pieces

    def _where(self, o: int) -> bool:
        """Whether all there is to say of an object is where it is."""
        outgoing = self._outgoing(o)
        return len(outgoing) == 1 and self._is_place(outgoing[0]) and not is_verbal(self._relation(outgoing[0]))

    def _following(self, o: int, depth: int, clear: bool) -> list[Piece]:
        """What the object itself does: "a bench under a tree", "a house with a window", "a wall covered with snow".

        ``clear``: nobody takes a place that follows for the subject's.
        """
        outgoing = self._outgoing(o)
        loose = any(self._relation(r) in LOOSE for r in outgoing)
        # Not "a bike near a tree that is next to the road that is near a car".
        if len(outgoing) != 1 or (loose and depth):
            return []
        r = outgoing[0]
        self.pending.remove(r)
        words, head = words_after_noun(self._relation(r)), list[Piece]()
        if words == "with" and depth:
            # "a wall with outlets that have a plug": not "with" after "with".
            head, words = [Piece(self.nouns.pronoun(o))], words_of_clause("have", self.nouns.number(o))[1]
        elif loose and not clear:
            head = [Piece(self.nouns.pronoun(o)), Piece(self.nouns.be(o))]
        return [*head, Piece(words, "relation", r), *self._object(r, last=True, depth=depth + 1)]

    def _bearing(self, r: int) -> list[Piece]:
        """What else is on or in the object of relation ``r``: "(sitting at) a table with food on it"."""
        subject, relation, o = self.graph.relations[r]
        held = [p for p in self._incoming(o) if self._can_be_borne(p) and self._relation(p) != relation]
        if not held or self._outgoing(o) or is_person(self.graph.objects[o]) or len(self._outgoing(subject)) > 0:
            return []
        one = self.graph.relations[held[0]][0]
        if self.graph.objects[one] == self.graph.objects[subject]:
            return []
        self.pending.remove(held[0])
        doing = self.nouns.doing(one) if not is_verbal(self._relation(held[0])) else []
        borne = self.nouns.mention(one) + doing
        return [Piece("with"), *borne, Piece(words_after_noun(self._relation(held[0])), "relation", held[0]), self.nouns.it(o)]

    def _can_be_borne(self, r: int) -> bool:
        return words_after_noun(self._relation(r)).split()[-1] in BEARING and self._is_bystander(r)
