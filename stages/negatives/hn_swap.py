"""HN-Swap: atoms of the same type change places (paper, table 2 and appendix A.4).

"Yellow vase on top of television" becomes "yellow television on top of vase". The atoms stay; only who has what differs.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import replace as copy
from itertools import combinations, permutations
from math import factorial

from stages.contract.schemas import PAPER
from stages.graphs.graph import SceneGraph, Span
from stages.negatives import edits
from stages.negatives.candidate import Candidate
from stages.negatives.caption import Caption, Edited, lowered, removed
from stages.semantics.attributes import same_class
from stages.text.inflection import inflect_like, is_verbal
from stages.text.spans import replace
from stages.text.word_classes import attribute_place

LOW = 4
"""The complexity up to which appendix A.4 allows any permutation of atoms of one type; table 2, and ``cleared``, at any."""
_ANOTHER = re.compile(r"\banother\b", re.IGNORECASE)
ORDERS = 60
"""Maximum number of permutations of the atoms of one type: where there are more, some that turn three atoms are drawn. It bounds
time."""


def candidates(caption: Caption, protocol: str) -> Iterator[Candidate]:
    """Yield the caption after every swap that A.4 lists, and after permutations of several atoms of one type."""
    several = protocol != PAPER or caption.graph.n <= LOW
    for edit, atoms, edited in (*_pairs(caption), *(_permutations(caption) if several else ())):
        if isinstance(edited, str):
            yield Candidate("", edit, atoms, (), caption.graph, reason=edited)
            continue
        if _ANOTHER.findall(edited.text) != _ANOTHER.findall(caption.text):
            yield Candidate("", edit, atoms, (), caption.graph, reason="reference")
            continue
        renamed = tuple((a, b) for a, b in zip(caption.graph.objects, edited.graph.objects, strict=True) if a != b)
        claim = edits.changes(caption.graph, edited.graph)
        yield Candidate(edited.text, edit, atoms, edited.spans, edited.graph, claim, renamed=renamed)


def _pairs(caption: Caption) -> Iterator[tuple[str, str, Edited | str]]:
    """Yield the edit, the atoms and the edited caption of every pair of atoms of one type, and of every attribute that moves."""
    graph = caption.graph
    related = {frozenset((s, o)) for s, _, o in graph.relations}
    for a, b in combinations(range(len(graph.objects)), 2):
        kind = "subject_object" if frozenset((a, b)) in related else "objects"
        yield kind, _named(graph, a, b), caption.renamed({a: graph.objects[b], b: graph.objects[a]})
        if graph.attributes_of(a) or graph.attributes_of(b):
            yield f"{kind}_with_attributes", _named(graph, a, b), phrases_swapped(caption, a, b)
    for i, j in combinations(range(len(graph.attributes)), 2):
        if graph.attributes[i][0] != graph.attributes[j][0]:
            yield "attributes", f"{graph.attributes[i][1]} | {graph.attributes[j][1]}", attributes_permuted(caption, {i: j, j: i})
    for i in range(len(graph.attributes)):
        for o in range(len(graph.objects)):
            if o != graph.attributes[i][0]:
                yield "attribute_moved", f"{graph.attributes[i][1]} | {graph.objects[o]}", attribute_moved(caption, i, o)
    for i, j in combinations(range(len(graph.relations)), 2):
        yield "relations", f"{graph.relations[i][1]} | {graph.relations[j][1]}", relations_permuted(caption, {i: j, j: i})


def _permutations(caption: Caption) -> Iterator[tuple[str, str, Edited | str]]:
    """Permutations of three and more atoms of one type."""
    graph = caption.graph
    draw = random.Random(caption.text)
    for order in _orders(len(graph.objects), draw):
        yield "objects_permuted", " | ".join(graph.objects), caption.renamed({o: graph.objects[p] for o, p in order.items()})
    for order in _orders(len(graph.attributes), draw):
        yield "attributes_permuted", " | ".join(a for _, a in graph.attributes), attributes_permuted(caption, order)
    for order in _orders(len(graph.relations), draw):
        yield "relations_permuted", " | ".join(r for _, r, _ in graph.relations), relations_permuted(caption, order)


def _orders(n: int, draw: random.Random) -> list[dict[int, int]]:
    """Orders of ``n`` atoms in which more than two change places: all if they are few, otherwise some that turn three atoms."""
    if factorial(n) <= ORDERS:
        found = [{i: j for i, j in enumerate(order) if i != j} for order in permutations(range(n))]
        return [order for order in found if len(order) > 2]
    turned = [turn for a, b, c in combinations(range(n), 3) for turn in ({a: b, b: c, c: a}, {a: c, c: b, b: a})]
    return draw.sample(turned, min(ORDERS, len(turned)))


def _named(graph: SceneGraph, a: int, b: int) -> str:
    return f"{graph.objects[a]} | {graph.objects[b]}"


# --- Edits ----------------------------------------------------------------------------------------------------------


def phrases_swapped(caption: Caption, a: int, b: int) -> Edited | str:
    """Return the caption after two objects swapped places together with their attributes: "television on top of yellow vase"."""
    owned = [i for i, (o, _) in enumerate(caption.graph.attributes) if o in (a, b)]
    if any(attribute_place(caption.graph.attributes[i][1]) != "before" for i in owned):
        return "attribute_after_noun"
    if any(len(caption.places("attribute", i)) != 1 for i in owned):
        return "reference"
    if any(not _in_phrase(caption, i) for i in owned):
        return "attribute_after_noun"
    return caption.renamed({a: caption.graph.objects[b], b: caption.graph.objects[a]}, {a: b, b: a})


def _in_phrase(caption: Caption, i: int) -> bool:
    """Whether attribute ``i`` stands before its noun."""
    owner = caption.graph.attributes[i][0]
    spans, phrases = caption.places("attribute", i), caption.phrases[owner]
    return bool(spans and phrases) and phrases[0].middle[0] <= spans[0][0] < phrases[0].middle[1]


def attributes_permuted(caption: Caption, order: dict[int, int]) -> Edited | str:
    """Return the caption with attribute ``order[i]`` in place of each attribute ``i`` of ``order``."""
    graph = caption.graph
    kinds = {attribute_place(graph.attributes[i][1]) for i in order}
    if len(kinds) > 1:
        return "attribute_after_noun"
    attributes = tuple((o, graph.attributes[order.get(i, i)][1]) for i, (o, _) in enumerate(graph.attributes))
    edited = _permuted(caption, "attribute", order, copy(graph, attributes=attributes))
    if isinstance(edited, Edited) and any(_clash(caption, edited.graph, o) for o in {graph.attributes[i][0] for i in order}):
        return "two_attributes"
    return edited


def _clash(caption: Caption, after: SceneGraph, o: int) -> bool:
    """Return whether an object now has two attributes of one class, or a word of another class in an attribute's place.

    "A gray white monitor" contradicts itself, and nobody says "a wooden small cup".
    """
    before, now = caption.graph.attributes_of(o), after.attributes_of(o)
    if len(now) < 2:
        return False
    return any(same_class(a, b) for a, b in combinations(now, 2)) or any(
        a != b and not same_class(a, b) for a, b in zip(before, now, strict=True)
    )


def relations_permuted(caption: Caption, order: dict[int, int]) -> Edited | str:
    """Return the caption with relation ``order[i]`` in place of each relation ``i`` of ``order``."""
    graph = caption.graph
    # "is wearing a hat and on a bench" is no good English: verbs change places with verbs.
    if len({is_verbal(graph.relations[i][1]) and graph.relations[i][1] != "have" for i in order}) > 1:
        return "verb_and_preposition"
    relations_ = tuple((s, graph.relations[order.get(i, i)][1], o) for i, (s, _, o) in enumerate(graph.relations))
    return _permuted(caption, "relation", order, copy(graph, relations=relations_))


def _permuted(caption: Caption, kind: str, order: dict[int, int], after: SceneGraph) -> Edited | str:
    """The caption that says ``after``, in which the atoms ``order`` of a kind are others: each is said in the old one's places."""
    now = {atom.index: atom.text for atom in after.atoms() if atom.kind == kind}
    before = {atom.index: atom.text for atom in caption.graph.atoms() if atom.kind == kind}
    places = [(place, now[i]) for i in sorted(order) for place in caption.places(kind, i)]
    if not places:
        return "no_place"
    if len(places) > len(order):
        return "reference"
    # "A man in a shirt" has "wear" in his graph: no word of the caption's could change places with another.
    if any(not _says(caption, place, before[i], kind) for i in sorted(order) for place in caption.places(kind, i)):
        return "said_otherwise"
    spans = [place for place, _ in places]
    words = [edits.inflect_at(caption.text, place, kind, text) for place, text in places]
    return Edited(replace(caption.text, spans, words), tuple(sorted(spans)), after)


