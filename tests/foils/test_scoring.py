"""What choosing asks for before it begins."""

import pytest

from stages.contract import tables
from stages.contract.errors import InputError
from stages.foils.scoring import Selector
from stages.parameters.sections import Foils
from tests.running import section


def test_no_captions_are_an_error(tmp_path):
    tables.write("training_graphs", tmp_path / "a" / "graphs.parquet", [])
    with pytest.raises(InputError, match="no captions"):
        Selector(section(Foils), [tmp_path / "a"], 4)
