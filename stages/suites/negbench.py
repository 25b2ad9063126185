"""NegBench (Alhamoud et al., CVPR 2025), its multiple choice: one caption of four is true, and some deny what is there or is not.

CSV files ``*mcq*.csv`` with ``image_path``, ``caption_0`` to ``caption_3``, ``correct_answer`` (from 0) and
``correct_answer_template`` (positive, negative, hybrid), by which the sets are named. Recall@1 is NegBench's accuracy.
"""

import csv
from collections.abc import Iterator
from pathlib import Path

from stages.contract.json_files import whole_of
from stages.evaluation.sets import Query, RetrievalSet
from stages.suites.suite_files import Images, csv_rows, files, reading

CAPTIONS = tuple(f"caption_{i}" for i in range(4))


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Yield a retrieval set a row of every file, named by the template of the true caption."""
    for path in files(folder, "*mcq*.csv"):
        for number, row in enumerate(csv_rows(path, csv.DictReader)):
            with reading("NegBench", path, str(number)):
                captions = [row[column].strip() for column in CAPTIONS]
                right = whole_of(row["correct_answer"], "correct_answer")
                if not 0 <= right < len(captions) or not all(captions) or captions.count(captions[right]) > 1:
                    raise ValueError(f"{captions} do not have one right answer {right}")
                crop, name = images.crop(_below(row["image_path"])), row["correct_answer_template"].strip().lower()
            negatives = tuple(text for i, text in enumerate(captions) if i != right)
            query = Query(f"negbench-{path.stem}-{number}", crop)
            yield RetrievalSet("negbench", name, query, captions[right], negatives, (name,) * 3, (path.name, str(number)))


def _below(path: str) -> str:
    """Return a picture's path below the folder of images; the release has absolute paths of its authors' machine."""
    return "/".join(Path(path).parts[-2:]).lstrip("/")
