"""Compare the grammar check with a reader's verdicts: ``python -m tests.benchmarks.grammar [READ.csv]``.

``captions_read.csv`` has captions of Visual Genome's images 1-10, each rated natural, awkward or broken by one reader: 75 from the
realiser ``before`` annotated phrases were read, 253 from the one ``after`` (some sixty of these rated by people who did not write
the rules, the others by those who did) and 151 from the one of ``now``. The last line is one JSON object: the number of captions
with each rating, and the check's precision and recall for the broken ones and for all that are not natural.
"""

import argparse
import csv
import json
from collections import Counter
from pathlib import Path

from stages.contract.errors import run
from stages.parameters import params
from stages.parameters.sections import Language
from stages.parsing.parser import Parser
from stages.writing import grammar

READ = Path(__file__).with_name("captions_read.csv")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("read", nargs="?", type=Path, default=READ)
    with arguments.parse_args().read.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    codes = list(grammar.check([row["caption"] for row in rows], Parser(params.load(Language))))
    for row, found in zip(rows, codes, strict=True):
        if found or row["reading"] == "broken":
            print(f"{row['reading']:>8} {','.join(found) or '-':<16} {row['caption']}")
    found_broken = sum(bool(found) and row["reading"] == "broken" for row, found in zip(rows, codes, strict=True))
    found_all, broken = sum(map(bool, codes)), sum(row["reading"] == "broken" for row in rows)
    found_unnatural = sum(bool(found) and row["reading"] != "natural" for row, found in zip(rows, codes, strict=True))
    unnatural = sum(row["reading"] != "natural" for row in rows)
    figures = {
        "readings": Counter(f"{row['realiser']}_{row['reading']}" for row in rows),
        "precision": round(found_broken / found_all, 3) if found_all else None,
        "recall": round(found_broken / broken, 3),
        "precision_not_natural": round(found_unnatural / found_all, 3) if found_all else None,
        "recall_not_natural": round(found_unnatural / unnatural, 3),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    run(main)
