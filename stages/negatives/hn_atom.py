"""HN-Atom: one atom is replaced (paper, section 4.1 and table 2).

"A grill on top of the porch" becomes "a grill underneath the porch". The foil is an antonym of the atom, or has the same
grand-hypernym.
"""

from collections.abc import Iterator

from stages.graphs.graph import Atom
from stages.negatives import edits, nearness
from stages.negatives.candidate import Candidate
from stages.negatives.caption import Caption
from stages.negatives.vocabulary import Vocabulary


def candidates(caption: Caption, vocabulary: Vocabulary, near: bool, most: int) -> Iterator[Candidate]:
    """Yield the caption with each atom replaced by each of at most ``most`` foils.

    Args:
        near: take only foils up to the grand-hypernym.
    """
    for slot, atom in enumerate(caption.graph.atoms()):
        if not caption.places(atom.kind, atom.index) or not caption.active(atom):
            continue
        for foil in vocabulary.candidates(atom.kind, atom.text, near, most):
            yield replaced(caption, atom, foil, slot)


def replaced(caption: Caption, atom: Atom, foil: str, slot: int) -> Candidate:
    """Return the caption with ``foil`` in place of ``atom``."""
    edited = caption.with_foil(atom, foil)
    renamed = ((atom.text, foil),) if atom.kind == "object" else ()
    near = nearness.of(atom.kind, atom.text, foil)
    if isinstance(edited, str):
        return Candidate("", atom.kind, atom.text, (), caption.graph, foil=foil, slot=slot, nearness=near, reason=edited)
    claim, instead = edits.changed(edited.graph, atom), edits.changed(caption.graph, atom)
    return Candidate(edited.text, atom.kind, atom.text, edited.spans, edited.graph, claim, instead, foil, renamed, slot, near)
