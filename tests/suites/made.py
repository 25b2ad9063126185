"""Small tables as the stages before ``evaluate`` write them, over a few pictures of noise."""

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from stages.contract import schemas, tables
from stages.contract.schemas import CLEARED, PAPER
from stages.graphs.graph import SceneGraph

COLOURS = ["red", "green", "blue", "pink", "black", "white"]
THINGS = ["dog", "cat", "car", "cup", "hat", "kite", "boat", "tree", "lamp", "ball"]
TRAINING_SETS = ("cc12m", "laion400m")


def empty(name: str, **known: object) -> dict[str, object]:
    """Return a row of the table ``name`` whose fields are null or empty unless ``known``."""
    row: dict[str, object] = {}
    for field in schemas.TABLES[name].schema:
        row[field.name] = [] if str(field.type).startswith("list") else None
    return row | known


def edit(caption: str, kind: str) -> dict[str, object]:
    lists = {name: [] for name in ("spans", "objects", "attributes", "relations")}
    return {"caption": caption, "edit": kind, "atom": "", "foil": None, "plausibility": None, **lists}


def query(
    query_id: str,
    kind: str,
    crop: dict[str, int],
    n: int,
    truth: str,
    graph: SceneGraph,
    negatives: list[str],
    edits: list[str],
    protocol: str | None = CLEARED,
):
    made = [edit(caption, what) for caption, what in zip(negatives, edits, strict=True)]
    known = {"protocol": protocol, "query_id": query_id, "type": kind, **crop, "n": n, "truth": truth, **graph.columns()}
    return empty("queries", **known, negatives=made)


def write_pipeline(
    folder: Path,
    images: list[int],
    per_image: int = 3,
    seed: int = 0,
    colours: Sequence[str] = COLOURS,
    things: Sequence[str] = THINGS,
    training_captions: int = 40,
    dropped: str | None = None,
) -> Path:
    """Write all tables that ``evaluate`` reads, with queries over ``images`` in the words of ``colours`` and ``things``, of both
    protocols. Queries whose ids end with ``dropped`` have no cleared sets."""
    draw = random.Random(seed)
    regions, atom, comp, walks, prod = [], [], [], [], []
    for image in images:
        for i in range(per_image):
            number = image * 100 + i
            crop = {"image_id": image, "x": i, "y": 2 * i, "width": 40, "height": 30}
            colour, thing = draw.choice(colours), draw.choice(things)
            others = draw.sample([c for c in colours if c != colour], 4)
            partners = draw.sample([t for t in things if t != thing], 6)
            truth = f"a {colour} {thing}"
            graph = SceneGraph((thing,), ((0, colour),))
            about = {"region_id": number, "position": number, "phrase": truth, "caption": truth} | {
                "image_width": 64,
                "image_height": 48,
            }
            regions.append(empty("regions", **about, **crop, **graph.columns()))
            foils = [f"a {c} {thing}" for c in others]
            atom.append(query(f"region-{number}", "HN-Atom", crop, 2, truth, graph, foils, ["attribute"] * 4))
            negatives = [f"a {others[0]} {thing} and a {colour} {partner}" for partner in partners]
            comp.append(query(f"region-{number}", "HN-Comp", crop, 2, truth, graph, negatives, ["attribute"] * 6))
            n = 4 + i % 3
            truth = f"a {colour} {thing} on a {others[0]} {partners[0]}"
            graph = SceneGraph((thing, partners[0]), ((0, colour), (1, others[0])), ((0, "on", 1),))
            name = f"{image}-{n}-{i}"
            walks.append(empty("captions", subgraph_id=name, **crop, n=n, caption=truth, writer="template", **graph.columns()))
            swaps = [f"a {others[0]} {thing} on a {colour} {partners[0]}", f"a {colour} {partners[0]} on a {others[0]} {thing}"]
            swaps += [f"a {others[0]} {partners[0]} on a {colour} {thing}", f"{truth} {thing}", f"{truth} {colour}"]
            foils = [f"a {colour} {thing} on a {others[1]} {partner}" for partner in partners[1:]]
            denied = [f"no {truth[2:]}", f"{truth} is not there", f"a {thing} that is not {colour}", "not this", "nothing here"]
            for kind, negatives in (("HN-Atom", foils), ("HN-Swap", swaps), ("HN-Neg", denied)):
                prod.append(query(f"walk-{name}", kind, crop, n, truth, graph, negatives, ["object"] * 5))
    captions = (f"a {draw.choice(colours)} {draw.choice(things)} with a {draw.choice(things)}" for _ in iter(int, 1))
    splits = _write_training(folder, [row["region_id"] for row in regions], captions, training_captions, draw)
    for row in (*atom, *comp):
        row["splits"] = splits[row["query_id"]]
    for name, rows in (("regions", regions), ("captions", walks)):
        tables.write(name, folder / f"{name}.parquet", rows)
    for name, rows in (("atom", atom), ("comp", comp), ("prod", prod)):
        # The paper's sets are of all queries, and easier, as words give their negatives away. Only some queries have cleared sets.
        kept = [row for row in rows if dropped is None or not row["query_id"].endswith(dropped)]
        papers = [
            row | {"protocol": PAPER, "negatives": [of | {"caption": f"{of['caption']} now"} for of in row["negatives"]]}
            for row in rows
        ]
        tables.write("queries", folder / f"{name}.parquet", [*papers, *kept])
    return folder


def _write_training(
    folder: Path, regions: list[int], captions: Iterator[str], count: int, draw: random.Random
) -> dict[str, list[dict[str, object]]]:
    """Return the split columns of each region's queries."""
    labels: dict[str, list[dict[str, object]]] = {f"region-{region}": [] for region in regions}
    for training_set in TRAINING_SETS:
        split = [
            empty("splits", region_id=region, image_id=region // 100, split=name, min_atom_count=region % 7)
            for region in regions
            for name in [draw.choice(["SC", "SC", "UC", "UA"])]
        ]
        tables.write("splits", folder / "splits" / f"{training_set}.parquet", split)
        graphs = [empty("training_graphs", caption=caption, count=1) for caption in sorted(set(islice(captions, count)))]
        tables.write("training_graphs", folder / "parse_train" / training_set / "graphs.parquet", graphs)
        for row in split:
            own = {"training_set": training_set, "split": row["split"], "min_atom_count": row["min_atom_count"]}
            labels[f"region-{row['region_id']}"].append(own)
    return labels
