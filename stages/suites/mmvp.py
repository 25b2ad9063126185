"""MMVP-VLM (Tong et al., CVPR 2024): pairs of pictures that CLIP finds similar, of nine visual patterns.

``Questions.csv`` has the columns number, pattern and statement in a header, two rows a pair; the pictures are
``MLLM_VLM Images/PATTERN/NUMBER.jpg``. Statements are scored as "a photo of …", as in its script. Its score is the case metric
``image``: each statement prefers its picture.
"""

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from stages.contract.json_files import whole_of
from stages.evaluation.sets import Case, RetrievalSet
from stages.suites.suite_files import Images, csv_rows, reading

FILE = "Questions.csv"


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Yield two retrieval sets a pair, with the pattern as set name."""
    path = folder / FILE
    _, *rows = csv_rows(path, csv.reader)
    for i in range(0, len(rows), 2):
        with reading("MMVP-VLM", path, str(i)):
            (one, pattern, first), (other, _, second) = rows[i : i + 2]
            numbers = [whole_of(number, "Question ID") for number in (one, other)]
            crops = [images.crop(f"MLLM_VLM Images/{pattern}/{number}.jpg") for number in numbers]
        captions = [f"a photo of {statement}" for statement in (first, second)]
        name = pattern.lower().replace(" ", "_")
        for row, s in enumerate(Case.paired(f"mmvp-{i // 2}", crops, captions).sets("mmvp", name), start=i):
            yield replace(s, source=(FILE, str(row)))
