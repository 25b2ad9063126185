"""Training: a folder that open_clip loads from anywhere, the same bytes every time, and the loss goes down."""

import hashlib
import io
import json
import sys

import numpy as np
import open_clip
import pytest
import torch
from PIL import Image

from stages.contract import tables
from stages.contract.errors import InputError, ParameterError
from stages.contract.ledger import Ledger
from stages.contract.param_schema import Train
from stages.train import exchanges, main, read_pairs
from stages.training.contrastive import CONFIG, CONTEXT, Pairs, train
from tests.running import section, write_parameters

COLOURS = {"red": (220, 30, 30), "green": (30, 160, 60), "blue": (40, 60, 220), "white": (250, 250, 250)}
SETTINGS = {"seed": 0, "threads": 1, "steps": 4, "batch": 4, "learning_rate": 2e-3, "weight_decay": 0.05, "logit_scale": 14.0}


@pytest.fixture(autouse=True)
def as_it_was():
    """Deterministic algorithms and threads are settings of the whole process."""
    threads = torch.get_num_threads()
    yield
    torch.use_deterministic_algorithms(False)
    torch.set_num_threads(threads)


def jpeg(colour):
    buffer = io.BytesIO()
    Image.new("RGB", (56, 56), colour).save(buffer, "JPEG")
    return buffer.getvalue()


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "sample" / "train"
    (folder / "pairs").mkdir(parents=True)
    tables.write("training_images", folder / "images.parquet", [{"image_key": n, "jpeg": jpeg(c)} for n, c in COLOURS.items()])
    pairs = [{"image_key": name, "caption": f"a {name} cup on a table"} for name in [*COLOURS, "lost"]]
    tables.write("training_pairs", folder / "pairs" / "cc12m.parquet", pairs)
    return folder


def read(corpus, ledger=None):
    return read_pairs(corpus / "images.parquet", corpus / "pairs" / "cc12m.parquet", ledger or Ledger("pairs"))


def test_captions_without_an_image_are_counted(corpus):
    ledger = Ledger("pairs")
    pairs = read(corpus, ledger)
    assert pairs.images.shape == (4, 3, 56, 56) and pairs.images.dtype == torch.uint8
    assert (ledger.rows_in, ledger.kept, dict(ledger.dropped)) == (5, 4, {"no_image": 1})


def test_same_weights_twice_and_other_ones_for_another_seed(corpus, tmp_path):
    digests = []
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        train(read(corpus), tmp_path / name, section(Train, **SETTINGS | {"seed": seed}))
        digests.append(hashlib.sha256((tmp_path / name / "open_clip_model.safetensors").read_bytes()).hexdigest())
    assert digests[0] == digests[1] != digests[2]


def test_loss_goes_down_and_the_model_knows_the_colours(corpus, tmp_path):
    losses = train(read(corpus), tmp_path / "model", section(Train, **SETTINGS | {"steps": 40}))
    assert losses["last_loss"] < 0.5 * losses["first_loss"]


def test_loads_from_another_folder(corpus, tmp_path, monkeypatch):
    """A tokenizer that is found by a relative path would be lost here."""
    train(read(corpus), tmp_path / "model", section(Train, **SETTINGS))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    name = f"local-dir:{tmp_path / 'model'}"
    model, _, preprocess = open_clip.create_model_and_transforms(name)
    tokens = open_clip.get_tokenizer(name)(["a red cup on a table"])
    assert tokens.shape == (1, CONTEXT)
    model.eval()
    with torch.inference_mode():
        features = model.encode_image(preprocess(Image.new("RGB", (300, 100)))[None]), model.encode_text(tokens)
    assert all(f.shape == (1, CONFIG["model_cfg"]["embed_dim"]) and np.isfinite(f.numpy()).all() for f in features)


def test_swap_negatives_are_of_the_caption_and_stand_in_the_batch(corpus, tmp_path):
    captions = [["a red cup on a blue table"], ["a dog next to a cat"], ["a cup"]]
    swapped = exchanges(captions, 0)
    assert swapped[0][0] in ("a blue cup on a red table", "a red table on a blue cup")
    # "a cat next to a dog" says the same, and one thing has nothing to be exchanged with.
    assert swapped[1:] == [[None], [None]]
    pairs = Pairs(read(corpus).images[:3], captions, swapped)
    train(pairs, tmp_path / "model", section(Train, **SETTINGS | {"batch": 3}))
    assert (tmp_path / "model" / "open_clip_model.safetensors").is_file()


def call(there, folder, monkeypatch, **changes):
    """Run the stage in ``folder`` with the project's own parameters, changed."""
    write_parameters(folder / "params.yaml", {f"train.{name}": value for name, value in changes.items()})
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["train", *f"--sample {there.parent} --out model --metrics m.json".split()])
    main()


def test_unknown_corpus_is_said(corpus, tmp_path, monkeypatch):
    with pytest.raises(ParameterError, match=r"train\.corpus: there are no pairs of coco.*cc12m"):
        call(corpus, tmp_path, monkeypatch, corpus="coco")
    assert not (tmp_path / "model").exists()


def test_stage_says_what_the_model_has_seen(corpus, tmp_path, monkeypatch, capsys):
    call(corpus, tmp_path, monkeypatch, steps=2, batch=4, threads=1, swap_negatives=False)
    assert json.loads((tmp_path / "model" / "training.json").read_text()) == {"training_set": "cc12m"}
    assert "train:" in capsys.readouterr().out
    ledger = json.loads((tmp_path / "m.json").read_text())
    assert ledger["dropped"] == {"no_image": 1} and ledger["in"] == ledger["kept"] + 1


def test_captions_without_any_image_are_said(corpus, tmp_path):
    tables.write("training_images", corpus / "images.parquet", [{"image_key": "other", "jpeg": jpeg((0, 0, 0))}])
    with pytest.raises(InputError, match="no caption has an image"):
        read(corpus)
