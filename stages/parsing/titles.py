"""Titles: those that name nothing which a picture shows, and what they add to the name of what it does show."""

from __future__ import annotations

from functools import lru_cache

from stages.language import normal
from stages.language.caption_words import caption_words
from stages.language.lexnames import sort
from stages.parsing.draft import Attribute, Draft
from stages.parsing.rule_words import ABSTRACT, COLORS, DEPICTIONS, PHOTOS, SHOWN

COMMON = 100
"""How often captions have a noun which they would not have if no picture showed it: "game", "race"."""


def without_abstractions(draft: Draft, title: bool) -> Draft:
    """The draft without sentences of which no picture can be: that name nothing but abstractions, or titles of one.

    "Work Hard. Play Hard", "The Importance of Healthy Eating for Children", but not "football match on a field".
    """
    w = draft.words
    parts: dict[int, list[int]] = {}
    for head in draft.objects:
        parts.setdefault(w.root(head), []).append(head)
    gone = set()
    for root, heads in parts.items():
        titled = title and w.kind[root] == "noun" and all(abstract(w.low[i]) for i in draft.objects.get(root, (root,)))
        if titled or all(abstract(w.low[i]) for head in heads for i in draft.objects[head]):
            gone.update(heads)
    if not gone:
        return draft
    draft.objects = {head: name for head, name in draft.objects.items() if head not in gone}
    draft.attributes = [a for a in draft.attributes if a.owner not in gone]
    draft.relations = [r for r in draft.relations if r.subject not in gone and r.object not in gone]
    return draft


@lru_cache(1 << 16)
def abstract(noun: str) -> bool:
    """Whether the noun names what no picture shows, by WordNet's sort of its first sense, and captions seldom have it.

    >>> [abstract(noun) for noun in ("importance", "game", "bowls")]
    [True, False, False]
    """
    if sort(noun) not in ABSTRACT or noun in SHOWN:
        return False
    counts = caption_words()
    return max(counts.get(noun, 0), counts.get(normal.singular(noun), 0)) < COMMON


def bare(draft: Draft) -> Draft:
    """The draft with names that end with the thing: "couple vector" is a couple, "robot kit gray" a robot kit that is gray."""
    low = draft.words.low
    for head, name in draft.objects.items():
        last, rest = low[name[-1]], name[:-1]
        if not rest or low[rest[-1]] in DEPICTIONS or low[rest[-1]] in COLORS:
            continue
        if last in COLORS:
            draft.attributes.append(Attribute(head, name[-1:], "after"))
        if last in COLORS or last in PHOTOS:
            draft.objects[head] = rest
    return draft
