"""How a server is set up: by options of the command line, or by the environment."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """What a server needs to know."""

    database: str
    """A file for SQLite, or `postgresql://…`."""
    host: str = "127.0.0.1"
    port: int | None = None
    """None: the usual one, or another where that is taken."""
    workers: int = 1
    forget_days: float = 60.0
    """Days after which a table that nobody has touched is deleted."""
    is_limited: bool = True
    """Whether there are limits on what one address may ask."""
    secure: bool = False
    """Whether cookies are for encrypted connections only, even if this one is none."""
