"""Many deals at once: the same game as everywhere, whatever the number of rows."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from diloti.core.effects import make_play, show_card
from diloti.core.position import History, Position, seat_after
from diloti.core.rules import CLASSIC, TAVERNA, rules_from
from diloti.core.scoring import score_deal
from diloti.core.view import view_of
from diloti.envs.actions import ACTIONS, ActionError, Bytes, Draft, Show
from diloti.envs.batch import DilotiVectorEnv
from diloti.envs.encode import encode_history, encode_view, part
from diloti.envs.terms import TermsError

RULES = {
    "classic": CLASSIC,
    "taverna": TAVERNA,
    "taverna for two": rules_from("taverna", players=2),
    "cards shown": rules_from("taverna", partners_show_card=True),
    "xeristaki": rules_from("classic", xeristaki_points=5, forced_capture=True),
}


class Followed:
    """A row of a batch followed with the objects for people."""

    def __init__(self, env: DilotiVectorEnv, row: int) -> None:
        self._env, self._row = env, row
        self.begin()

    def begin(self) -> None:
        """Take over the deal that the row has just begun."""
        state = self._env._rows.states[self._row].copy()
        rules = self._env.rules
        self.position = Position(rules, state, {}, history=History(int(state[5])))
        self.draft = Draft(self.position, shows=rules.players if rules.partners_show_card else 0)

    def take(self, action: int) -> None:
        """Take an action as the row does."""
        seat, shows = self.draft.seat, self.draft.shows
        assert seat is not None
        made = self.draft.take(action)
        if isinstance(made, Show):
            if made.card is not None:
                self.position = show_card(self.position, seat, made.card)
            self.draft = Draft(self.position, shows=shows - 1)
        elif made is not None:
            self.position = make_play(self.position, made).position
            self.draft = Draft(self.position)

    def check(self, seen: dict[str, Bytes], seat: int) -> None:
        """Compare with what the batch shows of the row."""
        assert self.draft.seat == seat
        view = view_of(self.position, seat)
        assert (seen["action_mask"][self._row] == self.draft.mask).all()
        assert (seen["observation"][self._row] == encode_view(view, self.draft)).all()
        assert (seen["history"][self._row] == encode_history(view)).all()


@pytest.mark.parametrize("name", RULES)
def test_every_row_is_the_game(name: str) -> None:
    env = DilotiVectorEnv(3, RULES[name], history=True)
    seen, told = env.reset(seed=7)
    rows = [Followed(env, row) for row in range(3)]
    ended = 0
    while ended < 4:
        for row, followed in enumerate(rows):
            followed.check(seen, int(told["seat"][row]))
        actions = env.draw_actions()
        acting = told["seat"]
        seen, rewards, ends, breaks, told = env.step(actions)
        assert ("final_obs" in told) == bool(ends.any())
        assert not breaks.any()
        for row, followed in enumerate(rows):
            followed.take(int(actions[row]))
            if not ends[row]:
                assert rewards[row] == 0
                assert not told["rewards"][row].any()
                continue
            ended += 1
            first, second = (sheet.total for sheet in score_deal(followed.position).sheets)
            sides = [first - second, second - first]
            assert told["rewards"][row].tolist() == [
                sides[seat % 2] for seat in range(env.rules.players)
            ]
            assert rewards[row] == sides[acting[row] % 2]
            last = view_of(followed.position, int(acting[row]))
            final = told["final_obs"][row]
            assert (final["observation"] == encode_view(last)).all()
            assert (final["history"] == encode_history(last)).all()
            assert not final["action_mask"].any()
            assert told["final_info"]["seat"][row] == acting[row]
            assert (told["final_info"]["rewards"][row] == told["rewards"][row]).all()
            followed.begin()
        if ends.any():
            assert (told["_final_obs"] == ends).all()
            assert [seen is not None for seen in told["final_obs"]] == ends.tolist()


def played(env: DilotiVectorEnv, steps: int, seed: int | None) -> list[np.ndarray]:
    """What the first two rows show while the first allowed actions are taken."""
    seen, _told = env.reset(seed=seed)
    shown = []
    for _ in range(steps):
        shown.append(seen["observation"][:2].copy())
        seen, *_rest = env.step(seen["action_mask"].argmax(axis=1))
    return shown


def test_a_row_follows_from_the_seed_whatever_is_beside_it() -> None:
    few, many = DilotiVectorEnv(2), DilotiVectorEnv(40)
    one, other = played(few, 200, 3), played(many, 200, 3)
    assert all((a == b).all() for a, b in zip(one, other, strict=True))
    assert any((a != b).any() for a, b in zip(one, played(few, 200, 4), strict=True))
    assert all((a == b).all() for a, b in zip(one, played(few, 200, 3), strict=True))


def test_without_a_seed_the_rows_go_on() -> None:
    env = DilotiVectorEnv(2)
    first = played(env, 1, 3)[0]
    second = played(env, 1, None)[0]
    assert (first != second).any()
    again = DilotiVectorEnv(2)
    played(again, 1, 3)
    assert (played(again, 1, None)[0] == second).all()


def test_a_forbidden_action_changes_nothing() -> None:
    env = DilotiVectorEnv(3, copy=False)
    seen, _told = env.reset(seed=1)
    allowed = env.draw_actions()
    before = env._rows.states.copy(), env._rows.drafts.copy(), seen["observation"].copy()
    for wrong in (int((seen["action_mask"][2] == 0).argmax()), ACTIONS, -1):
        with pytest.raises(ActionError, match="in row 2"):
            env.step(np.array([*allowed[:2], wrong]))
    with pytest.raises(ActionError):
        env.step(allowed[:2])
    assert (env._rows.states == before[0]).all()
    assert (env._rows.drafts == before[1]).all()
    assert (seen["observation"] == before[2]).all()
    env.step(allowed)


def test_what_is_kept_is_a_copy_unless_it_is_said_otherwise() -> None:
    for copies in (True, False):
        env = DilotiVectorEnv(2, copy=copies)
        seen, _told = env.reset(seed=1)
        kept = seen["observation"].copy()
        env.step(env.draw_actions())
        assert (kept == seen["observation"]).all() == copies


def test_it_is_a_vector_environment_of_gymnasium() -> None:
    env = DilotiVectorEnv(4, history=True)
    assert isinstance(env, VectorEnv)
    assert env.num_envs == 4
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    seen, _told = env.reset(seed=1)
    for _ in range(300):
        assert env.observation_space.contains(seen)
        actions = env.draw_actions()
        assert env.action_space.contains(actions)
        seen, *_rest = env.step(actions)
    with pytest.raises(ValueError, match="num_envs"):
        DilotiVectorEnv(0)
    nothing = np.zeros(1, dtype=np.int64)
    for early in (DilotiVectorEnv(1).draw_actions, lambda: DilotiVectorEnv(1).step(nothing)):
        with pytest.raises(RuntimeError, match="reset"):
            early()


def test_dealers_are_drawn_by_lot() -> None:
    env = DilotiVectorEnv(64, TAVERNA)
    seen, told = env.reset(seed=1)
    dealers = part(seen["observation"], "dealer").argmax(axis=1)
    assert (dealers == 3).all(), "the first to play sits after the dealer"
    assert set(told["seat"].tolist()) == {0, 1, 2, 3}
    assert seat_after(3, TAVERNA) == 0


def test_rules_can_be_named() -> None:
    env = DilotiVectorEnv(2, "taverna", players=2, raising="never")
    assert env.rules == rules_from("taverna", players=2, raising="never")
    with pytest.raises(TermsError, match="always a deal"):
        DilotiVectorEnv(2, episode="match")


def test_actions_are_whole_numbers() -> None:
    env = DilotiVectorEnv(2)
    env.reset(seed=1)
    with pytest.raises(ActionError, match="whole numbers"):
        env.step(env.draw_actions() + 0.5)


def test_wrappers_of_gymnasium() -> None:
    """What ends is told as Gymnasium tells it, so that its wrappers can take it apart."""
    table = DilotiVectorEnv(3)
    env = DictInfoToList(RecordEpisodeStatistics(table))
    env.reset(seed=2)
    ended = 0
    while not ended:
        _seen, _rewards, ends, _breaks, told = env.step(table.draw_actions())
        ended += ends.sum()
    assert len(told) == 3
    for row in np.flatnonzero(ends):
        assert told[row]["final_obs"]["observation"].shape == (1552,)
        assert told[row]["episode"]["l"] > 48
