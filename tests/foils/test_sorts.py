"""What is said to be a part of what."""

import pytest

from stages.foils.sorts import part_and_whole


@pytest.mark.parametrize("triple", [("wing", "of", "plane"), ("plane", "with", "wing"), ("wing", "on", "plane")])
def test_a_part_is_a_part_however_it_is_said(triple):
    assert part_and_whole(*triple) == [("wing", "plane")]
