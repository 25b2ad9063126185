"""The choices that annotators make and grammar does not: the decisions about each word, and their features.

A decision is about an object's name ("guy": or person?), one modifier of a name ("stop" in "stop sign": part of the name, or an
attribute?), one attribute ("hot" in "hot dog") or one relation ("of", "in", "with"). Its features are words, their tags, WordNet's
kinds of them, and the tree around them; never positions.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from stages.parsing.draft import Attribute, Draft, Relation
from stages.parsing.words import Words
from stages.text import normal
from stages.text.lexnames import lexname

Target = int | tuple[int, int] | Attribute | Relation
Circumstances = tuple[Any, ...]


class Decision(NamedTuple):
    """``kind`` is object, modifier, attribute or relation, ``target`` the element, ``key`` its words."""

    kind: str
    target: Target
    key: str
    draft: Draft

    def circumstances(self) -> Circumstances:
        """Return the context of a decision in the caption: it repeats in many captions, so that answers can be cached."""
        return _KINDS[self.kind][0](self.draft, self.target)


def features(kind: str, key: str, circumstances: Circumstances) -> list[str]:
    """Return the features: the ``circumstances`` of a decision, alone and combined."""
    return [f"{kind[0]}:{feature}" for feature in _KINDS[kind][1](key, *circumstances)]


def decisions(draft: Draft) -> Iterator[Decision]:
    """Yield every decision about ``draft``."""
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
    """Return other possible subjects of ``r``: ``up``, the object its subject is related to; ``down``, the preceding noun."""
    found: dict[str, int] = {}
    if r.words and len(draft.relations) > 1:
        above = [q.subject for q in draft.relations if q is not r and q.object == r.subject and q.subject != r.object]
        if above:
            found["up"] = above[0]
        before = [q.object for q in draft.relations if q is not r and q.subject == r.subject and r.subject < q.object < r.words[0]]
        before = [i for i in before if i != r.object]
        if before:
            found["down"] = max(before)
    return found


# --- Of an object: its determining word ----


def _of_object(draft: Draft, head: int) -> Circumstances:
    return (_determiner(draft.words, head),)


def _object(name: str, determiner: str) -> list[str]:
    return [f"w={name}", f"d={determiner} w={name}"]


# --- Of a modifier: its tag and determiner, the word after it, and the noun, with the number of words in the name ----


def _of_modifier(draft: Draft, target: tuple[int, int]) -> Circumstances:
    w, (head, m) = draft.words, target
    return w.tag[m], _determiner(w, m), w.low[m + 1], normal.singular(w.low[head]), len(draft.objects[head])


def _modifier(word: str, tag: str, determiner: str, following: str, noun: str, n: int) -> list[str]:
    cw, ch = lexname(word), lexname(noun)
    return [
        *(f"w={word}", f"w={word} h={noun}", f"w={word} f={following}", f"w={word} n={n}", f"w={word} ch={ch}"),
        *(f"h={noun}", f"t={tag}", f"t={tag} h={noun}", f"n={n}", f"d={determiner}", f"s={word[-3:]}"),
        *(f"cw={cw}", f"ch={ch}", f"cw={cw} h={noun}", f"cw={cw} ch={ch}"),
    ]


# --- Of an attribute: where it comes from, its tag, the noun and what lies between them, and the noun's relations, up to 2 ----


def _of_attribute(draft: Draft, a: Attribute) -> Circumstances:
    w, last = draft.words, a.words[-1]
    related = min(2, sum(r.subject == a.owner for r in draft.relations))
    gap = ".".join(w.tag[last + 1 : a.owner][:3])
    return a.source, w.tag[a.words[0]], normal.singular(w.low[a.owner]), int(last + 1 == a.owner), gap, related


def _attribute(word: str, x: str, tag: str, noun: str, adjacent: int, gap: str, related: int) -> list[str]:
    ch = lexname(noun)
    return [
        *(f"w={word}", f"w={word} h={noun}", f"w={word} ch={ch}", f"w={word} s={x}", f"w={word} b={adjacent}"),
        *(f"r={related} w={word}", f"h={noun}", f"s={x}", f"s={x} h={noun}", f"s={x} ch={ch}", f"t={tag} s={x}"),
        *(f"e={word[-3:]} s={x}", f"b={adjacent}", f"r={related} s={x}", f"g={gap} s={x}"),
    ]


# --- Of a relation: where it comes from and its words, its two nouns, and what else is related to them ----


def _of_relation(draft: Draft, r: Relation) -> Circumstances:
    w = draft.words
    nouns = normal.singular(w.low[r.subject]), normal.singular(w.low[r.object])
    others = tuple((way, normal.singular(w.low[i])) for way, i in alternatives(draft, r).items())
    tags = f"{w.tag[r.subject]} {w.tag[r.object]}", w.tag[r.words[0]] if r.words else ""
    return r.source, tuple([w.low[i] for i in r.words]), *nouns, *tags, _determiner(w, r.object), _others(draft, r), others


def _relation(
    name: str,
    x: str,
    said: tuple[str, ...],
    s: str,
    o: str,
    tags: str,
    first: str,
    determiner: str,
    related: str,
    alternatives: tuple[tuple[str, str], ...],
) -> list[str]:
    cs, co = lexname(s), lexname(o)
    last = said[-1] if said else ""
    found = [
        *(f"r={name}", f"r={name} s={s}", f"r={name} o={o}", f"r={name} s={s} o={o}", f"r={name} cs={cs}", f"r={name} co={co}"),
        *(f"r={name} cs={cs} co={co}", f"r={name} s={s} co={co}", f"r={name} o={o} cs={cs}", f"k={related} r={name}"),
        *(f"d={determiner} r={name}", f"p={tags} r={name}"),
        *(f"x={x}", f"x={x} s={s}", f"x={x} o={o}", f"x={x} s={s} o={o}", f"cs={cs} co={co} x={x}", f"k={related} x={x}"),
        *(f"l={last} o={o}", f"l={last} s={s}", f"t={first} l={last}", f"s={s} o={o}", f"q={' '.join(said)}"),
    ]
    for way, other in alternatives:
        found += [way, f"{way}={other} l={last}", f"{way}={other} o={o}", f"{way}={other} s={s}", f"{way} l={last} o={o}"]
        found += [f"{way} l={last} s={s}", f"{way} x={x} t={first} l={last}"]
    return found


_KINDS: dict[str, tuple[Callable[[Draft, Any], Circumstances], Callable[..., list[str]]]] = {
    "object": (_of_object, _object),
    "modifier": (_of_modifier, _modifier),
    "attribute": (_of_attribute, _attribute),
    "relation": (_of_relation, _relation),
}
"""For each kind of decision, the functions that find its circumstances and make features of them."""


def _determiner(w: Words, i: int) -> str:
    return next((w.low[k] for k in w.kids[i] if w.dep[k] in ("det", "poss", "nummod")), "-")


def _others(draft: Draft, r: Relation) -> str:
    """Return the numbers of other relations of the subject and of the object."""
    subject = sum(r.subject in (q.subject, q.object) for q in draft.relations) - 1
    objects = sum(r.object in (q.subject, q.object) for q in draft.relations) - 1
    return f"{min(2, subject)}{min(2, objects)}"
