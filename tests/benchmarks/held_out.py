"""``python -m tests.benchmarks.held_out [--fold N] [--images N]``: are negatives false where no table of ours knows the words?

The tables of ``stages/semantics``, ``stages/foils`` and ``stages/wording`` know every word of the sample's world, so that what is
measured on the sample may only mirror them. Here a drawn tenth of its kinds, attributes and relations is unknown to them
(``--fold``, of ten; each word is in one). In a copy of the code each of these words is spelt otherwise in every table, list and
count of ours, so that no caption finds what stands there. WordNet still knows them, and so does what is learned from the user's
own captions and annotations; English grammar and the graphs are as they were. The negatives are made anew from the tables in
``data/``, which ``dvc repro`` has written.

Only the first ``--images`` are used, so that a run takes minutes. ``--fold none`` leaves the tables whole, to compare, and looks
at the words of the fold ``--of``. ``--keep DIR`` leaves everything in DIR.

Prints each negative in question that is not surely false. Last line: JSON, by SET (atom, comp, atom_prod, swap, neg) and over all,
of negatives with a held-out word in them or their truth (``said``), of those that only have a held-out thing in their crop
(``shown``) and of all ``other``: how many there are (``n``), the share that is surely false by the sample's truth, and its 95 %
interval. ``kept`` is the share of queries with a full set, ``words`` what was held out.
"""

import argparse
import gzip
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from ruamel.yaml import YAML

from stages.audit import PRODUCTIVITY, kept
from stages.contract import tables
from stages.graphs.graph import SceneGraph
from stages.language import normal
from stages.retrieval.intervals import wilson_share
from stages.world.kinds import KINDS, STUFF
from stages.world.lexicon import NAMES, PHRASES
from stages.world.oracle import Query, judge
from stages.world.sprites import COLOURS, PATTERNS
from stages.world.truth import World
from tests.running import ROOT, set_parameters

FOLDS = 10
STAGES = ("gen_hn_atom", "gen_hn_comp", "gen_hn_prod")
ROOMS = ("semantics", "foils", "wording")
"""Whose tables say what words mean, or how often they are said."""
LABELS = ("sorts.py",)
"""Modules whose lists name the kinds of ``things.tsv``, and no words."""
ATTRIBUTES = {
    **{word: (word,) for word in (*COLOURS, *PATTERNS, "open", "closed")},
    "small": ("small", "little", "short"),
    "large": ("large", "big", "tall"),
}
SHARED = {"in", "on", "with", "near"}
"""Words for several relations."""
OTHERWISE = "{}qqq"
"""How a held-out word is spelt in our tables."""


def drawn(fold: int) -> dict[str, tuple[str, ...]]:
    """The held-out kinds, attributes and relations, each with the words that the sample says for it."""
    meanings = (
        {kind: (kind, *NAMES.get(kind, ())) for kind in (*KINDS, *STUFF)},
        ATTRIBUTES,
        {name: (name, *map(normal.relation, phrases)) for name, phrases in PHRASES.items()},
    )
    found: dict[str, tuple[str, ...]] = {}
    for words in meanings:
        shuffled = random.Random("held out").sample(sorted(words), len(words))
        # "In" and "on" are said of what is worn, or sat on, too, and are not unknown with it.
        found |= {name: tuple(sorted({name, *words[name]} - (SHARED - {name}))) for name in shuffled[fold::FOLDS]}
    return found


def pattern(words: dict[str, tuple[str, ...]]) -> re.Pattern[str]:
    """Finds any of the words, the longer first; no names of WordNet's senses, such as "cup.n.01"."""
    every = sorted({word for own in words.values() for word in own}, key=lambda word: (-len(word), word))
    return re.compile(rf"(?<![\w!-])(?:{'|'.join(map(re.escape, every))})(?![\w-]|\.[nvasr]\.)") if every else re.compile(r"(?!)")


