"""Rows of a Parquet file: any with a column of captions, as also img2dataset writes beside the images that it fetches."""

from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from stages.captions.columns import position_of
from stages.captions.rows import NO_IMAGE, REMEDY, Column, Row, row_of
from stages.contract.errors import InputError

STATUS, FAILED = "status", "failed_to_"
"""img2dataset's column that says what became of an image, and how that begins (``failed_to_download``) where there is none."""


def parquet_rows(path: Path, column: Column) -> Iterator[Row]:
    with pq.ParquetFile(path) as parquet:
        schema = parquet.schema_arrow
        position = position_of(path, schema.names, len(schema.names), column)
        kind = schema.field(position).type
        if not _is_text(kind):
            raise InputError(path, f"its column {schema.names[position]!r} holds {kind}, not text", REMEDY)
        number = 0
        name = schema.names[position]
        same = schema.names[:position].count(name)  # a column is asked for by its name, and all of that name come
        told = schema.names.count(STATUS) == 1 and name != STATUS and _is_text(schema.field(STATUS).type)
        for batch in parquet.iter_batches(columns=[name, STATUS] if told else [name], batch_size=4096):
            captions = [column for column, its in zip(batch.columns, batch.schema.names, strict=True) if its == name][same]
            for caption, status in zip(_texts(captions), _texts(batch[STATUS]) if told else repeat(None), strict=False):
                number += 1
                failed = status is not None and status.startswith(FAILED)
                yield Row(number, None, NO_IMAGE, ascii(status)[:80]) if failed else row_of(number, caption)


def _is_text(kind: pa.DataType) -> bool:
    held = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.types.is_string(held) or pa.types.is_large_string(held) or pa.types.is_string_view(held)


def _texts(column: pa.Array) -> list[str | None]:
    """The texts of a column. Bytes that are no UTF-8 become lone surrogates, which :func:`row_of` finds."""
    try:
        return column.to_pylist()
    except UnicodeDecodeError:
        column = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        held = column.cast(pa.large_binary(), safe=False).to_pylist()
        return [None if text is None else text.decode("utf-8", "surrogateescape") for text in held]
