"""Measure each training method on the sample: ``python -m tests.benchmarks.training [--seeds 3] [--methods clip codebook …]``.

Run it after ``dvc repro``. Trains clip; from it, fine-tuned clip and negclip (half the steps); codebook and iterated; all with one
architecture and the same pairs. Each is evaluated as in the stage. Prints a table of CREPE by type, ARO, Order, and zero-shot
classification of the sample's kinds: means over the seeds ± their standard deviation, with the best shortcut of each set. Then
prints paired differences over the queries of all seeds, clustered by image, and the differences of each seed. Last line:
``{method: {figure: {mean, sd}}}``. Results are cached in ``--keep``, keyed by their inputs, so a killed run resumes.
"""

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from stages.contract import tables
from stages.contract.files import write_json
from stages.contract.resume import code, fingerprint
from stages.contract.schemas import CLEARED
from stages.evaluation.statistics import paired
from stages.models.contract import DualEncoder
from stages.models.load import load
from stages.parameters.sections import Evaluate, Language, MineNegatives, Models, Train
from tests.running import ROOT, section, start_stage

TUNED = {"clip_ft": "clip", "negclip": "negclip"}
"""Trainings that start from clip's weights, with their methods."""
METHODS = ("clip", *TUNED, "codebook", "iterated")
AGAINST = (*((method, "clip") for method in METHODS[1:]), ("negclip", "clip_ft"), ("iterated", "codebook"))
"""The compared pairs: all with clip, and the papers' own methods with the baselines that they were meant to beat."""
MADE_BY = ("contract", "models", "pairs", "training")
ASKED_BY = ("evaluation", "images", "models", "shortcuts")
"""Packages that trained models depend on, and those that their answers depend on."""
EVALUATE = (
    "--images {data}/sample/visual_genome --regions {data}/filter_vg/regions.parquet --atom {data}/gen_hn_atom/queries.parquet "
    "--comp {data}/gen_hn_comp/queries.parquet --splits {data}/split --captions {data}/caption/captions.parquet "
    "--prod {data}/gen_hn_prod/queries.parquet --aro {data}/gen_aro/queries.parquet --order {data}/gen_order/queries.parquet "
    "--perturbed {data}/gen_order/perturbed_captions.parquet --order-images {data}/sample/visual_genome "
    "--training-captions {data}/parse_train "
    "--ranks ranks.parquet --features {kept}/features --metrics evaluate.json"
)
RESULT = ROOT / "tests" / "benchmarks" / "results" / "training.json"
KEPT = ROOT / "data" / ".training_benchmark"
MIN_SIDE = 60
"""Minimum side in pixels of a thing to classify."""

Query = tuple[str, str]
"""A retrieval set's id and truth."""
Answer = tuple[float, int, dict[str, float]]
"""The probability that the truth comes first, the query's image, and the same probability for each shortcut scorer."""


