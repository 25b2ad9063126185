"""A caption of one compound as a frame: another compound said in the places of its words.

"The cat is black" in the places of "the car is red": what agrees with a word changes with it, and what does not fit is not said.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from stages.foils import edits
from stages.foils.evidence import Evidence
from stages.graphs.graph import Atom, SceneGraph, Span, Spans
from stages.language.lexicon import words
from stages.wording.inflection import capitals_like, indefinite_article, inflect_like, is_verbal, number_of
from stages.wording.spans import replace

Row = dict[str, Any]

SAYING_NOTHING = words("present visible seen shown say")
"""What a sentence says of a thing that is there in any case, or of what is written, which the parser takes for a thing."""
RESTS = words(
    """
    a an the is are was were has have been being be there this that these those which who it its it's 's his her their he she they
    several many some lots pair almost to with seems seem appears appear looks look well of very two three four one
    """
)
"""Words that a caption of one compound may have beside its atoms."""
FINITE = words("is are was were has have seems seem appears appear looks look")
_WORD = re.compile(r"[\w'-]+")
_ARTICLE = re.compile(r"^an? ", re.IGNORECASE)
_DETERMINER = re.compile(r"(?<![\w'-])(an?|the|[a-z]+'s|his|her|its|their) $", re.IGNORECASE)


class Half(NamedTuple):
    """A caption of one compound."""

    caption: str
    graph: SceneGraph
    spans: Spans

    @classmethod
    def of(cls, row: Row) -> Half:
        """From a row with a caption, and the columns of its graph and of its spans."""
        return cls(row["caption"], SceneGraph.from_columns(row), Spans.from_columns(row))

    def columns(self) -> Row:
        """What :meth:`of` reads."""
        return {"caption": self.caption, **self.graph.columns(), **self.spans.columns()}

    @property
    def whole(self) -> bool:
        """Whether all that the graph says has its place in the caption."""
        return all(self.spans.of(atom) is not None for atom in self.graph.atoms())

    @property
    def rest(self) -> list[str]:
        """The words of the caption that say none of the graph's atoms."""
        spans = sorted(span for atom in self.graph.atoms() if (span := self.spans.of(atom)) is not None)
        ends = [0, *(end for _, end in spans)]
        starts = [*(start for start, _ in spans), len(self.caption)]
        return _WORD.findall(" ".join(self.caption[i:j] for i, j in zip(ends, starts, strict=True)).lower())

    @property
    def says_more(self) -> bool:
        """Whether its words say what its graph does not: "no one is using the computer", "many sockets are in the plug in"."""
        return not RESTS.issuperset(self.rest)

    @property
    def sentence(self) -> bool:
        """Whether it says that something is so, and does not only name it."""
        return self.finite or not FINITE.isdisjoint(self.rest)

    @property
    def finite(self) -> bool:
        """Whether the relation is its verb: "trees line a road"."""
        verb = self.spans.relations[0] if self.graph.relations else None
        verb_words = self.caption[slice(*verb)].lower() if verb else ""
        return is_verbal(verb_words) and not verb_words.split()[0].endswith(("ing", "ed"))


def cased(caption: str, like: str) -> str:
    """A caption that begins as ``like`` does; a name that is all in capitals keeps them."""
    if caption[1:2].isupper():
        return caption
    return (caption[:1].upper() if like[:1].isupper() else caption[:1].lower()) + caption[1:]


def plain(own: Half) -> Half:
    """A caption of an attribute, in whose words' places another can be said beside ``own``: "the car is red" beside a sentence."""
    caption, attribute, noun = ("the one is white", 11, 4) if own.sentence else ("a white one", 2, 8)
    spans = Spans(((noun, noun + 3),), ((attribute, attribute + 5),), ())
    return Half(cased(caption, own.caption), SceneGraph(("one",), ((0, "white"),)), spans)


def in_frame(own: Half, other: SceneGraph, known: Evidence) -> Half | None:
    """``other`` said in the words' places of a caption; ``None`` where a word does not fit its place."""
    caption, spans = own.caption, own.spans
    if other.relations and not _fits_relation(own, other):
        return None
    replacements: list[tuple[Span, str, Atom]] = []
    for atom in other.atoms():
        span = spans.of(atom)
        if span is None:
            return None
        slot = caption[slice(*span)]
        if atom.kind == "object" and other.relations:
            first = span == min(place for place in spans.objects if place is not None)
            span, words_ = _noun(caption, span, atom.text, known)
            # The verb agrees with what stands before it.
            if own.sentence and first and (number_of(words_) == "plural") != (number_of(slot) == "plural"):
                return None
        else:
            several = atom.kind == "object" and number_of(slot) == "plural"
            if not edits.fits(atom.kind, slot, atom.text) or (several and known.count(atom.text) < 2):
                return None
            words_ = inflect_like(atom.text, slot, atom.kind)
        replacements.append((span, words_, atom))
    # From right to left: how far from the end a word stands does not change any more.
    ends: dict[str, list[tuple[int, int, int]]] = {kind: [] for kind in ("object", "attribute", "relation")}
    for span, words_, atom in sorted(replacements, reverse=True):
        after = len(caption) - span[1]
        caption = replace(caption, [span], [words_])
        ends[atom.kind].append((atom.index, after, after + len(_ARTICLE.sub("", words_))))
    places = (tuple((len(caption) - end, len(caption) - after) for _, after, end in sorted(own)) for own in ends.values())
    return Half(caption, other, Spans(*places))


def _fits_relation(own: Half, other: SceneGraph) -> bool:
    """Whether a relation can be said in the place of the caption's: a verb in a verb's, and nothing that is a part of another.

    Nobody says "a chair is with a leg", "the back is of the car".
    """
    _, relation, o = other.relations[0]
    span = own.spans.objects[o]
    if (own.finite and not is_verbal(relation)) or span is None or relation == "of":
        return False
    if relation not in ("have", "with"):
        return True
    the = own.caption[: span[0]].lower().endswith("the ")
    copula = "there" not in own.rest and not FINITE.isdisjoint(own.rest)
    return not the and not (copula and relation == "with")


def _noun(caption: str, span: Span, name: str, known: Evidence) -> tuple[Span, str]:
    """What says ``name`` in the place of a noun, and the place, which an article may belong to.

    "a hat" in the place of "grass" or "pants", "grass" in the place of "a table", "the grass" in the place of "the table".
    """
    own, number = number_of(name), number_of(caption[slice(*span)])
    if own == number or (own == "singular" and number == "plural" and known.count(name) > 1):
        return span, inflect_like(name, caption[slice(*span)], "object")
    before, words = _DETERMINER.search(caption[: span[0]]), name
    if before is None and own == "singular":
        words = f"{indefinite_article(name)} {name}"
    elif before is not None and before[1].lower() in ("a", "an") and own != "singular":
        span = (before.start(), span[1])
    return span, capitals_like(words, caption[slice(*span)])
