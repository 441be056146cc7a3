"""A duel: two players meet on the same packs, each pack played twice with the sides swapped.

What counts is the pair of games with the same packs. The luck of the cards is in both games, once
for each player, so the mean over a pair says much more about the players than two games with
different packs would. Everything follows from the seed of the duel and the number of the pair:
the packs, who deals, and the seed of every choice. A seat in the same position gets the same seed
in both games, so a player against itself comes out at zero exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import partial

from diloti.core.match import Match
from diloti.core.rules import Rules
from diloti.lab.executors.executor import Executor
from diloti.lab.games import deal_game
from diloti.lab.player import Player

Clock = Callable[[], float]
"""Seconds since some moment, such as `time.perf_counter`."""


@dataclass(frozen=True)
class DealResult:
    """What a deal brought: of the first player's side, and of the second's."""

    points: tuple[int, int]
    xeri: tuple[int, int]
    plays: tuple[int, int]
    seconds: tuple[float, float]
    """What the choices of each took."""


@dataclass(frozen=True)
class GameResult:
    """A deal, or a whole match, with the first player on one side."""

    deals: tuple[DealResult, ...]
    winner: int | None
    """The player who won the match, 0 or 1; None for a deal by itself."""


@dataclass(frozen=True)
class PairResult:
    """Two games with the same packs, the first player on side 0 and then on side 1."""

    number: int
    games: tuple[GameResult, GameResult]

    @property
    def deals(self) -> tuple[DealResult, ...]:
        """The deals of both games."""
        return self.games[0].deals + self.games[1].deals

    @property
    def difference(self) -> float:
        """Points of the first player less those of the second, the mean over the deals."""
        deals = self.deals
        return sum(deal.points[0] - deal.points[1] for deal in deals) / len(deals)

    @property
    def balance(self) -> float:
        """Matches won by the first player less those lost, the mean of both: -1, 0 or 1."""
        return sum(1 - 2 * game.winner for game in self.games if game.winner is not None) / 2


@dataclass(frozen=True)
class Duel:
    """Who meets, by which rules, from which seed (below `diloti.lab.games.SEEDS`).

    A game is a single deal at 0 : 0, or with `whole_matches` a match to the target. With four
    seats both seats of a side are the same player.
    """

    rules: Rules
    players: tuple[Player, Player]
    seed: int
    whole_matches: bool = False

    def warm_up(self) -> None:
        """Play a deal that does not count, so that everything is compiled and loaded."""
        first, second = (Player(player.bot, simulations=1) for player in self.players)
        quick = replace(self, players=(first, second), whole_matches=False)
        quick.play_game(0, side=0, clock=lambda: 0.0)

    def play_pair(self, number: int, *, clock: Clock) -> PairResult:
        """Pair `number` (0 or more) of this duel, always the same but for the seconds."""
        first = self.play_game(number, side=0, clock=clock)
        return PairResult(number, (first, self.play_game(number, side=1, clock=clock)))

    def play_game(self, number: int, *, side: int, clock: Clock) -> GameResult:
        """One game of pair `number`, the first player on `side`."""
        deals = []
        for match, seeds in deal_game(
            self.rules, number, seed=self.seed, whole_match=self.whole_matches
        ):
            deals.append(self._play_deal(match, side, seeds, clock))
        winner = match.winner if self.whole_matches else None
        return GameResult(tuple(deals), None if winner is None else winner ^ side)

    def _play_deal(self, match: Match, side: int, seeds: list[int], clock: Clock) -> DealResult:
        plays, seconds = [0, 0], [0.0, 0.0]
        while match.turn is not None:
            view = match.view(match.turn)
            who = view.side ^ side
            started = clock()
            choice = self.players[who].choose(view, seed=seeds[view.plays])
            seconds[who] += clock() - started
            plays[who] += 1
            match.play(choice.play)
        score = match.deal_log.score
        assert score is not None
        xeri = match.position.xeri
        return DealResult(
            points=(score.sheets[side].total, score.sheets[1 - side].total),
            xeri=(xeri[side], xeri[1 - side]),
            plays=(plays[0], plays[1]),
            seconds=(seconds[0], seconds[1]),
        )


def play_pairs(
    duel: Duel, *, pairs: int, executor: Executor, clock: Clock
) -> Generator[PairResult, None, None]:
    """The pairs of a duel in order, from number 0 on.

    Close the generator to end them early. The clock must be one that can be pickled.
    """
    work = partial(Duel.play_pair, duel, clock=clock)
    return executor.run(work, range(pairs), prepare=duel.warm_up)
