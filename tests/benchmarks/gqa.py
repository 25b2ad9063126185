"""``python -m tests.benchmarks.gqa FOLDER``: regenerate ``stages/semantics/gqa.parquet``.

FOLDER has counts over GQA's training scene graphs (Hudson and Manning, 2019; CC BY 4.0), 74,942 images: how often an attribute
describes a noun (``obj_to_attr_counts.json``), and a predicate has a subject and an object (``pred_to_subj_counts.json``,
``pred_to_obj_counts.json``). Names are converted to our normal form. GQA computed left and right from the boxes of each pair of
things; nobody said them, so they are left out.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from stages.contract import tables
from stages.contract.json_files import read_json
from stages.semantics.usage import GQA
from stages.text import normal

COMPUTED = frozenset({"to the left of", "to the right of"})


def counts(folder: Path) -> Counter[tuple[str, str, str]]:
    """Return the counts of the table ``usage``, by kind, word and noun."""
    found: Counter[tuple[str, str, str]] = Counter()
    for noun, attribute, times in _read(folder / "obj_to_attr_counts.json"):
        found["attribute", normal.attribute(attribute), normal.object_name(noun)] += times
    for kind, name in (("subject", "subj"), ("object", "obj")):
        for predicate, noun, times in _read(folder / f"pred_to_{name}_counts.json"):
            if predicate not in COMPUTED:
                found[kind, normal.relation(predicate), normal.object_name(noun)] += times
    return found


def _read(path: Path) -> Iterator[tuple[str, str, int]]:
    for first, others in read_json(path, "name the folder of GQA's counts").items():
        yield from ((first, second, times) for second, times in others.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    found = counts(parser.parse_args().folder)
    names = ("kind", "word", "noun", "source", "count")
    tables.write("usage", GQA, (dict(zip(names, (*row, "gqa", n), strict=True)) for row, n in sorted(found.items())))
    print(f"{len(found):,} pairs, {sum(found.values()):,} mentions")


if __name__ == "__main__":
    main()
