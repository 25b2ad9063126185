"""Measure what each optimisation saves (:mod:`stages.contract.patches`, ``models/blocks.py``, and a YAML parser in
``requirements.txt``): ``python -m tests.benchmarks.patches CAPTIONS.txt SCENE_GRAPHS.parquet``.

Each is disabled in a separate process that parses the captions (one per line), walks the scene graphs as ``walk_subgraphs`` does,
encodes images with a tower's layers, or runs ``dvc status``. The last line is JSON: the processor seconds of each task with all
optimisations, and without each.
"""

import json
import resource
import subprocess
import sys

PARSE = """
import contextlib, sys
from stages.contract import patches
from stages.parsing import pipeline
{off}
from stages.parameters.sections import Language
from stages.parsing import shards
captions = open(sys.argv[1], encoding="utf-8").read().splitlines()
language = Language(pipeline="bundled", parser="rules", conventions="names", parser_options={{}})
for start in range(0, len(captions), 5000):
    some = captions[start : start + 5000]
    shards.parse_shard(shards.Parsing(some, [1] * len(some), language, 1.0))
"""
WALK = """
import sys, tempfile
{off}
from stages import walk_subgraphs
with tempfile.TemporaryDirectory() as folder:
    sys.argv[1:] = ["--scene-graphs", sys.argv[2], "--out", folder + "/walks.parquet", "--metrics", folder + "/walks.json"]
    walk_subgraphs.main()
"""
ENCODE = """
import torch
from open_clip.transformer import ResidualAttentionBlock
from stages.models import blocks
{off}
torch.set_num_threads(1)
block, crops = blocks.Block(ResidualAttentionBlock(768, 12).eval()), torch.randn(64, 50, 768)
with torch.inference_mode():
    for _ in range(40):
        block(crops)
"""
STATUS = """
import sys
{off}
from dvc.cli import main
main(["status", "--quiet"])
"""
WORK = {
    "parse": (
        PARSE,
        {
            "freeze": "patches.freeze = lambda: None",
            "without_torch": "pipeline.without = lambda *packages: contextlib.nullcontext()",
        },
    ),
    "walk": (
        WALK,
        {
            "lemminflect_without_spacy": "import lemminflect",
            "inflect_unchecked": "import inflect",
            "nltk_without_scipy": "import nltk; from nltk.corpus.reader.wordnet import WordNetCorpusReader",
        },
    ),
    "encode": (ENCODE, {"onednn": "torch.backends.mkldnn.is_available = lambda: False"}),
    "status": (STATUS, {"ruamel_yaml_clib": "sys.modules['_ruamel_yaml'] = None"}),
}


def seconds(code: str) -> float:
    """Return the processor seconds of a process that runs ``code``."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code, *sys.argv[1:]], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1)


if __name__ == "__main__":
    figures = {
        work: {name: seconds(code.format(off=off)) for name, off in {"all": "", **patches}.items()}
        for work, (code, patches) in WORK.items()
    }
    print(json.dumps(figures))
