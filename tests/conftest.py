"""How much the tests try, and the fixtures of those that open browsers.

Of Hypothesis the same few examples for `make test`, many new ones for a proof. Interpreted, bots
think as little as they can.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.thinking import INTERPRETED, little_thought
from tests.web_browser import browser, open_page, server

__all__ = ["browser", "open_page", "server"]

settings.register_profile(
    "test",
    derandomize=True,
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "proof",
    deadline=None,
    max_examples=1500,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("proof" if config.option.markexpr == "proof" else "test")


@pytest.fixture(scope="session", autouse=True)
def _thought() -> Iterator[None]:
    if INTERPRETED:
        with little_thought():
            yield
    else:
        yield
