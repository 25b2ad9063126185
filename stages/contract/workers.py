"""Distributed work: one function over many tasks, on processes of this machine or on a Ray cluster.

The function must be importable, and its tasks and results small, because both are sent between processes. What a worker caches (a
loaded pipeline) belongs in a cached function of its module. Results come back in order of completion, each with its task's number,
so that the caller can order them, or store them for a later run.
"""

import os
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from stages.contract.errors import CrepeError, message_of
from stages.contract.ray_runner import on_ray

T = TypeVar("T")
R = TypeVar("R")

RESUME = "run the same command again: it continues where this one stopped"


class Running(Protocol):
    """The section ``run`` of the parameters: the number of workers of a stage, and where they run."""

    @property
    def workers(self) -> int: ...

    @property
    def runner(self) -> str: ...


class Machine(NamedTuple):
    """An implementation of :class:`Running` with given values."""

    workers: int
    runner: str = "local"


def each(function: Callable[[T], R], tasks: Iterable[T], running: Running | int, gpus: float = 0) -> Iterator[tuple[int, R]]:
    """Yield ``(number, function(task))`` for every task, in order of completion.

    Args:
        running: the section ``run``: the number of processes, and whether they are on this machine (``local``; with one worker the
        work is done here and in order) or of a Ray cluster (``ray``: the one that RAY_ADDRESS names, or else one on this machine).
        A number means processes on this machine.
        gpus: the fraction of a GPU that a task needs on Ray.

    Raises:
        CrepeError: a task raised one, a worker died, or no cluster answers.
        MissingPackage: ``ray`` is required and not installed.
    """
    machine = Machine(running) if isinstance(running, int) else running
    if machine.runner == "ray":
        return ((number, _result(answer)) for number, answer in on_ray(_attempt, function, tasks, machine.workers, gpus))
    if machine.workers == 1:
        return ((number, function(task)) for number, task in enumerate(tasks))
    return _on_processes(function, tasks, machine.workers)


def at_most(running: Running, tasks: int) -> Machine:
    """Return the same settings with no more workers than tasks: each takes seconds to start."""
    return Machine(min(running.workers, max(1, tasks)), running.runner)


def in_order(answers: Iterable[tuple[int, R]]) -> Iterator[R]:
    """Yield the results of :func:`each`, in the order of the tasks."""
    waiting: dict[int, R] = {}
    n = 0
    for number, answer in answers:
        waiting[number] = answer
        while n in waiting:
            yield waiting.pop(n)
            n += 1


# --- A task's result: ("done", result), or an error as text, because not every exception can be sent ----


def _attempt(function: Callable[[Any], Any], task: Any, folder: Path | None = None) -> tuple[str, Any]:
    try:
        if folder:
            os.chdir(folder)
        return "done", function(task)
    except Exception as error:
        line = message_of(error)
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
    """Answer tasks until the pipe is closed, also by the death of the parent process."""
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
        # All at once: each takes seconds to start, and a large task cannot be sent earlier. None without a task.
        processes |= (_started(function) for _ in first)
        for pipe, (number, task) in zip(processes, first, strict=True):
            with _alive(processes[pipe]):
                pipe.send(task)
            busy[pipe] = number
        while busy:
            ahead = next(numbered, None)  # made while the workers are busy
            pipe = cast(Connection, wait(list(busy))[0])
            with _alive(processes[pipe]):
                done, answer = busy.pop(pipe), pipe.recv()
                if ahead is not None:
                    busy[pipe], task = ahead
                    pipe.send(task)
            # Only now: the worker continues while the caller processes the result.
            yield done, _result(answer)
    finally:
        for process in processes.values():
            process.kill()
            process.join()


def _started(function: Callable[[Any], Any]) -> tuple[Connection, Any]:
    """Return a new worker, as our end of its pipe."""
    # Spawned, not forked: a forked child inherits the locks of threads that it does not have.
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, function), daemon=True)
    process.start()
    theirs.close()
    return ours, process


@contextmanager
def _alive(process: Any) -> Iterator[None]:
    """Raise an error that says how the process ended, where its pipe is broken."""
    try:
        yield
    except (EOFError, BrokenPipeError, ConnectionResetError):
        process.join()
        code = process.exitcode
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
        memory = ", probably for lack of memory: lower run.workers" if code == -signal.SIGKILL else ""
        raise CrepeError(f"a worker process {how}{memory}. Remedy: {RESUME}.") from None
