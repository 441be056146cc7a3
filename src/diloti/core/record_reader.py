"""Reading a match record: playing it again, and saying what is wrong with it, and where.

Every pack, play, mark and result is checked, and the first thing that is wrong is named with its
line. Lines with names that are not known are kept as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from diloti.core.deal import exchange_layout
from diloti.core.errors import N_, DilotiError, RulesError
from diloti.core.match import DealLog, Match
from diloti.core.notation import parse_card, parse_marked_play
from diloti.core.record import FIRST_LINE, FORMAT, GIVEN, Record, mark_of, result_of, results_of
from diloti.core.rules import Rules, rules_from
from diloti.core.shuffle import ALGORITHM, LONGEST_CUT, Cut, Shuffle, fits_cut
from diloti.core.wire import read_seed

LONGEST_RECORD = 4_000_000
"""Characters; a longer text is refused unread."""

_BEGINNING = re.compile(f"^(?={FIRST_LINE} )", re.MULTILINE)
_TAG = re.compile(r"([A-Za-z](?:[A-Za-z0-9 _-]{0,38}[A-Za-z0-9_-])?):(?: (.*))?")
_DEAL = re.compile(r"Deal ([0-9]{1,6})")
_ROUND = re.compile(r"([0-9]{1,3})\.(?: (.*))?")
_NUMBER = re.compile(r"[0-9]{1,9}")


class RecordError(DilotiError):
    """What is wrong with a record, and in which line (from 1)."""

    def __init__(self, line: int, trouble: DilotiError) -> None:
        super().__init__(N_("line {line}: {trouble}"), line=line, trouble=trouble)
        self.line = line
        self.trouble = trouble


class _Wrong(DilotiError):
    """Something in a record that only reading it shows."""


def parse_rules(text: str) -> Rules:
    """The rule set of such a line; `RulesError` says what is wrong."""
    base, *changes = (part.strip() for part in text.split(","))
    switches: dict[str, object] = {}
    for change in changes:
        name, equals, value = (part.strip() for part in change.partition("="))
        if name in switches:
            raise RulesError(N_("{name} stands here a second time"), name=name)
        if not equals:
            raise RulesError(N_("{text} does not set a switch"), text=change or ",")
        switches[name] = parse_switch(value)
    return rules_from(base, **switches)


def parse_switch(text: str) -> object:
    """The value of a switch: true, false, a number or a word."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if _NUMBER.fullmatch(text) else text


def split_records(text: str) -> list[str]:
    """The texts of the records that stand one after another in a text.

    Together they are the text: the first has what stands before it.
    """
    before, *records = _BEGINNING.split(text)
    return records if records and not before else [before, *records]


def parse_record(text: str) -> Record:
    """The match that a record tells, played again; `RecordError` says what is wrong and where."""
    if len(text) > LONGEST_RECORD:
        raise RecordError(1, _Wrong(N_("the record is too long")))
    reader = _Reader(text)
    try:
        return reader.read()
    except RecordError:
        raise
    except DilotiError as trouble:
        raise RecordError(reader.line, trouble) from trouble


@dataclass
class _DealText:
    """The lines of one deal, as they stand."""

    line: int
    tags: dict[str, tuple[int, str]] = field(default_factory=dict)
    rounds: list[tuple[int, list[str]]] = field(default_factory=list)


