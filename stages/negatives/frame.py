"""A caption of one compound as a frame, in which another compound takes the places of its words.

"The cat is black" takes the places of "the car is red": words that agree with others change with them, and a word that does not fit
is refused.
"""

from __future__ import annotations

import re

from stages.graphs.graph import Atom, SceneGraph, Span, Spans
from stages.negatives import edits
from stages.negatives.caption import Caption
from stages.negatives.evidence import Evidence
from stages.text.inflection import capitals_like, indefinite_article, is_verbal, number_of
from stages.text.lexicon import words
from stages.text.number import number_in
from stages.text.spans import replace

SAYING_NOTHING = words("present visible seen shown say")
"""Words that add nothing about a visible thing, or that introduce written text, which the parser takes for a thing."""
OTHER_WORDS = words(
    """
    a an the is are was were has have been being be there this that these those which who it its it's 's his her their he she they
    several many some lots pair almost to with seems seem appears appear looks look well of very two three four one
    """
)
"""Words besides its atoms that a caption of one compound may have."""
FINITE = words("is are was were has have seems seem appears appear looks look")
_ARTICLE = re.compile(r"^an? ", re.IGNORECASE)
_DETERMINER = re.compile(r"(?<![\w'-])(an?|the|[a-z]+'s|his|her|its|their) $", re.IGNORECASE)


def is_one_compound(caption: Caption) -> bool:
    """Return whether a caption is exactly one compound: an attribute and its object, or two objects and their relation.

    Not "traffic is present", "the sign says walk", nor a caption with more content, such as "head bent down to the ground".
    """
    graph = caption.graph
    n = len(graph.attributes) + len(graph.relations)
    whole = n == 1 and len(graph.objects) == len(graph.attributes) + 2 * len(graph.relations)
    placed = all(caption.spans.of(atom) is not None for atom in graph.atoms())
    said = not any(atom.text in SAYING_NOTHING for atom in graph.atoms())
    return whole and placed and said and OTHER_WORDS.issuperset(caption.other_words())


def _is_finite(caption: Caption) -> bool:
    """Return whether the relation is the caption's verb: "trees line a road"."""
    verb = caption.spans.relations[0] if caption.graph.relations else None
    verb_words = caption.text[slice(*verb)].lower() if verb else ""
    return is_verbal(verb_words) and not verb_words.split()[0].endswith(("ing", "ed"))


def _is_sentence(caption: Caption) -> bool:
    """Return whether the caption is a sentence rather than a noun phrase."""
    return _is_finite(caption) or not FINITE.isdisjoint(caption.other_words())


def in_frame(frame: Caption, other: SceneGraph) -> Caption | None:
    """Return ``other`` in the words' places of a caption; ``None`` where a word does not fit its place."""
    caption, spans, known = frame.text, frame.spans, frame.known
    if other.relations and not _fits_relation(frame, other):
        return None
    replacements: list[tuple[Span, str, Atom]] = []
    for atom in other.atoms():
        span = spans.of(atom)
        if span is None:
            return None
        number = number_in(caption, span)
        if atom.kind == "object" and other.relations:
            first = span == min(place for place in spans.objects if place is not None)
            span, words_ = _noun(caption, span, atom.text, known)
            # The verb agrees with its subject.
            if _is_sentence(frame) and first and (number_of(words_) == "plural") != (number == "plural"):
                return None
        else:
            several = atom.kind == "object" and number == "plural"
            if not edits.fits(atom.kind, caption, span, atom.text) or (several and known.count(atom.text) < 2):
                return None
            words_ = edits.inflect_at(caption, span, atom.kind, atom.text)
        replacements.append((span, words_, atom))
    # From right to left, so that the positions further left do not change.
    ends: dict[str, list[tuple[int, int, int]]] = {kind: [] for kind in ("object", "attribute", "relation")}
    for span, words_, atom in sorted(replacements, reverse=True):
        after = len(caption) - span[1]
        caption = replace(caption, [span], [words_])
        ends[atom.kind].append((atom.index, after, after + len(_ARTICLE.sub("", words_))))
    places = (tuple((len(caption) - end, len(caption) - after) for _, after, end in sorted(frame)) for frame in ends.values())
    return Caption(caption, other, Spans(*places), known, as_written=True)


def _fits_relation(frame: Caption, other: SceneGraph) -> bool:
    """Return whether a relation fits the place of the caption's: a verb for a verb, and no part–whole relation for other things.

    Nobody says "a chair is with a leg", "the back is of the car".
    """
    _, relation, o = other.relations[0]
    span = frame.spans.objects[o]
    if (_is_finite(frame) and not is_verbal(relation)) or span is None or relation == "of":
        return False
    if relation not in ("have", "with"):
        return True
    the = frame.text[: span[0]].lower().endswith("the ")
    rest = frame.other_words()
    copula = "there" not in rest and not FINITE.isdisjoint(rest)
    return not the and not (copula and relation == "with")


def _noun(caption: str, span: Span, name: str, known: Evidence) -> tuple[Span, str]:
    """Return the words for ``name`` in the place of a noun, and the replaced span, which may include an article.

    "a hat" in the place of "grass" or "pants", "grass" in the place of "a table", "the grass" in the place of "the table".
    """
    needed, number = number_of(name), number_in(caption, span)
    if needed == number or (needed == "singular" and number == "plural" and known.count(name) > 1):
        return span, edits.inflect_at(caption, span, "object", name)
    before, words = _DETERMINER.search(caption[: span[0]]), name
    if before is None and needed == "singular":
        words = f"{indefinite_article(name)} {name}"
    elif before is not None and before[1].lower() in ("a", "an") and needed != "singular":
        span = (before.start(), span[1])
    return span, capitals_like(words, caption[slice(*span)])
