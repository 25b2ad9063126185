"""What each of the changes for speed in :mod:`stages.english` buys: ``python -m tests.benchmarks.speed CAPTIONS.txt``.

Parses the captions (a line each) in a process of its own with all of them, and then without each. The last line is JSON: seconds of
the processor for the whole process, with all and without each.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys

PATCHES = {
    "each_word_once": "speed._is_hash_embedding = lambda model: False",
    "freeze": "speed.freeze = lambda: None",
    "without_torch": "pipeline.without = lambda *packages: contextlib.nullcontext()",
}
PARSE = """
import contextlib, sys
from stages.english import pipeline, speed
from stages.parameters.sections import Language
from stages.parsing import shards
{off}
captions = open(sys.argv[1], encoding="utf-8").read().splitlines()
language = Language(pipeline="bundled", parser="rules", conventions="names", parser_options={{}})
for start in range(0, len(captions), 5000):
    some = captions[start : start + 5000]
    shards.parse_shard(shards.Parsing(some, [1] * len(some), language, 1.0))
"""


def seconds(off: str, path: str) -> float:
    """Processor seconds of parsing the file with the statement ``off`` done before."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", PARSE.format(off=off), path], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1)


if __name__ == "__main__":
    print(json.dumps({name: seconds(off, sys.argv[1]) for name, off in {"all": "", **PATCHES}.items()}))
