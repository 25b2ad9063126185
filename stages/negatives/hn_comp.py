"""HN-Comp: the atoms of one compound are split over two, each completed with a wrong partner (paper, section 4.1 and table 2).

"A pink car" becomes "a blue car and a pink toy". With a relation, the subject and the object are split: "a cup on a table" becomes
"a cup on a shelf and a plate on a table".

In ``paper`` the truth is the one compound. In ``cleared`` it is two true compounds, "a pink car and a black wheel", because
otherwise its length gives it away; partners are foils or atoms of the second compound, as in "a black car and a pink wheel".
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, product
from typing import NamedTuple

from stages.contract.schemas import CLEARED, PAPER, PROTOCOLS
from stages.graphs.box import Box
from stages.graphs.graph import Atom, SceneGraph, Span
from stages.negatives import hn_atom, nearness
from stages.negatives.candidate import TRIED, Candidate, Truth, without_repeats
from stages.negatives.caption import Caption
from stages.negatives.checks import checked
from stages.negatives.evidence import Evidence
from stages.negatives.knowledge import Knowledge
from stages.negatives.meanings import LIKELY
from stages.negatives.second_compound import joined, joined_graph, second_compounds

TRUTHS = 4
"""Maximum number of second compounds tried for a query: it bounds time."""
Pair = tuple[Candidate, Candidate]


class Split(NamedTuple):
    """The two atoms of a compound that are split: attribute and object, or subject and object."""

    first: Atom
    second: Atom

    @classmethod
    def of(cls, graph: SceneGraph) -> "Split":
        if graph.attributes:
            o, attribute = graph.attributes[0]
            return cls(Atom("attribute", 0, attribute), Atom("object", o, graph.objects[o]))
        s, _, o = graph.relations[0]
        return cls(Atom("object", s, graph.objects[s]), Atom("object", o, graph.objects[o]))


class Halves:
    """A caption of one compound with another word for one of its two split atoms.

    What a half says does not depend on the crop, so all truths of a query share them.

    Args:
        most: maximum number of foils tried for an atom.

    Attributes:
        refused: by protocol, the number of refused halves, as "half " and the code of the failed check.
    """

    def __init__(self, caption: Caption, knowledge: Knowledge, most: int):
        self.caption, self.knowledge, self.split = caption, knowledge, Split.of(caption.graph)
        self.refused = {protocol: Counter[str]() for protocol in PROTOCOLS}
        self._most, self._made, self._usual = most, dict[tuple[Atom, str], Candidate](), dict[Atom, list[Candidate]]()

    def near(self, atom: Atom) -> list[Candidate]:
        """Return the halves with foils up to the grand-hypernym, the most common first."""
        return self._with(atom, self._foils(atom, near=True))

    def usual(self, atom: Atom) -> list[Candidate]:
        """Return the halves with any foil that people use like this, those that they say most often first."""
        if atom not in self._usual:
            halves = self._with(atom, self._foils(atom, near=False))
            sensible = [half for half in halves if self.knowledge.sensible(half.claim, half.instead)]
            self._usual[atom] = self.knowledge.most_common_first(sensible)
        return self._usual[atom]

    def valid(self, halves: Iterable[Candidate], protocol: str, caption: Caption | None = None) -> list[Candidate]:
        """Return the halves that pass the checks, are not known to be true, and whose foil is no other name of the atom's thing.

        :func:`_pairs` sees to it that the whole is false.

        Args:
            caption: the caption that they are halves of, where that is another.
        """
        valid = list[Candidate]()
        for half in checked(halves, caption or self.caption, self.knowledge, protocol, leave_out=("may_be_true",)):
            reason = half.reason
            if reason is None and (half.p_true or 0.0) >= LIKELY:
                reason = "may_be_true"
            elif reason is None and half.edit == "object" and self.knowledge.meanings.alike(half.atom, half.foil or ""):
                reason = "same_thing"
            if reason is None:
                valid.append(half)
            else:
                self.refused[protocol][f"half {reason}"] += 1
        return valid

    def _foils(self, atom: Atom, near: bool) -> list[str]:
        placed = self.caption.places(atom.kind, atom.index)
        return self.knowledge.vocabulary.candidates(atom.kind, atom.text, near, self._most) if placed else []

    def _with(self, atom: Atom, foils: Iterable[str]) -> list[Candidate]:
        new = [foil for foil in foils if (atom, foil) not in self._made]
        self._made.update(((atom, foil), half) for foil, half in zip(new, hn_atom.replaced(self.caption, atom, new), strict=True))
        return [self._made[atom, foil] for foil in foils]


def paper(halves: Halves, seed: str) -> list[Candidate]:
    """Return the pairs of wrong halves of a caption of one compound: each half has one of the split atoms, and a foil."""
    caption, knowledge = halves.caption, halves.knowledge
    first, second = (halves.valid(halves.near(atom), PAPER) for atom in reversed(halves.split))
    here = (Whole(caption.text, caption.graph, _spans(caption)),)
    return without_repeats([_pair(here, *pair) for pair in _pairs(first, second, knowledge.max_true, seed)], caption.text)


def cleared(
    halves: Halves, image: Evidence, crop: Box, fit: Callable[[Box], bool], seed: str
) -> Iterator[tuple[Truth, list[Candidate]]]:
    """Yield truths of two compounds, each with its candidates.

    ``image``, ``crop`` and ``fit`` are those of :func:`stages.negatives.second_compound.second_compounds`.
    """
    every = second_compounds(halves.caption, image, crop, fit, halves.knowledge)
    for number, found in enumerate(islice(every, TRUTHS)):
        wholes = [Whole(each.text, each.graph, _spans(each)) for each in found[:2]]
        if random.Random(f"{seed}:{number}").getrandbits(1):
            wholes.reverse()
        text, graph = joined(wholes[0].text, wholes[1].text), joined_graph(wholes[0].graph, wholes[1].graph)
        pairs = _split_over(halves, found.caption, found.second, f"{seed}:{number}")
        yield Truth(text, graph, crop=found.crop), without_repeats([_pair(wholes, *pair) for pair in pairs], text)


def _split_over(halves: Halves, caption: Caption, second: Caption, seed: str) -> Iterator[Pair]:
    """Yield pairs of wrong halves with the relations of the truth's two compounds."""
    split, other, knowledge = halves.split, Split.of(second.graph), halves.knowledge
    with_first, with_second = (
        _with_partner_or_foils(halves, caption, atom, partner.text)
        for atom, partner in ((split.second, other.second), (split.first, other.first))
    )
    if [r for _, r, _ in second.graph.relations] == [r for _, r, _ in caption.graph.relations]:
        yield from _pairs(with_first, with_second, knowledge.max_true, seed, (other.first.text, other.second.text))
        return
    # "A cup on a table and a dog under a bed" also becomes "a cup under a bed and a dog on a table".
    first_below, second_below = (
        halves.valid([_with_partner(second, atom, truth_part.text)], CLEARED, second)
        for atom, truth_part in ((other.first, split.first), (other.second, split.second))
    )
    yield from _pairs(first_below, with_second, knowledge.max_true, seed)
    yield from _pairs(with_first, second_below, knowledge.max_true, seed)


