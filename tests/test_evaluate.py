"""The stage ``evaluate`` as DVC calls it, on small tables, a few pictures and a tiny model."""

import contextlib
import io
import json
import multiprocessing
import random
import shutil
import sys
import time
from collections import Counter
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np
import open_clip
import pytest
import torch
from PIL import Image

from stages import evaluate as stage
from stages.contract import tables
from stages.contract.errors import InputError, ParameterError
from stages.evaluation import raw as raw_sets
from stages.models import encoding
from stages.models.openclip import OpenClip
from stages.shortcuts.neural import RecurrentModel
from tests.models import tiny_chat
from tests.models.made import tiny_clip, write_images
from tests.running import parameters, write_all_parameters
from tests.suites.made import TRAINING_SETS, empty, write_pipeline

IMAGES = list(range(1, 13))
ALONE = dict.fromkeys(("regions", "atom", "comp", "splits", "captions", "prod"))
"""None of the pipeline's own tables, so that only suites are evaluated."""
RELEASE: dict[str, Any] = {"suites": {"official": {"folder": "release"}}, "suites_folder": "release"}
KILLS = 5
ENOUGH = 100
"""Training steps that suffice here for the language model that selection never used."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    write_pipeline(folder, IMAGES, dropped="2")
    write_images(folder / "images", IMAGES)
    tiny_clip(folder / "model")
    (folder / "model" / "training.json").write_text('{"training_set": "cc12m"}')
    (folder / "release" / "atom").mkdir(parents=True)
    head = "image_id,caption,n,n_objects,n_relations,n_attributes,n_connected_components,hard_negs,x,y,width,height\n"
    negatives = {i: [f"a {colour} dog on mat {i}" for colour in ("blue", "pink", "grey", "old", "new")] for i in IMAGES}
    rows = [f'{i},a red dog on mat {i},4,2,1,1,1,"{negatives[i]}",1.0,2.0,40.0,30.0\n' for i in IMAGES]
    (folder / "release" / "atom" / "prod_vg_hard_negs_atom_complexity_4.csv").write_text(head + "".join(rows))
    return folder


class Ran(NamedTuple):
    """What a run wrote and printed, with the rows of the pipeline's own tables apart from those of the official release."""

    metrics: dict[str, Any]
    own: list[dict[str, Any]]
    released: list[dict[str, Any]]
    out: str


@pytest.fixture(scope="module")
def plain(made):
    """Run the stage on all its tables and the official release, with raw sets of few queries; its outputs are in ``plain``."""
    with pytest.MonkeyPatch.context() as patched, contextlib.redirect_stdout(io.StringIO()) as out:
        patched.setattr(raw_sets, "FEW", 4)
        patched.setattr(RecurrentModel.__init__, "__defaults__", (ENOUGH,))
        metrics, rows = call(made, patched, "plain", **RELEASE)
    released = [row for row in rows if row["suite"] == "official_prod"]
    return Ran(metrics, [row for row in rows if row not in released], released, out.getvalue())


@pytest.fixture(autouse=True)
def few_steps(monkeypatch):
    """Train the language model that selection never used only briefly, except in ``plain`` and what is compared with it."""
    monkeypatch.setattr(RecurrentModel.__init__, "__defaults__", (9,))


def call(made, monkeypatch, out="out", paths=None, **changes):
    """Run the stage in ``made`` with the project's own parameters, changed; return its metrics and its table."""
    prepare(made, monkeypatch, out, paths, **changes)
    stage.main()
    return json.loads((made / out / "metrics.json").read_text()), list(tables.read("ranks", made / out / "ranks.parquet"))


def prepare(made, monkeypatch, out="out", paths=None, **changes):
    """Prepare everything that the stage reads when it is called."""
    params = deepcopy(parameters())
    params["models"]["sample"] |= {"architecture": f"local-dir:{made}/model", "trained_on": f"{made}/model/training.json"}
    params["training_sets"] = {name: {"path": "captions.txt", "format": "txt"} for name in TRAINING_SETS}
    params["models"] |= changes.pop("models", {})
    params["evaluate"] |= {"threads": 1, "text_batch_tokens": 128, **changes}
    monkeypatch.chdir(made)
    write_all_parameters(made / "params.yaml", params)
    given = {"images": "images", "regions": "regions.parquet", "atom": "atom.parquet", "comp": "comp.parquet", "splits": "splits"}
    given |= {"captions": "captions.parquet", "prod": "prod.parquet", "training-captions": "parse_train", "features": "features"}
    given |= {"ranks": f"{out}/ranks.parquet", "metrics": f"{out}/metrics.json"} | (paths or {})
    argv = [part for name, path in given.items() if path for part in (f"--{name}", path)]
    monkeypatch.setattr(sys, "argv", ["evaluate", *argv])


