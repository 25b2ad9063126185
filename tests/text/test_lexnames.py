"""Tests of nouns' lexicographer files from the table, compared with WordNet's own."""

import subprocess
import sys

from stages.parsing.caption_words import caption_words
from stages.text import lexnames
from stages.text.wordnet import wordnet

PARSE = """
import sys
from stages.parameters.sections import Language
from stages.parsing.shards import Parsing, parse_shard
language = Language(pipeline="bundled", parser="rules", conventions="names", parser_options={})
parse_shard(Parsing(["a man in a red hat sits on a wooden bench near a stop sign"], [1], language, 1.0))
sys.exit(" ".join({"nltk", "torch"} & sys.modules.keys()))
"""


def test_every_caption_word_has_wordnets_lexname():
    for word in caption_words():
        senses = wordnet().synsets(word, "n")
        assert lexnames.lexname(word) == (senses[0].lexname().removeprefix("noun.") if senses else lexnames.NONE), word


def test_a_worker_parses_without_wordnet_and_torch():
    """They take seconds to load, in every worker."""
    assert subprocess.run([sys.executable, "-c", PARSE], capture_output=True, text=True).stderr == "\n"
