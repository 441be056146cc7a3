"""Diloti as an OpenSpiel game: importing this module registers ``diloti`` with pyspiel.

    import pyspiel
    import diloti.envs.spiel

    game = pyspiel.load_game("diloti(rules=taverna,players=2)")

Parameters are those of `diloti.envs.terms.terms_of`; switches of R13 go by their names, with 0 and
1 for no and yes. A switch that is not given is that of the rule set. The cards are dealt one by one
by chance, those of a refill when the hands are empty; a layout that has to be exchanged (R2.5) goes
back among the undealt cards. Player 0 plays first, unless ``dealer`` is given.

Players make their plays in steps (`diloti.envs.actions`). An information state is what a seat may
see and remember: the layout, all plays, its own hand and the play that it is putting together; in a
match the deals before, too (in the string; the tensor has only the scores of these).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pyspiel

from diloti.core.cards import PACK_SIZE, cards_in
from diloti.core.notation import format_card, format_cards, format_play
from diloti.core.rules import CHOICES, SWITCHES, Rules
from diloti.core.view import View, view_of
from diloti.envs.actions import ACTIONS, format_action
from diloti.envs.drawing import draw_deal
from diloti.envs.encode import (
    OBSERVATION_SIZE,
    PARTS,
    PLACES,
    PUBLIC,
    encode_history,
    encode_view,
    history_shape,
)
from diloti.envs.moments import Moment
from diloti.envs.terms import DEAL, MATCH, MOST_DEALS, Terms, TermsError, terms_of

SHORT_NAME = "diloti"
_UNSET = -1
"""What stands for a number or a yes-or-no that is not given; for words it is the empty text."""

_PARAMETERS: dict[str, str | int] = {
    "rules": "classic",
    "episode": DEAL,
    "most_deals": MOST_DEALS,
    "dealer": _UNSET,
    "pack": "",
    "hand_size": 0,
    "layout_size": _UNSET,
    **{name: "" if name in CHOICES else _UNSET for name in SWITCHES},
}

_SEEDS = 1 << 53

_STEPS_OF_PLAY = 3
"""Steps of a play at most, but for those that name what is used: the card, the way, and the end."""

_GAME_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Diloti",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_PARAMETERS,
)


def _terms_of(parameters: Mapping[str, Any]) -> Terms:
    """The terms that a game's parameters name."""
    given = {
        name: value
        for name, value in parameters.items()
        if name in _PARAMETERS and value != _PARAMETERS[name] and name != "dealer"
    }
    for name in SWITCHES:
        if name in given and isinstance(getattr(Rules, name), bool):
            if given[name] not in (0, 1):
                raise TermsError(f"{name} can be 0 or 1, not {given[name]}")
            given[name] = bool(given[name])
    return terms_of(**given)


def _longest_deal(rules: Rules) -> int:
    """Steps of a deal at most: of each play, of what is used, and of what is shown.

    A play brings at most one loose card or pile to the table, and each is used once.
    """
    used = rules.plays_in_deal + rules.layout_size
    return _STEPS_OF_PLAY * rules.plays_in_deal + used + rules.players