def test_every_protocol_suite_set_and_group_has_figures(plain):
    metrics, rows = plain.metrics, plain.own
    assert metrics["model"] == {"name": "sample", "family": "open_clip", "trained_on": "cc12m"}
    kept = {"paper": 36, "cleared": 24, "paper_on_cleared": 24}
    for protocol, queries in kept.items():
        own = metrics[protocol]
        assert set(own["sys"]) == {"atom", "comp", "both"} and set(own["prod"]) == {"atom", "swap", "neg", "all"}
        assert {"all", "SC", "UC", "UA", "gap", "shortcuts", "bag", "kinds", "id", "detects"} <= set(own["sys"]["atom"])
        assert {"all", "n04", "n05", "slope"} <= set(own["prod"]["swap"])
        for suite, sizes in (("sys", {"atom": 5, "comp": 7, "both": 11}), ("prod", {"atom": 6, "swap": 6, "neg": 6, "all": 16})):
            for name, size in sizes.items():
                figures = own[suite][name]["all"]
                assert figures["n"] == queries and figures["images"] == 12
                assert figures["r1_chance"] == pytest.approx(100 / size, abs=1e-3)
    for suite, kind in (("sys", "attribute"), ("prod", "object")):
        of_set = metrics["cleared"][suite]["atom"]
        asked = of_set["asked"]["kind"]
        assert {name: of["n"] for name, of in asked.items() if of["n"]} == {kind: 24}
        assert asked[kind]["r1"] == of_set["all"]["r1"] and asked[kind]["shortcut_r1"] == of_set["all"]["shortcut_r1"]
        assert asked[kind]["scorer"] == of_set["shortcuts"]["best"]
    assert len(rows) == (36 + 24) * 7 and Counter(row["protocol"] for row in rows) == {"paper": 36 * 7, "cleared": 24 * 7}
    assert metrics["drawn"] == {"images": False, "order": False}
    assert "paper.prod.all" in plain.out and "cleared.prod.all" in plain.out


def test_the_papers_sets_are_asked_on_the_queries_that_cleared_kept_too(plain):
    """Otherwise the two protocols would differ in queries as well as in negatives."""
    metrics, rows = plain.metrics, plain.own
    kept = {row["query_id"] for row in rows if row["protocol"] == "cleared" and row["set"] == "swap"}
    right = [row["rank"] == 1 for row in rows if row["protocol"] == "paper" and row["set"] == "swap" and row["query_id"] in kept]
    assert metrics["paper_on_cleared"]["prod"]["swap"]["all"]["r1"] == pytest.approx(100 * np.mean(right), abs=1e-3)
    assert len({metrics[key]["prod"]["swap"]["id"] for key in ("paper", "cleared", "paper_on_cleared")}) == 3


def test_a_text_only_scorer_that_selection_never_used_is_asked(plain):
    """The negatives of ``paper`` all end with "now", unlike every caption that it learned from."""
    metrics, rows = plain.metrics, plain.own
    of_set = metrics["paper"]["sys"]["atom"]
    assert of_set["shortcuts"]["held_out"] == "neural" and of_set["shortcuts"]["best"] != "neural"
    assert of_set["all"]["held_out_r1"] == of_set["shortcuts"]["neural"] > 80
    assert set(of_set["shortcuts"]["gain_held_out"]) >= {"d", "low", "high"}
    assert {"neural", "trained", "ngram"} <= {of["scorer"] for of in rows[0]["shortcuts"]}


