"""Tests of comparing runs: first in memory, then from a real history of git and DVC."""

import dataclasses
import json
import os
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

from stages.contract.errors import CrepeError, InputError
from stages.evaluation.figures import recalls
from stages.evaluation.ranks import Ranks
from stages.evaluation.statistics import difference
from stages.page import imagenet, means, runs
from stages.page.compare import compare, differences, main, raw_tables, seeing
from stages.page.figure import Figure
from stages.page.means import mean
from stages.page.runs import Run, common, read
from tests.page import made
from tests.running import ROOT


def a_run(name, above, model="m", judged_by="cc12m", split=None, queries=None):
    """Return a run with eight queries each of systematicity and productivity; ``above`` counts the negatives above each truth."""
    suites, sets = (np.repeat(two, 8) for two in (["sys", "prod"], ["atom", "swap"]))
    queries, clusters = np.array(queries or [f"q{i}" for i in range(16)]), np.arange(16) // 2
    splits = np.array((split or ["SC"] * 4 + ["UC"] * 4) + [""] * 8)
    ranks = Ranks(np.array(above), np.zeros(16, dtype=np.int64), np.full(16, 5))
    captions = pa.Table.from_pylist([{"truth": "a dog", "negatives": ["a cat"], "scores": [1.0, 0.0]}] * 16)
    protocols = np.full(16, "cleared")
    return measured(Run(name, model, judged_by, judged_by, protocols, suites, sets, queries, clusters, splits, ranks, captions))


def measured(one):
    """Return the run with its sets' metrics: R@1 by split and by complexity, 4 in the first half and 5 in the second."""
    parts = np.where(one.split == "", np.where(np.arange(len(one.split)) % 8 < 4, "n04", "n05"), one.split)
    by_suite = {}
    for suite, name in (("sys", "atom"), ("prod", "swap")):
        here = one.where("cleared", suite, name)
        masks = {str(part): here & (parts == part) for part in np.unique(parts[here])}
        by_suite[suite] = {name: {part: recalls(one.ranks.take(mask), one.cluster[mask]) for part, mask in masks.items()}}
        by_suite[suite][name] |= {"all": {"n": 0}}
    sides = (one.split == "SC", one.split == "UC")
    by_suite["sys"]["atom"]["gap"] = {"raw": difference(one.right(np.arange(len(parts))), *sides, one.cluster)}
    return dataclasses.replace(one, metrics={"cleared": by_suite})


def many(one):
    """Return the run with its queries repeated forty times, each on its own image."""
    arrays = {name: np.tile(getattr(one, name), 40) for name in ("protocol", "suite", "set", "query", "split")}
    captions = pa.concat_tables([one.captions] * 40)
    ranks = one.ranks.take(np.arange(640) % 16)
    return measured(dataclasses.replace(one, **arrays, cluster=np.arange(640), ranks=ranks, captions=captions))


def test_pairs_are_of_the_same_query_whatever_the_order():
    first = a_run("a", [0] * 16)
    second = a_run("b", range(16), queries=[f"q{(i + 3) % 16}" for i in range(16)])
    here, there = common(first, second, first.where("cleared", "sys", "atom"))
    assert (first.query[here] == second.query[there]).all() and len(here) == 5  # the other three are productivity's there


def test_a_query_with_other_negatives_is_another_question():
    """As after ``-S cleared.seed=1``: the ids are the same, but the questions differ."""
    captions = [{"truth": "a dog", "negatives": ["a cat", "a cow"], "scores": [1.0, 0.0, 0.0]} for _ in range(16)]
    other = [of | {"negatives": of["negatives"][::-1] if i else ["a cat", "a hen"]} for i, of in enumerate(captions)]
    first, second = (dataclasses.replace(a_run("a", [0] * 16), captions=pa.Table.from_pylist(of)) for of in (captions, other))
    here, there = common(first, second, first.where("cleared", "sys", "atom"))
    assert here.tolist() == there.tolist() == [*range(1, 8)]


