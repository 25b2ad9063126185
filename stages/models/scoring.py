"""Scores of a model for retrieval sets: every crop and every text is encoded once for all suites, and cached."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from stages.console.progress import progress
from stages.contract.errors import InputError
from stages.contract.files import digest_of_file
from stages.evaluation.sets import Layout, Pair, RetrievalSet
from stages.images.crops import Crop, ImageFolder
from stages.models.contract import DualEncoder, Model, cosine, finite
from stages.models.digests import key_of
from stages.models.encoding import Encode, Missing, described, encode_here
from stages.models.features import FeatureStore
from stages.models.given import GivenScores, Key

# Pairs to score between two writes.
PAIRS = 1024
# Pairs of features multiplied at a time: some 100 MB.
ROWS = 16_384


class Scorer:
    """Scores and features of one model over one layout.

    Args:
        kept: folder of cached features; each model has its own folder in it.
        workers: threads that read, decode and prepare images.
        encode: encodes the crops and texts without features; in this process by default.
    """

    def __init__(
        self, model: Model, layout: Layout, images: ImageFolder, kept: Path, workers: int = 1, encode: Encode | None = None
    ):
        self.model, self.layout, self.images, self.workers = model, layout, images, workers
        self.kept = kept / key_of(model.identity).hex()
        self.text_keys = [key_of(text) for text in layout.texts]
        self.crop_keys = self._crop_keys()
        self._crop_at = {crop: i for i, crop in enumerate(layout.crops)}
        self._text_at = {text: i for i, text in enumerate(layout.texts)}
        self.truncated = 0
        if isinstance(model, DualEncoder):
            self._encode(model, encode or partial(encode_here, model, workers))

    def _crop_keys(self) -> list[bytes]:
        paths = self.images.paths(crop.image_id for crop in self.layout.crops)
        with ThreadPoolExecutor(max(1, self.workers)) as pool:
            digests = dict(zip(paths, pool.map(digest_of_file, paths.values()), strict=True))
        return [key_of(digests[crop.image_id], repr(tuple(crop[1:]))) for crop in self.layout.crops]

    def _encode(self, model: DualEncoder, encode: Encode) -> None:
        """Encode the crops and texts that are not cached."""
        crops, texts = FeatureStore(self.kept / "crops", model.width), FeatureStore(self.kept / "texts", model.width)
        lacking = [(self.crop_keys[i], self.layout.crops[i]) for i in crops.missing(self.crop_keys)]
        unread = [(self.text_keys[i], self.layout.texts[i]) for i in texts.missing(self.text_keys)]
        if lacking or unread:
            encode(Missing(self.images, self.kept, lacking, unread))
            crops.refresh()
            texts.refresh()
        self.crop_store, self.text_store = crops, texts
        self.crop_rows, self.text_rows = crops.locate(self.crop_keys), texts.locate(self.text_keys)
        self.truncated = int(texts.take(self.text_rows, "cut").sum())

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
        store, model, layout = FeatureStore(self.kept / "pairs", 1), self.model, self.layout
        keys = [key_of(self.crop_keys[c], self.text_keys[t]) for c, t in zip(crops.tolist(), texts.tolist(), strict=True)]
        wanted: dict[Crop, list[int]] = {}
        for i in store.missing(keys):
            wanted.setdefault(layout.crops[crops[i]], []).append(i)
        prepared = progress(self.images.crops(wanted, model.prepare, self.workers), "scoring", "crop", len(wanted))
        pairs = ((i, crop, thing) for crop, thing in prepared for i in wanted[crop])
        while batch := list(islice(pairs, PAIRS)):
            which, asked, things = zip(*batch, strict=True)
            captions = [layout.texts[texts[i]] for i in which]
            truncated = model.truncated(captions)
            found = finite(model.score(things, captions), list(map(described, asked)), model.name)
            store.write(store.folder, [keys[i] for i in which], found[:, None], truncated)
        store.refresh()
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
        found = [model.by_key.get(key, model.by_key.get(("", *key[1:]))) for _, key in keys]
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
