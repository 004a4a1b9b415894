"""Learners and random players at one table: who won, who was paid what, and who sat where."""

from itertools import permutations

import numpy as np
import pytest

from cardgames.core.game import make
from cardgames.learners.algorithms import make_learner
from cardgames.learners.dqn import DqnSettings
from cardgames.learners.learner import Learner
from cardgames.reproduce.compete import compete

GAME = make("uno", 3, "rlcard-2022")


def learner(encoding: str = "cheating-7x4x15") -> Learner:
    return make_learner("dqn", [GAME], DqnSettings(encoding=encoding, hidden=(8,)))


def test_every_round_has_one_winner_and_random_players_win_alike() -> None:
    played = compete([None, None, None], GAME, [range(3)], 3000, 1)
    wins = played.wins()
    assert sum(wins) == 3000 and all(900 < number < 1100 for number in wins)
    again = compete([None, None, None], GAME, [range(3)], 3000, 1)
    assert again.wins() == wins


def test_pay_offs_are_right_and_by_rlcards_formula() -> None:
    played = compete([None, None, None], GAME, [range(3)], 600, 2)
    first, second, third = (number / 600 for number in played.wins())
    for rate, (paid, deviation) in zip((first, second, third), played.paid(GAME), strict=True):
        assert paid == pytest.approx(2 * rate - 1) and deviation == pytest.approx(np.sqrt(1 - paid**2))
    wrong = [paid for paid, _ in played.paid(make("uno", 3, "rlcard-2022", ["payoff=rlcard"]))]
    assert wrong == pytest.approx([first - second, second - first, -third])


def test_players_change_seats_as_told() -> None:
    """A player who always sits first wins what the first seat wins, whatever his number."""
    straight = compete([None, None, None], GAME, [(0, 1, 2)], 300, 3).wins()
    turned = compete([None, None, None], GAME, [(2, 0, 1)], 300, 3).wins()
    assert turned == [straight[1], straight[2], straight[0]]


def test_one_that_sees_all_cards_may_compete() -> None:
    player = learner()
    played = compete([player, player, None], GAME, list(permutations(range(3))), 60, 4)
    assert sum(played.wins()) == 60
    with pytest.raises(ValueError, match="one encoding"):
        compete([player, learner("4x4x15"), None], GAME, [range(3)], 10, 4)
