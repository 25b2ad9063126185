"""Time ARO and perturbed retrieval for ``tests.benchmarks.evaluate``: plain loops like ARO's scripts, and ours.

ARO's loop scores a batch of images with their first captions and then with their second, each padded to 77 tokens. Its
perturbed retrieval encodes all images and all captions again for every perturbation.
"""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import open_clip
import torch

from stages.evaluation.ranks import rank
from stages.evaluation.raw import both_ways
from stages.evaluation.sets import Layout, Query, RetrievalSet
from stages.images.crops import Crop, ImageFolder, cut, decode
from stages.models.patches import CUTS, permuted
from stages.models.scoring import Scorer
from stages.suites import perturbed
from stages.suites.perturbed import over_seeds
from stages.suites.word_order import RETRIEVAL, shuffled

BATCH = 32
SEEDS = 2
"""Shuffles per perturbation; with the unperturbed version, this makes eleven versions of the captions and seven of the images."""
A_PICTURE = 5
"""Captions per image in the retrieval sets."""


class Plain:
    """open_clip as scripts use it: in batches, with texts padded to the context length."""

    def __init__(self, model: torch.nn.Module, transform: Callable, architecture: str, device: str):
        self.model, self.transform, self.device = model, transform, device
        self.tokenizer = open_clip.get_tokenizer(architecture)

    @torch.inference_mode()
    def images(self, tensors: Sequence[torch.Tensor]) -> np.ndarray:
        batches = (torch.stack(list(tensors[i : i + BATCH])).to(self.device) for i in range(0, len(tensors), BATCH))
        return torch.cat([self.model.encode_image(batch, normalize=True) for batch in batches]).float().cpu().numpy()

    @torch.inference_mode()
    def texts(self, texts: Sequence[str]) -> np.ndarray:
        batches = (self.tokenizer(texts[i : i + BATCH]).to(self.device) for i in range(0, len(texts), BATCH))
        return torch.cat([self.model.encode_text(batch, normalize=True) for batch in batches]).float().cpu().numpy()


def made_cases(count: int, looks: Sequence[str], things: Sequence[str], places: Sequence[str]) -> list[RetrievalSet]:
    """Return ``count`` cases each of relation and attribution that share crops and captions about as often as the sample's.

    The sample's 1,003 cases are on 664 crops, and 1,350 of their 2,006 captions are distinct.
    """
    draw = random.Random(0)
    sets = []
    for i in range(count):
        (one, other), (a, b), place = draw.sample(things[:6], 2), draw.sample(looks[:3], 2), draw.choice(places[:4])
        pairs = {
            "relation": (f"the {one} is {place} the {other}", f"the {other} is {place} the {one}"),
            "attribution": (f"the {a} {one} and the {b} {other}", f"the {b} {one} and the {a} {other}"),
        }
        crops = [
            Crop(1 + i // 4, draw.randint(0, 200), draw.randint(0, 150), draw.randint(250, 600), draw.randint(250, 450))
            for _ in pairs
        ]
        crops = crops[:1] * 2 if i % 3 else crops
        sets += [
            RetrievalSet("aro", name, Query(f"{name}-{i}", crop), true, (false,), ("",))
            for crop, (name, (true, false)) in zip(crops, pairs.items(), strict=True)
        ]
    return sets


def cases(plain: Plain, mine: Any, folder: Path, sets: Sequence[RetrievalSet], clock: Callable[[], float]) -> dict[str, float]:
    """Return the speeds of both over ARO's cases, and the number of ranks that differ."""
    start = clock()
    found = []
    for i in range(0, len(sets), BATCH):
        batch = sets[i : i + BATCH]
        paths = [folder / "VG_100K" / f"{s.query.crop.image_id}.jpg" for s in batch]
        pictures = [cut(decode(path), s.query.crop, path) for s, path in zip(batch, paths, strict=True)]
        images = plain.images([plain.transform(picture) for picture in pictures])
        options = [plain.texts([s.texts[option] for s in batch]) for option in (1, 0)]
        false, true = ((images * texts).sum(axis=1) for texts in options)
        found += (false > true).tolist()
    slow = clock() - start
    start = clock()
    layout = Layout.of(sets)
    ours = rank(Scorer(mine, layout, ImageFolder(folder), folder / "aro").scores(), layout.size).expected - 1
    fast = clock() - start
    figures = {"cases": len(sets), "plain_rows_per_s": round(len(sets) / slow, 3), "rows_per_s": round(len(sets) / fast, 3)}
    return figures | {"ratio": round(slow / fast, 2), "ranks_differing": int((ours != found).sum())}


def made_captions(count: int, looks: Sequence[str], things: Sequence[str], places: Sequence[str]) -> list[dict[str, Any]]:
    """Return rows of ``perturbed_captions``: five captions for each of ``count`` images, unchanged and with every perturbation."""
    draw, rows = random.Random(1), []
    tags = ["DT", "JJ", "NN", "IN", "DT", "JJ", "NN", "IN", "DT", "NN"]
    for number in range(count * A_PICTURE):
        parts = [draw.choice(of).split()[0] for of in (looks, things, places, looks, things, places, things)]
        words = ["a", *parts[:3], "the", *parts[3:6], "a", parts[6]]
        row = {"image_id": 1 + number // A_PICTURE, "number": number % A_PICTURE}
        rows.append({**row, "perturbation": "none", "seed": 0, "caption": " ".join(words)})
        for name in RETRIEVAL:
            for seed in range(SEEDS):
                text = shuffled(name, words, tags, f"{seed}:{number}")
                rows.append({**row, "perturbation": name, "seed": seed, "caption": text})
    return rows


def retrieval(
    plain: Plain, mine: Any, folder: Path, rows: Sequence[dict[str, Any]], clock: Callable[[], float]
) -> dict[str, float]:
    """Return the seconds of both over perturbed retrieval, and the number of recalls that differ."""
    start = clock()
    runs: dict[tuple[str, int], list[str]] = {}
    for row in rows:
        runs.setdefault((row["perturbation"], row["seed"]), []).append(row["caption"])
    owner = np.array([row["image_id"] - 1 for row in rows if row["perturbation"] == "none"])

    def once(captions: list[str], prepare: Callable) -> dict[str, float]:
        pictures = [decode(folder / "VG_100K" / f"{number}.jpg") for number in range(1, owner.max() + 2)]
        return both_ways(plain.images([prepare(picture) for picture in pictures]), plain.texts(captions), owner)

    text: dict[str, list[dict[str, float]]] = {}
    for (name, _), captions in sorted(runs.items()):
        text.setdefault(name, []).append(once(captions, plain.transform))
    image = {"none": text["none"]}
    for name in CUTS.keys() - {"none"}:
        image[name] = [
            once(runs["none", 0], lambda picture, version=(name, seed): permuted(mine.prepare(picture), *version))
            for seed in range(SEEDS)
        ]
    expected = {"text": over_seeds(text), "image": over_seeds(image)}
    slow = clock() - start
    start = clock()
    found = perturbed.figures(rows, mine, ImageFolder(folder), folder / "retrieval", 1)
    fast = clock() - start
    differing = sum(
        found[kind][name][key] != value for kind, of in expected.items() for name, run in of.items() for key, value in run.items()
    )
    sizes = {
        "captions": len(owner),
        "versions": len(runs) + SEEDS * (len(CUTS) - 1),
        "plain_s": round(slow, 1),
        "s": round(fast, 1),
    }
    return sizes | {"ratio": round(slow / fast, 2), "recalls_differing": differing}
