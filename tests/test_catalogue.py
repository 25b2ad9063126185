"""Bad input has the result that the catalogue states, case by case."""

from pathlib import Path

import pytest

from stages.contract.errors import CrepeError
from tests.bad_input.form import VG, Becomes, Case, Dropped, Reader, Stops
from tests.catalogue import PAGE, READERS, page

CASES = [pytest.param(reader, case, id=f"{reader.name}: {case.what}") for reader in READERS for case in reader.cases]


@pytest.mark.parametrize(("reader", "case"), CASES)
def test_bad_input_gets_what_the_catalogue_says(reader: Reader, case: Case, tmp_path: Path) -> None:
    if not isinstance(case.gets, Stops):
        assert reader.meet(case.given, tmp_path) == case.gets
        return
    with pytest.raises(CrepeError) as stopped:
        reader.meet(case.given, tmp_path)
    message = str(stopped.value)
    assert case.gets.says in message and reader.names in message
    assert "Remedy: " in message
    assert "\n" not in message


def test_every_kind_of_input_has_its_cases_and_none_comes_twice() -> None:
    assert sum(len(reader.cases) for reader in READERS) >= 60
    for reader in READERS:
        whats = [case.what for case in reader.cases]
        assert len(whats) == len(set(whats)), reader.name
    gets = [case.gets for reader in READERS for case in reader.cases]
    assert {type(each) for each in gets} >= {Dropped, Becomes, Stops}
    assert sum(case.seen == VG for reader in READERS for case in reader.cases) > 15


def test_the_page_is_the_table() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.catalogue"
