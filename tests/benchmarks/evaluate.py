"""How fast, against a plain loop in the manner of the official script: batch 1, each crop decoded anew, texts padded to 77 tokens.

    python -m tests.benchmarks.evaluate [--official FOLDER] [--rows N] [--architecture NAME] [--device cuda]

Same random weights, same rows, same run, one thread. Rows are made here (captions of 4 to 12 atoms with five negatives of each of
three types), or taken from the official release; pictures are JPEGs of 800 x 600 made here. Last line: ``rows, plain_rows_per_s,
rows_per_s, ratio`` for one file, ``suite_ratio`` for all three, and ``ranks_differing`` over all of them.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from pathlib import Path

import numpy as np
import open_clip
import torch
from PIL import Image

from stages.genome.crops import Crop, ImageFolder
from stages.models.load import load
from stages.models.scoring import Scorer
from stages.retrieval.ranks import rank
from stages.retrieval.sets import Layout, Query, RetrievalSet
from stages.suites import official

THINGS = """dog cat car cup hat kite boat tree lamp ball horse sofa bench clock shirt window building fence plate bottle""".split()  # noqa: SIM905
LOOKS = """red green blue pink black white tall small wooden metal striped round shiny old open wet yellow large grey""".split()  # noqa: SIM905
PLACES = ["on", "under", "next to", "in front of", "behind", "holding", "above", "near", "on top of", "leaning against"]


def made_sets(count: int, seed: int) -> list[RetrievalSet]:
    """``count`` queries, two an image, with HN-Atom, HN-Swap and HN-Neg negatives, five each."""
    draw = random.Random(seed)
    sets = []
    for i in range(count):
        phrases = [[draw.choice(LOOKS), draw.choice(THINGS)] for _ in range(draw.randint(3, 5))]
        relations = [draw.choice(PLACES) for _ in phrases[1:]]
        truth = _caption(phrases, relations)
        crop = Crop(1 + i // 2, draw.randint(0, 200), draw.randint(0, 150), draw.randint(250, 600), draw.randint(250, 450))
        query = Query(f"walk-{i}", crop, n=3 * len(phrases) - 1)
        for name, change in (("atom", _foil), ("swap", _swap), ("neg", _deny)):
            negatives: dict[str, None] = {}
            while len(negatives) < 5:
                negatives |= {text: None for text in [change(phrases, relations, draw)] if text != truth}
            sets.append(RetrievalSet("prod", name, query, truth, tuple(negatives), ("",) * 5))
    return sets


def _caption(phrases: list[list[str]], relations: list[str]) -> str:
    first, *others = (f"a {look} {thing}" for look, thing in phrases)
    return " ".join([first, *(f"{relation} {other}" for relation, other in zip(relations, others, strict=True))])


def _foil(phrases: list[list[str]], relations: list[str], draw: random.Random) -> str:
    changed, part = [list(phrase) for phrase in phrases], draw.randrange(2)
    draw.choice(changed)[part] = draw.choice((LOOKS, THINGS)[part])
    return _caption(changed, relations)


def _swap(phrases: list[list[str]], relations: list[str], draw: random.Random) -> str:
    """The looks of the whole, and its things, in another order."""
    looks, things = (draw.sample(part, len(part)) for part in zip(*phrases, strict=True))
    return _caption([list(pair) for pair in zip(looks, things, strict=True)], relations)


def _deny(phrases: list[list[str]], relations: list[str], draw: random.Random) -> str:
    changed = [list(phrase) for phrase in phrases]
    draw.choice(changed)[0] += draw.choice([" but not clean", " but not new", " but not shiny"])
    return draw.choice(["", "", "there is no "]) + _caption(changed, relations)


def official_sets(folder: Path, count: int) -> list[RetrievalSet]:
    """The queries of the official release that have all three types, ``count`` of them, evenly."""
    by_query: dict[str, list[RetrievalSet]] = {}
    for s in official.sets(folder):
        by_query.setdefault(s.query.query_id, []).append(s)
    full = [[s for s in group if s.name != "all"] for _, group in sorted(by_query.items()) if len(group) == 4]
    return [s for group in full[:: max(1, len(full) // count)][:count] for s in group]


def write_pictures(folder: Path, image_ids: set[int]) -> None:
    """JPEGs of 800 x 600 with the detail of photographs: smooth noise at several scales."""
    (folder / "VG_100K").mkdir(parents=True)
    for image_id in sorted(image_ids):
        noise = np.random.default_rng(image_id)
        grains = [Image.fromarray(noise.integers(0, 256, (6 * k, 8 * k, 3), dtype=np.uint8)) for k in (1, 4, 16, 50)]
        layers = [grain.resize((800, 600)) for grain in grains]
        picture = np.mean([np.asarray(layer, dtype=np.float32) for layer in layers], axis=0).astype(np.uint8)
        Image.fromarray(picture).save(folder / "VG_100K" / f"{image_id}.jpg", quality=90)


def plain(model: torch.nn.Module, transform, architecture: str, folder: Path, sets: list[RetrievalSet], device: str) -> list[int]:
    """The rank of each truth, 0 is best, row by row."""
    tokenizer, ranks = open_clip.get_tokenizer(architecture), []
    with torch.inference_mode():
        for s in sets:
            crop = s.query.crop
            image = Image.open(folder / "VG_100K" / f"{crop.image_id}.jpg").convert("RGB")
            image = image.crop((crop.x, crop.y, min(crop.x + crop.width, 800), min(crop.y + crop.height, 600)))
            features = model.encode_image(transform(image)[None].to(device), normalize=True)
            texts = model.encode_text(tokenizer(list(s.texts)).to(device), normalize=True)
            order = torch.argsort((model.logit_scale.exp() * features @ texts.T)[0], descending=True)
            ranks.append(int((order == 0).nonzero()))
    return ranks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--official", type=Path)
    parser.add_argument("--rows", type=int, default=60, help="queries; a suite has three rows of each")
    parser.add_argument("--architecture", default="ViT-B-32")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--precision", default="fp32")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    sets = official_sets(arguments.official, arguments.rows) if arguments.official else made_sets(arguments.rows, seed=0)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write_pictures(folder, {s.query.crop.image_id for s in sets})
        model, _, transform = open_clip.create_model_and_transforms(arguments.architecture, device=arguments.device)
        model.eval()
        torch.save(model.state_dict(), folder / "weights.pt")
        presets = {"b": {"family": "open_clip", "architecture": arguments.architecture, "pretrained": str(folder / "weights.pt")}}
        batches = {"batch": 16, "nodes": 1024} if arguments.device == "cpu" else {"batch": 256, "nodes": 16384}
        settings = {"device": arguments.device, "precision": arguments.precision, "threads": 1, **batches}
        mine = load("b", presets, settings)
        figures = measure(model, transform, mine, arguments, folder, sets)
    print(json.dumps(figures))


def measure(model, transform, mine, arguments: argparse.Namespace, folder: Path, sets: list[RetrievalSet]) -> dict[str, float]:
    """Time both on one file and on the suite: in seconds of the processor, or of the wall where a GPU works."""
    one = [s for s in sets if s.name == "atom"]
    plain(model, transform, arguments.architecture, folder, one[:2], arguments.device)
    clock = time.process_time if arguments.device == "cpu" else time.perf_counter
    seconds: dict[str, float] = {}
    ranks: dict[str, np.ndarray] = {}
    for name, rows in (("file", one), ("suite", sets)):
        start = clock()
        ranks[f"plain {name}"] = np.array(plain(model, transform, arguments.architecture, folder, rows, arguments.device))
        seconds[f"plain {name}"] = clock() - start
        start = clock()
        layout = Layout.of(rows)
        scores = Scorer(mine, layout, ImageFolder(folder), folder / f"kept {name}").scores()
        ranks[name] = rank(scores, layout.size).expected - 1
        seconds[name] = clock() - start
    return {
        "rows": len(one),
        "plain_rows_per_s": round(len(one) / seconds["plain file"], 3),
        "rows_per_s": round(len(one) / seconds["file"], 3),
        "ratio": round(seconds["plain file"] / seconds["file"], 2),
        "suite_ratio": round(seconds["plain suite"] / seconds["suite"], 2),
        "ranks_differing": int((ranks["file"] != ranks["plain file"]).sum() + (ranks["suite"] != ranks["plain suite"]).sum()),
    }


if __name__ == "__main__":
    main()
