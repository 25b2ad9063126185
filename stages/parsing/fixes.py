"""Fixes of two patterns that dependency parsers misread: a color that a participle gives, and a list after a preposition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stages.parsing.rule_words import COLORS
from stages.text.lexnames import lexname

if TYPE_CHECKING:
    from stages.parsing.words import Words


def is_result(words: Words, i: int) -> bool:
    """Return whether word ``i`` is a color that a participle before it gives, as in "a boat painted white"."""
    head = words.head[i]
    return words.low[i] in COLORS and words.dep[i] in ("acomp", "oprd") and head < i and words.tag[head] in ("VBN", "VBD")


def color_of_participle(words: Words, i: int) -> None:
    """Fix a color that was read as a thing, as in "a door painted dark green", "hair dyed pink"."""
    if words.low[i] not in COLORS:
        return
    verb, thing = i - 1, i - 2
    if (
        thing in words.children(i, "compound", "nmod")
        and verb in words.children(i, "amod")
        and words.tag[verb] in ("VBN", "VBD")
        and words.kind[thing] == "noun"
        and words.kind[words.head[i]] != "noun"
    ):
        above = words.head[i]
        words.move(thing, thing if above == i else above, words.dep[i])
        for k in [k for k in words.kids[i] if k != verb]:
            if words.dep[k] == "nsubj" and words.kind[above] == "prep" and words.head[above] == above:
                words.move(k, k, "ROOT")
                words.move(above, k, "prep")
            else:
                words.move(k, verb if k > i else thing, words.dep[k])
        words.move(verb, thing, "acl")
        words.move(i, verb, "oprd")
    verb = words.head[i]
    a_thing = any(words.kind[k] in ("det", "pron") for k in words.kids[i])
    if words.dep[i] in ("dobj", "attr", "acomp", "oprd") and verb < i and words.tag[verb] in ("VBN", "VBD") and not a_thing:
        words.dep[i], words.kind[i] = "oprd", "adj"


def list_after_preposition(words: Words, i: int) -> None:
    """Fix a list whose second item was attached above its first, as in "a table with a plate, a fork and a knife".

    But in "a man in a hat, a woman and a dog" the list is of men, not of hats.
    """
    above = words.head[i]
    if words.dep[i] != "appos" or words.kind[i] != "noun" or not words.children(i, "conj"):
        return
    first = next((k for k in range(min([i, *words.kids[i]]) - 1, above, -1) if words.kind[k] == "noun"), None)
    if first is None or words.dep[first] not in ("pobj", "conj") or above not in words.above(first):
        return
    kinds = [lexname(words.low[k]) for k in (above, first, i)]
    if kinds[2] != kinds[0] or kinds[2] == kinds[1]:
        words.move(i, first, "conj")
