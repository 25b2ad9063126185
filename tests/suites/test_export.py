"""Others can read what is written for them, and so can we."""

import ast
import csv
import io
import json
import sys
import tarfile

import datasets
import pytest
from PIL import Image

from stages.contract import tables
from stages.contract.errors import InputError, ParameterError
from stages.images.crops import ImageFolder
from stages.parameters.sections import Evaluate
from stages.suites import crepe, export, official
from stages.suites.catalogue import further
from tests.models.made import write_images
from tests.running import section
from tests.suites.made import write_pipeline


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    write_pipeline(folder, [1, 2, 3])
    write_images(folder / "images", [1, 2, 3])
    return folder


def call(made, monkeypatch, form, out, **more):
    paths = {"out": out, "atom": "atom.parquet", "comp": "comp.parquet", "prod": "prod.parquet", "images": "images"}
    paths |= {"regions": "regions.parquet"} | more | ({"order-images": "images"} if "order" in more else {})
    monkeypatch.chdir(made)
    monkeypatch.setattr(sys, "argv", ["export", form, *(part for k, v in paths.items() if v for part in (f"--{k}", str(v)))])
    export.main()
    return made / out


def cleared(sets):
    return [s for s in sets if s.protocol == "cleared"]


def key(s):
    return s.name, s.query.crop, s.truth, s.negatives


def test_the_official_layout_is_read_back_whole(made, monkeypatch):
    out = call(made, monkeypatch, "official", "official")
    ours = cleared(crepe.productivity(made / "prod.parquet"))
    again = [s for s in official.sets(out) if s.suite == "official_prod"]
    assert sorted(map(key, again)) == sorted(map(key, ours))
    systematic = cleared(crepe.systematicity(made / "atom.parquet", made / "comp.parquet"))
    again = [s for s in official.sets(out) if s.suite == "official_sys"]
    assert len(again) == 2 * len(systematic), "once for each training set"
    assert {key(s) for s in again} == {key(s) for s in systematic}
    of_query = {(s.query.crop, s.truth): {name: split.name for name, split in s.query.splits.items()} for s in systematic}
    for s in again:
        ((training_set, split),) = s.query.splits.items()
        assert of_query[s.query.crop, s.truth][training_set] == split.name


def test_a_truth_that_denies_an_atom_keeps_its_complexity(made, monkeypatch):
    rows = list(tables.read("queries", made / "prod.parquet"))
    for row in rows:
        if row["type"] == "HN-Neg":
            row |= {"objects": row["objects"][:1], "attributes": [], "relations": []}
    tables.write("queries", made / "denied.parquet", rows)
    out = call(made, monkeypatch, "official", "denied", prod="denied.parquet")
    again = [s for s in official.sets(out) if s.suite == "official_prod"]
    asked = cleared(crepe.productivity(made / "denied.parquet"))
    assert sorted((*key(s), s.query.n) for s in again) == sorted((*key(s), s.query.n) for s in asked)


def test_the_official_script_can_read_it(made, monkeypatch):
    """It takes columns by name and ``ast.literal_eval``s the negatives; boxes are floats, as pandas writes them."""
    path = call(made, monkeypatch, "official", "script") / "swap" / "prod_vg_hard_negs_swap_complexity_4.csv"
    text = path.read_text()
    assert (
        text.splitlines()[0]
        == "image_id,caption,n,n_objects,n_relations,n_attributes,n_connected_components,hard_negs,x,y,width,height"
    )
    row = next(csv.DictReader(io.StringIO(text)))
    assert len(ast.literal_eval(row["hard_negs"])) == 5 and row["width"] == "40.0"
    assert row["n"] == "4", "as its file is named"
    assert row["n_connected_components"] == "1"


def test_truths_of_one_type_stand_in_folders_of_their_own(made, monkeypatch):
    """The script would count a row with another type's truth, or without negatives, as right."""
    rows = list(tables.read("queries", made / "comp.parquet"))
    for row in rows:
        row["truth"] += " and a mat"
    tables.write("queries", made / "comp2.parquet", rows)
    out = call(made, monkeypatch, "official", "apart", comp="comp2.parquet")
    assert not list(out.glob("syst*.csv"))
    for folder, name in (("atom", "atom"), ("comp", "comp")):
        found = list(official.sets(out / folder))
        assert {s.name for s in found if s.suite == "official_sys"} == {name}
        assert all(s.truth.endswith("and a mat") == (name == "comp") for s in found if s.suite == "official_sys")


def test_training_batches_hold_every_negative_once(made, monkeypatch):
    rows = list(read_training(call(made, monkeypatch, "webdataset", "batches")))
    assert len(rows) == 18
    assert {len(row["negatives"]) for row in rows} == {10, 15}
    walk = next(row for row in rows if row["query_id"].startswith("walk"))
    assert walk["types"] == ["atom"] * 5 + ["neg"] * 5 + ["swap"] * 5
    assert Image.open(io.BytesIO(walk["image"])).size == (40, 30)


