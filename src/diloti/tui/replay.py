"""A recorded match, told from its first deal to its result, with all hands open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from diloti.core.errors import N_, DilotiError
from diloti.core.match import DealLog, Match
from diloti.core.notation import format_play
from diloti.core.position import Position
from diloti.core.record import Record
from diloti.core.record_reader import (
    LONGEST_RECORD,
    RecordError,
    parse_record,
    split_records,
)
from diloti.teacher.repetition import repeat_bots
from diloti.words import Words
from diloti.words.accounts import (
    closing_lines,
    deal_lines,
    opening_lines,
    sheet_lines,
    side_names,
)
from diloti.words.cards import card_sign, cards_sign
from diloti.words.files import file_trouble
from diloti.words.replay import names_in_record, replay_steps
from diloti.words.telling import seat_names

STDIN = "-"
"""The file name that stands for standard input."""


class ReplayError(DilotiError):
    """A file that cannot be read."""


def read_record(file: str, stdin: BinaryIO, *, game: int | None = None) -> Record:
    """The record in a file; `ReplayError` or `RecordError` where it cannot be read.

    Of several records `game` says which one, from 1.
    """
    most = 4 * LONGEST_RECORD  # bytes, so that a longer text is refused as such
    try:
        if file == STDIN:
            written = stdin.read(most)
        else:
            with Path(file).open("rb") as source:
                written = source.read(most)
        text = written.decode("utf-8")
    except (OSError, ValueError) as trouble:
        raise ReplayError(
            N_("{file} cannot be read: {trouble}"), file=file, trouble=file_trouble(trouble)
        ) from trouble
    texts = split_records(text)
    if game is None and len(texts) > 1:
        raise ReplayError(
            N_("{file} holds {count} records: say which one with --game"),
            file=file,
            count=len(texts),
        )
    number = 1 if game is None else game
    if not 1 <= number <= len(texts):
        raise ReplayError(
            N_("there is no record {number} in {file}: it holds {count}"),
            number=number,
            file=file,
            count=len(texts),
        )
    try:
        return parse_record(texts[number - 1])
    except RecordError as wrong:
        before = sum(len(one.splitlines()) for one in texts[: number - 1])
        raise RecordError(before + wrong.line, wrong.trouble) from wrong


def replay_lines(words: Words, record: Record) -> Iterator[str]:
    """The match in words: who plays by which rules, every deal, the result."""
    match = record.match
    names = names_in_record(words, record)
    yield from opening_lines(words, names, match.rules, is_over=match.is_over)
    for number in range(len(match.deals)):
        yield ""
        yield from _deal(words, names, match, number)
    yield ""
    yield from closing_lines(words, names, match)


def repetition_lines(words: Words, match: Match) -> Iterator[str]:
    """Whether the bots of a match choose again what they have played."""
    names = seat_names(words, match.names)
    same = total = 0
    for found in repeat_bots(match):
        total += 1
        same += found.is_same
        if not found.is_same:
            yield words.say(
                "Deal {deal}, play {number}: {name} played {play}, but {bot} chooses {chosen}.",
                deal=found.deal,
                number=found.number,
                name=names[found.seat],
                play=format_play(found.play),
                bot=found.bot,
                chosen=format_play(found.chosen),
            )
    if not total:
        yield words.say(
            "The record does not say which bots have played (in a line “Bots”), so none can choose"
            " again."
        )
        return
    yield words.say_count(
        "{count} play of a bot was chosen again from what its seat could see: {same} is the same.",
        "{count} plays of bots were chosen again from what their seats could see: {same} are the"
        " same.",
        total,
        same=same,
    )


def _deal(words: Words, names: Sequence[str], match: Match, number: int) -> Iterator[str]:
    log = match.deals[number]
    start = log.start
    yield from deal_lines(words, names, match, number)
    yield words.say("On the table: {cards}", cards=cards_sign(start.loose))
    yield from _hands(words, names, start)
    for seat, card in enumerate(start.shown or ()):
        if card is not None:
            yield words.say("{name} has shown {card}.", name=names[seat], card=card_sign(card))
    yield from _plays(words, names, log)
    if log.score is not None:
        yield ""
        yield from sheet_lines(
            words,
            side_names(words, names),
            match.rules,
            log.score,
            log.position.captured,
        )


def _plays(words: Words, names: Sequence[str], log: DealLog) -> Iterator[str]:
    for step in replay_steps(words, names, log)[1:]:
        play, *happened = step.told
        yield f"{step.number}. {play}"
        yield from happened
        if log.outcomes[step.number - 1].has("refill"):
            yield from _hands(words, names, step.position)
        yield from _table(words, step.position)


def _hands(words: Words, names: Sequence[str], position: Position) -> Iterator[str]:
    for name, hand in zip(names, position.hands):
        yield words.say("Hand of {name}: {cards}", name=name, cards=cards_sign(hand))


def _table(words: Words, position: Position) -> Iterator[str]:
    """What lies there before the next play, piles in brackets."""
    if position.is_over:
        return
    piles = [f"[{cards_sign(pile.cards)}]={pile.value}" for pile in position.piles]
    cards = " ".join(filter(None, [cards_sign(position.loose), *piles]))
    if cards:
        yield words.say("On the table: {cards}", cards=cards)
    else:
        yield words.say("The table is empty.")
