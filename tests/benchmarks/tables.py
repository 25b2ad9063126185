"""``python -m tests.benchmarks.tables VRD FACTUAL GENOME``: measure what each table of words contributes.

The folders are those of :mod:`tests.benchmarks.knowledge`, and Visual Genome's annotations; FACTUAL's ``train.csv`` is read as
well. Each table is emptied, and the same figures are measured with and without it. Prints a line for each table, and last one line
of JSON: a list of {table, with, without}. The last two have

- for tables of relations, over the triples of all three and the most common relations: ``false``, the fraction of pairs of a triple
  and another relation where the words rule out that the relation holds too, so it can be a foil whatever the boxes; ``wrong``, the
  fraction of pairs of relations that VRD's annotators gave to the same two things that the words rule out; ``implied``, the
  fraction where the triple implies the relation, so it is no foil; ``turned``, the fraction of triples that rule out the same
  triple reversed; ``foils``, the fraction of relations that may replace a triple's; ``near`` and ``opposite``, the fractions of
  these that are siblings or antonyms, and antonyms; ``apart``, the fraction of triples, moved to another thing of their image, that
  the boxes rule out; ``misplaced``, the same for unmoved triples.
- for tables of attributes, over FACTUAL's and Visual Genome's things and the attributes that are frequent or in a class: ``false``
  and ``wrong``, as above; ``implied``; and ``foils``, the mean number of attributes that may replace one.
- for tables of nouns, over pairs of nouns of VRD and Visual Genome: ``near``, the fraction that are no further than cousins;
  ``one``, the mean probability that both name one thing; and, as for counts, ``odd``, the fraction of VRD's triples, reversed, that
  people say too seldom, and ``refused``, the fraction of the unreversed triples.
"""

import argparse
import csv
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations, permutations
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import pyarrow.compute as pc

from stages.contract.json_files import read_json
from stages.contract.tables import read_arrow
from stages.graphs.box import Box
from stages.negatives import meanings, nearness
from stages.negatives.known_things import KnownThings, Thing
from stages.parameters.sections import Run
from stages.semantics import attributes, relations, usage, wordnet
from stages.semantics.usage import MIN_ASSOCIATION, Usage, shipped
from stages.text import normal
from tests.benchmarks.compounds import FACT, VERB
from tests.benchmarks.knowledge import REMEDY, Triple, excluded, refused_triples, triples
from tests.running import section

COMMON = 200
Figures = dict[str, float]


@dataclass
class People:
    """Things that people say: images with boxes, VRD's triples, and all triples and described things."""

    images: list[KnownThings]
    vrd: list[Triple]
    said: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often each relation has each object."""
    things: list[list[str]] = field(default_factory=list)
    """The attributes of each thing that has any."""

    def __post_init__(self) -> None:
        for image in self.images:
            self.said.update((relation, image.things[o].names[0]) for _, relation, o in image.relations)
            self.things += [sorted(thing.attributes) for thing in image.things if thing.attributes]

    @property
    def nouns(self) -> list[str]:
        return sorted({thing.names[0] for image in self.images for thing in image.things})


def images(folder: Path, wanted: Collection[int] | None = None) -> Iterator[KnownThings]:
    """Yield the things and relations of a folder's images, or only of the ``wanted`` ones."""
    for image in read_json(folder / "scene_graphs.json", REMEDY):
        if wanted is not None and image["image_id"] not in wanted:
            continue
        place, found = {each["object_id"]: i for i, each in enumerate(image["objects"])}, KnownThings([], [], meanings.shipped())
        for each in image["objects"]:
            box = Box(*(each[side] for side in "xywh"))
            said = {normal.attribute(attribute) for attribute in each.get("attributes", ())}
            found.things.append(Thing((normal.object_name(each["names"][0]),), box, distinct=True, attributes=said))
        for each in image["relationships"]:
            s, o = place[each["subject_id"]], place[each["object_id"]]
            found.relations.append((s, normal.relation(each["predicate"]), o))
        yield found


