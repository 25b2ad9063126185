"""Pictures unpacked from Parquet files stay in the given folder, whatever names the files give them."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stages.contract.errors import InputError
from stages.contract.files import component
from stages.suites import packed


@pytest.mark.parametrize("column", ["../../kept.png", "/kept.png", "a/b", "a\\b", "a\nb", "x" * 300])
def test_a_column_that_leads_elsewhere_is_refused(tmp_path, column):
    (folder := tmp_path / "a" / "suite").mkdir(parents=True)
    (kept := tmp_path / "kept.png").write_bytes(b"mine")
    pq.write_table(pa.table({column: [{"bytes": b"theirs"}]}), folder / "test.parquet")
    with pytest.raises(InputError, match="cannot be the name of a file"):
        packed.unpack(folder)
    assert kept.read_bytes() == b"mine"
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["kept.png", "test.parquet"]


def test_pictures_are_written_as_they_are(tmp_path):
    pq.write_table(pa.table({"image_0": [{"bytes": b"one"}, {"bytes": b"two"}]}), tmp_path / "test.parquet")
    assert packed.unpack(tmp_path) == 2
    assert (tmp_path / "images" / "test-1-image_0").read_bytes() == b"two"


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_no_name_is_a_folder(name):
    with pytest.raises(InputError, match="cannot be the name"):
        component("a.json", name)