def _says(caption: Caption, place: Span, text: str, kind: str) -> bool:
    slot = caption.text[slice(*place)]
    return inflect_like(text, slot, kind).lower() == slot.lower()


def attribute_moved(caption: Caption, i: int, o: int) -> Edited | str:
    """Return the caption with attribute ``i`` moved before the noun of object ``o``: "a cup on a red table"."""
    graph = caption.graph
    owner, attribute = graph.attributes[i]
    if attribute_place(attribute) != "before":
        return "attribute_after_noun"
    if any(same_class(attribute, own) for own in graph.attributes_of(o)):
        # "a yellow pink flower" may be said of a pink flower.
        return "two_of_a_class"
    if caption.phrases[o] and caption.text[slice(*caption.phrases[o][0].middle)]:
        # "a wooden small red cup": adjectives have an order.
        return "two_attributes"
    if not caption.phrases[o] or len(caption.places("attribute", i)) != 1 or not _in_phrase(caption, i):
        return "attribute_after_noun"
    old, new = caption.phrases[owner][0], caption.phrases[o][0]
    rest = removed(caption.text[slice(*old.middle)], caption.text[slice(*caption.places("attribute", i)[0])])
    if rest is None:
        return "attribute_after_noun"
    pieces = [
        ((old.start, old.noun[1]), caption.rewritten(old, rest)),
        ((new.start, new.noun[1]), caption.rewritten(new, f"{attribute} {lowered(caption.text[slice(*new.middle)])}")),
    ]
    attributes = tuple((o, a) if k == i else (w, a) for k, (w, a) in enumerate(graph.attributes))
    return caption.substituted(pieces, copy(graph, attributes=attributes))