class Runs:
    """Trained models, each in a separate folder within one below ``kept`` that is named by a fingerprint of their inputs. Next to
    each model, its answers are in a folder that is named in the same way."""

    def __init__(self, kept: Path, data: Path, steps: int | None):
        self.data = data.resolve()
        self.changes: dict[str, Any] = {
            "train.pairs.path": f"{self.data}/sample/train",
            "train.pairs.images": f"{self.data}/sample/train",
        }
        self.steps = steps or section(Train).steps
        self.changes |= shortened(section(Train), self.steps) if steps else {}
        made = [section(kind).model_dump(mode="json") for kind in (Train, MineNegatives, Models, Language)]
        pairs = sorted((self.data / "sample/train").rglob("*.parquet"))
        self.kept = kept.resolve()
        self.folder = self.kept / fingerprint([*code(*MADE_BY), *pairs], [self.changes, *made])
        tables_asked = [self.data / "sample/truth.parquet", *sorted(self.data.glob("gen_*/*.parquet"))]
        self.asked = fingerprint([*code(*ASKED_BY), *tables_asked], section(Evaluate).model_dump(mode="json"))

    def run(self, stage: str, place: Path, arguments: str, changes: dict[str, Any]) -> None:
        process = start_stage(stage, arguments, place, self.changes | changes)
        if process.wait():
            raise SystemExit(f"{stage} ended with status {process.returncode} in {place}")

    def mined(self) -> str:
        """Return the arguments for NegCLIP's negatives, which depend on no seed; mine them if they are not cached."""
        place = self.folder / "mined"
        arguments = f"--texts {place}/texts.parquet --neighbours {place}/neighbours.parquet"
        if not (place / "mined.json").is_file():
            place.mkdir(parents=True, exist_ok=True)
            self.run("mine_negatives", place, f"{arguments} --work {place}/work --metrics {place}/mined.json", {})
        return arguments

    def trained(self, method: str, seed: int) -> Path:
        """Return the folder of a trained model, which an earlier call may have cached."""
        place = self.folder / f"{method}-{seed}"
        changes: dict[str, Any] = {"train.method": TUNED.get(method, method), "train.seed": seed}
        if method in TUNED:
            start = self.trained("clip", seed) / "model"
            preset = {"family": "open_clip", "architecture": f"local-dir:{start}", "trained_on": "cc12m"}
            changes |= {"train.start": "rn50-cc12m", "models.rn50-cc12m": preset}
            changes["train.steps"] = max(1, self.steps // 2)
        # The stage writes its figures last, so they mark a finished training.
        if not (place / "train.json").is_file():
            place.mkdir(parents=True, exist_ok=True)
            self.run("train", place, f"{self.mined()} --out model --work work --metrics train.json", changes)
        return place

    def answered(self, method: str, seed: int) -> Path:
        """Return the folder of a trained model's answers, which an earlier call may have cached."""
        model = self.trained(method, seed) / "model"
        place = model.parent / self.asked
        if not (place / "evaluate.json").is_file():
            place.mkdir(exist_ok=True)
            sample = {"family": "open_clip", "architecture": f"local-dir:{model}", "trained_on": f"{model}/training.json"}
            arguments = EVALUATE.format(data=self.data, kept=self.kept)
            self.run("evaluate", place, arguments, {"models.sample": sample, "evaluate.suites_folder": "."})
        if not (place / "kinds.json").is_file():
            write_json(place / "kinds.json", zero_shot(model, self.data))
        return place


def shortened(settings: Train, steps: int) -> dict[str, int]:
    """Return the parameters of a training of ``steps`` steps; warm-up and iterated learning's generations shrink in proportion."""
    of_all = {"train.warm_up": settings.warm_up}
    cycles = settings.iterated
    of_all |= {f"train.iterated.{key}": getattr(cycles, key) for key in ("warm_up", "distil", "interact", "last")}
    return {"train.steps": steps} | {key: max(1, round(value * steps / settings.steps)) for key, value in of_all.items()}


# --- Figures ----


def retrieval(place: Path) -> dict[str, float]:
    """Return R@1 of the whole images and their captions, both ways."""
    plain = json.loads((place / "evaluate.json").read_text())["perturbed"]["image"]["none"]
    return {"retrieval, image to text": plain["i2t_r1"], "retrieval, text to image": plain["t2i_r1"]}


def asked(place: Path) -> dict[str, dict[Query, Answer]]:
    """Return each query's answer, by suite and set, of the cleared sets; tied captions come first with equal probability."""
    found: dict[str, dict[Query, Answer]] = defaultdict(dict)
    rows = (row for row in tables.read("ranks", place / "ranks.parquet") if row["protocol"] in (None, CLEARED))
    for row in rows:
        truth, *others = row["scores"]
        first = 0.0 if any(other > truth for other in others) else 1 / (1 + row["ties"])
        shortcut = {one["scorer"]: one["r1"] for one in row["shortcuts"]}
        found[f"{row['suite']} {row['set']}"][row["query_id"], row["truth"]] = (first, row["image_id"], shortcut)
    return found


def best_shortcut(of_set: dict[Query, Answer]) -> float:
    scorers = defaultdict(list)
    for _, _, shortcut in of_set.values():
        for name, r1 in shortcut.items():
            scorers[name].append(r1)
    return max((float(np.mean(r1)) for r1 in scorers.values()), default=float("nan"))


def zero_shot(folder: Path, data: Path) -> float:
    """Return the fraction of the test images' things that are classified as their kind, among all kinds in these images."""
    preset = {"family": "open_clip", "architecture": f"local-dir:{folder}", "trained_on": "cc12m"}
    model = load("ours", Models.model_validate({"ours": preset}), section(Evaluate))
    assert isinstance(model, DualEncoder)
    crops, kinds = [], []
    for row in tables.read("truth", data / "sample/truth.parquet"):
        things = [t for t in row["things"] if min(t["width"], t["height"]) >= MIN_SIDE and t["width"] * t["height"] < 480_000 / 2]
        path = next(iter((data / "sample/visual_genome").glob(f"VG_100K*/{row['image_id']}.jpg")))
        with Image.open(path) as image:
            for t in things:
                box = (t["x"], t["y"], t["x"] + t["width"], t["y"] + t["height"])
                crops.append(model.prepare(image.convert("RGB").crop(box)))
                kinds.append(t["kind"])
    names = sorted(set(kinds))
    nearest = (model.encode_image(crops) @ model.encode_text([f"a {name}" for name in names]).T).argmax(1)
    return float(np.mean([names[i] == kind for i, kind in zip(nearest, kinds, strict=True)]))


def figures_of(places: dict[str, list[Path]]) -> dict[str, Any]:
    """Return each method's mean and standard deviation over seeds, the best shortcut, and the differences."""
    methods: dict[str, dict[str, dict[str, float]]] = {}
    shortcut: dict[str, float] = {}
    for method, of_method in places.items():
        found: dict[str, list[float]] = defaultdict(list)
        for place in of_method:
            for name, of_set in asked(place).items():
                found[name].append(100 * float(np.mean([first for first, _, _ in of_set.values()])))
                shortcut[name] = 100 * best_shortcut(of_set)
            kinds = 100 * json.loads((place / "kinds.json").read_text())
            for name, value in {**retrieval(place), "zero-shot, kinds": kinds}.items():
                found[name].append(value)
        methods[method] = {name: spread(values) for name, values in found.items()}
    return {"methods": methods, "shortcut": {n: round(v, 2) for n, v in shortcut.items()}, "differences": differences(places)}


def spread(values: list[float]) -> dict[str, float]:
    """Return the mean and the standard deviation, which is 0 for a single value."""
    return {"mean": round(float(np.mean(values)), 2), "sd": round(float(np.std(values, ddof=1)), 2) if len(values) > 1 else 0.0}


def table(methods: dict[str, dict[str, dict[str, float]]], shortcut: dict[str, float]) -> str:
    """Return a table with a row per figure and a column per method."""
    lines = ["| R@1 | " + " | ".join(methods) + " | best shortcut |", "|---" * (len(methods) + 2) + "|"]
    for name in next(iter(methods.values())):
        cells = [f"{of[name]['mean']:.1f} ± {of[name]['sd']:.1f}" for of in methods.values()]
        best = f"{shortcut[name]:.1f}" if name in shortcut else ""
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {best} |")
    return "\n".join(lines)


def differences(places: dict[str, list[Path]]) -> dict[str, dict[str, Any]]:
    """Return by pair of methods and set the difference ``d`` in points, its 95 % interval ``low`` to ``high`` over the queries of
    all seeds, and each seed's difference. The interval covers the variation of queries, but not that of trainings."""
    said: dict[str, dict[str, Any]] = {}
    for one, other in AGAINST:
        if one not in places or other not in places:
            continue
        runs = [(asked(a), asked(b)) for a, b in zip(places[one], places[other], strict=True)]
        for name in runs[0][0]:
            rows = [np.array([(a[name][q][0], b[name][q][0], a[name][q][1]) for q in a[name] if q in b[name]]) for a, b in runs]
            found = paired(*np.concatenate(rows).T)
            of_seed = [round(100 * float((of[:, 0] - of[:, 1]).mean()), 1) for of in rows]
            said.setdefault(f"{one} − {other}", {})[name] = {key: found[key] for key in ("d", "low", "high")} | {"seeds": of_seed}
    return said


def lines(said: dict[str, dict[str, Any]]) -> list[str]:
    """Return the differences, one per line."""
    found = []
    for pair, sets in said.items():
        for name, of in sets.items():
            interval = "" if of["low"] is None else f" [{of['low']:+.1f}, {of['high']:+.1f}]"
            found.append(f"{pair}, {name}: {of['d']:+.1f}{interval}; by seed " + ", ".join(f"{d:+.1f}" for d in of["seeds"]))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=METHODS)
    parser.add_argument("--steps", type=int, help="steps from nothing; half as many from clip's weights")
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="what dvc repro has made")
    parser.add_argument("--out", type=Path, default=RESULT, help="where the figures go; the page of stages/training shows them")
    parser.add_argument("--keep", type=Path, metavar="DIR", default=KEPT, help="goes on with what an earlier call has left there")
    args = parser.parse_args()
    runs = Runs(args.keep, args.data, args.steps)
    places: dict[str, list[Path]] = {}
    for method in args.methods:
        places[method] = [runs.answered(method, seed) for seed in range(args.seeds)]
        # Written after every method, so that an interrupted run leaves its results.
        found = figures_of(places) | {"steps": runs.steps, "seeds": args.seeds}
        args.out.write_text(json.dumps(found, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    print(table(found["methods"], found["shortcut"]), *lines(found["differences"]), sep="\n")
    print(json.dumps(found["methods"]))


if __name__ == "__main__":
    main()
