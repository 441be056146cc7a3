"""The one door to Numba: kernels, and the three bit operations that Python has no operator for.

A kernel is a plain function over integers and arrays of 64-bit integers. Numba compiles it on its
first call and keeps the machine code on disk; with ``NUMBA_DISABLE_JIT=1`` the very same function
runs as Python and gives the same answers.

Most kernels make no arrays, and are compiled without the counting of references that arrays cost
(docs/decisions/0002); the few that do are `allocating_kernel`s.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload
from numba.misc.appdirs import user_cache_dir
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
"""An array of 64-bit signed integers, what most kernels work on."""
Floats: TypeAlias = NDArray[np.float64]
"""An array of real numbers, for chances and for sums that may grow large."""

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

_PACKAGE = Path(__file__).resolve().parent.parent
_GAME = ("core", "bots")
_ALL = (*_GAME, "envs")
"""The rooms with kernels. Those of the game use one another, those elsewhere can use any."""
_ALL_COMPILED = "all-compiled"


def _fingerprint(rooms: tuple[str, ...]) -> str:
    """Name of the state of all sources in some rooms and of how they are compiled."""
    digest = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK}".encode())
    for room in rooms:
        for source in sorted((_PACKAGE / room).glob("*.py")):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def _cache_folder(rooms: tuple[str, ...]) -> Path | None:
    """Where kernels that use some rooms are kept, or None where nothing can be written.

    Numba notices a change in a kernel's own file only; a folder per state of all the sources
    makes stale machine code impossible. ``NUMBA_CACHE_DIR`` moves the whole cache.
    """
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    whole = Path(chosen or user_cache_dir("diloti", appauthor=False))
    folder = whole / f"kernels-{_fingerprint(rooms)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


CACHE_FOLDER = None if numba.config.DISABLE_JIT else _cache_folder(_GAME)
"""The folder of the compiled kernels of the game and the bots; None when interpreted or when it
cannot be written."""


def kernel(function: Kernel) -> Kernel:
    """Compile `function`, which makes no arrays, on its first call, and keep the result on disk.

    It runs without the GIL.
    """
    return _compiled(function, _nrt=False)


def inlined_kernel(function: Kernel) -> Kernel:
    """Like `kernel`, for what is small or done at every play: its code goes into its callers.

    An array is handed over as seven numbers, so a call can cost more than what it does
    (docs/speed.md).
    """
    return _compiled(function, _nrt=False, forceinline=True)


def spliced_kernel(function: Kernel) -> Kernel:
    """Like `kernel`, for a part that few kernels call: it becomes part of their own source.

    It is not compiled by itself, nor are the kernels below it once more for it alone.
    """
    return _compiled(function, _nrt=False, inline="always")


def allocating_kernel(function: Kernel) -> Kernel:
    """Like `kernel`, for a function that makes arrays."""
    return _compiled(function)


def _compiled(function: Kernel, **options: bool | str) -> Kernel:
    is_of_game = function.__module__.startswith(tuple(f"diloti.{room}." for room in _GAME))
    folder = None
    if not numba.config.DISABLE_JIT:
        folder = _cache_folder(_GAME if is_of_game else _ALL)
    elsewhere = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder or "")
    try:
        compile_later = numba.njit(nogil=True, cache=folder is not None, **options)
        compiled: Kernel = compile_later(function)
        return compiled
    finally:
        numba.config.CACHE_DIR = elsewhere


def is_prepared() -> bool:
    """Whether an earlier run has compiled everything there is (always so when interpreted)."""
    return bool(numba.config.DISABLE_JIT) or (
        CACHE_FOLDER is not None and (CACHE_FOLDER / _ALL_COMPILED).exists()
    )


def note_prepared() -> None:
    """Leave word for later runs that everything there is has been compiled."""
    if CACHE_FOLDER is not None:
        with contextlib.suppress(OSError):
            (CACHE_FOLDER / _ALL_COMPILED).touch()


_WORD = (1 << 64) - 1


def popcount(mask: int) -> int:
    """Number of bits set among the 64 of `mask`."""
    return (int(mask) & _WORD).bit_count()


def lowest(mask: int) -> int:
    """Position of the lowest bit set in `mask`, which must not be 0."""
    return (int(mask) & -int(mask)).bit_length() - 1


def without_lowest(mask: int) -> int:
    """The 64 bits of `mask` without the lowest that is set; it must not be 0."""
    bits = int(mask) & _WORD
    bits &= bits - 1
    return bits - (1 << 64 if bits >> 63 else 0)


def highest(mask: int) -> int:
    """Position of the highest bit set in `mask`, which must not be 0."""
    return (int(mask) & _WORD).bit_length() - 1


@intrinsic
def _ctpop(_context, _mask):  # type: ignore[no-untyped-def]
    def generate(_context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _cttz(_context, _mask):  # type: ignore[no-untyped-def]
    def generate(_context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def _ctlz(_context, _mask):  # type: ignore[no-untyped-def]
    def generate(_context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@overload(popcount)
def _popcount(mask):  # type: ignore[no-untyped-def]  # noqa: ARG001
    return lambda mask: _ctpop(mask)


@overload(lowest)
def _lowest(mask):  # type: ignore[no-untyped-def]  # noqa: ARG001
    return lambda mask: _cttz(mask)


@overload(without_lowest)
def _without_lowest(mask):  # type: ignore[no-untyped-def]  # noqa: ARG001
    return lambda mask: mask & (mask - 1)


@overload(highest)
def _highest(mask):  # type: ignore[no-untyped-def]  # noqa: ARG001
    return lambda mask: 63 - _ctlz(mask)
