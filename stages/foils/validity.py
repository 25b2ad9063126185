"""Why a candidate is no negative: a code, a small check and a test for each reason.

The checks come in the order of :data:`CHECKS`, words before pictures, and the first that fails names the reason. An atom in the way
of the negative's being false is looked for in everything that is known of the crop (:mod:`stages.graphs.evidence`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from stages.foils import attributes, edits, meanings, relations, vocabulary, wordnet
from stages.graphs.evidence import SAFE, Evidence, Verdict
from stages.graphs.graph import Atom, SceneGraph, Span

NO_THINGS = {
    f"noun.{sort}"
    for sort in ("act", "attribute", "cognition", "event", "feeling", "motive", "process", "relation", "state", "time")
}
"""WordNet's sorts of what no picture shows."""


@dataclass(frozen=True)
class Candidate:
    """The truth, and what becomes of it when ``atom`` at ``span`` gives way to ``foil``. ``known`` is the crop's truth."""

    truth: str
    truth_graph: SceneGraph
    atom: Atom
    span: Span
    foil: str
    caption: str
    graph: SceneGraph
    known: Evidence

    @property
    def slot(self) -> str:
        """The words that give way."""
        return self.truth[slice(*self.span)]

    @cached_property
    def verdict(self) -> Verdict:
        """What is known of what the edit makes the caption say."""
        return self.known.verdict(edits.changed(self.graph, self.atom))


# --- Words ------------------------------------------------------------------------------------------------------------------------


def same(c: Candidate) -> bool:
    """A foil that is the atom itself."""
    return c.foil == c.atom.text


def offensive(c: Candidate) -> bool:
    """A word that nobody should have to read."""
    return vocabulary.offensive(c.foil)


def synonym(c: Candidate) -> bool:
    """A couch is a sofa."""
    return c.foil in wordnet.synonyms(c.atom.text, wordnet.PARTS_OF_SPEECH[c.atom.kind])


def hypernym(c: Candidate) -> bool:
    """A dog is an animal."""
    return c.atom.kind == "object" and (wordnet.kind_of(c.atom.text, c.foil) or c.foil in wordnet.ANYTHING)


def hyponym(c: Candidate) -> bool:
    """An animal may be a dog."""
    return c.atom.kind == "object" and wordnet.kind_of(c.foil, c.atom.text)


def near_name(c: Candidate) -> bool:
    """A street may be called a road, a man a surfer."""
    return c.atom.kind == "object" and meanings.may_name(c.atom.text, c.foil)


def body_part(c: Candidate) -> bool:
    """Who has a head has hands, though nobody says so."""
    sense = wordnet.sense(c.foil) if c.atom.kind == "object" else None
    return sense is not None and sense.lexname() == "noun.body"


def no_thing(c: Candidate) -> bool:
    """A click is a part of a lock to WordNet, and to everybody else no thing that a picture shows."""
    if c.atom.kind != "object" or c.foil in wordnet.SENSES:
        return False
    found = wordnet.senses(c.foil, "n")
    return bool(found) and found[0].lexname() in NO_THINGS


def may_both_hold(c: Candidate) -> bool:
    """What is orange to one is red to another; what is navy is blue."""
    return c.atom.kind == "attribute" and attributes.implies(c.atom.text, c.foil)


def not_exclusive(c: Candidate) -> bool:
    """What is white may be furry too."""
    return c.atom.kind == "attribute" and not attributes.excludes(c.atom.text, c.foil)


def implied_relation(c: Candidate) -> bool:
    """Who sits on a bench is on it."""
    return c.atom.kind == "relation" and relations.implies(c.atom.text, c.foil)


def not_exclusive_relation(c: Candidate) -> bool:
    """Who walks a dog may look at it too; what is near a tree is not to the left of it if their boxes say so."""
    return c.atom.kind == "relation" and not relations.excludes(c.atom.text, c.foil) and c.verdict is not Verdict.FALSE


def worn(c: Candidate) -> bool:
    """Who is in trousers wears them: that they are not beside him goes without saying, and somebody else's may be."""
    said = edits.changed(c.truth_graph, c.atom)
    return c.atom.kind == "relation" and c.atom.text == "in" and meanings.is_clothing(said.objects[1])


def always_true(c: Candidate) -> bool:
    """Everything is under the sky."""
    said = edits.changed(c.graph, c.atom)
    return any(relations.always(r, said.objects[o]) for _, r, o in said.relations)


# --- The caption ------------------------------------------------------------------------------------------------------------------


def number(c: Candidate) -> bool:
    """No "two grasses", no "a pants"."""
    return not edits.fits(c.atom.kind, c.slot, c.foil)


def repeats(c: Candidate) -> bool:
    """No "a dog next to a dog"."""
    return c.atom.kind == "object" and any(
        meanings.may_name(name, c.foil) for i, name in enumerate(c.truth_graph.objects) if i != c.atom.index
    )


def identical_caption(c: Candidate) -> bool:
    """The edit changes no letter that counts."""
    return " ".join(c.caption.lower().split()) == " ".join(c.truth.lower().split())


def identical_graph(c: Candidate) -> bool:
    """The edit says the same in another way."""
    # Graphs of other words are not the same; only of those that have the same is it costly to ask.
    return _texts(c.graph) == _texts(c.truth_graph) and c.graph.canonical() == c.truth_graph.canonical()


def _texts(graph: SceneGraph) -> list[str]:
    return sorted(atom.text for atom in graph.atoms())


# --- The picture ------------------------------------------------------------------------------------------------------------------


def symmetric(c: Candidate) -> bool:
    """It is true because "the cup next to the plate" says "the plate next to the cup"."""
    said = edits.changed(c.graph, c.atom)
    return any(
        relations.symmetric(r) and c.known.triple(said.objects[o], r, said.objects[s]) is Verdict.TRUE for s, r, o in said.relations
    )


def true_of_object(c: Candidate) -> bool:
    """The thing itself is known to be so."""
    return c.atom.kind == "attribute" and c.known.count(_bearer(c)) <= 1 and c.verdict is Verdict.TRUE


def true_of_another(c: Candidate) -> bool:
    """Another thing of the kind, or the pair that the foil makes, is known to be so."""
    return c.verdict is Verdict.TRUE


def unsettled(c: Candidate) -> bool:
    """Nothing that is known rules it out: another car may be blue, a bird that is there may be on the table."""
    return c.verdict not in SAFE


def _bearer(c: Candidate) -> str:
    return c.graph.objects[c.graph.attributes[c.atom.index][0]]


CHECKS: tuple[Callable[[Candidate], bool], ...] = (
    *(same, offensive, synonym, hypernym, hyponym, near_name, body_part, no_thing, may_both_hold, not_exclusive, implied_relation),
    *(not_exclusive_relation, worn, always_true, number, repeats, identical_caption, identical_graph),
    *(symmetric, true_of_object, true_of_another, unsettled),
)


def reason(candidate: Candidate) -> str | None:
    """The code of the first check that the candidate fails, or ``None`` for a valid one."""
    return next((check.__name__ for check in CHECKS if check(candidate)), None)
