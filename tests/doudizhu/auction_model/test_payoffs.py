"""Tests of expected payoffs in the auction and in doubling: known hands, the slow referee, and properties."""

import functools
import random
from typing import Any

import numpy as np
import pytest

from cardgames.core import ops
from cardgames.core.game_registry import make
from cardgames.core.state import State
from cardgames.doudizhu.game import DouDiZhu
from cardgames.doudizhu.policies.policy_dispatch import POLICIES
from cardgames.kernels import rng
from tests.doudizhu.hand_helpers import DECK, choose_rules
from tests.doudizhu.test_differential import deal_of
from tests.referees.doudizhu_estimates import auction_estimates, doubling_estimates
from tests.referees.doudizhu_rounds import Round, minus

STRONG_HAND, HOPELESS_HAND = "JJQQQKKKAAA2222BR", "33445566779TTJJQ8"
NO_WEIGHTS = np.zeros(0, np.float32)
BIDDERS = ("frugal", "rhcp")
"""Policies that bid by expected payoff; networks do so too."""


def estimates(state: State) -> dict[str, float]:
    """Return the expected payoff of each legal action, by its text."""
    actions = np.array(state.legal_actions(), np.int32)
    payoffs = np.empty(len(actions))
    assert ops.estimate_payoffs(state.game.kernel_rules, state.observation().record, actions, payoffs)
    return {state.action_to_string(int(action)): float(paid) for action, paid in zip(actions, payoffs, strict=True)}


def best(state: State) -> str:
    """Return the action of greatest expected payoff, of several the first."""
    payoffs = estimates(state)
    return max(payoffs, key=payoffs.__getitem__)


def with_hand(game: Any, hand: str, *said: str, seed: int = 1) -> State:
    """Return a round in which the seat to move after some actions, from seat 0 on, has this hand of 17 cards."""
    seat = len(said) % 3
    state: State = game.position(hands=[hand if k == seat else None for k in range(3)], to_move=0, seed=seed)
    for text in said:
        state.apply_action(game.parse_action(text))
    assert state.current_player() == seat
    return state


def landlord_to_double(game: Any, hand: str, seed: int = 1) -> State:
    """Return a round in doubling: seat 0 called with 17 of the 20 cards `hand`, and the two peasants have passed."""
    chance = random.Random(seed)
    own = list(hand)
    chance.shuffle(own)
    others = list(minus(DECK, hand))
    chance.shuffle(others)
    data = game.position(hands=[None, None, None], to_move=0, seed=seed).to_dict()
    data = data.get("state", data) | {
        "hands": ["".join(own[:17]), "".join(others[:17]), "".join(others[17:])],
        "bottom": "".join(own[17:]),
    }
    state: State = game.from_dict(data)
    for text in ("call", "pass", "pass", "pass", "pass"):
        state.apply_action(game.parse_action(text))
    assert state.current_player() == 0
    return state


@pytest.mark.parametrize("name", BIDDERS)
def test_strong_hand_bids_3_at_every_seed(name: str) -> None:
    game, stream = make("doudizhu", 3, "classic"), rng.stream(1)
    for seed in range(20):
        for said in ([], ["pass"], ["pass", "pass"], ["bid 1"], ["bid 2", "pass"]):
            state = with_hand(game, STRONG_HAND, *said, seed=seed)
            assert best(state) == "bid 3"
            action = ops.policy(game.kernel_rules, state.record, *game.policy(name), stream)
            assert game.action_to_string(int(action)) == "bid 3"


def test_hopeless_hand_passes() -> None:
    game = make("doudizhu", 3, "classic")
    for said in ([], ["pass"], ["pass", "pass"], ["bid 1"]):
        assert best(with_hand(game, HOPELESS_HAND, *said)) == "pass"
    game = make("doudizhu", 3, "online")
    for said in ([], ["pass"], ["pass", "pass"], ["call"]):
        assert best(with_hand(game, HOPELESS_HAND, *said)) == "pass"


@pytest.mark.parametrize("seed", range(5))
def test_landlord_does_not_double_a_loss(seed: int) -> None:
    game = make("doudizhu", 3, "online", ["doubling=super"])
    assert best(landlord_to_double(game, "334455667799TTJJQ3K8", seed)) == "pass"


@pytest.mark.parametrize("seed", range(5))
def test_unbeatable_landlord_super_doubles(seed: int) -> None:
    game = make("doudizhu", 3, "online", ["doubling=super"])
    assert best(landlord_to_double(game, "RB2222AAAKKKQQQJJJTT", seed)) == "super double"


@pytest.mark.parametrize("rules", ["classic", "online", "openspiel"])
def test_no_bid_or_rob_has_negative_expected_payoff(rules: str) -> None:
    game, negative, bids = make("doudizhu", 3, rules), 0, 0
    for seed in range(300):
        state = game.new_initial_state(seed)
        while state.record.phase == 0 and state.record.redeals == 0:
            payoffs = estimates(state)
            text = max(payoffs, key=payoffs.__getitem__)
            bids += text != "pass"
            negative += text != "pass" and payoffs[text] < 0
            state.apply_action(game.parse_action(text))
    assert bids > 200 and negative == 0


