"""The negatives of all captions, in batches that workers share and that stay done when a run is killed."""

from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from stages.console.progress import progress_bar
from stages.contract.files import complete
from stages.contract.resume import load_done, mark_done
from stages.contract.schemas import TABLES
from stages.contract.workers import Running, at_most, each
from stages.parameters.sections import Language, MineNegatives


class Batch(NamedTuple):
    """Captions, the section ``language`` as JSON, the maximum number of negatives of each, and the seed."""

    captions: list[str]
    language: str
    most: int
    seed: int


def mine(
    captions: Sequence[str], settings: MineNegatives, language: Language, running: Running, work: Path
) -> Iterator[dict[str, Any]]:
    """Yield rows of ``text_negatives``, one for each of the distinct ``captions``; finished batches stay in ``work``."""
    how = (language.model_dump_json(), settings.texts, settings.seed)
    places = {start: work / f"texts-{start:012d}.parquet" for start in range(0, len(captions), settings.piece)}
    todo = [start for start, place in places.items() if load_done(place.with_suffix(".json")) is None]
    batches = [Batch(list(captions[start : start + settings.piece]), *how) for start in todo]
    left = sum(len(batch.captions) for batch in batches)
    with progress_bar("text negatives", "captions", len(captions), len(captions) - left) as bar:
        for number, content in each(exchange, batches, at_most(running, len(todo))):
            place = places[todo[number]]
            with complete(place) as partial:
                partial.write_bytes(content)
            mark_done(place.with_suffix(".json"), len(batches[number].captions), place)
            bar.update(len(batches[number].captions))
    for place in places.values():
        yield from pq.read_table(place).to_pylist()


def exchange(batch: Batch) -> bytes:
    """Return the negatives of a batch of captions, as a Parquet file."""
    # Imported here, because the process that only distributes the work needs half a gigabyte less without a pipeline.
    from stages.pairs.exchanged import negatives
    from stages.parsing.parser import Parser
    from stages.parsing.shards import shared_parser

    parser = shared_parser(batch.language)
    if not isinstance(parser, Parser):  # a user's own: it has no tags
        parser = Parser(Language.model_validate_json(batch.language))
    exchanged = negatives(batch.captions, parser, batch.most, batch.seed)
    rows = [{"caption": caption, "negatives": [one._asdict() for one in some]} for caption, some in exchanged]
    out = BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, schema=TABLES["text_negatives"].schema), out, compression="zstd")
    return out.getvalue()
