"""What people can say to each other at the table: reactions and a few phrases, no free text."""

from __future__ import annotations

from collections.abc import Mapping

from diloti.core.errors import N_

PHRASES: Mapping[str, str] = {
    "hello": N_("Hello!"),
    "well_played": N_("Well played!"),
    "bravo": N_("Bravo!"),
    "ouch": N_("Ouch!"),
    "lucky": N_("What luck!"),
    "thinking": N_("Let me think…"),
    "your_turn": N_("It is your turn."),
    "sorry": N_("One moment, please."),
    "thanks": N_("Thank you for the game!"),
    "smile": "🙂",
    "laugh": "😂",
    "wow": "😮",
    "clap": "👏",
    "think": "🤔",
    "cry": "😭",
}
"""By name; the sentences are translated, the pictures are not."""