def test_sugarcrepe_style_json_with_its_crops(made, monkeypatch):
    out = call(made, monkeypatch, "sugarcrepe", "sugar")
    assert {path.stem for path in out.glob("*.json")} == {"sys_atom", "sys_comp", "prod_atom", "prod_swap", "prod_neg"}
    entries = json.loads((out / "sys_atom.json").read_text())
    assert len(entries) == 9 * 4 and set(entries["0"]) == {"filename", "caption", "negative_caption"}
    assert all(Image.open(out / "images" / entry["filename"]).size == (40, 30) for entry in entries.values())


def test_text_is_exported_without_pictures(made, monkeypatch):
    """SugarCrepe's JSON names pictures; a user who only audits the captions has none."""
    out = call(made, monkeypatch, "sugarcrepe", "text", images=None)
    assert not (out / "images").exists() and len(json.loads((out / "prod_swap.json").read_text())) == 9 * 5


def test_the_papers_sets_are_exported_where_they_are_asked_for(made, monkeypatch):
    for form in ("sugarcrepe", "official"):
        out = call(made, monkeypatch, form, f"{form}-paper", protocol="paper", images=None)
        files = [path.read_text() for path in out.rglob("*") if path.is_file()]
        assert files and all(" now" in text for text in files), "the papers' negatives end so in these tables"
        cleared_out = call(made, monkeypatch, form, f"{form}-cleared", images=None)
        assert not any(" now" in path.read_text() for path in cleared_out.rglob("*") if path.is_file())


@pytest.mark.parametrize("form", ["sugarcrepe", "official", "huggingface"])
def test_what_another_export_left_is_not_asked(made, monkeypatch, form):
    """It is not deleted, as it may be somebody's work, and not left next to the new files, where the suite would ask it."""
    out = call(made, monkeypatch, form, f"{form}-again")
    before = sorted(out.rglob("*"))
    assert sorted(call(made, monkeypatch, form, out).rglob("*")) == before
    with pytest.raises(InputError, match="again"):
        call(made, monkeypatch, form, out, prod=None)
    assert sorted(out.rglob("*")) == before


def test_a_webdataset_of_the_same_bytes_every_time(made, monkeypatch):
    monkeypatch.setattr(export, "IN_A_SHARD", 7)
    one = call(made, monkeypatch, "webdataset", "wds1")
    other = call(made, monkeypatch, "webdataset", "wds2", workers=3)
    shards = sorted(path.name for path in one.iterdir())
    assert shards == ["00000.tar", "00001.tar", "00002.tar"]
    assert all((one / name).read_bytes() == (other / name).read_bytes() for name in shards)
    with tarfile.open(one / "00000.tar") as tar:
        names = tar.getnames()
        assert [name.split(".")[1] for name in names[:3]] == ["png", "txt", "json"] and len(names) == 21
        assert len({name.split(".")[0] for name in names}) == 7
        assert set(json.load(tar.extractfile(names[2]))) == {"negatives", "types"}


@pytest.mark.parametrize(
    ("form", "named", "said"),
    [
        ("official", {"regions": None}, "needs --regions"),
        ("sugarcrepe", {"atom": None}, "--atom and --comp"),
        ("webdataset", {"aro": "aro.parquet"}, "cannot hold --aro"),
    ],
)
def test_what_a_format_needs_is_asked_for(made, monkeypatch, capsys, form, named, said):
    with pytest.raises(SystemExit):
        call(made, monkeypatch, form, "nothing", **named)
    assert said in capsys.readouterr().err and not (made / "nothing").exists()


@pytest.mark.parametrize("form", export.FORMATS)
@pytest.mark.parametrize("share", [0, 1])
def test_tables_without_a_set_of_the_protocol_are_no_empty_export(made, monkeypatch, capsys, form, share):
    """The export once succeeded with "0 rows", and its data set had a card."""
    rows = [row for row in tables.read("queries", made / "prod.parquet") if row["protocol"] == "paper"]
    tables.write("queries", made / "paper.parquet", rows[: share * len(rows)])
    with pytest.raises(InputError, match=r"paper\.parquet: has no set of the protocol cleared\. Remedy: name the other --protocol"):
        call(made, monkeypatch, form, f"empty-{form}", atom=None, comp=None, prod="paper.parquet")
    assert not (made / f"empty-{form}").exists()
    call(made, monkeypatch, form, f"some-{form}-{share}", prod="paper.parquet")
    assert "note: paper.parquet has no set of the protocol cleared" in capsys.readouterr().out


@pytest.mark.parametrize("form", ["huggingface", "columns"])
def test_a_folder_that_datasets_cannot_read_is_refused(made, monkeypatch, form):
    with pytest.raises(InputError, match="takes for a pattern"):
        call(made, monkeypatch, form, "sets [1]")


