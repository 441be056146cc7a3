"""Which Diloti this is: its version, and the state of all that decides how bots play."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from diloti import __version__

_PACKAGE = Path(__file__).resolve().parent.parent
_DECIDING = ("core/*.py", "bots/*.py", "bots/weights/*.npz")


@cache
def program_name() -> str:
    """As ``diloti 0.1.0 (9f86d081884c7d65)``: another one may play otherwise.

    What stands in brackets changes with the rules, the bots and their weights.
    """
    digest = hashlib.sha256()
    for pattern in _DECIDING:
        for file in sorted(_PACKAGE.glob(pattern)):
            digest.update(file.read_bytes())
    return f"diloti {__version__} ({digest.hexdigest()[:16]})"
