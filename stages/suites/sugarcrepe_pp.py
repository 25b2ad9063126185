"""SugarCrepe++ (Dumpala et al., 2024): two captions with the same meaning for an image against one that is false.

A list of ``{"id", "filename", "caption", "caption2", "negative_caption"}`` a file. A case is right where both captions score above
the negative: its metric ``text``. Its text-to-text task uses no image: are the two captions nearer to each other than to the
negative? That is the metric ``text_to_text``.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from stages.contract.json_files import text_of
from stages.evaluation.figures import share
from stages.evaluation.sets import Case, Layout, RetrievalSet
from stages.models.contract import cosine
from stages.suites.suite_files import Images, of_folder, reading

SUITE = "sugarcrepe_pp"


def sets(folder: Path, images: Images) -> Iterator[RetrievalSet]:
    """Yield two retrieval sets a case, one for each true caption, of every ``*.json`` of ``folder``."""
    for path, key, entry in of_folder(folder, "*.json"):
        case = f"{SUITE}-{path.stem}-{key}"
        with reading("SugarCrepe++", path, key):
            crop, negative = images.crop(entry["filename"]), text_of(entry["negative_caption"])
            captions = [text_of(entry["caption"]), text_of(entry["caption2"])]
        yield from Case(case, [crop], [*captions, negative], [[True, True, False]]).sets(
            SUITE, path.stem, (path.name, key), path.stem
        )


def text_to_text(
    sets: Sequence[RetrievalSet], layout: Layout, features: Callable[[np.ndarray], np.ndarray]
) -> dict[str, dict[str, float | None]]:
    """Return the text-to-text task by subset, in per cent: ``text_to_text``, with ``_se`` (clustered by image) and ``_chance``.

    A case is right where its two captions are nearer to each other than either is to the negative; a tie is wrong, as in the
    suite's own script. Of three similarities drawn at random a given one is the largest in one of three cases.

    Args:
        sets: of any suites; those of others are skipped.
        features: unit vectors of the layout's texts, of shape (indices, width), by their indices.
    """
    places: dict[str, dict[str, list[int]]] = {}
    for i, s in enumerate(sets):
        if s.suite == SUITE and s.query.case:
            places.setdefault(s.name, {}).setdefault(s.query.case.case_id, []).append(i)
    truth = np.cumsum(layout.size) - layout.size
    figures: dict[str, dict[str, float | None]] = {}
    for name, cases in places.items():
        one, other = np.array(list(cases.values())).T
        first, second, negative = (features(layout.text[at]) for at in (truth[one], truth[other], truth[one] + 1))
        right = (cosine(first, second) > np.maximum(cosine(first, negative), cosine(second, negative))).astype(float)
        images = np.array([sets[i].query.crop.image_id for i in one])
        figures[name] = share("text_to_text", right, images) | {"text_to_text_chance": 33.333}
    return figures
