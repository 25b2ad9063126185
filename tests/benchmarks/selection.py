"""Measure how well negatives are selected, by this checkout and by another:

    python -m tests.benchmarks.selection CANDIDATES CAPTIONS [--old CHECKOUT] [--seeds 0 1 2 7]

CANDIDATES is a folder of pickled candidates, one file per type (``HN-Atom.pickle``, …): ``(questions, groups, size)`` with the
questions as :class:`stages.selection.questions.Question` or as plain tuples of the same fields, and the groups by query.
``--pickle DATA CANDIDATES`` in place of the two folders makes them from a pipeline's data. CAPTIONS is the folder of training
captions that parse_train wrote. CHECKOUT is of commit e6f7c5b, whose selection was ``stages/foils/scoring.py``; it runs in a
separate process.

The evaluators are scorers that learned from the evaluation half of the captions, and an adversary with its own folds. For each type
and seed it prints the number of kept queries, the percentage of cells (a group of at least 20 kept queries and a scorer) with p
below 5 %, the number that Holm rejects, the best scorer over all queries and the adversary, both in points above chance, and the
processor seconds for scoring and choosing. The last line is JSON: the means over the seeds by selection and type.
"""

import argparse
import json
import pickle
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from stages.contract import tables
from stages.contract.schemas import CLEARED
from stages.evaluation.cleared import ADVERSARY, ALL, LEVEL, MIN_QUERIES, Cell, rejected
from stages.evaluation.ranks import rank
from stages.negatives.nearness import FURTHER
from stages.parameters.sections import Cleared, Plausibility
from stages.selection.questions import Picked, Question, Truth
from stages.selection.selector import Selector
from stages.shortcuts import ngram, scorers
from stages.shortcuts.meaning import Meaning
from stages.shortcuts.set_similarity import set_scores
from stages.shortcuts.trained import trained

SETTINGS = Cleared(margin=0.01, below=0.03, far_price=0.05, kinds=0.02, at_once=10_000, seed=0)
PLAUSIBILITY = {"model": "ngram", "max_captions": 400_000, "batch_tokens": 1, "device": "cpu"}
KINDS = ("object", "attribute", "relation")
BATCH = 200

OLD = """
import json, pickle, sys, time
from pathlib import Path
from stages.foils import balancing
from stages.foils.scoring import CandidateSet, Selector
from stages.parameters import params
from stages.parameters.sections import Foils
job = pickle.load(sys.stdin.buffer)
designs = {"HN-Atom": balancing.FEW, "HN-Atom sys": balancing.ONE_PIECE}
designs |= {"HN-Swap": balancing.SAME_WORDS, "HN-Neg": balancing.DENYING}
foils = params.load(Foils).model_copy(update={"seed": job["seed"], "selection": "balanced"})
start = time.process_time()
selector = Selector(foils, [Path(one) for one in job["captions"]], job["size"], designs.get(job["kind"], balancing.SEVERAL))
edits, near = ("object", "attribute", "relation"), {False: "sibling", True: "further"}
def row(question, truth, i):
    spans = [{"start": truth[2][i], "end": truth[2][i]}]
    counts = {f"{kind}s": range(round(100 * share)) for kind, share in zip(edits, [*truth[5], 0, 0])}
    of = {"edit": edits[truth[3][i]], "spans": spans, "nearness": near[bool(truth[4][i])], "foil": None}
    return {"caption": truth[1][i], "image_id": question[1], "reason": None, **of, **counts}
for question in job["questions"]:
    truth = question[2][0]
    selector.add([CandidateSet(question[0], truth[0], [row(question, truth, i) for i in range(len(truth[1]))])])
places = selector.choose(job["groups"]).places
pickle.dump((places, time.process_time() - start), sys.stdout.buffer)
"""
"""The program for the old checkout. Its selection sees only a query's first truth; HN-Comp and HN-Neg may have several."""


def old_choice(checkout: Path, kind: str, asked: tuple, captions: Sequence[Path], seed: int) -> tuple[dict[str, Picked], float]:
    """Return the picks of an old checkout's selection, and its processor seconds."""
    questions, groups, size = asked
    plain = [(q.query_id, q.image_id, [tuple(truth) for truth in q.truths]) for q in questions]
    folders = [str(folder.resolve()) for folder in captions]
    job = {"questions": plain, "groups": groups, "size": size, "kind": kind, "captions": folders, "seed": seed}
    command = [sys.executable, "-c", OLD]
    done = subprocess.run(command, input=pickle.dumps(job), stdout=subprocess.PIPE, check=True, cwd=checkout)
    places, seconds = pickle.loads(done.stdout)  # noqa: S301 - what this very program wrote
    return {query_id: Picked(0, tuple(own)) for query_id, own in places.items()}, seconds


