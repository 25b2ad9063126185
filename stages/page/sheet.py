"""A sheet for annotators: ``python -m stages.page.sheet --atom … --out sheet.html`` (paper, section 4.3 and appendix D).

A seeded sample of the queries, with all their negatives, and of the captions becomes one self-contained page: a picture and what
is said of it, answered by yes, no or cannot tell, and saved from the browser as JSON. What two people saved is read by
``python -m stages.page.agreement``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from stages.contract import params, tables
from stages.contract.errors import CrepeError, run
from stages.contract.files import complete
from stages.contract.param_schema import Run, Sheet
from stages.page.gallery import crop_of, thumbnail
from stages.page.html import data_uri, render
from stages.visual_genome.crops import ImageFolder

SIZE = 420
"""Longest side of a picture on the sheet, in pixels."""

Item = dict[str, Any]


def drawn(rows: Iterable[Item], key: str, share: float, seed: int) -> list[Item]:
    """Of the rows each with the chance ``share``, by its id alone, so that a larger table keeps the choice for the smaller one."""
    return [row for row in rows if Random(f"{seed}:{row[key]}").random() < share]  # noqa: S311


def items(queries: Iterable[Item], captions: Iterable[Item]) -> Iterator[Item]:
    """What is asked: of each query's negatives whether they are true of the crop (they should not be), of each caption the same."""
    for query in queries:
        for place, negative in enumerate(query["negatives"]):
            yield {
                "id": f"{query['query_id']} {query['type']} {place}",
                "type": query["type"],
                "crop": crop_of(query),
                "asked": negative["caption"],
                "beside": query["truth"],
                "expected": "no",
            }
    for row in captions:
        item_id = f"walk-{row['subgraph_id']} caption"
        yield {"id": item_id, "type": "caption", "crop": crop_of(row), "asked": row["caption"], "beside": "", "expected": "yes"}


def page(asked: list[Item], folder: ImageFolder, workers: int) -> str:
    """The sheet as HTML, its items in an order that mixes types and images."""
    pictures = dict(folder.crops((item["crop"] for item in asked), lambda image: data_uri(thumbnail(image, SIZE)), workers))
    mixed = sorted(asked, key=lambda item: hashlib.sha256(item["id"].encode()).hexdigest())
    about = [{key: item[key] for key in ("id", "type", "asked", "expected")} for item in mixed]
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:16]
    return render(
        "sheet",
        items=[item | {"picture": pictures[item["crop"]], "number": i + 1} for i, item in enumerate(mixed)],
        data={"sheet": digest, "items": [{key: item[key] for key in ("id", "type", "expected")} for item in mixed]},
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=Path, nargs="*", default=[], help="tables of queries, of any stage gen_hn_*")
    parser.add_argument("--captions", type=Path, help="the captions' table")
    parser.add_argument("--images", type=Path, required=True, help="folder with VG_100K and VG_100K_2")
    parser.add_argument("--out", type=Path, required=True, help="the page")
    args = parser.parse_args()
    settings = params.load(Sheet)
    queries = (row for path in args.queries for row in tables.read("queries", path))
    captions = tables.read("captions", args.captions) if args.captions else ()
    asked = list(
        items(
            drawn(queries, "query_id", settings.queries, settings.seed),
            drawn(captions, "subgraph_id", settings.captions, settings.seed),
        )
    )
    if not asked:
        raise CrepeError(
            "The sample came out empty. Remedy: raise sheet.queries or sheet.captions in params.yaml, or name more tables."
        )
    with complete(args.out) as partial:
        partial.write_text(page(asked, ImageFolder(args.images), params.load(Run).workers), encoding="utf-8")
    print(f"sheet: {len(asked):,} questions in {args.out}; open it in a browser, answer, and save")


if __name__ == "__main__":
    run(main)
