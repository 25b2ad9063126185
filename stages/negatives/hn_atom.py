"""HN-Atom: one atom is replaced (paper, section 4.1 and table 2).

"A grill on top of the porch" becomes "a grill underneath the porch". The foil is an antonym of the atom, or has the same
grand-hypernym.
"""

from collections.abc import Iterable, Iterator

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
        if caption.places(atom.kind, atom.index) and caption.active(atom):
            yield from replaced(caption, atom, vocabulary.candidates(atom.kind, atom.text, near, most), slot)


def replaced(caption: Caption, atom: Atom, foils: Iterable[str], slot: int = 0) -> Iterator[Candidate]:
    """Yield the caption with each of ``foils`` in place of ``atom``."""
    instead = edits.changed(caption.graph, atom)
    for foil in foils:
        edited = caption.with_foil(atom, foil)
        renamed = ((atom.text, foil),) if atom.kind == "object" else ()
        near = nearness.of(atom.kind, atom.text, foil)
        if isinstance(edited, str):
            yield Candidate("", atom.kind, atom.text, (), caption.graph, foil=foil, slot=slot, nearness=near, reason=edited)
        else:
            text, spans, graph = edited
            claim = edits.changed(graph, atom)
            yield Candidate(text, atom.kind, atom.text, spans, graph, claim, instead, foil, renamed, slot, near)
