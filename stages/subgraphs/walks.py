"""Random walks over a scene graph, and the subgraphs of exactly n atoms that they find (paper, appendix A.3)."""

from collections import Counter
from collections.abc import Callable, Collection
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import NamedTuple

from stages.graphs.graph import SceneGraph
from stages.semantics import usage as usage_counts
from stages.semantics.usage import is_seen
from stages.semantics.wordnet import part_of
from stages.text.attributes import is_participle, pile_up
from stages.text.grammar_words import PREPOSITIONS
from stages.text.inflection import is_verbal
from stages.text.same_names import is_a_kind_of, sound_alike
from stages.text.unusual_words import weight
from stages.text.word_classes import attribute_place, is_body_part, is_person, is_worn_in
from stages.text.wordnet import wordnet


class Step(NamedTuple):
    """A compound of the graph: ``kind`` and ``place`` identify its attribute or relation, ``objects`` its objects."""

    kind: str
    place: int
    objects: tuple[int, ...]


class Map:
    """A scene graph as an index for walks: the compounds of each object, and its connected component.

    With ``one_relation_a_pair`` two objects have at most one relation, the more common one: "a man has and wears a hat"
    has five atoms and no more content than one with four. No walk goes to the atoms ``unsayable`` (kind, index), or takes more than
    ``most_attributes`` of one object, or of one object two attributes or two places that people do not combine: "a blank empty
    frame", "a cd on a desk and on a drawer".
    """

    def __init__(
        self,
        graph: SceneGraph,
        one_relation_a_pair: bool = False,
        unsayable: Collection[tuple[str, int]] = (),
        most_attributes: int = 3,
    ):
        self.graph, self.most_attributes = graph, most_attributes
        closed = {index for kind, index in unsayable if kind == "object"}
        self.objects = [o for o in range(len(graph.objects)) if o not in closed]
        self.steps: list[list[Step]] = [[] for _ in graph.objects]
        for place, (o, _) in enumerate(graph.attributes):
            if o not in closed and ("attribute", place) not in unsayable:
                self.steps[o].append(Step("attribute", place, (o,)))
        open_ = [
            place for place, (s, _, o) in enumerate(graph.relations) if not closed & {s, o} and ("relation", place) not in unsayable
        ]
        places = _best_of_pairs(graph, open_) if one_relation_a_pair else open_
        for place in places:
            s, _, o = graph.relations[place]
            for end in sorted({s, o}):
                self.steps[end].append(Step("relation", place, (s, o)))
        joined = SceneGraph(graph.objects, (), tuple(graph.relations[place] for place in places))
        self.component = {o: component for component in joined.components() for o in component}

    def jar(self, one: Step, other: Step) -> bool:
        """Return whether people never combine the two steps."""
        if one.kind != other.kind:
            return False
        if one.kind == "attribute":
            same_objects = one.objects == other.objects
            return same_objects and pile_up(self.graph.attributes[one.place][1], self.graph.attributes[other.place][1])
        a, b = (self.graph.relations[step.place][1] for step in (one, other))
        # "A plate is on a table, and a glass is standing on the table".
        if one.objects[-1] == other.objects[-1] and a.split()[-1] == b.split()[-1]:
            return True
        # "Sitting at a desk and sitting in a chair", "flying a kite flying in the air".
        if set(one.objects) & set(other.objects) and is_verbal(a) and a != b and a.split()[0] == b.split()[0]:
            return True
        if one.objects[0] != other.objects[0]:
            return False
        # "Under a desktop and under a desk".
        if a == b and not is_verbal(a) and a not in OWNED:
            return True
        return all(bears(self.graph, step.place) for step in (one, other))


def strange(graph: SceneGraph) -> set[tuple[str, int]]:
    """Return atoms that do not belong into captions, as kind and index: unseen ones, and relations unusual for their ends.

    An example is "a table on a cup". No negative has such atoms either, so a truth with them would stand out.
    """
    said = usage_counts.shipped()
    return {("object", i) for i, name in enumerate(graph.objects) if not is_seen(name)} | {
        ("relation", i)
        for i, (s, relation, o) in enumerate(graph.relations)
        if said.relation(graph.objects[s], relation, graph.objects[o]) < usage_counts.MIN_ASSOCIATION
    }


def bears(graph: SceneGraph, place: int) -> bool:
    """Return whether a relation says on or in what its subject is; "a man in a shirt" is not at a place."""
    subject, relation, _ = graph.relations[place]
    worn = relation == "in" and is_person(graph.objects[subject])
    return not worn and (relation.split()[-1] in ("on", "in", "inside", "onto") or relation == "on top of")


