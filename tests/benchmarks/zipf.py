"""Make the table ``occurrences`` of a web corpus of any size: words by Zipf's law, some in every shard and most only once."""

from pathlib import Path

import numpy as np
import pyarrow as pa

from stages.contract import schemas, tables

SHARD = 500_000
WORDS = {"object": 2_000_000, "attribute": 400_000, "relation": 60_000}
"""Number of distinct words. The web's captions name some million things, most of them names."""
SHARES = {"object": 0.22, "attribute": 0.12, "relation": 0.10, "attribute_object": 0.22, "object_relation_object": 0.34}
"""Fractions of the rows by kind, as in 12,000 Conceptual Captions."""


def occurrences(path: Path, n: int) -> None:
    """Write ``n`` rows, in pieces like parse_train's shards but in no order, which is harder."""
    random = np.random.default_rng(0)
    words = {kind: pa.array([f"{kind[:4]} {rank:x}" for rank in range(most)]) for kind, most in WORDS.items()}
    with tables.writer("occurrences", path) as write:
        for start in range(0, n, SHARD):
            for kind, share in SHARES.items():
                write(_piece(random, words, kind, max(1, round(min(SHARD, n - start) * share))))


PARTS = {"attribute_object": ("attribute", "object"), "object_relation_object": ("object", "relation", "object")}


def _piece(random: np.random.Generator, words: dict[str, pa.Array], kind: str, n: int) -> pa.Table:
    columns = [_draw(random, words[part], n) for part in PARTS.get(kind, (kind,))]
    columns += [pa.array([""] * n)] * (3 - len(columns))
    counts = pa.array(random.geometric(0.5, n), pa.int64())
    return pa.table([pa.array([kind] * n), *columns, counts], schema=schemas.TABLES["occurrences"].schema)


def _draw(random: np.random.Generator, words: pa.Array, n: int) -> pa.Array:
    """Draw ``n`` words, the r-th most common with a probability of about 1/r."""
    ranks = np.exp(random.random(n) * np.log(len(words))).astype(np.int64)
    return words.take(pa.array(np.minimum(ranks, len(words)) - 1))