def people(vrd: Path, factual: Path, genome: Path) -> People:
    """Return what the annotators of all three say."""
    known = list(triples(vrd))
    found = People([*images(vrd, {each.image for each in known}), *images(genome)], known)
    for name in ("train", "dev"):
        with (factual / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                own: defaultdict[str, set[str]] = defaultdict(set)
                for subject, relation, other in FACT.findall(row["scene_graph"]):
                    if relation == "is":
                        own[subject].add(normal.attribute(other))
                    else:
                        found.said[normal.relation(VERB.sub("", relation)), normal.object_name(other)] += 1
                found.things += [sorted(each) for each in own.values()]
    return found


def share(part: float, whole: float) -> float:
    """Return a fraction to seven digits, because some tables have few words."""
    return round(part / max(whole, 1), 7)


def most_said(said: Counter[str]) -> list[str]:
    """Return the most frequent words."""
    return [word for word, _ in sorted(said.items(), key=lambda each: (-each[1], each[0]))[:COMMON] if word]


def of_relations(known: People) -> Figures:
    """Measure what relations' words and boxes rule out, how often wrongly, what a relation implies, and what may replace it."""
    said, objects = Counter[str](), defaultdict[str, list[tuple[str, int]]](list)
    for (relation, other), n in known.said.items():
        said[relation] += n
        objects[relation].append((other, n))
    asked = sorted({*most_said(said), *(each.relation for each in known.vrd)})
    n, every = Counter[str](), sum(said[one] * (len(asked) - 1) for one in asked)
    for one, other in permutations(asked, 2):
        if relations.excludes(one, other):
            n["false"] += sum(m for name, m in objects[one] if not relations.leaves_open(one, other, name))
        n["implied"] += said[one] * relations.implies(one, other)
        if relations.may_replace(one, other):
            near = nearness.of("relation", one, other)
            n["foils"] += said[one]
            n["near"] += said[one] * (near != nearness.FURTHER)
            n["opposite"] += said[one] * (near == nearness.ANTONYM)
    moved = apart = misplaced = held = 0
    for image in known.images:
        for s, relation, o in image.relations:
            others = [p for p in range(len(image.things)) if p not in (s, o)]
            moved, held = moved + len(others), held + 1
            apart += sum(image.placed_otherwise(s, relation, p) for p in others)
            misplaced += image.placed_otherwise(s, relation, o)
    wrong, turned = excluded(known.vrd), sum(m for one, m in said.items() if relations.excludes(one, one, turned=True))
    return {
        "false": share(n["false"], every),
        "wrong": share(*wrong),
        "implied": share(n["implied"], every),
        "turned": share(turned, said.total()),
        "foils": share(n["foils"], every),
        "near": share(n["near"], n["foils"]),
        "opposite": share(n["opposite"], n["foils"]),
        "apart": share(apart, moved),
        "misplaced": share(misplaced, held),
    }


def of_attributes(known: People) -> Figures:
    """Measure what attributes' words rule out, how often wrongly, what an attribute implies, and how many may replace it."""
    said = Counter(attribute for own in known.things for attribute in own)
    asked = sorted({*most_said(said), *(word for word in IN_CLASSES if word in said)})
    n = Counter[str]()
    for one, other in permutations(asked, 2):
        n["false"] += said[one] * attributes.excludes(one, other)
        n["implied"] += said[one] * attributes.implies(one, other)
    pairs = [pair for own in known.things for pair in combinations(own, 2)]
    wrong = sum(attributes.excludes(*pair) or attributes.excludes(*pair[::-1]) for pair in pairs)
    foils = sum(said[one] * len(attributes.candidates(one)) for one in asked)
    every = sum(said[one] for one in asked)
    return {
        "false": share(n["false"], every * (len(asked) - 1)),
        "wrong": share(wrong, len(pairs)),
        "implied": share(n["implied"], every * (len(asked) - 1)),
        "foils": share(foils, every),
    }


IN_CLASSES = frozenset(word for several in attributes.CLASSES.values() for own in several for word in own)


def of_nouns(known: People, said: Usage | None = None) -> Figures:
    """Measure how nouns are related, and how many triples people say too seldom, reversed and unreversed."""
    pairs, means = list(permutations(known.nouns, 2)), meanings.shipped()
    near = sum(nearness.of("object", *pair) != nearness.FURTHER for pair in pairs)
    one = sum(means.one_thing(*pair) for pair in pairs)
    said = said or shipped()
    turned = [each._replace(subject=each.object, object=each.subject) for each in known.vrd]
    odd, refused = refused_triples(turned, said, MIN_ASSOCIATION), refused_triples(known.vrd, said, MIN_ASSOCIATION)
    return {"near": share(near, len(pairs)), "one": share(one, len(pairs)), "odd": share(*odd), "refused": share(*refused)}


@contextmanager
def emptied(module: ModuleType, name: str) -> Iterator[None]:
    """Empty a module's table within the block; clear the modules' caches at its beginning and end."""
    with mock.patch.object(module, name, type(getattr(module, name))()):
        forget(module)
        yield
    forget(module)


def forget(changed: ModuleType) -> None:
    """Clear the caches of a module whose table is emptied, and of the modules that use it."""
    for module in (changed, nearness, *((usage, meanings) if changed is wordnet else ())):
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


TABLES = {
    **{f"relations.txt [{name}]": (relations, name.upper().replace(" ", "_"), "relations") for name in relations.TABLES},
    "attributes.txt [neighbours]": (attributes, "_NEIGHBOURS", "attributes"),
    **{f"attributes.txt [class {name}]": (attributes, f"class {name}", "attributes") for name in attributes.CLASSES},
    **{f"wordnet.txt [{name}]": (wordnet, name.upper().replace(" ", "_"), "nouns") for name in wordnet.TABLES},
}


@contextmanager
def without_class(name: str) -> Iterator[None]:
    """Remove the class ``name`` of attributes within the block."""
    places = {word: {c: i for c, i in own.items() if c != name} for word, own in attributes._PLACES.items()}
    others = {c: own for c, own in attributes.CLASSES.items() if c != name}
    patched = mock.patch.multiple(attributes, _PLACES={word: own for word, own in places.items() if own}, CLASSES=others)
    with patched:
        forget(attributes)
        yield
    forget(attributes)


def measured(known: People, of: Collection[str] = TABLES) -> list[dict[str, Any]]:
    """Return the rows for the tables of words named in ``of``."""
    figures: dict[str, Callable[[People], Figures]] = {"relations": of_relations, "attributes": of_attributes, "nouns": of_nouns}
    chosen = {table: TABLES[table] for table in TABLES if table in of}
    whole, rows = {kind: figures[kind](known) for kind in sorted({kind for *_, kind in chosen.values()})}, []
    for table, (module, name, kind) in chosen.items():
        with without_class(name.removeprefix("class ")) if name.startswith("class ") else emptied(module, name):
            rows.append({"table": table, "with": whole[kind], "without": figures[kind](known)})
    return rows


def sources(known: People) -> list[dict[str, Any]]:
    """Return the rows for the counts that come with the project."""
    with tempfile.TemporaryDirectory() as folder:
        usage.write(Path(folder), [], None, sys.maxsize, section(Run, workers=1))
        said = read_arrow("usage", Path(folder) / usage.TABLE)
    rows = []
    for source, table in (("gqa", "gqa.parquet"), ("regions", "compounds.parquet")):
        others = Usage(said.filter(pc.not_equal(said["source"], source)))
        rows.append({"table": table, "with": of_nouns(known), "without": of_nouns(known, others)})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("vrd", "factual", "genome"):
        parser.add_argument(name, type=Path, metavar=name.upper())
    folders = parser.parse_args()
    known = people(folders.vrd, folders.factual, folders.genome)
    rows = measured(known) + sources(known)
    for row in rows:
        print(f"{row['table']}: {row['with']} {'the same' if row['with'] == row['without'] else row['without']}")
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