def test_figures_follow_from_the_table(plain):
    """Every metric can be recomputed from the table."""
    metrics, rows = plain.metrics, plain.own
    for split in ("SC", "UC", "UA"):
        ranks = [row["rank"] for row in rows if (row["protocol"], row["set"], row["split"]) == ("cleared", "comp", split)]
        assert metrics["cleared"]["sys"]["comp"][split]["n"] == len(ranks)
        assert metrics["cleared"]["sys"]["comp"][split]["rank_mean"] == pytest.approx(np.mean(ranks), abs=1e-4)
    for row in rows:
        truth, *others = row["scores"]
        assert row["rank"] == 1 + sum(s > truth for s in others) + sum(s == truth for s in others) / 2


def test_raw_sets_have_folds_of_one_size(plain):
    metrics = plain.metrics
    raw = metrics["raw"]["sys"]
    sizes = {split: metrics["paper"]["sys"]["atom"][split]["n"] for split in ("SC", "UC", "UA")}
    assert {of["n"] for of in raw.values()} == {min(sizes.values())}
    assert {split: of["folds"] for split, of in raw.items()} == {s: n // min(sizes.values()) for s, n in sizes.items()}
    assert all(0 <= of[way]["r1"] <= 100 for of in raw.values() for way in ("i2t", "t2i"))


def test_a_second_run_encodes_nothing_and_gives_the_same(made, plain, monkeypatch):
    monkeypatch.setattr("stages.models.openclip.OpenClip.encode_image", None)
    assert call(made, monkeypatch, "second", strata=3, **RELEASE)[1][: len(plain.own)] == plain.own
    assert (made / "plain" / "ranks.parquet").read_bytes() == (made / "second" / "ranks.parquet").read_bytes()


def test_killed_often_and_hardly_anything_encoded_twice(made, plain, tmp_path, monkeypatch):
    """SIGKILL reaches no handler; shards are small and encoding is slow, so that kills fall during encoding."""
    monkeypatch.setattr(raw_sets, "FEW", 4)
    monkeypatch.setattr(RecurrentModel.__init__, "__defaults__", (ENOUGH,))
    monkeypatch.setattr(encoding, "CROPS", 4)
    monkeypatch.setattr(encoding, "TEXTS", 40)
    log, kept = tmp_path / "log", tmp_path / "features"
    for name in ("encode_image", "encode_text"):
        monkeypatch.setattr(OpenClip, name, slowly(getattr(OpenClip, name), log, name))
    prepare(made, monkeypatch, "killed", {"features": str(kept)}, **RELEASE)
    fork, draw = multiprocessing.get_context("fork"), random.Random(0)
    for _ in range(KILLS):
        before = len(list(kept.rglob("*.npy")))
        process = fork.Process(target=stage.main)
        process.start()
        while process.is_alive() and len(list(kept.rglob("*.npy"))) == before and draw.random() > 0.02:
            time.sleep(0.01)
        time.sleep(draw.random() * 0.05)
        process.kill()
        process.join()
    stage.main()
    for name in ("ranks.parquet", "metrics.json"):
        assert (made / "killed" / name).read_bytes() == (made / "plain" / name).read_bytes()
    # A kill before the lock is written leaves an empty folder, which nobody knows to be a killed run's.
    assert not list(tmp_path.rglob(".*.partial/*.npy"))
    encoded = Counter()
    for line in log.read_text().splitlines():
        encoded[line.split()[0]] += int(line.split()[1])
    crops, texts = (sum(len(np.load(path)) for path in kept.rglob(f"{kind}/*.npy")) for kind in ("crops", "texts"))
    # A kill loses at most one shard; each load of the model encodes one caption to find the width of its features.
    assert crops <= encoded["encode_image"] <= crops + KILLS * 4
    assert texts <= encoded["encode_text"] <= texts + KILLS * 40 + KILLS + 1


def slowly(encode, log, name):
    def encoding(self, things):
        with log.open("a") as file:
            file.write(f"{name} {len(things)}\n")
        time.sleep(0.02)
        return encode(self, things)

    return encoding


def test_a_model_of_another_training_set_is_refused_unless_asked_for_by_name(made, monkeypatch):
    (made / "model" / "training.json").write_text('{"training_set": "cc3m"}')
    with pytest.raises(ParameterError, match="trained on cc3m"):
        call(made, monkeypatch)
    assert call(made, monkeypatch, training_set="laion400m")[0]["judged_by"] == "laion400m"
    metrics, _ = call(made, monkeypatch, training_set="none")
    assert "sys" not in metrics["cleared"] and "prod" in metrics["cleared"]
    (made / "model" / "training.json").write_text('{"training_set": "cc12m"}')


def test_missing_images_end_with_how_many_and_where(made, monkeypatch):
    place = made / "images" / "VG_100K" / "3.jpg"
    place.rename(made / "3.jpg")
    with pytest.raises(InputError, match=r"images: 1 of the 12 images .* 3\.jpg.*visual_genome\.images"):
        call(made, monkeypatch, "nothing")
    assert not (made / "nothing").exists()
    (made / "3.jpg").rename(place)


def test_unknown_models_are_named(made, monkeypatch):
    with pytest.raises(ParameterError, match="write cyclip"):
        call(made, monkeypatch, model="clap")


def test_the_official_release_ranks_as_a_plain_loop_ranks_it(made, plain):
    """A loop over rows with batches of one, padded texts and an argsort gives the same ranks where nothing ties."""
    metrics, table = plain.metrics, plain.released
    assert metrics["official_prod"]["atom"]["n04"]["n"] == len(IMAGES) and "sys" in metrics["paper"]
    model, _, transform = open_clip.create_model_and_transforms(f"local-dir:{made}/model")
    tokenizer = open_clip.get_tokenizer(f"local-dir:{made}/model")
    ranked = {row["image_id"]: row for row in table}
    for i in IMAGES:
        folder = made / "images" / ("VG_100K" if i % 2 else "VG_100K_2")
        crop = Image.open(folder / f"{i}.jpg").convert("RGB").crop((1, 2, 41, 32))
        texts = [ranked[i]["truth"], *ranked[i]["negatives"]]
        with torch.inference_mode():
            features = model.eval().encode_image(transform(crop)[None], normalize=True)
            order = torch.argsort((features @ model.encode_text(tokenizer(texts), normalize=True).T)[0], descending=True)
        assert ranked[i]["rank"] == 1 + int((order == 0).nonzero())


def test_the_official_release_alone_needs_no_tables(made, monkeypatch):
    metrics, table = call(made, monkeypatch, paths=ALONE, **RELEASE)
    assert {row["suite"] for row in table} == {"official_prod"} and "raw" not in metrics and "paper" not in metrics


def test_text_to_text_is_as_a_plain_loop_has_it(made, monkeypatch):
    """SugarCrepe++ has ``text_to_text`` in the figures of whole cases, next to what the images prefer."""
    captions = [
        ("a red dog on a mat", "a red dog on the mat", "two cars at night under some big trees"),
        ("two cats", "a cat and another cat that looks at it", "two cars"),
        ("a cup", "a mug", "a cup"),
    ]
    keys = ("filename", "caption", "caption2", "negative_caption")
    picture = next((made / "images" / "VG_100K").iterdir()).name
    (made / "plus").mkdir()
    entries = [dict(zip(keys, (picture, *three), strict=True)) for three in captions]
    (made / "plus" / "replace_att.json").write_text(json.dumps(entries))
    plus = {"sugarcrepe_pp": {"folder": "plus", "images": "images/VG_100K"}}
    metrics, table = call(made, monkeypatch, paths=ALONE, suites=plus, suites_folder=".")
    assert {row["picture"] for row in table} == {f"images/VG_100K/{picture}"}, "the report finds named pictures there"
    model, _, _ = open_clip.create_model_and_transforms(f"local-dir:{made}/model")
    tokenizer = open_clip.get_tokenizer(f"local-dir:{made}/model")
    right = []
    for three in captions:
        with torch.inference_mode():
            one, other, negative = model.eval().encode_text(tokenizer(list(three)), normalize=True).double()
        right.append(bool(one @ other > one @ negative and one @ other > other @ negative))
    found = metrics["sugarcrepe_pp"]["replace_att"]["cases"]
    assert found["text_to_text"] == round(100 * sum(right) / 3, 3) and found["n"] == 3 and "text" in found
    assert 0 < sum(right) < 3


def test_suites_in_several_sets_have_a_figure_over_all_their_cases(made, monkeypatch):
    """Each suite has its own figures, next to those of the other."""
    pictures = [place.name for place in sorted((made / "images" / "VG_100K").iterdir())[:2]]
    for name in ("wino", "kinds"):
        (made / name).mkdir()
    (made / "wino" / "images").mkdir()
    for picture in pictures:
        shutil.copy(made / "images" / "VG_100K" / picture, made / "wino" / "images")
    of_case = {"image_0": pictures[0], "image_1": pictures[1], "caption_0": "a red dog on a mat", "caption_1": "a red mat on a dog"}
    cases = [{"id": i, **of_case, "collapsed_tag": tag} for i, tag in enumerate(("Object", "Object", "Relation"))]
    (made / "wino" / "examples.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    plus = {"filename": pictures[0], "caption": "two cats", "caption2": "a cat and a cat", "negative_caption": "two cars"}
    for kind in ("swap_obj", "swap_att"):
        (made / "kinds" / f"{kind}.json").write_text(json.dumps([plus]))
    both = {"winoground": {"folder": "wino", "images": "wino"}, "sugarcrepe_pp": {"folder": "kinds", "images": "images/VG_100K"}}
    metrics, table = call(made, monkeypatch, paths=ALONE, suites=both, suites_folder=".")
    assert {suite: of["n"] for suite, of in metrics["cases"].items()} == {"winoground": 3, "sugarcrepe_pp": 2}
    assert {name: of["cases"]["n"] for name, of in metrics["winoground"].items()} == {"object": 2, "relation": 1}
    assert {"text", "image", "group"} <= metrics["cases"]["winoground"].keys() and len(table) == 2 * 3 + 2 * 2


def test_which_of_two_images_a_sentence_is_of(made, monkeypatch):
    """In SVO-Probes Recall@1 is the pairwise accuracy of a plain loop; with no image, or shuffled ones, it is at chance."""
    places = sorted((made / "images" / "VG_100K").iterdir())[:4]
    asked = [
        ("a red dog on a mat", 0, 1),
        ("two cats", 1, 2),
        ("a blue car under trees", 2, 0),
        ("a cup", 3, 1),
        ("a red cup", 1, 3),
    ]
    numbers = [int(place.stem) for place in places]
    (made / "svo").mkdir()
    rows = [f"{text},{numbers[i]},{numbers[j]},False,True,False\n" for text, i, j in asked]
    (made / "svo" / "svo_probes.csv").write_text("sentence,pos_image_id,neg_image_id,subj_neg,verb_neg,obj_neg\n" + "".join(rows))
    svo = {"svo_probes": {"folder": "svo", "images": "images/VG_100K"}}
    metrics, table = call(made, monkeypatch, paths=ALONE, suites=svo, suites_folder=".")
    model, _, transform = open_clip.create_model_and_transforms(f"local-dir:{made}/model")
    tokenizer = open_clip.get_tokenizer(f"local-dir:{made}/model")
    with torch.inference_mode():
        images = model.eval().encode_image(torch.stack([transform(Image.open(place)) for place in places]), normalize=True)
        texts = model.encode_text(tokenizer([text for text, *_ in asked]), normalize=True)
    right = [bool(texts[k] @ images[i] > texts[k] @ images[j]) for k, (_, i, j) in enumerate(asked)]
    found = metrics["svo_probes"]["verb"]
    assert found["all"]["r1"] == found["cases"]["image"] == found["kinds"]["verb"]["above"] == 20.0 * sum(right)
    assert found["all"]["shortcut_r1"] == found["all"]["shuffled_r1"] == found["all"]["r1_chance"] == 50.0 and len(table) == 5


def test_aro_is_asked_with_its_macro_accuracies_and_perturbed_retrieval(made, monkeypatch):
    def queries(name, kind, captions):
        rows = [
            empty("queries", query_id=f"{name}-{i}", type=kind, image_id=i, x=0, y=0, width=60, height=40, truth=captions[0])
            | {"negatives": [negative(caption, "behind" if len(captions) == 2 else "trigrams") for caption in captions[1:]]}
            for i in IMAGES
        ]
        tables.write("queries", made / f"{name}.parquet", rows)
        return f"{name}.parquet"

    def negative(caption, edit):
        graph = {"objects": [], "attributes": [], "relations": [], "spans": []}
        return {"caption": caption, "edit": edit, "atom": "", "foil": None, **graph}

    aro = queries("aro", "VG-Relation", ["the dog is behind the tree", "the tree is behind the dog"])
    order = queries("order", "Order", ["a b c d", "b a c d", "c d a b", "d c b a", "a c b d"])
    row = {"number": 0, "seed": 0}
    perturbed = [{"image_id": i, "perturbation": p, "caption": f"{p} {i}"} | row for i in IMAGES for p in ("none", "trigrams")]
    tables.write("perturbed_captions", made / "perturbed.parquet", perturbed)
    paths = ALONE | {"aro": aro, "order": order, "perturbed": "perturbed.parquet", "order-images": "images"}
    metrics, rows = call(made, monkeypatch, "aro", paths)
    assert metrics["aro"]["relation"]["all"]["n"] == metrics["aro_order"]["order"]["all"]["n"] == len(IMAGES)
    assert metrics["aro"]["relation"]["macro"]["all"]["n"] == len(IMAGES)
    assert set(metrics["aro_order"]["order"]["kinds"]) == {"trigrams"} and metrics["aro_order"]["order"]["all"]["r1_chance"] == 20.0
    assert metrics["perturbed"]["images"] == len(IMAGES) and set(metrics["perturbed"]["text"]) == {"none", "trigrams"}
    assert {row["suite"] for row in rows} == {"aro", "aro_order"}


def test_images_that_do_not_fit_are_left_out_and_all_named(made, monkeypatch, tmp_path, capsys):
    shutil.copytree(made / "images", tmp_path / "images")
    files = sorted(tmp_path.rglob("*.jpg"), key=lambda path: int(path.stem))
    Image.open(files[0]).resize((9, 9)).save(files[0])
    files[1].write_text("<html>")
    files[2].unlink()
    paths = {"images": str(tmp_path / "images")}
    with pytest.raises(InputError, match=r"3 of the 12 images cannot be used: 1\.jpg has 9 x 9.*2\.jpg cannot.*3\.jpg is not"):
        call(made, monkeypatch, "stopped", paths, missing="stop")
    whole, rows = call(made, monkeypatch, "less", paths, missing="leave_out")
    assert "3 of the 12 images" in capsys.readouterr().err
    assert whole["cleared"]["sys"]["atom"]["all"]["images"] == 9 and not {row["image_id"] for row in rows} & {1, 2, 3}


def test_scores_of_another_program_give_every_figure_without_an_image(made, plain, monkeypatch, tmp_path):
    metrics, rows = plain.metrics, plain.own
    with (tmp_path / "scores.jsonl").open("w") as file:
        for row in rows:
            for caption, score in zip([row["truth"], *row["negatives"]], row["scores"], strict=True):
                pair = {"suite": row["suite"], "case": row["query_id"], "caption": caption, "score": float(score)}
                file.write(json.dumps(pair) + "\n")
    given = {"given": {"family": "scores", "file": str(tmp_path / "scores.jsonl"), "trained_on": "cc12m"}}
    (tmp_path / "none").mkdir()
    found, ranked = call(made, monkeypatch, "given", {"images": str(tmp_path / "none")}, models=given, model="given")
    assert [row["rank"] for row in ranked] == [row["rank"] for row in rows]
    assert found["paper"]["sys"]["comp"]["SC"]["r1"] == metrics["paper"]["sys"]["comp"]["SC"]["r1"]
    assert found["model"] == {"name": "given", "family": "scores", "trained_on": "cc12m"}


def test_a_language_model_is_asked_without_the_image_too(made, monkeypatch, tmp_path):
    tiny_chat.save("llava", tmp_path)
    chat = {"family": "chat", "checkpoint": str(tmp_path), "form": "caption", "question": "Describe it.", "trained_on": "cc12m"}
    metrics, rows = call(made, monkeypatch, "chat", ALONE, models={"mine": chat}, model="mine", **RELEASE)
    assert "prior" in metrics["official_prod"]["atom"]["shortcuts"] and metrics["model"]["family"] == "chat"
    assert {of["scorer"] for of in rows[0]["shortcuts"]} > {"prior", "ngram"}
    again = call(made, monkeypatch, "again", ALONE, models={"mine": chat}, model="mine", **RELEASE)
    assert again == (metrics, rows)
