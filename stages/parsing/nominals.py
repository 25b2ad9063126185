"""The objects that a caption's nouns stand for, and the subjects of its verbs."""

from collections.abc import Iterator

from stages.parsing.draft import Draft
from stages.parsing.fixes import ANIMATE, OWNED
from stages.parsing.rule_words import (
    CARRYING,
    COLLECTIVES,
    COLORS,
    DEPICTIONS,
    NEGATIONS,
    NO_OBJECT,
    OF_THINGS,
    PERSONAL,
    SAYS_NOTHING,
    SHADES,
)
from stages.parsing.words import FINITE, Words
from stages.text.lexnames import lexname

PILE = 3  # more nouns than this before a noun are a seller's keywords, not a name
DEPTH = 8  # no caption nests its clauses deeper; a limit, because "which" may stand for the group that it is of


class Nominals:
    """The objects of a caption, made on first mention, and the subjects of its verbs."""

    def __init__(self, words: Words, pronouns: bool):
        self.w = words
        self.pronouns = pronouns
        self.draft = Draft(words)
        self.said: set[int] = set()  # verbs and adjectives that have become part of a relation
        self.same: dict[int, list[int]] = {}  # "the sink is white color": the color is not another thing

    def is_nominal(self, i: int) -> bool:
        w = self.w
        return w.kind[i] == "noun" or (w.dep[i] in ("pobj", "dobj", "nsubj", "nsubjpass") and w.kind[i] in ("verb", "adj", "other"))

    def conjuncts(self, i: int) -> Iterator[int]:
        """Return ``i`` and the words joined to it: "a fork, a knife and a spoon"."""
        yield i
        for k in self.w.children(i, "conj"):
            if self.w.kind[k] not in ("verb", "be", "prep") or self.w.dep[k] != "conj":
                yield from self.conjuncts(k)

    def objects(self, i: int) -> list[int]:
        """Return the objects that nominal ``i`` and its conjuncts stand for, made on first mention."""
        heads = []
        for c in self.conjuncts(i):
            meant = self._meant(c)
            if meant is not None:
                heads += [meant] if meant == c else [m for d in self.conjuncts(meant) if (m := self._meant(d)) is not None]
        for i in heads:
            if i not in self.draft.objects:
                if self.w.low[i] in ("one", "ones"):
                    # "a small tree next to a large one"
                    self.draft.another[i] = min(self.draft.objects)
                self.draft.objects[i] = self._name_words(i)
        return heads

    def _meant(self, i: int) -> int | None:
        """Return the noun that ``i`` stands for: a group of people is people, a relative pronoun its antecedent."""
        w = self.w
        for _ in range(DEPTH):
            if w.tag[i] in ("WDT", "WP") or (w.low[i] == "that" and w.dep[i] in ("nsubj", "nsubjpass", "dobj")):
                clause = self._clause_of(i)
                if clause is None or w.head[clause] == i:
                    return None
                i = self._depicted(w.head[clause], clause)
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
        """Return the verb of the relative clause around word ``i``."""
        w = self.w
        while w.dep[i] not in ("relcl", "acl") and w.head[i] != i:
            i = w.head[i]
        return i if w.dep[i] in ("relcl", "acl") else None

    def _negated(self, i: int) -> bool:
        """Return whether the object is absent, as in "a man without a hat", "no people"."""
        w = self.w
        if any(w.low[k] in NEGATIONS for k in w.kids[i] if k < i):
            return True
        head = w.head[i]
        return w.low[head] in NEGATIONS or (
            w.dep[i] in ("dobj", "attr") and any(w.low[k] in NEGATIONS for k in w.children(head, "neg"))
        )

    def _name_words(self, i: int) -> tuple[int, ...]:
        """Return the head word with its compound modifiers: "stop sign", "baseball player"."""
        w = self.w
        modifiers = [
            m
            for k in w.kids[i]
            if k < i and w.dep[k] in ("compound", "nmod") and self._names(k) and not w.children(k, "nummod")
            for m in self._name_words(k)
        ]
        # "welsh corgi angel dog christmas ornament figurine": only the last two words of such a pile are reliably a name
        return (*(modifiers[-1:] if len(modifiers) >= PILE else modifiers), i)

    def _names(self, k: int) -> bool:
        w = self.w
        if w.low[k] == "-" or k in w.phrase or w.kind[k] not in ("noun", "verb", "adj", "other", "num"):
            return False
        shade = w.low[k] in SHADES and w.low[k + 1] in COLORS
        return w.low[k] != "looking" and not shade and not self._shade_of(k + 1, k) and not self._says_how(k)

    def _shade_of(self, a: int, shade: int) -> bool:
        """Return the shade before a color or participle, as in "dark green", "orange colored", "long sleeved": one attribute."""
        w = self.w
        if a >= len(w) or w.dep[a] in ("compound", "nmod"):
            return False
        if w.low[a] in COLORS or w.low[a] == "cloudy":
            return w.low[shade] in SHADES
        goes_with_a_noun = w.low[a] in ("colored", "coloured", "shaped", "sleeved", "haired", "like")
        return goes_with_a_noun and w.kind[shade] in ("adj", "noun", "num")

    def _says_how(self, k: int) -> bool:
        """Return whether the noun belongs to a participle and not to the thing, as in "an algae covered chain"."""
        w = self.w
        adjacent = (
            k + 1 < len(w)
            and w.kind[k] == "noun"
            and w.low[k] not in COLORS
            and w.dep[k + 1] == "amod"
            and w.head[k + 1] == w.head[k]
            and w.low[k + 1].endswith("ed")
        )
        return adjacent and w.tag[k + 1] in ("VBN", "VBD")

    def subjects(self, v: int) -> list[int]:
        """Return the subjects of verb ``v`` as objects."""
        w = self.w
        if w.children(v, "neg"):
            return []
        auxiliaries = w.children(v, "aux", "auxpass")
        statement = auxiliaries or w.tag[v] not in ("VBG", "VBN")
        for k in [k for one in (v, *auxiliaries) for k in w.children(one, "nsubj", "nsubjpass", "csubj")]:
            found = self.objects(k if statement else self._depicted(k, v))
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
                return self.subjects(head)
            carrier = self._carrier(head, v)
            if carrier is not None:
                return self.objects(carrier) if w.kind[carrier] == "noun" else self.subjects(carrier)
            head = self._depicted(head, v)
            found = self.objects(self._first_joined(head) if w.dep[v] == "acl" else head)
            # "a man walking, and a dog": a noun joined after the verb does not walk
            return [o for o in found if o < v] or found
        if w.dep[v] in ("conj", "advcl", "xcomp", "acomp", "ccomp", "pcomp", "prep", "parataxis", "dep"):
            if w.kind[head] == "noun":
                return self.objects(head)
            return self.subjects(head)
        return []

    def _carrier(self, i: int, v: int) -> int | None:
        """Return who or what has noun ``i``, as in "a boy wearing a cap walking home", "a boy with a cap walking": no cap walks.

        It is a noun, or the verb of which it is the subject.
        """
        w = self.w
        if w.dep[v] != "acl" or w.children(v, "aux", "mark"):
            return None
        first = self._first_joined(i)
        above = w.head[first]
        walks = w.tag[v] == "VBG" and w.low[v] not in SAYS_NOTHING
        if w.dep[first] == "dobj" and w.kind[above] == "verb":
            return above if (walks and w.low[above] in CARRYING) or (w.tag[v] in FINITE and first == i) else None
        owner = w.head[above]
        carried = w.dep[first] == "pobj" and w.low[above] == "with" and lexname(w.low[i]) in OWNED
        owned = carried and w.kind[owner] == "noun" and lexname(w.low[owner]) in ANIMATE
        return owner if owned and walks and w.low[v] not in OF_THINGS else None

    def _depicted(self, i: int, v: int) -> int:
        """Return the depicted objects as subjects, as in "a photo of a boy running"."""
        w = self.w
        if w.low[i] in DEPICTIONS:
            for p in w.children(i, "prep"):
                shown = [k for k in w.children(p, "pobj") if w.low[p] == "of" and k < v]
                if shown:
                    return shown[0]
        return i

    def _first_joined(self, i: int) -> int:
        """Return all joined subjects, as in "a man and a woman walking", if nothing else is said of the first."""
        w = self.w
        while w.dep[i] == "conj" and w.kind[w.head[i]] == "noun":
            above = w.head[i]
            if any(k > above and w.dep[k] not in ("cc", "conj", "punct") for k in w.kids[above]):
                break
            i = above
        return i

    def _antecedent(self, i: int) -> int | None:
        """Return the antecedent of a pronoun at ``i``: the first object of the caption."""
        before = [o for o in self.draft.objects if o < i]
        return min(before, default=None)
