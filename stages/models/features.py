"""Features cached on disk, so that nothing is encoded twice: not by another suite, after a kill, or when a metric changes.

A model has its own folder, named by everything its scores depend on. It contains shards: NumPy arrays of records (key, cut,
feature). A key is the digest of the encoded content: the text, or the image file's bytes and the box. A shard's name is the digest
of its bytes: an existing shard is complete, and one with flipped bits does not match its name.
"""

import hashlib
import io
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stages.contract.errors import InputError
from stages.contract.files import complete, digest_of_file, sweep

OURS = re.compile("[0-9a-f]{64}")
"""The name of a shard, a digest."""


def record(width: int) -> np.dtype:
    """Return the record type of features with ``width`` numbers."""
    return np.dtype([("key", "S16"), ("cut", "?"), ("feature", "<f4", (width,))])


def _mapped(path: Path) -> np.ndarray:
    return np.load(path, mmap_mode="r", allow_pickle=False)


class FeatureStore:
    """Features of one model, of one kind (images, texts, or pairs of the two).

    Args:
        folder: the folder of the shards; created with the first shard.
        width: length of a feature vector; 1 for plain scores.
    """

    def __init__(self, folder: Path, width: int):
        self.folder = folder
        self.record = record(width)
        sweep(folder)
        self.paths: list[Path] = []
        self.refresh()

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
            raise InputError(
                path, "holds no features of this model", "move it to another place; missing features are encoded again"
            )
        return True

    def refresh(self) -> None:
        """Register the shards that were written since."""
        known = set(self.paths)
        # Other names are not ours, and stay as they are.
        new = [path for path in sorted(self.folder.glob("*.npy")) if path not in known and OURS.fullmatch(path.stem)]
        self.paths += [path for path in new if self._whole(path)]
        keys = [np.array(_mapped(path)["key"]) for path in self.paths]
        everything = np.concatenate(keys) if keys else np.zeros(0, "S16")
        self._order = np.argsort(everything, kind="stable")
        self._keys = everything[self._order]
        self._starts = np.cumsum([0, *(len(part) for part in keys)])

    def missing(self, keys: Sequence[bytes]) -> list[int]:
        """Return indices of the first occurrence of each of the ``keys`` without features."""
        lacking = np.flatnonzero(self.locate(keys) < 0).tolist()
        return list({keys[i]: i for i in reversed(lacking)}.values())[::-1]

    def locate(self, names: Sequence[bytes]) -> np.ndarray:
        """Return the row of each key; −1 where it is missing."""
        keys = np.array(names, dtype="S16")
        if not len(self._keys):
            return np.full(len(keys), -1)
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[at] == keys, self._order[at], -1)

    @staticmethod
    def write(folder: Path, keys: Sequence[bytes], features: np.ndarray, cut: np.ndarray | bool = False) -> None:
        """Write a shard of features, of shape (keys, width), into ``folder``; an open store does not see it yet."""
        shard = np.zeros(len(keys), dtype=record(features.shape[1]))
        shard["key"], shard["feature"], shard["cut"] = np.array(keys, dtype="S16"), features, cut
        buffer = io.BytesIO()
        np.save(buffer, shard, allow_pickle=False)
        data = buffer.getvalue()
        path = folder / f"{hashlib.sha256(data).hexdigest()}.npy"
        with complete(path) as partial:
            partial.write_bytes(data)

    def take(self, rows: np.ndarray, column: str = "feature") -> np.ndarray:
        """Return the ``feature`` or the ``cut`` of the ``rows`` that :meth:`locate` returned."""
        which = np.searchsorted(self._starts, rows, side="right") - 1
        gathered = np.empty((len(rows), *self.record[column].shape), dtype=self.record[column].base)
        for shard in np.unique(which):
            here = which == shard
            # Mapped again every time, so that what was read before does not stay in memory.
            gathered[here] = _mapped(self.paths[shard])[column][rows[here] - self._starts[shard]]
        return gathered
