"""The stages mine_negatives and train: each method on pairs as in the sample, from scratch, and on a user's, from a checkpoint."""

import hashlib
import json
import os
import shutil
import sys

import numpy as np
import open_clip
import pytest
import torch
from PIL import Image
from safetensors.torch import save_file

from stages import mine_negatives, train
from stages.contract import tables
from stages.contract.errors import InputError, ParameterError
from stages.models import codebook
from stages.models.load import load
from stages.pairs import images, texts
from stages.pairs.pairs import Pairs, Place
from stages.parameters import params
from stages.parameters.sections import Evaluate, Models, Train
from stages.training import agents
from tests.models import tiny_transformers
from tests.running import section, write_parameters
from tests.training import made


@pytest.fixture(autouse=True)
def as_it_was():
    """Restore deterministic algorithms and threads, which are settings of the whole process."""
    threads = torch.get_num_threads()
    yield
    torch.use_deterministic_algorithms(False)
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """Return a workspace with mined pairs in the sample's form, one of them without its image and one with a broken image."""
    folder = tmp_path_factory.mktemp("world")
    pairs = folder / "data/sample/train/pairs"
    pairs.mkdir(parents=True)
    names = [f"{a}-{b}" for a, b in made.PAIRS]
    images = [
        {"image_key": n, "jpeg": made.jpeg(made.COLOURS[a], made.COLOURS[b])} for n, (a, b) in zip(names, made.PAIRS, strict=True)
    ]
    tables.write(
        "training_images", pairs.parent / "images.parquet", [*images, {"image_key": "broken", "jpeg": images[0]["jpeg"][:50]}]
    )
    rows = [{"image_key": n, "caption": f"a {a} cup and a {b} plate"} for n, (a, b) in zip(names, made.PAIRS, strict=True)]
    rows += [{"image_key": key, "caption": "a cup"} for key in ("lost", "broken", names[0])]
    tables.write("training_pairs", pairs / "cc12m.parquet", rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        mine(patch, folder)
    return folder


@pytest.fixture
def folder(world, tmp_path, monkeypatch):
    """Return a copy of ``world`` for one test."""
    shutil.copytree(world, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


TINY = {
    "run.workers": 1,
    "train.threads": 1,
    "train.steps": 6,
    "train.batch": 4,
    "train.codebook.codes": 8,
    "train.codebook.width": 16,
}
TINY |= {"train.iterated.warm_up": 1, "train.iterated.distil": 1, "train.iterated.interact": 1, "train.iterated.last": 1}
MINED = "--texts texts.parquet --neighbours neighbours.parquet"


def call(monkeypatch, folder, stage, arguments, **changes):
    write_parameters(folder / "params.yaml", TINY | {f"train.{name}": value for name, value in changes.items()})
    monkeypatch.setattr(sys, "argv", [stage.__name__, *arguments.split()])
    stage.main()


def mine(monkeypatch, folder, **changes):
    call(monkeypatch, folder, mine_negatives, f"{MINED} --work mining --metrics mined.json", **changes)


def learn(monkeypatch, folder, **changes):
    call(monkeypatch, folder, train, f"{MINED} --out model --work training --metrics m.json", **changes)
    return folder / "model"


def loaded(folder):
    preset = {"family": "open_clip", "architecture": f"local-dir:{folder}", "trained_on": str(folder / "training.json")}
    return load("ours", Models.model_validate({"ours": preset}), section(Evaluate, precision="fp32", device="cpu"))


@pytest.mark.parametrize("method", ["clip", "negclip", "codebook", "iterated"])
def test_every_method_makes_a_model_that_loads(folder, monkeypatch, capsys, method):
    model = learn(monkeypatch, folder, method=method)
    about = json.loads((model / "training.json").read_text())
    assert (about["training_set"], about["method"], len(about["losses"])) == ("cc12m", method, 6)
    ledger = json.loads((folder / "m.json").read_text())
    assert ledger["dropped"] == {"no_image": 1, "unreadable_image": 1} and ledger["in"] == 11
    assert ledger["unreadable"] == ["broken"]
    assert f"6 steps of {method}" in (said := capsys.readouterr().out) and "% of it waiting" in said
    monkeypatch.chdir(folder.parent)  # a tokenizer with a relative path would not be found here
    found = loaded(model)
    picture = found.prepare(Image.new("RGB", (300, 100), (200, 20, 20)))
    features = found.encode_image([picture]), found.encode_text(["a red cup", "a zebra"])
    assert all(np.isfinite(f).all() and np.allclose(np.linalg.norm(f, axis=1), 1, atol=1e-4) for f in features)
    assert not (folder / "training").exists(), "work that is done is gone"


def test_words_that_no_caption_has_keep_their_embeddings(folder, monkeypatch):
    """During training the model holds embeddings only of the tokens that the texts use."""
    model = learn(monkeypatch, folder, method="clip")
    before = agents.drawn(model, 0).token_embedding.weight
    after = open_clip.create_model(f"local-dir:{model}").token_embedding.weight
    cup, zebra = (open_clip.tokenize([word])[0, 1] for word in ("cup", "zebra"))
    assert torch.equal(before[zebra], after[zebra]) and not torch.equal(before[cup], after[cup])


def test_same_weights_twice_and_other_ones_for_another_seed(folder, monkeypatch):
    digests = []
    for seed in (0, 0, 1):
        model = learn(monkeypatch, folder, seed=seed)
        digests.append(hashlib.sha256((model / "open_clip_model.safetensors").read_bytes()).hexdigest())
    assert digests[0] == digests[1] != digests[2]


def test_negatives_and_neighbours_are_mined(folder):
    rows = {row["caption"]: row["negatives"] for row in tables.read("text_negatives", folder / "texts.parquet")}
    assert {"part": "adjective", "caption": "a green cup and a red plate"} in rows["a red cup and a green plate"]
    assert rows["a cup"] == []
    near = {row["image_key"]: row["neighbours"] for row in tables.read("image_neighbours", folder / "neighbours.parquet")}
    assert len(near) == 8 and all(key not in of and len(of) == 3 for key, of in near.items())
    mined = json.loads((folder / "mined.json").read_text())
    assert mined["dropped"] == {"nothing_to_exchange": 1} and mined["unreadable_images"] == 1
    assert mined["negatives"]["adjective"] == 8


def test_a_killed_mining_goes_on(folder, monkeypatch):
    from stages.pairs import texts as mining_texts

    done = []
    exchange = mining_texts.exchange

    def counted(piece):
        if len(done) == 1:
            raise KeyboardInterrupt
        done.append(piece)
        return exchange(piece)

    arguments = f"{MINED} --work mining --metrics mined.json"
    monkeypatch.setitem(TINY, "mine_negatives.piece", 3)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(mining_texts, "exchange", counted)
        call(patch, folder, mine_negatives, arguments)
    again = []
    monkeypatch.setattr(mining_texts, "exchange", lambda piece: again.append(piece) or exchange(piece))
    call(monkeypatch, folder, mine_negatives, arguments)
    assert len(done) == 1 and len(again) == 2


def test_captions_with_nothing_to_exchange_are_left_out_as_in_the_paper(folder, monkeypatch):
    learn(monkeypatch, folder, without_negatives="drop")
    assert json.loads((folder / "m.json").read_text())["dropped"] == {
        "no_image": 1,
        "unreadable_image": 1,
        "nothing_to_exchange": 1,
    }


@pytest.mark.parametrize("method", ["clip", "negclip", "codebook", "iterated"])
def test_pairs_of_ones_own_from_a_checkpoint_on_disk(folder, monkeypatch, method):
    """A tiny checkpoint, picture files and a table of captions are used as the documentation describes for real data."""
    start = folder / "start"
    made.describe(start)
    save_file(agents.drawn(start, 0).state_dict(), start / "open_clip_model.safetensors")
    described = json.loads((start / "open_clip_config.json").read_text())
    (folder / "pictures").mkdir()
    lines = ["image\tcaption"]
    for a, b in made.PAIRS:
        (folder / "pictures" / f"{a}-{b}.png").write_bytes(made.jpeg(made.COLOURS[a], made.COLOURS[b], side=60))
        lines.append(f"{a}-{b}.png\ta {a} cup and a {b} plate")
    (folder / "pairs.tsv").write_text("\n".join(lines) + "\n")
    source = {"path": "pairs.tsv", "format": "tsv", "images": "pictures"}
    changes = {f"pairs.{key}": value for key, value in source.items()}
    model = {"family": "open_clip", "architecture": f"local-dir:{start}", "trained_on": "cc3m"}
    monkeypatch.setitem(TINY, "models.sample", model)
    mine(monkeypatch, folder, corpus="coco", **changes)
    found = learn(monkeypatch, folder, method=method, start="sample", corpus="coco", **changes)
    about = json.loads((found / "training.json").read_text())
    assert about["training_set"] == "coco"
    assert json.loads((found / "open_clip_config.json").read_text())["model_cfg"] == described["model_cfg"]
    assert loaded(found).encode_text(["a cup"]).shape == (1, 16)


def test_a_start_with_a_tokenizer_of_its_own_leaves_it_to_the_model(folder, monkeypatch):
    """The tokenizers of SigLIP and others are not part of open_clip, which looks for them next to the weights."""
    start = folder / "start"
    made.describe(start)
    described = json.loads((start / "open_clip_config.json").read_text())
    described["model_cfg"]["text_cfg"] |= {"hf_tokenizer_name": "theirs", "vocab_size": 32}
    (start / "open_clip_config.json").write_text(json.dumps(described))
    tiny_transformers.tokenizer(16).save_pretrained(start)
    save_file(agents.drawn(start, 0).state_dict(), start / "open_clip_model.safetensors")
    model = {"family": "open_clip", "architecture": f"local-dir:{start}", "trained_on": "cc3m"}
    monkeypatch.setitem(TINY, "models.sample", model)
    found = learn(monkeypatch, folder, method="iterated", start="sample")
    texts = ["a red dog", "the mat"]
    for trained in (found, found / "generations/000"):
        assert loaded(trained).tokens(texts) == loaded(start).tokens(texts) == [(2, 3, 7, 4, 31), (2, 10, 9, 31)]


def as_start(monkeypatch, folder):
    """Move the model in ``folder`` elsewhere and make it the start of the next training."""
    shutil.move(folder, folder.with_name("start"))
    start = {"family": "open_clip", "architecture": "local-dir:start", "trained_on": "cc3m"}
    monkeypatch.setitem(TINY, "models.sample", start)


def test_a_start_with_a_codebook_keeps_it(folder, monkeypatch):
    """Once only its towers were used and new codes were drawn, so training began worse than from scratch."""
    as_start(monkeypatch, learn(monkeypatch, folder, method="codebook"))
    learn(monkeypatch, folder, method="iterated", start="sample")
    kept = agents.make(params.load(Train), params.load(Models), folder / "model").codebook.state_dict()
    assert all(torch.equal(tensor, kept[name]) for name, tensor in codebook.read(folder / "start").state_dict().items())
    with pytest.raises(ParameterError, match=r"train\.start: sample has a codebook"):
        learn(monkeypatch, folder, method="negclip", start="sample")
    with pytest.raises(ParameterError, match=r"train\.codebook: is not that of sample.*codes: 8"):
        learn(monkeypatch, folder, method="codebook", start="sample", **{"codebook.codes": 9})


@pytest.mark.parametrize("table", ["texts", "neighbours"])
def test_tables_mined_of_other_pairs_are_refused(folder, monkeypatch, table):
    """Once this trained a NegCLIP without any negatives or neighbours, and nothing said so."""
    kind = {"texts": "text_negatives", "neighbours": "image_neighbours"}[table]
    path = folder / f"{table}.parquet"
    tables.write(kind, path, list(tables.read(kind, path))[1:])
    with pytest.raises(InputError, match=rf"{table}\.parquet: lacks .*run mine_negatives"):
        learn(monkeypatch, folder, method="negclip")


def test_a_killed_mining_does_nothing_twice(folder, monkeypatch):
    seen, exchanged, stack = [], [], np.stack
    exchange = texts.exchange
    monkeypatch.setattr(texts, "exchange", lambda piece: exchanged.append(piece) or exchange(piece))
    monkeypatch.setattr(images, "BATCH", 3)

    def killed(pictures, **options):
        if options:  # not of pictures
            return stack(pictures, **options)
        seen.append(len(pictures))
        if len(seen) == 2:
            raise KeyboardInterrupt
        return stack(pictures)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(images.np, "stack", killed)
        mine(patch, folder)
    before, mined = len(exchanged), (folder / "neighbours.parquet").read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(images.np, "stack", killed)
        mine(patch, folder)
    assert seen == [3, 3, 3, 2] and len(exchanged) == before > 0
    assert (folder / "neighbours.parquet").read_bytes() == mined and not (folder / "mining").exists()


def test_unknown_corpus_is_said(folder, monkeypatch):
    with pytest.raises(ParameterError, match=r"train\.corpus: there are no pairs of coco.*cc12m"):
        learn(monkeypatch, folder, corpus="coco")
    assert not (folder / "model").exists()


def test_unknown_architecture_is_said(folder, monkeypatch):
    with pytest.raises(ParameterError, match=r"train\.architecture: open_clip has no architecture ViT-B-33"):
        learn(monkeypatch, folder, architecture="ViT-B-33")


@pytest.mark.parametrize(
    "towers",
    [
        {"vision_cfg": {"image_size": 32, "layers": [1, 1, 1, 1], "width": 8}},
        {"text_cfg": made.TINY["text_cfg"] | {"no_causal_mask": True}},
    ],
)
def test_a_codebook_over_other_towers_is_refused(tmp_path, towers):
    """A convolutional tower has no patches, and words that attend in both directions attend to a batch's padding."""
    (tmp_path / "open_clip_config.json").write_text(json.dumps({"model_cfg": made.TINY | towers}))
    with pytest.raises(ParameterError, match=r"train\.method: a codebook needs a vision transformer"):
        agents.of_towers(agents.drawn(tmp_path, 0), made.settings(method="codebook"))


def test_captions_without_any_image_are_said(folder, monkeypatch):
    tables.write("training_images", folder / "data/sample/train/images.parquet", [{"image_key": "other", "jpeg": b""}])
    with pytest.raises(InputError, match="has no caption with an image"):
        learn(monkeypatch, folder)


def test_a_training_with_nothing_to_learn_from_is_said(folder, monkeypatch):
    rows = [row | {"negatives": []} for row in tables.read("text_negatives", folder / "texts.parquet")]
    tables.write("text_negatives", folder / "texts.parquet", rows)
    with pytest.raises(InputError, match=r"has no pair to learn from \(.*9 nothing_to_exchange"):
        learn(monkeypatch, folder, method="negclip", without_negatives="drop")
    images = [{"image_key": f"{a}-{b}", "jpeg": b"no picture"} for a, b in made.PAIRS]
    tables.write("training_images", folder / "data/sample/train/images.parquet", images)
    with pytest.raises(InputError, match=r"has no pair to learn from \(.*9 unreadable_image"):
        learn(monkeypatch, folder)


def test_a_killed_training_goes_on_only_with_what_it_began_with(tmp_path):
    """It does not resume with other negatives, neighbours or pictures, or from another start."""
    mined = [tmp_path / "texts", tmp_path / "neighbours"]
    for path in (*mined, tmp_path / "1.png"):
        path.write_text("a")

    def name(picture=b"", architecture="RN50", start="ours", **changes):
        presets = Models.model_validate({"ours": {"family": "open_clip", "architecture": architecture, "trained_on": "cc3m"}})
        return train.name_of(made.settings(start=start, **changes), presets, Pairs(["1"], [picture], [["a cup"]]), mined)

    names = [name(), name(b"other"), name(architecture="RN101"), name(start="none"), name(Place(tmp_path / "1.png"))]
    assert name() == name(memory=0.1) == name(checkpoint=9) == names[0], "what is speed only loses no checkpoint"
    assert name(batch=6) != names[0]
    os.utime(tmp_path / "1.png", ns=(0, 0))
    names.append(name(Place(tmp_path / "1.png")))
    for path in mined:
        path.write_text("b")
        names.append(name())
    (tmp_path / "start").mkdir()
    for weights in (b"one", b"other"):
        (tmp_path / "start" / "open_clip_model.safetensors").write_bytes(weights)
        names.append(name(architecture=f"local-dir:{tmp_path}/start"))
    assert len(set(names)) == len(names) == 10
