"""Why a file cannot be read or written, in words: the system's own are in its language."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from pathlib import Path

from diloti.core.errors import N_, DilotiError

_REASONS: Mapping[int, str] = {
    errno.ENOENT: N_("there is no such file or folder"),
    errno.EACCES: N_("you lack the permission"),
    errno.EPERM: N_("you lack the permission"),
    errno.EROFS: N_("nothing can be written there"),
    errno.EISDIR: N_("it is a folder"),
    errno.ENOTDIR: N_("part of its path is not a folder"),
    errno.EEXIST: N_("it is there already"),
    errno.ENOSPC: N_("the disk is full"),
    errno.ENAMETOOLONG: N_("its name is too long"),
}
_NOT_TEXT = N_("it is not text in UTF-8")
_NO_NAME = N_("this is not the name of a file")


class FileTrouble(DilotiError):
    """Why a file could not be read or written; it belongs into the sentence about that file."""


def check_other(target: Path, source: Path) -> None:
    """Raise `FileTrouble` where a file to be written is the one that is read."""
    if target.exists() and source.exists() and target.samefile(source):
        raise FileTrouble(N_("{file} is what is read: name another file to write"), file=target)


def file_trouble(trouble: Exception) -> FileTrouble:
    """The reason that an attempt at a file has failed with, for the details of an error."""
    reason = _REASONS.get(trouble.errno or 0) if isinstance(trouble, OSError) else None
    if reason is not None:
        return FileTrouble(reason)
    if isinstance(trouble, UnicodeDecodeError):
        return FileTrouble(_NOT_TEXT)
    if isinstance(trouble, ValueError) and "null" in str(trouble):
        return FileTrouble(_NO_NAME)
    return FileTrouble("{reason}", reason=trouble)
