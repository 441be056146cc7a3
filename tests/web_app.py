"""The application in the test's own process, with its tables in a folder and a clock of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.applications import Starlette

from diloti.web.app import make_app
from diloti.web.settings import Settings
from tests.clock import Clock


def app_at(
    folder: Path, *, clock: Clock | None = None, is_limited: bool = False, **settings: Any
) -> Starlette:
    """The application without limits on how much is asked, unless they are what is tried.

    Whoever brings the `clock` can move it.
    """
    database = str(folder / "tables.db")
    return make_app(
        Settings(database=database, is_limited=is_limited, **settings),
        now=clock or Clock(step=0.001),
    )
