"""Compare our exports with other harnesses, case by case: ``python -m tests.benchmarks.harnesses [--rows 200] [--install]``.

Makes sets over pictures, exports them in the three forms with pictures, and ranks them with a tiny CLIP with random weights. Then
reads the exported files and compares every case with our ranks from the tables. ``--install`` also installs each harness with pip,
at the version on the suites' page, into a temporary environment on top of this one, and scores every case with it. It must agree
with our ranks except on ties, where harnesses differ. Prints a row each; the last line is JSON: for each row the ``cases``, the
``ties`` (scores within rounding), the ties scored as right, and the other cases that are ``differing``.
"""

import argparse
import io
import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq
from PIL import Image

from stages.evaluation.sets import Layout, RetrievalSet
from stages.images.crops import ImageFolder
from stages.models.openclip import OpenClip
from stages.models.scoring import Scorer
from stages.suites import aro, crepe, export
from tests.benchmarks import exports
from tests.models.made import tiny_clip

ROUNDING = 1e-5
"""Scores this close are a tie, because harnesses sum in a different order."""
Cases = dict[str, list[float]]
"""The scores of each case by its name, the truth's first."""


class Harness(NamedTuple):
    """A harness: the form that it reads, and the packages that pip installs."""

    form: str
    packages: Sequence[str]


HARNESSES = {
    "clip_benchmark": Harness("sugarcrepe", ["clip-benchmark==1.6.2"]),
    "mteb": Harness("columns", ["mteb==2.26.24"]),
    "lmms_eval": Harness("huggingface", ["lmms-eval==0.7.3", "filelock<4"]),
}
NO_FORM = {"lm-eval": "reads no pictures with captions to rank", "torchmetrics": "ranks nothing"}


def ours(made: Path, model: OpenClip) -> tuple[dict[str, Cases], dict[str, dict[str, float]]]:
    """Return the scores of our sets from the tables: by form and name (:func:`documents`), and of each case by caption."""
    sets = [*crepe.systematicity(made / "atom.parquet", made / "comp.parquet"), *crepe.productivity(made / "prod.parquet")]
    sets += aro.made(made / "order.parquet")
    layout = Layout.of(sets)
    scores = Scorer(model, layout, ImageFolder(made), made / "features").scores()
    of_set = list(zip(sets, np.split(scores, np.cumsum(layout.size)[:-1]), strict=True))
    found: dict[str, Cases] = {"sugarcrepe": {}, "columns": {}}
    by_caption = {}
    for s, values in of_set:
        name = f"{s.suite}_{s.name}/{s.query.query_id}"
        found["columns"][name], by_caption[name] = values.tolist(), dict(zip(s.texts, values.tolist(), strict=True))
        if s.suite != "aro_order" and s.name not in export.TOGETHER:
            found["sugarcrepe"] |= dict(_pairs(s, values))
    return found | {"huggingface": found["columns"]}, by_caption


def _pairs(s: RetrievalSet, values: np.ndarray) -> Iterator[tuple[str, list[float]]]:
    picture = "-".join(map(str, s.query.crop)) + ".png"
    for text, value in zip(s.negatives, values[1:].tolist(), strict=True):
        yield f"{s.suite}_{s.name}/{picture}/{s.truth}/{text}", [float(values[0]), value]


def documents(out: Path, form: str) -> Iterator[tuple[str, Any, list[str]]]:
    """Yield the cases of an export as its readers see them: name, picture, and captions with the true one first."""
    for path in sorted((out / form).glob("*.json")):
        for entry in json.loads(path.read_text(encoding="utf-8")).values():
            texts = [entry["caption"], entry["negative_caption"]]
            yield "/".join((path.stem, entry["filename"], *texts)), out / form / "images" / entry["filename"], texts
    for path in sorted((out / form).glob("data/*/test.parquet")):
        for row in pq.read_table(path).to_pylist():
            if form == "columns":
                texts = [row["caption"], *(row[f"negative_{i}"] for i in range(1, len(row) - 2))]
            else:
                texts = [row["captions"][row["label"]], *(t for i, t in enumerate(row["captions"]) if i != row["label"])]
            name = path.parent.name.partition("_of_")[0]
            yield f"{name}/{row['query_id']}", row["image"]["bytes"], texts


