"""Made-up training captions, and questions whose truths a language model trained on them prefers to the candidates."""

import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from stages.contract import tables
from stages.parameters.sections import Cleared, Plausibility
from stages.selection import cleared
from stages.selection.questions import Question, Truth
from stages.selection.selector import Selector

COLOURS = ("red", "blue", "green", "black", "white", "brown", "grey", "pink", "yellow")
THINGS = ("dog", "cat", "cup", "jug", "car", "bus", "boat", "hat", "coat", "kite")
PLACES = ("mat", "rug", "road", "lake", "table", "chair", "hill", "roof", "wall")
SETTINGS = Cleared(margin=0.01, below=0.03, far_price=0.05, kinds=0.02, at_once=10_000, seed=0)
PLAUSIBILITY = Plausibility(model="ngram", max_captions=10_000, batch_tokens=64, device="cpu")
GROUPS = ("SC", "UC")
SIZE = 3


def _caption(words):
    return f"a {words[0]} {words[1]} on a {words[2]}"


def training_set(folder: Path, captions: int = 2500) -> Path:
    """Write a training set in which each thing has a usual colour and place, and return its folder."""
    draw, rows = random.Random(0), set()
    for i in range(captions):
        thing = draw.randrange(len(THINGS))
        usual = (COLOURS[thing % 9], THINGS[thing], PLACES[thing % 9])
        words = tuple(
            word if draw.random() < 0.5 else draw.choice(of) for word, of in zip(usual, (COLOURS, THINGS, PLACES), strict=True)
        )
        rows.add(f"{_caption(words)} {i % 97}")
    graph = {"objects": [], "attributes": [], "relations": []}
    tables.write("training_graphs", folder / "graphs.parquet", [{"caption": c, "count": 1, **graph} for c in sorted(rows)])
    return folder


def questions(n: int = 160, usual: float = 0.35) -> list[Question]:
    """Return questions with one truth each, whose words are usual with that probability; candidates replace one of three words."""
    draw, made = random.Random(1), []
    for i in range(n):
        thing = draw.randrange(len(THINGS))
        words = [of[thing % 9] if draw.random() < usual else draw.choice(of) for of in (COLOURS, PLACES)]
        words = [words[0], THINGS[thing], words[1]]
        negatives, slots = [], []
        for slot, of in enumerate((COLOURS, THINGS, PLACES)):
            foils = [word for word in of if word != words[slot]]
            negatives += [_caption([*words[:slot], foil, *words[slot + 1 :]]) for foil in foils]
            slots += [slot] * len(foils)
        kinds = [int(slot == 0) for slot in slots]
        far = [negative.endswith("hill") for negative in negatives]
        made.append(Question(f"region-{i}", i // 2, [Truth(_caption(words), negatives, slots, kinds, far, (2 / 3, 1 / 3))]))
    return made


def groups(asked) -> dict[str, tuple[str, ...]]:
    """Return the queries' groups: every second query is seen, the others are unseen."""
    return {question.query_id: (GROUPS[int(question.query_id[7:]) % 2],) for question in asked}


def chosen(folder: Path, asked, settings: Cleared = SETTINGS, batch: int = 50):
    """Return what is chosen from the questions ``asked``, given in batches, with fewer steps, which suffice."""
    selector = Selector(settings, PLAUSIBILITY, [folder], SIZE)
    for start in range(0, len(asked), batch):
        selector.add(asked[start : start + batch])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cleared, "STEPS", 100)
        return selector.choose(groups(asked))


def sets(asked, picked) -> dict[str, tuple[str, ...]]:
    """Return the captions of the picked sets, with the truth first and the negatives sorted."""
    by_id = {question.query_id: question for question in asked}
    found = {}
    for query_id, (number, places) in picked.items():
        truth = by_id[query_id].truths[number]
        found[query_id] = (truth.caption, *sorted(truth.negatives[place] for place in places))
    return found


def permuted(asked, seed: int) -> list[Question]:
    """Return the same questions in another order, with their candidates in another order."""
    draw = np.random.default_rng(seed)
    made = []
    for i in draw.permutation(len(asked)).tolist():
        truths = []
        for truth in asked[i].truths:
            order = draw.permutation(len(truth.negatives)).tolist()
            of = ([own[k] for k in order] for own in (truth.negatives, truth.slots, truth.kinds, truth.far))
            truths.append(Truth(truth.caption, *of, truth.named))
        made.append(asked[i]._replace(truths=truths))
    return made


@cache
def some_sets(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the captions of the sets picked from half of the questions."""
    some = questions()[:80]
    return sets(some, chosen(folder, some))


if __name__ == "__main__":
    # A test runs this with other threads and processor features, and compares the output.
    import json
    import sys

    print(json.dumps(some_sets(Path(sys.argv[1]))))