def auction_rules(chance: random.Random) -> Any:
    """Return random rules that have an auction or doubling."""
    while True:
        rules = choose_rules(chance.choice)
        if rules["bidding"] != "none" or rules["doubling"] != "none":
            return rules


def referee_of(state: State) -> Round:
    """Return the deal of a state as a round of the referee."""
    dealt, bottom, first = deal_of(state)
    return Round({axis: rule for axis, rule in state.game.rules.to_dict().items()}, dealt, bottom, first)


@pytest.mark.parametrize("part", range(8))
def test_estimates_match_the_referee_under_random_rules(part: int) -> None:
    compared = {"auction": 0, "doubling": 0}
    for number in range(12):
        chance = random.Random(100 * part + number)
        game = DouDiZhu(rules=auction_rules(chance))
        state = game.new_initial_state(number)
        referee = referee_of(state)
        while referee.phase in compared and state.record.redeals == 0:
            compared[referee.phase] += 1
            expected = auction_estimates(referee) if referee.phase == "auction" else doubling_estimates(referee)
            assert estimates(state) == pytest.approx(expected, rel=1e-3, abs=1e-3), (game.rules.to_dict(), referee)
            text = chance.choice([best(state), *expected])
            state.apply_action(game.parse_action(text))
            referee.apply(text)
    assert min(compared.values()) > 3


def test_no_estimates_in_the_play() -> None:
    game = make("doudizhu", 3, "rlcard")
    state, out = game.new_initial_state(1), np.full(1, 7.0)
    assert not ops.estimate_payoffs(game.kernel_rules, state.record, np.array(state.legal_actions()[:1], np.int32), out)
    assert out[0] == 7.0


def test_estimates_use_only_what_the_seat_may_know() -> None:
    game = make("doudizhu", 3, "online")
    for seed in range(20):
        state = game.new_initial_state(seed)
        while not state.is_terminal() and state.record.phase != 2:
            actions = np.array(state.legal_actions(), np.int32)
            full, seen = np.empty(len(actions)), np.empty(len(actions))
            ops.estimate_payoffs(game.kernel_rules, state.record, actions, full)
            ops.estimate_payoffs(game.kernel_rules, state.observation().record, actions, seen)
            assert (full == seen).all()
            state.apply_action(int(actions[(seed + len(actions)) % len(actions)]))


@functools.cache
def bid_of(hand: str, rules: str = "classic") -> float:
    """Return the expected payoff of the highest bid, or of a call, with a hand that speaks first."""
    return list(estimates(with_hand(make("doudizhu", 3, rules), hand)).values())[-1]


def test_landlord_value_rises_with_a_better_card() -> None:
    chance, rises = random.Random(1), []
    for _ in range(200):
        hand = "".join(chance.sample(DECK, 17))
        if "3" in hand and "R" not in hand:
            rises.append(bid_of(hand.replace("3", "R", 1)) - bid_of(hand))
    assert np.mean(rises) > 1.0 and np.mean(np.array(rises) > 0) > 0.95


def test_value_of_a_taken_stake_is_proportional_to_it() -> None:
    game = make("doudizhu", 3, "classic")
    first = estimates(with_hand(game, STRONG_HAND))
    last = estimates(with_hand(game, STRONG_HAND, "pass", "pass"))
    assert last["bid 2"] == pytest.approx(2 * last["bid 1"]) and last["bid 3"] == pytest.approx(3 * last["bid 1"])
    assert first["bid 3"] > first["bid 2"] > first["bid 1"] > first["pass"]


def test_earlier_bids_lower_the_value_of_outbidding() -> None:
    game = make("doudizhu", 3, "classic")
    hand = "3456789TJJQQKA22B"
    assert estimates(with_hand(game, hand, "bid 1"))["bid 3"] < estimates(with_hand(game, hand))["bid 3"]
    assert estimates(with_hand(game, hand, "pass"))["bid 3"] > estimates(with_hand(game, hand))["bid 3"]


def test_multiplier_cap_bounds_estimates() -> None:
    game = make("doudizhu", 3, "online", ["multiplier-cap=2"])
    payoffs = estimates(with_hand(game, STRONG_HAND, "call"))
    assert all(abs(paid) <= 4 for paid in payoffs.values())


@pytest.mark.parametrize("name", BIDDERS)
def test_likelihood_of_the_best_action_is_1(name: str) -> None:
    game = make("doudizhu", 3, "online")
    policy = game.policy(name)
    for seed in range(10):
        state = game.new_initial_state(seed)
        while not state.is_terminal() and state.record.phase != 2:
            chosen = game.parse_action(best(state))
            for action in state.legal_actions():
                assert ops.likelihood(game.kernel_rules, state.record, action, *policy) == (action == chosen)
            state.apply_action(chosen)


def test_rlcard_rule_still_bids_by_its_hand() -> None:
    game, stream = make("doudizhu", 3, "classic"), rng.stream(1)
    differing = 0
    for seed in range(40):
        state = game.new_initial_state(seed)
        action = ops.policy(game.kernel_rules, state.record, np.int64(POLICIES["rlcard-rule"]), NO_WEIGHTS, stream)
        differing += game.action_to_string(int(action)) != best(state)
    assert differing > 5
