"""A deal as a few lines of text, all hands open."""

from __future__ import annotations

from collections.abc import Iterator

from diloti.core.notation import format_play
from diloti.core.position import NOBODY, Position
from diloti.envs.actions import Draft, format_way
from diloti.envs.drafts import CARD, LOOSE_USED, PILES_USED, WAY
from diloti.words.cards import card_sign, cards_sign


def draw_deal(position: Position, draft: Draft | None = None) -> str:
    """The last play, the table, the hands, what is captured, and the play in the making."""
    return "\n".join(_lines(position, draft))


def _lines(position: Position, draft: Draft | None) -> Iterator[str]:
    rules = position.rules
    if position.history is not None and position.history.plays:
        seat, play = position.history.plays[-1]
        yield f"play {position.plays} of {rules.plays_in_deal}: player {seat} {format_play(play)}"
    loose = cards_sign(position.loose) or "nothing loose"
    piles = (
        f"[{' + '.join(map(cards_sign, pile.components))} = {pile.value}, player {pile.owner}]"
        for pile in position.piles
    )
    yield "  ".join((f"table: {loose}", *piles))
    for seat, hand in enumerate(position.hands):
        turn = ">" if seat == (position.turn if draft is None else draft.seat) else " "
        yield f"{turn} player {seat}: {cards_sign(hand)}"
    for side in (0, 1):
        cards = position.captured[side].bit_count()
        yield f"  side {side}: {cards} cards, {position.xeri[side]} xeri"
    if draft is not None and draft.numbers[CARD] != NOBODY:
        yield f"  being built: {_being_built(draft)}"


def _being_built(draft: Draft) -> str:
    """The play in the making, as far as it has come."""
    card, way = int(draft.numbers[CARD]), int(draft.numbers[WAY])
    used = int(draft.numbers[LOOSE_USED] | draft.numbers[PILES_USED])
    named = card_sign(card)
    if way != NOBODY:
        named += f" {format_way(way)}"
    return f"{named} {cards_sign(used)}".rstrip()
