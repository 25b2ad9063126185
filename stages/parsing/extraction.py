"""From a dependency tree to a graph keyed by word: the rules of English that hold for any caption and any convention.

Objects are nouns, keyed by the position of their head word; attributes and relations keep the positions of their words.
Nothing is renamed here: :mod:`stages.parsing.parser` gives names at the end.
"""

from stages.parsing.draft import Attribute, Draft
from stages.parsing.fixes import is_result
from stages.parsing.prepositions import Prepositions
from stages.parsing.rule_words import HAVING, LINKING, NOT_ATTRIBUTES, PLACE_ADVERBS, SAYS_NOTHING, SHADES, VIEWS
from stages.parsing.words import Words


def extract(words: Words, pronouns: bool = False) -> Draft:
    """Return the objects, attributes and relations of a caption's tree; with ``pronouns``, "they" and "she" are objects too."""
    return _Extraction(words, pronouns).run()


class _Extraction(Prepositions):
    def run(self) -> Draft:
        w = self.w
        for i in range(len(w)):
            if w.kind[i] == "noun" and w.dep[i] not in ("amod", "compound", "nmod", "npadvmod") and i not in w.phrase:
                self.objects(i)
        for i in range(len(w)):
            self._preposition(i)
        for i in range(len(w)):
            if i not in w.phrase and self._has(i):
                self._clause(i)
        references = [i for i in range(len(w)) if w.kind[i] == "prep" and self._back_reference(i)]
        self.said.update(references)
        for i in range(len(w)):
            if i not in w.phrase:
                self._clause(i)
                self._modifier(i)
        self._one_atom_a_word()
        return self.draft

    def _one_atom_a_word(self) -> None:
        """Remove objects that are attributes, as in "a white and tan dog": that noun names no other thing."""
        said = {k for r in self.draft.relations for k in (r.subject, r.object)} | {a.owner for a in self.draft.attributes}
        for a in self.draft.attributes:
            last = a.words[-1]
            # "a bed that is large and a trumpet": the noun is right, the attribute is wrong.
            if last not in said and (a.source == "adjective" or self.w.dep[last] == "acomp"):
                self.draft.objects.pop(last, None)

    def _has(self, v: int) -> bool:
        return self.w.low[v] in HAVING and self.w.kind[v] == "verb"

    def _clause(self, v: int) -> None:
        w = self.w
        if (
            w.kind[v] not in ("verb", "be")
            or w.dep[v] in ("aux", "auxpass", "amod", "compound")
            or self.is_nominal(v)
            or w.children(v, "neg")
        ):
            return
        if w.kind[v] == "be":
            self._copula(v)
            return
        if w.dep[v] == "relcl" and self._object_relative(v):
            return
        things = [o for k in w.children(v, "dobj") for o in self.objects(k)]
        if things and v in self.said and self._has(v):
            return  # already done, before back references
        if things:
            self.said.add(v)
            self.relate(self.subjects(v), self._verb_words(v), things, "verb")
        elif v not in self.said and not [k for k in w.children(v, "xcomp", "ccomp") if w.kind[k] in ("verb", "be")]:
            self._intransitive(v)

    def _object_relative(self, v: int) -> bool:
        """Add the relation of an object's relative clause, as in "the bench that the man is sitting on"."""
        w = self.w
        if w.children(v, "dobj") and not any(w.tag[k] in ("WDT", "WP") or w.low[k] == "that" for k in w.children(v, "dobj")):
            return False
        subjects = [o for k in w.children(v, "nsubj", "nsubjpass") if w.kind[k] == "noun" for o in self.objects(k)]
        if not subjects or not self.is_nominal(w.head[v]):
            return False
        stranded = [k for k in w.children(v, "prep") if all(w.kind[o] in ("pron", "det") for o in w.kids[k])][:1]
        self.said.add(v)
        self.relate(subjects, (*self._verb_words(v), *stranded), self.objects(w.head[v]), "relative")
        return True

    def _copula(self, v: int) -> None:
        """Add what "be" states, as in "the dog is black", "the wall is brick", "the light is on"."""
        w = self.w
        if w.children(v, "expl"):
            return
        if w.dep[v] in ("relcl", "acl", "ccomp") and self._stranded_copula(v):
            return
        subjects = self.subjects(v)
        if not subjects:
            return
        plain = not w.children(v, "acomp", "attr") and not [k for k in w.children(v, "prep") if w.kids[k] or k in w.phrase]
        for k in w.kids[v]:
            in_relation = k in self.said or k in w.phrase
            if w.dep[k] == "acomp" and not in_relation:
                for a in self.conjuncts(k):
                    self._describe(subjects, a, "copula")
            elif w.dep[k] == "attr" and not any(w.dep[s] == "nsubj" and w.kind[s] in ("pron", "det") for s in w.kids[v]):
                for c in self.conjuncts(k):
                    if c not in subjects and c in self.draft.objects:
                        name = self.draft.objects.pop(c)
                        if w.low[c] in ("color", "colour"):
                            self.same[c] = subjects
                        else:
                            self.draft.attributes += [Attribute(s, name, "copula noun") for s in subjects]
            elif plain and w.low[k] in PLACE_ADVERBS and w.dep[k] in ("advmod", "prep", "prt") and not in_relation:
                self._describe(subjects, k, "place")

    def _stranded_copula(self, v: int) -> bool:
        """Add the relation of a stranded preposition, as in "the grass that the bench is on"."""
        w = self.w
        stranded = [k for k in w.children(v, "prep", "advmod", "prt") if w.kind[k] == "prep" and not w.kids[k] and k > v]
        subjects = [o for k in w.children(v, "nsubj") if w.kind[k] == "noun" for o in self.objects(k)]
        if not stranded or not subjects or not self.is_nominal(w.head[v]) or w.head[v] > v:
            return False
        self.relate(subjects, (stranded[0],), self.objects(w.head[v]), "relative")
        return True

    def _intransitive(self, v: int) -> None:
        """Add a verb without an object as an attribute, as in "the boy is skating", "a train parked", "the sky looks cloudy"."""
        w = self.w
        subjects = self.subjects(v)
        if w.low[v] in SAYS_NOTHING or self._has(v):
            return
        complements = w.children(v, "acomp", "oprd")
        if complements and w.low[v] in LINKING:
            for a in self.conjuncts(complements[0]):
                self._describe(subjects, a, "copula")
            return
        after = [
            k
            for k in w.kids[v]
            if k > v and k not in w.phrase and (w.dep[k] == "prt" or w.low[k] in PLACE_ADVERBS) and not w.kids[k]
        ]
        self.draft.attributes += [Attribute(s, (v, *after[:1]), "participle") for s in subjects]

    def _modifier(self, i: int) -> None:
        w = self.w
        dep, head = w.dep[i], w.head[i]
        if dep == "amod" or (dep == "acl" and w.kind[i] == "adj"):
            # "a front view of the temple": the temple is not front
            if i not in self.said and w.low[head] not in VIEWS and w.low[i] not in NOT_ATTRIBUTES and head not in w.phrase:
                for a in self.conjuncts(i):
                    if a not in self.said:
                        self._describe(self._owners(head), a, "adjective")
        elif is_result(w, i) and w.low[head] not in LINKING:
            for a in self.conjuncts(i):
                self._describe(self.subjects(head), a, "copula")
        elif dep == "nummod" or (w.low[i] == "both" and dep in ("det", "predet", "preconj")):
            if w.low[i] not in ("one", "1") and w.low[head] != "close-up":
                self.draft.attributes += [Attribute(o, (i,), "number") for o in self._owners(head)]
        elif dep == "poss" and w.kind[i] == "noun":
            mark = w.children(i, "case")
            self.relate(self.objects(i), tuple(mark), self._owners(head), "possessive")
        elif dep == "poss" and self.pronouns and w.low[i] in ("his", "her", "its", "their", "it"):
            first = self._antecedent(i)
            self.relate([first] if first is not None else [], (i,), self._owners(head), "own")
        elif dep == "conj" and w.dep[head] in ("compound", "nmod") and w.kind[i] in ("adj", "noun"):
            # "a steel and concrete dock"
            self._describe(self._owners(head), i, "adjective")

    def _owners(self, head: int) -> list[int]:
        w = self.w
        while w.dep[head] in ("compound", "nmod", "amod", "nummod") and w.head[head] > head and w.kind[w.head[head]] == "noun":
            head = w.head[head]
        if not self.is_nominal(head):
            return []
        meant = self._meant(head)
        if meant is None:
            return []
        if meant in self.same:
            return self.same[meant]
        self.draft.objects.setdefault(meant, self._name_words(meant))
        return [meant]

    def _describe(self, owners: list[int], a: int, source: str) -> None:
        """Add attribute ``a`` with its hyphenated or shade prefix: "short-sleeved", "dark green"."""
        w = self.w
        if (
            w.children(a, "neg")
            or w.low[a] in NOT_ATTRIBUTES
            or (w.kind[a] == "adv" and w.low[a].endswith("ly"))
            or (source != "adjective" and w.low[a] in SAYS_NOTHING)
        ):
            return
        if self._shade_of(a + 1, a) or self._says_how(a):
            return  # part of the color or the participle that follows
        first = a
        if a and (
            self._shade_of(a, a - 1) or (w.head[a - 1] == a and w.dep[a - 1] in ("npadvmod", "compound")) or self._says_how(a - 1)
        ):
            first = a - 1
        words = tuple(range(first, a + 1))
        if first == a and a and w.low[a - 1] == "of":
            # "a light shade of green"
            words = (*[k for k in w.children(a, "amod") if w.low[k] in SHADES][-1:], a)
        self.draft.attributes += [Attribute(o, words, source) for o in owners]
