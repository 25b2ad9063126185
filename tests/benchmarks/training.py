"""What each way of training buys, on the sample: ``python -m tests.benchmarks.training [--seeds 3] [--methods clip codebook …]``.

Run it where ``dvc repro`` has been run. Trains clip; from it, fine-tuned clip and negclip (half the steps); codebook and iterated;
all over one architecture and the same pairs. Each is evaluated as the stage does it. Prints a table: CREPE by type, ARO, Order, and
zero-shot classification of the sample's kinds, means over the seeds ± their standard deviation, with the best blind scorer of each
set; then paired differences, over queries and clustered by image. Last line: ``{method: {figure: {mean, sd}}}``.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from stages.contract import tables
from stages.models.contract import DualEncoder
from stages.models.load import load
from stages.parameters.sections import Evaluate, Models, Train
from stages.retrieval.statistics import paired
from tests.running import ROOT, section, start_stage

TUNED = {"clip_ft": "clip", "negclip": "negclip"}
"""What goes on from clip's weights, by its method."""
METHODS = ("clip", *TUNED, "codebook", "iterated")
AGAINST = (("clip_ft", "clip"), ("negclip", "clip"), ("negclip", "clip_ft"), ("codebook", "clip"), ("iterated", "codebook"))
EVALUATE = (
    "--images {data}/sample/visual_genome --regions {data}/filter_vg/regions.parquet --atom {data}/gen_hn_atom/queries.parquet "
    "--comp {data}/gen_hn_comp/queries.parquet --splits {data}/split --captions {data}/caption/captions.parquet "
    "--prod {data}/gen_hn_prod/queries.parquet --aro {data}/gen_aro/queries.parquet --order {data}/gen_order/queries.parquet "
    "--perturbed {data}/gen_order/perturbed_captions.parquet --order-images {data}/sample/visual_genome "
    "--training-captions {data}/parse_train "
    "--ranks ranks.parquet --features {kept}/features --metrics evaluate.json"
)
RESULT = ROOT / "tests" / "benchmarks" / "results" / "training.json"
LEAST_SIDE = 60
"""Pixels of a thing that is to be classified."""

Query = tuple[str, str]
"""A retrieval set's id and truth."""
Answer = tuple[float, int, dict[str, float]]
"""How likely the truth came first, the query's image, and how likely it did by each blind scorer."""


