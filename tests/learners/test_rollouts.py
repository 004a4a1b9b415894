"""Decisions judged by rollouts, and the network fitted to them."""

from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.core import ops, rng
from cardgames.core.errors import InvalidInput
from cardgames.core.policy import Policy
from cardgames.core.state import State
from cardgames.learners.algorithms import make_learner
from cardgames.learners.rollouts import Judge, Judged, Rollouts, RolloutSettings, gradient

_TWO_CARDS = 112
"""The input of `seat` that says whether the own hand has two cards or more."""
TINY = {"hidden": "16", "positions": "64", "batch": "16", "rollouts": "2", "opponents": "random"}


def settings(**changes: object) -> RolloutSettings:
    return RolloutSettings().changed(TINY | changes)


def test_the_gradient_is_that_of_its_losses() -> None:
    random = np.random.default_rng(0)
    legal = random.random((6, 9)) < 0.6
    legal[:, 0] = True
    judged = Judged(np.zeros((6, 1), np.int8), legal, np.where(legal, random.random((6, 9)), 0).astype(np.float32))
    outputs = random.normal(size=(6, 9)).astype(np.float32)

    def loss(q: np.ndarray) -> float:
        total = 0.0
        for row in range(6):
            errors = [q[row, a] - judged.values[row, a] for a in range(9) if legal[row, a]]
            mean = sum(errors) / len(errors)
            total += sum((error - mean) ** 2 for error in errors) + 0.3 * mean**2
        return total / 6

    losses, slopes = gradient(outputs, judged, 0.3)
    assert losses.mean() == pytest.approx(loss(outputs.astype(float)), rel=1e-5)
    for row, action in np.ndindex(6, 9):
        step = np.zeros((6, 9))
        step[row, action] = 1e-4
        difference = (loss(outputs + step) - loss(outputs - step)) / 2e-4
        assert slopes[row, action] == pytest.approx(difference, abs=1e-4)


def test_what_is_judged_is_a_share_and_learned_from_so_often() -> None:
    made = make_learner("rollouts", [cardgames.make("uno", 2, "rlcard")], settings(passes="3"), 5, "kernel")
    assert made.network().reward == (0.0, 1.0)
    made.cycle()
    assert isinstance(made, Rollouts) and made.online.steps == 3 * 64 // 16


def test_who_has_no_such_policy_is_told_by_the_setting_that_named_him() -> None:
    for setting in ("policy", "opponents"):
        with pytest.raises(InvalidInput, match=f"unknown {setting} 'mcts'"):
            make_learner("rollouts", [cardgames.make("uno", 2, "rlcard")], settings(**{setting: "mcts"}), 5, "kernel")


def test_decisions_are_judged_as_plain_python_does() -> None:
    game = cardgames.make("uno", players=3, rules="rlcard")
    told = settings(positions=20, rollouts=3, opponents="2*reflex+random")
    judge = Judge(game, told, "seat", 4)
    judged, rules, policies = judge.judge(), game.kernel_rules, judge.policies
    stream, seed, begun, n = rng.stream(rng.derive(4, 2)), rng.derive(4, 1), 0, 0
    state: State | None = None

    def act(record: Any, policy: Policy) -> int:
        return int(ops.policy(rules, record, *policy, stream))

    def played_out(record: Any, laid: int, word: np.uint64) -> float:
        then = record.copy()
        then.rng, stream.rng = word, np.uint64(rng.mix(word))
        ops.apply_action(rules, then, laid)
        while not ops.is_terminal(rules, then):
            who = 0 if ops.current_player(rules, then) == seat else rival
            ops.apply_action(rules, then, act(then, policies[who]))
        return float(ops.evaluate(rules, then, seat))

    while n < 20:
        if state is None or state.is_terminal():
            state, seat = game.dealt(rng.mix(np.uint64((seed + begun) % 2**64))), begun % 3
            rival, begun = 1 + int(rng.uniform(stream) >= 2 / 3), begun + 1
        mine = state.current_player() == seat
        action = act(state.record, policies[0 if mine else rival])
        if mine:
            legal = state.legal_actions()
            if len(legal) > 1 and rng.uniform(stream) < told.part:
                base, after = int(rng.next_word(stream)), stream.rng
                words = [np.uint64(rng.mix(np.uint64((base + rollout) % 2**64))) for rollout in range(3)]
                expected = np.zeros(game.num_distinct_actions)
                for laid in legal:
                    expected[laid] = np.mean([played_out(state.record, laid, word) for word in words])
                stream.rng = after
                assert judged.values[n] == pytest.approx(expected)
                n += 1
            if rng.uniform(stream) < told.blur:
                action = legal[rng.below(stream, len(legal))]
        state.apply_action(action)
    assert judge.rounds == begun > 3


