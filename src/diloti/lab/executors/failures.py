"""An error in another process: packed there, and raised here as what it was."""

from __future__ import annotations

import pickle
import traceback
from typing import TypeAlias

from diloti.core.errors import DilotiError

Failure: TypeAlias = tuple[str, bytes | None]
"""A packed error."""


class WorkerDied(DilotiError):
    """A worker that has ended before its work was done."""


class WorkerFailed(RuntimeError):
    """An error in a worker that cannot be brought over: its traceback."""


class _InWorker(Exception):
    """Where in a worker an error happened: the cause of the error that is raised here."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def pack_error(error: Exception) -> Failure:
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


def unpack_error(failure: Failure) -> Exception:
    """The error that was packed, or `WorkerFailed` where only its traceback came over."""
    text, parts = failure
    if parts is None:
        return WorkerFailed(text)
    kind, arguments, attributes = pickle.loads(parts)
    error: Exception = kind.__new__(kind, *arguments)
    error.args = arguments
    vars(error).update(attributes)
    error.__cause__ = _InWorker(text)
    return error