def new_choice(asked: tuple, captions: Sequence[Path], seed: int) -> tuple[dict[str, Picked], float]:
    """Return the picks of this checkout's selection, and its processor seconds."""
    questions, groups, size = asked
    start = time.process_time()
    settings = SETTINGS.model_copy(update={"seed": seed})
    selector = Selector(settings, Plausibility(**PLAUSIBILITY), captions, size)
    for first in range(0, len(questions), BATCH):
        selector.add(questions[first : first + BATCH])
    return selector.choose(groups), time.process_time() - start


class Evaluators:
    """Scorers that learned from the evaluation half of the captions, which is not used for selection."""

    def __init__(self, captions: Sequence[Path]):
        chosen = ngram.training_captions(captions, scorers.EVALUATING, PLAUSIBILITY["max_captions"] // len(captions))
        bag = scorers.BagOfWords(chosen)
        self.of_captions, self.meaning = scorers.scorers(chosen, bag), Meaning(bag)

    def __call__(self, asked: tuple, picked: Mapping[str, Picked]) -> dict[str, Any]:
        """Return the figures of the picked sets."""
        questions, groups, size = asked
        kept = sorted((q for q in questions if q.query_id in picked), key=lambda q: q.query_id)
        numbers: dict[str, int] = {}
        text = np.array([numbers.setdefault(c, len(numbers)) for q in kept for c in captions_of(q, picked[q.query_id])], int)
        texts, sizes = list(numbers), np.full(len(kept), 1 + size)
        images = np.array([q.image_id for q in kept], int)
        scores = {name: scorer(texts)[text] for name, scorer in self.of_captions.items()}
        scores |= set_scores(texts, text, sizes, self.meaning(texts))
        scores[ADVERSARY] = trained(texts, text, sizes, images, scores)
        right, chance = {name: rank(of, sizes).recall(1) for name, of in scores.items()}, np.full(len(kept), 1 / (1 + size))
        members = defaultdict(list)
        for i, question in enumerate(kept):
            for group in (*groups.get(question.query_id, ()), ALL):
                members[group].append(i)
        cells = [
            Cell.of("", group, name, of[own], chance[own], images[own])
            for group, own in sorted(members.items())
            if len(own) >= MIN_QUERIES
            for name, of in right.items()
            if name != ADVERSARY
        ]
        above = {name: 100 * float((of - chance).mean()) if kept else 0.0 for name, of in right.items()}
        adversary = above.pop(ADVERSARY)
        best = max(above.values(), default=0.0)
        below = 100 * float(np.mean([cell.p < LEVEL for cell in cells])) if cells else 0.0
        figures = {"kept": len(kept), "cells": len(cells), "below_05": below, "holm": len(rejected(cells))}
        return figures | {"best": best, "adversary": adversary}


def captions_of(question: Question, picked: Picked) -> list[str]:
    """Return the picked truth and its picked negatives."""
    truth = question.truths[picked.truth]
    return [truth.caption, *(truth.negatives[place] for place in picked.places)]


def measured(
    asked: Mapping[str, tuple], captions: Sequence[Path], seeds: Sequence[int], old: Path | None
) -> dict[str, dict[str, dict[str, float]]]:
    """Print the figures of each type and seed, and return their means over the seeds by selection and type."""
    evaluate, means = Evaluators(captions), defaultdict(dict)
    print(f"{'':5}{'type':12}{'seed':>5}{'kept':>7}{'cells':>7}{'p<.05':>7}{'Holm':>6}{'best':>7}{'adversary':>11}{'seconds':>9}")
    for which in ("old", "new") if old else ("new",):
        for kind, of in asked.items():
            rows = []
            for seed in seeds:
                picked, seconds = old_choice(old, kind, of, captions, seed) if which == "old" else new_choice(of, captions, seed)
                rows.append(evaluate(of, picked) | {"seconds": seconds})
                last = rows[-1]
                counts = f"{last['kept']:>7,}{last['cells']:>7}{last['below_05']:>7.1f}{last['holm']:>6}"
                print(
                    f"{which:5}{kind:12}{seed:>5}{counts}{last['best']:>+7.1f}{last['adversary']:>+11.1f}{seconds:>9.1f}",
                    flush=True,
                )
            means[which][kind] = {key: round(float(np.mean([row[key] for row in rows])), 2) for key in rows[0]}
            means[which][kind]["seeds_rejected"] = sum(row["holm"] > 0 for row in rows)
    return dict(means)


def from_data(data: Path) -> dict[str, tuple]:
    """Return the questions of the protocol ``cleared`` from a pipeline's data: one for each query and type."""
    splits: dict[str, list[str]] = defaultdict(list)
    for path in sorted((data / "split").glob("*.parquet")):
        for row in tables.read("splits", path):
            splits[f"region-{row['region_id']}"].append(f"{path.stem} {row['split']}")
    walks = tables.read("captions", data / "caption" / "captions.parquet")
    lengths = {f"walk-{row['subgraph_id']}": [f"n{row['n']:02d}", "long" if row["n"] >= 8 else "short"] for row in walks}
    found: dict[str, tuple] = {}
    for stage, groups, size in (("gen_hn_atom", splits, 4), ("gen_hn_comp", splits, 6), ("gen_hn_prod", lengths, 5)):
        rows = (row for row in tables.read("candidates", data / stage / "candidates.parquet") if row["reason"] is None)
        cleared = (row for row in rows if row["protocol"] == CLEARED)
        for (query_id, kind), own in groupby(cleared, key=lambda row: (row["query_id"], row["type"])):
            name = "HN-Atom sys" if stage == "gen_hn_atom" else kind
            found.setdefault(name, ([], dict(groups), size))[0].append(question(query_id, list(own), size))
    return found


def question(query_id: str, own: list[Mapping[str, Any]], size: int) -> Question:
    """Return the question for a query's candidates, grouped by truth."""
    by_truth = {truth: [one for one in own if one["truth"] == truth] for truth in dict.fromkeys(one["truth"] for one in own)}
    return Question(query_id, own[0]["image_id"], [of_truth(truth, rows, size) for truth, rows in by_truth.items()])


def of_truth(truth: str, own: list[Mapping[str, Any]], size: int) -> Truth:
    """Return a truth with its candidates; those of HN-Atom have a slot for each atom that they replace."""
    captions, far = [one["caption"] for one in own], [one["nearness"] == FURTHER for one in own]
    if own[0]["type"] != "HN-Atom":
        return Truth(truth, captions, [0] * len(own), [0] * len(own), far)
    keys = [(one["edit"], *((span["start"], span["end"]) for span in one["spans"])) for one in own]
    numbers = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    kinds = [KINDS.index(one["edit"]) for one in own]
    full = [edit for (edit, *_), n in Counter(keys).items() if n >= size]
    named = tuple(full.count(kind) / max(len(full), 1) for kind in KINDS)
    return Truth(truth, captions, [numbers[key] for key in keys], kinds, far, named)


def load(folder: Path) -> dict[str, tuple]:
    """Return the pickled candidates by type; load only files that you made."""
    found = {}
    for path in sorted(folder.glob("*.pickle")):
        questions, groups, size = pickle.loads(path.read_bytes())  # noqa: S301 - the person's own
        asked = [Question(q[0], q[1], [Truth(*truth) for truth in q[2]]) for q in questions]
        found[path.stem] = asked, groups, size
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("candidates", type=Path)
    parser.add_argument("captions", type=Path, help="with --pickle: the folder to write to")
    parser.add_argument("--pickle", action="store_true", help="make CANDIDATES, the second folder, of DATA, the first")
    parser.add_argument("--old", type=Path, help="a checkout of commit e6f7c5b")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 7])
    asked = parser.parse_args()
    if asked.pickle:
        asked.captions.mkdir(parents=True, exist_ok=True)
        for kind, of in from_data(asked.candidates).items():
            (asked.captions / f"{kind}.pickle").write_bytes(pickle.dumps(([tuple(q) for q in of[0]], *of[1:])))
        return
    captions = sorted(path.parent for path in asked.captions.glob("*/graphs.parquet"))
    print(json.dumps(measured(load(asked.candidates), captions, asked.seeds, asked.old), sort_keys=True))


if __name__ == "__main__":
    main()
