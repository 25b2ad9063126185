"""Tests of scores that another program has written."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from stages.contract.errors import CrepeError, InputError
from stages.evaluation.sets import Case, Query, RetrievalSet
from stages.images.crops import Crop
from stages.models.given import GivenScores
from stages.models.load import lazily_loaded, load
from stages.models.scoring import GivenScorer, scorer_of
from stages.parameters.sections import Evaluate, Models
from tests.running import section

ROWS = [("region-1", "a dog", 0.5), ("region-1", "a cat", -1.25), ("region-1", 'a "big", red dog', 3), ("region-2", "a dog", 1.0)]


def written(path, rows=ROWS, names=("case", "caption", "score")):
    columns = [pa.array(values) for values in zip(*rows, strict=True)]
    table = pa.table(dict(zip(names, columns, strict=True)))
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    else:
        pa.csv.write_csv(table, path)
    return path


def asked(query, truth, *negatives, suite="sys"):
    return RetrievalSet(suite, "atom", Query(query, Crop(1, 0, 0, 9, 9)), truth, negatives, ("",) * len(negatives))


SETS = [
    asked("region-1", "a dog", "a cat"),
    asked("region-2", "a dog"),
    asked("region-1", 'a "big", red dog', "a cat", suite="aro"),
]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_scores_come_from_any_table_in_the_order_of_the_sets(tmp_path, ending):
    path = written(tmp_path / f"scores.{ending}")
    presets = section(Models, paper={"family": "scores", "file": str(path)})
    settings = section(Evaluate, device="cpu", precision="fp32", threads=1, batch=4, text_batch_tokens=64)
    model = load("paper", presets, settings)
    assert type(lazily_loaded("paper", presets, settings, tmp_path)) is GivenScores
    scores = scorer_of(model, SETS, "no layout", "no images").scores()
    assert scores.dtype == np.float32 and scores.tolist() == [0.5, -1.25, 1.0, 3.0, -1.25]


def test_a_case_of_several_images_names_each(tmp_path):
    case = Case.paired("winoground-3", [Crop.whole(8), Crop.whole(5)], ["a", "b"])
    rows = [
        ("winoground-3", image, caption, score)
        for image, caption, score in ((0, "a", 1.0), (0, "b", 2.0), (1, "a", 3.0), (1, "b", 4.0))
    ]
    model = GivenScores(written(tmp_path / "s.csv", rows, ("case", "image", "caption", "score")))
    assert GivenScorer(model, list(case.sets("winoground", "all"))).scores().tolist() == [1.0, 2.0, 4.0, 3.0]
    probe = Case("svo-1", [Crop.whole(8), Crop.whole(5)], ["a"], [[True], [False]])
    model = GivenScores(
        written(tmp_path / "t.csv", [("svo-1", 0, "a", 1.0), ("svo-1", 1, "a", 7.0)], ("case", "image", "caption", "score"))
    )
    assert GivenScorer(model, list(probe.sets("svo_probes", "verb"))).scores().tolist() == [1.0, 7.0]
    model = GivenScores(written(tmp_path / "u.csv", [("winoground-3", "a", 1.0), ("winoground-3", "b", 2.0)]))
    with pytest.raises(InputError, match=r"lacks 2 scores; the first is of winoground, case winoground-3, image 1, caption 'b'"):
        GivenScorer(model, list(case.sets("winoground", "all")))


def test_suites_may_share_ids(tmp_path):
    rows = [("sys", "region-1", "a dog", 1.0), ("aro", "region-1", "a dog", 2.0), ("", "region-1", "a cat", 0.0)]
    model = GivenScores(written(tmp_path / "s.jsonl", rows, ("suite", "case", "caption", "score")))
    sets = [asked("region-1", "a dog", "a cat"), asked("region-1", "a dog", "a cat", suite="aro")]
    assert GivenScorer(model, sets).scores().tolist() == [1.0, 0.0, 2.0, 0.0]


@pytest.mark.parametrize(
    ("rows", "names", "message"),
    [
        ([("r", "a dog", float("nan"))], ("case", "caption", "score"), r"row 1: has the score nan"),
        ([("r", "a dog", 1e300)], ("case", "caption", "score"), r"row 1: has the score 1e\+300"),
        ([("r", "a dog", 1.0), ("r", "a dog", 2.0)], ("case", "caption", "score"), r"row 2: has two scores of r and 'a dog'"),
        ([("r", "a dog", 1.0)], ("query", "caption", "score"), r"has no case, caption and score \('case'\)"),
        ([("r", "a dog", "high")], ("case", "caption", "score"), "has no case, caption and score"),
    ],
)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_what_is_wrong_is_told_with_its_row(tmp_path, ending, rows, names, message):
    with pytest.raises(InputError, match=message):
        GivenScores(written(tmp_path / f"scores.{ending}", rows, names))


def test_missing_scores_are_counted(tmp_path):
    model = GivenScores(written(tmp_path / "s.csv"))
    with pytest.raises(InputError, match=r"lacks 2 scores; the first is of sys, case region-9, caption 'a dog'"):
        GivenScorer(model, [*SETS, asked("region-9", "a dog", "a cat")])


def test_no_such_table(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        GivenScores(tmp_path / "s.csv")
    with pytest.raises(InputError, match="is a folder"):
        GivenScores(tmp_path)
    (tmp_path / "s.txt").write_text("x")
    with pytest.raises(InputError, match=r"is a .txt.*\.csv, \.jsonl or \.parquet"):
        GivenScores(tmp_path / "s.txt")
    (tmp_path / "s.parquet").write_text("x")
    with pytest.raises(InputError, match="cannot be read"):
        GivenScores(tmp_path / "s.parquet")
    (tmp_path / "s.csv").write_text("case,caption,score\n")
    with pytest.raises(InputError, match="has no score"):
        GivenScores(tmp_path / "s.csv")


def test_it_cannot_be_run(tmp_path):
    model = GivenScores(written(tmp_path / "s.csv"))
    with pytest.raises(CrepeError, match="has scores of cases only"):
        model.score(["a crop"], ["a dog"])
