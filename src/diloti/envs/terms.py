"""What an environment plays: a rule set, a deal or a whole match, and what the seats get for it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from diloti.core.notation import parse_cards
from diloti.core.position import side_of
from diloti.core.rules import CLASSIC, Rules, rules_from
from diloti.core.scoring import DealScore

DEAL, MATCH = EPISODES = ("deal", "match")
"""What an episode can be."""

CARD_POINTS = 11
"""What all cards of a deal together are worth at most (R11)."""

MOST_DEALS = 100
"""Deals in a match at most, unless it is said how many. None with the whole pack comes near it, but
packs without aces could go on for ever."""


class TermsError(ValueError):
    """Terms that cannot be."""


@dataclass(frozen=True)
class Terms:
    """A rule set, what an episode is, and after how many deals a match is broken off."""

    rules: Rules = CLASSIC
    episode: str = DEAL
    most_deals: int = MOST_DEALS

    def __post_init__(self) -> None:
        if self.episode not in EPISODES:
            raise TermsError(f"episode can be {' or '.join(EPISODES)}, not {self.episode!r}")
        if type(self.most_deals) is not int or self.most_deals < 1:
            raise TermsError(f"most_deals must be a whole number above 0, not {self.most_deals!r}")

    @property
    def most_return(self) -> float:
        """More than a seat can get or lose in an episode, or exactly that."""
        if self.episode == MATCH:
            return 1.0
        rules = self.rules
        return float(
            CARD_POINTS + rules.plays_in_deal * max(rules.xeri_points, rules.xeristaki_points)
        )

    def returns(self, score: DealScore) -> list[float]:
        """What each seat gets at the end of an episode whose last deal was scored so.

        Of a deal the points that its side is ahead by; of a match 1 for the winners and -1 for the
        losers, or 0 for all where it was broken off.
        """
        if self.episode == DEAL:
            ahead = float(score.sheets[0].total - score.sheets[1].total)
        elif score.winner is None:
            ahead = 0.0
        else:
            ahead = -1.0 if score.winner else 1.0
        return [-ahead if side_of(seat) else ahead for seat in range(self.rules.players)]


def terms_of(
    rules: str | Rules = "classic",
    *,
    episode: str = DEAL,
    most_deals: int = MOST_DEALS,
    pack: str = "",
    hand_size: int = 0,
    layout_size: int = -1,
    **switches: object,
) -> Terms:
    """Terms from what one would type: the name of a rule set, and switches of R13 by their names.

    For small experiments `pack` names the cards in use (as ``"AcAd2c2d"``), and `hand_size` and
    `layout_size` replace the six and the four. `TermsError` or `RulesError` says what cannot be.
    """
    if isinstance(rules, str):
        rules = rules_from(rules, **switches)
    elif not isinstance(rules, Rules):
        raise TermsError(f"rules can be a name or Rules, not {rules!r}")
    elif switches:
        rules = replace(rules, **switches)  # type: ignore[arg-type]
    if pack:
        rules = replace(
            rules,
            pack=parse_cards(pack),
            hand_size=hand_size or rules.hand_size,
            layout_size=rules.layout_size if layout_size < 0 else layout_size,
        )
    elif (hand_size, layout_size) != (0, -1):
        raise TermsError("hand_size and layout_size go with a pack of one's own")
    return Terms(rules, episode, most_deals)
