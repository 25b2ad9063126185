"""What else the crop shows: things, and what is known of them, that the caption does not speak of."""

from __future__ import annotations

from stages.foils.caption import Caption
from stages.foils.evidence import Evidence, Thing
from stages.foils.vocabulary import Vocabulary
from stages.geometry.box import Box
from stages.language.lexicon import words
from stages.semantics import relations, selection, wordnet
from stages.wording.word_classes import UNIQUE


def things_beside(caption: Caption, vocabulary: Vocabulary, surely: bool = False) -> list[str]:
    """What the crop shows and the caption does not speak of, by plain names; ``surely``: to deny it is false, and no contradiction.

    What may be exchanged need not be that sure: however little of it the crop shows, nobody calls it missing.
    """
    known = caption.known
    spoken_of = {i for name in caption.graph.objects for i in known.called(name) if known.things[i].distinct or not surely}
    things = [i for i, thing in enumerate(known.things) if thing.distinct]
    if surely:
        things = [i for i in things if _shown(known.things[i], caption.crop) and _there(known, i)]
    names = {known.things[i].names[0] for i in things}
    return sorted(name for name in names if plain_name(name, vocabulary) and spoken_of.isdisjoint(known.called(name)))


def attributes_beside(caption: Caption, o: int) -> list[str]:
    """What is said of the things that the crop shows, but for those that may be called as object ``o`` is."""
    known = caption.known
    own = known.called(caption.graph.objects[o])
    return sorted({a for i, thing in enumerate(known.things) if i not in own and thing.distinct for a in thing.attributes})


def _there(known: Evidence, i: int) -> bool:
    """Is a thing surely there, as what its name says? Not what one description names and no other; no baby is a beanie baby, no
    sailboat one on a curtain."""
    thing = known.things[i]
    name = thing.names[0]
    sure = not thing.described or len(known.called(name)) > 1
    otherwise = any(said.endswith(f" {name}") for said in known.said) or not NOT_REAL.isdisjoint(thing.attributes)
    shown = any(
        s == i and relations.read(r).place in ("on", "in") and PICTURED & {*_last_words(known.things[o])}
        for s, r, o in known.relations
    )
    return sure and not otherwise and not shown


def _last_words(thing: Thing) -> list[str]:
    return [name.rsplit(" ", 1)[-1] for name in thing.names]


NOT_REAL = words("stuffed toy fake plastic painted drawn printed cartoon animated miniature")
PICTURED = words(
    "picture photo photograph poster painting portrait screen monitor television tv sign logo magazine calendar curtain drape card"
)
"""What shows things that are not there, and how people call such."""


def _shown(thing: Thing, crop: Box | None) -> bool:
    return crop is None or (thing.box is not None and thing.box.covered_by(crop) >= SHOWN)


def plain_name(name: str, vocabulary: Vocabulary) -> bool:
    """Does a noun name a thing of its own, which a picture shows or not: a mug, and no lid, no corner and no colour?"""
    found = wordnet.senses(name, "n")
    if not found or name in UNIQUE or name not in vocabulary.counts["object"] or not vocabulary.is_noun(name):
        return False
    # "There is no cover", "no counter": of what, and which?
    clear = len(wordnet.common_senses(name)) <= CLEAR
    whole = found[0].lexname() in WHOLE and not found[0].part_holonyms()
    return clear and whole and selection.is_concrete(name)


WHOLE = wordnet.VISIBLE - {"noun.body", "noun.substance", "noun.object", "noun.Tops"}
"""WordNet's sorts of the things that are there or not, and no part and no matter of others."""
CLEAR = 3
"""So many common senses are near each other, as a bench's and a boy's; a word of more says nothing without its sentence."""
SHOWN = 0.5
"""A crop shows a thing of whose box so much lies in it."""
