"""One function for the numbers 0, 1, 2, … on several processes, its results in that order.

The processes are started afresh (not forked), so the function must be one that can be pickled.
They never hear the interrupt key: whoever reads the results does, and closing ends them.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import traceback
from collections.abc import Callable, Generator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from diloti.core.errors import N_, DilotiError

Result = TypeVar("Result")

_LONGEST_GOODBYE = 5.0
_Failure = tuple[str, bytes | None]


class WorkerDied(DilotiError):
    """A worker that has ended before its work was done."""


class WorkerFailed(RuntimeError):
    """An error in a worker that cannot be brought over: its traceback."""


class _InWorker(Exception):
    """Where in a worker an error happened: the cause of the error that is raised here."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def count_cores() -> int:
    """How many processes of this program can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def work_in_order(
    work: Callable[[int], Result],
    count: int,
    *,
    workers: int,
    prepare: Callable[[], object] | None = None,
) -> Generator[Result, None, None]:
    """The results of `work` for 0 up to `count`, exclusive, in order, by so many processes.

    Each process runs `prepare` first. What `work` raises is raised here; then, and when the
    generator is closed, the processes are ended at once. One worker is no process at all: the
    work is done here.
    """
    if workers == 1:
        if prepare is not None:
            prepare()
        yield from map(work, range(count))
        return
    crew = _Crew(work, prepare)
    try:
        crew.start(min(workers, count))
        yield from crew.results(count)
    finally:
        crew.end()


class _Crew:
    """The processes, each at the other end of a pipe."""

    def __init__(self, work: Callable[[int], object], prepare: Callable[[], object] | None) -> None:
        self._task = work, prepare
        self._processes: dict[Connection, BaseProcess] = {}

    def start(self, workers: int) -> None:
        """Start so many processes."""
        context = multiprocessing.get_context("spawn")
        with _uninterrupted():
            for _ in range(workers):
                ours, theirs = context.Pipe()
                process = context.Process(target=_serve, args=(theirs, *self._task), daemon=True)
                process.start()
                theirs.close()
                self._processes[ours] = process

    def results(self, count: int) -> Generator[Any, None, None]:
        """The results in order; as many numbers are given out as there are processes."""
        early: dict[int, tuple[object, _Failure | None]] = {}
        given = 0
        for pipe in self._processes:
            if given < count:
                self._give(pipe, given)
                given += 1
        for number in range(count):
            while number not in early:
                heard = wait(list(self._processes))
                for pipe in [pipe for pipe in self._processes if pipe in heard]:
                    done, result, failure = self._take(pipe)
                    early[done] = result, failure
                    if given < count:
                        self._give(pipe, given)
                        given += 1
            result, failure = early.pop(number)
            if failure is not None:
                raise _unpack_error(failure)
            yield result

    def _give(self, pipe: Connection, number: int) -> None:
        try:
            pipe.send(number)
        except OSError:
            raise self._death_of(pipe) from None

    def _take(self, pipe: Connection) -> tuple[int, object, _Failure | None]:
        try:
            number, result, failure = pipe.recv()
        except (EOFError, OSError):
            raise self._death_of(pipe) from None
        if number is None:  # it could not even prepare
            raise _unpack_error(failure)
        return number, result, failure

    def _death_of(self, pipe: Connection) -> WorkerDied:
        process = self._processes[pipe]
        process.join(_LONGEST_GOODBYE)
        return WorkerDied(
            N_("a worker has ended without an answer (exit code {code})"), code=process.exitcode
        )

    def end(self) -> None:
        """End all processes that were started here."""
        for process in self._processes.values():
            process.terminate()
        for pipe, process in self._processes.items():
            process.join(_LONGEST_GOODBYE)
            if process.is_alive():
                process.kill()
                process.join()
            pipe.close()
        self._processes.clear()


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
            pipe.send((None, None, _pack_error(error)))
            return
        while True:
            number = pipe.recv()
            pipe.send((number, *_answer(work, number)))


def _answer(work: Callable[[int], object], number: int) -> tuple[object, _Failure | None]:
    try:
        return work(number), None
    except Exception as error:
        return None, _pack_error(error)


def _pack_error(error: Exception) -> _Failure:
    """The traceback of an error, and its parts where they can be pickled.

    The parts are not left to `pickle` alone: it would call the class with what its `Exception`
    remembers, which is not what every error is made from.
    """
    text = "".join(traceback.format_exception(error))
    try:
        parts = pickle.dumps((type(error), error.args, vars(error)))
        pickle.loads(parts)
    except Exception:
        return text, None
    return text, parts


def _unpack_error(failure: _Failure) -> Exception:
    text, parts = failure
    if parts is None:
        return WorkerFailed(text)
    kind, arguments, attributes = pickle.loads(parts)
    error: Exception = kind.__new__(kind, *arguments)
    error.args = arguments
    vars(error).update(attributes)
    error.__cause__ = _InWorker(text)
    return error
