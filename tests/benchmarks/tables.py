"""``python -m tests.benchmarks.tables VRD FACTUAL``: what does each table of words buy?

The folders are those of :mod:`tests.benchmarks.knowledge`; of FACTUAL ``train.csv`` is read as well. A table is emptied, and the
same is measured with it and without. Prints a line for each table, and last one line of JSON: a list of {table, with, without}, of
which the last two have

- of tables of relations: ``false``, the share of VRD's triples and VRD's predicates of which the words rule out that the second
  holds too, so that it can be a foil whatever the boxes; ``wrong``, the share of the pairs of predicates that annotators gave
  to the same two things which they rule out; ``implied``, the share of which the first says the second, so that it is no foil;
  ``turned``, the share of triples that rule out the same the other way round.
- of tables of attributes: the first two, of FACTUAL's things and the hundred most frequent attributes.
- of counts, and of the senses of nouns: ``odd``, the share of VRD's triples, turned round, that people say too seldom, and
  ``wrong``, the share of the triples as they are.
"""

import argparse
import csv
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import pyarrow.compute as pc

from stages.semantics import attributes, relations, usage, wordnet
from stages.semantics.usage import MIN_ASSOCIATION, Usage, shipped
from stages.text import normal
from tests.benchmarks.compounds import FACT
from tests.benchmarks.knowledge import Triple, excluded, refused_triples, triples

COMMON = 100
Figures = dict[str, float]


def of_relations(known: list[Triple]) -> Figures:
    """What the words of relations rule out, and how often wrongly; and how much a relation implies."""
    said = Counter(each.relation for each in known)
    pairs = [(one, other) for one in said for other in said if one != other]
    false = sum(said[one] for one, other in pairs if relations.excludes(one, other))
    implied = sum(said[one] for one, other in pairs if relations.implies(one, other))
    every = sum(said[one] for one, _ in pairs)
    wrong = excluded(known)
    turned = sum(n for one, n in said.items() if relations.excludes(one, one, turned=True)) / max(len(known), 1)
    return {
        "false": round(false / every, 5),
        "wrong": round(wrong.count / max(wrong.of, 1), 5),
        "implied": round(implied / every, 5),
        "turned": round(turned, 5),
    }


def described(factual: Path) -> list[list[str]]:
    """The attributes of each of FACTUAL's things that has any."""
    found: list[list[str]] = []
    for name in ("train", "dev"):
        with (factual / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                own: defaultdict[str, set[str]] = defaultdict(set)
                for subject, relation, attribute in FACT.findall(row["scene_graph"]):
                    if relation == "is":
                        own[subject].add(normal.attribute(attribute))
                found += [sorted(each) for each in own.values()]
    return found


def of_attributes(things: list[list[str]]) -> Figures:
    """What the words of attributes rule out, and how often wrongly."""
    said = Counter(attribute for own in things for attribute in own)
    common = [attribute for attribute, _ in sorted(said.items(), key=lambda each: (-each[1], each[0]))[:COMMON]]
    asked = [(one, other) for one in common for other in common if one != other]
    false = sum(said[one] for one, other in asked if attributes.excludes(one, other))
    pairs = [pair for own in things for pair in combinations(own, 2)]
    wrong = sum(attributes.excludes(*pair) or attributes.excludes(*pair[::-1]) for pair in pairs)
    return {"false": round(false / sum(said[one] for one, _ in asked), 5), "wrong": round(wrong / max(len(pairs), 1), 5)}


def of_counts(known: list[Triple], said: Usage) -> Figures:
    """How many triples people say too seldom: turned round, and as they are."""
    turned = [each._replace(subject=each.object, object=each.subject) for each in known]
    odd, wrong = refused_triples(turned, said, MIN_ASSOCIATION), refused_triples(known, said, MIN_ASSOCIATION)
    return {"odd": round(odd.count / max(odd.of, 1), 5), "wrong": round(wrong.count / max(wrong.of, 1), 5)}


@contextmanager
def emptied(module: ModuleType, name: str) -> Iterator[None]:
    """Within the block a table of a module has no row; what the modules remember is forgotten before and after."""
    with mock.patch.object(module, name, type(getattr(module, name))()):
        forget(module)
        yield
    forget(module)


def forget(changed: ModuleType) -> None:
    """Clear the caches of a module whose table is emptied, and of those that ask it."""
    for module in (changed, usage) if changed is wordnet else (changed,):
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


TABLES = {
    **{f"relations.txt [{name}]": (relations, name.upper().replace(" ", "_"), "relations") for name in relations.TABLES},
    "attributes.txt [neighbours]": (attributes, "_NEIGHBOURS", "attributes"),
    **{f"attributes.txt [class {name}]": (attributes, f"class {name}", "attributes") for name in attributes.CLASSES},
    "wordnet.txt [senses]": (wordnet, "SENSES", "counts"),
}


@contextmanager
def without_class(name: str) -> Iterator[None]:
    """Within the block no attribute is of a class."""
    places = {word: {c: i for c, i in own.items() if c != name} for word, own in attributes._PLACES.items()}
    with mock.patch.object(attributes, "_PLACES", {word: own for word, own in places.items() if own}):
        forget(attributes)
        yield
    forget(attributes)


def measured(known: list[Triple], things: list[list[str]], of: Collection[str] = TABLES) -> list[dict[str, Any]]:
    """The rows of tables of words, by their names."""
    figures: dict[str, Callable[[], Figures]] = {
        "relations": lambda: of_relations(known),
        "attributes": lambda: of_attributes(things),
        "counts": lambda: of_counts(known, shipped()),
    }
    chosen = {table: TABLES[table] for table in TABLES if table in of}
    whole, rows = {kind: figures[kind]() for kind in sorted({kind for *_, kind in chosen.values()})}, []
    for table, (module, name, kind) in chosen.items():
        if not name.startswith("class ") and not hasattr(module, name):
            continue
        with without_class(name.removeprefix("class ")) if name.startswith("class ") else emptied(module, name):
            rows.append({"table": table, "with": whole[kind], "without": figures[kind]()})
    return rows


def sources(known: list[Triple]) -> list[dict[str, Any]]:
    """The rows of the counts that come with the project."""
    said, rows = shipped().said, []
    for source, table in (("gqa", "gqa.parquet"), ("regions", "compounds.parquet")):
        others = Usage(said.filter(pc.not_equal(said["source"], source)))
        rows.append({"table": table, "with": of_counts(known, shipped()), "without": of_counts(known, others)})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("vrd", "factual"):
        parser.add_argument(name, type=Path, metavar=name.upper())
    folders = parser.parse_args()
    known = list(triples(folders.vrd))
    rows = measured(known, described(folders.factual)) + sources(known)
    for row in rows:
        print(f"{row['table']}: {row['with']} {'the same' if row['with'] == row['without'] else row['without']}")
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
