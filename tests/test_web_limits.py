"""The limits on how much one address may ask: that they hold wherever something is laid anew."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from diloti import web
from diloti.web.limits import NEW_TABLES, Limits
from tests.web_app import app_at

PARAMETER = re.compile(r"{[^}]*}")


def lines_that_lay(tree: ast.AST) -> Iterator[int]:
    """The lines that name what keeps a new table, or a new score sheet."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "add":
            if re.search("keeper|sheets", ast.unparse(node.value).casefold()):
                yield node.lineno


def all_that_lay() -> set[tuple[str, int]]:
    """Every line of the pages that lays something."""
    modules = [
        importlib.import_module(f"{web.__name__}.{module.name}")
        for module in pkgutil.iter_modules(web.__path__)
    ]
    return {
        (module.__name__, line)
        for module in modules
        for line in lines_that_lay(ast.parse(inspect.getsource(module)))
    }


def laid_by(endpoint: Callable[..., Any]) -> set[tuple[str, int]]:
    """The lines that lay something in a function, and in those of the pages that it names."""
    found, waiting, seen = set(), [endpoint], set()
    while waiting:
        function = waiting.pop()
        if not isinstance(function, FunctionType) or function in seen:
            continue
        seen.add(function)
        if not function.__module__.startswith(f"{web.__name__}."):
            continue
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
        found |= {(function.__module__, first + line - 1) for line in lines_that_lay(tree)}
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        waiting += [function.__globals__[name] for name in names & {*function.__globals__}]
    return found


def all_routes(routes: Iterable[BaseRoute], before: str = "") -> Iterator[tuple[str, Route]]:
    for route in routes:
        if isinstance(route, Mount):
            yield from all_routes(route.routes, before + route.path)
        elif isinstance(route, Route):
            yield before + PARAMETER.sub("x", route.path), route


def status_after(path: str, many: int) -> int:
    """What is answered to somebody who has sent so much to a path before."""

    async def fine(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("fine")(scope, receive, send)

    async def refuse(_request: Request, _seconds: int) -> Response:
        return PlainTextResponse("wait", 429)

    client = TestClient(Limits(fine, refuse, clock=lambda: 0.0))
    return [client.post(path).status_code for _ in range(many + 1)][-1]


def test_whatever_lays_something_is_limited(tmp_path: Path) -> None:
    laying = {
        path: lines
        for path, route in all_routes(app_at(tmp_path).routes)
        if (lines := laid_by(route.endpoint)) and "POST" in (route.methods or ())
    }
    assert {"/play", "/score", "/match/x/x/x/try"} < {*laying}
    assert set().union(*laying.values()) == all_that_lay(), "nothing is laid from elsewhere"
    burst = int(NEW_TABLES.burst)
    for path in laying:
        assert (status_after(path, burst - 1), status_after(path, burst)) == (200, 429), path
