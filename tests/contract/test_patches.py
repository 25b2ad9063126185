"""Stages import packages without the parts that they can do without."""

import subprocess
import sys

import pytest

from stages.contract.patches import without

FORMS = """
import sys
from stages.text.inflection import plural
from stages.text.wordnet import wordnet
assert plural("shelf") == "shelves" and wordnet().synsets("dog")
print(*sorted({"spacy", "torch", "scipy", "sklearn"} & sys.modules.keys()))
import scipy
"""


def test_what_is_absent_inside_can_be_imported_afterwards():
    sys.modules.pop("this", None)
    with without("this"), pytest.raises(ModuleNotFoundError, match="this"):
        import this  # noqa: F401
    assert "this" not in sys.modules


def test_what_is_imported_already_stays():
    with without("json"):
        import json
    assert json.loads("1") == 1


def test_words_need_no_more_than_they_use():
    """``test_lexnames.py`` checks that the bundled pipeline does not need torch."""
    done = subprocess.run([sys.executable, "-c", FORMS], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "\n"), done.stderr
