"""The definition of each type of negative, checked by graphs and, independently, by words (CREPE, Table 2 and appendix A.4).

Each rule takes a set as the tables store it and yields its faults, in words. Nothing here comes from the stages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.plain_words import NEGATION, bag, key, stem, stems, tails, without

FILLERS = frozenset(stems("there is that something do"))
"""Stems that a denial may add: "there is no cup", "a cup that is not red", "does not have", "something … there is no cup"."""


class Graph(NamedTuple):
    """A scene graph, as in the tables' three columns."""

    objects: tuple[str, ...]
    attributes: tuple[tuple[int, str], ...]
    relations: tuple[tuple[int, str, int], ...]

    @classmethod
    def of(cls, row: dict[str, Any]) -> Graph:
        """Return the graph of a table's row."""
        return cls(
            tuple(row["objects"]),
            tuple((said["object"], said["attribute"]) for said in row["attributes"]),
            tuple((said["subject"], said["relation"], said["object"]) for said in row["relations"]),
        )

    @property
    def n(self) -> int:
        """Return the complexity: the number of atoms."""
        return sum(map(len, self))

    def atoms(self) -> Counter[tuple[str, str]]:
        """Return how often the graph has each atom, as (kind, text)."""
        said = [("attribute", text) for _, text in self.attributes] + [("relation", text) for _, text, _ in self.relations]
        return Counter([("object", name) for name in self.objects] + said)

    def compounds(self) -> list[tuple[str, ...]]:
        """Return (attribute, object) and (subject, relation, object) of each compound."""
        pairs = [(text, self.objects[o]) for o, text in self.attributes]
        return [*pairs, *((self.objects[s], text, self.objects[o]) for s, text, o in self.relations)]

    def shape(self) -> tuple:
        """Return the number of objects and the objects of each attribute and relation, without any text."""
        return len(self.objects), tuple(o for o, _ in self.attributes), tuple((s, o) for s, _, o in self.relations)

    def texts(self) -> list[tuple[str, str]]:
        """Return the atoms, as (kind, text), in the columns' order."""
        said = [("attribute", text) for _, text in self.attributes] + [("relation", text) for _, text, _ in self.relations]
        return [("object", name) for name in self.objects] + said


@dataclass
class Named:
    """The names in an image's annotations, with their boxes (x, y, width, height)."""

    things: list[tuple[str, tuple[float, float, float, float]]] = field(default_factory=list)

    def in_crop(self, name: str, crop: dict[str, float]) -> bool:
        """Return whether an annotation that overlaps the crop has this name, alone or as its last words ("dinner plate")."""
        wanted = key(name)
        return any(wanted in tails(known) for known, box in self.things if _meet(box, crop))


def _meet(box: tuple[float, float, float, float], crop: dict[str, float]) -> bool:
    x, y, width, height = box
    across = min(x + width, crop["x"] + crop["width"]) - max(x, crop["x"])
    return across > 0 and min(y + height, crop["y"] + crop["height"]) > max(y, crop["y"])


# --- HN-Atom: the truth's graph with exactly one atom replaced ----


def hn_atom(query: dict[str, Any], negative: dict[str, Any]) -> Iterator[str]:
    """Yield the reasons why a negative is not the truth with one atom replaced."""
    truth, other = Graph.of(query), Graph.of(negative)
    if truth.shape() != other.shape():
        yield "the graph has another shape than the truth's"
        return
    changed = [(old, new) for old, new in zip(truth.texts(), other.texts(), strict=True) if old != new]
    if len(changed) != 1:
        yield f"{len(changed)} atoms differ"
        return
    (_, old), (_, new) = changed[0]
    before, after = bag(query["truth"]), bag(negative["caption"])
    replaced = Counter(word for span in negative["spans"] for word in stems(query["truth"][span["start"] : span["end"]]))
    if extra := (before - after) - replaced - bag(old):
        yield f"words are lost that do not say {old!r}: {' '.join(sorted(extra))}"
    gained = after - before
    spoken = set(stems(f"{new} is has with"))
    if extra := {word for word in gained if word not in spoken}:
        yield f"words are added that do not say {new!r}: {' '.join(sorted(extra))}"
    if key(query["truth"]) == key(negative["caption"]):
        yield "it says what the truth says"


# --- HN-Comp: the atoms of one compound split over two, each with another partner ----


