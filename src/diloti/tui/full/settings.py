"""How the player likes the table: the pace of the others, the colours. Kept beside the matches."""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from diloti.core.errors import N_

PACES = {"off": 0.0, "normal": 1.4, "slow": 3.0}
"""Seconds for which a play of a bot is announced before it is made."""
PACE_NAMES = {"off": N_("off"), "normal": N_("normal"), "slow": N_("slow")}


@dataclass
class Settings:
    """What a player has set; the defaults suit most."""

    pace: str = "normal"
    four_colours: bool = False
    dark: bool = True
    coach: bool = False
    """Whether plays that lose much are warned of, against bots."""

    @property
    def delay(self) -> float:
        """How long a play of a bot is announced, in seconds."""
        return PACES[self.pace]

    def next_pace(self) -> None:
        """Go on to the next pace, and from the last to the first."""
        paces = list(PACES)
        self.pace = paces[(paces.index(self.pace) + 1) % len(paces)]


def load_settings(folder: Path) -> Settings:
    """The settings in a folder; the defaults for all that is missing or makes no sense there."""
    settings = Settings()
    try:
        kept = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return settings
    if isinstance(kept, dict):
        if kept.get("pace") in PACES:
            settings.pace = kept["pace"]
        settings.four_colours = kept.get("four_colours") is True
        settings.dark = kept.get("dark") is not False
        settings.coach = kept.get("coach") is True
    return settings


def save_settings(settings: Settings, folder: Path) -> None:
    """Keep the settings for the next time, where that is possible."""
    # Losing them is no reason to interrupt a game.
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "settings.json").write_text(json.dumps(asdict(settings)), encoding="utf-8")
