"""Who does the work: one function for many numbers, its results in the order of the numbers.

The processes may be on this machine (`processes`) or a cluster's (`cluster`); the results and the
errors are the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from typing import Protocol, TypeVar

from diloti.lab.executors.failures import Failure, pack_error

Result = TypeVar("Result")

AHEAD = 4
"""Numbers for each worker that are given out beyond the one whose result is waited for."""

ATTEMPTS = 3
"""A number that has ended so many workers is not given out again."""


class Executor(Protocol):
    """So many processes, which start when there is work."""

    @property
    def workers(self) -> int:
        """How many work at once."""

    def run(
        self,
        work: Callable[[int], Result],
        numbers: Sequence[int],
        *,
        prepare: Callable[[], object] | None = None,
    ) -> Generator[Result, None, None]:
        """The results of `work` for each number, in order; it must be one that can be pickled.

        Each process runs `prepare` first. What `work` raises is raised here, and nothing after it
        is done. At most `AHEAD` numbers a worker are ahead of whoever reads. The work of a process
        that dies is done again by another, `WorkerDied` comes where that does not help. Close the
        generator to end the work early.
        """


def count_cores() -> int:
    """How many processes of this program can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def answer(work: Callable[[int], Result], number: int) -> tuple[Result | None, Failure | None]:
    """In a worker: the result for a number, or the packed error."""
    try:
        return work(number), None
    except Exception as error:
        return None, pack_error(error)
