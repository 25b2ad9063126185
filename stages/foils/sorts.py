"""Of which sort a thing is by the table of things, which nouns are much like it, and what is said to be a part of what."""

from collections.abc import Iterable

from stages.language.lexicon import words
from stages.semantics import relations, things

SORTS = words(
    """
    person animal toy plant food drink body hair clothing vehicle building room furniture door window way ground water sky cover
    sheet cord tool device container part text mark worn group lamp dish substance
    """
)
"""The kinds of things.tsv that say what a thing is."""
BESIDE = words("part text mark worn group lamp dish substance")
"""Those of them that a thing may be beside what it is first of all."""
ENDLESS = 9
"""The size of ground, water and sky in the table of things."""
ROOM = 1
"""Things of about one size differ by so much at most."""


def part_and_whole(subject: str, relation: str, object_: str) -> list[tuple[str, str]]:
    """What is said to be a part, and of what: "a wing of a plane", "a plane with a wing", "a wing on a plane".

    >>> part_and_whole("wing", "of", "plane"), part_and_whole("plane", "with", "wing"), part_and_whole("wing", "on", "plane")
    ([('wing', 'plane')], [('wing', 'plane')], [('wing', 'plane')])
    >>> part_and_whole("plane", "have", "wing"), part_and_whole("plane", "on", "road")
    ([('wing', 'plane')], [])
    """
    verb, place = relations.read(relation)
    if verb == "have" or (not verb and place == "with"):
        subject, object_ = object_, subject
    elif verb or place not in ("of", "on"):
        return []
    part, whole = things.of(subject), things.of(object_)
    if part is None or whole is None or part.kinds.isdisjoint(("part", "body")):
        return []
    return [(subject, object_)] if place != "on" or not whole.kinds.isdisjoint(WHOLES) else []


WHOLES = words("vehicle device animal person toy body clothing")
"""What on these is a part, is one of theirs; on a wall, or a table, anything may be."""


def sorts(noun: str) -> frozenset[str]:
    """What a thing is, first of all.

    >>> sorted(sorts("laptop")), sorted(sorts("shadow"))
    (['device'], ['mark'])
    """
    own = things.kinds(noun) & SORTS
    return own - BESIDE or own


def alike(noun: str, others: Iterable[str]) -> list[str]:
    """Those of the ``others`` with a row in the table of things that are of a sort with a noun, and of about its size.

    >>> alike("pillow", ["cushion", "cloud", "blanket", "curtain"]), alike("animal", ["dog"])
    (['cushion', 'blanket'], [])
    >>> alike("corkboard", ["website", "video"]), alike("lawn", ["yard", "field"])
    ([], [])
    """
    own = things.of(noun)
    # What has no end, as ground and sky, is called by many of its neighbours' names.
    if own is None or own.size in (None, ENDLESS) or "vague" in own.kinds:
        return []
    rows = ((other, things.row(other)) for other in others)
    sized = [(other, row) for other, row in rows if row and row.size and abs(row.size - own.size) <= ROOM]
    # Beside a corkboard stand texts, as a website is one: what a thing is beside what it is first of all says too little.
    return [other for other, row in sized if own.kinds & row.kinds & (SORTS - BESIDE)]
