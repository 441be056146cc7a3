"""The PostgreSQL database of the tests, where there is one."""

from __future__ import annotations

import os

import psycopg


def _address() -> str | None:
    """The database that the environment names, in it a schema of this process alone.

    So what one process forgets, or a server of its tests, is not missed by another's tests.
    """
    given = os.environ.get("DILOTI_TEST_POSTGRESQL")
    if not given:
        return None
    schema = f"diloti_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    with psycopg.connect(given, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}".encode())
    return f"{given}{'&' if '?' in given else '?'}options=-csearch_path%3D{schema}"


POSTGRESQL = _address()
"""Its address, as `postgresql://…`; it may be written to."""
