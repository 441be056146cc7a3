"""A server of its own for a test, as a process that can be killed, and a browser to go there."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import httpx2
import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


class Server:
    """`diloti serve`, on a port of its own."""

    def __init__(
        self,
        database: str,
        log: Path,
        *,
        program: Sequence[str] = (sys.executable, "-m", "diloti"),
        **environment: str,
    ) -> None:
        self.database = database
        self.log = log
        self._program = program
        quick = {"DILOTI_UNLIMITED": "1", "DILOTI_REVIEW_SIMULATIONS": "24"}
        self._environment = {**quick, **environment}
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self) -> None:
        """Start it; a second time it comes back at the same port."""
        port = self.address.rstrip("/").rpartition(":")[2] or "0"
        command = [*self._program, "serve", "--lang", "en", "--port", port]
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [*command, "--database", self.database],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=self.log.parent,
                env={**os.environ, **self._environment},
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            found = re.search(r"http://\S+/", line)
            if found:
                self.address = found[0]
                httpx2.get(f"{self.address}healthz").raise_for_status()
                return
        raise AssertionError(self.log.read_text())

    def kill(self) -> None:
        """End it as a loss of power would."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._end()

    def stop(self) -> int:
        """End it as it should be; its exit status."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        return self._end()

    def _end(self) -> int:
        assert self._process is not None
        assert self._process.stdout is not None
        status = self._process.wait(timeout=20)
        self._process.stdout.close()
        return status
