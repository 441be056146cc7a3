"""An error in another process: packed there, and raised here as what it was."""

from __future__ import annotations

import io
import pickle
import traceback
from types import FunctionType
from typing import Any, TypeAlias

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


class _ErrorPickler(pickle.Pickler):
    """Takes an error apart, and errors in its details, where its class says how one is made.

    `pickle` alone would call the class with what its `Exception` remembers, which is not what an
    `__init__` in Python wants. Errors of the system are left to it: they keep more than they show.
    """

    def reducer_override(self, value: Any) -> Any:
        """How a value is taken apart; `NotImplemented` leaves that to `pickle`."""
        if isinstance(value, BaseException) and isinstance(type(value).__init__, FunctionType):
            return _bare_error, (type(value), value.args), vars(value)
        return NotImplemented


def _bare_error(kind: type[BaseException], arguments: tuple[object, ...]) -> BaseException:
    """An error of a class whose `__init__` is not called."""
    error = kind.__new__(kind, *arguments)
    error.args = arguments
    return error


def pack_error(error: Exception) -> Failure:
    """The traceback of an error, and the error itself where it can be pickled."""
    text = "".join(traceback.format_exception(error))
    parts = io.BytesIO()
    try:
        _ErrorPickler(parts).dump(error)
        pickle.loads(parts.getvalue())
    except Exception:
        return text, None
    return text, parts.getvalue()


def unpack_error(failure: Failure) -> Exception:
    """The error that was packed, or `WorkerFailed` where only its traceback came over."""
    text, parts = failure
    if parts is None:
        return WorkerFailed(text)
    error: Exception = pickle.loads(parts)
    error.__cause__ = _InWorker(text)
    return error