def from_files(out: Path, form: str, model: OpenClip) -> Cases:
    """Return the scores of an export's files."""
    found: Cases = {}
    for name, picture, texts in documents(out, form):
        image = Image.open(picture if isinstance(picture, Path) else io.BytesIO(picture))
        found[name] = (model.encode_text(texts) @ model.encode_image([model.prepare(image)])[0]).tolist()
    return found


def compared(our: Cases, right: Mapping[str, bool]) -> dict[str, int]:
    """Count the cases, our ties (all, and those that a harness scores as right), and the other cases where it differs.

    A case that only one side has counts as differing.
    """
    above = {name: scores[0] - max(scores[1:]) for name, scores in our.items()}
    ties = {name for name, difference in above.items() if abs(difference) < ROUNDING}
    differing = our.keys() ^ right.keys() | {
        name for name in (our.keys() & right.keys()) - ties if right[name] != (above[name] > 0)
    }
    ties_right = sum(right.get(name, False) for name in ties)
    return {"cases": len(our), "ties": len(ties), "ties_right": ties_right, "differing": len(differing)}


def install(name: str, folder: Path) -> Path:
    """Install a harness into an environment on top of this one, and return its Python.

    Raises:
        CalledProcessError: pip cannot install it.
    """
    venv.create(folder, symlinks=True)
    own = next(path for path in sys.path if path.endswith("site-packages"))
    site = next(folder.glob("lib/python*/site-packages"))
    (site / "this_environment.pth").write_text(own + "\n")
    command = [
        sys.executable,
        "-m",
        "pip",
        f"--python={folder / 'bin' / 'python'}",
        "install",
        "--quiet",
        *HARNESSES[name].packages,
    ]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return folder / "bin" / "python"


def asked(name: str, python: Path, out: Path) -> dict[str, bool]:
    """Return which cases of the exports in ``out`` a harness scores as right."""
    # Run by path, because some packages install their own package `tests`; with -P, because they import `evaluate`, which is also
    # the name of a file here.
    command = [str(python), "-P", str(Path(__file__).with_name("harness_drivers.py")), name, str(out)]
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(out / "hub_cache"), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env={**os.environ, **offline}, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr[-3000:]}")
    return json.loads((out / f"{name}.json").read_text())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--install", action="store_true", help="install the harnesses with pip, and ask them")
    parser.add_argument("--only", choices=HARNESSES, nargs="+", default=list(HARNESSES), help="harnesses to install")
    args = parser.parse_args()
    figures: dict[str, Any] = {}

    def show(name: str, counts: Mapping[str, int]) -> None:
        figures.update({f"{name.replace(' of ', '_')}_{key}": value for key, value in counts.items()})
        print(f"{name}: {', '.join(f'{value:,} {key}' for key, value in counts.items())}", flush=True)

    with TemporaryDirectory() as folder:
        made, out = Path(folder) / "made", Path(folder) / "out"
        made.mkdir()
        exports.write(made, args.rows)
        model = OpenClip(f"local-dir:{tiny_clip(out / 'model')}", None, "fp32", "cpu", 64, 4096)
        our, by_caption = ours(made, model)
        for form, cases in our.items():
            exports.seconds(form, made, out / form, Path())
            found = from_files(out, form, model)
            show(f"files of {form}", compared(cases, {name: scores[0] > max(scores[1:]) for name, scores in found.items()}))
        # With these scores, a driver answers with a letter as a model that ranks like ours would.
        (out / "ours.json").write_text(json.dumps(by_caption))
        for name in args.only if args.install else ():
            try:
                python = install(name, Path(folder) / name)
            except subprocess.CalledProcessError as error:
                print(f"{name}: skipped, because pip cannot install it: {error.stderr.strip().splitlines()[-1]}")
                continue
            show(name, compared(our[HARNESSES[name].form], asked(name, python, out)))
            shutil.rmtree(Path(folder) / name)
    if not args.install:
        print(f"{', '.join(HARNESSES)}: skipped, because they need pip and the network (--install)")
    print("; ".join(f"{name}: left out, because it {why}" for name, why in NO_FORM.items()))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
