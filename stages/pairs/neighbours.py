"""NegCLIP's image negatives: the images most similar to an image (Yuksekgonul et al., ICLR 2023, section 4 and appendix C.2)."""

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from stages.console.progress import progress

BLOCK = 1024
"""Number of images whose neighbours are searched at a time."""
SIMILARITIES = 1 << 28
"""Maximum number of similarities computed at a time, a gigabyte."""
EXACT = 1_000_000
"""Maximum number of images for which all similarities are computed; for more, faiss searches a graph of neighbours."""
LINKS, VISITED = 32, 64
"""faiss's graph: links of each image, and the minimum number of images that a search visits."""
SPARE = 8
"""Number of extra neighbours to search for, because some are not allowed."""


def nearest(features: np.ndarray, k: int, captions: Sequence[Sequence[str]], digests: Sequence[bytes]) -> Iterator[list[int]]:
    """Return for each image, in order, the ``k`` images with the most similar features; fewer where there are not so many.

    Excluded are the same picture, and images that share a caption with the image: the caption would be true of both.

    Args:
        features: (n, width), of length 1.
        digests: of each image's bytes.
    """
    caption_sets = [set(of_image) for of_image in captions]
    search = _exact(features) if len(features) <= EXACT else _approximate(features)
    for start in progress(range(0, len(features), BLOCK), "neighbours", f"{BLOCK:,} images"):
        rows = range(start, min(start + BLOCK, len(features)))
        wanted, left, neighbours = k + SPARE, list(rows), dict[int, list[int]]()
        while left:
            wanted = min(wanted, len(features))
            for i, near in zip(left, search(left, wanted), strict=True):
                neighbours[i] = [
                    j for j in near.tolist() if j >= 0 and digests[i] != digests[j] and caption_sets[i].isdisjoint(captions[j])
                ][:k]
            left = [i for i in left if len(neighbours[i]) < k] if wanted < len(features) else []
            wanted *= 8
        yield from (neighbours[i] for i in rows)


def _exact(features: np.ndarray):  # type: ignore[no-untyped-def]
    every = torch.from_numpy(np.ascontiguousarray(features, np.float32))

    def search(rows: list[int], k: int) -> Tensor:
        parts = torch.tensor(rows).split(SIMILARITIES // len(every))
        return torch.cat([(every[part] @ every.T).topk(k, dim=1).indices for part in parts])

    return search


def _approximate(features: np.ndarray):  # type: ignore[no-untyped-def]
    import faiss  # imported here, because it is rarely needed

    every = np.ascontiguousarray(features, np.float32)
    index = faiss.IndexHNSWFlat(every.shape[1], LINKS, faiss.METRIC_INNER_PRODUCT)
    index.add(every)

    def search(rows: list[int], k: int) -> np.ndarray:
        index.hnsw.efSearch = max(VISITED, 2 * k)
        return index.search(every[rows], k)[1]

    return search
