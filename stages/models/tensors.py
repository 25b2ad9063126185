"""Tools for models that run on PyTorch."""

from collections.abc import Callable, Hashable, Iterator, Sequence

import numpy as np
import torch


def once(keys: Sequence[Hashable]) -> tuple[list[int], list[int]]:
    """Return the first index of each distinct key, and for every key the place of its first occurrence among these.

    Captions that a model reads as one are encoded once: in another place of a batch the last bits may differ, and break a tie.
    """
    first: dict[Hashable, int] = {}
    for place, key in enumerate(keys):
        first.setdefault(key, place)
    number = {place: i for i, place in enumerate(first.values())}
    return list(first.values()), [number[first[key]] for key in keys]


def by_width(widths: np.ndarray, size: int) -> Iterator[tuple[int, list[int]]]:
    """Yield batches of at most ``size`` captions of one width, as the width and the captions' indices."""
    for width in np.unique(widths).tolist():
        here = np.flatnonzero(widths == width).tolist()
        yield from ((width, here[start : start + size]) for start in range(0, len(here), size))


def unit(features: torch.Tensor) -> np.ndarray:
    """Return features as float32 of length 1."""
    return torch.nn.functional.normalize(features.float(), dim=-1).cpu().numpy()


def by_batch(encode: Callable[[torch.Tensor], np.ndarray], things: Sequence[torch.Tensor], size: int) -> np.ndarray:
    """Return the output of ``encode`` for prepared crops or caption tokens, a row each, by batches that are all :func:`filled`."""
    pieces = (filled(things[i : i + size], size) for i in range(0, len(things), size))
    return np.concatenate([encode(piece) for piece in pieces])[: len(things)]


def filled(things: Sequence[torch.Tensor], size: int) -> torch.Tensor:
    """Return at most ``size`` prepared crops, or caption tokens, as a batch of this size, padded with the first.

    Matrix kernels are chosen by the batch's size. With one size a crop's features do not depend on the other crops of its batch, so
    an interrupted run gives the same bits as an uninterrupted one.
    """
    return torch.stack([*things, *[things[0]] * (size - len(things))])
