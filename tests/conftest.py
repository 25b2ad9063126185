"""The order in which files of tests are shared out among the processes, and what tests of several rooms ask for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

LONGEST = ("test_end_to_end.py", "test_faults.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files come first, so that no process has one before it when the others have ended."""
    items.sort(key=lambda item: (*LONGEST, item.path.name).index(item.path.name))


@pytest.fixture
def one_thread() -> Iterator[None]:
    """As `evaluate.threads` has it: several threads share out a product by its shape, and the last bit hangs on that."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
