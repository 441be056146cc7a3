"""Days as people of each language write them."""

from __future__ import annotations

from diloti.words.language import Words


def tell_day(words: Words, day: str) -> str:
    """A day that is given as 2026-11-30."""
    year, month, date = day.split("-")
    return words.say("{year}-{month}-{day}", year=year, month=month, day=date)
