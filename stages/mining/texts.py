"""The negatives of all captions, in pieces that workers share out and that stay done when a run is killed."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from stages.console.progress import progress_bar
from stages.contract.files import complete
from stages.contract.schemas import TABLES
from stages.contract.workers import each
from stages.parameters.sections import Language, MineNegatives
from stages.resuming.resume import load_done, mark_done


class Piece(NamedTuple):
    """Captions, the section ``language`` as JSON, what :func:`exchanged.negatives` is told, and the file that gets the rows."""

    captions: list[str]
    language: str
    most: int
    seed: int
    out: Path


def mine(
    captions: Sequence[str], settings: MineNegatives, language: Language, workers: int, work: Path
) -> Iterator[dict[str, Any]]:
    """Rows of ``text_negatives``, one for each of the distinct ``captions``, in their order.

    Args:
        work: where pieces that are done lie.
    """
    how = (language.model_dump_json(), settings.texts, settings.seed)
    pieces = [
        Piece(list(captions[start : start + settings.piece]), *how, work / f"texts-{start:012d}.parquet")
        for start in range(0, len(captions), settings.piece)
    ]
    todo = [piece for piece in pieces if load_done(piece.out.with_suffix(".json")) is None]
    left = sum(len(piece.captions) for piece in todo)
    with progress_bar("text negatives", "captions", len(captions), len(captions) - left) as bar:
        for number, _ in each(exchange, todo, min(workers, max(1, len(todo)))):
            bar.update(len(todo[number].captions))
    for piece in pieces:
        yield from pq.read_table(piece.out).to_pylist()


def exchange(piece: Piece) -> None:
    """Write the negatives of a piece's captions, whole or not at all, and mark them done."""
    # Imported here, because the process that only shares the work out needs half a gigabyte less without a pipeline.
    from stages.mining.exchanged import negatives
    from stages.parsing.parser import Parser
    from stages.parsing.shards import shared_parser

    parser = shared_parser(piece.language)
    if not isinstance(parser, Parser):  # of one's own: it has no tags
        parser = Parser(Language.model_validate_json(piece.language))
    exchanged = negatives(piece.captions, parser, piece.most, piece.seed)
    rows = [{"caption": caption, "negatives": [one._asdict() for one in some]} for caption, some in exchanged]
    with complete(piece.out) as partial:
        pq.write_table(pa.Table.from_pylist(rows, schema=TABLES["text_negatives"].schema), partial, compression="zstd")
    mark_done(piece.out.with_suffix(".json"), len(rows), piece.out)
