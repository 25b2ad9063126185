"""Makes the table ``occurrences`` of a web corpus of any size: words by Zipf's law, some in every shard and most only once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from stages.contract import tables

SHARD = 500_000
WORDS = {"object": 2_000_000, "attribute": 400_000, "relation": 60_000}
"""How many different words there are. The web's captions name some million things, most of them names."""
SHARES = {"object": 0.22, "attribute": 0.12, "relation": 0.10, "attribute_object": 0.22, "object_relation_object": 0.34}
"""The kinds' shares of the rows, as 12,000 Conceptual Captions have them."""


def occurrences(path: Path, n: int) -> None:
    """Write about ``n`` rows, in shards with sorted distinct keys as parse_train writes them."""
    random = np.random.default_rng(0)
    with tables.writer("occurrences", path) as write:
        for start in range(0, n, SHARD):
            write(_shard(random, min(SHARD, n - start)))


def _shard(random: np.random.Generator, n: int) -> pa.Table:
    pieces = []
    for kind, share in SHARES.items():
        size = max(1, round(n * share))
        parts = {
            "attribute_object": ("attribute", "object"),
            "object_relation_object": ("object", "relation", "object"),
        }.get(kind, (kind,))
        columns = [_draw(random, part, size) for part in parts]
        columns += [pa.array([""] * size)] * (3 - len(columns))
        counts = pa.array(random.geometric(0.5, size), pa.int64())
        pieces.append(pa.table([pa.array([kind] * size), *columns, counts], schema=tables.TABLES["occurrences"].schema))
    return pa.concat_tables(pieces).sort_by([(name, "ascending") for name in ("kind", "first", "second", "third")])


def _draw(random: np.random.Generator, kind: str, n: int) -> pa.Array:
    """``n`` words, the r-th commonest with a probability of about 1/r."""
    most = WORDS[kind]
    ranks = np.minimum(most, np.exp(random.random(n) * np.log(most))).astype(np.int64)
    return pa.array([f"{kind[:4]} {rank:x}" for rank in ranks.tolist()])
