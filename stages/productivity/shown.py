"""What else the crop shows: things, and what is known of them, that the caption does not speak of."""

from collections.abc import Collection, Iterable

from stages.foils.caption import Caption
from stages.foils.evidence import Evidence
from stages.foils.known_things import LIKELY, SHOWN, Thing
from stages.foils.meanings import says_nothing
from stages.foils.sense import Sense
from stages.foils.validity import may_lie_unnoticed
from stages.foils.vocabulary import Vocabulary
from stages.geometry.box import Box
from stages.language.lexicon import words
from stages.semantics import attributes, relations, selection, things, wordnet
from stages.wording.word_classes import UNIQUE


def things_beside(caption: Caption, vocabulary: Vocabulary, surely: bool = False) -> list[str]:
    """What the crop shows and the caption does not speak of, by plain names; ``surely``: to deny it is false, and no contradiction.

    What may be exchanged need not be that sure: however little of it the crop shows, nobody calls it missing.
    """
    known = caption.known
    spoken_of = {i for name in caption.graph.objects for i in known.called(name) if known.things[i].distinct or not surely}
    places = [i for i, thing in enumerate(known.things) if thing.distinct]
    if surely:
        places = [i for i in places if _shown(known.things[i], caption.crop) and _there(known, i)]
    names = {known.things[i].names[0] for i in places}
    fit = plain_name if surely else _clear_name
    beside = sorted(name for name in names if fit(name, vocabulary) and spoken_of.isdisjoint(known.called(name)))
    return beside if surely else _one_name_each(beside, known)


def things_elsewhere(caption: Caption, vocabulary: Vocabulary, sense: Sense) -> list[str]:
    """What the image shows and the crop surely does not, by plain names; no part and no matter, which may be anywhere, and nothing
    small of which there may be another."""
    known = caption.known
    absent = [name for name in known.said if not known.called(name) and known.object(name) <= UNSEEN]
    clear = (name for name in absent if _clear_name(name, vocabulary, ("part", "mark")))
    return _one_name_each(sorted(name for name in clear if not may_lie_unnoticed(name, known, sense, AT_HOME)), known)


def _one_name_each(names: Iterable[str], known: Evidence) -> list[str]:
    """The names, of those of one thing only the first: no set exchanges a disc and a disk."""
    one_thing = known.meanings.one_thing
    kept: list[str] = []
    for name in names:
        if all(max(one_thing(name, other), one_thing(other, name)) < LIKELY for other in kept):
            kept.append(name)
    return kept


def attributes_elsewhere(caption: Caption) -> list[str]:
    """What is said of the things that the image shows, and of none that the crop does."""
    known = caption.known
    return sorted(known.ascribed.difference(*(thing.attributes for thing in known.things)))


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
    # Of a camera that a doll faces, a desk that somebody's counter is, and a bowl for salad nobody says that they are there.
    looked_at = {o for _, _, o in known.relations}
    named = sum(j not in looked_at for j in known.called(name))
    sure = named > 1 if thing.described else not _disputed(known, i)
    alike = [known.things[j] for j in known.called(name)]
    otherwise = any(said.endswith(f" {name}") for said in known.said) or any(map(_not_real, alike))
    shown = any(
        s == i and relations.read(r).place in ("on", "in") and name.rsplit(" ", 1)[-1] in PICTURED
        for s, r, o in known.relations
        for name in known.things[o].names
    )
    return sure and not otherwise and not shown


def _disputed(known: Evidence, i: int) -> bool:
    """Does somebody call the thing in this place otherwise, as a counter that is another's desk?"""
    thing = known.things[i]
    at_once = [other.names[0] for other in known.things if other is not thing and other.box.iou(thing.box) >= SAME_PLACE]
    one_thing = known.meanings.one_thing
    return any(SELDOM <= one_thing(name, thing.names[0]) < LIKELY for name in (*at_once, *thing.names[1:]))


def _not_real(thing: Thing) -> bool:
    """Is it a toy or drawn, or, as a wooden duck and a beanie baby, a being that somebody made?"""
    sense = wordnet.sense(thing.names[0])
    being = sense is not None and sense.lexname() in ("noun.animal", "noun.person")
    return not NOT_REAL.isdisjoint(thing.attributes) or (being and any(_of_matter(word) for word in thing.attributes))


def _of_matter(word: str) -> bool:
    """Does a word before a noun say what it is made of, or name an artifact, and is it no other adjective?"""
    found = wordnet.senses(word, "n")
    made = bool(found) and found[0].lexname() == "noun.artifact" and not wordnet.senses(word, "a")
    return made or "material" in attributes.classes(word)


NOT_REAL = words("stuffed toy fake painted drawn printed cartoon animated miniature decorative plush")
PICTURED = words(
    "picture photo photograph poster painting portrait screen monitor television tv sign logo magazine calendar curtain drape card"
)
"""What shows things that are not there, and how people call such."""


def _shown(thing: Thing, crop: Box | None) -> bool:
    """Does a crop show a thing, nearly whole and no speck?"""
    return crop is None or (thing.box.covered_by(crop) >= SHOWN and thing.box.area >= SPECK * crop.area)


def _clear_name(name: str, vocabulary: Vocabulary, barred: Collection[str] = ()) -> bool:
    """Does a noun name something that one sees, no class of many things, no matter, nothing of a body, and none of the kinds
    ``barred`` of things.tsv?"""
    row = things.row(name)
    clear = name not in UNIQUE and vocabulary.is_noun(name) and selection.is_concrete(name) and not vocabulary.wide(name)
    return clear and row is not None and row.kinds.isdisjoint((*MATTER, *barred))


def plain_name(name: str, vocabulary: Vocabulary) -> bool:
    """Does a noun name a thing of its own, which a picture shows or not: a mug, and no lid, no corner and no colour?"""
    found = wordnet.senses(name, "n")
    if not found or name in UNIQUE or says_nothing(name) or name not in vocabulary.counts["object"] or not vocabulary.is_noun(name):
        return False
    # "There is no cover", "no counter": of what, and which?
    clear = len(wordnet.common_senses(name)) <= CLEAR and not vocabulary.wide(name)
    whole = found[0].lexname() in WHOLE and not found[0].part_holonyms()
    return clear and whole and selection.is_concrete(name)


WHOLE = wordnet.VISIBLE - {"noun.body", "noun.substance", "noun.object", "noun.Tops"}
"""WordNet's sorts of the things that are there or not, and no part and no matter of others."""
CLEAR = 3
"""So many common senses are near each other, as a bench's and a boy's; a word of more says nothing without its sentence."""
MATTER = words("body substance water drink")
"""The kinds of things.tsv of what takes no other thing's place."""
UNSEEN = 0.04
"""How probable it may be that the crop shows what is annotated elsewhere: more, and readers say that it may well be there."""
AT_HOME = 0.3
"""How much at home something small is, of which there may be another here; who annotated one elsewhere looked for such things."""
SPECK = 0.003
"""What is smaller than this share of the crop may well be overlooked."""
SAME_PLACE = 0.5
"""Two things are one if their boxes have so much of both in common."""
SELDOM = 0.05
"""That what one calls so another calls so."""
