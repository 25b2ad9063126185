import base64
import io

import pytest
from PIL import Image

from stages.contract import tables
from stages.page.gallery import COLUMNS, entry, gallery, sample
from tests.page import made


@pytest.fixture(scope="module")
def ranks(tmp_path_factory):
    path = tmp_path_factory.mktemp("gallery") / "ranks.parquet"
    made.write_ranks(path, 300)
    return path


def test_the_sample_hangs_on_the_seed_and_the_ids_alone(ranks, tmp_path):
    shuffled = tmp_path / "ranks.parquet"
    tables.write("ranks", shuffled, list(tables.read("ranks", ranks))[::-1])
    ids = [(row["query_id"], row["set"]) for row in sample(ranks, 60, 1)]
    assert ids == [(row["query_id"], row["set"]) for row in sample(shuffled, 60, 1)]
    assert ids != [(row["query_id"], row["set"]) for row in sample(ranks, 60, 2)]
    assert len(ids) == len(set(ids)) == 60


def test_the_sample_takes_splits_and_complexities_in_turn(ranks):
    """There are twelve groups (three splits, nine complexities), and a sample of few queries must not leave one out."""
    rows = sample(ranks, 40, 1)
    assert {row["split"] for row in rows if row["suite"] == "sys"} == {"SC", "UC", "UA"}
    assert {row["n"] for row in rows if row["suite"] == "prod"} == set(range(4, 13))
    assert len(sample(ranks, 10_000, 1)) == 300


OWN_NAMES = (("winoground", "both"), ("colorswap", "all"))


def test_sets_that_join_others_are_left_out(tmp_path):
    rows = [made.ranks_row("prod", "atom", 1), made.ranks_row("prod", "atom", 1, set="all")]
    tables.write("ranks", tmp_path / "ranks.parquet", rows)
    # Sets of other suites called "both" or "all" do not combine others.
    rows += [made.ranks_row("sys", "atom", i) | {"suite": s, "set": of} for i, (s, of) in enumerate(OWN_NAMES)]
    tables.write("ranks", tmp_path / "ranks.parquet", rows)
    assert {(row["suite"], row["set"]) for row in sample(tmp_path / "ranks.parquet", 9, 1)} == {("prod", "atom"), *OWN_NAMES}


def test_further_suites_are_shown_with_their_own_images(tmp_path):
    """COCO's image 1 is not Visual Genome's, and neither is SugarCrepe++'s first image, which has a name instead of a number."""
    made.write_images(tmp_path / "vg", 2)
    (tmp_path / "coco").mkdir()
    Image.new("RGB", (90, 60), (250, 0, 0)).save(tmp_path / "coco" / "000000000001.jpg")
    whole = {"x": 0, "y": 0, "width": 2**31 - 1, "height": 2**31 - 1, "image_id": 1, "n": None, "split": None}
    rows = [made.ranks_row("prod", "atom", 0), made.ranks_row("prod", "neg", 0) | {"suite": "official_prod"}]
    further = made.ranks_row("sys", "atom", 0, **whole) | {"suite": "sugarcrepe"}
    coco = str(tmp_path / "coco" / "000000000001.jpg")
    rows += [further | {"set": name, "picture": coco} for name in ("swap_att", "add_obj")]
    Image.new("RGB", (90, 60), (0, 0, 250)).save(tmp_path / "coco" / "named.png")
    rows += [further | {"suite": "sugarcrepe_pp", "picture": str(tmp_path / "coco" / "named.png")}]
    tables.write("ranks", tmp_path / "ranks.parquet", rows)
    shown = gallery(tmp_path / "ranks.parquet", tmp_path / "vg", 9, 1, 64)
    found = [dict(zip(COLUMNS, row, strict=True)) for row in shown.rows]
    ours = next(row for row in found if row["suite"] == "Productivity")
    assert [row["type"] for row in found if row["suite"] == "SugarCrepe"] == ["add_obj", "swap_att"]
    assert {row["suite"] for row in found} == {"Productivity", "SugarCrepe", "SugarCrepe++", "Official release, productivity"}
    blue = next(row for row in found if row["suite"] == "SugarCrepe++")
    assert Image.open(io.BytesIO(base64.b64decode(shown.chunks[0][blue["crop"]]))).getpixel((30, 20))[2] > 240
    red = next(row for row in found if row["suite"] == "SugarCrepe")
    assert red["crop"] != ours["crop"] and not shown.without_picture
    picture = Image.open(io.BytesIO(base64.b64decode(shown.chunks[0][red["crop"]])))
    assert picture.size == (64, 43) and picture.getpixel((30, 20))[0] > 240 > 20 > picture.getpixel((30, 20))[1]


@pytest.mark.parametrize(
    ("scores", "answer", "rank"),
    [([3, 1, 2], "right", 1), ([2, 3, 1], "wrong", 2), ([2, 2, 1], "tie", 1.5), ([2, 2, 3], "wrong", 2.5)],
)
def test_an_answer_is_right_only_when_the_truth_is_alone_in_front(scores, answer, rank):
    row = made.ranks_row("sys", "atom", 1, scores=[float(score) for score in scores], negatives=["a", "b"])
    found = dict(zip(COLUMNS, entry(row, 0), strict=True))
    assert (found["answer"], found["rank"]) == (answer, rank)
    assert found["captions"][0] == row["truth"] and found["type"] == "HN-Atom" and found["suite"] == "Systematicity"


def test_scores_are_short_and_still_differ():
    """Rounding must not create ties that the model did not have."""
    close = [0.12345678, 0.12345679]
    row = made.ranks_row("sys", "atom", 1, scores=[*close, 0.1])
    assert len(set(entry(row, 0)[-1])) == 3 or close[0] == close[1]


def test_crops_come_in_chunks_in_the_order_of_their_first_use(ranks, tmp_path):
    made.write_images(tmp_path)
    shown = gallery(ranks, tmp_path, 200, 1, 64)
    used = [row[COLUMNS.index("crop")] for row in shown.rows]
    assert list(dict.fromkeys(used)) == list(range(sum(map(len, shown.chunks))))
    image = Image.open(io.BytesIO(base64.b64decode(shown.chunks[0][0])))
    assert image.format == "JPEG" and max(image.size) == 64
    assert shown.options("split") == ["SC", "UA", "UC"]


def test_a_query_whose_image_is_missing_comes_without_a_picture(ranks, tmp_path):
    made.write_images(tmp_path, 20)
    shown = gallery(ranks, tmp_path, 300, 1, 64)
    crops = [crop for chunk in shown.chunks for crop in chunk]
    assert len(shown.rows) == 300 and 0 < shown.without_picture == crops.count("") < len(crops)


def test_other_images_that_are_asked_about_are_named():
    row = made.ranks_row("sys", "atom", 1, truth="a girl sits", negatives=["a girl sits"], scores=[0.4, 0.3])
    captions = [entry(row | {"suite": suite}, 0)[COLUMNS.index("captions")][1] for suite in ("svo_probes", "official_prod")]
    assert captions == ["a girl sits (with another image)", "a girl sits"], "a release may repeat a caption as its negative"
