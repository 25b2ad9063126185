"""Images with several captions each: Karpathy's JSON, the common format of COCO's and Flickr30k's splits, or COCO's own.

``{"images": [{"filename", "split", "cocoid"?, "sentences": [{"raw"}, …]}, …]}``, ``{"annotations": [{"image_id", "caption"}, …]}``,
or the bare list of such annotations; or ``[{"image": FILE, "caption": […]}]``, as ARO's loaders download them, or with one
caption an entry, as BLIP's do.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import ijson

from stages.captions.objects import elements, place
from stages.contract.errors import InputError
from stages.contract.json_files import whole_of
from stages.images.crops import number_of


class Captioned(NamedTuple):
    """An image's number and its unchanged captions."""

    image_id: int
    captions: list[str]


def read(path: Path, split: str | None = None) -> list[Captioned]:
    """Return the images of the file, by number.

    Args:
        split: in a file of Karpathy's format the part to read, such as ``test``; None for all.

    Raises:
        InputError: the file is missing, not JSON or of another format, an image has no number, or no image is in the split.
    """
    try:
        entries = list(_entries(path, split))
    except FileNotFoundError:
        raise InputError(path, "there is no such file", "name the file of captions in params.yaml, gen_order.captions") from None
    except (ijson.JSONError, UnicodeDecodeError) as error:
        raise InputError(path, f"is not JSON ({str(error).splitlines()[0]})", "fetch it again") from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise InputError(path, f"is in neither Karpathy's nor COCO's format ({error})", "convert it to either") from None
    if not entries:
        raise InputError(path, f"has no image of the split {split}" if split else "has no image", "correct gen_order.split")
    order = sorted(entries)
    return [
        Captioned(number, [c for _, captions in of_image for c in captions])
        for number, of_image in groupby(order, lambda one: one[0])
    ]


def _entries(path: Path, split: str | None) -> Iterator[Captioned]:
    files = dict[int, str]()
    for entry in elements(path, place(path)):
        if "image" in entry:
            yield Captioned(_number(Path(entry["image"]).name, files), _texts(entry["caption"]))
        elif "sentences" not in entry:
            yield Captioned(whole_of(entry["image_id"], "image_id"), _texts(entry["caption"]))
        elif split is None or entry.get("split") == split:
            number = whole_of(entry["cocoid"], "cocoid") if "cocoid" in entry else _number(entry["filename"], files)
            yield Captioned(number, _texts([sentence["raw"] for sentence in entry["sentences"]]))


def _texts(value: Any) -> list[str]:
    """Return a caption, or a list of them; not ``null``, so that no model is given "None"."""
    texts: list[Any] = value if isinstance(value, list) else [value]
    if wrong := [text for text in texts if not isinstance(text, str)]:
        raise TypeError(f"{wrong[0]!r} is not a caption")
    return texts


def _number(file: str, files: dict[int, str]) -> int:
    """Return the number of an image by its file's name; no other of the ``files`` may have the same."""
    number = number_of(file)
    if (other := files.setdefault(number, file)) != file:
        raise ValueError(f"the files {other!r} and {file!r} have one number")
    return number
