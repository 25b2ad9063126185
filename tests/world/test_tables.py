"""Tests of tables in files: their words match."""

from stages.world.kinds import FAMILIES, KINDS, LIKELY, STUFF, THEMES
from stages.world.lexicon import ALSO, ARGUABLE, NAMES, SAME, SENSES
from stages.world.sprites import COLOURS


def test_words_belong_to_kinds_that_are_there():
    """A mistyped kind would make its words ineffective."""
    for words in (NAMES, SAME, ARGUABLE, ALSO, SENSES):
        assert set(words) <= {*KINDS, *STUFF}
    assert set(LIKELY) | set().union(*FAMILIES) <= set(KINDS)
    assert {*LIKELY.values(), *(colour for colours in STUFF.values() for colour in colours)} <= set(COLOURS)


def test_every_kind_is_met_somewhere():
    """A kind in no theme is never drawn or named; clothes come with people."""
    met = set()
    for theme in THEMES.values():
        met |= {*theme.people, *theme.animals, *theme.large, *theme.small, *theme.floating}
        assert {theme.backdrop, theme.ground} <= {*STUFF, "table"}
    assert {made.name for made in KINDS.values() if made.group != "clothes"} <= met <= set(KINDS)
