"""Stages that are killed, interrupted, out of disk, memory or workers, or given damaged tables; all on a tiny sample."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import psutil
import pyarrow.parquet as pq
import pytest

from tests import stage_runs
from tests.stage_runs import ROOT, Pipeline, Stage, Undisturbed

STAGES = sorted(path.stem for path in (ROOT / "stages").glob("*.py"))
LIGHT = ("filter_vg", "gen_hn_atom", "split")
"""One stage each that retains work, that has workers, and that uses DuckDB alone; the others' tests are heavy."""


def each(*scripts: str) -> pytest.MarkDecorator:
    """Return the parametrisation over these scripts, in which all except the light ones are heavy."""
    heavy = [pytest.param(script, marks=() if script in LIGHT else pytest.mark.heavy) for script in scripts]
    return pytest.mark.parametrize("script", heavy)


def test_no_stage_asks_the_network(undisturbed: Undisturbed, tmp_path: Path) -> None:
    """The undisturbed run would have ended at its first network access; one access here shows that it would."""
    pipeline = undisturbed.copy(tmp_path / "asking")

    def ask() -> None:
        sys.addaudithook(stage_runs.no_network)
        socket.create_connection(("127.0.0.1", 9))

    status, lines = pipeline.run(undisturbed.every[0], ask)
    assert status == 99 and "socket." in lines[-1]


class Disturbed(Pipeline):
    """A copy of the undisturbed pipeline without the outputs of one stage, which is to run again."""

    def __init__(self, undisturbed: Undisturbed, script: str, folder: Path):
        super().__init__(undisturbed.copy(folder).folder)
        self.stage, self.whole = undisturbed.stage(script), undisturbed
        self.seconds = undisturbed.seconds[self.stage.name]
        self.clear(self.stage)

    def signalled(self, moment: float, number: int) -> int:
        """Send the stage and its workers a signal after a fraction of the time it takes; return its exit status."""
        process = self.start(self.stage)
        time.sleep(moment * self.seconds)
        assert process.pid
        with contextlib.suppress(ProcessLookupError):  # it has ended already
            os.killpg(process.pid, number)
        process.join()
        return process.exitcode or 0

    def nothing_is_half_written(self) -> None:
        wrote = self.whole.wrote[self.stage.name]
        assert self.digests(self.stage).items() <= wrote.items()

    def ends_well(self) -> None:
        """Check that a plain run now writes what the undisturbed one wrote, and leaves nothing else behind."""
        status, lines = self.run(self.stage)
        assert status == 0, "\n".join(lines)
        assert self.digests(self.stage) == self.whole.wrote[self.stage.name]
        assert self.hidden() == []
        assert not any(path for kept in ("read_captions", "parse_train") for path in (self.folder / f"data/.{kept}").glob("*/*"))

    def stopped_with_a_remedy(self, status: int, lines: list[str], says: str) -> None:
        assert status == 1, "\n".join(lines)
        assert lines[-1].startswith("error: ") and says in lines[-1] and "Remedy: " in lines[-1]
        assert not any("Traceback" in line for line in lines)


@pytest.fixture
def disturbed(undisturbed: Undisturbed, tmp_path: Path) -> Callable[[str], Disturbed]:
    stage_runs.warm_up()
    return lambda script: Disturbed(undisturbed, script, tmp_path / "disturbed")


@each(*STAGES)
def test_killed_and_interrupted_at_random_moments(disturbed, script):
    """A stage is killed in the first half of its time and interrupted in the second; the next run finds what each left.

    Stages that retain work are killed more often in their own tests.
    """
    pipeline, moments = disturbed(script), Random(script)
    for half, number in enumerate((signal.SIGKILL, signal.SIGINT)):
        status = pipeline.signalled((half + moments.random()) / 2, number)
        pipeline.nothing_is_half_written()
        if status == 0:
            pipeline.clear(pipeline.stage)
        elif number == signal.SIGINT:
            lines = pipeline.log()
            assert status == 130, "\n".join(lines)
            assert lines[-1] == "interrupted: nothing half written was kept; run the same command to continue"
            assert not any("Traceback" in line for line in lines)
            assert pipeline.hidden() == []
    pipeline.ends_well()


