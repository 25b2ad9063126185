"""Features kept on disk, so that nothing is encoded twice: not by another suite, not after a kill, not when a metric changes.

A model has a folder of its own, named by all its scores hang on. In it lie shards: NumPy arrays of records (key, cut, feature). A
key is the digest of what was encoded: the text, or the image file's bytes and the box. A shard's name is the digest of its bytes: a
shard that is there is whole, and one whose bits have flipped is known by its name.
"""

import hashlib
import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import numpy as np

from stages.contract.errors import CrepeError, InputError
from stages.contract.files import complete, digest_of_file, sweep
from stages.images.crops import Crop


def record(width: int) -> np.dtype:
    """What is kept of a thing whose features have ``width`` numbers."""
    return np.dtype([("key", "S16"), ("cut", "?"), ("feature", "<f4", (width,))])


class NotNumbers(ValueError):
    """A model's features of what ``key`` names are not numbers; nothing of its shard was kept."""

    def __init__(self, key: bytes):
        super().__init__(f"features of {key.hex()} are not numbers")
        self.key = key


@contextmanager
def named_errors(thing_of: Callable[[bytes], Crop | str]) -> Iterator[None]:
    """Say of which image or caption, by its key, the features are that are :class:`NotNumbers`."""
    try:
        yield
    except NotNumbers as error:
        thing = thing_of(error.key)
        what = f"caption {thing!r}" if isinstance(thing, str) else f"image {thing.image_id}, box {tuple(thing[1:])}"
        wrong = f"the model's features of {what} are not numbers"
        raise CrepeError(f"{wrong}. Remedy: check the weights, or precision: fp32.") from None


def _mapped(path: Path) -> np.ndarray:
    return np.load(path, mmap_mode="r", allow_pickle=False)


class FeatureStore:
    """Features of one model, of one kind (images, texts, or pairs of the two).

    Args:
        folder: where the shards lie; made when there is something to keep.
        width: length of a feature vector; 1 for plain scores.
    """

    def __init__(self, folder: Path, width: int):
        self.folder = folder
        self.record = record(width)
        sweep(folder)
        self.paths = [path for path in sorted(folder.glob("*.npy")) if self._whole(path)]
        self._index()

    def _whole(self, path: Path) -> bool:
        if digest_of_file(path) != path.stem:
            print(f"warning: {path} is damaged (its bytes are not those it was written with) and is made again", file=sys.stderr)
            path.unlink(missing_ok=True)
            return False
        try:
            fits = _mapped(path).dtype == self.record
        except (ValueError, EOFError):
            fits = False
        if not fits:
            raise InputError(path, "holds no features of this model", "delete it; what is not kept is encoded again")
        return True

    def _index(self) -> None:
        keys = [np.array(_mapped(path)["key"]) for path in self.paths]
        everything = np.concatenate(keys) if keys else np.zeros(0, "S16")
        self._order = np.argsort(everything, kind="stable")
        self._keys = everything[self._order]
        self._starts = np.cumsum([0, *(len(part) for part in keys)])

    def missing(self, keys: Sequence[bytes]) -> list[int]:
        """Indices of the first of each of the ``keys`` that is not kept."""
        lacking = np.flatnonzero(self.locate(keys) < 0).tolist()
        return list({keys[i]: i for i in reversed(lacking)}.values())[::-1]

    def locate(self, names: Sequence[bytes]) -> np.ndarray:
        """The row where each key is kept; −1 where it is not."""
        keys = np.array(names, dtype="S16")
        if not len(self._keys):
            return np.full(len(keys), -1)
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[at] == keys, self._order[at], -1)

    @staticmethod
    def write(folder: Path, keys: Sequence[bytes], features: np.ndarray, cut: np.ndarray | bool = False) -> Path:
        """Keep a shard of features, of shape (keys, width), in ``folder``; a store that is open does not see it yet.

        Raises:
            NotNumbers: some are not finite. No order can be made of their scores, and a silent one would look like a result.
        """
        finite = np.isfinite(features).all(axis=1)
        if not finite.all():
            raise NotNumbers(keys[int(np.argmin(finite))])
        shard = np.zeros(len(keys), dtype=record(features.shape[1]))
        shard["key"], shard["feature"], shard["cut"] = np.array(keys, dtype="S16"), features, cut
        buffer = io.BytesIO()
        np.save(buffer, shard, allow_pickle=False)
        data = buffer.getvalue()
        path = folder / f"{hashlib.sha256(data).hexdigest()}.npy"
        with complete(path) as partial:
            partial.write_bytes(data)
        return path

    def add(self, paths: Sequence[Path]) -> None:
        """Make shards that were written known."""
        self.paths += paths
        self._index()

    def take(self, rows: np.ndarray, column: str = "feature") -> np.ndarray:
        """The ``feature`` or the ``cut`` of kept ``rows``, as :meth:`locate` names them."""
        which = np.searchsorted(self._starts, rows, side="right") - 1
        gathered = np.empty((len(rows), *self.record[column].shape), dtype=self.record[column].base)
        for shard in np.unique(which):
            here = which == shard
            # Mapped again every time, so that what was read before does not fill the memory.
            gathered[here] = _mapped(self.paths[shard])[column][rows[here] - self._starts[shard]]
        return gathered


def fill(
    store: FeatureStore,
    keys: Sequence[bytes],
    sizes: tuple[int, int],
    items: Callable[[list[int]], Iterable[tuple[bytes, object]]],
    encode: Callable[[list], tuple[np.ndarray, np.ndarray | bool]],
) -> None:
    """Encode what ``store`` lacks of ``keys``, a shard at a time.

    Args:
        sizes: how many things make a shard, of which a kill loses one; and how many are held at once to be encoded.
        items: for the indices of missing keys, the keys and the things to encode, in an order of its own.
        encode: features of a list of things, and which of them were cut.
    """
    missing = store.missing(keys)
    todo = iter(items(missing) if missing else ())
    paths: list[Path] = []
    for _ in range(0, len(missing), sizes[0]):
        shard, names, parts = islice(todo, sizes[0]), list[bytes](), []
        while batch := list(islice(shard, sizes[1])):
            some, things = zip(*batch, strict=True)
            features, cut = encode(list(things))
            names += some
            parts.append((features, np.broadcast_to(cut, len(some))))
        paths.append(store.write(store.folder, names, *map(np.concatenate, zip(*parts, strict=True))))
    store.add(paths)