class _Reader:
    """Reads a record from top to bottom; `line` is where it is."""

    def __init__(self, text: str) -> None:
        self.line = 1
        self._lines = text.removeprefix("\ufeff").splitlines()
        self._header: dict[str, tuple[int, str]] = {}
        self._deals: list[_DealText] = []
        self._result: tuple[int, str] | None = None

    def read(self) -> Record:
        """The record, checked."""
        self._sort_lines()
        match = self._new_match()
        for deal in self._deals:
            self._play_deal(match, deal)
        self._check_result(match)
        tags = {name: value for name, (_line, value) in self._header.items()}
        return Record(match, tags)

    def _sort_lines(self) -> None:
        first = self._lines[0].strip() if self._lines else ""
        version = first.removeprefix(FIRST_LINE).strip()
        if not first.startswith(FIRST_LINE) or not _NUMBER.fullmatch(version):
            raise _Wrong(
                N_("this is not a match record: it does not begin with “{expected}”"),
                expected=f"{FIRST_LINE} {FORMAT}",
            )
        if int(version) > FORMAT:
            raise _Wrong(
                N_("this record has format {found}; this program knows {known}"),
                found=int(version),
                known=FORMAT,
            )
        for number, raw in enumerate(self._lines[1:], start=2):
            self.line, text = number, raw.strip()
            if text and not text.startswith("#"):
                self._sort_line(text)

    def _sort_line(self, text: str) -> None:
        if self._result is not None:
            raise _Wrong(N_("nothing comes after the result: {text}"), text=text[:60])
        if deal := _DEAL.fullmatch(text):
            if int(deal[1]) != len(self._deals) + 1:
                raise _Wrong(N_("deal {expected} was expected here"), expected=len(self._deals) + 1)
            self._deals.append(_DealText(self.line))
        elif (turns := _ROUND.fullmatch(text)) and self._deals:
            rounds = self._deals[-1].rounds
            if int(turns[1]) != len(rounds) + 1:
                raise _Wrong(N_("round {expected} was expected here"), expected=len(rounds) + 1)
            rounds.append((self.line, (turns[2] or "").split()))
        elif tag := _TAG.fullmatch(text):
            name, value = tag[1], (tag[2] or "").strip()
            if name == "Result":
                self._result = self.line, value
                return
            tags = self._deals[-1].tags if self._deals else self._header
            if name in tags:
                raise _Wrong(N_("{name} stands here a second time"), name=name)
            tags[name] = self.line, value
        else:
            raise _Wrong(
                N_("this line is neither a heading, nor a deal, nor plays: {text}"), text=text[:60]
            )

    def _take(self, tags: dict[str, tuple[int, str]], name: str) -> str | None:
        """The value of a known line, None where there is none; it is used up."""
        if name not in tags:
            return None
        self.line, value = tags.pop(name)
        return value

    def _need(self, tags: dict[str, tuple[int, str]], name: str, line: int) -> str:
        value = self._take(tags, name)
        if value is None:
            self.line = line
            raise _Wrong(N_("the line “{name}: …” is missing"), name=name)
        return value

    def _number(self, text: str, most: int) -> int:
        if not _NUMBER.fullmatch(text) or int(text) > most:
            raise _Wrong(
                N_("a number from 0 to {most} was expected, not {text}"), most=most, text=text[:60]
            )
        return int(text)

    def _new_match(self) -> Match:
        rules = parse_rules(self._need(self._header, "Rules", 1))
        fingerprint = self._take(self._header, "Fingerprint")
        if fingerprint not in (None, rules.fingerprint):
            raise _Wrong(
                N_("the fingerprint {found} is not that of these rules, {expected}"),
                found=fingerprint,
                expected=rules.fingerprint,
            )
        names = [self._take(self._header, f"Seat {seat}") or "" for seat in range(rules.players)]
        dealer = self._take(self._header, "First dealer")
        if dealer is None and self._deals:
            self.line, dealer = self._deals[0].tags.get("Dealer", (1, "0"))
        dealer = dealer or "0"
        return Match(rules, first_dealer=self._number(dealer, rules.players - 1), names=names)

    def _play_deal(self, match: Match, deal: _DealText) -> None:
        self.line = deal.line
        if match.is_over:
            raise _Wrong(N_("the match is over before this deal"))
        if not match.is_between_deals:
            raise _Wrong(N_("the deal before this one is not played to its end"))
        dealer = self._take(deal.tags, "Dealer")
        if dealer is not None and self._number(dealer, 9) != match.next_dealer:
            raise _Wrong(
                N_("seat {expected} deals here, not {found}"),
                expected=match.next_dealer,
                found=dealer,
            )
        self._deal_cards(match, deal)
        for seat in range(match.rules.players):
            card = self._take(deal.tags, f"Shown {seat}")
            if card is not None:
                match.show(seat, parse_card(card))
        self._play_rounds(match, deal)
        self._check_score(match.deal_log, deal)
        match.deal_log.tags = {name: value for name, (_line, value) in deal.tags.items()}

    def _deal_cards(self, match: Match, deal: _DealText) -> None:
        seed = self._seed(deal)
        cut = self._cut(match, deal, seed)
        pack = self._pack(self._need(deal.tags, "Pack", deal.line))
        pack_line = self.line
        hands = match.rules.players * match.rules.hand_size
        again = self._take(deal.tags, "Layout again")
        final = pack if again is None else pack[:hands] + self._pack(again)
        match.deal_pack(pack, final, seed=seed)
        match.deal_log.cut = cut
        if seed is not None:
            shuffle = Shuffle(seed)
            if tuple(shuffle.pack(match.rules)) != pack:
                self.line = pack_line
                raise _Wrong(N_("this is not the pack that the seed gives"))
            if exchange_layout(match.rules, pack, shuffle) != final:
                raise _Wrong(N_("this is not the layout that the seed gives"))

    def _play_rounds(self, match: Match, deal: _DealText) -> None:
        players = match.rules.players
        for number, (line, plays) in enumerate(deal.rounds):
            self.line = line
            last = number == len(deal.rounds) - 1
            if not plays or len(plays) > players or (len(plays) < players and not last):
                raise _Wrong(N_("a round has {players} plays"), players=players)
            for turn, text in enumerate(plays, start=1):
                self._play(match, number * players + turn, text)

    def _seed(self, deal: _DealText) -> bytes | None:
        """The seed; None where the pack was given, or comes from a shuffle not known here."""
        shuffle = self._take(deal.tags, "Shuffle") or GIVEN
        algorithm, *rest = shuffle.split()
        if algorithm == ALGORITHM:
            return read_seed(" ".join(rest))
        if shuffle != GIVEN:
            deal.tags["Shuffle"] = self.line, shuffle
        return None

    def _cut(self, match: Match, deal: _DealText, seed: bytes | None) -> Cut | None:
        """What the seed was made of; None where the record does not say."""
        if seed is None or "Secret" not in deal.tags:
            return None
        secret = self._need(deal.tags, "Secret", deal.line)
        line = self.line
        cut = Cut(read_seed(secret), dict(self._cut_texts(match, deal)))
        commitment = self._take(deal.tags, "Commitment")
        if commitment not in (None, cut.commitment):
            raise _Wrong(N_("the secret is not the one that was committed to"))
        if cut.seed != seed:
            self.line = line
            raise _Wrong(N_("this is not the seed that the secret and the cuts give"))
        return cut

    def _cut_texts(self, match: Match, deal: _DealText) -> Iterator[tuple[int, str]]:
        for seat in range(match.rules.players):
            text = self._take(deal.tags, f"Cut {seat}")
            if text is not None:
                if not fits_cut(text):
                    raise _Wrong(
                        N_("a cut is a line of text with single spaces, {most} characters at most"),
                        most=LONGEST_CUT,
                    )
                yield seat, text

    def _pack(self, text: str) -> tuple[int, ...]:
        return tuple(parse_card(card) for card in text.split())

    def _play(self, match: Match, number: int, text: str) -> None:
        try:
            if match.turn is None:
                raise _Wrong(N_("the deal is over before this play"))
            read = parse_marked_play(text)
            outcome = match.play(read.play)
            if read.mark and read.mark != mark_of(outcome):
                raise _Wrong(N_("{mark} does not belong here"), mark=read.mark)
        except DilotiError as trouble:
            raise _Wrong(
                N_("deal {deal}, play {number}, {text}: {trouble}"),
                deal=len(match.deals),
                number=number,
                text=text[:60],
                trouble=trouble,
            ) from trouble

    def _check_score(self, log: DealLog, deal: _DealText) -> None:
        for name, expected in results_of(log.score):
            written = self._take(deal.tags, name)
            if written is not None and re.sub(r"\s", "", written) != re.sub(r"\s", "", expected):
                raise _Wrong(
                    N_("{name} must be {expected}, not {found}"),
                    name=name,
                    expected=expected or "–",
                    found=written,
                )

    def _check_result(self, match: Match) -> None:
        if self._result is None:
            self.line = len(self._lines)
            raise _Wrong(N_("the line “{name}: …” is missing"), name="Result")
        self.line, result = self._result
        if resigned := re.fullmatch(r"seat ([0-9]) resigned", result):
            match.resign(self._number(resigned[1], match.rules.players - 1))
        if result != result_of(match):
            raise _Wrong(
                N_("{name} must be {expected}, not {found}"),
                name="Result",
                expected=result_of(match),
                found=result,
            )
