"""The stage ``gen_order`` as DVC calls it, on a small file of captions."""

import json

from stages.contract import tables
from stages.suites import aro
from stages.suites.word_order import ORDER, RETRIEVAL
from tests.running import run_stage

CAPTIONS = ["A black dog on a red mat near the old tree.", "Dog dog.", "Two small boats are sailing under a grey sky"]


def made(folder, **parameters):
    images = [{"image_id": number, "caption": caption} for number, caption in enumerate(CAPTIONS, 1)]
    (folder / "c.json").write_text(json.dumps(images))
    arguments = "--captions c.json --queries q.parquet --perturbed p.parquet --rejects r.parquet --metrics m.json"
    changes = {"gen_order.retrieval_seeds": 2, "gen_order.split": "", **{f"gen_order.{key}": v for key, v in parameters.items()}}
    status, _, err = run_stage("gen_order", arguments, folder, changes)
    assert status == 0, err
    return [list(tables.read(*of)) for of in (("queries", folder / "q.parquet"), ("perturbed_captions", folder / "p.parquet"))]


def test_every_caption_is_asked_or_has_its_reason(tmp_path):
    queries, perturbed = made(tmp_path)
    assert [row["image_id"] for row in queries] == [1, 3]
    assert all([negative["edit"] for negative in row["negatives"]] == list(ORDER) for row in queries)
    assert all(row["truth"] not in {negative["caption"] for negative in row["negatives"]} for row in queries)
    ledger = json.loads((tmp_path / "m.json").read_text())
    assert ledger["in"] == 3 and ledger["kept"] == 2 and sum(ledger["dropped"].values()) == 1
    assert len(perturbed) == 3 * (1 + 2 * len(RETRIEVAL))


def test_orders_are_frozen_and_hang_on_the_seed_alone(tmp_path):
    first, _ = made(tmp_path)
    assert made(tmp_path)[0] == first
    assert made(tmp_path, seed=1)[0] != first


def test_several_draws_of_orders_have_queries_of_their_own(tmp_path):
    """The second draw with seed 0 is the first with seed 1, and the first draw stays the same."""
    one, two = (made(tmp_path, order_seeds=draws)[0] for draws in (1, 2))
    assert [row["query_id"] for row in two] == ["order-1-0", "order-1-0-1", "order-3-0", "order-3-0-1"]
    assert [row for row in two if row["query_id"].count("-") == 2] == one
    second = [row["negatives"] for row in two if row["query_id"].endswith("-0-1")]
    assert second == [row["negatives"] for row in made(tmp_path, seed=1)[0]] != [row["negatives"] for row in one]
    assert json.loads((tmp_path / "m.json").read_text())["in"] == 3
    assert [s.query.draw for s in aro.made(tmp_path / "q.parquet")] == [0, 0]
    made(tmp_path, order_seeds=2)
    assert [s.query.draw for s in aro.made(tmp_path / "q.parquet")] == [0, 1, 0, 1]
    assert json.loads((tmp_path / "m.json").read_text())["dropped"] == {"no_other_order_nouns_and_adjectives": 2}


def test_fewer_images_are_a_part_of_more(tmp_path):
    queries, perturbed = made(tmp_path, images=2, retrieval_images=1)
    assert len({row["image_id"] for row in perturbed}) == 1 and len(queries) <= 2


def test_other_seeds_draw_other_orders_for_retrieval_too(tmp_path):
    """The second of two seeds that start at 0 is the first of those that start at 1."""
    two, one = ({(row["perturbation"], row["seed"], row["caption"]) for row in made(tmp_path, seed=seed)[1]} for seed in (0, 1))
    assert two != one
    assert {(name, text) for name, seed, text in two if seed == 1} == {
        (name, text) for name, seed, text in one if seed == 0 and name != "none"
    }


def test_nobody_searches_for_a_caption_without_words(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.test_gen_order.CAPTIONS", [*CAPTIONS, " . "])
    queries, perturbed = made(tmp_path)
    assert {row["image_id"] for row in queries} == {1, 3} and {row["image_id"] for row in perturbed} == {1, 2, 3}
    ledger = json.loads((tmp_path / "m.json").read_text())
    assert ledger["in"] == 4 and ledger["retrieval_captions"] == 3
