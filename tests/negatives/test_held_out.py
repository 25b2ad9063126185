"""The benchmark of held-out words: which they are, and that our tables do not know them."""

import gzip
import json
import subprocess
import sys
from collections import Counter

import pyarrow.parquet as pq

from stages.world.kinds import KINDS, STUFF
from tests.benchmarks.held_out import FOLDS, Blind, drawn, pattern
from tests.running import ROOT

ASKED = (
    "from stages.semantics import attributes, things, relations; from stages.negatives import meanings;"
    "print(attributes.classes('blue'), 'book' in things.listed(), relations.read('sit on').verb, 'man' in meanings.MALE,"
    " attributes.classes('red') != {})"
)


def test_every_word_is_held_out_once():
    held_out = Counter(name for fold in range(FOLDS) for name in drawn(fold))
    assert {*KINDS, *STUFF, "blue", "striped", "small", "wear", "left of"} <= held_out.keys()
    assert set(held_out.values()) == {1}


def test_words_within_words_are_others():
    found = pattern({"car": ("car",), "near": ("near", "next to")})
    assert all(map(found.search, ("car", "red car", "next to"))) and not any(map(found.search, ("carpet", "!car")))


def test_tables_lists_and_counts_of_ours_do_not_know_them(tmp_path):
    Blind(tmp_path, {"blue": ("blue",), "book": ("book",), "man": ("man",)})
    (tmp_path / ".nltk_data").symlink_to((ROOT / ".nltk_data").resolve())
    done = subprocess.run([sys.executable, "-c", ASKED], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["{}", "False", "sit", "False", "True"]
    foils = tmp_path / "stages" / "foils"
    assert "book" not in json.loads(gzip.decompress((foils / "counts.json.gz").read_bytes()))["said"]
    compounds = pq.read_table(foils.parent / "semantics/compounds.parquet")
    assert {"blue", "book"}.isdisjoint([*compounds["first"].to_pylist(), *compounds["second"].to_pylist()])
