"""The encoding: all that a seat may know, nothing else, the same in every environment."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from diloti.core.cards import PACK_SIZE, cards_in, mask_of
from diloti.core.match import Match
from diloti.core.plays import Play, legal_plays
from diloti.core.position import NOBODY, seat_after
from diloti.core.rules import CLASSIC, RULE_SETS, TAVERNA
from diloti.core.view import View, view_of
from diloti.core.wire import read_position
from diloti.envs.actions import Bytes, Draft
from diloti.envs.drafts import new_draft
from diloti.envs.encode import (
    HISTORY_ROW,
    OBSERVATION_SIZE,
    PARTS,
    PILE_ROW,
    PLACES,
    encode_history,
    encode_state,
    encode_view,
    history_shape,
    observation_bounds,
    part,
)
from tests.hidden import rehidden
from tests.reference import Position as Written
from tests.strategies import positions, seeds

DOCUMENT = (Path(__file__).parent.parent / "docs" / "environments.md").read_text(encoding="utf-8")


def cards(numbers: np.ndarray) -> int:
    """The mask of the cards that are marked."""
    return mask_of(np.flatnonzero(numbers).tolist())


def one(numbers: np.ndarray) -> int | None:
    """The place of the only mark, None where there is none."""
    [*marked] = np.flatnonzero(numbers).tolist()
    assert len(marked) <= 1
    return marked[0] if marked else None


def decoded(view: View, observation: Bytes) -> dict[str, object]:
    """What an observation says, in the terms of the view of its seat."""
    seats, side = view.rules.players, view.side

    def seat(numbers: np.ndarray) -> int | None:
        place = one(numbers)
        return None if place is None else (view.seat + place) % seats

    def by_side(name: str) -> tuple[int, int]:
        own, other = part(observation, name).tolist()
        return (other, own) if side else (own, other)

    last = one(part(observation, "last_capture"))
    sizes = part(observation, "hand_sizes").tolist()
    piles = [
        (cards(row[:40]), (one(row[40:50]) or 0) + 1, seat(row[50:54]), bool(row[54]))
        for row in part(observation, "piles").reshape(-1, PILE_ROW)
        if row.any()
    ]
    own, partner = part(observation, "shown").reshape(2, PACK_SIZE)
    return {
        "hand": cards(part(observation, "hand")),
        "loose": cards(part(observation, "loose")),
        "piles": piles,
        "hand_sizes": tuple(sizes[(other - view.seat) % seats] for other in range(seats)),
        "dealer": seat(part(observation, "dealer")),
        "turn": seat(part(observation, "asked")),
        "last_capture": None if last is None else side ^ last,
        "xeri": by_side("xeri"),
        "xeristaki": by_side("xeristaki"),
        "scores": tuple(view.rules.target - to_go for to_go in by_side("to_go")),
        "plays": int(part(observation, "plays")[0]),
        "stock_size": int(part(observation, "stock")[0]),
        "shown": (one(own), one(partner)),
    }


def known_to(view: View) -> dict[str, object]:
    """The same, from the view itself."""
    shown = view.shown or (None,) * view.rules.players
    partner = (view.seat + 2) % view.rules.players
    named = ("hand", "loose", "hand_sizes", "dealer", "turn", "last_capture", "xeri", "xeristaki")
    return {
        **{name: getattr(view, name) for name in (*named, "scores", "plays", "stock_size")},
        "piles": [(pile.cards, pile.value, pile.owner, pile.is_family) for pile in view.piles],
        "shown": (shown[view.seat], None if partner == view.seat else shown[partner]),
    }


def test_the_parts_are_as_documented() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (?:(\d+) × )?(\d+) \|", DOCUMENT, re.MULTILINE)
    assert [
        (name, int(place), int(times or 1) * int(size)) for name, place, times, size in rows
    ] == [(name, PLACES[name].start, size) for name, size in PARTS.items()]
    assert OBSERVATION_SIZE == sum(PARTS.values()) == 1552
    assert history_shape(CLASSIC) == history_shape(TAVERNA) == (49, HISTORY_ROW) == (49, 122)
    stack = np.arange(2 * OBSERVATION_SIZE).reshape(2, -1)
    assert [part(stack, name).shape for name in PARTS] == [(2, size) for size in PARTS.values()]
    assert np.concatenate([part(stack, name) for name in PARTS], axis=1).tolist() == stack.tolist()


@given(positions())
def test_an_observation_says_all_that_a_view_says(written: Written) -> None:
    position = read_position(written)
    low, high = observation_bounds()
    for seat in range(position.rules.players):
        view = view_of(position, seat)
        near = tuple(max(score, view.rules.target - 127) for score in view.scores)
        observation = encode_view(view)
        assert decoded(view, observation) == {**known_to(view), "scores": near}
        assert (low <= observation).all()
        assert (observation <= high).all()


@given(positions(), seeds())
def test_an_observation_never_depends_on_hidden_cards(written: Written, seed: int) -> None:
    rng = random.Random(seed)
    for seat in range(len(written["hands"])):
        same = view_of(read_position(written), seat)
        other = view_of(read_position(rehidden(rng, written, seat)), seat)
        assert (encode_view(same) == encode_view(other)).all()
        assert (encode_history(same) == encode_history(other)).all()


def played(name: str, seed: int, plays: int) -> Match:
    """A match of a named rule set after so many random plays of its first deal."""
    rng = random.Random(seed)
    rules = RULE_SETS[name]
    match = Match(rules, first_dealer=rng.randrange(rules.players))
    match.deal_seed(seed.to_bytes(32, "big"))
    for _ in range(plays):
        match.play(rng.choice(legal_plays(match.position)))
    return match


def decoded_history(view: View, history: Bytes) -> tuple[int, list[tuple[int | None, Play]]]:
    """The layout and the plays that a history tells."""
    layout, *rows = history
    told: list[tuple[int | None, Play]] = []
    for row in rows:
        if not row.any():
            continue
        place, card, kind = one(row[:4]), one(row[4:56]), one(row[56:60])
        value, used = one(row[60:70]), cards(row[70:])
        assert place is not None
        assert card is not None
        assert kind is not None
        seat = (view.seat + place) % view.rules.players
        told.append((seat, Play(kind, card, used, (), 0 if value is None else value + 1)))
    return cards(layout[70:]), told


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("plays", [0, 1, 17, 47, 48])
def test_a_history_tells_the_whole_deal(name: str, plays: int) -> None:
    position = played(name, plays, plays).position
    for seat in range(position.rules.players):
        view = view_of(position, seat)
        assert view.history is not None
        used = [
            (other, replace(play, loose=play.loose | play.pile_cards, piles=()))
            for other, play in view.history.plays
        ]
        assert decoded_history(view, encode_history(view)) == (view.history.layout, used)
        observed = [cards(row) for row in part(encode_view(view), "captured").reshape(2, -1)]
        taken = [0, 0]
        for other, play in view.history.plays:
            if play.kind == 1:
                taken[(other ^ seat) & 1] |= 1 << play.card | play.loose | play.pile_cards
        if view.captured is not None:
            taken = [view.captured[view.side], view.captured[1 - view.side]]
        assert observed == taken


@pytest.mark.parametrize("name", RULE_SETS)
def test_compiled_environments_encode_the_same_from_the_whole_state(name: str) -> None:
    """They read the state itself, and must see no more of it than a view has."""
    for plays in (0, 5, 23, 24, 40, 48):
        position = played(name, plays + 100, plays).position
        nothing_shown = np.full(4, NOBODY, dtype=np.int64)
        for seat in range(position.rules.players):
            observation = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
            encode_state(
                position.rules.packed,
                position.state,
                new_draft(),
                nothing_shown,
                seat,
                observation,
            )
            assert (observation == encode_view(view_of(position, seat))).all()


def test_only_the_seat_asked_sees_its_draft() -> None:
    position, draft = next(
        (position, draft)
        for plays in range(4, 40)
        for position in [played("classic", 3, plays).position]
        for action in Draft(position).actions
        for draft in [Draft(position)]
        if draft.take(action) is None
    )
    plain = {seat: encode_view(view_of(position, seat)) for seat in (0, 1)}
    asked = position.turn
    assert asked is not None
    other = seat_after(asked, position.rules)
    assert (encode_view(view_of(position, other), draft) == plain[other]).all()
    seen = encode_view(view_of(position, asked), draft)
    assert one(part(seen, "draft_card")) == draft.taken[0]
    assert (seen != plain[asked]).sum() == part(seen, "draft_card").sum() + part(
        seen, "draft_way"
    ).sum() + part(seen, "draft_used").sum()


def test_scores_far_from_the_target_are_cut() -> None:
    far = replace(CLASSIC, target=1000)
    match = Match(far, first_dealer=0)
    match.deal_seed(bytes(32))
    assert part(encode_view(match.view(0)), "to_go").tolist() == [127, 127]


def test_cards_are_where_the_table_says() -> None:
    position = played("classic", 1, 0).position
    seen = encode_view(view_of(position, 0))
    assert np.flatnonzero(seen[:52]).tolist() == list(cards_in(position.hands[0]))
    assert np.flatnonzero(seen[273:325]).tolist() == list(cards_in(position.loose))
