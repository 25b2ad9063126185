"""Compare speed with a plain loop like the official script's: batch 1, each crop decoded again, texts padded to 77 tokens.

    python -m tests.benchmarks.evaluate [--suite aro|retrieval] [--official FOLDER] [--rows N] [--architecture NAME] [--device cuda]

Both use the same random weights and rows, in the same run, with one thread. Rows are synthetic (captions of 8, 11 or 14 atoms with
five negatives of each of three types) or come from the official release; pictures are synthetic 800 x 600 JPEGs. Last line: ``rows,
plain_rows_per_s, rows_per_s, ratio`` for one file (HN-Atom of productivity), ``suite_ratio`` for all suites' files, and
``ranks_differing`` over all of them. Lines before it give each suite's ratio. ``--suite`` instead measures ARO's cases or its
perturbed retrieval (N images with five captions each) against plain loops like ARO's: see :mod:`tests.benchmarks.evaluate_aro`.
"""

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

from stages.evaluation.ranks import rank
from stages.evaluation.sets import Layout, Query, RetrievalSet
from stages.images.crops import Crop, ImageFolder
from stages.models.load import load
from stages.models.scoring import Scorer
from stages.parameters.sections import Evaluate, Models
from stages.suites import official
from tests.benchmarks import evaluate_aro
from tests.running import section

THINGS = ["dog", "cat", "car", "cup", "hat", "kite", "boat", "tree", "lamp", "ball", "horse", "sofa", "bench", "clock", "shirt"]
LOOKS = ["red", "green", "blue", "pink", "black", "white", "tall", "small", "wooden", "metal", "striped", "round", "old", "wet"]
PLACES = ["on", "under", "next to", "in front of", "behind", "holding", "above", "near", "on top of", "leaning against"]


def made_sets(count: int, seed: int) -> list[RetrievalSet]:
    """Return the sets of ``count`` queries, two per image, with five HN-Atom, HN-Swap and HN-Neg negatives each."""
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


