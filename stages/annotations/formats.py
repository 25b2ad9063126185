"""Convert scene graphs of GQA and PSG to Visual Genome's files, which the other modules of this package read.

GQA (Hudson and Manning, CVPR 2019; its ``train_sceneGraphs.json`` and ``val_sceneGraphs.json``) is one object, an image a key:
``{image_id: {width, height, objects: {id: {name, x, y, w, h, attributes, relations: [{name, object}]}}}}``. PSG (Yang et al., ECCV
2022; its ``psg.json``) lists images under ``data``, each with ``annotations`` (``bbox`` by two corners, ``category_id``) and
``relations`` (places of subject and object in that list, and of the predicate in ``predicate_classes``); a category is a place in
``thing_classes`` followed by ``stuff_classes``. Neither describes regions. Dropped rows stay in the files, with the reason under
``dropped``, so that the stage counts it.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import ijson

from stages.annotations.shapes import box_of
from stages.contract.errors import InputError, one_line
from stages.graphs.box import Box

Record = dict[str, Any]
FILES = {"gqa": "*sceneGraphs*.json", "psg": "psg*.json"}
"""The file names of each format."""
NOT_VISUAL_GENOME = 10**12
"""GQA's images that Visual Genome lacks, such as ``n161313``, are numbered by this plus the number after the letter."""
SIDES = {"to the left of": "to the right of", "to the right of": "to the left of"}
FILLERS = frozenset({"merged", "other", "stuff"})
"""Parts of PSG's category names that show how categories were merged: "tree-merged", "sky-other-merged", "door-stuff"."""
SURFACES = frozenset({"wall", "floor"})
"""Categories whose material comes first in English: "wall-brick" is a "brick wall"."""


def as_visual_genome(folder: Path, form: str, scratch: Path) -> Path:
    """Return a folder with the data set of ``folder`` in Visual Genome's format: itself, or one made below ``scratch``.

    Args:
        form: ``visual_genome``, ``gqa`` or ``psg``.

    Raises:
        InputError: there is no such file, or one is not JSON or has another shape.
    """
    if form == "visual_genome":
        return folder
    paths = sorted(folder.glob(FILES[form]))
    if not paths:
        remedy = "set visual_genome.annotations in params.yaml to its folder, and visual_genome.format to its format"
        raise InputError(folder, f"has no file {FILES[form]}", remedy)
    target = scratch / form
    target.mkdir(exist_ok=True)
    with _listing(target / "image_data.json") as write_image, _listing(target / "scene_graphs.json") as write_scene:
        for path in paths:
            for record in _read(path, READERS[form], form):
                write_image({key: record[key] for key in ("image_id", "width", "height")})
                write_scene({key: record[key] for key in ("image_id", "objects", "relationships")})
    return target


@contextmanager
def _listing(path: Path) -> Iterator[Callable[[Record], Any]]:
    """Yield a function that writes the rows of a JSON list, at least one, to a file."""
    before = chain("[", repeat(",\n"))
    with path.open("w", encoding="utf-8") as file:
        yield lambda row: file.write(next(before) + json.dumps(row))
        file.write("]")


def _read(path: Path, read: Callable[[Path], Iterator[Record]], form: str) -> Iterator[Record]:
    n, numbered, remedy = 0, False, "give the data set's own file, or name its format in visual_genome.format"
    try:
        for record in read(path):
            n += 1
            numbered = numbered or record["image_id"] is not None
            yield record
    except (ijson.JSONError, UnicodeDecodeError) as error:
        raise InputError(path, f"is not complete JSON ({one_line(error)})", "download or unpack it again") from None
    except _Lacking as error:
        raise InputError(path, str(error), remedy, row=n + 1) from None
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
        wrong = f"has another shape than {form.upper()}'s ({type(error).__name__}: {one_line(error)})"
        raise InputError(path, wrong, remedy, row=n + 1) from None
    if not n:
        raise InputError(path, "has no image", remedy)
    if not numbered:
        wrong = "has no image whose name is a number, such as 2354786 or n161313"
        raise InputError(path, wrong, "number the images, and their pictures")


class _Lacking(Exception):
    """A record lacks something that it must have; the text says which record and what."""


def _needed(row: Any, key: str, what: str) -> Any:
    """Return a value that a record must have; ``what`` names the record."""
    if not isinstance(row, dict) or row.get(key) is None:
        raise _Lacking(f"{what} has no {key}")
    return row[key]


def _listed(row: Record, key: str) -> list[Any]:
    """Return a list that a record may have."""
    found = row.get(key) or []
    return found if isinstance(found, list) else [found]


# --- GQA ----


