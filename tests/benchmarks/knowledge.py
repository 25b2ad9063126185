"""``python -m tests.benchmarks.knowledge VRD FACTUAL GQA``: compare the project's knowledge of words with annotators.

The folders have VRD's training scene graphs in Visual Genome's form (``scene_graphs.json``, ``image_data.json``), of which only
images whose file name has an odd CRC-32 are read; FACTUAL's ``dev.csv``; and GQA's counts (``all_obj_counts.json``). The project's
counts contain nothing from VRD or FACTUAL's development split.

Prints three fractions and their counts, which should be small: the pairs of relations that annotators gave to the same two things
of which one excludes the other (``excluded``); and VRD's triples and FACTUAL's attributes that the project's counts say hardly
anybody uses of such things (``refused_triples``, ``refused_attributes``). Then the fractions that people use less often than by
chance (``below_chance_triples``, ``below_chance_attributes``): ``cleared`` takes such foils only where the replaced atom is as
unusual. Last, the fraction of GQA's nouns without counts for themselves or a kind above them (``unknown``). Last line: JSON.
"""

import argparse
import csv
import json
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from stages.contract.json_files import read_json
from stages.semantics import relations
from stages.semantics.usage import MIN_ASSOCIATION, Usage, shipped
from stages.text import normal
from tests.benchmarks.compounds import compounds

REMEDY = "name a folder that has it"


class Share(NamedTuple):
    """A count and its total."""

    count: int
    of: int

    def row(self) -> dict[str, float]:
        return {"share": round(self.count / max(self.of, 1), 5), **self._asdict()}


class Triple(NamedTuple):
    """A relation between two things in an image, with names in normal form."""

    image: int
    pair: tuple[int, int]
    subject: str
    relation: str
    object: str


def triples(vrd: Path) -> Iterator[Triple]:
    """Yield VRD's relations in the images whose file name has an odd CRC-32."""
    names = {row["image_id"]: row["url"].rsplit("/", 1)[-1] for row in read_json(vrd / "image_data.json", REMEDY)}
    for image in read_json(vrd / "scene_graphs.json", REMEDY):
        if zlib.crc32(names[image["image_id"]].encode()) % 2 == 0:
            continue
        called = {thing["object_id"]: normal.object_name(thing["names"][0]) for thing in image["objects"]}
        for each in image["relationships"]:
            pair = each["subject_id"], each["object_id"]
            one, other = (called[thing] for thing in pair)
            yield Triple(image["image_id"], pair, one, normal.relation(each["predicate"]), other)


def excluded(known: list[Triple], excludes: Callable[[str, str], bool] = relations.excludes) -> Share:
    """Count the pairs of relations of the same two things of which one rules out the other."""
    said: defaultdict[tuple[int, tuple[int, int]], set[str]] = defaultdict(set)
    for each in known:
        said[each.image, each.pair].add(each.relation)
    pairs = [pair for own in said.values() for pair in combinations(sorted(own), 2)]
    return Share(sum(excludes(one, other) or excludes(other, one) for one, other in pairs), len(pairs))


def refused_triples(known: list[Triple], said: Usage, least: float) -> Share:
    """Count the relations whose usage ratio for such things is below ``least``."""
    return Share(sum(said.relation(t.subject, t.relation, t.object) < least for t in known), len(known))


def refused_attributes(described: list[tuple[str, str]], said: Usage, least: float) -> Share:
    """Count the attributes, as (noun, attribute), whose usage ratio for such things is below ``least``."""
    return Share(sum(said.attribute(*pair) < least for pair in described), len(described))


def attributes(dev: Path) -> list[tuple[str, str]]:
    """Return FACTUAL's attributes as (noun, attribute), once for each graph that has them."""
    with dev.open(encoding="utf-8", newline="") as file:
        rows = sorted(row for graph in csv.DictReader(file) for row in compounds(graph["scene_graph"]))
    return [(noun, attribute) for kind, attribute, noun, _ in rows if kind == "attribute_object"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("vrd", "factual", "gqa"):
        parser.add_argument(name, type=Path, metavar=name.upper())
    folders = parser.parse_args()
    said, known = shipped(), list(triples(folders.vrd))
    described = attributes(folders.factual / "dev.csv")
    nouns = {normal.object_name(noun) for noun in read_json(folders.gqa / "all_obj_counts.json", REMEDY)}
    found = {
        "excluded": excluded(known),
        "refused_triples": refused_triples(known, said, MIN_ASSOCIATION),
        "refused_attributes": refused_attributes(described, said, MIN_ASSOCIATION),
        "below_chance_triples": refused_triples(known, said, 1.0),
        "below_chance_attributes": refused_attributes(described, said, 1.0),
        "unknown": Share(sum(not said.knows(noun) for noun in nouns), len(nouns)),
    }
    for name, share in found.items():
        print(f"{name}: {share.count:,} of {share.of:,} ({share.count / max(share.of, 1):.2%})")
    print(json.dumps({name: share.row() for name, share in found.items()}))


if __name__ == "__main__":
    main()
