"""The further suites that ``evaluate.suites`` can name. For a new one, add a file next to this one, and its name to ``SUITES``
of ``stages/parameters/sections/evaluation.py``."""

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path

import numpy as np

from stages.contract.errors import InputError
from stages.evaluation.baselines import same_bag
from stages.evaluation.sets import Layout, RetrievalSet
from stages.images.crops import ImageFolder
from stages.images.fitness import without_unfit
from stages.parameters.sections import SUITES as NAMES
from stages.parameters.sections import Evaluate
from stages.suites import case_weights
from stages.suites.crepe import judged_by
from stages.suites.suite_files import Images

SUITES: dict[str, Callable[[Path, Images], Iterator[RetrievalSet]]] = {
    name: import_module(f"stages.suites.{name}").sets for name in NAMES
}
"""By name: the retrieval sets in a folder. Images with names instead of numbers get their numbers from the second argument.

All raise :class:`InputError` where a file is missing or malformed.
"""


def further(
    settings: Evaluate, trained_on: str | None, images: Path, judged: str | None = None
) -> Iterator[tuple[list[RetrievalSet], ImageFolder]]:
    """Yield the retrieval sets of each suite that ``evaluate.suites`` names, with the folder of its images.

    Of a suite with splits, only sets with a split by the given training set are used.

    Args:
        images: the folder of images for suites that name none.
        judged: the training set whose splits the project's own tables use, if they are evaluated too; a suite without splits by it
            contributes only its sets without splits.
    """
    for name, places in settings.suites.items():
        named = Images()
        sets = list(SUITES[name](Path(places.folder), named))
        if not sets:
            raise InputError(places.folder, f"has no case of {name}", "fetch its files again, or leave it out of evaluate.suites")
        if places.weights:
            sets = case_weights.read(Path(places.weights), sets)
        if known := sorted({training_set for s in sets for training_set in s.query.splits}):
            training_set = judged or judged_by(settings, trained_on, known)
            if judged and judged not in known:
                print(
                    f"note: {name}: has splits of {', '.join(known)} and none of {judged}, and is evaluated without splits",
                    file=sys.stderr,
                )
            sets = [s for s in sets if not s.query.splits or training_set in s.query.splits]
        print(bag_ceiling(name, sets))
        folder = ImageFolder(places.images or images, named.names)
        yield with_pictures(name, sets, folder) if places.missing == "leave_out" else sets, folder


def bag_ceiling(name: str, sets: Sequence[RetrievalSet]) -> str:
    """Return a line with the number of a suite's negatives that are their truth's bag of words, and the ceiling that they imply.

    The ceiling is the R@1 of a model that chooses at random among captions with the truth's words.
    """
    same, negatives = same_bag(Layout.of(sets)), sum(len(s.negatives) for s in sets)
    if not negatives:
        return f"{name}: the captions of a set are equal, so word order limits no model"
    ceiling = 100 * np.mean(1 / (1 + same))
    share = 100 * same.sum() / negatives
    share_text = f"{same.sum():,} of {negatives:,} negatives ({share:.1f} %) are the same bag of words as the truth"
    return f"{name}: {share_text}; a bag-of-words model reaches an R@1 of {ceiling:.1f} % at most"


def with_pictures(name: str, sets: Sequence[RetrievalSet], folder: ImageFolder) -> list[RetrievalSet]:
    """Return the ``sets`` of a suite without the cases that lack a readable picture, and print how many these are.

    Raises:
        InputError: no picture is left.
    """
    missing = without_unfit(folder, (crop.image_id for s in sets for crop in s.crops), "leave_out")
    without = {case_id(s) for s in sets if any(crop.image_id in missing for crop in s.crops)}
    left = [s for s in sets if case_id(s) not in without]
    if missing:
        print(f"note: {name}: {len(sets) - len(left):,} of {len(sets):,} sets are left out", file=sys.stderr)
    return left


def case_id(s: RetrievalSet) -> str:
    """Return the case that a set belongs to; a set without one is a case by itself."""
    return s.query.case.case_id if s.query.case else s.query.query_id
