"""Work that is shared out: one function over many tasks, on processes of this machine or on a Ray cluster.

The function must be importable, and its tasks and results small, for both travel between processes. What a worker needs to keep
(a loaded pipeline) belongs in a cached function of its module. Results come back in the order in which they are ready, each with
its task's number, so that the caller can put them in order or keep them for a later run.
"""

import logging
import os
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, TypeVar, cast

from stages.contract.errors import CrepeError, MissingPackage, told

T = TypeVar("T")
R = TypeVar("R")

PROJECT = Path(__file__).resolve().parents[2]
RESUME = "run the same command again: it goes on where this one stopped"


def each(
    function: Callable[[T], R], tasks: Iterable[T], workers: int, runner: str = "local", gpus: float = 0
) -> Iterator[tuple[int, R]]:
    """``(number, function(task))`` for every task, as they are done.

    Args:
        workers: processes; with 1 and ``local`` the work is done here and in order.
        runner: ``local``, or ``ray``: the cluster that RAY_ADDRESS names, or else one of ``workers`` processes on this machine.
        gpus: how much of a GPU a task of Ray's needs.

    Raises:
        CrepeError: what a task raised, or a worker died.
        MissingPackage: ``ray`` is asked for and not installed.
    """
    if runner == "ray":
        return _on_ray(function, tasks, workers, gpus)
    if workers == 1:
        return ((number, function(task)) for number, task in enumerate(tasks))
    return _on_processes(function, tasks, workers)


def in_order(answers: Iterable[tuple[int, R]]) -> Iterator[R]:
    """What :func:`each` yields, in the order of its tasks."""
    waiting: dict[int, R] = {}
    n = 0
    for number, answer in answers:
        waiting[number] = answer
        while n in waiting:
            yield waiting.pop(n)
            n += 1


# --- What a task comes to: ("done", result), or what went wrong as text, because not every exception can travel ----


def _attempt(function: Callable[[Any], Any], task: Any) -> tuple[str, Any]:
    try:
        return "done", function(task)
    except Exception as error:
        line = told(error)
        return ("error", line) if line else ("fault", traceback.format_exc())


def _result(answer: tuple[str, Any]) -> Any:
    kind, value = answer
    if kind == "error":
        raise CrepeError(value)
    if kind == "fault":
        raise RuntimeError(f"in a worker:\n{value}")
    return value


# --- Processes ----


def _serve(pipe: Connection, function: Callable[[Any], Any]) -> None:
    """A worker: answers tasks until its pipe is closed, also by the death of the process that made it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        while True:
            pipe.send(_attempt(function, pipe.recv()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


def _on_processes(function: Callable[[T], R], tasks: Iterable[T], workers: int) -> Iterator[tuple[int, R]]:
    processes: dict[Connection, Any] = {}
    busy: dict[Connection, int] = {}
    try:
        numbered = enumerate(tasks)
        first = list(islice(numbered, workers))
        # All at once: each takes seconds to begin, and a large task cannot be sent before. None without a task.
        processes |= (_started(function) for _ in first)
        for pipe, (number, task) in zip(processes, first, strict=True):
            _send(pipe, task, processes)
            busy[pipe] = number
        while busy:
            ahead = next(numbered, None)  # made while the workers are at work
            pipe, done, answer = _next(busy, processes)
            if ahead is not None:
                busy[pipe], task = ahead
                _send(pipe, task, processes)
            # Only now: the worker goes on while the caller looks at what it found.
            yield done, _result(answer)
    finally:
        for process in processes.values():
            process.kill()
            process.join()


def _started(function: Callable[[Any], Any]) -> tuple[Connection, Any]:
    """A new worker, by our end of its pipe."""
    # Spawned, not forked: a forked child inherits the locks of threads that it has not.
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, function), daemon=True)
    process.start()
    theirs.close()
    return ours, process


def _send(pipe: Connection, task: Any, processes: dict[Connection, Any]) -> None:
    try:
        pipe.send(task)
    except (BrokenPipeError, ConnectionResetError):
        raise _died(processes[pipe]) from None


def _next(busy: dict[Connection, int], processes: dict[Connection, Any]) -> tuple[Connection, int, tuple[str, Any]]:
    """The next answer of a busy worker, who is then no longer busy."""
    pipe = cast(Connection, wait(list(busy))[0])
    try:
        return pipe, busy.pop(pipe), pipe.recv()
    except (EOFError, ConnectionResetError):
        raise _died(processes[pipe]) from None


def _died(process: Any) -> CrepeError:
    process.join()
    code = process.exitcode
    how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
    memory = ", as happens where memory is short: set run.workers lower" if code == -signal.SIGKILL else ""
    return CrepeError(f"a worker process {how}{memory}. Remedy: {RESUME}.")


# --- Ray ----


def _on_ray(function: Callable[[T], R], tasks: Iterable[T], workers: int, gpus: float) -> Iterator[tuple[int, R]]:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # before the import: nobody is told that we run
    try:
        import ray
    except ImportError:
        raise MissingPackage("ray", "params.yaml, run.runner: ray") from None
    cluster: dict[str, Any] = {} if "RAY_ADDRESS" in os.environ else {"num_cpus": workers, "include_dashboard": False}
    # Workers import what they run: every machine of a cluster needs the project, and what it needs, at the same path.
    environment = {"env_vars": {"PYTHONPATH": str(PROJECT)}}
    ray.init(logging_level=logging.ERROR, log_to_driver=False, runtime_env=environment, **cluster)
    try:
        # A task whose machine is lost is given to another; the same task gives the same bytes.
        remote = ray.remote(num_cpus=1, num_gpus=gpus, max_retries=3)(_attempt)
        at_once = 2 * int(ray.cluster_resources().get("CPU", workers))
        busy: dict[Any, int] = {}
        for number, task in enumerate(tasks):
            if len(busy) >= at_once:
                yield _first(ray, busy)
            busy[remote.remote(function, task)] = number
        while busy:
            yield _first(ray, busy)
    finally:
        ray.shutdown()


def _first(ray: Any, busy: dict[Any, int]) -> tuple[int, Any]:
    """The number and the result of a task that is done, which is then no longer busy."""
    (ready, *_), _waiting = ray.wait(list(busy))
    try:
        return busy.pop(ready), _result(ray.get(ready))
    except ray.exceptions.RayError as error:
        raise CrepeError(f"Ray could not finish a task: {str(error).splitlines()[-1]}. Remedy: {RESUME}.") from None
