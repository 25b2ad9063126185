"""The meaning of words for the world's things: names, attributes and relations in normal form: True, False or None (doubtful).

The tables of :mod:`stages.world.lexicon` have the words of the world's own captions and similar ones; every other noun and
verb is looked up in WordNet, and unknown words are doubtful. So nothing counts as false because its word is unknown.
"""

from functools import cache, lru_cache
from typing import Any

from stages.text.wordnet import wordnet
from stages.world import lexicon
from stages.world.kinds import KINDS, PEOPLE, STUFF
from stages.world.relations import RELATIONS, Verdict
from stages.world.sprites import COLOURS, second_colour

Thing = dict[str, Any]
"""A thing of the truth table."""
CLAIMS = lexicon.PREPOSITIONS | lexicon.VERBS | {relation: relation for relation in RELATIONS}
"""The world's relations that a word for a relation implies."""


@lru_cache(1 << 16)
def named(name: str, kind: str) -> Verdict:
    """Return whether a thing of ``kind`` may be called ``name``.

    >>> named("couch", "sofa"), named("animal", "dog"), named("poodle", "dog"), named("wombat", "dog")
    (True, True, None, False)
    """
    if name in lexicon.NAMES[kind] or name in lexicon.SAME.get(kind, ()):
        return True
    group = "stuff" if kind in STUFF else KINDS[kind].group
    if name in lexicon.GROUPS.get(group, ()):
        return None if name in lexicon.LOOSE_GROUP_NAMES else True
    if name in lexicon.ARGUABLE.get(kind, ()) or name in lexicon.ANYTHING:
        return None
    # Every kind is drawn so that it cannot be mistaken for another one.
    return False if name in KINDS or name in STUFF else _in_wordnet(name, kind)


def part_of(name: str, kinds: set[str]) -> bool:
    """Return whether ``name`` is drawn as a part of some of the ``kinds``."""
    return any(name in lexicon.PARTS["stuff" if kind in STUFF else KINDS[kind].group] for kind in kinds)


def _in_wordnet(name: str, kind: str) -> Verdict:
    """Return WordNet's answer: a hypernym is true, a hyponym or an unknown word doubtful; anything else is false."""
    synsets = _usual(name)
    if not synsets:
        return None
    meant = _sense(kind)
    above = _above(meant)
    if any(synset in above or meant in _above(synset) for synset in synsets):
        return None if any(meant in _above(synset) for synset in synsets) else True
    return False


def _usual(name: str) -> list[Any]:
    """Return the common senses of a noun: a cat may be a spiteful woman, but hardly in a caption."""
    lemmas = wordnet().lemmas(name.replace(" ", "_"), "n")
    most_used = max((lemma.count() for lemma in lemmas), default=0)
    return [lemma.synset() for i, lemma in enumerate(lemmas) if i == 0 or lemma.count() > 0.2 * most_used]


@cache
def _sense(kind: str) -> Any:
    return wordnet().synset(lexicon.SENSES.get(kind, f"{kind}.n.01"))


@lru_cache(1 << 14)
def _above(synset: Any) -> frozenset:
    """Return a synset with all its hypernyms."""
    return frozenset({synset, *synset.closure(lambda s: s.hypernyms() + s.instance_hypernyms())})


def described(attribute: str, thing: Thing) -> Verdict:
    """Return whether a thing may be said to be ``attribute``; actions and numbers are handled elsewhere.

    >>> described("red", {"kind": "dog", "colour": "red", "pattern": "striped", "size": "", "state": ""})
    True
    """
    return least(_described(word, thing) for word in attribute.split(" and "))


def _described(word: str, thing: Thing) -> Verdict:
    if word in COLOURS or any(word in shades for shades in lexicon.SHADES.values()):
        return _coloured(word, thing)
    if word in lexicon.PATTERNS:
        return None if thing["kind"] in STUFF else lexicon.PATTERNS[word] == thing["pattern"]
    if word == "patterned":
        return thing["pattern"] != "plain"
    for field, said in (("size", lexicon.SIZES), ("state", lexicon.OPENINGS), ("state", lexicon.STANCES)):
        if word in said:
            # A thing of the usual size is neither clearly small nor clearly large, and a cup neither open nor closed.
            return thing[field] == said[word] if thing[field] in said.values() else None
    if word in lexicon.SEXES and thing["kind"] in PEOPLE:
        return thing["kind"] in lexicon.SEXES[word]
    return None


def _coloured(word: str, thing: Thing) -> Verdict:
    """Return whether a thing has a colour; a similar shade, the other colour of a pattern, and a part's colour are doubtful."""
    colour = thing["colour"]
    if colour is None:
        return None
    if word == colour:
        return True
    near = {colour, second_colour(colour, thing["pattern"]), *lexicon.ALSO.get(thing["kind"], ())}
    return None if word in near or any(word in lexicon.SHADES.get(own_colour, ()) for own_colour in near) else False


def least(verdicts: Any) -> Verdict:
    """Return False if any is false, else None if any is doubtful, else True."""
    values = list(verdicts)
    return False if False in values else None if None in values else True


def most(verdicts: Any) -> Verdict:
    """Return True if any is true, else None if any is doubtful, else False."""
    values = list(verdicts)
    return True if True in values else None if None in values else False


def relation_words(relation: str) -> list[tuple[str, bool]] | None:
    """Return the world's relations that ``relation`` (in normal form) implies together, each with whether it is reversed.

    None where the world has no word for it; empty where it implies something that is never drawn.

    >>> relation_words("on top of"), relation_words("hold by"), relation_words("sit under"), relation_words("hug")
    ([('on', False)], [('hold', True)], [('under', False)], [])
    """
    if relation in CLAIMS:
        return [(CLAIMS[relation], False)]
    verb, _, rest = relation.partition(" ")
    if rest == "by" and verb in lexicon.VERBS:
        return [(lexicon.VERBS[verb], True)]
    place, posture = lexicon.PREPOSITIONS.get(rest), lexicon.POSTURE_VERBS.get(verb)
    if posture and place == "on":
        return [(posture, False), (place, False)]
    if place and (posture or verb in lexicon.LOOSE_VERBS):
        return [(place, False)]
    if verb in lexicon.VAGUE or relation in lexicon.OPPOSITES or not wordnet().synsets(verb, "v") or verb in lexicon.PREPOSITIONS:
        return None
    return []


def loose(relation: str) -> bool:
    """Return whether a relation says more than where a thing is, so that the place alone does not make it true."""
    verb = relation.split(" ")[0]
    return relation not in RELATIONS and (verb in lexicon.LOOSE_VERBS or verb in lexicon.POSTURE_VERBS)


@lru_cache(1 << 12)
def akin(verb: str, drawn: str) -> bool:
    """Return whether one verb may stand for another, by WordNet: a synonym, or a more general or more special word."""
    senses, others = wordnet().synsets(verb, "v"), wordnet().synsets(drawn, "v")
    return any(a in _above(b) or b in _above(a) for a in senses for b in others)
