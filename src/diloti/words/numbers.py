"""Numbers as a language writes them."""

from __future__ import annotations

from diloti.words.language import Words


def decimal(words: Words, number: float, *, signed: bool = False, digits: int = 1) -> str:
    """A number with so many digits behind the mark that the language has, as “−0.4”.

    With `signed` one above zero has a plus; zero has no sign.
    """
    text = f"{number:{'+' if signed else ''}.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("+-")
    text = text.replace("-", "−")
    return text if words.language == "en" else text.replace(".", ",")


def percent(words: Words, chance: float) -> str:
    """A chance in whole hundredths; certain only where it is certain."""
    whole = round(100 * chance)
    if 0 < chance < 1:
        whole = min(max(whole, 1), 99)
    return words.say("{percent}%", percent=whole)
