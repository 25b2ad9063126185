"""Work on a Ray cluster gives the same answers whatever happens to its machines; a silent address is reported soon."""

import os
import socket
import time

import pyarrow as pa
import pytest

from stages.contract.errors import CrepeError, InputError, MissingPackage
from stages.contract.ray_runner import ADDRESS
from stages.contract.workers import Machine, each, in_order

ray = pytest.importorskip("ray")
SOON = 30
"""Seconds within which a dead cluster is reported."""


def closed_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.mark.parametrize("address", ["127.0.0.1:{}", "ray://127.0.0.1:{}", "127.0.0.1:word"])
def test_a_closed_address_is_told_at_once(address, monkeypatch):
    monkeypatch.setenv(ADDRESS, address.format(closed_port()))
    start = time.monotonic()
    with pytest.raises(CrepeError, match=r"no Ray cluster answers at .*127\.0\.0\.1.*Remedy: start it"):
        list(each(abs, [1], Machine(2, "ray")))
    assert time.monotonic() - start < SOON / 3


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_an_address_where_no_cluster_answers_is_told_soon(scheme, monkeypatch):
    """Something accepts the connection and never answers, like a cluster whose head hangs."""
    if scheme:
        pytest.importorskip("grpc")
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        monkeypatch.setenv(ADDRESS, f"{scheme}127.0.0.1:{deaf.getsockname()[1]}")
        start = time.monotonic()
        with pytest.raises(CrepeError, match="no Ray cluster answers"):
            list(each(abs, [1], Machine(2, "ray")))
        assert time.monotonic() - start < SOON


def test_rays_client_needs_a_package(monkeypatch):
    monkeypatch.setattr("stages.contract.ray_runner.find_spec", lambda _name: None)
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        one.listen()
        monkeypatch.setenv(ADDRESS, f"ray://127.0.0.1:{one.getsockname()[1]}")
        with pytest.raises(MissingPackage, match=r"pip install ray\[client\]"):
            list(each(abs, [1], Machine(2, "ray")))


def slow_table(n: int) -> pa.Table:
    time.sleep(0.3)
    if n == 1000:
        raise InputError("a.txt", "is wrong", "correct it", row=n)
    kinds = pa.array(["a", None, "b"], pa.string()).dictionary_encode()
    return pa.table({"n": pa.array([n, None, 2**53 + 1], pa.int64()), "kind": kinds, "float": pa.array([n, 1, 2], pa.float32())})


@pytest.mark.heavy
def test_two_nodes_of_which_one_dies_half_way_give_the_same_tables(monkeypatch):
    monkeypatch.setenv("RAY_raylet_start_wait_time_s", "120")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        other = cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        monkeypatch.setenv(ADDRESS, cluster.address)
        found = []
        for number, table in each(slow_table, range(16), Machine(2, "ray")):
            found.append((number, table))
            if len(found) == 5:
                cluster.remove_node(other, allow_graceful=False)
        assert list(in_order(found)) == [slow_table(n) for n in range(16)]
        assert all(table.schema == slow_table(0).schema for _, table in found)
        with pytest.raises(CrepeError, match=r"a\.txt, row 1000: is wrong"):
            list(each(slow_table, [1000], Machine(2, "ray")))
    finally:
        ray.shutdown()
        cluster.shutdown()


def test_a_cluster_of_this_machine_answers_every_task(monkeypatch):
    monkeypatch.delenv(ADDRESS, raising=False)
    found = dict(each(process, range(6), Machine(2, "ray")))
    assert sorted(found) == list(range(6)) and os.getpid() not in found.values()


def process(_task: int) -> int:
    return os.getpid()
