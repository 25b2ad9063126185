"""When a swap is a negative (paper, appendix A.4): what it says anew is ruled out by what is known, and somebody might say it."""

from math import prod, sqrt

from stages.foils.caption import Caption, Edited
from stages.foils.evidence import HOLDING, Evidence
from stages.foils.known_things import LIKELY
from stages.foils.meanings import ALIKE
from stages.foils.sorts import part_and_whole
from stages.foils.validity import EVERYBODYS, parts, pronouns_suit
from stages.graphs.graph import SceneGraph
from stages.language.lexicon import words
from stages.semantics import relations, selection, things
from stages.wording.inflection import is_verbal
from stages.wording.word_classes import is_person, is_worn_in


def reason(caption: Caption, edited: Edited, said: SceneGraph, sensible: bool, max_true: float) -> str | None:
    """Why a swap is no negative: it says nothing new, what may be true, or what nobody would say; ``None`` for a valid one. What it
    says anew is ``said`` (:func:`changes`)."""
    if len(set(edited.graph.attributes)) < len(edited.graph.attributes):
        return "repeats"
    renamed = [(a, b) for a, b in zip(caption.graph.objects, edited.graph.objects, strict=True) if a != b]
    if any(caption.known.meanings.alike(a, b) for a, b in renamed):
        return "near_name"
    if not pronouns_suit(edited.text, renamed):
        return "pronoun"
    if not parts(caption.graph).isdisjoint(a for a, _ in renamed):
        return "part"
    if not said.attributes and not said.relations:
        return "identical_graph"
    if any(relations.always(r, said.objects[o]) for _, r, o in said.relations):
        return "always_true"
    if caption.known.probability(said) >= LIKELY:
        symmetric = [relations.symmetric(r) for _, r, _ in said.relations]
        return "symmetric" if symmetric and all(symmetric) and not said.attributes else "true_of_another"
    emptied = selection.in_what_is_empty(edited.graph) - selection.in_what_is_empty(caption.graph)
    if not sensible or _dresses(caption, edited.graph) or emptied:
        return "senseless"
    return None if may_hold(caption.known, said) <= max_true else "may_be_true"


def _dresses(caption: Caption, after: SceneGraph) -> bool:
    """Does it put on somebody what nobody wears? A caption says "in jeans" of who has jeans by its graph."""
    return any(
        before == relation == "have"
        and not is_worn_in(after.objects[o])
        and "in" in [caption.text[slice(*p)] for p in caption.places("relation", i)]
        for i, ((_, before, _), (_, relation, o)) in enumerate(zip(caption.graph.relations, after.relations, strict=True))
    )


TAKEN = 0.1
"""By how much less often a thing is somewhere, or somebody's, of which it is known that it is elsewhere, or somebody else's."""


def may_hold(known: Evidence, said: SceneGraph) -> float:
    """How probable it is that all is true that a swap says anew.

    A cup that is on the table is not on the shelf. Parts are neither one nor independent: where one is true though unmentioned, as
    of the bikes along a road, another often is, too. So it lies midway, geometrically, between the least probable and the product.
    """
    parts = [known.attribute(said.objects[o], attribute) for o, attribute in said.attributes]
    for s, relation, o in said.relations:
        triple = said.objects[s], relation, said.objects[o]
        holds = known.triple(*triple)
        if unsaid(known, *triple):
            holds = max(holds, UNSAID)
        elif holds < LIKELY and taken(known, *triple):
            holds *= TAKEN
        parts.append(holds)
    return sqrt(min(parts, default=1.0) * prod(parts))


UNSAID = 0.3
"""The least probability of what goes without saying of two things that the crop shows."""
EVERYWHERE = words("city town village background scene")
"""What all is in that a picture shows."""
STANDING = words("tall wall building plant vehicle furniture person animal")
"""The kinds of what stands on the ground, if on nothing else."""
WRITTEN_ON = words("text sheet clothing vehicle container device")
"""The kinds of what mostly has a word, a number or a label on it."""
CLUTTERED = 2
"""Where so many things lie there may well be another that a hand holds."""


def unsaid(known: Evidence, subject: str, relation: str, object_: str) -> bool:
    """Does a relation go without saying of two things that the crop shows? A car has a window, a bag a logo, and everybody a
    shirt; what is on the side of a bus is on it, a pole stands on the ground, and on a desk that is full there may be a note."""
    subjects, objects = known.called(subject), known.called(object_)
    verb, place = relations.read(relation)
    at = [r for s, r, o in known.relations if s in subjects and o in objects]
    if not is_verbal(relation) and not all(relations.excludes(r, relation) for r in at):
        return True
    one, other = things.kinds(subject), things.kinds(object_)
    if not subjects or not objects:
        return False
    if part_and_whole(subject, relation, object_) or (verb in ("have", "wear") and is_person(subject) and object_ in EVERYBODYS):
        return True
    if verb == "have" or (not verb and place == "with"):
        return "mark" in other and bool(one & WRITTEN_ON)
    if verb:
        return False
    if place == "in":
        return object_ in EVERYWHERE
    if place == "on" and {"furniture", "top"} <= other:
        there = {s for s, r, o in known.relations if o in objects and relations.read(r).place == "on"}
        return "held" in one and len(there.difference(subjects)) >= CLUTTERED
    if place != "on":
        return False
    on_ground = other & {"ground", "way"} and one & STANDING and not taken(known, subject, relation, object_)
    return bool(on_ground) or ("mark" in one and bool(other & WRITTEN_ON))


def taken(known: Evidence, subject: str, relation: str, object_: str) -> bool:
    """Is all that is called ``subject`` known to be on, in or against other things, or all ``object_`` to be others'? Of what the
    crop does not show nothing is known."""
    verb, place = relations.read(relation)
    subjects, objects = known.called(subject), known.called(object_)
    if place in relations.TOUCHING_PLACES:
        at = [(s, o) for s, r, o in known.relations if relations.read(r).place in relations.TOUCHING_PLACES]
        # A counter may be called a desk, and what lies on a plate on a desk is on the desk.
        there = known.at(known.called(object_, ALIKE))
        there |= known.at(there)
        # Who is in a jacket may be anywhere, and what is in a kitchen anywhere in it.
        placed = {s for s, o in at if things.kinds(known.things[o].names[0]).isdisjoint(("clothing", "worn", "room"))} - there
        return bool(subjects) and set(subjects) <= placed and "room" not in things.kinds(object_)
    if verb in HOLDING or place in HOLDING:
        held = {o for s, r, o in known.relations if s not in subjects and not HOLDING.isdisjoint(relations.read(r))}
        return bool(objects) and set(objects) <= held
    return False


def changes(before: SceneGraph, after: SceneGraph) -> SceneGraph:
    """The attributes and relations that ``after`` says and ``before`` does not, in words."""
    old_attributes = {(before.objects[o], a) for o, a in before.attributes}
    old_relations = {(before.objects[s], r, before.objects[o]) for s, r, o in before.relations}
    attributes = [i for i, (o, a) in enumerate(after.attributes) if (after.objects[o], a) not in old_attributes]
    relations = [i for i, (s, r, o) in enumerate(after.relations) if (after.objects[s], r, after.objects[o]) not in old_relations]
    said_of = {after.attributes[i][0] for i in attributes} | {o for i in relations for o in after.relations[i][::2]}
    return after.induced(said_of, attributes, relations)