def made_systematic(count: int, seed: int) -> list[RetrievalSet]:
    """Return the sets of ``count`` one-compound queries on separate crops: HN-Atom (4), HN-Comp (6) and both (10 negatives)."""
    draw = random.Random(seed)
    sets = []
    for i in range(count):
        look, thing, place, other = draw.choice(LOOKS), draw.choice(THINGS), draw.choice(PLACES), draw.choice(THINGS)
        truth = f"a {look} {thing}" if i % 2 else f"{thing} {place} the {other}"
        others = [word for word in (THINGS, LOOKS)[i % 2] if word not in (look, other)]
        foils = [f"a {new} {thing}" if i % 2 else f"{thing} {place} the {new}" for new in draw.sample(others, 4)]
        pairs = [(draw.choice(LOOKS), draw.choice(THINGS)) for _ in range(6)]
        joined = [f"{a} {thing} and {look} {b}" if i % 2 else f"{thing} on {b} and {b} {place} {other}" for a, b in pairs]
        query = Query(f"region-{i}", Crop(1 + i // 2, draw.randint(0, 200), draw.randint(0, 150), 300, 260))
        for name, negatives in (("atom", foils), ("comp", joined), ("both", foils + joined)):
            sets.append(RetrievalSet("sys", name, query, truth, tuple(negatives), ("",) * len(negatives)))
    return sets


def _caption(phrases: list[list[str]], relations: list[str]) -> str:
    first, *others = (f"a {look} {thing}" for look, thing in phrases)
    return " ".join([first, *(f"{relation} {other}" for relation, other in zip(relations, others, strict=True))])


def _foil(phrases: list[list[str]], relations: list[str], draw: random.Random) -> str:
    changed, part = [list(phrase) for phrase in phrases], draw.randrange(2)
    draw.choice(changed)[part] = draw.choice((LOOKS, THINGS)[part])
    return _caption(changed, relations)


def _swap(phrases: list[list[str]], relations: list[str], draw: random.Random) -> str:
    """Return the caption with its looks shuffled, and its things."""
    looks, things = (draw.sample(part, len(part)) for part in zip(*phrases, strict=True))
    return _caption([list(pair) for pair in zip(looks, things, strict=True)], relations)


def _deny(phrases: list[list[str]], relations: list[str], draw: random.Random) -> str:
    changed = [list(phrase) for phrase in phrases]
    draw.choice(changed)[0] += draw.choice([" but not clean", " but not new", " but not shiny"])
    return draw.choice(["", "", "there is no "]) + _caption(changed, relations)


def official_sets(folder: Path, count: int) -> list[RetrievalSet]:
    """Return the sets of ``count`` evenly spaced queries of the official release that have all three types."""
    by_query: dict[str, list[RetrievalSet]] = {}
    for s in official.sets(folder):
        by_query.setdefault(s.query.query_id, []).append(s)
    full = [[s for s in group if s.name != "all"] for _, group in sorted(by_query.items()) if len(group) == 4]
    return [s for group in full[:: max(1, len(full) // count)][:count] for s in group]


def write_pictures(folder: Path, image_ids: set[int]) -> None:
    """Write 800 x 600 JPEGs with photographic detail: smooth noise at several scales."""
    (folder / "VG_100K").mkdir(parents=True)
    for image_id in sorted(image_ids):
        noise = np.random.default_rng(image_id)
        grains = [Image.fromarray(noise.integers(0, 256, (6 * k, 8 * k, 3), dtype=np.uint8)) for k in (1, 4, 16, 50)]
        layers = [grain.resize((800, 600)) for grain in grains]
        picture = np.mean([np.asarray(layer, dtype=np.float32) for layer in layers], axis=0).astype(np.uint8)
        Image.fromarray(picture).save(folder / "VG_100K" / f"{image_id}.jpg", quality=90)


def plain(model: torch.nn.Module, transform, architecture: str, folder: Path, sets: list[RetrievalSet], device: str) -> list[int]:
    """Return the rank of each truth, computed row by row; 0 is best."""
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
    parser.add_argument("--suite", choices=("crepe", "aro", "retrieval"), default="crepe")
    parser.add_argument("--official", type=Path)
    parser.add_argument("--rows", type=int, default=60, help="queries; a suite has three rows of each")
    parser.add_argument("--architecture", default="ViT-B-32")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--precision", default="fp32")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    sets = official_sets(arguments.official, arguments.rows) if arguments.official else made_sets(arguments.rows, seed=0)
    if not arguments.official:
        sets += made_systematic(arguments.rows, seed=1)
    captions: list[dict] = []
    if arguments.suite == "aro":
        sets = evaluate_aro.made_cases(arguments.rows, LOOKS, THINGS, PLACES)
    elif arguments.suite == "retrieval":
        captions = evaluate_aro.made_captions(arguments.rows, LOOKS, THINGS, PLACES)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write_pictures(folder, {row["image_id"] for row in captions} or {s.query.crop.image_id for s in sets})
        model, _, transform = open_clip.create_model_and_transforms(arguments.architecture, device=arguments.device)
        model.eval()
        preset = {"family": "open_clip", "architecture": arguments.architecture}
        if not arguments.architecture.startswith("local-dir:"):  # which has its own weights
            torch.save(model.state_dict(), folder / "weights.pt")
            preset["pretrained"] = str(folder / "weights.pt")
        presets = section(Models, b=preset)
        batches = (
            {"batch": 16, "text_batch_tokens": 1024} if arguments.device == "cpu" else {"batch": 256, "text_batch_tokens": 16384}
        )
        settings = section(Evaluate, device=arguments.device, precision=arguments.precision, threads=1, **batches)
        mine = load("b", presets, settings)
        clock = time.process_time if arguments.device == "cpu" else time.perf_counter
        plainly = evaluate_aro.Plain(model, transform, arguments.architecture, arguments.device)
        if arguments.suite == "aro":
            figures = evaluate_aro.cases(plainly, mine, folder, sets, clock)
        elif arguments.suite == "retrieval":
            figures = evaluate_aro.retrieval(plainly, mine, folder, captions, clock)
        else:
            figures = measure(model, transform, mine, arguments, folder, sets)
    print(json.dumps(figures))


def measure(model, transform, mine, arguments: argparse.Namespace, folder: Path, sets: list[RetrievalSet]) -> dict[str, float]:
    """Time both on one file and on the suites, in processor seconds, or in wall seconds with a GPU."""
    clock = time.process_time if arguments.device == "cpu" else time.perf_counter
    files: dict[tuple[str, str], list[RetrievalSet]] = {}
    for s in sets:
        files.setdefault((s.suite.removeprefix("official_"), s.name), []).append(s)
    one = files["prod", "atom"]
    plain(model, transform, arguments.architecture, folder, one[:2], arguments.device)
    slow, ranks = {}, {}
    for name, rows in files.items():
        start = clock()
        ranks[name] = plain(model, transform, arguments.architecture, folder, rows, arguments.device)
        slow[name] = clock() - start

    def ours(names: list[tuple[str, str]], kept: Path) -> tuple[float, int]:
        """Return the seconds for these files together, with an empty cache, and the number of ranks that differ."""
        start = clock()
        layout = Layout.of([s for name in names for s in files[name]])
        found = rank(Scorer(mine, layout, ImageFolder(folder), kept).scores(), layout.size).expected - 1
        return clock() - start, int((found != [r for name in names for r in ranks[name]]).sum())

    suites = {suite: [name for name in files if name[0] == suite] for suite, _ in files}
    fast, differing = zip(*(ours(names, folder / suite) for suite, names in suites.items()), strict=True)
    alone, wrong = ours([("prod", "atom")], folder / "alone")
    for s, t in zip(suites, fast, strict=True):
        print(f"{s}: {sum(slow[name] for name in suites[s]) / t:.2f} times the plain loop over its {len(suites[s])} files")
    return {
        "rows": len(one),
        "plain_rows_per_s": round(len(one) / slow["prod", "atom"], 3),
        "rows_per_s": round(len(one) / alone, 3),
        "ratio": round(slow["prod", "atom"] / alone, 2),
        "suite_ratio": round(sum(slow.values()) / sum(fast), 2),
        "ranks_differing": wrong + sum(differing),
    }


if __name__ == "__main__":
    main()
