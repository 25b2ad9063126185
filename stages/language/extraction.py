"""From a tree of words to a graph keyed by word: the rules of English that hold for any caption and any convention.

Objects are nouns, keyed by the position of their head word; attributes and relations keep the positions of the words that say them.
Nothing is renamed here: names are given at the end, by :mod:`stages.language.parser`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from stages.language.words import Words

# Nouns that count or divide what follows "of": a group of people is people.
COLLECTIVES = {
    *(
        "group",
        "row",
        "bunch",
        "pair",
        "couple",
        "lot",
        "lots",
        "set",
        "pile",
        "stack",
        "line",
        "piece",
        "pieces",
        "slice",
        "slices",
    ),
    *(
        "number",
        "variety",
        "crowd",
        "herd",
        "flock",
        "bit",
        "bits",
        "part",
        "kind",
        "type",
        "types",
        "array",
        "collection",
        "cluster",
    ),
    *("series", "rows", "groups", "bunches", "pairs", "patch", "patches", "team", "pack", "bundle", "sheet", "dozen", "dozens"),
    *(
        "hundreds",
        "plenty",
        "view",
        "assortment",
        "handful",
        "selection",
        "amount",
        "load",
        "loads",
        "ton",
        "tons",
        "strip",
        "strips",
    ),
    *("chunk", "chunks", "stacks", "piles", "lines", "clusters", "herds", "flocks", "crowds", "sets", "parts", "kinds", "swarm"),
}
NO_OBJECT = {"there", "it", "they", "he", "she", "we", "i", "you", "this", "that", "these", "those", "one", "ones", "which", "who"}
HAVING = {"with", "has", "have", "had", "having"}
PERSONAL = {"they", "he", "she", "we", "i"}
NOT_ATTRIBUTES = {
    *("many", "several", "few", "other", "various", "different", "same", "some", "more", "most", "next", "such", "own", "only"),
    *("another", "much", "lots", "able"),
}
LINKING = {"look", "looks", "looking", "appear", "appears", "seem", "seems", "stay", "stand", "stands", "turn", "turned"}
PLACE_ADVERBS = {"down", "up", "off", "on", "outside", "inside", "together", "open", "away", "out", "around", "over"}
NEGATIONS = {"no", "not", "n't", "never", "without", "nobody", "nothing", "none", "neither"}
# Adjectives whose preposition belongs to them: "covered in snow", "visible through a window".
ADJECTIVES_WITH = {
    *(
        "covered",
        "filled",
        "visible",
        "surrounded",
        "dressed",
        "attached",
        "loaded",
        "topped",
        "decorated",
        "made",
        "lined",
        "seated",
    ),
    *(
        "parked",
        "full",
        "high",
        "low",
        "asleep",
        "ready",
        "lit",
        "stuck",
        "close",
        "adorned",
        "mounted",
        "mixed",
        "wrapped",
        "hidden",
    ),
    *("reflected", "open", "perched", "sprinkled", "stacked", "painted", "built", "hung", "tied", "packed", "planted", "placed"),
}
COLORS = {
    *("white", "black", "blue", "red", "green", "brown", "yellow", "orange", "gray", "grey", "pink", "purple", "tan", "silver"),
    *("gold", "golden", "beige", "maroon", "cream", "teal", "turquoise", "blonde", "blond", "violet", "navy", "burgundy"),
}
SHADES = {
    *("light", "dark", "bright", "pale", "deep", "lime", "navy", "neon", "olive", "sky", "royal", "baby", "forest", "army", "hot"),
    *("partly", "mostly", "semi", "off", "multi", "medium", "dull", "reddish", "bluish", "greenish", "yellowish"),
}
DEPTH = 8  # no caption nests its clauses deeper; a limit so that a broken tree cannot loop


@dataclass
class Attribute:
    """``words`` say something of the object at word ``owner``."""

    owner: int
    words: tuple[int, ...]
    source: str
    text: str | None = None


@dataclass
class Relation:
    """``words`` relate the objects at ``subject`` and ``object``; ``text`` overrides the name that the words would give."""

    subject: int
    words: tuple[int, ...]
    object: int
    source: str
    text: str | None = None


@dataclass
class Draft:
    """A scene graph keyed by word: for each object's head word the words of its name, or a name that takes their place.

    ``another`` is for "a large one": the object that it is another of.
    """

    words: Words
    objects: dict[int, tuple[int, ...]] = field(default_factory=dict)
    attributes: list[Attribute] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    another: dict[int, int] = field(default_factory=dict)


def extract(words: Words, pronouns: bool = False) -> Draft:
    """The objects, attributes and relations that a caption's tree says; with ``pronouns``, "they" and "she" are objects too."""
    return _Extraction(words, pronouns).run()


