"""Distribute test files among processes, and define fixtures that tests of several packages share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from stages.parsing.parser import Parser
    from tests.stage_runs import Undisturbed

# Tests run in two processes, whose threads would compete for processors. NumPy reads this when it is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Processes start often, and without cached bytecode each would compile everything again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# The first example of a test may load WordNet, or open a database.
settings.register_profile("no deadline", deadline=None, max_examples=40)
settings.load_profile("no deadline")
LONGEST = ("test_end_to_end.py", "test_faults.py", "test_experiments.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the longest files first, so that no process is left with one when the others have finished."""
    items.sort(key=lambda item: (*LONGEST, item.path.name).index(item.path.name))


@pytest.fixture(scope="session")
def undisturbed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """Return the pipeline that ran once on a tiny sample for all test processes; no test may write into its folder.

    All stages run if heavy tests are selected, otherwise only those that the other tests need.
    """
    from tests.stage_runs import LATE, Undisturbed

    folder = tmp_path_factory.getbasetemp()
    heavy = any(item.get_closest_marker("heavy") for item in request.session.items)
    shared = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    return Undisturbed.once(shared / "undisturbed", () if heavy else LATE)


@pytest.fixture(scope="session")
def parser() -> Parser:
    """Return the project's own parser, which takes seconds to load."""
    from stages.parameters.sections import Language
    from stages.parsing.parser import Parser
    from tests.running import section

    return Parser(section(Language))


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Run on one thread, as `evaluate.threads` does: how several split a product depends on its shape and changes the last bit."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
