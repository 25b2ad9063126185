"""How English denies a part of a caption: the spans that change, and the cases that cannot be denied well.

An attribute ("a cup that is not red"), a relation ("not on a table", "does not have"), an object ("no boy is", "something"), the
whole caption ("there is no boy or dog"), or something it does not mention (", with no dog in sight").
"""

import re
from itertools import pairwise
from typing import NamedTuple

from stages.graphs.graph import Atom, Span
from stages.negatives.caption import Caption, lowered, removed
from stages.text.forms import getLemma
from stages.text.inflection import is_verbal, number_of, verb_form
from stages.text.word_classes import UNIQUE, attribute_place, is_person

THERE = re.compile(r"\b(there (?:is|are))( also)? $", re.IGNORECASE)
_LISTED = re.compile(r"(?:, and|,| and)(?: also)? $")
_CLAUSE = re.compile(r"[^.,]*?(?<! that)(?<! who) (?:is|are|has|have) ")
"""The rest of a clause after its subject, up to its verb."""
_ALSO = re.compile(r"( (?:is|are)) also\b")
_VERB = re.compile(r"((?: who| that)? )(are|have)\b")
_OWNED = re.compile(r"\b(?:his|her|its|their) $")


class Piece(NamedTuple):
    """A part of the caption and the words that replace it."""

    span: Span
    words: str


def negated(caption: Caption, atom: Atom) -> Piece | str:
    """Return the edit that denies an attribute or a relation, or why it cannot be denied."""
    places = caption.places(atom.kind, atom.index)
    if len(places) != 1:
        return "no_place" if not places else "reference"
    slot = caption.text[slice(*places[0])]
    if atom.kind == "relation":
        if not caption.active(atom):
            return "passive"
        if _shared(caption, atom.index):
            return "scope"
        # "In a shirt" may state the relation "wear": the denial uses the caption's words.
        return Piece(places[0], without(slot))
    return _negated_attribute(caption, atom, places[0], lowered(slot))


def without(words: str) -> str:
    """Return the words of a relation, as the caption has them, negated.

    >>> [without(words) for words in ("on", "sitting on", "is on", "has", "with", "holds")]
    ['not on', 'not sitting on', 'is not on', 'does not have', 'without', 'does not hold']
    """
    first, _, rest = words.partition(" ")
    if first.lower() in ("is", "are", "was", "were"):
        return f"{first} not {rest}"
    if words == "with":
        return "without"
    lemma = getLemma(first.lower(), "VERB")[0] if is_verbal(words) else ""
    if lemma and first.lower() in (verb_form(lemma, "does"), verb_form(lemma, "do")):
        auxiliary = "do" if first.lower() == verb_form(lemma, "do") else "does"
        return f"{auxiliary} not {lemma} {rest}".rstrip()
    return f"not {words}"


def _shared(caption: Caption, index: int) -> bool:
    """Return whether the same subject has another relation in the same clause, so that "not" would also cover that one."""
    subject = caption.graph.relations[index][0]
    end = caption.places("relation", index)[0][1]
    others = [i for i, (s, _, _) in enumerate(caption.graph.relations) if s == subject and i != index]
    starts = (start for i in others for start, _ in caption.places("relation", i) if start > end)
    return any(not re.search(r"[.;]|, and ", caption.text[end:start]) for start in starts)


def _negated_attribute(caption: Caption, atom: Atom, place: Span, words: str) -> Piece | str:
    """Return the words for a denied attribute: "a cup that is not red", "a lamp that is not turned on"."""
    owner = caption.graph.attributes[atom.index][0]
    if attribute_place(atom.text) == "number":
        return "number"
    if not caption.phrases[owner]:
        return "no_place"
    phrase = caption.phrases[owner][0]
    if not phrase.middle[0] <= place[0] < phrase.middle[1]:
        predicative = caption.text[: place[0]].endswith((" is ", " are "))
        return Piece(place, f"not {words}") if predicative else "attribute_after_noun"
    middle = removed(caption.text[slice(*phrase.middle)], caption.text[slice(*place)])
    if middle is None:
        return "attribute_after_noun"
    noun = caption.text[slice(*phrase.noun)]
    verb = "are" if number_of(noun) == "plural" else "is"
    tail = f" {phrase.relative or 'that'} {verb} not {words}" + (" and" if phrase.relative else "")
    return Piece((phrase.start, phrase.end), caption.rewritten(phrase, middle) + tail)


def heads(caption: Caption) -> dict[int, bool]:
    """Return the objects whose first phrase begins a clause, or continues a list (``True``), in the order of the text."""
    starts: dict[int, bool] = {}
    phrases = {o: mentions[0] for o, mentions in caption.phrases.items() if mentions}
    for o, phrase in sorted(phrases.items(), key=lambda pair: pair[1].start):
        before, after = caption.text[: phrase.start], caption.text[phrase.noun[1] :]
        earlier = {other for other in phrases if phrases[other].start < phrase.start}
        linked = any(s in earlier for s, _, t in caption.graph.relations if t == o)
        if not before or before.endswith(". ") or THERE.search(before) or (before.endswith(", and ") and _CLAUSE.match(after)):
            starts[o] = False
        elif _LISTED.search(before) and not linked:
            starts[o] = True
    return starts


