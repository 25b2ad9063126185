"""File names that come from data stay in the folder that is written."""

import sys
import tarfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from markupsafe import Markup

from stages.contract import tables
from stages.contract.errors import InputError
from stages.evaluation.sets import Query, RetrievalSet
from stages.images.crops import Crop, ImageFolder
from stages.page.drawings import Drawing
from stages.suites import export, hub, packed
from tests.models.made import write_images
from tests.suites.made import write_pipeline

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = ["../x", "a/b", "/x"]
INSIDE = ["CON", "", "a dog", "naïve"]


def by_set_name(write):
    def writing(folder, name, _):
        folder.mkdir(parents=True)
        write_images(folder / "images", [1])
        one = RetrievalSet("suite", name, Query("q", Crop(1, 0, 0, 8, 8)), "a dog", ("a cat",), ("object",))
        write(folder / "out", [([one], ImageFolder(folder / "images"))], 1)

    return writing


def exported(form, change):
    def writing(folder, name, monkeypatch):
        folder.mkdir(parents=True)
        write_pipeline(folder, [1])
        write_images(folder / "images", [1])
        for kind in ("atom", "comp"):
            rows = list(tables.read("queries", folder / f"{kind}.parquet"))
            for row in rows:
                change(row, name)
            tables.write("queries", folder / f"{kind}.parquet", rows)
        named = {key: folder / f"{key}.parquet" for key in ("atom", "comp", "regions")} | {"images": folder / "images"}
        options = [part for key, path in named.items() for part in (f"--{key}", str(path))]
        monkeypatch.chdir(ROOT)
        monkeypatch.setattr(sys, "argv", ["export", form, "--out", str(folder / "out"), *options])
        export.main()
        for shard in (folder / "out").glob("*.tar"):
            with tarfile.open(shard) as tar:
                assert not [member for member in tar.getnames() if "/" in member]

    return writing


def named_splits(row, name):
    row["splits"] = [split | {"training_set": name} for split in row["splits"][:1]]


def unpacked(folder, name, _):
    folder.mkdir(parents=True)
    pq.write_table(pa.table({name: [{"bytes": b"one"}]}), folder / "test.parquet")
    packed.unpack(folder)


WRITERS = {
    "suites/hub.py lists": by_set_name(hub.in_lists),
    "suites/hub.py columns": by_set_name(hub.in_columns),
    "suites/export.py official": exported("official", named_splits),
    "suites/export.py webdataset": exported("webdataset", lambda row, name: row.update(query_id=f"region-{name}")),
    "suites/packed.py": unpacked,
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("name", OUTSIDE)
def test_a_name_that_leads_elsewhere_is_refused(writer, name, tmp_path, monkeypatch):
    with pytest.raises(InputError, match="cannot be the name of a file"):
        WRITERS[writer](tmp_path / "a" / "b", name, monkeypatch)
    assert {path.name for path in tmp_path.iterdir()} == {"a"} and {path.name for path in (tmp_path / "a").iterdir()} == {"b"}
    assert not (tmp_path / "a" / "b" / "out").exists() and not (tmp_path / "a" / "b" / "x").exists()


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("name", INSIDE)
def test_other_names_stay_in_the_folder(writer, name, tmp_path, monkeypatch):
    WRITERS[writer](tmp_path / "a" / "b", name, monkeypatch)
    assert {path.name for path in tmp_path.iterdir()} == {"a"} and {path.name for path in (tmp_path / "a").iterdir()} == {"b"}
    written = tmp_path / "a" / "b" / ("images" if "packed" in writer else "out")
    assert [path for path in written.rglob("*") if path.is_file()]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_drawing_has_a_file_of_its_name(name):
    """``compare`` names its drawings after suites and sets."""
    assert Drawing("imagenet_a dog", "", Markup()).file == "imagenet_a dog.svg"
    with pytest.raises(InputError, match="cannot be the name of a file"):
        _ = Drawing(f"imagenet_{name}", "", Markup()).file
