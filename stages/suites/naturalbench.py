"""NaturalBench (Li et al., NeurIPS 2024): a question that two natural images answer differently, as Parquet with the pictures in
it: see :mod:`stages.suites.packed`.

A row has ``Image_0``, ``Image_1``, ``Question_0``, its answers ``Image_0_Question_0`` and ``Image_1_Question_0``, the same of
``Question_1``, and ``Question Type``.

A question with each of its two answers is a caption, so a question is a case of two images and two captions: ``cases.text`` is
NaturalBench's accuracy of questions. Its accuracies of images and groups, over both questions of a row, are not computed.
"""

from collections.abc import Iterator
from pathlib import Path

from stages.contract.errors import InputError
from stages.evaluation.sets import Case, RetrievalSet
from stages.suites import packed
from stages.suites.suite_files import Images

KIND = "Question Type"
QUESTIONS = (0, 1)
ANSWERS = {q: tuple(f"Image_{i}_Question_{q}" for i in (0, 1)) for q in QUESTIONS}
TEXTS = [column for q in QUESTIONS for column in (f"Question_{q}", *ANSWERS[q])]


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Yield two retrieval sets a question, with its type as set name."""
    for path, row, entry, source in packed.texts(folder, "train", [*TEXTS, KIND]):
        crops = [images.crop(packed.picture(path, row, f"Image_{i}")) for i in (0, 1)]
        name = entry[KIND].lower().replace(" ", "_").replace("-", "_")
        for q in QUESTIONS:
            captions = [f"{entry[f'Question_{q}'].strip()} {entry[answer].strip()}" for answer in ANSWERS[q]]
            if captions[0] == captions[1]:
                wrong = f"gives one answer to question {q} of both images"
                raise InputError(path, wrong, "use the suite's file unchanged", row=row + 1)
            yield from Case.paired(f"naturalbench-{path.stem}-{row}-{q}", crops, captions).sets("naturalbench", name, source)