def outputs_folder(pipeline: Pipeline, stage: Stage) -> Path:
    """Return the folder of the stage's first output, and create it if missing."""
    folder = pipeline.folder / Path(stage.outs[0]).parent
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@each(*STAGES)
@pytest.mark.parametrize(
    ("disk", "says"),
    [(stage_runs.full, "No space left on device"), (stage_runs.read_only, "Read-only file system")],
    ids=["full", "read-only"],
)
def test_a_full_disk_and_a_read_only_folder(disturbed, script, disk, says):
    """A full disk is found during work, a read-only one before. The sample uses workers, which write files themselves."""
    if not stage_runs.can_mount():
        pytest.skip("this user may not mount a disk")
    pipeline = disturbed(script)
    pipeline.set(**{"run.workers": 2 if script == "sample" and disk is stage_runs.full else 1})
    if disk is stage_runs.full and script == "analyse":
        pytest.skip("of a model without a codebook all that analyse writes fits into the page that is left")
    folder = outputs_folder(pipeline, pipeline.stage)
    status, lines = pipeline.run(pipeline.stage, lambda: disk(folder))
    pipeline.stopped_with_a_remedy(status, lines, says)
    pipeline.nothing_is_half_written()


@each(*STAGES)
def test_an_output_that_somebody_elses_files_are_in_the_place_of(disturbed, script):
    """A non-empty folder in place of an output, or a file in place of a folder, stays as it is.

    It is found before any work, so no other output is written; only files in a folder to be replaced are found later.
    """
    pipeline = disturbed(script)
    for out in pipeline.stage.outs:
        path, is_folder = pipeline.folder / out, (pipeline.whole.folder / out).is_dir()
        for mine in [path / "mine", path] if is_folder else [path / "mine"]:
            mine.parent.mkdir(parents=True, exist_ok=True)
            mine.write_text("years")
            status, lines = pipeline.run(pipeline.stage)
            pipeline.stopped_with_a_remedy(status, lines, out)
            assert mine.read_text() == "years" and (not path.is_dir() or [file.name for file in path.iterdir()] == ["mine"])
            assert is_folder or pipeline.digests(pipeline.stage).keys() == {str(mine.relative_to(pipeline.folder))}
            pipeline.clear(pipeline.stage)


@each("gen_hn_atom", "gen_hn_comp", "gen_hn_prod", "evaluate", "report")
def test_what_a_removed_training_set_left_is_not_read(disturbed, script):
    """``dvc repro`` does not remove its folders; a stage reads only those that ``params.yaml`` names."""
    pipeline = disturbed(script)
    for left in ("parse_train/cc12m", "seen_index/cc12m"):
        shutil.copytree(pipeline.folder / "data" / left, (pipeline.folder / "data" / left).with_name("aaa"))
    shutil.copy2(pipeline.folder / "data/split/cc12m.parquet", pipeline.folder / "data/split/aaa.parquet")
    pipeline.ends_well()


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def older(path: Path) -> None:
    table = pq.read_table(path)
    pq.write_table(table.drop_columns(table.column_names[-1]), path)


def flipped(path: Path) -> None:
    """Flip a bit of each column, since a stage reads only some of them."""
    data = bytearray(path.read_bytes())
    columns = pq.ParquetFile(path).metadata.row_group(0)
    for column in map(columns.column, range(columns.num_columns)):
        start = column.dictionary_page_offset or column.data_page_offset
        data[start + column.total_compressed_size - 3] ^= 4
    path.write_bytes(data)


