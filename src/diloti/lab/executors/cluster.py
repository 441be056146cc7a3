"""Work done by a Ray cluster: one on this machine, started for the purpose, or one that runs.

The machines of a running cluster need this program installed, the same version as here.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Generator, Sequence
from functools import cached_property
from typing import Any

from diloti.core.errors import N_, DilotiError
from diloti.lab.executors.executor import AHEAD, ATTEMPTS, Result, answer
from diloti.lab.executors.failures import (
    Failure,
    WorkerDied,
    WorkerFailed,
    pack_error,
    unpack_error,
)

LOCAL = "local"
"""The address that stands for a cluster of this program's own, on this machine."""

_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}
"""What Ray reads from the environment: it reports nothing to anybody, and warns of no devices."""
_STORE_SIZE = 256 << 20
"""Bytes that results may take while they wait."""
_LONGEST_KNOCK = 30.0
"""Seconds in which a running cluster must have answered."""
_KNOCK = """
import logging, sys, ray
ray.init(sys.argv[1], log_to_driver=False, logging_level=logging.ERROR)
"""


class ClusterError(DilotiError):
    """A cluster that cannot be had."""


def check_ray() -> None:
    """Raise `ClusterError` unless Ray is installed; it is not imported yet."""
    if importlib.util.find_spec("ray") is None:
        raise ClusterError(
            N_("a cluster needs more: install diloti[ray], as with: pip install diloti[ray]")
        )


class RayCluster:
    """Processes of the Ray cluster at an address, which is joined when there is work.

    Without `workers` a running cluster gives all its processors. It is left when the program ends,
    or by `leave`.
    """

    def __init__(self, *, address: str = LOCAL, workers: int | None = None) -> None:
        self._address = address
        self._wanted = workers

    @cached_property
    def workers(self) -> int:
        """How many work at once; a cluster that was not told how many is joined to know."""
        return self._wanted or max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def run(
        self,
        work: Callable[[int], Result],
        numbers: Sequence[int],
        *,
        prepare: Callable[[], object] | None = None,
    ) -> Generator[Result, None, None]:
        """The results in order, as `Executor` says."""
        ray = self._ray
        task = ray.put((work, prepare))
        do = ray.remote(max_retries=ATTEMPTS - 1)(_do)
        waiting: deque[Any] = deque()
        given = 0
        try:
            for _ in numbers:
                while given < len(numbers) and len(waiting) < AHEAD * self.workers:
                    waiting.append(do.remote(task, task.hex(), numbers[given]))
                    given += 1
                result, failure = _fetch(ray, waiting[0])
                waiting.popleft()
                if failure is not None:
                    raise unpack_error(failure)
                yield result
        finally:
            for reference in waiting:
                ray.cancel(reference, force=True)

    def leave(self) -> None:
        """Leave the cluster; one of this program's own ends."""
        if "_ray" in vars(self):
            self._ray.shutdown()
            del self._ray

    @cached_property
    def _ray(self) -> Any:
        """The module of Ray, in touch with the cluster; `ClusterError` where there is none."""
        check_ray()
        os.environ.update(_QUIET)
        import ray

        own: dict[str, Any] = {}
        if self._address == LOCAL:
            own = {
                "num_cpus": self._wanted,
                "object_store_memory": _STORE_SIZE,
                "include_dashboard": False,
            }
        else:
            self._knock()
        try:
            ray.init(self._address, log_to_driver=False, logging_level=logging.ERROR, **own)
        except (OSError, RuntimeError, ValueError) as trouble:
            raise self._absence(trouble) from trouble
        return ray

    def _knock(self) -> None:
        """Raise `ClusterError` where no cluster answers at the address.

        Ray itself would wait for many minutes, cannot be stopped meanwhile, and complains into the
        terminal: another process tries it first.
        """
        host, _, port = self._address.removeprefix("ray://").rpartition(":")
        command = [sys.executable, "-c", _KNOCK, self._address]
        try:
            if host and port.isdecimal():
                socket.create_connection((host, int(port)), timeout=_LONGEST_KNOCK).close()
            subprocess.run(
                command, check=True, capture_output=True, text=True, timeout=_LONGEST_KNOCK
            )
        except subprocess.TimeoutExpired as trouble:
            raise ClusterError(
                N_("no Ray cluster has answered at {address} for {seconds} seconds"),
                address=self._address,
                seconds=round(_LONGEST_KNOCK),
            ) from trouble
        except subprocess.CalledProcessError as trouble:
            raise self._absence(trouble.stderr.strip().rpartition("\n")[2]) from trouble
        except (OSError, ValueError) as trouble:
            raise self._absence(trouble) from trouble

    def _absence(self, reason: object) -> ClusterError:
        return ClusterError(
            N_("there is no Ray cluster at {address}: {reason}"),
            address=self._address,
            reason=str(reason).partition("\n")[0],
        )


def _fetch(ray: Any, reference: Any) -> tuple[Any, Failure | None]:
    try:
        result, failure = ray.get(reference)
    except ray.exceptions.RayTaskError as trouble:  # it did not even come to the work
        raise WorkerFailed(str(trouble)) from None
    except ray.exceptions.RayError as trouble:
        raise WorkerDied(
            N_("a worker of the cluster has ended without an answer: {reason}"),
            reason=str(trouble).partition("\n")[0],
        ) from None
    return result, failure


_prepared: set[str] = set()
"""In a worker: the tasks it has been prepared for."""


def _do(
    task: tuple[Callable[[int], Result], Callable[[], object] | None], name: str, number: int
) -> tuple[Result | None, Failure | None]:
    """In a worker: prepare for a task the first time, then do the work for a number."""
    work, prepare = task
    if prepare is not None and name not in _prepared:
        try:
            prepare()
        except Exception as error:
            return None, pack_error(error)
        _prepared.add(name)
    return answer(work, number)
