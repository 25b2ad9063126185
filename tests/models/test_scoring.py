"""Tests of what is cached, what is encoded again, and what stops the run."""

import hashlib
import io

import numpy as np
import pytest
from PIL import Image

from stages.contract.errors import CrepeError, InputError
from stages.evaluation.sets import Layout, Query, RetrievalSet
from stages.images.crops import Crop, ImageFolder
from stages.models import features
from stages.models.contract import Model
from stages.models.encoding import Recipe, encode_elsewhere, encode_piece, pieces
from stages.models.load import load
from stages.models.scoring import Scorer
from stages.parameters.sections import Evaluate, Models
from tests.models.made import Evil, tiny_clip, write_images
from tests.running import section

SETTINGS = section(Evaluate, device="cpu", precision="fp32", threads=1, batch=4, text_batch_tokens=64)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("world")
    write_images(folder / "images", [1, 2, 3])
    presets = section(Models, tiny={"family": "open_clip", "architecture": f"local-dir:{tiny_clip(folder / 'model')}"})
    return folder, presets, load("tiny", presets, SETTINGS)


def sets(images=(1, 2, 3), truth="a dog", suite="sys"):
    queries = [Query(f"q{i}", Crop(i, 0, 0, 30 + i, 20)) for i in images]
    return [RetrievalSet(suite, "atom", query, truth, ("a cat", "two dogs"), ("", "")) for query in queries]


def scorer(world, kept, asked=None, **more):
    folder, _, model = world
    return Scorer(model, Layout.of(asked or sets()), ImageFolder(folder / "images"), kept, **more)


def test_scores_are_those_of_the_model_on_the_crop(world, tmp_path):
    folder, _, model = world
    scores = scorer(world, tmp_path).scores().reshape(3, 3)
    for i, row in enumerate(scores, start=1):
        crop = Image.open(folder / "images" / ("VG_100K" if i % 2 else "VG_100K_2") / f"{i}.jpg").crop((0, 0, 30 + i, 20))
        assert np.allclose(row, model.score([model.prepare(crop)] * 3, ["a dog", "a cat", "two dogs"]), atol=1e-6)


def test_what_is_kept_is_not_encoded_again_and_what_is_new_is(world, tmp_path, monkeypatch):
    before = scorer(world, tmp_path).scores()
    model, encoded = world[2], []
    encode_text = model.encode_text
    monkeypatch.setattr(model, "encode_image", None)
    monkeypatch.setattr(model, "encode_text", lambda texts: encoded.extend(texts) or encode_text(texts))
    assert np.array_equal(scorer(world, tmp_path).scores(), before) and not encoded
    scorer(world, tmp_path, sets(truth="a zebra"))
    assert encoded == ["a zebra"]


@pytest.mark.parametrize("kind", ["crops", "texts"])
@pytest.mark.parametrize(
    "harm",
    [
        lambda data: data[:-3] + bytes([data[-3] ^ 1]) + data[-2:],
        lambda data: data[:30] + bytes([data[30] ^ 4]) + data[31:],
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: data + b"more",
    ],
    ids=["a bit of a feature", "a bit of the head", "cut off", "empty", "longer"],
)
def test_damaged_features_are_found_and_made_anew(world, tmp_path, capsys, kind, harm):
    before = scorer(world, tmp_path).scores()
    shard = next(tmp_path.rglob(f"{kind}/*.npy"))
    shard.write_bytes(harm(shard.read_bytes()))
    assert np.array_equal(scorer(world, tmp_path).scores(), before)
    assert "damaged" in capsys.readouterr().err
    assert [path.name for path in tmp_path.rglob(f"{kind}/*.npy")] == [shard.name]


def test_arrays_of_others_stay_where_they_are(world, tmp_path, capsys):
    before = scorer(world, tmp_path).scores()
    mine = next(tmp_path.rglob("crops/*.npy")).with_name("mine.npy")
    np.save(mine, np.zeros(3))
    kept = mine.read_bytes()
    assert np.array_equal(scorer(world, tmp_path).scores(), before)
    assert mine.read_bytes() == kept and "damaged" not in capsys.readouterr().err


@pytest.mark.parametrize("what", ["another width", "a pickle"])
def test_a_whole_shard_that_is_not_the_models_is_told_and_nothing_of_it_is_run(world, tmp_path, capsys, what):
    scorer(world, tmp_path)
    buffer = io.BytesIO()
    strange = np.zeros(3, features.record(4)) if what == "another width" else np.array([Evil()], dtype=object)
    np.save(buffer, strange, allow_pickle=True)
    folder = next(tmp_path.rglob("crops"))
    (folder / f"{hashlib.sha256(buffer.getvalue()).hexdigest()}.npy").write_bytes(buffer.getvalue())
    with pytest.raises(InputError, match=r"\.npy: holds no features of this model.*move it to another place"):
        scorer(world, tmp_path)
    assert "never" not in capsys.readouterr().out


def test_another_picture_under_the_same_name_is_another_crop(world, tmp_path):
    folder = tmp_path / "images"
    write_images(folder, [1, 2, 3])
    first = Scorer(world[2], Layout.of(sets()), ImageFolder(folder), tmp_path).scores()
    (folder / "VG_100K_2" / "2.jpg").write_bytes((folder / "VG_100K" / "3.jpg").read_bytes())
    second = Scorer(world[2], Layout.of(sets()), ImageFolder(folder), tmp_path).scores()
    assert np.array_equal(first[:3], second[:3]) and not np.array_equal(first[3:6], second[3:6])


