"""The order in which files of tests are shared out among the processes."""

from __future__ import annotations

import pytest

LONGEST = ("test_end_to_end.py", "test_faults.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files come first, so that no process has one before it when the others have ended."""
    items.sort(key=lambda item: (*LONGEST, item.path.name).index(item.path.name))