def test_odd_captions_and_sets_of_several_sizes_are_read_by_datasets(made, monkeypatch, tmp_path):
    said = ['a "quoted", <b>dog</b>', "a\ndog | b", "un chien « é » 🐕", "=1+1", "  \t "]
    rows = [
        row for row in tables.read("queries", made / "prod.parquet") if row["type"] == "HN-Swap" and row["protocol"] == "cleared"
    ]
    some = enumerate(zip(rows[: len(said)], said, strict=True))
    rows = [row | {"truth": truth, "negatives": row["negatives"][: 4 + i % 2]} for i, (row, truth) in some]
    tables.write("queries", made / "odd.parquet", rows)
    captions = set()
    for form, names in (("huggingface", ["prod_swap"]), ("columns", ["prod_swap", "prod_swap_of_6"])):
        out = call(made, monkeypatch, form, f"odd é {form}", atom=None, comp=None, prod="odd.parquet")
        for name in names:
            for row in datasets.load_dataset(str(out), name, split="test", cache_dir=str(tmp_path)):
                captions.add((form, row["captions"][row["label"]] if form == "huggingface" else row["caption"]))
                assert row["image"].size == (40, 30)
    assert captions == {(form, truth) for form in ("huggingface", "columns") for truth in said}
    (shard,) = call(made, monkeypatch, "webdataset", "odd é tars", atom=None, comp=None, prod="odd.parquet").iterdir()
    read = datasets.load_dataset("webdataset", data_files={"train": str(shard)}, split="train", cache_dir=str(tmp_path))
    assert {row["txt"] for row in read} == set(said) and {len(row["json"]["negatives"]) for row in read} == {4, 5}


@pytest.mark.parametrize(("option", "table"), [("prod", "atom"), ("prod", "aro"), ("comp", "prod"), ("order", "aro")])
def test_a_table_of_other_queries_is_refused(made, monkeypatch, option, table):
    """Systematicity's queries were once written as ``prod_vg_hard_negs_atom_complexity_2.csv``."""
    if not (made / "aro.parquet").exists():
        row = next(tables.read("queries", made / "atom.parquet"))
        tables.write("queries", made / "aro.parquet", [row | {"query_id": "aro-relation-1", "type": "VG-Relation"}])
    form = "huggingface" if option == "order" else "official"
    with pytest.raises(InputError, match=f"{table}.parquet: has .* which --{option} does not take"):
        call(made, monkeypatch, form, "refused", **{option: f"{table}.parquet"})
    assert not (made / "refused").exists()


def test_orders_name_the_folder_of_their_own_images(made, monkeypatch, capsys):
    """Otherwise, their numbers were looked up in Visual Genome, and a user's own photograph was named by a digest."""
    monkeypatch.setattr(sys, "argv", ["export", "columns", "--out=out", f"--images={made}", "--order=order.parquet"])
    with pytest.raises(SystemExit):
        export.main()
    assert "--order needs --order-images, the folder of gen_order.images_in" in capsys.readouterr().err


def test_a_set_is_not_called_as_the_release_calls_another(made, monkeypatch):
    """Queries of "laion" and of "laion400m" once shared a file, and read again they were both seen and unseen."""
    rows = list(tables.read("queries", made / "atom.parquet"))
    for row in rows:
        row["splits"] = [label | {"training_set": "laion"} for label in row["splits"]]
    tables.write("queries", made / "laion.parquet", rows)
    with pytest.raises(ParameterError, match=r"training_sets\.laion: is what the release calls laion400m"):
        call(made, monkeypatch, "official", "laion", atom="laion.parquet")


def test_what_is_written_as_sugarcrepe_is_asked_as_sugarcrepe(made, monkeypatch):
    """The suite, as ``evaluate.suites`` names it, has every negative once, and exactly the pixels of its crop."""
    out = call(made, monkeypatch, "sugarcrepe", "sugar2")
    settings = section(Evaluate, suites_folder=str(out), suites={"sugarcrepe": {"folder": str(out), "images": str(out / "images")}})
    ((again, pictures),) = further(settings, None, made / "images")
    ours = [*crepe.productivity(made / "prod.parquet"), *crepe.systematicity(made / "atom.parquet", made / "comp.parquet")]
    ours = [s for s in cleared(ours) if s.name not in export.TOGETHER]
    assert sorted((s.name, s.truth, *s.negatives) for s in again) == sorted(
        (f"{s.suite}_{s.name}", s.truth, text) for s in ours for text in s.negatives
    )
    pixels = dict(pictures.crops((s.query.crop for s in again), lambda image: (image.size, image.tobytes())))
    there = dict(ImageFolder(made / "images").crops((s.query.crop for s in ours), lambda image: (image.size, image.tobytes())))
    assert set(pixels.values()) == set(there.values())


def read_training(path):
    """Yield the rows of ``export.training_rows`` from the folder of tar files to which they were written."""
    for shard in sorted(path.glob("*.tar")):
        with tarfile.open(shard) as tar:
            parts = {member.name: tar.extractfile(member).read() for member in tar}
        for name in (name for name in parts if name.endswith(".txt")):
            key = name.removesuffix(".txt")
            about = json.loads(parts[f"{key}.json"])
            yield {"query_id": key.split("-", 1)[1], "image": parts[f"{key}.png"], "caption": parts[name].decode(), **about}
