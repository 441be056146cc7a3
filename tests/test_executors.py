"""Whoever does the work, the results are the same, in order, and nothing is lost."""

from __future__ import annotations

import multiprocessing
import socket
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from pickle import PicklingError
from typing import Any

import pytest

from diloti.core.legality import IllegalPlay, Refusal
from diloti.core.plays import TRAIL, Play
from diloti.core.record_reader import RecordError
from diloti.core.rules import CLASSIC
from diloti.lab.data.generating import generate, plan_job
from diloti.lab.duel import Duel, play_pairs
from diloti.lab.executors import cluster as cluster_module
from diloti.lab.executors.cluster import ClusterError, RayCluster
from diloti.lab.executors.crew import pick_executor
from diloti.lab.executors.executor import AHEAD, Executor, count_cores
from diloti.lab.executors.failures import WorkerDied, WorkerFailed, pack_error, unpack_error
from diloti.lab.executors.processes import LocalProcesses
from diloti.lab.player import Player, PlayerError
from tests.setting import position
from tests.test_dataset import contents
from tests.working import (
    bring_what_stays,
    fail_stubbornly,
    work_or_be_killed,
    work_or_die,
    work_or_fail,
    work_visibly,
)


def no_clock() -> float:
    return 0.0


def test_results_come_in_order_until_the_first_error() -> None:
    results: list[int] = []
    ordered = LocalProcesses(2).run(work_or_fail, range(20))
    with pytest.raises(IllegalPlay) as caught:
        results.extend(ordered)
    assert results == [0, 1, 4, 9, 16]
    assert caught.value.refusal is Refusal.NOT_IN_HAND
    assert "work_or_fail" in str(caught.value.__cause__)
    assert not multiprocessing.active_children()


def test_closing_ends_the_processes() -> None:
    ordered = LocalProcesses(2).run(work_or_fail, range(20))
    assert next(ordered) == 0
    assert len(multiprocessing.active_children()) == 2
    ordered.close()
    assert not multiprocessing.active_children()


def test_a_worker_that_always_dies_is_noticed() -> None:
    results: list[int] = []
    with pytest.raises(WorkerDied, match="exit code 9"):
        results.extend(LocalProcesses(2).run(work_or_die, range(20)))
    assert results == [0, 1, 2]
    assert not multiprocessing.active_children()


def test_a_result_that_cannot_be_brought_over_is_told() -> None:
    results: list[Any] = []
    with pytest.raises((AttributeError, PicklingError), match="pickle"):
        results.extend(LocalProcesses(2).run(bring_what_stays, range(20)))
    assert results == [0, 1, 2]
    assert not multiprocessing.active_children()


def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    work = partial(work_or_be_killed, tmp_path)
    assert list(LocalProcesses(2).run(work, [7, 3, 5, 1, 9])) == [70, 30, 50, 10, 90]
    assert (tmp_path / "killed").exists()
    assert not multiprocessing.active_children()


def test_work_waits_for_whoever_reads(tmp_path: Path) -> None:
    ordered = LocalProcesses(2).run(partial(work_visibly, tmp_path), range(1000))
    for number in range(5):
        assert next(ordered) == number
    ordered.close()
    begun = {int(file.name) for file in tmp_path.iterdir()}
    assert begun >= set(range(5))
    assert max(begun) < 4 + 2 * AHEAD


# --- A cluster ---------------------------------------------------------------------


@pytest.fixture
def cluster() -> Iterator[RayCluster]:
    """A Ray cluster of two workers on this machine."""
    pytest.importorskip("ray", reason="Ray is not installed")
    cluster = RayCluster(workers=2)
    yield cluster
    cluster.leave()


@pytest.mark.proof
def test_a_cluster_does_the_same(cluster: RayCluster, tmp_path: Path) -> None:
    results: list[int] = []
    with pytest.raises(IllegalPlay) as caught:
        results.extend(cluster.run(work_or_fail, range(20)))
    assert results == [0, 1, 4, 9, 16]
    assert caught.value.refusal is Refusal.NOT_IN_HAND
    assert "work_or_fail" in str(caught.value.__cause__)
    with pytest.raises(WorkerFailed, match="fail_stubbornly"):
        list(cluster.run(fail_stubbornly, range(2)))
    with pytest.raises(WorkerFailed, match="fail_stubbornly"):
        list(cluster.run(abs, range(2), prepare=fail_stubbornly))
    ordered = cluster.run(partial(work_visibly, tmp_path), range(1000))
    assert [next(ordered) for _ in range(5)] == list(range(5))
    ordered.close()
    assert max(int(file.name) for file in tmp_path.iterdir()) < 4 + 2 * AHEAD