class Blind:
    """A copy of the project's code whose tables do not know some words."""

    def __init__(self, folder: Path, words: dict[str, tuple[str, ...]]):
        self.folder, self.held_out = folder, pattern(words)
        shutil.rmtree(folder / "stages", ignore_errors=True)
        shutil.copytree(ROOT / "stages", folder / "stages", ignore=shutil.ignore_patterns("__pycache__"))
        for room in ROOMS:
            for path in sorted((folder / "stages" / room).iterdir()):
                self._blind(path)

    def _respelt(self, text: str) -> str:
        return self.held_out.sub(lambda found: OTHERWISE.format(found[0]), text)

    def _blind(self, path: Path) -> None:
        if path.name.endswith(".json.gz"):
            path.write_bytes(gzip.compress(self._respelt(gzip.decompress(path.read_bytes()).decode()).encode()))
        elif path.suffix == ".parquet":
            table = "usage" if path.name == "gqa.parquet" else "seen_compounds"
            said = tables.read_arrow(table, path)
            for i, name in enumerate(said.column_names):
                if pa.types.is_string(said.schema.field(name).type) and name != "kind":
                    respelt = [word and self._respelt(word) for word in said[name].to_pylist()]
                    said = said.set_column(i, name, pa.array(respelt, pa.string()))
            with tables.writer(table, path) as put:
                put(said)
        elif path.suffix == ".tsv":
            # What a thing is, is a label; its name and other names are words.
            rows = [line.split("\t") for line in path.read_text().splitlines()]
            path.write_text("".join("\t".join([self._respelt(a), *of, self._respelt(z)]) + "\n" for a, *of, z in rows))
        elif path.name == "restrictions.txt":
            path.write_text(re.sub(r"^[^#:\n]+(?=:)", lambda head: self._respelt(head[0]), path.read_text(), flags=re.MULTILINE))
        elif path.suffix == ".txt":
            lines = path.read_text().splitlines(keepends=True)
            path.write_text("".join(line if line[0] in "[#" else self._respelt(line) for line in lines))
        elif path.suffix == ".py" and path.name not in LABELS:
            lists = re.compile(r'(?<=\bwords\()\s*"[^)]*"(?=\s*\))')
            path.write_text(lists.sub(lambda found: self._respelt(found[0]), path.read_text()))

    def run(self, data: Path, images: int) -> None:
        """Make the negatives of the first ``images``."""
        shutil.copy(ROOT / "params.yaml", self.folder)
        set_parameters(self.folder / "params.yaml", {"run.workers": len(os.sched_getaffinity(0))})
        if not (self.folder / ".nltk_data").exists():
            (self.folder / ".nltk_data").symlink_to((ROOT / ".nltk_data").resolve())
        shutil.rmtree(self.folder / "data", ignore_errors=True)
        for path in (path for path in data.iterdir() if path.name not in STAGES):
            place = self.folder / "data" / path.name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(path.resolve())
        for stage, name in (("filter_vg", "regions"), ("caption", "captions")):
            of = self.folder / "data" / stage
            of.unlink()
            shutil.copytree(data / stage, of)
            table = pq.read_table(of / f"{name}.parquet")
            pq.write_table(table.filter(pc.less_equal(table["image_id"], images)), of / f"{name}.parquet")
        commands = YAML(typ="safe").load(ROOT / "dvc.yaml")["stages"]
        for stage in STAGES:
            subprocess.run(
                [sys.executable, *shlex.split(commands[stage]["cmd"])[1:]], cwd=self.folder, check=True, stdout=sys.stderr.fileno()
            )

    def queries(self) -> Iterator[tuple[str, Query]]:
        """The retrieval sets, each with its SET."""
        for stage in STAGES:
            for query in tables.read("queries", self.folder / "data" / stage / "queries.parquet"):
                if query["type"] != "HN-Both":
                    yield PRODUCTIVITY.get(query["type"], "") if stage == "gen_hn_prod" else stage.removeprefix("gen_hn_"), query

    def kept(self) -> dict[str, float]:
        """The share of eligible queries with a full set."""
        return kept(*(json.loads((self.folder / "metrics" / f"{stage}.json").read_text()) for stage in STAGES))


def measured(made: Blind, truths: dict[int, dict[str, Any]], words: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    """The shares of negatives that are surely false, by SET, of those that say a word and of those whose crop shows a thing."""
    held_out, found = pattern(words), defaultdict[tuple[str, str], list[tuple[bool, int]]](list)

    def says(graph: SceneGraph) -> bool:
        return any(held_out.search(atom.text) for atom in graph.atoms())

    for name, query in made.queries():
        truth = truths[query["image_id"]]
        judged = judge(query, truth)
        if not judged.truth:
            continue
        crop = World.of(truth, (query["x"], query["y"], query["width"], query["height"]))
        shows = any(seen is not False and thing["kind"] in words for thing, seen in zip(crop.things, crop.presence, strict=True))
        of_truth = says(SceneGraph.from_columns(query))
        for negative, verdict in zip(query["negatives"], judged.negatives, strict=True):
            how = "said" if of_truth or says(SceneGraph.from_columns(negative)) else "shown" if shows else "other"
            for key in ((how, name), (how, "all")):
                found[key].append((verdict is False, query["image_id"]))
            if verdict is not False and how != "other":
                print(
                    how, name, query["image_id"], verdict, repr(query["truth"]), "->", repr(negative["caption"]), negative["p_true"]
                )
    shares: dict[str, Any] = {}
    for (how, name), rows in sorted(found.items()):
        shares.setdefault(how, {})[name] = wilson_share(*(np.array(column) for column in zip(*rows, strict=True)))
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fold", default="0", choices=[*map(str, range(FOLDS)), "none"])
    parser.add_argument("--of", type=int, default=0, choices=range(FOLDS), help="with --fold none: whose words are looked at")
    parser.add_argument("--images", type=int, default=100, metavar="N")
    parser.add_argument("--data", type=Path, default=ROOT / "data")
    parser.add_argument("--keep", type=Path, metavar="DIR")
    parser.add_argument("--again", action="store_true", help="judge what stands in DIR already")
    arguments = parser.parse_args()
    whole = arguments.fold == "none"
    words = drawn(arguments.of if whole else int(arguments.fold))
    with tempfile.TemporaryDirectory() as name:
        made = Blind(arguments.keep or Path(name), {} if whole else words)
        if not arguments.again:
            made.run(arguments.data, arguments.images)
        truths = {row["image_id"]: row for row in tables.read("truth", arguments.data / "sample" / "truth.parquet")}
        print(json.dumps({"words": words, "kept": made.kept(), **measured(made, truths, words)}))


if __name__ == "__main__":
    main()
