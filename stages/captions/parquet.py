"""Rows of a Parquet file with a column of captions, such as img2dataset writes next to its images."""

from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from stages.captions.columns import position_of
from stages.captions.rows import OTHER_COLUMNS, REMEDY, Column, Row, rows_of
from stages.contract.errors import InputError


def parquet_rows(path: Path, column: Column) -> Iterator[Row]:
    with pq.ParquetFile(path) as parquet:
        schema = parquet.schema_arrow
        position = position_of(path, schema.names, len(schema.names), column)
        kind = schema.field(position).type
        if not _is_text(kind) and not (_is_list(kind) and _is_text(kind.value_type)):
            raise InputError(path, f"its column {schema.names[position]!r} holds {kind}, not text", REMEDY)
        number, name = 0, schema.names[position]
        same = schema.names[:position].count(name)  # columns are read by name, and all of that name come
        further = [
            column if column != name and schema.names.count(column) == 1 and _is_text(schema.field(column).type) else None
            for column in OTHER_COLUMNS
        ]
        for batch in parquet.iter_batches(columns=[name, *filter(None, further)], batch_size=4096):
            captions = [column for column, its in zip(batch.columns, batch.schema.names, strict=True) if its == name][same]
            said = [_texts(batch[column]) if column else repeat(None) for column in further]
            for caption, *row in zip(_texts(captions), *said, strict=False):
                number += 1
                yield from rows_of(number, caption, *row)


def _is_list(kind: pa.DataType) -> bool:
    return pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)


def _is_text(kind: pa.DataType) -> bool:
    held = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.types.is_string(held) or pa.types.is_large_string(held) or pa.types.is_string_view(held)


def _texts(column: pa.Array) -> list[Any]:
    """Return the texts of a column, or lists of them. Invalid UTF-8 becomes lone surrogates, which ``row_of`` finds."""
    try:
        return column.to_pylist()
    except UnicodeDecodeError:
        if _is_list(column.type):
            return [None if not texts.is_valid else _texts(texts.values) for texts in column]
        column = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        held = column.cast(pa.large_binary(), safe=False).to_pylist()
        return [None if text is None else text.decode("utf-8", "surrogateescape") for text in held]
