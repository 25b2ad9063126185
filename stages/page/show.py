"""Show retrieval sets: ``python -m stages.page.show [--type HN-Swap] [--protocol cleared] [--number 20] [--image ID]
[--rejected]``.

Prints the sets with their truth and negatives: what each negative changed, and the probability that it is true although
nobody wrote so. With ``--rejected`` it also prints the refused candidates, each with the failed check. The sets are chosen
by their ids, so the same command shows the same ones. ``--json FILE`` writes all matching sets as JSON Lines instead:
one set a line, as text, without pictures.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from stages.contract import tables
from stages.contract.errors import InputError, run
from stages.contract.files import complete
from stages.contract.schemas import PROTOCOLS
from stages.evaluation.sets import crop_of

STAGES = ("gen_hn_atom", "gen_hn_comp", "gen_hn_prod")
TYPES = ("HN-Atom", "HN-Comp", "HN-Swap", "HN-Neg")
NUMBER = 20
"""Default number of printed sets."""
MAX_REFUSED = 10
"""Maximum number of refused candidates printed for a set; the JSON Lines have all."""
KEPT = ("caption", "edit", "atom", "foil", "nearness", "plausibility", "p_true")
"""Fields of a negative in the JSON Lines."""

Row = Mapping[str, Any]


def chosen(queries: Iterable[Row], wanted: Mapping[str, Any], number: int | None) -> list[Row]:
    """Return at most ``number`` queries with all ``wanted`` values, chosen by their ids and in id order."""
    fit = [query for query in queries if all(query[key] == value for key, value in wanted.items() if value is not None)]

    def draw(query: Row) -> bytes:
        return hashlib.sha256(f"{query['protocol']}:{query['query_id']}:{query['type']}".encode()).digest()

    drawn = sorted(fit, key=draw)[:number]
    return sorted(drawn, key=lambda query: (query["query_id"], query["type"], query["protocol"] or ""))


def refused(candidates: Iterable[Path], shown: Sequence[Row]) -> dict[tuple[str | None, str, str], list[Row]]:
    """Return the refused candidates of the queries ``shown``, by protocol, query and type."""
    found: dict[tuple[str | None, str, str], list[Row]] = {_key(query): [] for query in shown}
    columns = ["protocol", "query_id", "type", "truth", "reason", *KEPT]
    for path in candidates:
        for row in tables.read("candidates", path, columns):
            if row["reason"] is not None and _key(row) in found:
                found[_key(row)].append(row)
    return found


def _key(row: Row) -> tuple[str | None, str, str]:
    return row["protocol"], row["query_id"], row["type"]


def lines(query: Row, rejected: Sequence[Row] = ()) -> Iterator[str]:
    """Yield the printed lines of a query."""
    crop = crop_of(query)
    about = [f"image {crop.image_id}, {crop.width} x {crop.height} at {crop.x}, {crop.y}"]
    about += [] if query["n"] is None else [f"{query['n']} atoms"]
    about += [f"{label['split']} for {label['training_set']}" for label in query["splits"]]
    yield f"{query['protocol'] or 'no protocol'} {query['type']} {query['query_id']} ({', '.join(about)})"
    yield f"  true   {query['truth']}" + (f"   [denies {query['denied']}, which is not there]" if query["denied"] else "")
    for negative in query["negatives"]:
        yield f"  false  {negative['caption']}   [{why(negative)}]"
    for row in rejected[:MAX_REFUSED]:
        of_truth = "" if row["truth"] == query["truth"] else f" of {row['truth']!r}"
        yield f"  refused: {row['reason'].replace('_', ' ')}{of_truth}   {row['caption'] or '(cannot be said)'}   [{what(row)}]"
    if len(rejected) > MAX_REFUSED:
        yield f"  refused: {len(rejected) - MAX_REFUSED:,} more"


def what(negative: Row) -> str:
    """Return what a negative changed.

    >>> what({"edit": "object", "atom": "dog", "foil": "cow", "nearness": "sibling"})
    'object dog -> cow (sibling)'
    """
    change = f"{negative['edit'].replace('_', ' ')} {negative['atom']}".strip()
    if negative["foil"]:
        change += f" -> {negative['foil']}"
    return change + (f" ({negative['nearness'].replace('_', ' ')})" if negative["nearness"] else "")


def why(negative: Row) -> str:
    """Return what a negative changed, and why it is believed to be false."""
    if negative["p_true"] is None:
        return f"{what(negative)}; false by construction"
    return f"{what(negative)}; not annotated; true with probability {100 * negative['p_true']:.2g} %"


def record(query: Row, rejected: Sequence[Row] | None = None) -> dict[str, Any]:
    """Return a query as a JSON object; with its refused candidates where they are given."""
    found: dict[str, Any] = {key: query[key] for key in ("protocol", "query_id", "type", "image_id", "n", "truth", "denied")}
    found["crop"] = dict(zip(("x", "y", "width", "height"), crop_of(query)[1:], strict=True))
    found["splits"] = {label["training_set"]: label["split"] for label in query["splits"]}
    found["negatives"] = [{key: negative[key] for key in KEPT} for negative in query["negatives"]]
    if rejected is not None:
        found["rejected"] = [
            {"reason": row["reason"], "truth": row["truth"], **{key: row[key] for key in KEPT}} for row in rejected
        ]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--type", choices=TYPES)
    add("--protocol", choices=PROTOCOLS)
    add("--number", type=int, help=f"maximum number of sets (default: {NUMBER} printed, all written)")
    add("--image", type=int, metavar="ID", help="only sets of this image")
    add("--rejected", action="store_true", help="also show refused candidates")
    add("--json", type=Path, metavar="FILE", help="write JSON Lines to this file")
    add("--data", type=Path, default=Path("data"), help="folder of the pipeline's tables (default: %(default)s)")
    asked = parser.parse_args()
    if asked.number is not None and asked.number < 1:
        parser.error(f"--number: is {asked.number}, but the number of sets is 1 or more")
    folders = [asked.data / stage for stage in STAGES if (asked.data / stage / "queries.parquet").is_file()]
    if not folders:
        raise InputError(asked.data, "has no table of queries", "run dvc repro, or name the folder of the tables with --data")
    queries = (query for folder in folders for query in tables.read("queries", folder / "queries.parquet"))
    wanted = {"type": asked.type, "protocol": asked.protocol, "image_id": asked.image}
    number = asked.number if asked.number is not None or asked.json else NUMBER
    shown = chosen(queries, wanted, number)
    rejected = refused([folder / "candidates.parquet" for folder in folders], shown) if asked.rejected else None
    if asked.json:
        records = (record(query, None if rejected is None else rejected[_key(query)]) for query in shown)
        with complete(asked.json) as partial:
            partial.write_text("".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in records), encoding="utf-8")
        print(f"show: {len(shown):,} sets in {asked.json}")
        return
    for query in shown:
        print(*lines(query, rejected[_key(query)] if rejected else ()), "", sep="\n")
    print(f"{len(shown):,} set{'s' * (len(shown) != 1)}" if shown else "no set fits these options", file=sys.stderr)


if __name__ == "__main__":
    run(main)