NO_TABLES = ("sample", "read_captions", "scene_graphs", "filter_vg", "gen_order", "analyse")
"""Stages that read no tables; analyse reads them for a model with a codebook, which this pipeline does not train."""
READING = [script for script in STAGES if script not in NO_TABLES]


@each(*READING)
@pytest.mark.parametrize("damage", [cut_short, older, flipped], ids=lambda damage: damage.__name__)
def test_a_damaged_table_stops_a_stage_before_any_output(disturbed, script, damage):
    pipeline = disturbed(script)
    read = [dep for dep in pipeline.stage.deps if dep.endswith(".parquet")]
    for dep in read or ["data/sample/train/images.parquet"]:
        path = pipeline.folder / dep
        whole = path.read_bytes()
        damage(path)
        status, lines = pipeline.run(pipeline.stage)
        pipeline.stopped_with_a_remedy(status, lines, dep)
        assert pipeline.digests(pipeline.stage) == {}
        path.write_bytes(whole)


@each("seen_index", "split", "filter_vg", "scene_graphs", "walk_subgraphs")
def test_too_little_memory_for_duckdb_names_the_parameter_or_does_not_matter(disturbed, script):
    pipeline = disturbed(script)
    for memory in ("1KB", "3MB"):
        pipeline.set(**{"run.memory": memory})
        status, lines = pipeline.run(pipeline.stage)
        if status:
            pipeline.stopped_with_a_remedy(status, lines, "raise run.memory")
            pipeline.nothing_is_half_written()
        else:
            assert memory != "1KB" and pipeline.digests(pipeline.stage) == pipeline.whole.wrote[pipeline.stage.name]


@each("sample", "parse_train", "filter_vg", "gen_hn_prod")
def test_a_worker_that_dies(disturbed, script):
    """Test a stage that writes a folder, two that retain work, and one of the three similar ones that make negatives."""
    pipeline = disturbed(script)
    pipeline.set(**{"run.workers": 2})
    process = pipeline.start(pipeline.stage)
    workers: list[psutil.Process] = []
    while not workers and process.is_alive():
        children = psutil.Process(process.pid).children()
        workers = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
        time.sleep(0.01)
    workers[0].kill()
    process.join()
    pipeline.stopped_with_a_remedy(process.exitcode or 0, pipeline.log(), "a worker process was killed by SIGKILL")
    pipeline.nothing_is_half_written()
    assert pipeline.hidden() == []
    if any(argument == "--work" for argument in pipeline.stage.arguments):
        pipeline.set(**{"run.workers": 1})
        pipeline.ends_well()


CLUSTER = """
from ray.cluster_utils import Cluster
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
cluster.add_node(num_cpus=1)
cluster.wait_for_nodes()
print(cluster.address, flush=True)
input()
cluster.shutdown()
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Yield the address of a Ray cluster of two nodes, which are started in a different folder from the stages."""
    pytest.importorskip("ray")
    how = {"env": {**os.environ, "RAY_raylet_start_wait_time_s": "120"}, "cwd": "/", "text": True}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-c", CLUSTER], **how, **pipes) as process:
        yield process.stdout.readline().strip()
        process.stdin.write("\n")


DISTRIBUTED = (
    *("read_captions", "parse_train", "scene_graphs", "filter_vg", "walk_subgraphs", "caption", "gen_aro"),
    *("gen_hn_atom", "gen_hn_comp", "gen_hn_prod", "mine_negatives"),
)


@pytest.mark.heavy
@pytest.mark.parametrize("script", DISTRIBUTED)
def test_a_cluster_of_two_nodes_gives_the_same_bytes(disturbed, cluster, script):
    it = disturbed(script)
    it.set(**{"run.runner": "ray"})
    status, lines = it.run(it.stage, lambda: os.environ.update(RAY_ADDRESS=cluster))
    assert status == 0, "\n".join(lines)
    assert it.digests(it.stage) == it.whole.wrote[it.stage.name]
