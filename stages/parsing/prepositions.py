"""Prepositions, plain and phrasal: the objects that they relate, by the tree and, where it misleads, by the words."""

from stages.parsing.draft import Relation
from stages.parsing.fixes import ANIMATE, OWNED, is_result
from stages.parsing.nominals import Nominals
from stages.parsing.rule_words import ADJECTIVES_WITH, COLLECTIVES, HAVING, PLACING
from stages.text.lexnames import lexname

SAYING = {"prep", "agent", "conj", "dative", "ROOT", "pcomp", "advmod", "prt", "mark", "acl", "relcl", "dep"}
SOMEBODY = (*ANIMATE, "group", "Tops")
"""Who wears things; "person" and "animal" themselves are at WordNet's top."""
CONTENT = ("adv", "verb", "adj", "noun")


class Prepositions(Nominals):
    """The relations of prepositions, with or without a verb."""

    def relate(self, subjects: list[int], words: tuple[int, ...], objects: list[int], source: str) -> None:
        """Relate every subject to every object."""
        self.draft.relations += [Relation(s, words, o, source) for s in subjects for o in objects if s != o]

    def _preposition(self, i: int) -> None:
        w = self.w
        if i in w.phrase:
            if w.phrase[i][0] == i:
                self._phrasal(i)
        elif w.dep[i] == "agent" and w.low[i] == "by" and w.tag[w.head[i]] in ("VBN", "VBD") and self._acted_on(i):
            # "a bear surrounded by grass"
            verb = w.head[i]
            self.said.add(verb)
            subjects = self.subjects(verb) or (self.objects(w.head[verb]) if w.dep[verb] == "amod" else [])
            self.relate(subjects, (verb, i), self._objects_of(i), "agent")
        elif (w.kind[i] == "prep" and w.dep[i] in SAYING) or (w.dep[i] == "prep" and w.kind[i] in CONTENT):
            self._plain(i)

    def _acted_on(self, by: int) -> bool:
        """Return whether "by" says by whom or what; in "a fence painted green by a road" it says where."""
        w = self.w
        someone = any(lexname(w.low[o]) in ("person", "group") for o in w.children(by, "pobj"))
        return someone or not any(is_result(w, k) for k in w.kids[w.head[by]])

    def _objects_of(self, p: int) -> list[int]:
        return self._spoken_of(p) or [
            o
            for k in self.w.children(p, "pobj", "pcomp")
            if self.w.dep[k] == "pobj" or self.w.kind[k] == "noun"
            for o in self.objects(k)
        ]

    def _spoken_of(self, p: int) -> list[int]:
        """Return the governor of a preposition, as in "a man talking to the woman next to him": the man."""
        pronouns = [k for k in self.w.children(p, "pobj") if self.w.low[k] in ("him", "her", "them", "it")]
        first = self._antecedent(p) if pronouns else None
        return [] if first is None else [first]

    def _phrasal(self, i: int) -> None:
        """Add phrasal prepositions, as in "a lamp to the left of the bed"; the object is in the tree or the next noun."""
        w = self.w
        first, after = w.phrase[i]
        span = range(first, after)
        heads = [
            k for k in w.kids[after - 1] if k >= after and w.dep[k] in ("pobj", "pcomp", "amod", "nummod") and self.is_nominal(k)
        ]
        heads = heads[:1] or self._next_noun(after)
        objects = [o for k in heads for o in self.objects(k)] or self._spoken_of(after - 1)
        if not objects:
            self._on_top(first, tuple(span))
            return
        governor = i
        while governor in span and w.head[governor] != governor:
            governor = w.head[governor]
        if governor in span:
            before = [k for k in range(first) if w.kind[k] == "noun"]
            if not before:
                return
            governor = before[-1]
        self._attach(governor, tuple(span), objects, i)

    def _on_top(self, first: int, said: tuple[int, ...]) -> None:
        """Add the relation of "on top", as in "a pole with a sign on top": the sign is on top of the pole."""
        w = self.w
        having = [r for r in self.draft.relations if r.words and w.low[r.words[0]] in HAVING and r.subject < r.object < first]
        if having:
            held = max(having, key=lambda r: r.object)
            self.draft.relations.remove(held)
            self.relate([held.object], said, [held.subject], "back")

    def _next_noun(self, i: int) -> list[int]:
        """Return the head of the noun phrase that begins at ``i``; none if it is a pronoun: "next to her on a slope"."""
        w = self.w
        if i < len(w) and w.tag[i] == "PRP":
            return []
        for k in range(i, len(w)):
            if w.kind[k] == "noun":
                while w.dep[k] in ("compound", "poss", "nmod") and w.head[k] > k:
                    k = w.head[k]
                return [k]
            if w.kind[k] in ("verb", "be"):
                break
        return []

    def _back_reference(self, p: int) -> bool:
        """Add a relation to an earlier object, as in "a post with a clock on it": the clock is on the post."""
        w = self.w
        pronouns = {w.low[k] for k in w.children(p, "pobj")} & {"it", "them", "him", "her"}
        first, after = w.phrase.get(p, (p, p + 1))
        having = [
            r for r in self.draft.relations if r.words and w.low[r.words[0]] in HAVING and r.subject < r.words[0] < r.object < p
        ]
        # "a table with a plate in front of her": not in front of the table
        having = [r for r in having if pronouns - {"him", "her"} or lexname(w.low[r.subject]) in ("person", "animal")]
        if not pronouns or not having:
            return False
        last = max(having, key=lambda r: r.object)
        verb = tuple(k for k in range(last.object + 1, first) if w.tag[k] in ("VBG", "VBN"))[-1:]
        # What the pronoun was resolved to before the owner of the thing was known.
        self.draft.relations = [r for r in self.draft.relations if p not in r.words]
        # "A man with a hat and a dog next to him": the hat is not.
        all_are = w.low[p] in ("in", "on")
        for r in [r for r in having if r is last or (all_are and r.words == last.words)]:
            self.draft.relations.remove(r)
            self.relate([r.object], (*verb, *range(first, after)), [r.subject], "back")
        self.said.update(verb)
        return True

    def _plain(self, p: int) -> None:
        w = self.w
        objects = self._objects_of(p)
        chained = [k for k in w.children(p, "prep") if k not in w.phrase and w.children(k, "pobj")]
        said: tuple[int, ...] = (p,)
        if not objects and len(chained) == 1 and w.low[p] != "of":
            # "a bird up in a tree", "coming down from the hill"
            objects, said = self._objects_of(chained[0]), (p, chained[0])
        above = w.head[p]
        if w.dep[p] == "prep" and w.kind[above] == "prep" and above not in w.phrase and not w.children(above, "pobj"):
            return  # part of the preposition above it
        if objects and above != p and (w.low[p] != "as" or w.kind[above] == "adj" or w.tag[above] == "VBN"):
            # "performs as part of the festival": no relation, but "dressed as a bear"
            self._attach(above, said, objects, p)

    def _attach(self, governor: int, said: tuple[int, ...], objects: list[int], p: int) -> None:
        """Relate the objects of ``governor`` to ``objects`` by the preposition ``said``."""
        w = self.w
        # "on the table and under the lamp": joined prepositions have one governor
        while w.kind[governor] == "prep" and w.head[governor] != governor:
            governor = w.head[governor]
        kind = w.kind[governor]
        if kind == "be":
            self.relate(self.subjects(governor), said, objects, "preposition")
        elif kind == "verb" and w.dep[governor] != "compound" and not self.is_nominal(governor):
            self._attach_to_verb(governor, said, objects)
        elif kind in ("adj", "adv") and w.dep[governor] not in ("nsubj", "nsubjpass"):
            self._attach_to_adjective(governor, said, objects)
        elif self.is_nominal(governor) or kind == "num":
            if w.low[said[0]] == "of" and w.low[governor] in COLLECTIVES:
                return
            # "a wall of brick and a hydrant": a noun joined after the phrase is not in it
            subjects = self.objects(self._joined_in(governor, said, objects))
            before = [s for s in subjects if s < said[0]] if governor < said[0] else subjects
            self.relate(before or subjects, said, objects, "of" if w.low[said[0]] == "of" else "preposition")

    def _joined_in(self, last: int, said: tuple[int, ...], objects: list[int]) -> int:
        """Return the first of joined things that share a place, as in "a fork, a chop and potatoes on a plate".

        But in "a man and a woman in a coat", "a table and a chair with a cushion", only the last has it.
        """
        w = self.w
        first = self._first_joined(last)
        if w.dep[first] not in ("ROOT", "nsubj", "nsubjpass") or w.low[said[0]] in ("of", *HAVING) or self._meant(last) is None:
            return last
        above = [last, *w.above(last)]
        listed = above[: above.index(first) + 1]
        joined = any(k < said[0] for i in listed for k in w.children(i, "cc"))
        in_a_thing = len(said) == 1 and w.low[said[0]] == "in" and any(lexname(w.low[o]) in OWNED for o in objects)
        worn = in_a_thing and lexname(w.low[last]) in SOMEBODY
        itself = any(w.low[o] == w.low[i] for o in objects for i in listed)  # "a cup and a man next to the cup"
        return first if joined and not worn and not itself else last

    def _attach_to_verb(self, verb: int, said: tuple[int, ...], objects: list[int]) -> None:
        w = self.w
        subjects = self.subjects(verb)
        things = w.children(verb, "dobj")
        if things:
            # "a man holding a bat in his hand": the bat is in the hand; "a man flying a kite on a beach": the man is on the beach
            inner = w.low[said[0]] == "of" or w.low[verb] in ("has", "have", "had", "having")
            inner = inner or (w.low[verb] in PLACING and w.low[said[0]] in ("in", "into", "on", "over"))
            inner = inner or (w.low[said[0]] == "in" and any(w.low[o] in ("hand", "hands", "mouth") for o in objects))
            self.relate(self.objects(things[0]) if inner else subjects, said, objects, "preposition")
            return
        if any(is_result(w, k) for k in w.kids[verb]):
            # "a bench painted blue near a tree": the bench is near the tree
            self.relate(subjects, said, objects, "preposition")
            return
        self.said.add(verb)
        self.relate(subjects, (*self._verb_words(verb, said), *said), objects, "verb")

    def _attach_to_adjective(self, governor: int, said: tuple[int, ...], objects: list[int]) -> None:
        w = self.w
        above = w.head[governor]
        if w.kind[above] == "noun":
            subjects = self.objects(above)
        elif w.kind[above] in ("verb", "be"):
            subjects = self.subjects(above)
        else:
            return
        if (
            w.kind[governor] == "adj"
            and w.low[said[0]] not in ("of", "to", "from", "for")
            and w.low[governor] not in ADJECTIVES_WITH
        ):
            self.relate(subjects, said, objects, "preposition")
            return
        words: tuple[int, ...] = (governor, *said) if said[0] not in w.phrase or w.kind[governor] == "adj" else said
        if w.kind[above] == "verb":
            self.said.add(above)
            words = (above, governor, *said)
        self.said.add(governor)
        self.relate(subjects, words, objects, "verb")

    def _verb_words(self, verb: int, said: tuple[int, ...] = ()) -> tuple[int, ...]:
        """Return the verb with its particle: "take off", "lie down"."""
        particles = [k for k in self.w.children(verb, "prt") if k not in said and k not in self.w.phrase]
        return (verb, *particles[:1])
