"""The linear policy, and the likelihood of actions under every policy."""

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

import cardgames
from cardgames.core import ops
from cardgames.kernels import rng
from cardgames.networks.policy_lookup import find_policy
from cardgames.support.tensor_file import read_tensors
from cardgames.uno.cards import DRAW, WILD
from cardgames.uno.policies.linear_policy import ACTION_TYPES, FEATURES, NUM_WEIGHTS, score, visible_color_counts
from cardgames.uno.policies.linear_weights import PRETRAINED, read_weights
from cardgames.uno.state import AFTER_DRAW, ANSWER, PLAY
from tests.uno.tables import PRESETS, discard, hands, play

DRAWS = 3000
SLOW_DRAWS = 200  # for expectimax, where only ties are random


def positions(rules: str, players: int, count: int, *overrides: str) -> list[cardgames.State]:
    """Return states of random rounds in which cards can be played and more than one action is legal."""
    game = cardgames.make("uno", players=players, rules=rules, overrides=overrides)
    states, agent = [], cardgames.agent("random", game, seed=1)
    for seed in range(count):
        state = game.new_initial_state(seed=seed)
        for _ in range(4 + 3 * seed):
            if not state.is_terminal():
                state.apply_action(agent.act(state.observation()).action)
        while not state.is_terminal() and (
            len(state.legal_actions()) < 2 or state.record.phase not in (PLAY, AFTER_DRAW, ANSWER)
        ):
            state.apply_action(agent.act(state.observation()).action)
        if not state.is_terminal():
            states.append(state)
    return states


@pytest.mark.parametrize("overrides", [(), ("wild-color=must-change", "stacking=any")])
@pytest.mark.parametrize("rules", PRESETS)
def test_likelihood_equals_frequency_of_sampled_actions(rules: str, overrides: tuple[str, ...]):
    if rules == "rlcard-2022" and overrides:
        return
    for state in positions(rules, 3, 6, *overrides):
        game = state.game
        for name in game.policies:
            policy_id, weights = find_policy(game, name)
            stream, draws = rng.stream(5), SLOW_DRAWS if name == "expectimax" else DRAWS
            counts = Counter(
                int(ops.policy(game.kernel_rules, state.record, policy_id, weights, stream)) for _ in range(draws)
            )
            shares = {
                action: ops.likelihood(game.kernel_rules, state.record, action, policy_id, weights)
                for action in state.legal_actions()
            }
            assert sum(shares.values()) == pytest.approx(1), (name, state.to_dict(), shares)
            illegal = set(range(game.num_distinct_actions)) - shares.keys()
            assert not any(
                ops.likelihood(game.kernel_rules, state.record, action, policy_id, weights) for action in illegal
            )
            for action, share in shares.items():
                assert abs(counts[action] / draws - share) < 2.7 / draws**0.5, (name, state.to_dict(), shares, counts)


SIDE_QUESTIONS = [("official", ()), ("common", ("seven-zero=both", "jump-in=identical"))]


@pytest.mark.parametrize(("rules", "overrides"), SIDE_QUESTIONS)
def test_likelihood_equals_frequency_of_sampled_actions_in_side_questions(
    rules: str, overrides: tuple[str, ...]
) -> None:
    game = cardgames.make("uno", players=3, rules=rules, overrides=overrides)
    states_by_phase: Counter[int] = Counter()
    for seed in range(40):
        for state in play(game.new_initial_state(seed=seed), random.Random(seed)):
            phase = int(state.record.phase)
            if state.is_terminal() or phase in (PLAY, AFTER_DRAW, ANSWER) or states_by_phase[phase] == 4:
                continue
            states_by_phase[phase] += 1
            for name in game.policies:
                policy, stream = find_policy(game, name), rng.stream(5)
                draws = Counter(int(ops.policy(game.kernel_rules, state.record, *policy, stream)) for _ in range(400))
                for action in range(game.num_distinct_actions):
                    share = ops.likelihood(game.kernel_rules, state.record, action, *policy)
                    assert abs(draws[action] / 400 - share) < 2.7 / 400**0.5, (name, state.to_dict(), action)
                    assert action in state.legal_actions() or share == 0
    assert len(states_by_phase) >= 3


@pytest.mark.parametrize("rules", PRESETS)
def test_linear_agent_plays_its_last_card(rules: str):
    game = cardgames.make("uno", players=2, rules=rules)
    state = game.position(hands=["r9", "g1 g2 g3"], top="r5")
    assert cardgames.agent("linear", game).act(state.observation()).action == game.parse_action("r9")


@pytest.mark.parametrize("overrides", [[], ["hand-size=5"], ["stacking=any", "seven-zero=both"]])
@pytest.mark.parametrize("players", [2, 5, 10])
def test_linear_weights_exist_for_any_rules_and_players(players: int, overrides: list[str]):
    if players == 10 and overrides:
        return
    game = cardgames.make("uno", players=players, rules="common", overrides=overrides)
    assert game.policy("linear").weights.shape == (NUM_WEIGHTS,)


