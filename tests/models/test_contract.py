import pytest

from stages.contract.errors import CrepeError
from stages.models.contract import check_tokens


def captions(confused: int) -> tuple[list[str], list[tuple[int, ...]]]:
    """A hundred captions, of which so many have the tokens of the first."""
    return [f"dog {i}" for i in range(100)], [(0,) if i <= confused else (i,) for i in range(100)]


def test_up_to_a_hundredth_of_the_captions_may_have_the_tokens_of_another():
    check_tokens(*captions(confused=1))
    with pytest.raises(CrepeError, match="'dog 0' and 'dog 1'"):
        check_tokens(*captions(confused=2))


def test_capitals_accents_and_signs_are_not_what_a_tokenizer_must_tell_apart():
    check_tokens(["A café.", "a cafe", "a CAFE!"], [(1,), (1,), (1,)])