@pytest.mark.proof
def test_a_worker_of_a_cluster_that_is_killed_loses_nothing(
    cluster: RayCluster, tmp_path: Path
) -> None:
    work = partial(work_or_be_killed, tmp_path)
    assert list(cluster.run(work, [7, 3, 5, 1, 9])) == [70, 30, 50, 10, 90]
    assert (tmp_path / "killed").exists()
    results: list[int] = []
    with pytest.raises(WorkerDied, match="of the cluster"):
        results.extend(cluster.run(work_or_die, range(20)))
    assert results == [0, 1, 2]


@pytest.mark.proof
def test_games_of_a_cluster_are_those_of_processes(cluster: RayCluster, tmp_path: Path) -> None:
    job = plan_job(CLASSIC, ("greedy", "random"), games=12, seed=5, part_size=3)
    executors: dict[str, Executor] = {"here": LocalProcesses(2), "cluster": cluster}
    for name, executor in executors.items():
        generate(tmp_path / name, job, executor=executor)
    assert contents(tmp_path / "here") == contents(tmp_path / "cluster")
    duel = Duel(CLASSIC, (Player("greedy"), Player("random")), 5)
    played = [
        list(play_pairs(duel, pairs=6, executor=executor, clock=no_clock))
        for executor in executors.values()
    ]
    assert played[0] == played[1]


@pytest.mark.proof
def test_a_cluster_that_is_not_there_is_said() -> None:
    pytest.importorskip("ray", reason="Ray is not installed")
    with pytest.raises(ClusterError, match=r"there is no Ray cluster at 127\.0\.0\.1:1"):
        list(RayCluster(address="127.0.0.1:1", workers=1).run(abs, range(2)))


@pytest.mark.proof
@pytest.mark.parametrize("address", ["auto", "127.0.0.1:{port}"])
def test_a_cluster_that_does_not_answer_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    pytest.importorskip("ray", reason="Ray is not installed")
    monkeypatch.setattr(cluster_module, "_LONGEST_KNOCK", 2.0)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        port = mute.getsockname()[1]
        monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{port}")
        with pytest.raises(ClusterError, match=r"has answered at .* for 2 seconds"):
            list(RayCluster(address=address.format(port=port), workers=1).run(abs, range(2)))


def test_a_cluster_without_ray_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(ClusterError, match=r"diloti\[ray\]"):
        list(RayCluster(workers=1).run(abs, range(2)))


def test_who_works_is_picked() -> None:
    assert pick_executor(workers=8, cluster=None, pieces=3) == LocalProcesses(3)
    assert pick_executor(workers=None, cluster=None, pieces=1000).workers == count_cores()
    assert isinstance(pick_executor(workers=2, cluster="local", pieces=3), RayCluster)
    assert pick_executor(workers=64, cluster="10.0.0.1:6379", pieces=3).workers == 64


def test_errors_of_every_kind_come_over() -> None:
    with pytest.raises(WorkerFailed, match="fail_stubbornly"):
        list(LocalProcesses(2).run(fail_stubbornly, range(2)))
    with pytest.raises(WorkerFailed, match="fail_stubbornly"):
        list(LocalProcesses(2).run(abs, range(2), prepare=fail_stubbornly))


def test_an_error_keeps_its_details() -> None:
    inner = IllegalPlay(position("6h", "2c"), Play(TRAIL, 51), Refusal.NOT_IN_HAND)
    outer = RecordError(7, inner)
    outer.add_note("noted")
    system = FileNotFoundError(2, "No such file", "a.txt")
    try:
        b"\xff".decode()
    except UnicodeDecodeError as trouble:
        errors = [outer, inner, system, trouble, PlayerError("{reason}", reason=trouble)]
    for error in errors:
        again = unpack_error(pack_error(error))
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert again.__cause__ is not None
    found = unpack_error(pack_error(outer))
    assert isinstance(found, RecordError)
    assert isinstance(found.trouble, IllegalPlay)
    assert found.trouble is found.details["trouble"]
    assert found.trouble.refusal is Refusal.NOT_IN_HAND
    assert found.__notes__ == ["noted"]


def test_one_worker_is_no_process() -> None:
    prepared: list[int] = []
    with pytest.raises(IllegalPlay):
        list(LocalProcesses(1).run(work_or_fail, range(20), prepare=lambda: prepared.append(1)))
    assert prepared == [1]
    assert count_cores() >= 1