def test_linear_weights_of_the_nearest_preset_are_used():
    game = cardgames.make("uno", players=2, rules="rlcard", overrides=["turn-limit=900"])
    tables = read_weights(str(PRETRAINED))
    assert np.array_equal(game.policy("linear").weights, tables["rlcard-2"])


def test_weights_header_names_rules_and_players_of_each_table():
    tables, notes = read_tensors(PRETRAINED)
    for name in tables:
        preset, players = name.rsplit("-", 1)
        rules = cardgames.make("uno", rules=preset).rules
        assert notes[name].startswith(f"rules {rules.hash}, {players} players")


def test_files_without_suitable_linear_weights_are_refused(tmp_path: Path):
    game = cardgames.make("uno", players=2)
    text, other, few = tmp_path / "text", tmp_path / "other", tmp_path / "few"
    text.write_text("no weights")
    save_file({"official-2": np.zeros(3, np.float32)}, other)
    save_file({"official-3": np.zeros(NUM_WEIGHTS, np.float32)}, few)
    wild = tmp_path / "wild"
    save_file({"official-2": np.full(NUM_WEIGHTS, np.nan, np.float32)}, wild)
    for path, words in (
        (wild, "is not a table"),
        (text, "not a readable safetensors file"),
        (other, "is not a table"),
        (few, "no weights official-2; it has official-3"),
        ("x", "No such file"),
    ):
        with pytest.raises(cardgames.InvalidInput, match=words):
            cardgames.agent("linear", game, weights=str(path))


def test_softmax_agent_is_reproducible():
    game = cardgames.make("uno", players=2, rules="rlcard")
    for state in positions("rlcard", 2, 3):
        answers = [cardgames.agent("linear:play=softmax", game, seed=4).act(state.observation()).action for _ in "ab"]
        assert answers[0] == answers[1]


def short(cards: int) -> float:
    """Return 1 / `cards` for one to three cards, else 0."""
    return 1 / cards if 0 < cards <= 3 else 0


def features_by_hand(state: cardgames.State, action: int) -> list[float]:
    """Compute the features of an action from the cards one by one."""
    record, seat, counts = state.record, state.current_player(), [len(hand) for hand in hands(state)]
    hand = hands(state)[seat]
    visible = [card // 15 for card in hand + discard(state) if card % 15 < WILD]
    color, face = int(record.color), int(record.top) % 15
    if action < DRAW:
        color, face = divmod(action, 15)
        hand.remove(action if face < WILD else next(card for card in hand if card % 15 == face))
    colored = [card for card in hand if card % 15 < WILD]
    matching, wilds = sum(card // 15 == color or card % 15 == face for card in colored), len(hand) - len(colored)
    size = len(hand) + (action == DRAW)
    return [
        1,
        size / 7,
        sum(card // 15 == color for card in colored) / 3,
        matching / 3,
        wilds / 2,
        matching + wilds == 0,
        short(size),
        short(counts[(seat + int(record.direction)) % len(counts)]),
        short(min(counts[:seat] + counts[seat + 1 :])),
        (25 - visible.count(color)) / (100 - len(visible)),
    ]


def type_by_hand(action: int) -> str:
    """Return the type of an action."""
    if action >= DRAW:
        return "draw" if action == DRAW else "close"
    return ("number", *ACTION_TYPES[1:6])[max(0, action % 15 - 9)]


@pytest.mark.parametrize("rules", ["common", "simplified", "rlcard"])
def test_score_equals_score_by_hand(rules: str) -> None:
    game, weights = cardgames.make("uno", players=3, rules=rules), np.zeros(NUM_WEIGHTS, np.float32)
    weights[:] = np.random.default_rng(1).normal(size=NUM_WEIGHTS)
    rows, type_counts = dict(zip(ACTION_TYPES, weights.reshape(-1, len(FEATURES)), strict=True)), Counter[str]()
    for seed in range(8):
        for state in play(game.new_initial_state(seed=seed), random.Random(seed)):
            if state.record.phase not in (PLAY, AFTER_DRAW, ANSWER):
                continue
            for action in state.legal_actions():
                kind = type_by_hand(action)
                type_counts[kind] += 1
                goes_out = action < DRAW and state.record.counts[state.current_player()] == 1
                expected = 40 if goes_out else rows[kind] @ features_by_hand(state, action)
                assert score(state.record, visible_color_counts(state.record), action, weights) == pytest.approx(
                    expected, abs=1e-4
                ), (kind, state.to_dict())
    assert set(type_counts) >= set(ACTION_TYPES) - {"close"}


def test_linear_agent_takes_the_action_of_greatest_score() -> None:
    num_choices = 0
    for state in positions("common", 3, 8):
        record, weights = state.record, state.game.policy("linear").weights
        scores = {
            a: score(record, visible_color_counts(record), a, weights) for a in state.legal_actions() if a <= DRAW
        }
        if scores and record.phase == PLAY:
            chosen = cardgames.agent("linear", state.game, seed=1).act(state.observation()).action
            assert scores[chosen] == max(scores.values())
            num_choices += len(scores) > 1
    assert num_choices > 5