def test_differences_are_paired_and_signed_against_the_first():
    grid = differences([a_run("a", [1] * 16), a_run("b", [0] * 4 + [1] * 12)])
    assert {row[1] for row in grid.lines} == {"cleared"}
    rows = {(row[0], row[2]): row[3:] for row in grid.lines}
    assert rows["HN-Atom, systematicity", "SC"] == ["+100.0 (−31.5 to +100.0)", "4"]
    assert rows["HN-Atom, systematicity", "UC"] == ["+0.0 (−65.8 to +65.8)", "4"]
    assert rows["HN-Swap, productivity", ""][1] == "8"


def test_further_suites_are_compared_too():
    one, other = (dataclasses.replace(a_run(name, [0] * 16), suite=np.array(["sugarcrepe"] * 16)) for name in "ab")
    assert [row[0] for row in differences([one, other]).lines] == ["atom, SugarCrepe"] * 2 + ["swap, SugarCrepe"]


def test_what_seeing_is_worth_needs_two_training_sets():
    first = a_run("a", [0] * 4 + [1] * 12)
    assert not seeing([first, a_run("b", [0] * 16)]).lines
    other = a_run("b", [1] * 4 + [0] * 4 + [1] * 8, judged_by="yfcc15m", split=["UC"] * 4 + ["SC"] * 4)
    assert seeing([first, other]).lines == [["a, b", "HN-Atom, cleared", "+100.0 (+7.0 to +100.0)", "4", "4"]]


def test_tables_are_the_papers_with_a_row_for_chance():
    titles = [grid.caption for grid in compare([a_run("a", [0] * 16)], {})]
    assert [title.split(":")[0] for title in titles] == [
        "Systematicity, HN-Atom, cleared",
        "Seen less unseen compounds, cleared, in points of R@1, with 95 % intervals; unseen compounds may also be harder.",
        "Productivity, HN-Swap, cleared",
    ]
    grid = compare([a_run("a", [0] * 16)], {})[0]
    assert grid.lines[0][:4] == ["", "Random", "20.00", "20.00"] and grid.lines[1][:3] == ["cc12m", "m", "100.00 (34.2–100.0)"]


def test_the_best_text_only_scorer_has_a_row_of_its_own():
    """A run's own report says that a text-only scorer loses as much; once, the comparison of two runs did not."""
    change = {"d": 5.0, "low": 1.0, "high": 9.0, "n_first": 90, "n_second": 90}
    one, other = (a_run(name, [0] * 16) for name in "ab")
    for run in (one, other):
        figures = run.metrics["cleared"]["sys"]["atom"]
        figures["SC"]["shortcut_r1"], figures["UC"]["shortcut_r1"], figures["shortcuts"] = 25.5, 14.25, {"best": "ngram"}
        over = {"raw": change | {"d": -1.0, "low": -3.0, "high": 2.0}, "matched": None}
        figures["gap"] |= {"matched": change, "over_shortcut": over}
    grids = {grid.caption.split(":")[0].split(",")[0]: grid for grid in compare([one, other], {})}
    recall = next(grid for grid in compare([one, other], {}) if grid.caption.startswith("Systematicity, HN-Atom"))
    assert recall.lines[1] == ["", "ngram, text only", "25.50", "14.25", *["–"] * 4] and len(recall.lines) == 4
    assert grids["Seen less unseen compounds"].lines[0][2:] == [
        "HN-Atom", "+0.0 (−65.8 to +65.8)", "+5.0 (+1.0 to +9.0)", "−1.0 (−3.0 to +2.0)", "–"
    ]  # fmt: skip


