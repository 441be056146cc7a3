"""Work done by several processes of this machine.

The processes are started afresh (not forked). They never hear the interrupt key: whoever reads the
results does, and closing ends them.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from diloti.core.errors import N_
from diloti.lab.executors.executor import AHEAD, ATTEMPTS, Result, answer
from diloti.lab.executors.failures import Failure, WorkerDied, pack_error, unpack_error

_LONGEST_GOODBYE = 5.0


@dataclass(frozen=True)
class LocalProcesses:
    """So many processes. One worker is no process at all: the work is done by whoever reads."""

    workers: int

    def run(
        self,
        work: Callable[[int], Result],
        numbers: Sequence[int],
        *,
        prepare: Callable[[], object] | None = None,
    ) -> Generator[Result, None, None]:
        """The results in order, as `Executor` says."""
        if self.workers == 1:
            if prepare is not None:
                prepare()
            yield from map(work, numbers)
            return
        crew = _Crew(work, prepare)
        try:
            crew.start(min(self.workers, len(numbers)))
            yield from crew.results(numbers)
        finally:
            crew.end()


class _Crew:
    """The processes, each at the other end of a pipe."""

    def __init__(self, work: Callable[[int], object], prepare: Callable[[], object] | None) -> None:
        self._task = work, prepare
        self._processes: dict[Connection, BaseProcess] = {}
        self._numbers: dict[Connection, int] = {}
        """What each process is working on."""
        self._deaths: Counter[int] = Counter()
        """How many processes have died over a number."""

    def start(self, workers: int) -> None:
        """Start so many processes."""
        with _uninterrupted():
            for _ in range(workers):
                self._start_one()

    def _start_one(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, *self._task), daemon=True)
        process.start()
        theirs.close()
        self._processes[ours] = process
        return ours

    def results(self, numbers: Sequence[int]) -> Generator[Any, None, None]:
        """The results in order."""
        early: dict[int, tuple[object, Failure | None]] = {}
        given = 0
        for place, number in enumerate(numbers):
            end = min(len(numbers), place + AHEAD * len(self._processes))
            given = self._give_out(numbers, given, end)
            while number not in early:
                for pipe in wait(list(self._numbers)):
                    assert isinstance(pipe, Connection)
                    self._hear(pipe, early)
                given = self._give_out(numbers, given, end)
            result, failure = early.pop(number)
            if failure is not None:
                raise unpack_error(failure)
            yield result

    def _give_out(self, numbers: Sequence[int], given: int, end: int) -> int:
        """Give numbers from place `given` up to `end` to those with nothing to do; the next."""
        for pipe in [pipe for pipe in self._processes if pipe not in self._numbers]:
            if given == end:
                break
            self._give(pipe, numbers[given])
            given += 1
        return given

    def _give(self, pipe: Connection, number: int) -> None:
        self._numbers[pipe] = number
        with contextlib.suppress(OSError):  # it has died: that is noticed by whoever listens
            pipe.send(number)

    def _hear(self, pipe: Connection, early: dict[int, tuple[object, Failure | None]]) -> None:
        """Take what a process answers, or its death: another one then does the same."""
        try:
            number, result, failure = pipe.recv()
        except (EOFError, OSError):
            self._replace(pipe)
            return
        if number is None:  # it could not even prepare
            raise unpack_error(failure)
        del self._numbers[pipe]
        early[number] = result, failure

    def _replace(self, pipe: Connection) -> None:
        number, process = self._numbers.pop(pipe), self._processes.pop(pipe)
        pipe.close()
        _end(process)
        self._deaths[number] += 1
        if self._deaths[number] == ATTEMPTS:
            raise WorkerDied(
                N_("a worker has ended without an answer (exit code {code})"), code=process.exitcode
            )
        with _uninterrupted():
            another = self._start_one()
        self._give(another, number)

    def end(self) -> None:
        """End all processes that were started here."""
        for process in self._processes.values():
            process.terminate()
        for pipe, process in self._processes.items():
            _end(process)
            pipe.close()
        self._processes.clear()


def _end(process: BaseProcess) -> None:
    """Wait for a process that is ending, though not for ever."""
    process.join(_LONGEST_GOODBYE)
    if process.is_alive():
        process.kill()
        process.join()


@contextlib.contextmanager
def _uninterrupted() -> Generator[None, None, None]:
    """Here and in processes started here the interrupt key does nothing.

    In a thread that is not the main one nothing changes: signals never reach it.
    """
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _serve(
    pipe: Connection, work: Callable[[int], object], prepare: Callable[[], object] | None
) -> None:
    """The life of a worker: prepare, then answer numbers until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(EOFError, OSError):  # whoever asked has gone
        try:
            if prepare is not None:
                prepare()
        except Exception as error:
            pipe.send((None, None, pack_error(error)))
            return
        while True:
            number = pipe.recv()
            result, failure = answer(work, number)
            try:
                pipe.send((number, result, failure))
            except OSError:
                raise
            except Exception as error:  # the result cannot be pickled; nothing of it was sent
                pipe.send((number, None, pack_error(error)))
