"""Fixes of patterns that dependency parsers misread: a color that a participle or a shade gives, and lists with commas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from stages.parsing.rule_words import CARRYING, COLORS, HAVING, PAINTED, SHADE_NOUNS, SHADES
from stages.text.lexnames import NONE, lexname

if TYPE_CHECKING:
    from stages.parsing.words import Words

ANIMATE = ("person", "animal")
OWNED = ("artifact", "body")
"""Kinds of things that people wear or have, and that act only rarely."""


def is_result(words: Words, i: int) -> bool:
    """Return whether word ``i`` is a color that a participle before it gives, as in "a boat painted white"."""
    head = words.head[i]
    return words.low[i] in COLORS and words.dep[i] in ("acomp", "oprd") and head < i and words.tag[head] in ("VBN", "VBD")


def color_of_participle(words: Words, i: int) -> None:
    """Fix a color that was read as a thing, as in "a door painted dark green", "hair dyed a bright pink"."""
    if words.low[i] not in COLORS:
        return
    verb = next(k for k in range(i - 1, -2, -1) if k < 0 or words.low[k] not in SHADES)
    thing = verb - 1
    if (
        thing in words.children(i, "compound", "nmod")
        and verb in words.children(i, "amod")
        and words.tag[verb] in ("VBN", "VBD")
        and words.kind[thing] == "noun"
        and words.kind[words.head[i]] != "noun"
    ):
        above = words.head[i]
        words.move(thing, thing if above == i else above, words.dep[i])
        for k in [k for k in words.kids[i] if not verb <= k < i]:
            words.move(k, verb if k > i else thing, words.dep[k])
        words.move(verb, thing, "acl")
        words.move(i, verb, "oprd")
    _color_phrase(words, i)
    verb = words.head[i]
    a_thing = any(words.kind[k] in ("det", "pron") for k in words.kids[i])
    if words.dep[i] in ("dobj", "attr", "acomp", "oprd") and verb < i and words.tag[verb] in ("VBN", "VBD") and not a_thing:
        words.dep[i], words.kind[i] = "oprd", "adj"


def _color_phrase(words: Words, i: int) -> None:
    """Attach the color of a phrase to what gives it, as in "painted in a pale yellow", "is a light shade of green"."""
    above = words.head[i]
    if i < above and words.kind[above] == "noun":
        return  # "painted in blue flowers"
    first = _first(words, i, i)
    shade = first - 2 if first > 2 and words.low[first - 1] == "of" and words.low[first - 2] in SHADE_NOUNS else i
    first = _first(words, shade, first if shade == i else shade)
    has_article = words.low[first - 1] in ("a", "an")
    first -= has_article
    given_in = first > 1 and words.low[first - 1] == "in" and words.low[first - 2] in PAINTED
    verb = first - 1 - given_in
    painted = verb >= 0 and words.low[verb] in PAINTED and words.tag[verb] in ("VBN", "VBD", "JJ") and words.dep[verb] != "amod"
    if not painted and (shade == i or verb < 0 or words.kind[verb] != "be"):
        return
    if painted:
        _nearest_thing(words, verb)
    for k in [k for one in {shade, i} for k in words.kids[one] if k > i and words.dep[k] in ("prep", "advmod", "acl")]:
        words.move(k, verb, words.dep[k])  # "painted a dark green next to a window"
    words.move(i, verb, "oprd" if painted else "acomp")
    words.kind[i] = "adj"
    for k in range(first, i):
        words.move(k, i, "amod" if words.low[k] in SHADES else words.dep[k] if words.head[k] == i else "dep")
        if k == shade or words.low[k] == "of":
            words.kind[k] = "other"
        elif words.low[k] in SHADES:
            words.kind[k] = "adj"


def _first(words: Words, i: int, at: int) -> int:
    """Return the first of the words before ``at`` that modify word ``i``."""
    labels = ("amod", "compound", "npadvmod", "advmod")
    while at:
        k = at - 1
        if words.low[k] not in SHADES and (words.head[k] != i or words.dep[k] not in labels or words.low[k] in PAINTED):
            break
        at = k
    return at


def _nearest_thing(words: Words, verb: int) -> None:
    """Make a participle describe the noun before it, as in "a man with hair dyed a bright green": not the man."""
    thing = verb - 1
    if words.kind[thing] != "noun" or words.low[words.head[thing]] not in HAVING or words.children(verb, "aux", "auxpass"):
        return
    if words.head[verb] in words.above(thing):
        words.move(verb, thing, "acl")


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


def list_with_commas(words: Words, i: int) -> None:
    """Fix a list that a comma cuts, as in "a shelf with a clock, and a vase", "holding a bat, a ball, and a glove".

    But who comes after the comma is somebody else: "a man with a hat, and a woman".
    """
    if not _lists(words, i):
        return
    members = _members(words, i)
    if not members:
        return
    more = list(_after_comma(words, members))
    above = words.above(i)
    if not more or not {words.head[k] for k in more} <= {i, *above, *members, *more}:
        return
    if any(_lists(words, k) for k in above):
        return  # "wearing a cloak with buttons, and boots": who wears the cloak wears the boots
    kinds = {lexname(words.low[k]) for k in members}
    for one in [one for k in more for one in (k, *_conjuncts(words, k))]:
        kind = lexname(words.low[one])
        if words.kind[one] != "noun" or (kind in ANIMATE and kind not in kinds):
            return
    for k in more:
        words.move(k, members[-1], "conj")
        members = [*members, k, *_conjuncts(words, k)]


def list_of_subjects(words: Words, v: int) -> None:
    """Fix a list of subjects that was cut at a comma, as in "a man, a woman and a dog sit", "a man, a woman, and a dog sit"."""
    for subject in words.children(v, "nsubj", "nsubjpass"):
        at = min([subject, *words.kids[subject]]) - 1
        joined = at > 1 and words.kind[at] == "cc"
        comma = at - joined
        if comma < 1 or words.low[comma] != "," or words.kind[subject] != "noun":
            continue
        if joined and words.dep[v] == "relcl":
            _join_subject(words, v, subject, comma - 1)
        elif joined:
            before = [k for k in words.children(v, "nsubj", "nsubjpass") if _end(words, k) in (comma, at + 1)]
            if before and not _worn(words, subject, before[0]):
                words.move(subject, before[0], "conj")
        elif not joined and any(words.kind[k] == "cc" for k in words.kids[subject]):
            # The first was read as a time or a manner.
            first = next((k for k in words.children(v, "npadvmod", "dep", "nsubj") if _end(words, k) == comma), subject)
            is_thing = words.kind[first] == "noun" and lexname(words.low[first]) not in ("time", NONE)
            if first < comma and is_thing and not _worn(words, subject, first):
                words.dep[first] = words.dep[subject]
                words.move(subject, first, "conj")


def _join_subject(words: Words, v: int, subject: int, last: int) -> None:
    """Join the ``subject`` of a clause to the list that ends with ``last``, to which the clause was attached."""
    first = words.head[v]
    second = last
    while words.dep[second] == "conj" and words.head[second] != first:
        second = words.head[second]
    if words.dep[second] not in ("conj", "appos") or words.head[second] != first or words.dep[first] in ("pobj", "dobj"):
        return
    if _worn(words, subject, first):
        return
    words.dep[second] = "conj"
    words.move(subject, last, "conj")
    words.dep[v] = "acl"
    if words.dep[first] == "ROOT":
        words.move(first, v, "nsubj")


def _worn(words: Words, thing: int, owner: int) -> bool:
    """Return whether a list goes on with things of somebody, as in "a woman in heels, a skirt and a shirt sits"."""
    return lexname(words.low[owner]) in ANIMATE and lexname(words.low[thing]) not in ANIMATE


def list_before_verb(words: Words, v: int) -> None:
    """Fix a list whose last thing was read as a subject, as in "a man in a hat and a shirt is sitting": the man sits.

    But what is described is the thing itself: "a man in a hat and the shirt is white".
    """
    if words.children(v, "acomp", "attr"):
        return
    for thing in words.children(v, "nsubj", "nsubjpass"):
        first = _first(words, thing, thing)
        first -= words.kind[first - 1] == "det" and words.head[first - 1] == thing
        last = first - 2 - (words.low[first - 2] == ",")
        if words.kind[first - 1] != "cc" or last < 2 or words.kind[last] != "noun" or lexname(words.low[thing]) not in OWNED:
            continue
        i = next((k for k in range(last, 0, -1) if words.kind[k] in ("verb", "be", "prep")), 0)
        owner = next((k for k in words.above(i) if words.kind[k] == "noun"), None)
        if owner is None or not (_lists(words, i) or words.low[i] == "in") or lexname(words.low[owner]) not in ANIMATE:
            continue
        if words.dep[owner] in ("nsubj", "nsubjpass") and words.head[owner] != v:
            continue  # "a man in a hat sits and a bus passes"
        words.move(thing, last, "conj")
        if words.head[owner] != v:
            words.move(v, owner, "acl")
            if words.dep[owner] == "ROOT":
                words.move(owner, v, "nsubj")
        list_with_commas(words, i)


def _lists(words: Words, i: int) -> bool:
    return words.low[i] in HAVING or words.low[i] in CARRYING


def _members(words: Words, i: int) -> list[int]:
    """Return the nouns that preposition or verb ``i`` has after it."""
    things = [k for k in words.children(i, "pobj", "dobj") if k > i and words.kind[k] == "noun"]
    return [one for k in things for one in (k, *_conjuncts(words, k))]


def _conjuncts(words: Words, i: int) -> list[int]:
    return [one for k in words.children(i, "conj") for one in (k, *_conjuncts(words, k))]


def _end(words: Words, i: int) -> int:
    """Return the place after the last word of the phrase of ``i``, without a noun that a comma separates."""
    return max([i + 1, *(_end(words, k) for k in words.kids[i] if words.dep[k] not in ("appos", "punct"))])


def _after_comma(words: Words, members: list[int]) -> Iterator[int]:
    """Yield the nouns that go on with a list, each after a comma; none unless "and" or "or" precedes the last."""
    found: list[int] = []
    at, joined = _end(words, members[-1]), False
    while not joined and at + 1 < len(words) and words.low[at] == ",":
        joined = words.kind[at + 1] == "cc"
        first = at + 1 + joined
        noun = first
        while noun < len(words) and words.head[noun] >= first and words.head[noun] != noun:
            noun = words.head[noun]
        if noun == len(words) or words.kind[noun] != "noun" or words.dep[noun] not in ("conj", "appos", "npadvmod", "dep"):
            return
        found.append(noun)
        at = _end(words, noun)
        joined = joined or any(words.kind[k] == "cc" for one in (noun, *_conjuncts(words, noun)) for k in words.kids[one])
    if joined:
        yield from found
