"""The choices that annotators make and grammar does not: what is asked of each word, and what the answer may hang on.

A decision is about one modifier of a name ("stop" in "stop sign": part of the name, or an attribute?), one attribute ("hot" in "hot
dog") or one relation ("of", "in", "with"). Its features are words and labels of the tree around it, never positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from stages.language import normal
from stages.language.extraction import Attribute, Draft, Relation
from stages.language.wordnet import wordnet
from stages.language.words import Words


class Decision(NamedTuple):
    """``kind`` is object, modifier, attribute or relation, ``target`` what it is about, ``key`` the word or words that it is about."""

    kind: str
    target: int | tuple[int, int] | Attribute | Relation
    key: str
    features: tuple[str, ...]


def decisions(draft: Draft) -> Iterator[Decision]:
    """Every decision to be made about ``draft``."""
    for head, name in draft.objects.items():
        yield _object(draft, head)
        for m in name[:-1]:
            yield _modifier(draft, head, m)
    for attribute in draft.attributes:
        yield _attribute(draft, attribute)
    for relation in draft.relations:
        yield _relation(draft, relation)


def _object(draft: Draft, head: int) -> Decision:
    w = draft.words
    name = " ".join(w.low[i] for i in draft.objects[head])
    return Decision("object", head, name, (f"w={name}", f"d={_determiner(w, head)} w={name}"))


def alternatives(draft: Draft, r: Relation) -> dict[str, int]:
    """Other subjects that ``r`` may have: ``up``, what its subject is related to; ``down``, the noun just before its words."""
    found = {}
    above = [q.subject for q in draft.relations if q is not r and q.object == r.subject and q.subject != r.object]
    if above and r.words:
        found["up"] = above[0]
    if r.words:
        before = [q.object for q in draft.relations if q is not r and q.subject == r.subject and r.subject < q.object < r.words[0]]
        before = [i for i in before if i != r.object]
        if before:
            found["down"] = max(before)
    return found


def _modifier(draft: Draft, head: int, m: int) -> Decision:
    w = draft.words
    word, noun = w.low[m], normal.singular(w.low[head])
    following = w.low[m + 1] if m + 1 < len(w) else ""
    features = (
        f"w={word}", f"h={noun}", f"w={word} h={noun}", f"t={w.tag[m]}", f"n={len(draft.objects[head])}", f"w={word} f={following}",
        f"t={w.tag[m]} h={noun}", f"w={word} n={len(draft.objects[head])}", f"d={_determiner(w, m)}", f"s={word[-3:]}",
        f"cw={sort(word)} h={noun}", f"w={word} ch={sort(noun)}", f"cw={sort(word)} ch={sort(noun)}", f"ch={sort(noun)}",
        f"cw={sort(word)}",
    )  # fmt: skip
    return Decision("modifier", (head, m), word, features)


def _attribute(draft: Draft, a: Attribute) -> Decision:
    w = draft.words
    word = " ".join(w.low[i] for i in a.words)
    noun = normal.singular(w.low[a.owner]) if a.owner < len(w) else ""
    last = a.words[-1]
    beside = int(last + 1 == a.owner)
    features = (
        f"w={word}", f"h={noun}", f"w={word} h={noun}", f"s={a.source}", f"w={word} s={a.source}", f"t={w.tag[a.words[0]]} s={a.source}",
        f"w={word} ch={sort(noun)}", f"s={a.source} ch={sort(noun)}", f"s={a.source} h={noun}", f"b={beside}", f"w={word} b={beside}", f"e={word[-3:]} s={a.source}",
        f"r={_has_relation(draft, a.owner)} s={a.source}", f"r={_has_relation(draft, a.owner)} w={word}",
        f"g={'.'.join(w.tag[last + 1 : a.owner][:3])} s={a.source}",
    )  # fmt: skip
    return Decision("attribute", a, word, features)


def _relation(draft: Draft, r: Relation) -> Decision:
    w = draft.words
    said = " ".join(w.low[i] for i in r.words)
    name = normal.relation(said)
    s, o = normal.singular(w.low[r.subject]), normal.singular(w.low[r.object])
    last = w.low[r.words[-1]] if r.words else ""
    tag = w.tag[r.words[0]] if r.words else ""
    own = "pos" if r.source == "possessive" else r.source
    features = (
        f"r={name}", f"r={name} s={s}", f"r={name} o={o}", f"r={name} s={s} o={o}", f"x={own}", f"l={last} o={o}", f"l={last} s={s}",
        f"x={own} s={s}", f"x={own} o={o}", f"x={own} s={s} o={o}", f"t={tag} l={last}", f"s={s} o={o}", f"q={said}",
        f"r={name} cs={sort(s)}", f"r={name} co={sort(o)}", f"r={name} cs={sort(s)} co={sort(o)}", f"cs={sort(s)} co={sort(o)} x={own}",
        f"r={name} s={s} co={sort(o)}", f"r={name} o={o} cs={sort(s)}", f"d={_determiner(w, r.object)} r={name}", f"p={w.tag[r.subject]} {w.tag[r.object]} r={name}", f"k={_others(draft, r)} x={own}",
        f"k={_others(draft, r)} r={name}", *_alternative_features(draft, r, last, o, s),
    )  # fmt: skip
    return Decision("relation", r, name if r.source != "possessive" else "'s", features)


def _alternative_features(draft: Draft, r: Relation, last: str, o: str, s: str) -> list[str]:
    w = draft.words
    features = []
    for way, i in alternatives(draft, r).items():
        other = normal.singular(w.low[i])
        features += [f"{way}", f"{way}={other} l={last}", f"{way}={other} o={o}", f"{way} l={last} o={o}", f"{way} l={last} s={s}"]
        features += [f"{way}={other} s={s}", f"{way} x={r.source} t={w.tag[r.words[0]]} l={last}"]
    return features


@lru_cache(1 << 16)
def sort(noun: str) -> str:
    """WordNet's sort of thing: "artifact", "person", "body"; "-" for a word that it has not as a noun."""
    synsets = wordnet().synsets(noun, "n")
    return synsets[0].lexname()[5:] if synsets else "-"


def _determiner(w: Words, i: int) -> str:
    return next((w.low[k] for k in w.kids[i] if w.dep[k] in ("det", "poss", "nummod")), "-")


def _has_relation(draft: Draft, head: int) -> int:
    return min(2, sum(r.subject == head for r in draft.relations))


def _others(draft: Draft, r: Relation) -> str:
    """How many other relations the subject and the object have."""
    subject = sum(q.subject == r.subject or q.object == r.subject for q in draft.relations) - 1
    objects = sum(q.subject == r.object or q.object == r.object for q in draft.relations) - 1
    return f"{min(2, subject)}{min(2, objects)}"
