"""Who does the work that is asked for on the command line."""

from __future__ import annotations

from diloti.lab.executors.cluster import LOCAL, RayCluster
from diloti.lab.executors.executor import Executor, count_cores
from diloti.lab.executors.processes import LocalProcesses
from diloti.usage import check_number

_MOST_WORKERS = 1024


def pick_executor(*, workers: int | None, cluster: str | None, pieces: int) -> Executor:
    """Processes of this machine, or the cluster at an address, for so many pieces of work.

    Without `workers` every core gets one, or as many as a running cluster has. `UsageError` where
    there cannot be so many.
    """
    if workers is not None:
        check_number("--workers", workers, 1, _MOST_WORKERS)
    crew = min(count_cores() if workers is None else workers, pieces)
    if cluster is None:
        return LocalProcesses(crew)
    return RayCluster(address=cluster, workers=crew if cluster == LOCAL else workers)