def test_folds_of_other_sizes_have_other_chances():
    """The runs are judged by their own sets. Once, a single line showed the chance of the first one's folds for both."""
    runs = []
    for name, chance in (("a", 0.15), ("b", 0.24)):
        way = {"r1": 20.0, "r1_sd": None}
        metrics = {"raw": {"sys": {"SC": {"chance": chance, "i2t": way, "t2i": way}}}}
        runs.append(dataclasses.replace(a_run(name, [0] * 16), trained_on=f"set {name}", metrics=metrics))
    assert raw_tables(runs)[0].lines[:2] == [["set a", "Random", "0.15"], ["set b", "Random", "0.24"]]


def test_raw_sets_have_the_papers_two_tables():
    way = {"r1": 20.0, "r1_sd": 1.5}
    group = {"n": 50, "folds": 3, "chance": 2.0, "i2t": way, "t2i": {"r1": 10.0, "r1_sd": 0.5}}
    one = dataclasses.replace(
        a_run("a", [0] * 16), metrics={"raw": {"sys": {"UC": group, "SC": group}, "prod": {"n12": group, "n04": group}}}
    )
    systematicity, productivity = raw_tables([one, a_run("b", [0] * 16)])
    assert [column for column in systematicity.head[2:]] == ["SC", "UC"]
    assert [column for column in productivity.head[2:]] == ["4", "12"]
    assert systematicity.lines[0][2:] == ["2.00", "2.00"] and systematicity.lines[1][2:] == ["20.00 ± 1.50"] * 2
    assert systematicity.lines[2][2:] == ["10.00 ± 0.50"] * 2 and len(systematicity.lines) == 3
    way["r1_sd"] = None
    assert raw_tables([one])[0].lines[1][2:] == ["20.00"] * 2


def test_means_over_runs_are_of_those_with_queries_enough():
    figures = [Figure(40.0, (38, 42), 100, 20.0), Figure(50.0, (48, 52), 100, 20.0), Figure(0.0, (0, 2), 5, 20.0), None]
    together = mean(figures)
    assert together.value == 45.0 and together.high - together.value == pytest.approx(50**0.5)
    assert mean(figures[1:]) is None
    both = [many(a_run(name, above * 4)) for name, above in (("a", [0, 1, 1, 1]), ("b", [0, 0, 0, 1]))]
    shown = [grid.lines[0][:2] for grid in means.tables(both) if grid.rows]
    assert shown == [["HN-Atom", "50.00 ± 35.36"], ["HN-Swap", "50.00 ± 35.36"]]
    assert len(means.drawings(both)) == 2


def test_a_mean_over_runs_does_not_choose_among_them_by_what_came_out():
    """An interval is widest at 50 %. Leaving out wide ones made a mean of 40 %, over models asked 42 queries, come out at 30 %."""
    figures = [Figure(28.6, (14.3, 42.9), 42, 20.0), Figure(40.5, (25.0, 56.0), 42, 20.0), Figure(52.4, (36.6, 68.2), 42, 20.0)]
    assert not figures[0].tells_little and figures[1].tells_little and mean(figures).value == pytest.approx(40.5)


def test_runs_of_one_model_are_told_apart():
    rows = compare([a_run("a", [0] * 16), a_run("b", [0] * 16)], {})[0].lines
    assert [row[1] for row in rows] == ["Random", "m (a)", "m (b)"]


def test_published_accuracies_are_those_of_the_papers_models():
    accuracies = imagenet.read([imagenet.PUBLISHED])["imagenet"]
    assert len(accuracies) == 12 and all(30 < value < 80 for value in accuracies.values())


def test_a_faulty_accuracy_is_named_with_its_row(tmp_path):
    (tmp_path / "a.csv").write_text("model,top1\nx,12.5\ny,high\n")
    with pytest.raises(InputError, match=r"a\.csv, row 2"):
        imagenet.read([tmp_path / "a.csv"])
    (tmp_path / "a.csv").write_text("model,top1\nx,nan\n")
    with pytest.raises(InputError, match=r"a\.csv, row 1"):
        imagenet.read([tmp_path / "a.csv"])
    (tmp_path / "a.csv").write_bytes(b"model,top1\n\xe9,5\n")
    for path in (tmp_path / "a.csv", tmp_path):
        with pytest.raises(InputError, match="as text"):
            imagenet.read([path])


