"""SVO-Probes (Hendricks and Nematzadeh, Findings of ACL 2021): a sentence and two images, of which one shows another subject, verb
or object.

``svo_probes.csv`` has the columns ``sentence``, ``pos_image_id``, ``neg_image_id``, and ``subj_neg``, ``verb_neg``, ``obj_neg``:
True for what the negative image changes. Images are ``NUMBER.jpg``. Recall@1 is the pairwise accuracy, by what was changed: the
sentence scores higher with its own image. A text-only scorer is at chance.
"""

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

from stages.contract.json_files import whole_of
from stages.evaluation.sets import Case, RetrievalSet
from stages.suites.suite_files import Images, csv_rows, reading

FILE = "svo_probes.csv"
CHANGED = {"subj_neg": "subject", "verb_neg": "verb", "obj_neg": "object"}
FLAGS = {"true": True, "1": True, "false": False, "0": False}


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Yield a retrieval set a row, named by what the negative image changes.

    Rows whose image changes several things or none are left out, as in the suite's own notebook, and counted.
    """
    path, left_out = folder / FILE, 0
    for number, row in enumerate(csv_rows(path, csv.DictReader)):
        with reading("SVO-Probes", path, str(number)):
            changed = [name for column, name in CHANGED.items() if FLAGS[row[column].strip().lower()]]
            crops = [images.crop(f"{whole_of(row[column], column)}.jpg") for column in ("pos_image_id", "neg_image_id")]
            sentence = row["sentence"].strip()
            if not sentence:
                raise ValueError("the sentence is missing")
        if len(changed) != 1:
            left_out += 1
            continue
        case = Case(f"svo_probes-{number}", crops, [sentence], [[True], [False]])
        yield from case.sets("svo_probes", changed[0], (FILE, str(number)), changed[0])
    if left_out:
        print(f"note: {left_out:,} rows of {path} are left out, whose images differ in several things or in none", file=sys.stderr)