def _best_of_pairs(graph: SceneGraph, places: list[int]) -> list[int]:
    """Return for each two objects one of the relations at ``places``: verbs before prepositions, then the most usual."""

    def said(place: int) -> tuple[bool, int, int]:
        s, relation, o = graph.relations[place]
        often = weight(graph.objects[s], relation, graph.objects[o])
        return relation != "have" and is_verbal(relation) and often > 0, often, -place

    best: dict[frozenset[int], int] = {}
    for place in places:
        pair = frozenset((graph.relations[place][0], graph.relations[place][2]))
        best[pair] = max(best.get(pair, place), place, key=said)
    return sorted(best.values())


def walk(world: Map, n: int, random: Random) -> tuple[SceneGraph, tuple[int, ...]] | None:
    """Walk until ``n`` atoms are found; return ``None`` where the walk ends with fewer, or could only continue to more.

    The walk starts at a random object. Each step adds a compound of the current object with at least one new atom, and no
    more than are missing: along a relation the walk moves to the other object, after an attribute it stays. Where that object has
    no such compound it continues from a random visited object of the same component that has one, and when all of that
    component is found, from a random object of another.

    Returns:
        The subgraph, and the index of each of its objects in the whole graph.
    """
    if not world.objects:
        return None
    here = world.objects[random.randrange(len(world.objects))]
    objects, found = {here}, list[Step]()
    while (missing := n - len(objects) - len(found)) > 0:
        steps = _fitting(world, here, objects, found, missing)
        if steps:
            step = random.choice(steps)
            found.append(step)
            objects.update(step.objects)
            here = next((o for o in step.objects if o != here), here)
            continue
        # Sorted, because sets have no order.
        in_component = sorted(objects & world.component[here])
        passed = [o for o in in_component if _fitting(world, o, objects, found, missing)]
        if passed:
            here = random.choice(passed)
            continue
        elsewhere = [o for o in world.objects if not world.component[o] & objects]
        left = any(_fitting(world, o, objects, found, n) for o in in_component)
        if left or not elsewhere:
            return None
        here = random.choice(elsewhere)
        objects.add(here)
    attributes, relations = ([step.place for step in found if step.kind == kind] for kind in ("attribute", "relation"))
    return world.graph.induced(objects, attributes, relations), tuple(sorted(objects))


def _fitting(world: Map, here: int, objects: set[int], steps: list[Step], missing: int) -> list[Step]:
    """Return the steps from ``here`` that add new atoms, but not too many."""
    described = sum(step.kind == "attribute" and step.objects == (here,) for step in steps)
    return [
        step
        for step in world.steps[here]
        if step not in steps
        and len(set(step.objects) - objects) < missing
        and (step.kind == "relation" or described < world.most_attributes)
        and not any(world.jar(step, other) for other in steps)
    ]


def indistinguishable(graph: SceneGraph, same_place: Callable[[int, int], bool] = lambda one, other: False) -> bool:
    """Return whether the subgraph has two objects that its words do not distinguish, as in "a lamb and a lamb" (paper, footnote 2).

    Two objects are distinguished by their name, attributes and relations. ``same_place`` returns for two indices whether the
    objects are in the same place: two of one name there are one thing, annotated twice.
    """
    alike = _namesakes(graph)
    return bool(alike) and (any(same_place(i, j) for i, j in alike) or any(count > 1 for _, count in graph.canonical()[0]))


def _namesakes(graph: SceneGraph) -> list[tuple[int, int]]:
    """Return all pairs of objects of the same name."""
    return [(i, j) for i, j in combinations(range(len(graph.objects)), 2) if graph.objects[i] == graph.objects[j]]


OWNED = ("have", "with", "wear", "in")
"""Relations to things that somebody or something has only one of."""


def one_thing_twice(graph: SceneGraph, same_place: Callable[[int, int], bool]) -> bool:
    """Return whether two objects are one thing under two names, as a board and a corkboard.

    Or, if in one place or both had or worn by one, as pants and jeans.
    """
    owners: dict[int, set[int]] = {}
    for s, relation, o in graph.relations:
        if relation in OWNED:
            owners.setdefault(o, set()).add(s)

    def one_thing(i: int, j: int) -> bool:
        if sound_alike(graph.objects[i], graph.objects[j]):
            return True
        near = same_place(i, j) or owners.get(i, set()) & owners.get(j, set())
        return bool(near) and is_a_kind_of(graph.objects[i], graph.objects[j])

    return any(one_thing(i, j) for i, j in combinations(range(len(graph.objects)), 2) if graph.objects[i] != graph.objects[j])


