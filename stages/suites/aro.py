"""ARO (Yuksekgonul et al., ICLR 2023): relations, attributions and orders, made by this pipeline or read from the release.

A case is a crop with its caption and one other caption (four in the Order sets); chance is 50 % (20 %). The released loaders put
the false caption first and take the highest score, so a tie is wrong in two of their sets and right in the Order sets; here a tie
has its expected rank everywhere. A pair of attributes is one group in either order. Macro accuracies are over the relations that
the paper counts.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from stages.contract import tables
from stages.contract.json_files import pixels, text_of, whole_of
from stages.evaluation.sets import Query, RetrievalSet, crop_of
from stages.images.crops import Crop
from stages.suites.suite_files import Images, of_folder, reading
from stages.suites.word_order import draw_of

SETS = {"VG-Relation": "relation", "VG-Attribution": "attribution", "Order": "order"}
FILES = {"visual_genome_relation.json": "relation", "visual_genome_attribution.json": "attribution"}
COUNTED = frozenset(
    re.split(
        ", ",
        "above, at, behind, below, beneath, in, in front of, inside, on, on top of, to the left of, to the right of, "
        "under, carrying, covered by, covered in, covered with, covering, cutting, eating, feeding, grazing on, hanging "
        "on, holding, leaning on, looking at, lying in, lying on, parked on, reflected in, resting on, riding, sitting "
        "at, sitting in, sitting on, sitting on top of, standing by, standing in, standing on, surrounded by, using, "
        "walking in, walking on, watching, wearing",
    )
)
"""The relations that the paper counts (table 2). The release also has symmetric ones, and those of fewer than ten cases."""


def made(queries: Path) -> Iterator[RetrievalSet]:
    """Yield the sets of a table ``queries`` that ``gen_aro`` or ``gen_order`` wrote."""
    columns = ["query_id", "type", *Crop._fields, "truth", "negatives.list.element.caption", "negatives.list.element.edit"]
    for row in tables.read("queries", queries, columns):
        captions, edits = (tuple(negative[key] for negative in row["negatives"]) for key in ("caption", "edit"))
        suite = "aro_order" if row["type"] == "Order" else "aro"
        yield _set(suite, SETS[row["type"]], row["query_id"], crop_of(row), row["truth"], captions, edits)


def sets(folder: Path, _images: Images | None = None) -> Iterator[RetrievalSet]:
    """Yield the cases of the released files; ``folder`` must have at least one."""
    for path, number, case in of_folder(folder, *FILES):
        with reading("ARO", path, number):
            yield _released(path, number, case)


def _released(path: Path, number: str, case: Mapping[str, Any]) -> RetrievalSet:
    kind = FILES[path.name]
    match = re.fullmatch(r"0*(\d+)\.jpg", Path(case["image_path"]).name)
    if not match:
        raise ValueError(f"image_path {case['image_path']!r} is not Visual Genome's")
    crop = Crop(whole_of(match[1], "image_path"), *(pixels(case[f"bbox_{side}"], f"bbox_{side}") for side in "xywh"))
    group = case["relation_name"] if kind == "relation" else " vs ".join(sorted(case["attributes"]))
    name = f"aro-{kind}-released-{number}"
    truth, other = text_of(case["true_caption"]), text_of(case["false_caption"])
    uncounted = kind == "relation" and group not in COUNTED
    found = _set("aro_released", kind, name, crop, truth, (other,), ("" if uncounted else group,))
    return replace(found, source=(path.name, number))


def _set(
    suite: str, name: str, query_id: str, crop: Crop, truth: str, captions: tuple[str, ...], edits: tuple[str, ...]
) -> RetrievalSet:
    kind = relation_class(edits[0]) if name == "relation" and edits[0] else None
    query = Query(query_id, crop, compound=kind, draw=draw_of(query_id) if name == "order" else 0)
    return RetrievalSet(suite, name, query, truth, captions, edits)


def relation_class(relation: str) -> str:
    """Return ``spatial`` or ``verb``, the groups of ARO's table 2.

    >>> [relation_class(relation) for relation in ("to the left of", "sitting on", "covered by", "on")]
    ['spatial', 'verb', 'verb', 'spatial']
    """
    # Imported here, because its library loads spaCy and PyTorch: seconds that audits of other suites save.
    from stages.text.inflection import is_verbal

    return "verb" if is_verbal(relation) else "spatial"
