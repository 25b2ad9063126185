"""How a foil is related to the atom that it replaces: the nearer, the closer a model has to look (paper, section 4.1).

The paper's foils are antonyms and words under the same grand-hypernym. ``cleared`` takes further nouns, at a penalty, where these
are too few.
"""

from functools import lru_cache

from stages.semantics import attributes, relations, wordnet

ANTONYM, SIBLING, GRAND, FURTHER = NEARNESS = ("antonym", "sibling", "grand_hypernym", "further")
"""From near to far: an antonym; under the same hypernym, or in the same class; under the same grand-hypernym; none of these."""
CACHE = 1 << 16


@lru_cache(CACHE)
def of(kind: str, atom: str, foil: str) -> str:
    """Return how ``foil`` is related to ``atom``.

    >>> of("object", "dog", "wolf"), of("attribute", "red", "blue"), of("relation", "to the left of", "to the right of")
    ('sibling', 'sibling', 'antonym')
    """
    if foil in wordnet.antonyms(atom, wordnet.PARTS_OF_SPEECH[kind]):
        return ANTONYM
    if kind == "object":
        return _noun(atom, foil)
    if kind == "attribute":
        return SIBLING if attributes.same_class(atom, foil) else FURTHER
    one, other = relations.read(atom), relations.read(foil)
    if one.verb == other.verb and other.place in relations.OPPOSITE_PLACES.get(one.place, ()):
        return ANTONYM
    return SIBLING if relations.excludes(atom, foil) or (not one.verb and not other.verb) else FURTHER


def _noun(atom: str, foil: str) -> str:
    one, other = wordnet.sense(atom), wordnet.sense(foil)
    if one is None or other is None:
        return FURTHER
    up, across = wordnet.ancestors(one), wordnet.ancestors(other)
    steps = min((up[name] for name in up.keys() & across.keys() - wordnet.TOO_WIDE), default=wordnet.GRAND + 1)
    return FURTHER if steps > wordnet.GRAND else SIBLING if steps <= 1 else GRAND
