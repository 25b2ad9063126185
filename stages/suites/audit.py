"""Audit a suite for shortcuts: ``python -m stages.suites.audit SUITE FOLDER [--captions PATH] [--cleared OUT]``.

Runs every text-only scorer on the sets of a suite as published, without a model or pictures. Prints for each subset the number of
sets, chance, and each scorer's R@1 in per cent, with its 95 % interval clustered by image and case, including the cross-validated
adversary ``trained``. The last line is JSON: ``{subset: {n, chance, best, scorer, trained}}``.

SUITE is a name that ``evaluate.suites`` can have. ``--captions`` names a file with a caption a line, or a folder of training
captions as parse_train writes them (a folder a training set, each with graphs.parquet): then the scorers that learn from captions
are included. ``--cleared OUT`` writes the largest part found of the suite that no scorer solves more than 3 points above chance,
in the suite's own format, and prints the scorers' results on it. ``--weights FILE`` keeps all entries and writes a weight for
each instead, a line of JSON a set (``subset``, ``query_id``, ``source``, ``weight``), with which no scorer exceeds that bound:
with ``evaluate.suites.SUITE.weights`` a model's weighted accuracy can be compared with chance. All results are weighted then;
``weights`` is the effective number of sets of equal weight (Kish, 1965).
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from stages.contract.errors import InputError, run
from stages.contract.files import check_folder, complete
from stages.evaluation.cases import clusters
from stages.evaluation.figures import FEW
from stages.evaluation.intervals import effective, of_weighted
from stages.evaluation.ranks import Ranks, rank
from stages.evaluation.sets import Layout, RetrievalSet
from stages.shortcuts import ngram, scorers
from stages.shortcuts.meaning import Meaning
from stages.shortcuts.scorers import BagOfWords, ShortcutScorer
from stages.shortcuts.set_similarity import set_scores
from stages.shortcuts.trained import trained
from stages.suites import case_weights
from stages.suites.catalogue import SUITES
from stages.suites.cleared_part import Audit, cleared, weights
from stages.suites.suite_files import Images, write_part

NOTHING = "has no part ({:,} sets) that can {} that no shortcut solves it"
SAYS = "leave the option out: the audit alone says what scorers reach"
MAX_CAPTIONS = 200_000
"""Maximum number of captions of each training set that scorers learn from."""


def captions_at(path: Path) -> list[str]:
    """Return the captions of a file with one a line, or at most :data:`MAX_CAPTIONS` of each training set of parse_train.

    Raises:
        InputError: there are none.
    """
    remedy = "name a file with a caption a line, or a folder of parse_train"
    if path.is_file():
        try:
            return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(path, f"cannot be read as text ({error})", remedy) from None
    folders = sorted(graphs.parent for graphs in path.glob("*/graphs.parquet"))
    if not folders:
        raise InputError(path, "has no training captions", remedy)
    return ngram.training_captions(folders, scorers.EVALUATING, MAX_CAPTIONS)


def audit(sets: Sequence[RetrievalSet], asked: Mapping[str, ShortcutScorer], meaning: Meaning | None = None) -> dict[str, Ranks]:
    """Return the ranks of a subset's truths by every scorer: those in ``asked``, set similarity, and ``trained``."""
    layout = Layout.of(sets)
    scores = {name: scorer(layout.texts)[layout.text] for name, scorer in asked.items()}
    scores |= set_scores(layout.texts, layout.text, layout.size, meaning(layout.texts) if meaning else None)
    # Numbered in order of appearance and not as the suite numbers its pictures: a part that is read again has the same folds.
    _, first, together = np.unique(clusters(sets), return_index=True, return_inverse=True)
    scores["trained"] = trained(layout.texts, layout.text, layout.size, first[together], scores)
    return {name: rank(scorer_scores, layout.size) for name, scorer_scores in scores.items()}


def asking(captions: Sequence[str]) -> partial[dict[str, Ranks]]:
    """Return :func:`audit` with all scorers that can learn from ``captions``, if there are any."""
    scorers.left_out(captions, "no captions are named (--captions)")
    if not captions:
        return partial(audit, asked=scorers.scorers([]))
    bag = BagOfWords(captions)
    return partial(audit, asked=scorers.scorers(captions, bag), meaning=Meaning(bag))


