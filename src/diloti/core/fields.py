"""Reading JSON field by field: every wrong shape is refused with the name of its field."""

from __future__ import annotations

from typing import Any

from diloti.core.cards import COURTS, FULL_PACK, mask_of, sum_of
from diloti.core.errors import N_, NotationError, PositionError, quote
from diloti.core.notation import format_card, format_cards, parse_card, parse_play
from diloti.core.position import MOST_PILES, History, Pile
from diloti.core.rules import LARGEST_NUMBER, LARGEST_SCORE, Rules

_MISSING: Any = object()


class Fields:
    """The fields of a JSON object, and the cards met in them so far."""

    def __init__(self, written: Any) -> None:
        if not isinstance(written, dict):
            raise PositionError(N_("a position is a JSON object"))
        self._written = written
        self._place: dict[int, str] = {}

    def get(self, field: str, default: Any = _MISSING) -> Any:
        """The value of a field; without `default` a missing one is refused."""
        value = self._written.get(field, default)
        if value is _MISSING:
            raise PositionError(N_("{field} is missing"), field=field)
        return value

    def number(self, field: str, value: Any, *, least: int = 0, most: int = LARGEST_NUMBER) -> int:
        """A whole number within bounds."""
        if type(value) is not int or not least <= value <= most:
            raise PositionError(
                N_("{field} must be a whole number from {least} to {most}, not {value}"),
                field=field,
                least=least,
                most=most,
                value=quote(value),
            )
        return value

    def list_of(self, field: str, value: Any, size: int | None = None) -> list[Any]:
        """A list, of a given size where one is given."""
        if not isinstance(value, list):
            raise PositionError(N_("{field} must be a list"), field=field)
        if size is not None and len(value) != size:
            raise PositionError(
                N_("{field} must have {size} entries, not {found}"),
                field=field,
                size=size,
                found=len(value),
            )
        return value

    def card(self, field: str, value: Any) -> int:
        """A card, wherever it may be used elsewhere."""
        try:
            return parse_card(value)
        except NotationError:
            raise PositionError(
                N_("{field}: {text} is not a card"), field=field, text=quote(value)
            ) from None

    def cards(self, field: str, value: Any) -> list[int]:
        """A list of cards, none of which has been met in another place."""
        found = [self.card(field, card) for card in self.list_of(field, value)]
        for card in found:
            if card in self._place:
                raise PositionError(
                    N_("{card} is both in {field} and in {other}"),
                    card=format_card(card),
                    field=field,
                    other=self._place[card],
                )
            self._place[card] = field
        return found

    def mask(self, field: str) -> int:
        """A field that is a list of cards, as a mask."""
        return mask_of(self.cards(field, self.get(field)))

    def masks(self, field: str, size: int) -> list[int]:
        """A field that is a list of `size` lists of cards, as masks."""
        lists = self.list_of(field, self.get(field), size)
        return [mask_of(self.cards(f"{field}.{i}", cards)) for i, cards in enumerate(lists)]

    def seat(self, field: str, value: Any, rules: Rules) -> int:
        """A seat of the rule set."""
        return self.number(field, value, most=rules.players - 1)

    def counts(self, rules: Rules) -> dict[str, Any]:
        """The fields that views and positions share and that hold no cards."""
        turn, last = self.get("turn"), self.get("last_capture")
        return {
            "dealer": self.seat("dealer", self.get("dealer"), rules),
            "turn": None if turn is None else self.seat("turn", turn, rules),
            "plays": self.number("plays", self.get("plays"), most=rules.plays_in_deal),
            "last_capture": None if last is None else self.number("last_capture", last, most=1),
            "xeri": self._pair("xeri"),
            "xeristaki": self._pair("xeristaki"),
            "scores": self._pair("scores", most=LARGEST_SCORE),
        }

    def _pair(self, field: str, most: int = LARGEST_NUMBER) -> tuple[int, int]:
        first, second = self.list_of(field, self.get(field), 2)
        return (
            self.number(f"{field}.0", first, most=most),
            self.number(f"{field}.1", second, most=most),
        )

    def check_format(self, known: int) -> None:
        """Raise `PositionError` where the field `format`, if there is one, names a later form."""
        form = self.number("format", self.get("format", known), least=1)
        if form > known:
            raise PositionError(
                N_("format: this is form {found}, and this program knows {known}"),
                found=form,
                known=known,
            )

    def piles(self, rules: Rules) -> tuple[Pile, ...]:
        """The piles, each with components that add up to its value."""
        piles = self.list_of("piles", self.get("piles"))
        if len(piles) > MOST_PILES:
            raise PositionError(
                N_("{field} must have {size} entries, not {found}"),
                field="piles",
                size=MOST_PILES,
                found=len(piles),
            )
        return tuple(self._pile(f"piles.{i}", pile, rules) for i, pile in enumerate(piles))

    def _pile(self, field: str, written: Any, rules: Rules) -> Pile:
        if not isinstance(written, dict) or not {"value", "owner", "components"} <= written.keys():
            raise PositionError(N_("{field} must have value, owner and components"), field=field)
        value = self.number(f"{field}.value", written["value"], least=1, most=10)
        owner = self.seat(f"{field}.owner", written["owner"], rules)
        components = tuple(
            mask_of(self.cards(f"{field}.components.{i}", cards))
            for i, cards in enumerate(self.list_of(f"{field}.components", written["components"]))
        )
        for component in components:
            if component & COURTS:
                raise PositionError(
                    N_("{field}: no court goes into a pile, and {cards} is one"),
                    field=field,
                    cards=format_cards(component & COURTS, " "),
                )
            if sum_of(component) != value:
                raise PositionError(
                    N_("{field}: {cards} do not add up to {value}"),
                    field=field,
                    cards=format_cards(component, " ") or "–",
                    value=value,
                )
        pile = Pile(value, owner, components)
        if pile.cards.bit_count() < 2:
            raise PositionError(
                N_("{field}: a pile has two cards or more, not only {cards}"),
                field=field,
                cards=format_cards(pile.cards) or "–",
            )
        return pile

    def shown(self, rules: Rules) -> tuple[int | None, ...] | None:
        """The cards shown to partners, None where the field is absent."""
        shown = self.get("shown", None)
        if shown is None:
            return None
        if not rules.partners_show_card:
            raise PositionError(N_("shown: these rules have no showing of cards"))
        return tuple(
            None if card is None else self.card(f"shown.{seat}", card)
            for seat, card in enumerate(self.list_of("shown", shown, rules.players))
        )

    def history(self, rules: Rules) -> History | None:
        """The layout and the plays so far, None where the field is absent or null."""
        history = self.get("history", None)
        if history is None:
            return None
        if not isinstance(history, dict) or not {"table", "plays"} <= history.keys():
            raise PositionError(N_("{field} must have table and plays"), field="history")
        table = self.list_of("history.table", history["table"], rules.layout_size)
        layout = mask_of(self.card("history.table", card) for card in table)
        if layout.bit_count() != len(table):
            raise PositionError(N_("{field}: a card is named twice"), field="history.table")
        plays = []
        for number, entry in enumerate(self.list_of("history.plays", history["plays"])):
            field = f"history.plays.{number}"
            seat, text = self.list_of(field, entry, 2)
            try:
                plays.append((self.seat(field, seat, rules), parse_play(text)))
            except NotationError as trouble:
                raise PositionError(
                    N_("{field}: {trouble}"), field=field, trouble=trouble
                ) from None
        return History(layout, tuple(plays))

    def check_all_met(self, rules: Rules) -> None:
        """Raise `PositionError` unless every card of the pack has been met, and no other."""
        missing = rules.pack & ~mask_of(self._place)
        if missing:
            raise PositionError(
                N_("these cards are nowhere: {cards}"), cards=format_cards(missing, " ")
            )
        self.check_none_foreign(rules)

    def check_none_foreign(self, rules: Rules) -> None:
        """Raise `PositionError` where a card has been met that the pack does not have."""
        foreign = mask_of(self._place) & FULL_PACK & ~rules.pack
        if foreign:
            raise PositionError(
                N_("these cards are not in the pack: {cards}"), cards=format_cards(foreign, " ")
            )
