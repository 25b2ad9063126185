"""A true caption with the places of its atoms, whose objects can be renamed: words that agree with a noun change with it.

"a man who is on grass" becomes "a cup that is on a table": the article, "who" or "that", and every further mention change as well.
A phrase that does not read well is refused with a reason, and nothing outside the noun phrases changes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as copy
from functools import cached_property
from typing import Any, NamedTuple

from stages.graphs.graph import Atom, SceneGraph, Span, Spans
from stages.negatives import edits
from stages.negatives.evidence import Evidence
from stages.text.inflection import indefinite_article, inflect_like, is_verbal, number_of
from stages.text.number import number_in
from stages.text.word_classes import IN_PAIRS, UNIQUE, is_definite, is_person

_DETERMINER = re.compile(
    r"(?<![\w'-])(an?|another|the|other|some|his|her|its|their)((?: first| second| third| fourth| fifth| last)?) $", re.IGNORECASE
)
KEPT = ("other", "some", "his", "her", "its", "their")
"""Determiners that any noun may have."""
_WORD = re.compile(r"[\w'-]+")
_VERB_BEFORE = re.compile(r"\b(\w{3,}(?:ing|ed)) $")
_RELATIVE = re.compile(r" (who|that)(?= (?:is|are|has|have|[a-z]+s)\b)")
_PRONOUN = re.compile(r" (?:it|itself|him|her|himself|herself)\b", re.IGNORECASE)


class Edited(NamedTuple):
    """A caption after an edit: its text, the spans of the truth that were replaced, and the new graph."""

    text: str
    spans: tuple[Span, ...]
    graph: SceneGraph


class Phrase(NamedTuple):
    """A noun phrase: its determiner (``""`` where there is none) and ordinal, the words before the noun, and their places."""

    start: int
    determiner: str
    ordinal: str
    middle: Span
    noun: Span
    end: int
    relative: str


@dataclass(frozen=True)
class Caption:
    """A text that says ``graph``, with the span of each atom in ``spans`` and of further mentions in ``mentions``.

    Attributes:
        known: the facts known about the crop.
        bare: the caption has no articles at all, as in the paper's template.
        as_written: the caption was written by people: an edit replaces only an atom's own words and an article right before them.
    """

    text: str
    graph: SceneGraph
    spans: Spans
    known: Evidence
    mentions: Mapping[tuple[str, int], tuple[Span, ...]] = field(default_factory=dict)
    bare: bool = False
    as_written: bool = False

    @classmethod
    def from_row(cls, row: Mapping[str, Any], known: Evidence) -> Caption:
        """Return the caption of a row of the table ``captions``."""
        mentions: dict[tuple[str, int], tuple[Span, ...]] = {}
        for mention in row["mentions"]:
            key, span = (mention["kind"], mention["index"]), (mention["span"]["start"], mention["span"]["end"])
            mentions[key] = (*mentions.get(key, ()), span)
        bare = row["writer"] == "template"
        return cls(row["caption"], SceneGraph.from_columns(row), Spans.from_columns(row), known, mentions, bare)

    @classmethod
    def of_region(cls, row: Mapping[str, Any], known: Evidence) -> Caption:
        """Return the caption of a row of the table ``regions``."""
        return cls(row["caption"], SceneGraph.from_columns(row), Spans.from_columns(row), known, as_written=True)

    def places(self, kind: str, index: int) -> tuple[Span, ...]:
        """Return where the caption names an atom, the first place first; nothing where no single span names it."""
        first = self.spans.of(Atom(kind, index, ""))
        return () if first is None else (first, *self.mentions.get((kind, index), ()))

    def other_words(self) -> list[str]:
        """Return the words that belong to none of the graph's atoms, in lower case."""
        spans = sorted(span for atom in self.graph.atoms() if (span := self.spans.of(atom)) is not None)
        ends, starts = [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(self.text)]
        return _WORD.findall(" ".join(self.text[i:j] for i, j in zip(ends, starts, strict=True)).lower())

    @cached_property
    def phrases(self) -> dict[int, tuple[Phrase, ...]]:
        """Return the noun phrases of each object."""
        return {o: tuple(self._phrase(o, noun) for noun in self.places("object", o)) for o in range(len(self.graph.objects))}

    @cached_property
    def pronouns(self) -> frozenset[int]:
        """Return the objects that the caption also calls "it" or "her": a pronoun may follow a relation instead of its object."""
        ends = [(o, end) for i, (_, _, o) in enumerate(self.graph.relations) for _, end in self.places("relation", i)]
        return frozenset(o for o, end in ends if _PRONOUN.match(self.text[end:]))

    def active(self, atom: Atom) -> bool:
        """Return whether the caption states a relation in its graph's direction, so that its object or "it" follows; no passive."""
        if atom.kind != "relation":
            return True
        s, _, o = self.graph.relations[atom.index]
        if self.as_written:
            first, second = self.spans.objects[o], self.spans.objects[s]
            return first is None or second is None or first > second
        places = self.places("relation", atom.index)
        if not places or o in self.pronouns:
            return bool(places)
        after = [
            (start, i) for i in range(len(self.graph.objects)) for start, _ in self.places("object", i) if start > places[0][0]
        ]
        return bool(after) and min(after)[1] == o

    def _phrase(self, o: int, noun: Span) -> Phrase:
        start = noun[0]
        spans = [s for i, (owner, _) in enumerate(self.graph.attributes) if owner == o for s in self.places("attribute", i)]
        for a, b in sorted(spans, reverse=True):
            if self.text[b:start] in (" ", ", ", " and "):
                start = a
        before = _DETERMINER.search(self.text[:start])
        after = _RELATIVE.match(self.text[noun[1] :])
        determiner, ordinal = (before.group(1).lower(), before.group(2).strip()) if before else ("", "")
        first = before.start() if before else start
        end, relative = (noun[1] + after.end(), after.group(1)) if after else (noun[1], "")
        return Phrase(first, determiner, ordinal, (start, noun[0]), noun, end, relative)

    def with_foil(self, atom: Atom, foil: str) -> Edited | str:
        """Return the caption with ``foil`` in place of an atom in every mention; or why that does not read well."""
        if atom.kind == "object" and not self.as_written:
            return self.renamed({atom.index: foil})
        places = self.places(atom.kind, atom.index)
        if not places:
            return "no_place"
        if self.as_written and not edits.fits(atom.kind, self.text, places[0], foil, atom.text):
            return "number"
        if atom.kind == "relation" and is_verbal(foil) and any(self._after_verb(start) for start, _ in places):
            return "two_verbs"
        return Edited(edits.foil_caption(self.text, places, atom.kind, foil), places, edits.foil_graph(self.graph, atom, foil))

    def _after_verb(self, start: int) -> bool:
        """Return whether a participle stands before a place: "standing on" takes no second verb, "a building on" does."""
        word = _VERB_BEFORE.search(self.text[:start])
        ends = {end for o in range(len(self.graph.objects)) for _, end in self.places("object", o)}
        return word is not None and word.end(1) not in ends

    def renamed(self, names: Mapping[int, str], move_attributes: Mapping[int, int] | None = None) -> Edited | str:
        """Return the caption with other names for some objects; or the code of the reason why that does not read well.

        ``move_attributes`` maps an object to the one whose attributes go before its new name; by default none moves.
        """
        moved = move_attributes or {}
        owners = {source: target for target, source in moved.items()}
        attributes = tuple((owners.get(o, o), a) for o, a in self.graph.attributes)
        objects = tuple(names.get(o, name) for o, name in enumerate(self.graph.objects))
        graph = copy(self.graph, objects=objects, attributes=attributes)
        pieces: list[tuple[Span, str]] = []
        seen: list[int] = []
        for o in sorted(self.phrases, key=lambda o: self.phrases[o][0].noun if self.phrases[o] else (0, 0)):
            another = _is_another(graph, o, seen)
            stale = bool(self.phrases[o]) and self.phrases[o][0].determiner == "another" and not another
            if o in names or stale:
                renamings = self._rename(o, graph.objects[o], another, moved.get(o))
                if isinstance(renamings, str):
                    return renamings
                pieces += renamings
            seen.append(o)
        return self.substituted(pieces, graph)

    def _rename(self, o: int, name: str, another: bool, source: int | None) -> list[tuple[Span, str]] | str:
        phrases = self.phrases[o]
        if not phrases:
            return "no_place"
        old_name = self.graph.objects[o]
        if any(p.ordinal for p in phrases) or (len(phrases) > 1 and self.graph.objects.count(old_name) > 1):
            return "reference"
        if is_person(name) != is_person(old_name) and o in self.pronouns:
            return "pronoun"
        pieces = []
        for i, phrase in enumerate(phrases):
            slot = self.text[slice(*phrase.noun)]
            number = number_in(self.text, phrase.noun)
            noun = inflect_like(name, slot.lower(), "object", number)
            singular = number != "plural"
            # No "a boots"; and one man's shoes do not become jackets.
            in_pairs = [noun.rsplit(" ", 1)[-1] in IN_PAIRS for noun in (old_name, name)]
            if (number_of(noun) != "plural") != singular or in_pairs == [not singular, singular]:
                return "number"
            middle = self.text[slice(*phrase.middle)]
            if source is not None:
                other = self.phrases[source][0]
                if i and middle:
                    return "reference"
                middle = "" if i else self.text[slice(*other.middle)]
            determiner = self._determiner(phrase, name, noun, another, first=i == 0)
            relative = ("who" if is_person(name) else "that") if phrase.relative else ""
            pieces.append(((phrase.start, phrase.end), self._written(phrase, determiner, middle, noun, relative)))
        return pieces

    def rewritten(self, phrase: Phrase, middle: str) -> str:
        """Return a noun phrase with other words before its noun, its article and capital corrected."""
        return self._written(phrase, phrase.determiner, middle, lowered(self.text[slice(*phrase.noun)]))

    def _determiner(self, phrase: Phrase, name: str, noun: str, another: bool, first: bool) -> str:
        """Return the article that the new noun needs in this place."""
        unique = self.graph.objects
        if not first or phrase.determiner in KEPT:
            return phrase.determiner
        if phrase.determiner == "the" and (is_definite(name) or not any(name in UNIQUE or is_definite(name) for name in unique)):
            return "the"
        if self.bare and not phrase.determiner:
            return ""
        if name in UNIQUE:
            return "the"
        if number_of(noun) != "singular":
            return ""
        return "another" if another else "a"

    def _written(self, phrase: Phrase, determiner: str, middle: str, noun: str, relative: str = "") -> str:
        words = f"{lowered(middle)}{noun}"
        article = indefinite_article(words) if determiner in ("a", "an") else determiner
        text = " ".join(part for part in (article, phrase.ordinal, words, relative) if part)
        return text[:1].upper() + text[1:] if self.text[phrase.start].isupper() else text

    def substituted(self, pieces: Sequence[tuple[Span, str]], graph: SceneGraph) -> Edited:
        """Return the caption with each span replaced, so that it says ``graph``; spans do not overlap, and include their articles.

        Raises:
            ValueError: two spans overlap.
        """
        text, last = self.text, len(self.text) + 1
        for (start, end), words in sorted(pieces, reverse=True):
            if end > last:
                raise ValueError(f"{text!r}: the pieces {sorted(pieces)} overlap")
            last = start
            text = text[:start] + words + text[end:]
        return Edited(text, tuple(sorted(span for span, _ in pieces)), graph)


def _is_another(graph: SceneGraph, o: int, before: Sequence[int]) -> bool:
    """Return whether an object ``before`` has the name and all attributes of ``o``, so that nothing distinguishes the two."""
    own = set(graph.attributes_of(o))
    return any(graph.objects[i] == graph.objects[o] and own <= set(graph.attributes_of(i)) for i in before)


def removed(middle: str, attribute: str) -> str | None:
    """Return the words before a noun without one attribute.

    >>> removed("black and white ", "black"), removed("large red ", "red"), removed("red, wooden ", "wooden")
    ('white ', 'large ', 'red ')
    >>> removed("black and white ", "white"), removed("big, red ", "big"), removed("red ", "red"), removed("red ", "blue")
    ('black ', 'red ', '', None)
    """
    for piece in (f" and {attribute} ", f", {attribute} ", f"{attribute} and ", f"{attribute}, ", f"{attribute} "):
        if piece in middle:
            head, _, tail = middle.partition(piece)
            return head + (" " if piece[0] in " ," else "") + tail
    return None


def lowered(text: str) -> str:
    """Return the phrase without a capital that only marks the beginning of a sentence."""
    return text[:1].lower() + text[1:] if text[:1].isupper() and not text[1:2].isupper() else text
