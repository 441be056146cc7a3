"""Running the server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import socket
import sys
import webbrowser
from collections.abc import Callable
from functools import partial

import uvicorn
from starlette.applications import Starlette
from uvicorn.supervisors import Multiprocess

from diloti.web.app import make_app
from diloti.web.settings import Settings

GRACE_SECONDS = 2
"""How long open streams are waited for at the end."""


class _JsonLines(logging.Formatter):
    """A line of JSON for each record: never with a card, a name or an address in it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, object] = {
            "time": self.formatTime(record),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        for field in ("room", "level_of_bot"):
            if hasattr(record, field):
                line[field] = getattr(record, field)
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def _set_up_log() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)


def _make_logged_app(settings: Settings) -> Starlette:
    """The application, in a process that may be a new one."""
    _set_up_log()
    return make_app(settings)


def serve(settings: Settings, *, tell: Callable[[str], object], opens: bool = False) -> None:
    """Serve until interrupted; `tell` hears the address."""
    _set_up_log()
    config = uvicorn.Config(
        partial(_make_logged_app, settings),
        factory=True,
        workers=settings.workers,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        proxy_headers=True,
        forwarded_allow_ips="127.0.0.1",
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
    )
    listener = config.bind_socket()
    listener.listen(config.backlog)  # who comes early waits
    address = address_of(listener)
    tell(address)
    if opens:
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(address)
    with contextlib.suppress(KeyboardInterrupt):
        if settings.workers == 1:
            asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))
        else:
            Multiprocess(config, sockets=[listener]).run()


def address_of(listener: socket.socket) -> str:
    """Where a browser on this machine finds the server."""
    host, port = listener.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"
