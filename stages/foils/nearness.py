"""How a foil is related to the atom that it replaces: the nearer, the more a model has to look (paper, section 4.1).

The paper's foils are antonyms and words under the same grand-hypernym. WordNet's trees differ in depth, so where these are too few
words of the same lexical file, or further ones, are taken in the way ``balanced``.
"""

from functools import lru_cache

from stages.semantics import attributes, relations, wordnet

ANTONYM, SIBLING, GRAND, FILE, FURTHER = NEARNESS = ("antonym", "sibling", "grand_hypernym", "lexical_file", "further")
"""From near to far: an antonym; under the same hypernym, or in the same class; under the same grand-hypernym; in the same of
WordNet's lexical files; none of these."""
PAPER = frozenset((ANTONYM, SIBLING, GRAND))
"""What the paper takes."""
CACHE = 1 << 16


@lru_cache(CACHE)
def of(kind: str, atom: str, foil: str) -> str:
    """
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
    if steps <= wordnet.GRAND:
        return SIBLING if steps <= 1 else GRAND
    return FILE if one.lexname() == other.lexname() else FURTHER