def _with_partner_or_foils(halves: Halves, caption: Caption, atom: Atom, partner: str) -> list[Candidate]:
    """Return the valid halves with ``partner``, the second compound's atom, which comes first, and with foils."""
    if not caption.places(atom.kind, atom.index):
        return []
    foils = [half for half in halves.usual(atom) if half.foil != partner]
    return halves.valid([_with_partner(caption, atom, partner), *foils[:TRIED]], CLEARED, caption)


def _with_partner(caption: Caption, atom: Atom, partner: str) -> Candidate:
    """Return the half with an atom of the other compound: no foil is nearer than what the truth itself names."""
    return replace(next(hn_atom.replaced(caption, atom, [partner])), nearness=None)


def _pairs(
    firsts: Sequence[Candidate], seconds: Sequence[Candidate], max_true: float, seed: str, partners: tuple[str, ...] = ()
) -> Iterator[Pair]:
    """Yield pairs of wrong halves of which at least one is false, each in a random order.

    Args:
        max_true: maximum probability of being true of what counts as false.
        partners: atoms of the second compound. All pairs with one of them are taken, and as many others, drawn at random, so that
        the second compound's words occur in negatives as often as in the truth.
    """
    draw = random.Random(f"{seed}:pairs")
    pairs = [pair for pair in product(firsts, seconds) if min(half.p_true or 0.0 for half in pair) <= max_true]
    if partners:
        with_partner = [pair for pair in pairs if any(half.foil in partners for half in pair)]
        others = [pair for pair in pairs if all(half.foil not in partners for half in pair)]
        pairs = with_partner + draw.sample(others, min(max(len(with_partner), 1), len(others)))
    for pair in pairs:
        yield pair if draw.getrandbits(1) else pair[::-1]


class Whole(NamedTuple):
    """A half of the truth, or all of a truth of one compound, with the place of each of its atoms."""

    text: str
    graph: SceneGraph
    spans: dict[tuple[str, int], Span]


def _spans(caption: Caption) -> dict[tuple[str, int], Span]:
    found = {(atom.kind, atom.index): caption.spans.of(atom) for atom in caption.graph.atoms()}
    return {key: span for key, span in found.items() if span is not None}


# A half stands in many pairs.
_canonical = lru_cache(1 << 12)(SceneGraph.canonical)


@lru_cache(1 << 12)
def _texts(graph: SceneGraph) -> dict[tuple[str, int], str]:
    """Return the text of each atom, by its kind and index."""
    return {(atom.kind, atom.index): atom.text for atom in graph.atoms()}


def _pair(truth: Sequence[Whole], one: Candidate, other: Candidate) -> Candidate:
    """Return two halves as one candidate; ``spans`` are the truth's spans whose atoms were replaced."""
    graph = joined_graph(one.graph, other.graph)
    repeats = _canonical(one.graph) == _canonical(other.graph) or one.foil in other.graph.objects or other.foil in one.graph.objects
    text = joined(one.caption, other.caption)
    spans, start = list[Span](), 0
    for whole, half in zip(truth, (one, other), strict=False):
        now, before = _texts(half.graph), _texts(whole.graph)
        spans += [(a + start, b + start) for key, (a, b) in whole.spans.items() if now.get(key) != before[key]]
        start = len(joined(whole.text, "")) if len(truth) > 1 else 0
    near = max(one.nearness or "", other.nearness or "", key=("", *nearness.NEARNESS).index)
    named = sorted((one, other), key=lambda half: half.edit)
    return Candidate(
        caption=text,
        edit="+".join(half.edit for half in named),
        atom=" | ".join(half.atom for half in named),
        spans=tuple(sorted(spans)),
        graph=graph,
        foil=" | ".join(half.foil or "" for half in named),
        nearness=near or None,
        reason="repeats" if repeats else None,
        p_true=min(one.p_true or 0.0, other.p_true or 0.0),
    )