class _Extraction:
    def __init__(self, words: Words, pronouns: bool):
        self.w = words
        self.pronouns = pronouns
        self.draft = Draft(words)
        self.said: set[int] = set()  # verbs and adjectives that have become part of a relation

    def run(self) -> Draft:
        w = self.w
        for i in range(len(w)):
            if w.kind[i] == "noun" and w.dep[i] not in ("compound", "nmod", "npadvmod") and i not in w.phrase:
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
        return self.draft

    # --- Objects ------------------------------------------------------------------------------------------------------------------

    def is_nominal(self, i: int) -> bool:
        w = self.w
        return w.kind[i] == "noun" or (w.dep[i] in ("pobj", "dobj", "nsubj", "nsubjpass") and w.kind[i] in ("verb", "adj", "other"))

    def conjuncts(self, i: int) -> Iterator[int]:
        """``i`` and what is joined to it: "a fork, a knife and a spoon"."""
        yield i
        for k in self.w.children(i, "conj"):
            if self.w.kind[k] not in ("verb", "be", "prep") or self.w.dep[k] != "conj":
                yield from self.conjuncts(k)

    def objects(self, i: int) -> list[int]:
        """The objects that nominal ``i`` and its conjuncts stand for, made on first mention."""
        found = []
        for c in self.conjuncts(i):
            meant = self._meant(c)
            if meant is not None:
                found += [meant] if meant == c else [m for d in self.conjuncts(meant) if (m := self._meant(d)) is not None]
        for i in found:
            if i not in self.draft.objects:
                if self.w.low[i] in ("one", "ones"):
                    # "a small tree next to a large one"
                    self.draft.another[i] = min(self.draft.objects)
                self.draft.objects[i] = self._name_words(i)
        return found

    def _meant(self, i: int) -> int | None:
        """The noun that ``i`` stands for: a group of people is people, a relative pronoun its antecedent."""
        w = self.w
        for _ in range(DEPTH):
            if w.tag[i] in ("WDT", "WP") or (w.low[i] == "that" and w.dep[i] in ("nsubj", "nsubjpass", "dobj")):
                clause = self._clause_of(i)
                if clause is None or w.head[clause] == i:
                    return None
                i = w.head[clause]
                continue
            if w.low[i] in COLLECTIVES and i not in w.phrase:
                members = [
                    o for p in w.children(i, "prep") if w.low[p] == "of" and p not in w.phrase for o in w.children(p, "pobj")
                ]
                if members:
                    i = members[0]
                    continue
            break
        if self.pronouns and w.low[i] in PERSONAL and w.dep[i] in ("nsubj", "nsubjpass"):
            return i
        if w.low[i] in ("one", "ones") and self.draft.objects and any(w.dep[k] in ("amod", "det") and k < i for k in w.kids[i]):
            return i
        if i in w.phrase or w.low[i] in NO_OBJECT or w.kind[i] in ("pron", "det", "adv", "prep") or self._negated(i):
            return None
        return i

    def _clause_of(self, i: int) -> int | None:
        """The verb of the relative clause that word ``i`` stands in."""
        w = self.w
        for _ in range(DEPTH):
            if w.dep[i] in ("relcl", "acl") or w.head[i] == i:
                break
            i = w.head[i]
        return i if w.dep[i] in ("relcl", "acl") else None

    def _negated(self, i: int) -> bool:
        """ "a man without a hat", "no people": what is not there is no object of the scene."""
        w = self.w
        if any(w.low[k] in NEGATIONS for k in w.kids[i] if k < i):
            return True
        head = w.head[i]
        return w.low[head] in NEGATIONS or (
            w.dep[i] in ("dobj", "attr") and any(w.low[k] in NEGATIONS for k in w.children(head, "neg"))
        )

    def _name_words(self, i: int) -> tuple[int, ...]:
        """The head word with its compound modifiers: "stop sign", "baseball player"."""
        w = self.w
        modifiers = [
            m for k in w.kids[i] if k < i and w.dep[k] in ("compound", "nmod") and self._names(k) for m in self._name_words(k)
        ]
        return (*modifiers, i)

    def _names(self, k: int) -> bool:
        return self.w.kind[k] in ("noun", "verb", "adj", "other", "num") and k not in self.w.phrase and self.w.low[k] != "-"

    # --- Subjects -----------------------------------------------------------------------------------------------------------------

    def subjects(self, v: int, depth: int = 0) -> list[int]:
        """The objects of which verb ``v`` is said."""
        w = self.w
        if depth > DEPTH or w.children(v, "neg"):
            return []
        for k in w.children(v, "nsubj", "nsubjpass", "csubj"):
            found = self.objects(k)
            if found:
                return found
            if w.kind[k] == "pron" and w.dep[v] not in ("relcl", "acl"):
                return []
        if w.children(v, "expl"):
            return [o for k in w.children(v, "attr", "nsubj", "dobj") for o in self.objects(k)]
        head = w.head[v]
        if head == v:
            return []
        if w.dep[v] in ("acl", "relcl", "amod"):
            if not self.is_nominal(head):
                return self.subjects(head, depth + 1)
            return self.objects(self._first_joined(head) if w.dep[v] == "acl" else head)
        if w.dep[v] in ("conj", "advcl", "xcomp", "acomp", "ccomp", "pcomp", "prep", "parataxis", "dep"):
            if w.kind[head] == "noun":
                return self.objects(head)
            return self.subjects(head, depth + 1)
        return []

    def _first_joined(self, i: int) -> int:
        """ "a man and a woman walking": both walk, if nothing else is said of the man."""
        w = self.w
        while w.dep[i] == "conj" and w.kind[w.head[i]] == "noun":
            above = w.head[i]
            if any(k > above and w.dep[k] not in ("cc", "conj", "punct") for k in w.kids[above]):
                break
            i = above
        return i

    # --- Relations ----------------------------------------------------------------------------------------------------------------

    def relate(self, subjects: list[int], words: tuple[int, ...], objects: list[int], source: str) -> None:
        """Every subject with every object."""
        self.draft.relations += [Relation(s, words, o, source) for s in subjects for o in objects if s != o]

    def _preposition(self, i: int) -> None:
        w = self.w
        if i in w.phrase:
            if w.phrase[i][0] == i:
                self._phrasal(i)
        elif w.dep[i] == "agent" and w.low[i] == "by" and w.tag[w.head[i]] in ("VBN", "VBD"):
            # "a bear surrounded by grass"
            verb = w.head[i]
            self.said.add(verb)
            subjects = self.subjects(verb) or (self.objects(w.head[verb]) if w.dep[verb] == "amod" else [])
            self.relate(subjects, (verb, i), self._objects_of(i), "agent")
        elif w.kind[i] == "prep" and w.dep[i] in (
            "prep",
            "agent",
            "conj",
            "dative",
            "ROOT",
            "pcomp",
            "advmod",
            "prt",
            "mark",
            "acl",
            "relcl",
            "dep",
        ):
            self._plain(i)
        elif w.dep[i] == "prep" and w.kind[i] in ("adv", "verb", "adj", "noun"):
            self._plain(i)

    def _objects_of(self, p: int) -> list[int]:
        return self._spoken_of(p) or [
            o
            for k in self.w.children(p, "pobj", "pcomp")
            if self.w.dep[k] == "pobj" or self.w.kind[k] == "noun"
            for o in self.objects(k)
        ]

    def _spoken_of(self, p: int) -> list[int]:
        """ "a man talking to the woman next to him": the man."""
        pronouns = [k for k in self.w.children(p, "pobj") if self.w.low[k] in ("him", "her", "them", "it")]
        first = self._antecedent(p) if pronouns else None
        return [] if first is None else [first]

    def _phrasal(self, i: int) -> None:
        """ "a lamp to the left of the bed": the phrase is found in the words, its object from the tree or as the next noun."""
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
        for _ in range(DEPTH):
            if governor not in span or w.head[governor] == governor:
                break
            governor = w.head[governor]
        if governor in span:
            before = [k for k in range(first) if w.kind[k] == "noun"]
            if not before:
                return
            governor = before[-1]
        self._attach(governor, tuple(span), objects, i)

    def _on_top(self, first: int, said: tuple[int, ...]) -> None:
        """ "a pole with a sign on top": the sign is on top of the pole."""
        w = self.w
        having = [r for r in self.draft.relations if r.words and w.low[r.words[0]] in HAVING and r.subject < r.object < first]
        if having:
            held = max(having, key=lambda r: r.object)
            self.draft.relations.remove(held)
            self.relate([held.object], said, [held.subject], "back")

    def _next_noun(self, i: int) -> list[int]:
        """The head of the noun phrase that begins at ``i``."""
        w = self.w
        for k in range(i, len(w)):
            if w.kind[k] == "noun":
                while w.dep[k] in ("compound", "poss", "nmod") and w.head[k] > k:
                    k = w.head[k]
                return [k]
            if w.kind[k] in ("verb", "be"):
                break
        return []

    def _back_reference(self, p: int) -> bool:
        """ "a post with a clock on it", "a bowl that has fruit in it": the clock is on the post."""
        w = self.w
        if not any(w.low[k] in ("it", "them", "him", "her") for k in w.children(p, "pobj")):
            return False
        having = [
            r for r in self.draft.relations if r.words and w.low[r.words[0]] in HAVING and r.object < p and r.subject < r.words[0]
        ]
        if not having:
            return False
        last = max(r.object for r in having)
        verb = tuple(k for k in range(last + 1, p) if w.tag[k] in ("VBG", "VBN"))[-1:]
        for r in [r for r in having if r.object == last]:
            self.draft.relations.remove(r)
            self.relate([last], (*verb, p), [r.subject], "back")
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
            return  # said with the preposition above it
        if objects and above != p:
            self._attach(above, said, objects, p)

    def _attach(self, governor: int, said: tuple[int, ...], objects: list[int], p: int) -> None:
        """Relate what ``governor`` speaks of to ``objects`` by the preposition ``said``."""
        w = self.w
        for _ in range(DEPTH):
            # "on the table and under the lamp": joined prepositions have one governor
            if w.kind[governor] != "prep" or w.head[governor] == governor:
                break
            governor = w.head[governor]
        kind = w.kind[governor]
        if kind == "be":
            self.relate(self.subjects(governor), said, objects, "preposition")
        elif kind == "verb" and w.dep[governor] != "compound" and not self.is_nominal(governor):
            self._attach_to_verb(governor, said, objects)
        elif kind in ("adj", "adv"):
            self._attach_to_adjective(governor, said, objects)
        elif self.is_nominal(governor) or kind == "num":
            if w.low[said[0]] == "of" and w.low[governor] in COLLECTIVES:
                return
            self.relate(self.objects(governor), said, objects, "of" if w.low[said[0]] == "of" else "preposition")

    def _attach_to_verb(self, verb: int, said: tuple[int, ...], objects: list[int]) -> None:
        w = self.w
        subjects = self.subjects(verb)
        things = w.children(verb, "dobj")
        if things:
            # "a man holding a bat in his hand": the bat is in the hand; "a man flying a kite on a beach": the man is on the beach
            inner = w.low[said[0]] == "of" or w.low[verb] in ("has", "have", "had", "having")
            inner = inner or (w.low[said[0]] == "in" and any(w.low[o] in ("hand", "hands", "mouth") for o in objects))
            self.relate(self.objects(things[0]) if inner else subjects, said, objects, "preposition")
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
        if w.kind[governor] == "adj":
            self.said.add(governor)
        self.relate(subjects, words, objects, "verb")

    def _verb_words(self, verb: int, said: tuple[int, ...] = ()) -> tuple[int, ...]:
        """The verb with its particle: "take off", "lie down"."""
        particles = [k for k in self.w.children(verb, "prt") if k not in said and k not in self.w.phrase]
        return (verb, *particles[:1])

    # --- Clauses ------------------------------------------------------------------------------------------------------------------

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
        """ "the bench that the man is sitting on"."""
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
        """ "the dog is black", "the wall is brick", "the light is on"."""
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
            if w.dep[k] == "acomp" and k not in self.said:
                for a in self.conjuncts(k):
                    self._describe(subjects, a, "copula")
            elif w.dep[k] == "attr" and not any(w.dep[s] == "nsubj" and w.kind[s] in ("pron", "det") for s in w.kids[v]):
                for c in self.conjuncts(k):
                    if c not in subjects and c in self.draft.objects:
                        name = self.draft.objects.pop(c)
                        self.draft.attributes += [Attribute(s, name, "copula noun") for s in subjects]
            elif plain and w.low[k] in PLACE_ADVERBS and w.dep[k] in ("advmod", "prep", "prt") and k not in w.phrase:
                self._describe(subjects, k, "place")

    def _stranded_copula(self, v: int) -> bool:
        """ "the grass that the bench is on"."""
        w = self.w
        stranded = [k for k in w.children(v, "prep", "advmod", "prt") if w.kind[k] == "prep" and not w.kids[k] and k > v]
        subjects = [o for k in w.children(v, "nsubj") if w.kind[k] == "noun" for o in self.objects(k)]
        if not stranded or not subjects or not self.is_nominal(w.head[v]) or w.head[v] > v:
            return False
        self.relate(subjects, (stranded[0],), self.objects(w.head[v]), "relative")
        return True

    def _intransitive(self, v: int) -> None:
        """ "the boy is skating", "a train parked", "the sky looks cloudy"."""
        w = self.w
        subjects = self.subjects(v)
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

    # --- Modifiers ----------------------------------------------------------------------------------------------------------------

    def _modifier(self, i: int) -> None:
        w = self.w
        dep, head = w.dep[i], w.head[i]
        if dep == "amod" or (dep == "acl" and w.kind[i] == "adj"):
            if i not in self.said and w.low[i] not in NOT_ATTRIBUTES and head not in w.phrase:
                for a in self.conjuncts(i):
                    if a not in self.said:
                        self._describe(self._owners(head), a, "adjective")
        elif dep == "nummod" or (w.low[i] == "both" and dep in ("det", "predet", "preconj")):
            if w.low[i] not in ("one", "1"):
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

    def _antecedent(self, i: int) -> int | None:
        """What a pronoun at ``i`` speaks of: the first object of the caption."""
        before = [o for o in self.draft.objects if o < i]
        return min(before, default=None)

    def _owners(self, head: int) -> list[int]:
        w = self.w
        while w.dep[head] in ("compound", "nmod", "amod", "nummod") and w.head[head] > head and w.kind[w.head[head]] == "noun":
            head = w.head[head]
        if not self.is_nominal(head):
            return []
        meant = self._meant(head)
        if meant is None:
            return []
        self.draft.objects.setdefault(meant, self._name_words(meant))
        return [meant]

    def _describe(self, owners: list[int], a: int, source: str) -> None:
        """Attribute ``a`` with its hyphenated or shade prefix: "short-sleeved", "dark green"."""
        w = self.w
        if w.children(a, "neg") or w.low[a] in NOT_ATTRIBUTES:
            return
        if self._shade_of(a + 1, a):
            return  # said with the color that follows
        first = a
        if a and (self._shade_of(a, a - 1) or (w.head[a - 1] == a and w.dep[a - 1] in ("npadvmod", "compound"))):
            first = a - 1
        self.draft.attributes += [Attribute(o, tuple(range(first, a + 1)), source) for o in owners]

    def _shade_of(self, a: int, shade: int) -> bool:
        """ "dark green", "orange colored", "long sleeved": two words, one attribute."""
        w = self.w
        if a >= len(w) or w.dep[a] in ("compound", "nmod"):
            return False
        if w.low[a] in COLORS or w.low[a] == "cloudy":
            return w.low[shade] in SHADES
        return w.low[a] in ("colored", "coloured", "shaped", "sleeved", "haired", "like") and w.kind[shade] in (
            "adj",
            "noun",
            "num",
        )
