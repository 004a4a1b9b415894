"""Games between learners and random players: wins, payoffs and seatings."""

from itertools import permutations

import numpy as np
import pytest

from cardgames.core import ops
from cardgames.core.game_registry import make
from cardgames.kernels.masks import to_bools
from cardgames.learners.algorithms.algorithm_registry import make_learner
from cardgames.learners.algorithms.dqn import DqnSettings
from cardgames.learners.base.learner import Learner
from cardgames.learners.environments.collector import Collector
from cardgames.papers.learner_matches import compete, compete_with_random

GAME = make("uno", 3, "rlcard-2022")


def learner(encoding: str = "cheating-7x4x15") -> Learner:
    return make_learner("dqn", [GAME], DqnSettings(encoding=encoding, hidden=(8,)))


def test_every_round_has_one_winner_and_random_players_win_equally() -> None:
    played = compete([None, None, None], GAME, [range(3)], 3000, 1)
    wins = played.wins()
    assert sum(won.wins for won in wins) == 3000 and all(900 < won.wins < 1100 for won in wins)
    again = compete([None, None, None], GAME, [range(3)], 3000, 1)
    assert again.wins() == wins


def test_payoffs_are_correct_or_by_rlcards_formula() -> None:
    played = compete([None, None, None], GAME, [range(3)], 600, 2)
    first, second, third = (won.rate for won in played.wins())
    for rate, (payoffs, deviation, _) in zip((first, second, third), played.payoffs(GAME), strict=True):
        assert payoffs == pytest.approx(2 * rate - 1) and deviation == pytest.approx(np.sqrt(1 - payoffs**2))
    wrong = [payoffs.mean for payoffs in played.payoffs(make("uno", 3, "rlcard-2022", ["payoff=rlcard"]))]
    assert wrong == pytest.approx([first - second, second - first, -third])


def test_wins_of_a_player_follow_its_seat() -> None:
    in_order = compete([None, None, None], GAME, [(0, 1, 2)], 300, 3).wins()
    rotated = compete([None, None, None], GAME, [(2, 0, 1)], 300, 3).wins()
    assert rotated == [in_order[1], in_order[2], in_order[0]]


def test_seatings_are_used_in_turn_and_wins_are_counted_by_player() -> None:
    seatings = list(permutations(range(3)))
    played = compete([None, None, None], GAME, seatings, 700, 3)
    seats = compete([None, None, None], GAME, [range(3)], 700, 3)
    won = [0, 0, 0]
    for number in range(700):
        (seat,) = (seat for seat in range(3) if ops.won(GAME.kernel_rules, seats._states[number], seat))
        won[seatings[number % 6][seat]] += 1
    assert [wins.wins for wins in played.wins()] == won and len(set(won)) == 3
    assert [payoffs.mean for payoffs in played.payoffs(GAME)] == pytest.approx([2 * wins / 700 - 1 for wins in won])


def test_random_players_choose_legal_actions_uniformly(monkeypatch: pytest.MonkeyPatch) -> None:
    step, places = Collector.step, []

    def stepped(self: Collector, actions: np.ndarray, at: np.ndarray | None = None) -> None:
        if at is not None:
            for action, legal in zip(actions, to_bools(self.legal[at], GAME.num_distinct_actions), strict=True):
                if legal.sum() == 2:
                    places.append(np.flatnonzero(legal).tolist().index(action))
        step(self, actions, at)

    monkeypatch.setattr(Collector, "step", stepped)
    compete([None, None, None], GAME, [range(3)], 100, 5)
    assert len(places) > 500 and np.mean(places) == pytest.approx(0.5, abs=2 / np.sqrt(len(places)))


def test_learner_that_sees_hidden_cards_can_compete() -> None:
    player = learner()
    played = compete([player, player, None], GAME, list(permutations(range(3))), 60, 4)
    assert sum(won.wins for won in played.wins()) == 60
    with pytest.raises(ValueError, match="same encoding"):
        compete([player, learner("4x4x15"), None], GAME, [range(3)], 10, 4)


def test_compete_with_random_puts_the_player_in_the_first_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr("cardgames.papers.learner_matches.compete", lambda *arguments: calls.append(arguments))
    player = learner()
    compete_with_random(player, GAME, 10, 4)
    assert calls == [([player, None, None], GAME, [range(3)], 10, 4)]