def hn_comp(query: dict[str, Any], negatives: list[dict[str, Any]], label: tuple[str, ...] | None) -> list[list[str]]:
    """Return the faults of each negative of a set; ``label`` is the compound that was split, if another table names it.

    In a truth of two compounds without a label, the compound that more of the negatives split is taken.
    """
    truth = Graph.of(query)
    compounds = truth.compounds()
    if not 1 <= len(compounds) <= 2 or (len(compounds) == 2 and "and" not in stems(query["truth"])):
        return [["the truth is neither one compound nor two joined by 'and'"] for _ in negatives]
    choices = [label] if label in compounds else compounds
    found = [[list(_not_split(whole, negative)) for negative in negatives] for whole in choices if whole]
    return min(found, key=lambda each: sum(map(bool, each)))


def _not_split(whole: tuple[str, ...], negative: dict[str, Any]) -> Iterator[str]:
    graph = Graph.of(negative)
    own = graph.compounds()
    if len(own) != 2 or {len(own[0]), len(own[1])} != {len(whole)} or graph.n != 2 * len(whole):
        yield f"it does not say two compounds of the kind of {' | '.join(whole)}"
        return
    first, middle, last = whole[0], whole[1:-1], whole[-1]
    if not any(_split(first, middle, last, one, other) for one, other in (own, own[::-1])):
        yield f"the atoms of {' | '.join(whole)} are not split over its compounds, {' and '.join(' | '.join(c) for c in own)}"
    words = stems(negative["caption"])
    places = [i for i, word in enumerate(words) if word == "and"]
    if not any(_apart(first, last, words[:i], words[i + 1 :]) for i in places):
        yield f"no 'and' has {first!r} on one side, without {last!r}, and {last!r} on the other"


