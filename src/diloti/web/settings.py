"""How a server is set up: by options of the command line, or by the environment."""

from __future__ import annotations

from dataclasses import dataclass

from diloti.teacher.judgement import SIMULATIONS


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
    keep_days: float = 400.0
    """Days after which a finished match is deleted: as long as a browser keeps its cookie."""
    is_limited: bool = True
    """Whether there are limits on what one address may ask."""
    proxies: str = "127.0.0.1"
    """Addresses of proxies whose word on where a request came from is believed; `*` is all."""
    review_simulations: int = SIMULATIONS
    """Hands that a review plays out for each play: those of `diloti review`."""
    secure: bool = False
    """Whether cookies are for encrypted connections only, even if this one is none."""


def is_shared(database: str) -> bool:
    """Whether several processes can have this database open: whether it is PostgreSQL."""
    return database.startswith(("postgresql://", "postgres://", "postgresql+"))