class Runs:
    """Trained models, each in a folder of its own below ``folder``."""

    def __init__(self, folder: Path, data: Path, steps: int | None):
        self.folder, self.data = folder, data.resolve()
        self.changes: dict[str, Any] = {
            "train.pairs.path": f"{self.data}/sample/train",
            "train.pairs.images": f"{self.data}/sample/train",
        }
        self.steps = steps or section(Train).steps
        self.changes |= shortened(section(Train), self.steps) if steps else {}

    def run(self, stage: str, place: Path, arguments: str, changes: dict[str, Any]) -> None:
        process = start_stage(stage, arguments, place, self.changes | changes)
        if process.wait():
            raise SystemExit(f"{stage} ended with status {process.returncode} in {place}")

    def mined(self) -> str:
        """NegCLIP's negatives, which hang on no seed."""
        place = self.folder / "mined"
        arguments = f"--texts {place}/texts.parquet --neighbours {place}/neighbours.parquet"
        if not (place / "neighbours.parquet").is_file():
            place.mkdir(parents=True, exist_ok=True)
            self.run("mine_negatives", place, f"{arguments} --work {place}/work --metrics {place}/mined.json", {})
        return arguments

    def trained(self, method: str, seed: int) -> Path:
        """The folder of a run: trained and evaluated, unless an earlier call has done so."""
        place = self.folder / f"{method}-{seed}"
        if (place / "ranks.parquet").is_file():
            return place
        place.mkdir(parents=True, exist_ok=True)
        changes: dict[str, Any] = {"train.method": TUNED.get(method, method), "train.seed": seed}
        if method in TUNED:
            start = self.trained("clip", seed) / "model"
            preset = {"family": "open_clip", "architecture": f"local-dir:{start}", "trained_on": "cc12m"}
            changes |= {"train.start": "rn50-cc12m", "models.rn50-cc12m": preset}
            changes["train.steps"] = max(1, self.steps // 2)
        self.run("train", place, f"{self.mined()} --out model --work work --metrics train.json", changes)
        sample = {"family": "open_clip", "architecture": f"local-dir:{place}/model", "trained_on": f"{place}/model/training.json"}
        arguments = EVALUATE.format(data=self.data, kept=self.folder)
        self.run("evaluate", place, arguments, {"models.sample": sample, "evaluate.suites_folder": "."})
        return place


def shortened(settings: Train, steps: int) -> dict[str, int]:
    """What makes a training take ``steps``; its warm-up and the generations of iterated learning become shorter as it does."""
    of_all = {"train.warm_up": settings.warm_up}
    cycles = settings.iterated
    of_all |= {f"train.iterated.{key}": getattr(cycles, key) for key in ("warm_up", "distil", "interact", "last")}
    return {"train.steps": steps} | {key: round(value * steps / settings.steps) for key, value in of_all.items()}


# --- Figures ----


def retrieval(place: Path) -> dict[str, float]:
    """R@1 of the whole images and their captions, both ways."""
    plain = json.loads((place / "evaluate.json").read_text())["perturbed"]["image"]["none"]
    return {"retrieval, image to text": plain["i2t_r1"], "retrieval, text to image": plain["t2i_r1"]}


def asked(place: Path) -> dict[str, dict[Query, Answer]]:
    """By suite and set: of each query what came of it; captions that tie come first in equal shares."""
    found: dict[str, dict[Query, Answer]] = defaultdict(dict)
    for row in tables.read("ranks", place / "ranks.parquet"):
        truth, *others = row["scores"]
        first = 0.0 if any(other > truth for other in others) else 1 / (1 + row["ties"])
        blind = {one["scorer"]: one["r1"] for one in row["blind"]}
        found[f"{row['suite']} {row['set']}"][row["query_id"], row["truth"]] = (first, row["image_id"], blind)
    return found


def best_blind(of_set: dict[Query, Answer]) -> float:
    scorers = defaultdict(list)
    for _, _, blind in of_set.values():
        for name, r1 in blind.items():
            scorers[name].append(r1)
    return max((float(np.mean(r1)) for r1 in scorers.values()), default=float("nan"))


def zero_shot(place: Path, data: Path) -> float:
    """Share of the test images' things that are classified as what they are, among all kinds of things there are."""
    preset = {"family": "open_clip", "architecture": f"local-dir:{place.resolve()}/model", "trained_on": "cc12m"}
    model = load("ours", Models.model_validate({"ours": preset}), section(Evaluate))
    assert isinstance(model, DualEncoder)
    crops, kinds = [], []
    for row in tables.read("truth", data / "sample/truth.parquet"):
        things = [t for t in row["things"] if min(t["width"], t["height"]) >= LEAST_SIDE and t["width"] * t["height"] < 480_000 / 2]
        path = next(iter((data / "sample/visual_genome").glob(f"VG_100K*/{row['image_id']}.jpg")))
        with Image.open(path) as image:
            for t in things:
                box = (t["x"], t["y"], t["x"] + t["width"], t["y"] + t["height"])
                crops.append(model.prepare(image.convert("RGB").crop(box)))
                kinds.append(t["kind"])
    names = sorted(set(kinds))
    nearest = (model.encode_image(crops) @ model.encode_text([f"a {name}" for name in names]).T).argmax(1)
    return float(np.mean([names[i] == kind for i, kind in zip(nearest, kinds, strict=True)]))


def figures_of(places: dict[str, list[Path]], data: Path) -> dict[str, Any]:
    """Of each method each figure's mean and standard deviation over the seeds, the blind scorers' best, and the differences."""
    methods: dict[str, dict[str, dict[str, float]]] = {}
    blind: dict[str, float] = {}
    for method, of_method in places.items():
        found: dict[str, list[float]] = defaultdict(list)
        for place in of_method:
            for name, of_set in asked(place).items():
                found[name].append(100 * float(np.mean([first for first, _, _ in of_set.values()])))
                blind[name] = 100 * best_blind(of_set)
            for name, value in {**retrieval(place), "zero-shot, kinds": 100 * zero_shot(place, data)}.items():
                found[name].append(value)
        methods[method] = {n: {"mean": round(float(np.mean(v)), 2), "sd": round(float(np.std(v)), 2)} for n, v in found.items()}
    return {"methods": methods, "blind": {n: round(v, 2) for n, v in blind.items()}, "differences": differences(places)}


def table(methods: dict[str, dict[str, dict[str, float]]], blind: dict[str, float]) -> str:
    """A row a figure, a column a method."""
    lines = ["| R@1 | " + " | ".join(methods) + " | best blind |", "|---" * (len(methods) + 2) + "|"]
    for name in next(iter(methods.values())):
        cells = [f"{of[name]['mean']:.1f} ± {of[name]['sd']:.1f}" for of in methods.values()]
        best = f"{blind[name]:.1f}" if name in blind else ""
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {best} |")
    return "\n".join(lines)


def differences(places: dict[str, list[Path]]) -> list[str]:
    """Of each pair of methods and each set the difference in points, over the queries of all seeds."""
    said = []
    for one, other in AGAINST:
        if one not in places or other not in places:
            continue
        runs = [(asked(a), asked(b)) for a, b in zip(places[one], places[other], strict=True)]
        for name in runs[0][0]:
            rows = [(a[name][q], b[name][q]) for a, b in runs for q in a[name] if q in b[name]]
            first, second, images = np.array([(x[0], y[0], x[1]) for x, y in rows]).T
            found = paired(first, second, images)
            interval = "" if found["low"] is None else f" [{found['low']:+.1f}, {found['high']:+.1f}]"
            said.append(f"{one} − {other}, {name}: {found['d']:+.1f}{interval}")
    return said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=METHODS)
    parser.add_argument("--steps", type=int, help="steps from nothing; half as many from clip's weights")
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="what dvc repro has made")
    parser.add_argument("--out", type=Path, default=RESULT, help="where the figures go, which README's table is made from")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="goes on with what an earlier call has left there")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as beside:
        runs = Runs((args.keep or Path(beside)).resolve(), args.data, args.steps)
        places: dict[str, list[Path]] = {}
        for method in args.methods:
            places[method] = [runs.trained(method, seed) for seed in range(args.seeds)]
            # After every method, so that a run that is broken off leaves what it has found.
            found = figures_of(places, args.data) | {"steps": runs.steps, "seeds": args.seeds}
            args.out.write_text(json.dumps(found, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    print(table(found["methods"], found["blind"]), *found["differences"], sep="\n")
    print(json.dumps(found["methods"]))


if __name__ == "__main__":
    main()
