"""The data sets that the study is made from, in its full form and in the quick one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from diloti.core.rules import CHOICES, RULE_SETS, SWITCHES, Rules, rules_from
from diloti.lab.data.job import Job
from diloti.lab.player import parse_player

_OTHER_NUMBERS: Mapping[str, tuple[int, ...]] = {
    "players": (2, 4),
    "deal_packet": (3, 6),
    "xeri_points": (5, 10),
    "xeristaki_points": (0, 5),
}
"""The values of numeric switches that are tried. Targets have a question of their own."""

_UNTRIED = "partners_show_card"
"""Bots show nothing, so this switch changes nothing between them."""

_PART_SIZE = 50
"""Games of a part, so that the work of every data set can be shared."""


@dataclass(frozen=True)
class Sizes:
    """How many games each part of the study has, and which bots play them.

    Bots are named as `diloti.lab.player` does, by simulations and never by seconds.
    """

    form: str
    equal: Mapping[str, int]
    """Deals between two of each player."""
    matches: Mapping[int, int]
    """Whole matches to each target."""
    pairs: Mapping[tuple[str, str], int]
    """Packs played twice between a better and a worse player."""
    classic: int
    """Deals for each changed switch of `classic`."""
    taverna: int
    """The same for `taverna` with four players."""
    player: str = "regular"
    """Who plays the matches and under changed switches; it is in `equal`, with the most deals."""


FULL = Sizes(
    "full",
    equal={"random": 3000, "greedy": 3000, "regular": 6000, "strong:64": 1000, "expert:256": 300},
    matches={61: 300, 101: 150},
    pairs={
        ("casual", "novice"): 200,
        ("regular", "casual"): 300,
        ("strong:64", "regular"): 200,
        ("expert:256", "strong:64"): 150,
    },
    classic=800,
    taverna=600,
)
QUICK = Sizes(
    "quick",
    equal={"random": 300, "greedy": 300, "regular": 300, "strong:64": 40, "expert:256": 16},
    matches={61: 16, 101: 8},
    pairs={
        ("casual", "novice"): 30,
        ("regular", "casual"): 30,
        ("strong:64", "regular"): 16,
        ("expert:256", "strong:64"): 8,
    },
    classic=30,
    taverna=20,
)


AS_IT_IS = "as it is"
"""What the data set of `taverna` without a changed switch is called."""

Jobs = dict[str, dict[str, Job]]
"""The jobs of the study by group, and in it by what tables call them."""


def jobs_of(sizes: Sizes, seed: int) -> Jobs:
    """What must be generated; all of one seed, so that the same game has the same pack.

    Groups: `equal` players, `matches` by target, `pairs` of players on packs played twice, and the
    rule sets `classic` and `taverna` with one switch changed.
    """
    classic, taverna, player = RULE_SETS["classic"], RULE_SETS["taverna"], sizes.player

    def job(
        rules: Rules, *players: str, games: int, whole_matches: bool = False, paired: bool = False
    ) -> Job:
        return Job(
            rules,
            (parse_player(players[0]), parse_player(players[-1])),
            seed,
            games=games,
            whole_matches=whole_matches,
            paired=paired,
            part_size=_PART_SIZE,
        )

    return {
        "equal": {name: job(classic, name, games=games) for name, games in sizes.equal.items()},
        "matches": {
            str(target): job(
                replace(classic, target=target), player, games=games, whole_matches=True
            )
            for target, games in sizes.matches.items()
        },
        "pairs": {
            f"{better} and {worse}": job(classic, better, worse, games=2 * packs, paired=True)
            for (better, worse), packs in sizes.pairs.items()
        },
        "classic": {
            name: job(rules, player, games=sizes.classic)
            for name, rules in _changed("classic").items()
        },
        "taverna": {
            AS_IT_IS: job(taverna, player, games=sizes.taverna),
            **{
                name: job(rules, player, games=sizes.taverna)
                for name, rules in _changed("taverna").items()
            },
        },
    }


def count_games(jobs: Jobs) -> int:
    """How many games all jobs have."""
    return sum(job.games for named in jobs.values() for job in named.values())


def _changed(base: str) -> dict[str, Rules]:
    """The rule sets that differ from a named one in a single switch, by what is changed."""
    changed = {}
    for switch in SWITCHES:
        usual = getattr(RULE_SETS[base], switch)
        for value in _values(switch, usual):
            if value != usual:
                text = str(value).lower() if isinstance(value, bool) else str(value)
                changed[f"{switch} = {text}"] = rules_from(base, **{switch: value})
    return changed


def _values(switch: str, usual: object) -> tuple[object, ...]:
    """The values of a switch that are tried."""
    if switch in CHOICES:
        return CHOICES[switch]
    if isinstance(usual, bool):
        return () if switch == _UNTRIED else (False, True)
    return _OTHER_NUMBERS.get(switch, ())
