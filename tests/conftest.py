"""How much Hypothesis tries: the same few examples for `make test`, many new ones for a proof."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

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
