"""The table of things: its words, and what stands for a noun that it does not have."""

import pytest

from stages.language.lexicon import words
from stages.semantics import things
from stages.wording.word_classes import is_person

KINDS = words(
    """
    person group animal bird toy plant food drink body hair clothing worn vehicle part building room furniture door window way
    ground water sky cover sheet text mark cord tool device lamp container dish substance none vague
    top wall inside under seat ridden opens fills switch folds hangs held wheels flies tall tied grows lined typed picture
    """
)
MATERIALS = words("wood metal glass plastic cloth leather stone brick paper rubber ceramic wicker")


def test_the_table_has_the_words_that_its_columns_may_have_and_is_in_order() -> None:
    nouns = [line.split("\t")[0] for line in things.FILE.read_text(encoding="utf-8").splitlines()]
    assert nouns == sorted(set(nouns))
    for noun, thing in things.listed().items():
        assert thing.kinds <= KINDS and thing.materials <= MATERIALS and thing.home <= thing.where <= things.ANYWHERE, noun
        assert thing.where and (thing.size is None or 1 <= thing.size <= 9), noun
        assert noun not in thing.also, noun


@pytest.mark.parametrize(
    ("noun", "like"),
    [("wooden kitchen table", "kitchen table"), ("dachshund", "dog"), ("businessperson", "person"), ("kitchen chair", "chair")],
)
def test_a_noun_without_a_row_is_like_its_last_word_or_its_kind(noun: str, like: str) -> None:
    assert noun not in things.listed()
    assert things.of(noun).kinds >= things.of(like).kinds & {"furniture", "animal", "person"}  # type: ignore[union-attr]


def test_an_idea_has_no_row() -> None:
    assert things.of("quxification") is None


def test_persons_are_persons() -> None:
    odd = [
        noun
        for noun, thing in things.listed().items()
        if is_person(noun) and thing.kinds.isdisjoint(("person", "none", "toy", "group"))
    ]
    assert len(odd) < 20, odd
