"""The programs in `examples`: what they print and find."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms.exploitability import nash_conv
from open_spiel.python.policy import UniformRandomPolicy

from diloti.core.rules import CLASSIC
from diloti.lab.data.generating import generate, plan_job
from diloti.lab.executors.processes import LocalProcesses
from diloti.stats import student_half_width

EXAMPLES = Path(__file__).parent.parent / "examples"
TINY = "diloti(pack=AcAd2c2d,hand_size=1,layout_size=0)"

NODE = shutil.which("node")


def loaded(name: str) -> Any:
    """An example as a module."""
    spec = spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_list_names_every_program() -> None:
    listed = re.findall(r"^\| \[(.+?)\]\(\1\)", (EXAMPLES / "README.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(
        path.name for path in EXAMPLES.iterdir() if path.suffix in (".py", ".mjs")
    )


@pytest.mark.skipif(NODE is None, reason="there is no node here")
class TestTheBotInJavaScript:
    def run(self, *words: str, diloti: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [NODE or "", EXAMPLES / "bot.mjs", *words],
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "DILOTI": diloti},
            check=False,
        )

    def test_it_plays_a_match_to_its_end(self) -> None:
        done = self.run("random", "2", diloti=shlex.join([sys.executable, "-m", "diloti"]))
        assert (done.returncode, done.stderr) == (0, "")
        *deals, last = done.stdout.splitlines()
        found = [re.fullmatch(r"Deal (\d+): (\d+) : (\d+)", line) for line in deals]
        rows = [tuple(map(int, row.groups())) for row in found if row]
        assert [number for number, _mine, _other in rows] == list(range(1, len(deals) + 1))
        mine, other = rows[-1][1:]
        assert mine > other
        assert mine >= CLASSIC.target
        assert all(max(row[1:]) < CLASSIC.target for row in rows[:-1])
        assert last == "I have won."

    def test_it_ends_with_its_engine(self) -> None:
        done = self.run(diloti="exit;")
        assert done.returncode == 1
        assert "the engine has ended" in done.stderr


class TestExploitability:
    def test_deals_told_together_change_nothing(self) -> None:
        example = loaded("exploitability")  # which registers the game
        small = pyspiel.load_game(TINY)
        tree = example.Tree(small)
        told = pyspiel.load_efg_game("\n".join(tree.lines))
        assert pyspiel.nash_conv(told, pyspiel.UniformRandomPolicy(told)) == pytest.approx(
            nash_conv(small, UniformRandomPolicy(small))
        )

    def test_it_falls(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(sys, "argv", ["exploitability.py", TINY])
        loaded("exploitability").main()
        gains = [float(gain) for gain in re.findall(r": ([\d.]+)$", capsys.readouterr().out, re.M)]
        assert gains == sorted(gains, reverse=True)
        assert len(gains) == 4
        assert gains[-1] < gains[0] / 1000

    def test_four_players_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = TINY.replace("hand_size=1", "hand_size=1,players=4")
        monkeypatch.setattr(sys, "argv", ["exploitability.py", game])
        with pytest.raises(SystemExit, match="is a game for 4: this takes games for two"):
            loaded("exploitability").main()


@pytest.mark.proof
def test_a_network_learns_to_do_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    job = plan_job(CLASSIC, ["greedy"], games=200, seed=1)
    generate(tmp_path / "deals", job, executor=LocalProcesses(1))
    example = loaded("imitate")
    monkeypatch.setattr(example, "PAIRS", 40)
    monkeypatch.setattr(sys, "argv", ["imitate.py", str(tmp_path / "deals")])
    example.main()
    told = capsys.readouterr().out
    assert re.search(r"does the same in ([5-9]\d)\.\d%", told)
    ahead = re.search(r"against random: \+([\d.]+) ± ([\d.]+)", told)
    assert ahead is not None
    assert float(ahead[1]) > float(ahead[2])


@pytest.mark.proof
def test_the_agent_learns_to_beat_random_play() -> None:
    pytest.importorskip("sb3_contrib")
    example = loaded("train_agent")
    agent = example.learned(example.train(20_000))
    sample = example.compare(agent, example.at_random(2), pairs=40)
    assert sample.mean > student_half_width(sample)