def indistinct(graph: SceneGraph) -> bool:
    """Return whether two objects of one name have no distinguishing attribute each: "shelves on another shelf".

    Or nothing but that: "large windows and open windows".
    """
    attributes = [set(graph.attributes_of(i)) for i in range(len(graph.objects))]
    joined = {end for s, _, o in graph.relations for end in (s, o)}
    return any(
        attributes[i] <= attributes[j] or attributes[j] <= attributes[i] or not {i, j} & joined for i, j in _namesakes(graph)
    )


def bare(graph: SceneGraph) -> bool:
    """Return whether something is too bare to name: "a lady with hair", "a leg", "a drawer of a desk", "and also a chair".

    Clothes that nobody wears are, too: "and also a red shirt".
    """
    joined = [end for s, _, o in graph.relations for end in (s, o)]
    described, deeds = {o for o, _ in graph.attributes}, {s for s, _, _ in graph.relations}
    alone = [i for i in range(len(graph.objects)) if i not in joined]
    owned = [o for _, relation, o in graph.relations if relation in ("have", "with") and o not in described and o not in deeds]
    parts = [name for name in (graph.objects[i] for i in alone + owned) if is_body_part(name) or is_part_of_garment(name)]
    parts += [
        graph.objects[s]
        for s, relation, o in graph.relations
        if relation == "of" and s not in described and joined.count(s) == 1 and part_of(graph.objects[s], graph.objects[o])
    ]
    return bool(parts) or any(is_worn_in(graph.objects[i]) or i not in described for i in alone)


def many_garments(graph: SceneGraph) -> bool:
    """Return whether somebody wears more than "a man in a shirt is wearing a hat" can name."""
    worn: dict[int, list[str]] = {}
    for s, relation, o in graph.relations:
        if relation == "wear" or (relation in OWNED and is_person(graph.objects[s]) and is_worn_in(graph.objects[o])):
            worn.setdefault(s, []).append(graph.objects[o])
    return any(len(names) > 2 or (len(names) == 2 and not any(map(is_worn_in, names))) for names in worn.values())


def _places(graph: SceneGraph) -> list[tuple[int, int]]:
    """Return the ends of the relations that give a place; "in" may also mean worn."""
    return [(s, o) for s, relation, o in graph.relations if relation not in (*OWNED, "of") and relation.split()[-1] in PREPOSITIONS]


def stacked_thrice(graph: SceneGraph) -> bool:
    """Return whether places are nested three deep: "bikes behind a man near a tree next to a street"."""
    at = _places(graph)
    return any(o == t and u == v for _, o in at for t, u in at for v, _ in at)


def awkwardness(graph: SceneGraph) -> int:
    """Return how much a caption has to state besides one thing and its place.

    It counts unconnected things, further things in one place, further places of one thing, places of places ("a chair near a table
    next to a window"), states of things mentioned in passing ("at a desk that is cluttered"), and garments without attributes.
    """
    at = _places(graph)
    placed, places = Counter(s for s, _ in at), Counter(o for _, o in at)
    further = sum(count - 1 for counts in (placed, places) for count in counts.values())
    described = {o for o, _ in graph.attributes}
    plain = sum(is_worn_in(graph.objects[o]) and o not in described for _, relation, o in graph.relations if relation in OWNED)
    passed = {o for _, _, o in graph.relations}
    states = sum(o in passed and attribute_place(a) == "after" and not is_participle(a) for o, a in graph.attributes)
    owned, owners = ({r[end] for r in graph.relations if r[1] in ("have", "with")} for end in (2, 0))
    stacked = len(placed.keys() & places.keys()) + len(owned & owners)
    return APART * (len(graph.components()) - 1) + further + stacked + states + plain


APART = 2
"""Awkwardness of an unconnected thing, compared with a further thing at one place."""


MAX_AWKWARD = 2
"""Maximum awkwardness; beyond it is: "a bar stool, a bowl, a handle and a logo"."""


def awkward(graph: SceneGraph) -> bool:
    """Return whether the caption would be a list, or a path from one place to the next."""
    return awkwardness(graph) > MAX_AWKWARD


CLUMSY = (indistinct, bare, many_garments, awkward, stacked_thrice)
"""Faults of a subgraph for which no caption reads well."""


@lru_cache(maxsize=65536)
def is_part_of_garment(noun: str) -> bool:
    """Return whether a noun mainly names a part of a garment: a sleeve, a collar."""
    senses = wordnet().synsets(noun.split()[-1], "n")
    return bool(senses) and any(whole.name() == "garment.n.01" for whole in senses[0].part_holonyms())