class DilotiGame(pyspiel.Game):  # type: ignore[misc] # pyspiel has no types
    """The game with its parameters."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        parameters = dict(params or {})
        self.terms = _terms_of(parameters)
        rules = self.terms.rules
        dealer = int(parameters.get("dealer", _UNSET))
        self.first_dealer = rules.players - 1 if dealer == _UNSET else dealer
        if not 0 <= self.first_dealer < rules.players:
            raise ValueError(f"there is no seat {dealer}")
        most = self.terms.most_return
        deals = self.terms.most_deals if self.terms.episode == MATCH else 1
        information = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=PACK_SIZE,
            num_players=rules.players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=deals * _longest_deal(rules),
        )
        super().__init__(_GAME_TYPE, information, parameters)

    def new_initial_state(self) -> DilotiState:
        """A state before the first card is dealt."""
        return DilotiState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> DilotiObserver:
        """What a player observes now or, with perfect recall, all that they have observed.

        It can be asked for without what is public, or without what is the player's own.
        """
        if params:
            raise ValueError("observations have no parameters")
        sort = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return DilotiObserver(
            self.terms.rules,
            public=sort.public_info,
            private=sort.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER,
            recalls=sort.perfect_recall,
        )


class DilotiState(pyspiel.State):  # type: ignore[misc] # pyspiel has no types
    """A match or a deal at one moment, cards being dealt included."""

    def __init__(self, game: DilotiGame) -> None:
        super().__init__(game)
        self.moment = Moment(game.terms, dealer=game.first_dealer)

    def current_player(self) -> int:
        """The player who is asked, or chance, or the end."""
        if self.moment.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        asked = self.moment.asked
        return int(pyspiel.PlayerId.CHANCE) if asked is None else asked

    def _legal_actions(self, player: int) -> list[int]:
        draft = self.moment.draft
        return draft.actions if draft is not None and player == self.moment.asked else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that can be dealt next, all equally likely."""
        undealt = list(cards_in(self.moment.undealt))
        return [(card, 1 / len(undealt)) for card in undealt]

    def _apply_action(self, action: int) -> None:
        moment = self.moment
        self.moment = moment.deal(action) if moment.is_dealing else moment.take(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {format_card(action)}"
        return format_action(action)

    def is_terminal(self) -> bool:
        """Whether the episode is over."""
        return self.moment.is_over

    def returns(self) -> list[float]:
        """What each player gets in the end, 0 before."""
        terms, score = self.moment.terms, self.moment.score
        return [0.0] * terms.rules.players if score is None else terms.returns(score)

    def __str__(self) -> str:
        moment = self.moment
        lines = [f"scores: {moment.scores[0]} : {moment.scores[1]}"]
        if moment.position is not None:
            lines.append(draw_deal(moment.position, moment.draft))
        if moment.is_dealing:
            lines.append(f"dealt: {' '.join(map(format_card, moment.dealt))}")
        return "\n".join(lines)

    def resample_from_infostate(
        self, player: int, probability_sampler: Callable[[], float]
    ) -> DilotiState:
        """A state that `player` cannot tell from this one, drawn as `Moment.twin` says."""
        twin: DilotiState = self.get_game().new_initial_state()
        for step in self.moment.twin(player, seed=int(probability_sampler() * _SEEDS)):
            twin.apply_action(step)
        return twin


class DilotiObserver:
    """What a player observes: what is public, their own, and with recall the plays so far.

    `tensor` is what `diloti.envs.encode` has, after one number a player that says who looks; `dict`
    has its parts by name.
    """

    def __init__(self, rules: Rules, *, public: bool, private: bool, recalls: bool) -> None:
        self._public, self._private, self._recalls = public, private, recalls and public
        first, end = 0 if private else PUBLIC, OBSERVATION_SIZE if public else PUBLIC
        self._cut = slice(first, max(first, end))
        shapes: dict[str, tuple[int, ...]] = {"player": (rules.players,)}
        shapes |= {
            name: (PARTS[name],)
            for name, place in PLACES.items()
            if first <= place.start and place.stop <= end
        }
        if self._recalls:
            shapes["history"] = history_shape(rules)
        self.tensor = np.zeros(sum(map(math.prod, shapes.values())), dtype=np.float32)
        self.dict: dict[str, np.ndarray] = {}
        place = 0
        for name, shape in shapes.items():
            size = math.prod(shape)
            self.dict[name] = self.tensor[place : place + size].reshape(shape)
            place += size

    def set_from(self, state: DilotiState, player: int) -> None:
        """Write what `player` observes of a state into `tensor`, and so into its parts."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        view = state.moment.view(player)
        if view is None:
            return
        observation = encode_view(view, state.moment.draft)[self._cut]
        first = len(self.dict["player"])
        self.tensor[first : first + len(observation)] = observation
        if self._recalls:
            self.dict["history"][:] = encode_history(view)

    def string_from(self, state: DilotiState, player: int) -> str:
        """What `player` observes of a state, as lines of text."""
        return "\n".join((f"player {player}", *self._lines(state.moment, player)))

    def _lines(self, moment: Moment, player: int) -> Iterator[str]:
        view, draft = moment.view(player), moment.draft
        if self._recalls:
            for position in moment.past:
                past = view_of(position, player)
                yield from _recalled(past)
                if self._private:
                    yield f"shown {_shown(past)}"
        if view is None or draft is None:
            return
        if self._public:
            yield from _recalled(view) if self._recalls else _seen(view)
            yield f"asked {draft.seat}, {draft.shows} to show"
        if self._private:
            yield f"shown {_shown(view)}"
            yield f"hand {format_cards(view.hand)}"
            if draft.seat == player:
                yield f"begun {' '.join(map(format_action, draft.taken))}"


def _recalled(view: View) -> Iterator[str]:
    """A deal as a seat remembers it."""
    assert view.history is not None
    yield f"scores {view.scores[0]} : {view.scores[1]}, dealer {view.dealer}"
    yield f"layout {format_cards(view.history.layout)}"
    yield f"plays {' '.join(format_play(play) for _seat, play in view.history.plays)}"


def _seen(view: View) -> Iterator[str]:
    """A deal as a seat sees it now."""
    yield f"scores {view.scores[0]} : {view.scores[1]}, dealer {view.dealer}"
    piles = (f"[{format_cards(pile.cards)}={pile.value} {pile.owner}]" for pile in view.piles)
    yield f"table {format_cards(view.loose)} {' '.join(piles)}"
    yield f"plays {view.plays}, last capture {view.last_capture}, xeri {view.xeri}"


def _shown(view: View) -> str:
    """The cards shown within the partnership, by seat."""
    shown = view.shown or (None,) * view.rules.players
    return " ".join("-" if card is None else format_card(card) for card in shown)


pyspiel.register_game(_GAME_TYPE, DilotiGame)
