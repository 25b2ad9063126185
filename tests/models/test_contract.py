import pytest

from stages.contract.errors import CrepeError
from stages.models.contract import check_tokens


def captions(confused: int, count: int = 2000) -> tuple[list[str], list[tuple[int, ...]]]:
    """Return ``count`` captions and their tokens; ``confused`` of them have the tokens of the first."""
    return [f"dog {i}" for i in range(count)], [(0,) if i <= confused else (i,) for i in range(count)]


def test_up_to_a_hundredth_of_the_captions_may_have_the_tokens_of_another():
    check_tokens(*captions(confused=20))
    with pytest.raises(CrepeError, match="'dog 0' and 'dog 1'"):
        check_tokens(*captions(confused=21))


def test_a_few_captions_that_are_confused_stop_no_small_batch():
    """Confusions that pass in a whole run also pass in the few captions that a resumed run has left."""
    check_tokens(*captions(confused=1, count=20))
    check_tokens(*captions(confused=5, count=20))
    with pytest.raises(CrepeError, match="'dog 0' and 'dog 1'"):
        check_tokens(*captions(confused=6, count=20))


def test_capitals_accents_and_signs_are_not_what_a_tokenizer_must_tell_apart():
    check_tokens(["A café.", "a cafe", "a CAFE!"], [(1,), (1,), (1,)])
