"""Measure how well text-only scorers solve each benchmark suite that is present.

    python -m tests.benchmarks.blind_suites FOLDER [--captions FILE]

FOLDER holds the suites' folders, named as in :data:`PLACES`; missing ones are reported and skipped. ``--captions`` is a file of
real captions, one per line, from which the fluency scorers are estimated; none may come from a suite. Writes
``tests/benchmarks/results/blind_suites.json``, which ``python -m tests.readme`` puts into the pages. Last line: the processor
seconds for each suite.
"""

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from stages.contract.files import write_json
from stages.evaluation.sets import RetrievalSet
from stages.suites.audit import asking, captions_at, summary
from stages.suites.case_weights import subsets
from stages.suites.catalogue import SUITES
from stages.suites.suite_files import Images
from tests.readme import RESULTS

PLACES = {
    "CREPE, official productivity": ("official", "crepe_official"),
    "ARO, as released": ("aro", "suites/aro"),
    "SugarCrepe": ("sugarcrepe", "suites/sugar_crepe/data"),
    "SugarCrepe++ (two sets a case)": ("sugarcrepe_pp", "suites/sugar_crepe_pp/data"),
    "VALSE": ("valse", "suites/valse/data"),
    "Cola (two sets a case)": ("cola", "suites/cola"),
    "What'sUp": ("whatsup", "suites/whatsup"),
    "Winoground (two sets a case)": ("winoground", "suites/winoground"),
}
"""The suite and its folder, by title."""


def found(folder: Path) -> Iterator[tuple[str, list[RetrievalSet]]]:
    for title, (suite, place) in PLACES.items():
        if (folder / place).is_dir():
            yield title, [s for s in SUITES[suite](folder / place, Images()) if s.name not in ("all", "both")]
        else:
            print(f"{title}: not at hand")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--captions", type=Path)
    asked = parser.parse_args()
    ask = asking(captions_at(asked.captions) if asked.captions else [])
    table, seconds = {}, {}
    for title, sets in found(asked.folder):
        start = time.process_time()
        table[title] = {name.removeprefix("aro."): summary(ask(own), np.ones(len(own))) for name, own in subsets(sets).items()}
        seconds[title] = round(time.process_time() - start, 1)
        print(title, json.dumps(table[title]))
    write_json(RESULTS / "blind_suites.json", table)
    print(json.dumps(seconds))


if __name__ == "__main__":
    main()