def test_accuracies_as_a_spreadsheet_saves_them(tmp_path):
    (tmp_path / "a.csv").write_text("model,top1\nx,12.5\n", encoding="utf-8-sig")
    assert imagenet.read([tmp_path / "a.csv"]) == {"imagenet": {"x": 12.5}}


def test_no_data_set_overwrites_another(tmp_path):
    """Rows of data sets other than ImageNet were once skipped."""
    (tmp_path / "a.csv").write_text("model,dataset,top1\nx,,12.5\nx,cifar10,80\ny,cifar10,70\nx,stl10,90\n")
    (tmp_path / "b.csv").write_text("model,dataset,top1\nx,cifar10,81\n")
    found = imagenet.read([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert found == {"imagenet": {"x": 12.5}, "cifar10": {"x": 81.0, "y": 70.0}, "stl10": {"x": 90.0}}
    runs_of_models = [a_run("a", [0] * 16, model="x"), a_run("b", [0] * 16, model="y")]
    by_run = imagenet.of_runs(runs_of_models, found)
    assert by_run == {"imagenet": {"a": 12.5}, "cifar10": {"a": 81.0, "b": 70.0}, "stl10": {"a": 90.0}}


def test_correlation_is_over_runs_whose_model_has_an_accuracy():
    few = [a_run(f"r{i}", [0] * (2 * i) + [1] * (16 - 2 * i), model=f"m{i}") for i in range(1, 4)]
    assert imagenet.correlations(few, {"r1": 30.0, "r2": 40.0, "r3": 50.0}).lines == [], "four queries are no dot"
    three = [many(one) for one in few]
    grid = imagenet.correlations(three, {"r1": 30.0, "r2": 40.0, "r3": 50.0})
    rows = {(row[0], row[1]): row[2:] for row in grid.lines}
    assert rows["HN-Atom, systematicity, cleared", "UC"][0] == "0.87" and rows["HN-Atom, systematicity, cleared", "UC"][-1] == "3"
    assert len(imagenet.drawings(three, {"r1": 30.0, "r2": 40.0})) == 2


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """Return a repository with three evaluated revisions, whose ranks are only in DVC's cache; two asked the same sets."""
    folder = tmp_path_factory.mktemp("history")
    environment = {"DVC_SITE_CACHE_DIR": str(folder.parent / "site"), "DVC_NO_ANALYTICS": "1"}
    environment |= {"PATH": "/usr/bin:/bin", "HOME": str(folder)}

    def call(*command):
        subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)

    git = ("git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    call("git", "init", "-q")
    call(sys.executable, "-m", "dvc", "init", "-q")
    (folder / "metrics").mkdir()
    (folder / "dvc.yaml").write_text("stages: {}\n")
    (folder / "params.yaml").write_text("run: 1\n")
    for revision, queries in (("one", 50), ("same", 50), ("two", 100)):
        made.write_ranks(folder / "data/ranks.parquet", queries)
        about = {"model": {"name": revision, "family": "open_clip", "trained_on": None}, "judged_by": "cc12m"}
        about["cleared"] = made.metrics_of(folder / "data/ranks.parquet")["cleared"]
        (folder / "metrics/evaluate.json").write_text(json.dumps(about))
        call(sys.executable, "-m", "dvc", "add", "-q", "data/ranks.parquet")
        call("git", "add", "-A")
        call(*git, "commit", "-q", "-m", revision)
        call("git", "tag", revision)
    (folder / "data/ranks.parquet").unlink()
    return folder


def test_runs_come_out_of_the_history(history):
    one, two = (read(name, history, "data/ranks.parquet", "metrics/evaluate.json") for name in ("one", "two"))
    assert (one.model, len(one.ranks), two.model, len(two.ranks)) == ("one", 50, "two", 100)
    assert one.trained_on is None and one.judged_by == "cc12m"


def test_a_run_that_is_not_there_says_what_to_do(history):
    with pytest.raises(CrepeError, match=r"no run three.*dvc exp list"):
        read("three", history, "data/ranks.parquet", "metrics/evaluate.json")
    with pytest.raises(InputError, match=r"one:data/none\.parquet"):
        read("one", history, "data/none.parquet", "metrics/evaluate.json")
    with pytest.raises(InputError, match="run dvc repro"):
        read(runs.WORKSPACE, history, "data/ranks.parquet", "metrics/none.json")


def test_ranks_that_the_cache_has_lost_say_what_to_do(history):
    cache = history / ".dvc/cache/files"
    cache.rename(history / "gone")
    try:
        with pytest.raises(CrepeError, match="dvc pull"):
            read("one", history, "data/ranks.parquet", "metrics/evaluate.json")
    finally:
        (history / "gone").rename(cache)


def test_a_revision_of_another_machine_is_what_was_made_here_of_the_same(history, capsys):
    """After ``make``, the lock in git names the table of the machine that committed it, which is not available here."""
    cache, ranks = history / ".dvc/cache/files", history / "data/ranks.parquet"
    cache.rename(history / "gone")
    made.write_ranks(ranks, 70)
    try:
        assert len(read("two", history, "data/ranks.parquet", "metrics/evaluate.json").ranks) == 70
        assert "two has a table of another machine" in capsys.readouterr().err
        (history / "params.yaml").write_text("run: 2\n")
        with pytest.raises(InputError, match=r"commit dvc\.lock and metrics"):
            read("two", history, "data/ranks.parquet", "metrics/evaluate.json")
    finally:
        ranks.unlink()
        (history / "params.yaml").write_text("run: 1\n")
        (history / "gone").rename(cache)


def test_the_command_prints_markdown_or_writes_files(history, tmp_path, monkeypatch, capsys):
    command = ["compare", "one", "same", "--repo", str(history), "--ranks", "data/ranks.parquet"]
    monkeypatch.setattr("sys.argv", command)
    main()
    printed = capsys.readouterr().out
    assert "| cc12m |" not in printed and "| unknown | one |" in printed and "less that of one (one)" in printed
    monkeypatch.setattr("sys.argv", [*command, "--out", str(tmp_path)])
    main()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["compare.md", "compare.tex"]
    assert (tmp_path / "compare.tex").read_text().count(r"\begin{table}") == printed.count("\n| --- |")


def test_any_terminal_will_do(history):
    command = [sys.executable, "-m", "stages.page.compare", "one", "same", "--repo", str(history), "--ranks", "data/ranks.parquet"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "MPLBACKEND": "no window"}
    done = subprocess.run([*command, "--common"], env=environment, cwd=ROOT, capture_output=True, check=True)
    assert b"| HN-Atom, systematicity | cleared | SC | +0.0 (-" in done.stdout


def test_different_sets_are_not_put_into_one_column(history, monkeypatch, capsys):
    command = ["compare", "one", "two", "--repo", str(history), "--ranks", "data/ranks.parquet"]
    monkeypatch.setattr("sys.argv", command)
    with pytest.raises(
        CrepeError, match=r"one and two have different sets, .*: cleared\.sys_atom \(.*cleared\.prod_neg .*--common"
    ):
        main()
    monkeypatch.setattr("sys.argv", [*command, "--common"])
    main()
    printed = capsys.readouterr().out
    assert "less that of one (one)" in printed and "| HN-Atom, systematicity | cleared | SC | +0.0" in printed
    assert "with 95 % intervals" not in printed


def test_a_run_is_compared_with_others_only(history, monkeypatch):
    monkeypatch.setattr("sys.argv", ["compare", "one", "one", "--repo", str(history)])
    with pytest.raises(CrepeError, match="named twice"):
        main()
