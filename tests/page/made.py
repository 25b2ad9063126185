"""Ranks, images and metrics for tests: what `evaluate` would write for a model of known skill."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from stages.contract import tables
from stages.contract.schemas import CLEARED, PAPER
from stages.evaluation.ranks import rank
from stages.evaluation.sets import Query, RetrievalSet, Split, crop_of
from stages.evaluation.summary import Ranked, summarise

SIZES = {"atom": 4, "comp": 6, "swap": 5, "neg": 5}
HOSTILE = (
    "<script>document.title='owned'</script>",
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "quotes \" ' ` and &lt;b&gt; & \\u003c \u2028 end",
    "كلب \u202eأسود\u202c a dog on its side",
    "]]>--><!-- {{ 7*7 }} {% raw %} </style>",
    "long " * 400,
)


def ranks_row(suite: str, name: str, query: int, **more: Any) -> dict[str, Any]:
    """Return a row of ``ranks`` for the ``query``-th query; ``more`` overrides its columns."""
    draw = random.Random(f"{suite}:{name}:{query}")
    truth = f"a {draw.choice(['red', 'green', 'small'])} {draw.choice(['dog', 'car', 'table'])} beside thing {query}"
    negatives = [
        truth.replace("beside", word) for word in ("under", "behind", "above", "inside", "far from", "against")[: SIZES[name]]
    ]
    scores = [0.3 + draw.gauss(0.05, 0.05), *(0.3 + draw.gauss(0, 0.05) for _ in negatives)]
    row = {
        "protocol": CLEARED,
        "suite": suite,
        "set": name,
        "query_id": f"{'region' if suite == 'sys' else 'walk'}-{query}",
        "image_id": query % 40 + 1,
        # Every query has its own crop, which its types share.
        **{"x": 10 + query % 7, "y": query // 280 % 60 + (suite == "prod"), "width": 300, "height": 220},
        "cluster": query % 40 + 1,
        "picture": None,
        "n": None if suite == "sys" else 4 + query % 9,
        "split": ("SC", "UC", "UA")[query % 3] if suite == "sys" else None,
        "splits": [{"training_set": "cc12m", "split": ("SC", "UC", "UA")[query % 3]}] if suite == "sys" else [],
        "truth": truth,
        "negatives": negatives,
        "edits": ["relation"] * len(negatives),
        "scores": scores,
        "shuffled_rank": 3.0,
        "shortcuts": [{"scorer": "length", "rank": 2.0, "r1": 0.0}],
        **more,
    }
    row["ties"] = sum(score == row["scores"][0] for score in row["scores"][1:])
    row["rank"] = 1 + sum(score > row["scores"][0] for score in row["scores"][1:]) + row["ties"] / 2
    return row


def share(name: str, value: float, error: float) -> dict[str, float]:
    """Return a percentage as in ``metrics/evaluate.json``, with the interval of many images."""
    low, high = max(value - 1.96 * error, 0.0), min(value + 1.96 * error, 100.0)
    return {name: value, f"{name}_se": error, f"{name}_low": low, f"{name}_high": high}


def write_ranks(path: Path, queries: int, hostile: bool = False, protocols: Sequence[str] = (CLEARED,)) -> None:
    """Write about ``queries`` retrieval sets of each protocol, a fifth for each of the five (suite, set) pairs. If there are the
    paper's sets as well, every fourth query has no cleared set."""
    rows = []
    for query in range(max(1, queries // 5)):
        for suite, name in (("sys", "atom"), ("sys", "comp"), ("prod", "atom"), ("prod", "swap"), ("prod", "neg")):
            more: dict[str, Any] = {}
            if hostile:
                evil = [HOSTILE[(query + i) % len(HOSTILE)] for i in range(SIZES[name] + 1)]
                more = {
                    "truth": evil[0],
                    "negatives": [f"{text} {i}" for i, text in enumerate(evil[1:])],
                    "query_id": f"{evil[0][:40]}{query}",
                }
            kept = [protocol for protocol in protocols if protocol == PAPER or query % 4 or PAPER not in protocols]
            rows += (ranks_row(suite, name, query, **more, protocol=protocol) for protocol in kept)
    tables.write("ranks", path, rows)


def write_images(folder: Path, count: int = 40) -> None:
    """Write images 1 to ``count``, each a coloured disc."""
    (folder / "VG_100K").mkdir(parents=True, exist_ok=True)
    for number in range(1, count + 1):
        image = Image.new("RGB", (400, 300), (number * 37 % 256, 180, number * 91 % 256))
        ImageDraw.Draw(image).ellipse((60, 40, 320, 260), fill=(250, number * 5 % 256, 90))
        image.save(folder / "VG_100K" / f"{number}.jpg")


def metrics_of(ranks: Path) -> dict[str, Any]:
    """Return the metrics that ``evaluate`` computes for the table ``ranks``."""
    rows = list(tables.read("ranks", ranks))
    sets = [
        RetrievalSet(row["suite"], row["set"], query, row["truth"], negatives, tuple(row["edits"]), protocol=row["protocol"])
        for row in rows
        for splits in [{s["training_set"]: Split(s["split"], 5) for s in row["splits"]}]
        for query in [Query(row["query_id"], crop_of(row), row["n"], None, splits)]
        for negatives in [tuple(row["negatives"])]
    ]
    scores = [np.array(row["scores"], dtype=np.float32) for row in rows]
    size = np.array([len(one) for one in scores])
    nothing = rank(np.zeros(size.sum()), size)
    shortcuts = dict.fromkeys(("shorter", "longer", "trained", "neural"), nothing)
    same_bag = np.zeros(len(sets), dtype=np.int64)
    ranked = Ranked(sets, scores, rank(np.concatenate(scores), size), nothing, shortcuts, same_bag, ("neural",))
    fold = {"n": 20, "folds": 3, "chance": 5.0, "i2t": {"r1": 30.0, "r1_sd": 1.5}, "t2i": {"r1": 28.0, "r1_sd": 1.0}}
    return {
        "model": {"name": "made", "family": "open_clip", "trained_on": "cc12m"},
        "judged_by": "cc12m",
        "drawn": {"images": False, "order": False},
        **summarise(ranked, "cc12m", 3),
        "raw": {"sys": {"SC": fold, "UC": fold}, "prod": {"n04": fold}},
        "captions": {"n": 1000, "cut": 3},
    }