def _split(first: str, middle: tuple[str, ...], last: str, one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether one compound has only the first atom, the other only the last, and one of them the relation."""
    parted = one[0] == first and one[-1] != last and other[-1] == last and other[0] != first
    return parted and (not middle or one[1:-1] == middle or other[1:-1] == middle)


def _apart(first: str, last: str, one: list[str], other: list[str]) -> bool:
    """Return whether each half names exactly one of the two atoms, and not the same one."""
    sides = [[set(stems(atom)) <= set(half) for atom in (first, last)] for half in (one, other)]
    return sides in ([[True, False], [False, True]], [[False, True], [True, False]])


# --- HN-Swap: the caption's own atoms, in other places ----


def hn_swap(query: dict[str, Any], negative: dict[str, Any]) -> Iterator[str]:
    """Yield the reasons why a negative is not the truth's atoms in other places."""
    truth, other = Graph.of(query), Graph.of(negative)
    if truth.atoms() != other.atoms():
        yield f"its atoms are not the truth's: {_difference(truth.atoms(), other.atoms())}"
    elif truth == other:
        yield "its graph is the truth's"
    # "And" joins two attributes of one thing but not those of two; a thing that is mentioned again has its new name.
    # "A man with a hat who is on a horse" has the same relations as "a man who has a hat, on a horse".
    before, after = (bag(text) for text in (query["truth"], negative["caption"]))
    for words in before, after:
        words["with"] += words.pop(stem("have"), 0)
        del words["and"], words["be"]
    again = {word for name in truth.objects for word in stems(name)} & set(before) & set(after)
    if not set((before - after) + (after - before)) <= again:
        yield f"its words are not the truth's: {_difference(before, after)}"
    elif stems(query["truth"]) == stems(negative["caption"]):
        yield "its words stand as in the truth"


def _difference(before: Counter, after: Counter) -> str:
    lost, gained = (", ".join(sorted(_said(atom) for atom in part)) for part in (before - after, after - before))
    return f"without {lost or 'nothing'}, with {gained or 'nothing'}"


def _said(atom: str | tuple[str, str]) -> str:
    return atom if isinstance(atom, str) else atom[1]


# --- HN-Neg ----


def hn_neg_paper(query: dict[str, Any], negative: dict[str, Any]) -> Iterator[str]:
    """Yield the reasons why a negative does not deny the whole truth, or one of its atoms, and nothing else (A.4)."""
    graph = Graph.of(query)
    own = {key(text) for _, text in graph.atoms()}
    parts = [part for part in (negative["atom"] or "").split(" | ") if part]
    if unknown := [part for part in parts if key(part) not in own]:
        yield f"it denies what the truth does not say: {', '.join(unknown)}"
    before, after = bag(query["truth"]), bag(negative["caption"])
    if after[NEGATION] != before[NEGATION] + 1:
        yield f"it has {after[NEGATION] - before[NEGATION]} negations more than the truth"
    denied = {word for part in parts for word in stems(part)}
    replaced = stem("something") in after - before
    spoken = {word for o, text in graph.attributes if graph.objects[o] in parts for word in stems(text)} if replaced else set()
    lost = {word for word in before - after if word not in denied | spoken | {"be", "also", "and"}}
    gained = {word for word in after - before if word not in denied | FILLERS | {NEGATION, "and"}}
    if lost or gained:
        yield f"other words differ than its denial: without {_list(lost)}, with {_list(gained)}"


def hn_neg_cleared(query: dict[str, Any], named: Named) -> Iterator[tuple[int | None, str]]:
    """Yield the faults of a set whose captions each deny one thing in the same words: (the negative's number or None, fault)."""
    negatives = query["negatives"]
    differing = without([query["truth"], *(negative["caption"] for negative in negatives)])
    whole = stems(query["truth"])
    common = len(whole) - len(differing[0])
    denied = query.get("denied") or " ".join(differing[0])
    start = next((i for i in range(len(whole) - 1, -1, -1) if whole[i] == NEGATION), None)
    if start is None or whole.count(NEGATION) != 1 or start >= common or NEGATION in differing[0]:
        yield None, "the captions do not share one denial"
    said = [denied, *(negative["atom"] for negative in negatives)]
    for number, (words, name) in enumerate(zip(differing, said, strict=True), start=-1):
        if not words or not _ends(words, stems(name)):
            yield (None if number < 0 else number), f"more differs than the denied thing, {name!r}: {' '.join(words)}"
    if named.in_crop(denied, query):
        yield None, f"the truth denies {denied!r}, which is annotated in the crop"
    spoken = {key(name) for name in query["objects"]}
    truth = Graph.of(query)
    for number, negative in enumerate(negatives):
        if not named.in_crop(negative["atom"], query):
            yield number, f"it denies {negative['atom']!r}, which no annotation of the crop names"
        if key(negative["atom"]) in spoken:
            yield number, f"it denies {negative['atom']!r}, which the caption asserts"
        if Graph.of(negative) != truth:
            yield number, "its graph is not the caption's"


def _ends(words: list[str], name: list[str]) -> bool:
    """Return whether the words that differ are the name, or the part of it that other names do not share."""
    return words == name or (len(words) < len(name) and " ".join(words) in " ".join(name))


def _list(words: set[str]) -> str:
    return ", ".join(sorted(words)) or "nothing"


# --- Every set ----


def complexity(query: dict[str, Any]) -> Iterator[str]:
    """Yield a fault if ``n`` is not the number of the graph's atoms."""
    n = Graph.of(query).n
    if query["n"] is not None and query["n"] != n:
        yield f"n is {query['n']}, and its graph has {n} atoms"


def spans(query: dict[str, Any], negative: dict[str, Any]) -> Iterator[str]:
    """Yield a fault for each span that lies outside the truth or overlaps another."""
    end = 0
    for span in sorted(negative["spans"], key=lambda span: (span["start"], span["end"])):
        if not end <= span["start"] <= span["end"] <= len(query["truth"]):
            yield f"the span {span['start']}–{span['end']} is no piece of the truth's {len(query['truth'])} characters"
        end = max(end, span["end"])


class Seen(NamedTuple):
    """How many captions of a training set mention each atom, by (kind, text without spaces), and each compound, by its parts."""

    atoms: dict[tuple[str, str], int]
    compounds: dict[tuple[str, ...], int]

    def label(self, graph: Graph, least: int) -> tuple[str, int]:
        """Return the split of a graph (UA, UC or SC) and the count of its rarest atom (paper, section 3.2)."""
        counts = [self.atoms.get((kind, squeezed(text)), 0) for kind, text in graph.atoms()]
        compounds = [self.compounds.get(tuple(map(squeezed, compound)), 0) for compound in graph.compounds()]
        split = "UA" if min(counts) < least else "UC" if any(count < least for count in compounds) else "SC"
        return split, min(counts)


def squeezed(text: str) -> str:
    """Return a name without spaces and hyphens."""
    return text.replace(" ", "").replace("-", "")


def labels(query: dict[str, Any], seen: dict[str, Seen], least: int) -> Iterator[str]:
    """Yield a fault for each training set whose label of the truth differs from the recomputed one."""
    for said in query["splits"]:
        split, rarest = seen[said["training_set"]].label(Graph.of(query), least)
        if (said["split"], said["min_atom_count"]) != (split, rarest):
            wrong = f"{said['split']} ({said['min_atom_count']}), not {split} ({rarest})"
            yield f"for {said['training_set']} it is labelled {wrong}"
