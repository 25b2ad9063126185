"""Edits of a caption's spans. Nothing is ever searched for in the caption's letters.

Only what stands in a span changes, and an article that stands right before one: "an orange car" becomes "a red car".
"""

from collections.abc import Sequence
from dataclasses import replace as copy

from stages.graphs.graph import Atom, SceneGraph, Span
from stages.semantics import relations
from stages.text.inflection import can_take, inflect_like, is_verbal, number_of
from stages.text.normal import verb_base
from stages.text.number import number_in
from stages.text.spans import replace
from stages.text.word_classes import IN_PAIRS, is_person, uncountable


def fits(kind: str, caption: str, span: Span, foil: str, own: str = "") -> bool:
    """Return whether ``foil`` (normal form) can take the number or the verb form of the words at ``span`` of a caption.

    No "two grasses", no "a pants"; and after "has caught" or "is covered by" no other verb but a posture ("seated on"). Of ``own``,
    the atom that is named there, what one wears several of does not become what one wears one of: no man wears hats.
    """
    slot = caption[slice(*span)]
    if kind == "object":
        number = number_in(caption, span)
        several = own.rsplit(" ", 1)[-1] in IN_PAIRS and number == "plural"
        several = several or (number_of(own) == "plural" and not is_person(own))
        if several and number_of(foil) != "plural" and foil.rsplit(" ", 1)[-1] not in IN_PAIRS:
            return False
        uncounted = number == "singular" and (uncountable(foil) or foil.rsplit(" ", 1)[-1] in IN_PAIRS)
        return can_take(foil, number) and not uncounted
    if kind == "attribute" or not is_verbal(slot) or not is_verbal(foil):
        return True
    first = slot.split()[0].lower()
    passive = not first.endswith(("ing", "s")) and verb_base(first) != first
    return not passive or relations.read(foil).verb in relations.POSTURES


def foil_caption(caption: str, spans: Sequence[Span], kind: str, foil: str) -> str:
    """Return ``caption`` with ``foil`` at each of ``spans``, in the number, verb form and capitals of the words there."""
    return replace(caption, spans, [inflect_at(caption, span, kind, foil) for span in spans])


def inflect_at(caption: str, span: Span, kind: str, text: str) -> str:
    """Return the atom ``text`` in the number, verb form and capitals of the words at ``span`` of ``caption``."""
    return inflect_like(text, caption[slice(*span)], kind, number_in(caption, span) if kind == "object" else None)


def foil_graph(graph: SceneGraph, atom: Atom, foil: str) -> SceneGraph:
    """Return ``graph`` with ``atom`` replaced by ``foil``."""
    i = atom.index
    if atom.kind == "object":
        return copy(graph, objects=(*graph.objects[:i], foil, *graph.objects[i + 1 :]))
    if atom.kind == "attribute":
        return copy(graph, attributes=(*graph.attributes[:i], (graph.attributes[i][0], foil), *graph.attributes[i + 1 :]))
    subject, _, object_ = graph.relations[i]
    return copy(graph, relations=(*graph.relations[:i], (subject, foil, object_), *graph.relations[i + 1 :]))


def changed(graph: SceneGraph, atom: Atom) -> SceneGraph:
    """Return the part of an edited ``graph`` that speaks of ``atom``: its compounds, or the bare object where it has none."""
    if atom.kind == "attribute":
        o, text = graph.attributes[atom.index]
        return SceneGraph((graph.objects[o],), ((0, text),))
    if atom.kind == "relation":
        s, text, o = graph.relations[atom.index]
        return SceneGraph((graph.objects[s], graph.objects[o]), (), ((0, text, 1),))
    attributes = [i for i, (o, _) in enumerate(graph.attributes) if o == atom.index]
    relations = [i for i, (s, _, o) in enumerate(graph.relations) if atom.index in (s, o)]
    partners = (o for i in relations for o in graph.relations[i][::2])
    return graph.induced({atom.index, *partners}, attributes, relations)


def changes(before: SceneGraph, after: SceneGraph) -> SceneGraph:
    """Return the attributes and relations that ``after`` says and ``before`` does not, by their words."""
    old_attributes = {(before.objects[o], a) for o, a in before.attributes}
    old_relations = {(before.objects[s], r, before.objects[o]) for s, r, o in before.relations}
    attributes = [i for i, (o, a) in enumerate(after.attributes) if (after.objects[o], a) not in old_attributes]
    relations = [i for i, (s, r, o) in enumerate(after.relations) if (after.objects[s], r, after.objects[o]) not in old_relations]
    said_of = {after.attributes[i][0] for i in attributes} | {o for i in relations for o in after.relations[i][::2]}
    return after.induced(said_of, attributes, relations)