def deniable(caption: Caption, o: int) -> bool:
    """Return whether "no" fits before an object: not before "the shelf", which was mentioned before, nor before "two boys".

    An object that the caption mentions elsewhere is not denied either: the contradiction would show without a picture.
    """
    phrase, *again = caption.phrases[o]
    spoken_of = again or phrase.ordinal or phrase.determiner not in ("a", "an", "the", "")
    counted = any(owner == o and attribute_place(a) == "number" for owner, a in caption.graph.attributes)
    owned = _OWNED.search(caption.text[: phrase.start])
    named = [n for i, n in enumerate(caption.graph.objects) if i != o]
    return not (spoken_of or counted or owned or caption.graph.objects[o] in {*named, *UNIQUE})


def whole(caption: Caption) -> list[Piece] | None:
    """Return a denial of everything, as "There is no boy on grass", "No boy is on grass", "There is no cup or bag".

    Return ``None`` for several clauses, for a list with words between its things, and where no phrase begins a clause ("this horse
    is behind a fence").
    """
    starts = heads(caption)
    if not starts:
        return None
    (first, listed), *further = starts.items()
    phrases = [caption.phrases[o][0] for o in starts]
    apart = any(not _LISTED.fullmatch(caption.text[p.noun[1] : q.start]) for p, q in pairwise(phrases))
    if listed or apart or not all(starts[o] for o, _ in further) or not all(deniable(caption, o) for o in starts):
        return None
    pieces = [no_such(caption, first)]
    for (o, _), last in zip(further, phrases, strict=False):
        phrase = caption.phrases[o][0]
        link = " or " if o == further[-1][0] else ", "
        pieces.append(Piece((last.noun[1], phrase.noun[1]), f"{link}{without_article(caption, o)}"))
    return pieces


def without_article(caption: Caption, o: int) -> str:
    """Return an object's first phrase without its article."""
    phrase = caption.phrases[o][0]
    return lowered(caption.text[phrase.middle[0] : phrase.noun[1]])


def no_such(caption: Caption, o: int) -> Piece:
    """Return a denial in place of a phrase of :func:`heads`: "There is no boy", "No boys are", "and no boy"."""
    phrase, words = caption.phrases[o][0], without_article(caption, o)
    before, end = caption.text[: phrase.start], phrase.noun[1]
    if there := THERE.search(before):
        return Piece((there.start(1), end), f"{there.group(1)} no {words}")
    if not before and not caption.text.endswith("."):
        verb = "are" if number_of(caption.text[slice(*phrase.noun)]) == "plural" else "is"
        return Piece((0, end), f"there {verb} no {words}")
    also = _ALSO.match(caption.text[end:])
    words += also.group(1) if also else ""
    start = phrase.start - len(" also ") + 1 if before.endswith(" also ") else phrase.start
    return Piece((start, end + (also.end() if also else 0)), f"{'No' if before[-2:] in ('', '. ') else 'no'} {words}")


def something_for(caption: Caption, o: int, several: bool) -> Piece:
    """Return the phrase with "something" or "someone" in place of the object: "someone is", "there is something"."""
    phrase = caption.phrases[o][0]
    word = "someone" if is_person(caption.graph.objects[o]) else "something"
    word = word.capitalize() if caption.text[phrase.start].isupper() else word
    verb = _VERB.match(caption.text[phrase.noun[1] :]) if several else None
    has = verb.group(1) + {"are": "is", "have": "has"}[verb.group(2)] if verb else ""
    there = THERE.search(caption.text[: phrase.start]) if several else None
    start, word = (there.start() + len("there "), f"is{there.group(2) or ''} {word}") if there else (phrase.start, word)
    return Piece((start, phrase.noun[1] + (verb.end() if verb else 0)), word + has)


def none_of(caption: Caption, words: str, several: bool) -> Piece:
    """Return a denial to put after the caption, such as "There is no bench."."""
    verb, end = "are" if several else "is", len(caption.text)
    return Piece((end, end), f" There {verb} no {words}." if caption.text.endswith(".") else f"; there {verb} no {words}")


def absence(caption: Caption, name: str) -> Piece:
    """Return a denial to put at the end of a caption, such as ", with no cup in sight"; " and no cup in sight" after a "with".

    The noun is singular: a plural would show which things are present once, and which usually come in numbers.
    """
    stop, end = "." * caption.text.endswith("."), len(caption.text)
    link = " and" if ", with " in caption.text.removesuffix(".").rsplit(". ", 1)[-1] else ", with"
    return Piece((end - len(stop), end), f"{link} no {name} in sight{stop}")
