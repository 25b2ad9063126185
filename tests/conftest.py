"""The order in which files of tests are shared out among the processes, and what tests of several packages use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from stages.parsing.parser import Parser
    from tests.stage_runs import Undisturbed

# Tests run in two processes, whose threads would wait for each other's processors. Numpy asks when it is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Processes start often, and each would compile everything again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# The first example of a test may load WordNet, or open a database.
settings.register_profile("no deadline", deadline=None, max_examples=40)
settings.load_profile("no deadline")
LONGEST = ("test_end_to_end.py", "test_faults.py", "test_experiments.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files come first, so that no process has one before it when the others have ended."""
    items.sort(key=lambda item: (*LONGEST, item.path.name).index(item.path.name))


@pytest.fixture(scope="session")
def undisturbed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """The pipeline on a tiny sample, run once for all processes of tests; nobody writes into its folder.

    It is whole where heavy tests are to run, and else ends with what the others need.
    """
    from tests.stage_runs import LATE, Undisturbed

    folder = tmp_path_factory.getbasetemp()
    heavy = any(item.get_closest_marker("heavy") for item in request.session.items)
    shared = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    return Undisturbed.once(shared / "undisturbed", () if heavy else LATE)


@pytest.fixture(scope="session")
def parser() -> Parser:
    """The project's own, which takes seconds to load."""
    from stages.parameters.sections import Language
    from stages.parsing.parser import Parser
    from tests.running import section

    return Parser(section(Language))


@pytest.fixture
def one_thread() -> Iterator[None]:
    """As `evaluate.threads` has it: several threads share out a product by its shape, and the last bit hangs on that."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
