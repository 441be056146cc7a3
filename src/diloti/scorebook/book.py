"""A score sheet as its entries make it: the deals that count, the totals, and who has won."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from diloti.core.errors import N_
from diloti.core.scoring import DealScore
from diloti.scorebook.count import DealCount, Pair, ScorebookError, dealer_after, score_count
from diloti.scorebook.entries import SETUP, Entries, Entry, Setup


@dataclass(frozen=True)
class Row:
    """A deal of the sheet."""

    deal: str
    number: int
    """From 1 on."""
    dealer: int
    count: DealCount
    score: DealScore
    """Its points, and the match totals after it."""
    is_counted: bool
    """False where the match was over before (R12.2)."""
    versions: Entries
    """All entries for it; the last one counts."""
    is_doubtful: bool
    """Whether another deal was entered at the same time elsewhere: it may be the same one."""

    @property
    def rivals(self) -> Entries:
        """Entries written at the same time as the one that counts, by somebody else."""
        *others, last = self.versions
        return tuple(
            entry for entry in others if entry.seen == last.seen and entry.deal != entry.id
        )


class Book:
    """What a sheet says."""

    def __init__(self, entries: Entries) -> None:
        self.entries = entries

    @cached_property
    def setup(self) -> Setup:
        """The names and rules that were set last."""
        [*_, last] = [entry.setup for entry in self.entries if entry.setup]
        return last

    @cached_property
    def _versions(self) -> dict[str, list[Entry]]:
        """The entries of every deal, in the order in which the deals were entered."""
        versions: dict[str, list[Entry]] = {
            entry.id: [] for entry in self.entries if entry.is_new_deal
        }
        for entry in self.entries:
            if entry.deal != SETUP:
                versions[entry.deal].append(entry)
        return versions

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The deals that have not been taken away."""
        rules = self.setup.rules
        live = [versions for versions in self._versions.values() if versions[-1].count is not None]
        places = [versions[0].seen for versions in live]
        rows: list[Row] = []
        scores: Pair = (0, 0)
        is_over = False
        for place, versions in enumerate(live):
            count = versions[-1].count
            assert count is not None
            dealer = dealer_after(self.setup.first_dealer, place, rules)
            score = score_count(rules, count, scores, dealer=dealer)
            if is_over:
                score = DealScore(score.sheets, scores, rows[-1].score.winner)
            rows.append(
                Row(
                    deal=versions[0].deal,
                    number=place + 1,
                    dealer=dealer,
                    count=count,
                    score=score,
                    is_counted=not is_over,
                    versions=tuple(versions),
                    is_doubtful=places.count(places[place]) > 1,
                )
            )
            scores, is_over = score.scores, score.winner is not None
        return tuple(rows)

    @property
    def entered(self) -> int:
        """How many deals have been entered, those among them that were taken away since."""
        return len(self._versions)

    @property
    def scores(self) -> Pair:
        """The match totals."""
        return self.rows[-1].score.scores if self.rows else (0, 0)

    @property
    def winner(self) -> int | None:
        """The side that has won, None while the match goes on."""
        return self.rows[-1].score.winner if self.rows else None

    @property
    def next_dealer(self) -> int:
        """Who deals next (R2.2)."""
        return dealer_after(self.setup.first_dealer, len(self.rows), self.setup.rules)

    def row(self, deal: str) -> Row | None:
        """A deal by its name, None where it is not on the sheet."""
        return next((row for row in self.rows if row.deal == deal), None)

    def may_remove(self, row: Row) -> bool:
        """Whether a deal may be taken away: the last one, or one that may be there twice."""
        return row.is_doubtful or row is self.rows[-1]

    # --- What is written next --------------------------------------------------------

    def enter(self, count: DealCount, *, name: str) -> Entry:
        """An entry for a new deal."""
        return Entry(name, self._next_time, name, self.entered, count=count)

    def correct(self, deal: str, count: DealCount | None, *, name: str) -> Entry:
        """An entry that sets an old deal to another count, or takes it away."""
        versions = self._versions.get(deal)
        if versions is None:
            raise ScorebookError(N_("there is no deal {name}"), name=deal)
        return Entry(name, self._next_time, deal, len(versions), count=count)

    def set_up(self, setup: Setup, *, name: str) -> Entry:
        """An entry with other names or rules."""
        seen = sum(entry.setup is not None for entry in self.entries)
        return Entry(name, self._next_time, SETUP, seen, setup=setup)

    def latest(self, deal: str) -> Entry:
        """The entry that counts for a deal."""
        return self._versions[deal][-1]

    @property
    def _next_time(self) -> int:
        return 1 + max(entry.time for entry in self.entries)