def summary(ranks: Mapping[str, Ranks], weight: np.ndarray) -> dict[str, float | int | str]:
    """Return a subset's line of JSON; the best scorer is the best of those not trained on the suite."""
    reached = {name: 100 * float(np.average(scorer_ranks.recall(1), weights=weight)) for name, scorer_ranks in ranks.items()}
    adversary = reached.pop("trained")
    best = max(reached, key=lambda name: reached[name])
    chance = 100 * float(np.average(ranks["trained"].chance(1), weights=weight))
    figures = {"chance": chance, "best": reached[best], "trained": adversary}
    if len(set(weight.tolist())) > 1:
        figures["weights"] = effective(weight, np.arange(len(weight)))
    return {"n": len(ranks["trained"]), "scorer": best, **{name: round(value, 1) for name, value in figures.items()}}


def show(name: str, sets: Sequence[RetrievalSet], ranks: Mapping[str, Ranks], weight: np.ndarray) -> None:
    """Print a subset's scorers, the best first."""
    found = summary(ranks, weight)
    kept = f", as many as {found['weights']:,} of equal weight" if "weights" in found else ""
    print(f"{name}: {len(sets):,} sets{kept}, chance {found['chance']:.1f} %")
    together = np.unique(clusters(sets), return_inverse=True)[1]
    reached = {scorer: of_weighted(scorer_ranks.recall(1), weight, together) for scorer, scorer_ranks in ranks.items()}
    for scorer, right in sorted(reached.items(), key=lambda pair: -pair[1].value):
        print(f"  {scorer:<16}{100 * right.value:6.1f} ({100 * right.low:.1f} to {100 * right.high:.1f})")


def write_cleared(folder: Path, out: Path, of_suite: dict[str, list[RetrievalSet]], ask: Audit) -> dict[str, list[RetrievalSet]]:
    """Write the part of the suite in ``folder`` that no shortcut solves, and return it.

    Raises:
        InputError: there is none.
    """
    part = cleared(of_suite, ask)
    sources = {s.source for sets in part.values() for s in sets if s.source}
    if not sources:
        raise InputError(folder, NOTHING.format(sum(map(len, of_suite.values())), "be chosen so"), SAYS)
    # All or nothing: a file that another audit left would be read as well.
    with complete(out, folder=True) as unfinished:
        write_part(folder, unfinished, sources)
    kept = ", ".join(f"{len(part.get(name, ())):,} of {len(sets):,} {name}" for name, sets in of_suite.items())
    print(f"{out}: {len(sources):,} entries of {folder} stay; kept {kept}")
    return part


def check_places(folder: Path, out: Path | None) -> None:
    """Check that there is a ``folder`` to audit, and that ``out`` is outside it.

    Raises:
        InputError: there is none, or it is not.
    """
    check_folder(folder, "name the folder with the suite's files")
    if out and out.resolve().is_relative_to(folder.resolve()):
        wrong = "lies in the folder that is audited, where it would replace the suite's files, or be read together with them"
        raise InputError(out, wrong, "name another place for it")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", choices=sorted(SUITES))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--captions", type=Path, help="file of captions, or folder of them as parse_train writes it")
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--cleared", type=Path, metavar="OUT", help="folder to write the part to that no shortcut solves")
    either.add_argument(
        "--weights", type=Path, metavar="FILE", help="file to write weights to by which no shortcut solves the whole"
    )
    asked = parser.parse_args()
    check_places(asked.folder, asked.cleared or asked.weights)
    ask = asking(captions_at(asked.captions) if asked.captions else [])
    of_suite = case_weights.subsets(SUITES[asked.suite](asked.folder, Images()))
    if not of_suite:
        raise InputError(asked.folder, f"has no case of {asked.suite} with captions to choose from", "name the folder of its files")
    if asked.cleared:
        of_suite = write_cleared(asked.folder, asked.cleared, of_suite, ask)
    weight = {name: np.ones(len(sets)) for name, sets in of_suite.items()}
    if asked.weights:
        weight = weights(of_suite, ask)
        if not any(map(np.any, weight.values())):
            raise InputError(asked.folder, NOTHING.format(sum(map(len, of_suite.values())), "be weighted so"), SAYS)
        case_weights.write(asked.weights, of_suite, weight)
        print(f"{asked.weights}: {sum(map(np.count_nonzero, weight.values())):,} sets have a weight above 0")
    if without := [f"{name} ({len(sets):,})" for name, sets in of_suite.items() if not weight[name].any()]:
        print(f"no weights for {', '.join(without)}: none clears it and keeps the information of {FEW} sets")
    ranks_of = {name: ask(sets) for name, sets in of_suite.items() if weight[name].any()}
    for name, ranks in ranks_of.items():
        show(name, of_suite[name], ranks, weight[name])
    print(json.dumps({name: summary(ranks, weight[name]) for name, ranks in ranks_of.items()}, sort_keys=True))


if __name__ == "__main__":
    run(main)
