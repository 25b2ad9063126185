"""Usage rules: what people write, and what captions avoid because people never write it, by :mod:`stages.text.usage`."""

from functools import lru_cache
from pathlib import Path

from stages.text.lexicon import sections
from stages.text.usage import usage
from stages.text.word_classes import is_definite

OFTEN = 25
"""Minimum number of uses of a noun, for unused relations of it to count as never used."""
PLACES = frozenset(sections(Path(__file__).with_suffix(".txt"))["places"].strip().splitlines())
"""Relations that any two things may have."""
# The forms of one fact: "a chair has a leg", "a chair with a leg", "a leg of a chair". "{}" is the noun.
OWNER = ("{}|have|", "{}|with|", "|of|{}")
OWNED = ("|have|{}", "|with|{}", "{}|of|")
SIDES = {"have": (OWNER, OWNED), "with": (OWNER, OWNED), "of": (("{}|of|",), OWNER)}


@lru_cache(1 << 16)
def fits(subject: str, relation: str, object_: str) -> bool:
    """Return whether people use the relation with such a subject and such an object; unknown for rare nouns.

    A preposition must be used with both, a verb with one of the two. Nothing is "on top of the street", where everything else is.

    >>> fits("man", "wear", "shirt"), fits("man", "wear", "tree"), fits("counter", "of", "apple"), fits("dog", "next to", "wall")
    (True, False, False, True)
    >>> fits("cup", "on top of", "table"), fits("cup", "on top of", "street")
    (True, False)
    """
    if relation in PLACES:
        return relation != "on top of" or not is_definite(object_.split()[-1])
    ends = zip((subject, object_), SIDES.get(relation, ((f"{{}}|{relation}|",), (f"|{relation}|{{}}",))), strict=True)
    both_ends = [_said(noun.split()[-1], forms) for noun, forms in ends]
    return any(both_ends) if relation not in SIDES and " " in relation else all(both_ends)


def _said(noun: str, forms: tuple[str, ...]) -> bool:
    use = usage().nouns.get(noun)
    often = use is not None and use.a + use.the + use.own + use.bare >= OFTEN
    return not often or any(form.format(noun) in usage().pairs for form in forms)


@lru_cache(1 << 16)
def weight(subject: str, relation: str, object_: str) -> int:
    """Return how often people use the relation with such a subject or such an object."""
    pairs = usage().pairs
    return pairs.get(f"{subject.split()[-1]}|{relation}|", 0) + pairs.get(f"|{relation}|{object_.split()[-1]}", 0)
