"""Make a sheet for annotators: ``python -m stages.page.sheet --queries … --out sheet.html`` (paper, section 4.3 and appendix D).

A seeded sample of the queries, with all their negatives, and of the captions becomes one self-contained page of pictures with a
line each, and the questions whether the line is true and whether it is good English. Mixed in are controls of both kinds, the
query's truth and a caption of another image, so that only the picture gives an answer away. The browser stores answers as they are
given, under the annotator's name, and saves them as JSON, which ``python -m stages.page.agreement`` reads.

For example, over all stages of a run::

    python -m stages.page.sheet --images data/sample/visual_genome --captions data/caption/captions.parquet --out sheet.html \\
        --queries data/gen_hn_atom/queries.parquet data/gen_hn_comp/queries.parquet data/gen_hn_prod/queries.parquet
"""

import argparse
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from stages.contract import tables
from stages.contract.errors import CrepeError, run
from stages.contract.files import complete
from stages.evaluation.sets import crop_of
from stages.images.crops import ImageFolder
from stages.page.display_names import kind_of
from stages.page.gallery import thumbnail
from stages.page.html import data_uri, render
from stages.parameters import params
from stages.parameters.sections import Run, Sheet

SIZE = 420
"""Longest side of a picture on the sheet, in pixels."""

Item = dict[str, Any]


def drawn(rows: Iterable[Item], key: str, share: float, seed: int) -> list[Item]:
    """Return each row with the probability ``share``, by its id alone, so that a larger table keeps the smaller one's choice."""
    return [row for row in rows if Random(f"{seed}:{row[key]}").random() < share]


def items(queries: Iterable[Item], captions: Iterable[Item]) -> Iterator[Item]:
    """Yield the lines to ask about: each query's negatives, its truth, another image's truth, and each caption.

    ``type`` names the suite; ``expected`` is the right answer, where it is known. A line of one type and crop is asked once.
    """
    seen = set[tuple[Any, ...]]()
    for item in _items(queries, captions):
        line = item["type"], item["crop"], item["asked"]
        if line not in seen:
            seen.add(line)
            yield item


def _items(queries: Iterable[Item], captions: Iterable[Item]) -> Iterator[Item]:
    asked = list(queries)
    named: dict[int, set[str]] = {}
    for query in asked:
        named.setdefault(query["image_id"], set()).update(query["objects"])
    for query in asked:
        about = {"crop": crop_of(query), "n": query["n"]}
        name = " ".join(filter(None, (query["query_id"], query["type"], query["protocol"])))
        for place, negative in enumerate(query["negatives"]):
            yield {"id": f"{name} {place}", "type": kind_of(query), "asked": negative["caption"], "expected": "no", **about}
        yield {"id": f"{name} truth", "type": "control, true", "asked": query["truth"], "expected": "yes", **about}
        # Another image's truth, drawn by the query's id and with other objects, because otherwise it may be true of this image.
        others = [one for one in asked if one["type"] == query["type"] and named[query["image_id"]].isdisjoint(one["objects"])]
        if others:
            other = Random(f"other:{query['query_id']}").choice(others)
            yield {"id": f"{name} other", "type": "control, false", "asked": other["truth"], "expected": "no", **about}
    for row in captions:
        item_id = f"walk-{row['subgraph_id']} caption"
        yield {"id": item_id, "type": "caption", "asked": row["caption"], "expected": "yes", "crop": crop_of(row), "n": row["n"]}


def page(asked: list[Item], folder: ImageFolder, workers: int, seed: int = 0) -> str:
    """Return the sheet as HTML, its items in an order that the seed draws."""
    pictures = dict(folder.crops((item["crop"] for item in asked), lambda image: data_uri(thumbnail(image, SIZE)), workers))
    mixed = sorted(asked, key=lambda item: hashlib.sha256(f"{seed}:{item['id']}".encode()).hexdigest())
    about = [{key: item[key] for key in ("id", "type", "asked", "expected")} for item in mixed]
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:16]
    return render(
        "sheet",
        items=[item | {"picture": pictures[item["crop"]], "number": i + 1} for i, item in enumerate(mixed)],
        data={"sheet": digest, "items": [{key: item[key] for key in ("id", "type", "n", "expected")} for item in mixed]},
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=Path, nargs="*", default=[], help="tables of queries of any stage gen_hn_*")
    parser.add_argument("--captions", type=Path, help="the captions' table")
    parser.add_argument("--images", type=Path, required=True, help="folder with VG_100K and VG_100K_2")
    parser.add_argument("--out", type=Path, required=True, help="the page")
    args = parser.parse_args()
    settings = params.load(Sheet)
    queries = (row for path in args.queries for row in tables.read("queries", path))
    captions = tables.read("captions", args.captions) if args.captions else ()
    some_queries = drawn(queries, "query_id", settings.queries, settings.seed)
    some_captions = drawn(captions, "subgraph_id", settings.captions, settings.seed)
    asked = list(items(some_queries, some_captions))
    if not asked:
        remedy = "raise sheet.queries or sheet.captions in params.yaml, or name more tables"
        raise CrepeError(f"The sample came out empty. Remedy: {remedy}.")
    with complete(args.out) as partial:
        partial.write_text(page(asked, ImageFolder(args.images), params.load(Run).workers, settings.seed), encoding="utf-8")
    print(f"sheet: {len(asked):,} lines in {args.out}; open it in a browser, answer, and save")


if __name__ == "__main__":
    run(main)
