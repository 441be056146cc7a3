"""Writes the playthroughs of OpenSpiel: what every player observes of an episode, step by step.

Run `python -m tests.golden.spiel.make` after a change that is meant, and read what has changed in
the files before you keep it.
"""

from __future__ import annotations

from pathlib import Path

from open_spiel.python.algorithms.generate_playthrough import playthrough

import diloti.envs.spiel  # noqa: F401 (registers the game)

FOLDER = Path(__file__).parent
GAMES = {
    "classic": "diloti(target=21)",
    "taverna": "diloti(rules=taverna)",
    "small": "diloti(pack=AcAd2c2d3c3d,hand_size=2,layout_size=2)",
}
SEED = 1234


WITH_TENSORS = "small"
"""The game whose playthrough keeps the tensors, which would fill megabytes elsewhere."""


def written(name: str) -> str:
    """The playthrough of a game, as OpenSpiel writes it."""
    lines = str(playthrough(GAMES[name], None, seed=SEED)).splitlines()
    if name != WITH_TENSORS:
        lines = [line for line in lines if "Tensor(" not in line and not set(line) & set("◯◉")]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(written(name), encoding="utf-8")
