"""Copies of the tables."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from diloti import cli
from diloti.web.backup import BackupError, back_up
from diloti.web.store import Kept, Store


async def names_in(database: Path) -> set[str]:
    async with Store.open(str(database)) as store:
        return {kept.id for kept in await store.rooms_of("anna")}


def kept(name: str) -> Kept:
    return Kept(id=name, number=0, body="{}", changed=0.0, people=("anna",))


async def test_a_copy_made_while_tables_are_written_is_whole(tmp_path: Path) -> None:
    source, copy = tmp_path / "tables.db", tmp_path / "copy.db"
    async with Store.open(str(source)) as store:
        await store.save(kept("first"), follows=-1)
        saves = [store.save(kept(f"t{place}"), follows=-1) for place in range(20)]
        await asyncio.gather(asyncio.to_thread(back_up, str(source), copy), *saves)
    assert "first" in await names_in(copy)
    assert len(await names_in(source)) == 21
    assert sorted(path.name for path in tmp_path.glob("*.part")) == []


async def test_what_cannot_be_copied_leaves_nothing(tmp_path: Path) -> None:
    source, target = tmp_path / "tables.db", tmp_path / "copy.db"
    with pytest.raises(BackupError, match="no tables"):
        back_up(str(source), target)
    source.write_bytes(b"not a database" * 100)
    with pytest.raises(BackupError, match="could not be written"):
        back_up(str(source), target)
    with pytest.raises(BackupError, match="could not be written"):
        back_up(str(source), tmp_path / "nowhere" / "copy.db")
    with pytest.raises(BackupError, match="pg_dump"):
        back_up("postgresql://x/y", target)
    assert {path.name for path in tmp_path.iterdir()} == {"tables.db"}
    target.write_text("mine")
    with pytest.raises(BackupError, match="already"):
        back_up(str(source), target)
    assert target.read_text() == "mine"


async def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with Store.open(str(tmp_path / "tables.db")) as store:
        await store.save(kept("first"), follows=-1)
    copy = tmp_path / "copy.db"
    command = ["backup", str(copy), "--lang", "en", "--data-dir", str(tmp_path)]
    assert cli.main(command) == 0
    assert str(copy) in capsys.readouterr().out
    assert await names_in(copy) == {"first"}
    assert cli.main(command) != 0
    assert "already" in capsys.readouterr().err
