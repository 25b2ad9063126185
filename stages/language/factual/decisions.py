"""The choices that annotators make and grammar does not: what is asked of each word, and what the answer may hang on.

A decision is about an object's name ("guy": or person?), one modifier of a name ("stop" in "stop sign": part of the name, or an
attribute?), one attribute ("hot" in "hot dog") or one relation ("of", "in", "with"). Its features are words, their tags, WordNet's
sorts of them, and the tree around them; never positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from stages.language import normal
from stages.language.draft import Attribute, Draft, Relation
from stages.language.wordnet import wordnet
from stages.language.words import Words

Target = int | tuple[int, int] | Attribute | Relation


class Decision(NamedTuple):
    """``kind`` is object, modifier, attribute or relation, ``target`` what it is about, ``key`` the words that it is about."""

    kind: str
    target: Target
    key: str
    draft: Draft

    def features(self) -> list[str]:
        """What the answer may hang on."""
        found = _FEATURES[self.kind](self.draft, self.target, self.key)
        return [f"{self.kind[0]}:{feature}" for feature in found]


def decisions(draft: Draft) -> Iterator[Decision]:
    """Every decision to be made about ``draft``."""
    low = draft.words.low
    for head, name in draft.objects.items():
        yield Decision("object", head, " ".join([low[i] for i in name]), draft)
        for m in name[:-1]:
            yield Decision("modifier", (head, m), low[m], draft)
    for attribute in draft.attributes:
        yield Decision("attribute", attribute, " ".join([low[i] for i in attribute.words]), draft)
    for relation in draft.relations:
        said = " ".join([low[i] for i in relation.words])
        yield Decision("relation", relation, "'s" if relation.source == "possessive" else normal.relation(said), draft)


def alternatives(draft: Draft, r: Relation) -> dict[str, int]:
    """Other subjects that ``r`` may have: ``up``, what its subject is related to; ``down``, the noun just before its words."""
    found = {}
    if r.words:
        above = [q.subject for q in draft.relations if q is not r and q.object == r.subject and q.subject != r.object]
        if above:
            found["up"] = above[0]
        before = [q.object for q in draft.relations if q is not r and q.subject == r.subject and r.subject < q.object < r.words[0]]
        before = [i for i in before if i != r.object]
        if before:
            found["down"] = max(before)
    return found


def _object(draft: Draft, head: int, name: str) -> list[str]:
    return [f"w={name}", f"d={_determiner(draft.words, head)} w={name}"]


def _modifier(draft: Draft, target: tuple[int, int], word: str) -> list[str]:
    w, (head, m) = draft.words, target
    noun, tag, n = normal.singular(w.low[head]), w.tag[m], len(draft.objects[head])
    cw, ch = sort(word), sort(noun)
    return [
        *(f"w={word}", f"w={word} h={noun}", f"w={word} f={w.low[m + 1]}", f"w={word} n={n}", f"w={word} ch={ch}"),
        *(f"h={noun}", f"t={tag}", f"t={tag} h={noun}", f"n={n}", f"d={_determiner(w, m)}", f"s={word[-3:]}"),
        *(f"cw={cw}", f"ch={ch}", f"cw={cw} h={noun}", f"cw={cw} ch={ch}"),
    ]


def _attribute(draft: Draft, a: Attribute, word: str) -> list[str]:
    w, x, last = draft.words, a.source, a.words[-1]
    noun, tag, beside = normal.singular(w.low[a.owner]), w.tag[a.words[0]], int(last + 1 == a.owner)
    ch, related = sort(noun), min(2, sum(r.subject == a.owner for r in draft.relations))
    return [
        *(
            f"w={word}",
            f"w={word} h={noun}",
            f"w={word} ch={ch}",
            f"w={word} s={x}",
            f"w={word} b={beside}",
            f"r={related} w={word}",
        ),
        *(f"h={noun}", f"s={x}", f"s={x} h={noun}", f"s={x} ch={ch}", f"t={tag} s={x}", f"e={word[-3:]} s={x}", f"b={beside}"),
        *(f"r={related} s={x}", f"g={'.'.join(w.tag[last + 1 : a.owner][:3])} s={x}"),
    ]


def _relation(draft: Draft, r: Relation, name: str) -> list[str]:
    w, x = draft.words, r.source
    s, o = normal.singular(w.low[r.subject]), normal.singular(w.low[r.object])
    cs, co = sort(s), sort(o)
    first, last = (w.tag[r.words[0]], w.low[r.words[-1]]) if r.words else ("", "")
    others = _others(draft, r)
    found = [
        *(f"r={name}", f"r={name} s={s}", f"r={name} o={o}", f"r={name} s={s} o={o}", f"r={name} cs={cs}", f"r={name} co={co}"),
        *(f"r={name} cs={cs} co={co}", f"r={name} s={s} co={co}", f"r={name} o={o} cs={cs}", f"k={others} r={name}"),
        *(f"d={_determiner(w, r.object)} r={name}", f"p={w.tag[r.subject]} {w.tag[r.object]} r={name}"),
        *(f"x={x}", f"x={x} s={s}", f"x={x} o={o}", f"x={x} s={s} o={o}", f"cs={cs} co={co} x={x}", f"k={others} x={x}"),
        *(
            f"l={last} o={o}",
            f"l={last} s={s}",
            f"t={first} l={last}",
            f"s={s} o={o}",
            f"q={' '.join([w.low[i] for i in r.words])}",
        ),
    ]
    for way, i in alternatives(draft, r).items():
        other = normal.singular(w.low[i])
        found += [way, f"{way}={other} l={last}", f"{way}={other} o={o}", f"{way}={other} s={s}", f"{way} l={last} o={o}"]
        found += [f"{way} l={last} s={s}", f"{way} x={x} t={first} l={last}"]
    return found


_FEATURES: dict[str, Callable[[Draft, Any, str], list[str]]] = {
    "object": _object,
    "modifier": _modifier,
    "attribute": _attribute,
    "relation": _relation,
}


@lru_cache(1 << 16)
def sort(noun: str) -> str:
    """WordNet's sort of thing: "artifact", "person", "body"; "-" for a word that it has not as a noun."""
    synsets = wordnet().synsets(noun, "n")
    return synsets[0].lexname()[5:] if synsets else "-"


def _determiner(w: Words, i: int) -> str:
    return next((w.low[k] for k in w.kids[i] if w.dep[k] in ("det", "poss", "nummod")), "-")


def _others(draft: Draft, r: Relation) -> str:
    """How many other relations the subject and the object have."""
    subject = sum(r.subject in (q.subject, q.object) for q in draft.relations) - 1
    objects = sum(r.object in (q.subject, q.object) for q in draft.relations) - 1
    return f"{min(2, subject)}{min(2, objects)}"
