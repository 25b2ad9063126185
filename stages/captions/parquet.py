"""Rows of a Parquet file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from stages.captions.columns import position_of
from stages.captions.rows import REMEDY, Column, Row, row_of
from stages.contract.errors import InputError


def parquet_rows(path: Path, column: Column) -> Iterator[Row]:
    with pq.ParquetFile(path) as parquet:
        schema = parquet.schema_arrow
        position = position_of(path, schema.names, len(schema.names), column)
        kind = schema.field(position).type
        held = kind.value_type if pa.types.is_dictionary(kind) else kind
        if not (pa.types.is_string(held) or pa.types.is_large_string(held) or pa.types.is_string_view(held)):
            raise InputError(path, f"its column {schema.names[position]!r} holds {kind}, not text", REMEDY)
        number = 0
        name = schema.names[position]
        same = schema.names[:position].count(name)  # a column is asked for by its name, and all of that name come
        for batch in parquet.iter_batches(columns=[name], batch_size=4096):
            for caption in _texts(batch.column(same)):
                number += 1
                yield row_of(number, caption)


def _texts(column: pa.Array) -> list[str | None]:
    """The texts of a column. Bytes that are no UTF-8 become lone surrogates, which :func:`row_of` finds."""
    try:
        return column.to_pylist()
    except UnicodeDecodeError:
        column = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        held = column.cast(pa.large_binary(), safe=False).to_pylist()
        return [None if text is None else text.decode("utf-8", "surrogateescape") for text in held]