def test_a_decision_is_judged_by_rounds_played_out() -> None:
    """Laying the last card wins, whatever comes; a card less good than that does so in some rounds alone."""
    game = cardgames.make("uno", players=2, rules="rlcard")
    judged = Judge(game, settings(positions=300, rollouts=4), "seat", 3).judge()
    assert (judged.legal.sum(axis=1) > 1).all()
    assert (judged.values[~judged.legal] == 0).all()
    assert ((judged.values >= 0) & (judged.values <= 1)).all()
    assert set(np.unique(judged.values * 4)) == {0, 1, 2, 3, 4}
    one_left = judged.inputs[:, _TWO_CARDS] == 0
    lays = judged.legal[:, :60] & one_left[:, None]
    assert lays.any() and (judged.values[:, :60][lays] == 1).all()
    assert 0.3 < judged.values[judged.legal].mean() < 0.7


def test_judging_is_reproducible_and_goes_on() -> None:
    game = cardgames.make("uno", players=3, rules="rlcard")
    first, second = Judge(game, settings(), "seat", 1), Judge(game, settings(), "seat", 1)
    for _ in range(2):
        one, two = first.judge(), second.judge()
        assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    assert first.rounds == second.rounds > 0


def test_a_round_goes_on_when_enough_are_judged() -> None:
    """However few are judged at a time, they are of all stages of the rounds."""
    game = cardgames.make("uno", players=2, rules="rlcard")
    at_once, by_ones = Judge(game, settings(), "seat", 1), Judge(game, settings(positions=1), "seat", 1)
    together = at_once.judge()
    for row in range(64):
        one = by_ones.judge()
        assert all(np.array_equal(a[0], b[row]) for a, b in zip(one, together, strict=True))
    assert at_once.rounds == by_ones.rounds < 64


def test_games_take_turns_and_the_rate_falls_with_the_rounds() -> None:
    games = [cardgames.make("uno", players=n, rules="rlcard") for n in (2, 3)]
    learner = make_learner("rollouts", games, settings(rounds=1000), 5, "kernel")
    assert isinstance(learner, Rollouts)
    for turn in range(4):
        before, share = [judge.rounds for judge in learner._judges], learner.share
        learner.cycle()
        begun = [judge.rounds > rounds for judge, rounds in zip(learner._judges, before, strict=True)]
        assert begun == [turn % 2 == 0, turn % 2 == 1]
        assert learner.online.optimizer.rate == pytest.approx(learner.settings.learning_rate * (1 - share))
    assert 0 < learner.share < 1


def test_the_shortest_training_learns() -> None:
    learner = make_learner(
        "rollouts", [cardgames.make("uno", players=2, rules="rlcard")], settings(rounds=1), 5, "kernel"
    )
    before = learner.network().weights.copy()
    learner.cycle()
    assert learner.finished and not np.array_equal(learner.network().weights, before)


def test_a_resumed_run_learns_the_same() -> None:
    games = [cardgames.make("uno", players=n, rules="rlcard") for n in (2, 3)]
    whole, half = (make_learner("rollouts", games, settings(rounds=1000), 5, "kernel") for _ in range(2))
    for _ in range(4):
        whole.cycle()
    for _ in range(2):
        half.cycle()
    rest = make_learner("rollouts", games, settings(rounds=1000), 5, "kernel")
    rest.load_state(half.state())
    for _ in range(2):
        rest.cycle()
    assert np.array_equal(whole.network().weights, rest.network().weights)
    assert whole.rounds == rest.rounds and whole.decisions == rest.decisions == 256


def test_the_encoding_seat_by_hand() -> None:
    """Every part of the inputs, on one small position."""
    game = cardgames.make("uno", players=3, rules="simplified")
    state = game.position(hands=["r5 r5 w", 2, 9], top="r7", direction=-1, to_move=0)
    found = np.flatnonzero(game.encode(state.observation(), "seat")).tolist()
    expected = {5, 52 + 5, 104}  # a red 5, a second one, a wild
    expected |= {112, 113}  # two and three cards in hand
    expected |= {124, 125}  # two of them red
    at = 144
    expected |= {at + 5, at + 52, at + 54, at + 55}  # the 5 and the wild may be laid, a card drawn; a turn
    at += 54 + 1 + 8
    expected |= {at, at + 4 + 7}  # red is in force, a 7 on top
    at += 19
    expected |= {at, at + 1, at + 2}  # seat 2 is next: 9 cards, at most 14 and 10
    expected |= {at + 9, *(at + 10 + i for i in range(7))}  # then seat 1: 2 cards
    at += 27
    expected |= {at}  # three red cards seen
    at += 32
    expected |= {at + 5}  # both red 5s are gone
    at += 52
    expected |= {at}  # one wild is gone
    assert found == sorted(expected)
