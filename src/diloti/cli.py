"""The command line: sub-commands that parse and call, nothing more."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one sub-command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="diloti")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("engine")
    options = parser.parse_args(arguments)
    if options.command == "engine":
        from diloti.engine import run

        run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