def _gqa(path: Path) -> Iterator[Record]:
    with path.open("rb") as file:
        for image_id, image in ijson.kvitems(file, "", use_float=True):
            given = _needed(image, "objects", f"image {image_id}")
            # What an object or a relation lacks becomes the reason for which it is dropped.
            objects = {key: row if isinstance(row, dict) else {} for key, row in given.items()}
            said = [
                (key, one if isinstance(one, dict) else {}) for key, row in objects.items() for one in _listed(row, "relations")
            ]
            relations = [(subject, one.get("name"), one.get("object")) for subject, one in said]
            yield {
                "image_id": image_number(image_id),
                **{side: _needed(image, side, f"image {image_id}") for side in ("width", "height")},
                "objects": [{**row, "object_id": key, "names": [row.get("name")]} for key, row in objects.items()],
                "relationships": [
                    {"relationship_id": n, "subject_id": s, "predicate": name, "object_id": o, "dropped": reason}
                    for n, ((s, name, o), reason) in enumerate(zip(relations, _of_sides(relations, objects), strict=True))
                ],
            }


def image_number(image_id: str) -> int | None:
    """Return the number of one of GQA's images, whose names are texts; ``None`` for other names.

    >>> image_number("2354786"), image_number("n161313"), image_number("../x")
    (2354786, 1000000161313, None)
    """
    match = re.fullmatch("(n?)([0-9]{1,11})", image_id)
    return int(match[2]) + (NOT_VISUAL_GENOME if match[1] else 0) if match else None


def _of_sides(relations: list[tuple[str, Any, Any]], objects: dict[str, Record]) -> Iterator[str]:
    """Return for each relation the reason why it is dropped, or "".

    Nine in ten of GQA's relations are "to the left of" and "to the right of", computed from boxes, each with its mirror image, also
    between a part and its whole. The first of each mirrored pair stays, and none between boxes that overlap.
    """
    said = set[tuple[str, str, str]]()
    for subject, name, other in relations:
        if not (isinstance(name, str) and isinstance(other, str)):
            yield ""
            continue
        if name in SIDES and subject in objects and other in objects:
            boxes = _box(objects[subject]), _box(objects[other])
            if boxes[0] and boxes[1] and boxes[0].shared(boxes[1]) > 0:
                yield "relation_of_overlapping"
                continue
            if (other, SIDES[name], subject) in said:
                yield "relation_mirrored"
                continue
        said.add((subject, name, other))
        yield ""


def _box(row: Record) -> Box | None:
    return box_of(row, "xywh", None, None, Counter())


# --- PSG ----


def _psg(path: Path) -> Iterator[Record]:
    lists = {}
    for name in ("thing_classes", "stuff_classes", "predicate_classes"):
        with path.open("rb") as file:
            lists[name] = [str(text) for text in ijson.items(file, f"{name}.item")]
    names = [plain(name) for name in (*lists["thing_classes"], *lists["stuff_classes"])]
    with path.open("rb") as file:
        for image in ijson.items(file, "data.item", use_float=True):
            # COCO's number, by which the picture is found: ``image_id`` may be Visual Genome's, of a picture of another size.
            number = image.get("coco_image_id") or Path(_needed(image, "file_name", "an image")).stem.rsplit("_", 1)[-1]
            what = f"image {number}"
            rows = _needed(image, "annotations", what)
            yield {
                "image_id": int(number),
                **{side: _needed(image, side, what) for side in ("width", "height")},
                "objects": [_psg_object(place, row, names, f"annotation {place} of {what}") for place, row in enumerate(rows)],
                "relationships": [
                    _psg_relation(n, row, lists["predicate_classes"], f"relation {n} of {what}")
                    for n, row in enumerate(_listed(image, "relations"))
                ],
            }


def _psg_object(place: int, row: Record, names: list[str], what: str) -> Record:
    left, top, right, bottom = _needed(row, "bbox", what)
    if right < left or bottom < top:
        raise _Lacking(f"{what} has no bbox of left, top, right, bottom: {row['bbox']}")
    name = _named(names, _needed(row, "category_id", what), what, "category_id")
    return {"object_id": place, "names": [name], "x": left, "y": top, "w": right - left, "h": bottom - top}


def _psg_relation(n: int, row: Any, predicates: list[str], what: str) -> Record:
    if not isinstance(row, list) or len(row) != 3:
        raise _Lacking(f"{what} has no subject, object and predicate: {str(row)[:80]}")
    return {
        "relationship_id": n,
        "subject_id": row[0],
        "predicate": _named(predicates, row[2], what, "predicate"),
        "object_id": row[1],
    }


def _named(names: list[str], place: Any, what: str, key: str) -> str:
    if type(place) is not int or not 0 <= place < len(names):
        raise _Lacking(f"{what} has no {key} of the file's {len(names)} names: {str(place)[:80]}")
    return names[place]


def plain(category: str) -> str:
    """Return the name that people give to one of PSG's categories.

    >>> [plain(name) for name in ("tree-merged", "sky-other-merged", "door-stuff", "floor-wood", "window-blind", "cell phone")]
    ['tree', 'sky', 'door', 'wood floor', 'window blind', 'cell phone']
    """
    words = [word for word in re.split("[-_/]", category) if word not in FILLERS]
    return " ".join([*words[1:], words[0]] if words and words[0] in SURFACES else words)


READERS: dict[str, Callable[[Path], Iterator[Record]]] = {"gqa": _gqa, "psg": _psg}
