"""Tasks on a Ray cluster: the one that RAY_ADDRESS names, or else one of processes on this machine.

Ray only decides where a task runs: tasks are numbered before and come back with their numbers, exceptions are sent as
text, and a task's random choices depend on its own seed. Returned arrays are read-only.
"""

import logging
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from stages.contract.errors import CrepeError, MissingPackage

PROJECT = Path(__file__).resolve().parents[2]
ADDRESS = "RAY_ADDRESS"
PORTS = {"ray://": 10001, "": 6379}
CONNECT, ANSWER = 5, 20
"""Seconds in which a cluster must accept a connection, and answer: Ray itself waits for a quarter of an hour."""
AGAIN = 3
"""Maximum number of retries of a task whose machine is lost."""


def on_ray(
    attempt: Callable[[Any, Any, Path], Any], function: Callable[[Any], Any], tasks: Iterable[Any], workers: int, gpus: float
) -> Iterator[tuple[int, Any]]:
    """Yield ``(number, attempt(function, task, folder))`` for every task, in order of completion.

    Args:
        attempt: runs the function in this process's working folder, because a cluster's own workers are in another.
        workers: processes of a cluster on this machine; other clusters have their own.
        gpus: the fraction of a GPU that a task needs.

    Raises:
        CrepeError: no cluster answers at RAY_ADDRESS, or it could not finish a task.
        MissingPackage: Ray is not installed.
    """
    with _cluster(workers) as ray:
        # A task whose machine is lost is given to another; the same task gives the same bytes.
        remote = ray.remote(num_cpus=1, num_gpus=gpus, max_retries=AGAIN)(attempt)
        at_once = 2 * int(ray.cluster_resources().get("CPU", workers))
        busy: dict[Any, int] = {}
        for number, task in enumerate(tasks):
            if len(busy) >= at_once:
                yield _first(ray, busy)
            busy[remote.remote(function, task, Path.cwd())] = number
        while busy:
            yield _first(ray, busy)


@contextmanager
def _cluster(workers: int) -> Iterator[Any]:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # before the import: no usage statistics
    os.environ.setdefault("RAY_task_oom_retries", "1")  # unlimited otherwise
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")  # a busy machine takes longer than Ray's 30
    os.environ.setdefault("RAY_CLIENT_MAX_CONNECTION_TIMEOUT_S", str(CONNECT))  # of three trials; longer each time otherwise
    try:
        import ray
    except ImportError:
        raise MissingPackage("ray", "params.yaml, run.runner: ray") from None
    here = ADDRESS not in os.environ
    if not here:
        answers(os.environ[ADDRESS])
        if os.environ[ADDRESS].startswith("ray://") and not find_spec("grpc"):
            raise MissingPackage("ray[client]", f"{ADDRESS}={os.environ[ADDRESS]}")
    # Without "local" Ray would join any cluster that somebody else runs on this machine, and refuse ``num_cpus``.
    cluster: dict[str, Any] = {"address": "local", "num_cpus": workers, "include_dashboard": False} if here else {}
    # Workers import the code: every machine of a cluster needs the project, with its dependencies, at the same path.
    environment = {"env_vars": {"PYTHONPATH": str(PROJECT)}}
    try:
        ray.init(logging_level=logging.ERROR, log_to_driver=False, runtime_env=environment, **cluster)
    except Exception as error:  # of any kind, a bare Exception too
        raise _silent(os.environ.get(ADDRESS, "this machine"), str(error).strip().splitlines()[0][:200]) from None
    try:
        yield ray
    finally:
        ray.shutdown()


def answers(address: str) -> None:
    """Raise a CrepeError where no cluster answers at ``address`` within half a minute."""
    if address in ("auto", "local"):
        return
    scheme = "ray://" if address.startswith("ray://") else ""
    host, _, port = address.removeprefix(scheme).rpartition(":") if ":" in address.removeprefix(scheme) else (address, "", "")
    number = port or PORTS[scheme]
    try:
        socket.create_connection((host.strip("[]"), int(number)), CONNECT).close()
    except (OSError, ValueError) as error:
        raise _silent(address, str(error)) from None
    if not scheme:
        # Something listens there; only Ray's own protocol shows whether it is a working cluster.
        command = [sys.executable, "-m", "ray.scripts.scripts", "health-check", "--address", f"{host}:{number}"]
        try:
            asked = subprocess.run(command, timeout=ANSWER, capture_output=True, check=False)
        except subprocess.TimeoutExpired:
            raise _silent(address, f"no answer in {ANSWER} seconds") from None
        if asked.returncode:
            raise _silent(address, "the server there is not a working cluster")


def _silent(address: str, why: str) -> CrepeError:
    remedy = f"start it (ray start --head), correct {ADDRESS}, or set run.runner to local"
    return CrepeError(f"no Ray cluster answers at {address} ({why}). Remedy: {remedy}.")


def _first(ray: Any, busy: dict[Any, int]) -> tuple[int, Any]:
    """Return the number and the answer of a finished task, and free its worker."""
    (ready, *_), _waiting = ray.wait(list(busy))
    number = busy.pop(ready)
    try:
        return number, ray.get(ready)
    except ray.exceptions.RayError as error:
        resume = "run the same command again: it continues where this one stopped"
        raise CrepeError(f"Ray could not finish a task: {str(error).splitlines()[-1]}. Remedy: {resume}.") from None
