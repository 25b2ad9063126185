"""Tables in text files: what a faulty row says."""

import pytest

from stages.world.kinds import KINDS, STUFF
from stages.world.lexicon import ALSO, ARGUABLE, NAMES, PLURALS, SAME, SENSES
from stages.world.tables import table


@pytest.mark.parametrize("row", ["guy", "man:", ": guy", "man: guy,, fellow", "man,: guy"])
def test_a_row_with_a_gap_is_refused_with_its_words(row):
    with pytest.raises(ValueError, match=f"not of the form 'head, head: item, item': '{row}'"):
        table(f"woman: lady\n{row}")


def test_words_belong_to_kinds_that_are_there():
    """A mistyped kind would leave its words without effect."""
    for words in (NAMES, SAME, ARGUABLE, ALSO, SENSES):
        assert set(words) <= {*KINDS, *STUFF}
    assert set(PLURALS) <= {name for names in NAMES.values() for name in names}
