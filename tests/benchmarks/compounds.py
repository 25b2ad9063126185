"""``python -m tests.benchmarks.compounds FACTUAL.csv``: regenerate ``stages/semantics/compounds.parquet``.

FACTUAL.csv has a column ``scene_graph`` like FACTUAL's training split (Li et al., 2023): ``( cup , is , white )`` for an
attribute, ``( man , v:hold , cup )`` for a relation. Each compound is counted once per graph that contains it, in normal form.
"""

import argparse
import csv
import re
from collections import Counter
from pathlib import Path

from stages.contract import tables
from stages.semantics.usage import COMPOUNDS
from stages.text import normal

FACT = re.compile(r"\( ([^,()]+) , ([^,()]+) , ([^,()]+) \)")
VERB = re.compile(r"^p?v:")


def compounds(graph: str) -> set[tuple[str, str, str, str]]:
    """Return the compounds of a graph, as rows of ``seen_compounds`` without their counts."""
    found = set()
    for subject, relation, other in FACT.findall(graph):
        name = normal.object_name(subject)
        if relation == "is":
            found.add(("attribute_object", normal.attribute(other), name, ""))
        else:
            found.add(("object_relation_object", name, normal.relation(VERB.sub("", relation)), normal.object_name(other)))
    return {row for row in found if all(row[: 3 if row[0] == "attribute_object" else 4])}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("factual", type=Path, metavar="FACTUAL.csv")
    with parser.parse_args().factual.open(encoding="utf-8", newline="") as file:
        counts = Counter(compound for row in csv.DictReader(file) for compound in compounds(row["scene_graph"]))
    names = ("kind", "first", "second", "third", "count")
    tables.write("seen_compounds", COMPOUNDS, (dict(zip(names, (*row, n), strict=True)) for row, n in sorted(counts.items())))
    print(f"{len(counts):,} compounds")


if __name__ == "__main__":
    main()
