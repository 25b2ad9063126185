"""Scores of a model for retrieval sets: every crop and every text is encoded once for all suites, and cached."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from stages.console.progress import progress
from stages.contract.errors import InputError
from stages.contract.files import digest_of_file
from stages.evaluation.sets import Layout, Pair, RetrievalSet
from stages.images.crops import Crop, ImageFolder
from stages.models.contract import DualEncoder, Model, cosine
from stages.models.digests import key_of
from stages.models.features import FeatureStore, fill, named_errors
from stages.models.given import GivenScores, Key

# How many to encode between two writes, a few minutes of work at most; and how many prepared crops to hold at once, some 150 MB.
CROPS, TEXTS, PAIRS = (2048, 256), (16_384, 16_384), (4096, 256)
# Pairs of features multiplied at a time: some 100 MB.
ROWS = 16_384


Ahead = Callable[[ImageFolder, Path, list[tuple[bytes, Crop]], list[tuple[bytes, str]]], None]
"""Writes shards of the crops and the texts, given with their keys, from the folder of images into the folder of cached features.
"""


class Scorer:
    """Scores and features of one model over one layout.

    Args:
        layout: the crops, the texts and the retrieval sets.
        images: the folder of images.
        kept: folder of cached features; each model has its own folder in it.
        workers: threads that read, decode and prepare images.
        ahead: called with the crops and texts without features, to encode them elsewhere; the rest is encoded here.
    """

    def __init__(self, model: Model, layout: Layout, images: ImageFolder, kept: Path, workers: int = 1, ahead: Ahead | None = None):
        self.model, self.layout, self.images, self.workers = model, layout, images, workers
        self.kept = kept / key_of(model.identity).hex()
        self.text_keys = [key_of(text) for text in layout.texts]
        self.crop_keys = self._crop_keys()
        self._crop_at = {crop: i for i, crop in enumerate(layout.crops)}
        self._text_at = {text: i for i, text in enumerate(layout.texts)}
        self.truncated = 0
        if isinstance(model, DualEncoder):
            self._encode(model, ahead)

    def _crop_keys(self) -> list[bytes]:
        paths = self.images.paths(crop.image_id for crop in self.layout.crops)
        with ThreadPoolExecutor(max(1, self.workers)) as pool:
            digests = dict(zip(paths, pool.map(digest_of_file, paths.values()), strict=True))
        return [key_of(digests[crop.image_id], repr(tuple(crop[1:]))) for crop in self.layout.crops]

    def _open(self, model: DualEncoder) -> None:
        self.crop_store = FeatureStore(self.kept / "crops", model.width)
        self.text_store = FeatureStore(self.kept / "texts", model.width)

    def _encode(self, model: DualEncoder, ahead: Ahead | None) -> None:
        """Encode the crops and texts that the stores lack."""
        self._open(model)
        crops, texts = self.layout.crops, self.layout.texts
        if ahead is not None:
            lacking = [(self.crop_keys[i], crops[i]) for i in self.crop_store.missing(self.crop_keys)]
            unread = [(self.text_keys[i], texts[i]) for i in self.text_store.missing(self.text_keys)]
            ahead(self.images, self.kept, lacking, unread)
            self._open(model)

        def prepared(which: list[int]) -> Iterator[tuple[bytes, object]]:
            keys = {crops[i]: self.crop_keys[i] for i in which}
            every = self.images.crops(keys, model.prepare, self.workers)
            return ((keys[crop], thing) for crop, thing in progress(every, "encoding crops", "crop", len(keys)))

        def sorted_texts(which: list[int]) -> Iterator[tuple[bytes, object]]:
            order = sorted(which, key=lambda i: texts[i])
            return ((self.text_keys[i], texts[i]) for i in progress(order, "encoding texts", "text", len(order)))

        def encode_text(some: list[str]) -> tuple[np.ndarray, np.ndarray]:
            # First check whether they can be read at all: encoding takes minutes.
            truncated = model.truncated(some)
            return model.encode_text(some), truncated

        with named_errors(self.model.name, lambda key: crops[self.crop_keys.index(key)]):
            fill(self.crop_store, self.crop_keys, CROPS, prepared, lambda things: (model.encode_image(things), False))
        with named_errors(self.model.name, lambda key: texts[self.text_keys.index(key)]):
            fill(self.text_store, self.text_keys, TEXTS, sorted_texts, encode_text)
        self.crop_rows = self.crop_store.locate(self.crop_keys)
        self.text_rows = self.text_store.locate(self.text_keys)
        self.truncated = int(self.text_store.take(self.text_rows, "cut").sum())

    def scores(self, crop: np.ndarray | None = None) -> np.ndarray:
        """Return the score of every pair of a crop and a text that the retrieval sets rank, one set after the other: float32.

        Args:
            crop: other crops for all pairs, for baselines; by default the layout's.
        """
        crops = self.layout.crop if crop is None else crop
        texts = self.layout.text
        if not isinstance(self.model, DualEncoder):
            return self._pair_scores(crops, texts)
        scores = np.empty(len(crops), dtype=np.float32)
        for start in range(0, len(crops), ROWS):
            rows = slice(start, start + ROWS)
            # A set's crop is repeated for each text of the set, but fetched once.
            some, again = np.unique(crops[rows], return_inverse=True)
            images = self.crop_store.take(self.crop_rows[some])[again]
            scores[rows] = cosine(images, self.text_store.take(self.text_rows[texts[rows]]))
        return scores

    def _pair_scores(self, crops: np.ndarray, texts: np.ndarray) -> np.ndarray:
        """Return scores of a model that needs crop and text together."""
        store = FeatureStore(self.kept / "pairs", 1)
        keys = [key_of(self.crop_keys[c], self.text_keys[t]) for c, t in zip(crops.tolist(), texts.tolist(), strict=True)]
        model, layout = self.model, self.layout

        def pairs(which: list[int]) -> Iterator[tuple[bytes, object]]:
            wanted: dict[Crop, list[int]] = {}
            for i in which:
                wanted.setdefault(layout.crops[crops[i]], []).append(i)
            every = self.images.crops(wanted, model.prepare, self.workers)
            for crop, thing in progress(every, "scoring", "crop", len(wanted)):
                yield from ((keys[i], (thing, layout.texts[texts[i]])) for i in wanted[crop])

        def score(things: Iterable) -> tuple[np.ndarray, np.ndarray]:
            images, captions = zip(*things, strict=True)
            truncated = model.truncated(captions)
            return model.score(images, captions)[:, None], truncated

        with named_errors(self.model.name, lambda key: layout.crops[crops[keys.index(key)]]):
            fill(store, keys, PAIRS, pairs, score)
        rows = store.locate(keys)
        # A caption appears with several crops, but is one caption.
        self.truncated = len(np.unique(texts[store.take(rows, "cut")]))
        return store.take(rows)[:, 0]

    def features_of(self, pairs: Sequence[Pair]) -> tuple[np.ndarray, np.ndarray]:
        """Return features of the crops and of the captions of some pairs of the layout, each of shape (n, width)."""
        crops = self.crop_rows[[self._crop_at[pair.crop] for pair in pairs]]
        texts = self.text_rows[[self._text_at[pair.caption] for pair in pairs]]
        return self.crop_store.take(crops), self.text_store.take(texts)


class GivenScorer:
    """A scorer of scores that another program has written.

    Raises:
        InputError: some pairs have none; the message has their number, and the first.
    """

    truncated = 0

    def __init__(self, model: GivenScores, sets: Sequence[RetrievalSet]):
        keys = [(s, key) for s in sets for key in keys_of(s)]
        found = [model.of_key(key) for _, key in keys]
        if missing := [one for one, score in zip(keys, found, strict=True) if score is None]:
            s, (_, case, image, caption) = missing[0]
            of_image = f", image {image}" if s.query.case and len(s.query.case.images) > 1 else ""
            wrong = f"lacks {len(missing):,} scores; the first is of {s.suite}, case {case}{of_image}, caption {caption!r}"
            raise InputError(model.file, wrong, "score all pairs of the suites, or name fewer suites")
        self.given = np.array(found, dtype=np.float64).astype(np.float32)

    def scores(self) -> np.ndarray:
        """Return the score of every pair that the retrieval sets rank, one set after the other: float32."""
        return self.given


def keys_of(s: RetrievalSet) -> list[Key]:
    """Return the lookup keys of a set's scores, in the order of ``s.texts``."""
    case = s.query.case
    if case is None:
        return [(s.suite, s.query.query_id, 0, text) for text in s.texts]
    number = {crop: i for i, crop in reversed([*enumerate(case.images)])}
    return [(s.suite, case.case_id, number[crop], text) for crop, text in zip(s.crops, s.texts, strict=True)]


def scorer_of(model: Model, sets: Sequence[RetrievalSet], *how: Any) -> Any:
    """Return the scorer of ``sets``; ``how`` has the layout and images, as for :class:`Scorer`."""
    return GivenScorer(model, sets) if isinstance(model, GivenScores) else Scorer(model, *how)
