"""What can be asked of the laboratory on the command line: numbers within bounds, and workers."""

from __future__ import annotations

from diloti.core.errors import N_, DilotiError
from diloti.lab.cluster import LOCAL, RayCluster
from diloti.lab.executor import Executor, count_cores
from diloti.lab.workers import LocalProcesses

_MOST_WORKERS = 1024


class AskedError(DilotiError):
    """Something asked of the laboratory that cannot be."""


def check_number(name: str, number: int, least: int, most: int) -> None:
    """Raise `AskedError` unless the number of an option is within its bounds."""
    if not least <= number <= most:
        raise AskedError(
            N_("{name} must be a whole number from {least} to {most}"),
            name=name,
            least=least,
            most=most,
        )


def pick_executor(*, workers: int | None, cluster: str | None, pieces: int) -> Executor:
    """Who does so many pieces of work: processes of this machine, or the cluster at an address.

    Without `workers` every core gets one, or as many as a running cluster has.
    """
    if workers is not None:
        check_number("--workers", workers, 1, _MOST_WORKERS)
    crew = min(count_cores() if workers is None else workers, pieces)
    if cluster is None:
        return LocalProcesses(crew)
    return RayCluster(address=cluster, workers=crew if cluster == LOCAL else workers)