def test_a_killed_run_goes_on_and_ends_with_the_same_scores(world, tmp_path, monkeypatch):
    undisturbed = scorer(world, tmp_path / "one").scores()
    monkeypatch.setattr("stages.models.encoding.CROPS", 1)
    model, calls = world[2], []
    encode_image = model.encode_image

    def dies(images):
        calls.append(len(images))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return encode_image(images)

    monkeypatch.setattr(model, "encode_image", dies)
    with pytest.raises(KeyboardInterrupt):
        scorer(world, tmp_path / "two")
    assert np.array_equal(scorer(world, tmp_path / "two").scores(), undisturbed)
    assert len(calls) == 4, "the two crops that were written were not encoded again"
    assert not list(tmp_path.rglob(".*.partial"))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_features_that_are_not_numbers_stop_the_run_with_the_images_name(world, tmp_path, monkeypatch, bad):
    model = world[2]
    monkeypatch.setattr(model, "name", "broken", raising=False)
    monkeypatch.setattr(model, "encode_image", lambda images: np.full((len(images), model.width), bad, np.float32))
    with pytest.raises(CrepeError, match=r"^broken: what it gives to image 1, box \(0, 0, 31, 20\) is not a finite number"):
        scorer(world, tmp_path)


@pytest.mark.parametrize("bad", [np.nan, -np.inf])
def test_pairs_whose_scores_are_not_numbers_stop_the_run(world, tmp_path, monkeypatch, bad):
    """A chat model in half precision may give such scores."""
    monkeypatch.setattr(Matching, "score", lambda self, images, texts: np.full(len(images), bad, np.float32))
    with pytest.raises(CrepeError, match=r"^the model: what it gives to image 1, box .* is not a finite number"):
        scorer((world[0], world[1], Matching()), tmp_path).scores()


def test_workers_change_nothing(world, tmp_path):
    assert np.array_equal(scorer(world, tmp_path / "1").scores(), scorer(world, tmp_path / "4", workers=4).scores())


class Matching(Model):
    """A minimal cross-encoder, which scores the crop's brightness times the caption's length."""

    identity = "matching"
    context = 6

    def prepare(self, image):
        return np.asarray(image).mean()

    def score(self, images, texts):
        self.asked = getattr(self, "asked", 0) + len(texts)
        return np.array([image * len(text) for image, text in zip(images, texts, strict=True)], dtype=np.float32)

    def tokens(self, texts):
        return [tuple(text.encode()) for text in texts]


def test_a_cross_encoder_sees_pairs_and_its_scores_are_kept(world, tmp_path):
    model = Matching()
    first = Scorer(model, Layout.of(sets()), ImageFolder(world[0] / "images"), tmp_path)
    scores = first.scores().reshape(3, 3)
    assert np.allclose(scores[:, 1] / scores[:, 0], 1) and np.allclose(scores[:, 2] / scores[:, 0], 8 / 5)
    assert first.truncated == 1, "one caption of three is longer, whatever crops it is asked with"
    again = Scorer(model, Layout.of(sets()), ImageFolder(world[0] / "images"), tmp_path).scores()
    assert np.array_equal(again.reshape(3, 3), scores) and model.asked == 9


def test_pieces_make_the_same_shards_wherever_they_are_made(world, tmp_path):
    folder, _, model = world
    layout = Layout.of(sets())

    def encode(missing):
        assert len(missing.crops) == 3 and len(missing.texts) == 3
        assert sum(encode_piece(piece, model) for piece in pieces(missing)) == 6

    there = Scorer(model, layout, ImageFolder(folder / "images"), tmp_path / "there", encode=encode)
    here = scorer(world, tmp_path / "here")
    assert np.array_equal(there.scores(), here.scores())
    assert sorted(p.name for p in (tmp_path / "there").rglob("*.npy")) == sorted(p.name for p in (tmp_path / "here").rglob("*.npy"))


def test_pieces_find_images_by_their_names(world, tmp_path):
    """The first image is not the file "1.jpg", though there is one."""
    folder, _, model = world
    names = {1: "VG_100K/3.jpg", 2: "VG_100K_2/2.jpg", 3: "VG_100K/1.jpg"}
    images = ImageFolder(folder / "images", names)

    def encode(missing):
        assert sum(encode_piece(piece, model) for piece in pieces(missing)) == 6

    there, here = (Scorer(model, Layout.of(sets()), images, tmp_path / name, encode=e) for name, e in (("t", encode), ("h", None)))
    assert np.array_equal(there.scores(), here.scores())


@pytest.mark.heavy
def test_a_ray_cluster_gives_the_same_features(world, tmp_path):
    pytest.importorskip("ray")
    folder, presets, model = world
    recipe = Recipe.of("tiny", presets, SETTINGS)

    def encode(missing):
        encode_elsewhere(recipe, model, 2, missing)
        model.encode_image = None  # type: ignore[method-assign]

    try:
        there = Scorer(model, Layout.of(sets()), ImageFolder(folder / "images"), tmp_path / "ray", encode=encode).scores()
    finally:
        vars(model).pop("encode_image", None)
    assert np.array_equal(there, scorer(world, tmp_path / "here").scores())


def test_missing_images_are_told_before_anything_is_encoded(world, tmp_path, monkeypatch):
    monkeypatch.setattr(world[2], "encode_text", None)
    with pytest.raises(InputError, match=r"1 of the 2 images .* 9\.jpg"):
        scorer(world, tmp_path, sets(images=(1, 9)))
