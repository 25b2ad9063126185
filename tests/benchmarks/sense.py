"""``python -m tests.benchmarks.sense PARSE_TRAIN HELD_OUT``: does the sense of words tell what people say from what nobody does?

PARSE_TRAIN is a folder with a folder of parse_train for each training set; the compounds of the one called HELD_OUT that it says
twice and the others never are what people say. Against them stand the same with another noun of a kind, and relations turned round.

Last line: JSON, by kind (``attribute``, ``relation``, ``foiled_attribute``, ``foiled_relation``, ``turned``): ``n``, and the share
``above`` each of some floors.
"""

import argparse
import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from stages.contract import tables
from stages.foils import scenes, sense, vocabulary
from stages.foils.sense import Sense
from stages.parameters.sections import Run
from tests.running import section

FLOORS = (0.3, 0.4, 0.5, 0.6, 0.7)
MOST = 500
KINDS = {"attribute_object": "attribute", "object_relation_object": "relation"}
Row = tuple[str, str, str, str]
"""A compound: kind, first, second, third."""


def said(folder: Path) -> dict[Row, int]:
    """The compounds of a training set, with their counts."""
    rows = tables.read("occurrences", folder / "occurrences.parquet")
    return {(r["kind"], r["first"], r["second"], r["third"] or ""): r["count"] for r in rows if r["kind"] in KINDS}


def foiled(row: Row, words: vocabulary.Vocabulary, draw: random.Random) -> Row | None:
    """The compound with another noun of the same kind."""
    place = draw.choice([2] if row[0] == "attribute_object" else [1, 3])
    others = words.candidates("object", row[place], 60)
    return (*row[:place], draw.choice(others), *row[place + 1 :]) if others else None  # type: ignore[return-value]


def cases(known: dict[Row, int], others: set[Row], words: vocabulary.Vocabulary) -> Iterator[tuple[str, Row]]:
    """What is measured, each with its kind."""
    draw = random.Random(0)
    new = sorted(row for row, n in known.items() if n >= 2 and row not in others)
    draw.shuffle(new)
    for kind, name in KINDS.items():
        for row in [row for row in new if row[0] == kind][:MOST]:
            yield name, row
            other = foiled(row, words, draw)
            if other and other not in known and other not in others:
                yield f"foiled_{name}", other
            turned = (row[0], row[3], row[2], row[1])
            if row[3] and turned not in known and turned not in others:
                yield "turned", turned


def fit(model: Sense, row: Row) -> float:
    """How well a compound's words go together."""
    kind, *words = row
    if kind == "attribute_object":
        return model.weighed("attribute", words[0], (words[1],))
    return model.weighed("relation", words[1], (words[0], words[2]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parse_train", type=Path, metavar="PARSE_TRAIN")
    parser.add_argument("held_out", metavar="HELD_OUT")
    asked = parser.parse_args()
    folders = sorted(place for place in asked.parse_train.iterdir() if place.is_dir() and place.name != asked.held_out)
    running = section(Run)
    with tempfile.TemporaryDirectory() as place:
        sense.write(Path(place), folders, 1_000_000, running)
        scenes.write(Path(place), folders, 1_000_000, running)
        model = sense.load(Path(place), 0.0, scenes.load(Path(place)))
        words = vocabulary.read(folders, 3, 2.5, 1, running, Path(place))
        others = {
            (r["kind"], r["first"], r["second"], r["third"]) for r in tables.read("seen_compounds", Path(place) / sense.TABLE)
        }
    fits: dict[str, list[float]] = {}
    for name, row in cases(said(asked.parse_train / asked.held_out), others, words):
        fits.setdefault(name, []).append(fit(model, row))
    shares = {
        name: {"n": len(own), "above": {str(floor): round(sum(f >= floor for f in own) / len(own), 3) for floor in FLOORS}}
        for name, own in fits.items()
    }
    print(json.dumps(shares))


if __name__ == "__main__":
    main()
