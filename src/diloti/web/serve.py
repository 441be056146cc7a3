"""Running the server."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from functools import partial

import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from uvicorn.supervisors import Multiprocess

from diloti.core.errors import N_, DilotiError
from diloti.web.app import make_app
from diloti.web.settings import Settings
from diloti.web.store import Store

USUAL_PORT = 8000
BACKLOG = 2048
GRACE_SECONDS = 2
"""How long open streams are waited for at the end."""


class ServeError(DilotiError):
    """A server that cannot be started."""


class _JsonLines(logging.Formatter):
    """A line of JSON for each record: never with a card, a name or an address in it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, object] = {
            "time": self.formatTime(record),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        for field in ("room", "bot", "reason"):
            if hasattr(record, field):
                line[field] = getattr(record, field)
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def _set_up_log() -> None:
    """Log lines of JSON; at a terminal, where somebody reads them, only what is wrong."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines())
    level = logging.WARNING if sys.stderr.isatty() else logging.INFO
    logging.basicConfig(level=level, handlers=[handler], force=True)


def _make_logged_app(settings: Settings) -> Starlette:
    """The application, in a process that may be a new one."""
    _set_up_log()
    _calm_garbage_collection()
    return make_app(settings)


def _calm_garbage_collection() -> None:
    """Have the collector pass over what stays, and look at all the rest seldom.

    With some hundred tables it would otherwise stop everything for a tenth of a second, every few
    seconds, and find next to nothing.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 100)


def serve(settings: Settings, *, tell: Callable[[str], object], opens: bool = False) -> None:
    """Serve until interrupted; `tell` hears the address."""
    listener = listen(settings)
    _set_up_log()
    config = uvicorn.Config(
        partial(_make_logged_app, settings),
        factory=True,
        workers=settings.workers,
        log_config=None,
        access_log=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.proxies,
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
    )
    address = address_of(listener)
    try:
        asyncio.run(_open_once(settings.database))
    except (SQLAlchemyError, ImportError, OSError) as trouble:
        listener.close()
        reason = str(getattr(trouble, "orig", None) or trouble).strip().partition("\n")[0]
        raise ServeError(N_("the tables cannot be opened: {reason}"), reason=reason) from trouble
    tell(address)
    if opens and _has_screen():
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(address)
    with contextlib.suppress(KeyboardInterrupt):
        if settings.workers == 1:
            uvicorn.Server(config).run(sockets=[listener])
        else:
            Multiprocess(config, sockets=[listener]).run()


async def _open_once(database: str) -> None:
    """Bring a database up to date before anybody is told of the server."""
    async with Store.open(database) as store:
        await store.check()


def listen(settings: Settings) -> socket.socket:
    """A socket at the address of the settings; `ServeError` where there can be none.

    Where no port was asked for and the usual one is taken, it is some other one.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    ports = [settings.port] if settings.port is not None else [USUAL_PORT, 0]
    for port in ports:
        try:
            return socket.create_server((settings.host, port), family=family, backlog=BACKLOG)
        except OSError as trouble:
            reason = trouble.strerror or str(trouble)
    raise ServeError(
        N_("nothing can be served at {host}, port {port}: {reason}"),
        host=settings.host,
        port=ports[0],
        reason=reason,
    )


def _has_screen() -> bool:
    """Whether a page can be opened here in a window of its own."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def address_of(listener: socket.socket) -> str:
    """Where a browser on this machine finds the server."""
    host, port = listener.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"
