"""Tests of the collector against a reference in plain Python, of opponents, and of resuming."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.agents.agent import Decision
from cardgames.kernels import masks, rng
from cardgames.learners.environments.collector import Collector
from cardgames.learners.environments.learner_env import NEW
from cardgames.learners.environments.opponents import Opponents, parse_mixture
from cardgames.learners.environments.python_opponents import PythonOpponents
from cardgames.learners.memory.replay_buffer import Replay
from cardgames.learners.runs.evaluation import evaluate
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import random_network
from cardgames.networks.network_policy import network_weights
from cardgames.support.errors import InvalidInput
from tests.learners.by_hand import ByHand, Row


def games_of(rules: str, *players: int) -> list[cardgames.Game]:
    return [cardgames.make("uno", players=n, rules=rules, overrides=["turn-limit=300"]) for n in players]


def network_for(game: cardgames.Game, encoding: str) -> Mlp:
    inputs = game.encoding(encoding).inputs
    return random_network((inputs, 8, game.num_distinct_actions), 3, encoding, "uno")


def rows_of(memory: Replay, outputs: int) -> list[Row]:
    """Return the decisions in a memory that was not overwritten, oldest first."""
    legal = masks.to_bools(memory.legal, outputs)
    return [
        Row(
            memory.observations[i].tobytes(),
            tuple(np.flatnonzero(legal[i]).tolist()),
            int(memory.actions[i]),
            float(memory.rewards[i]),
            bool(memory.last[i]),
            float(memory.returns[i]),
        )
        for i in range(len(memory))
    ]


def play(collector: Collector, network: Mlp, epsilon: float, rounds: int) -> None:
    if collector.tables["seat"][0] == NEW:
        collector.begin()
    while collector.tally["rounds"][0] < rounds:
        collector.step(collector.choose(network(collector.observations), epsilon))


@pytest.mark.parametrize(
    ("rules", "players", "encoding", "opponents", "seats", "reward"),
    [
        ("rlcard", (2,), "4x4x15", "random", "first", "pay-off"),
        ("common", (2, 3, 4), "54x5", "3*random+reflex", "any", "win"),
        ("simplified", (3,), "cheating-7x4x15", "random+linear", "any", "pay-off"),
        ("simplified", (2,), "4x4x15", "random", "any", "win-only"),
        ("official", (3,), "4x4x15", "random", "all", "pay-off"),
        ("official", (2, 3), "seat-canonical", "random", "all", "pay-off"),
        ("common", (2, 3), "4x4x15", "random+2*mcts-dbm:simulations=6,particles=4", "any", "pay-off"),
    ],
)
def test_collector_equals_python_reference(
    rules: str, players: tuple[int, ...], encoding: str, opponents: str, seats: str, reward: str
) -> None:
    games = games_of(rules, *players)
    network, outputs = network_for(games[0], encoding), games[0].num_distinct_actions
    memory = Replay(4000, network.sizes[0], outputs)
    options = {"seats": seats, "reward": reward, "discount": 0.9}
    collector = Collector(games, encoding, outputs, Opponents(games, opponents), memory, seed=5, **options)
    play(collector, network, 0.3, 12)
    twin = ByHand(games, encoding, opponents, rng.stream(rng.derive(5, 0)), network, epsilon=0.3, **options)
    expected = [row for _ in range(12) for row in twin.round()]
    result = rows_of(memory, outputs)
    assert [row[:5] for row in result] == [row[:5] for row in expected]
    assert [row.returned for row in result] == pytest.approx([row.returned for row in expected], rel=1e-5)
    assert collector.tally["decisions"][0] == len(expected)


@pytest.mark.parametrize(("reward", "void_reward"), [("win", 0.0), ("win-only", -1.0), ("pay-off", 0.0)])
def test_reward_of_void_rounds(reward: str, void_reward: float) -> None:
    game = cardgames.make("uno", players=2, rules="simplified", overrides=["turn-limit=10"])
    memory = Replay(500, 240, 61)
    collector = Collector([game], "4x4x15", 61, Opponents([game], "random"), memory, seed=5, reward=reward, rounds=9)
    network = network_for(game, "4x4x15")
    play(collector, network, 0.3, 9)
    assert collector.tally["voids"][0] == 9
    assert set(memory.rewards[: len(memory)][memory.last[: len(memory)]].tolist()) == {void_reward}


def test_tables_are_independent_of_each_other() -> None:
    (game,) = games_of("rlcard", 2)
    network = network_for(game, "4x4x15")

    def rounds(tables: int) -> list[Row]:
        memory = Replay(4000, 240, 61)
        collector = Collector(
            [game], "4x4x15", 61, Opponents([game], "random"), memory, tables=tables, seed=8, rounds=4
        )
        collector.begin()
        while len(at := collector.tables_to_move()):
            collector.step(collector.choose(network(collector.observations[at]), 0.5, at), at)
        return rows_of(memory, 61)

    together = rounds(3)
    alone: list[Row] = []
    for table in range(3):
        twin = ByHand([game], "4x4x15", "random", rng.stream(rng.derive(8, table)), network, epsilon=0.5)
        alone += [row for _ in range(4) for row in twin.round()]
    assert sorted(row[:5] for row in together) == sorted(row[:5] for row in alone)


def test_evaluation_plays_one_greedy_round_per_table() -> None:
    (game,) = games_of("rlcard", 3)
    network = network_for(game, "4x4x15")
    learner: Any = SimpleNamespace(encoding="4x4x15", inputs=240, outputs=61, scores=network)
    result = evaluate(learner, game, "random+reflex", 20, 7)
    ends = []
    for table in range(20):
        twin = ByHand([game], "4x4x15", "random+reflex", rng.stream(rng.derive(7, table)), network, seats="any")
        ends.append(twin.round()[-1].reward)
    assert (result.games, result.wins, result.mean_payoff) == (20, ends.count(1.0), pytest.approx(sum(ends) / 20))
    assert result.interval[0] < result.win_rate < result.interval[1]


def test_only_last_max_decisions_of_a_round_are_remembered() -> None:
    (game,) = games_of("rlcard", 2)
    network = network_for(game, "4x4x15")
    memories = []
    for max_decisions in (512, 6):
        memory, opponents = Replay(4000, 240, 61), Opponents([game], "random")
        collector = Collector(
            [game], "4x4x15", 61, opponents, memory, seed=2, discount=0.9, max_decisions=max_decisions
        )
        play(collector, network, 1.0, 10)
        memories.append(rows_of(memory, 61))
    whole, short = memories
    ends = [i for i, row in enumerate(whole) if row.last]
    begins = [0, *(end + 1 for end in ends[:-1])]
    expected = [row for begin, end in zip(begins, ends, strict=True) for row in whole[max(begin, end - 5) : end + 1]]
    assert short == expected and len(short) < len(whole)


def test_default_policy_decides_where_network_has_no_output() -> None:
    games = games_of("official", 2)
    network = random_network((240, 8, 61), 3, "4x4x15", "uno")
    memory = Replay(4000, 240, 61)
    collector = Collector(games, "4x4x15", 61, Opponents(games, "random"), memory, seed=1)
    play(collector, network, 0.2, 20)
    rows = rows_of(memory, 61)
    assert rows and all(row.legal and row.action in row.legal for row in rows)


def test_agents_that_follow_a_policy_are_played_as_policy() -> None:
    games = games_of("rlcard", 2, 3)
    opponents = Opponents(games, "reflex:color=random+dqn+champion+random")
    assert opponents.agents == {2: "champion", 6: "champion"}
    assert opponents.policy_id[0] != games[0].policy("reflex").policy_id
    own = Opponents(games[:1], f"{__name__}:Disguised")
    assert own.agents == {0: f"{__name__}:Disguised"}, "the policy of an external agent is not trusted"
    for name, message in (
        ("nobody", "unknown agent for uno 'nobody'"),
        ("mcts:setting=paper,simulations=0", "simulations"),
        ("reflex:colour=most", "unknown option"),
        ("nowhere.safetensors", "cannot read nowhere.safetensors: No such file or directory$"),
    ):
        with pytest.raises(InvalidInput, match=message):
            Opponents(games, name)


class FirstLegal:
    """Agent that takes the first legal action."""

    def __init__(self, game: cardgames.Game, seed: int):
        self.name = "first"

    def act(self, observation: cardgames.Observation, limit: object = None) -> Decision:
        return Decision(observation.legal_actions[0])


class Disguised(FirstLegal):
    def __init__(self, game: cardgames.Game, seed: int):
        super().__init__(game, seed)
        self.policy = game.policy("random")


class Peeking(FirstLegal):
    def peek(self, state: cardgames.State, limit: object = None) -> Decision:
        return Decision(state.legal_actions()[-1])


class Illegal(FirstLegal):
    def act(self, observation: cardgames.Observation, limit: object = None) -> Decision:
        return Decision(99_999_999)


class NotAnInteger(FirstLegal):
    def act(self, observation: cardgames.Observation, limit: object = None) -> Decision:
        return Decision(1.5)  # type: ignore[arg-type]


class Broken(FirstLegal):
    def act(self, observation: cardgames.Observation, limit: object = None) -> Decision:
        raise KeyError("lost")


@pytest.mark.parametrize("agent", ["FirstLegal", "Disguised", "Peeking"])
def test_external_agents_decide_in_python(agent: str) -> None:
    (game,) = games_of("rlcard", 3)
    network, opponents = network_for(game, "4x4x15"), f"random+{__name__}:{agent}"
    learner: Any = SimpleNamespace(encoding="4x4x15", inputs=240, outputs=61, scores=network)
    result = evaluate(learner, game, opponents, 12, 7)
    ends = [
        ByHand([game], "4x4x15", opponents, rng.stream(rng.derive(7, table)), network, seats="any").round()[-1].reward
        for table in range(12)
    ]
    assert (result.games, result.wins) == (12, ends.count(1.0))


def test_loading_an_earlier_state_resets_replayed_rounds() -> None:
    (game,) = games_of("rlcard", 2)
    network, opponents = network_for(game, "4x4x15"), Opponents([game], f"{__name__}:FirstLegal")
    collector = Collector([game], "4x4x15", 61, opponents, Replay(500, 240, 61), seed=2)
    for rounds in range(1, 9):
        before = {name: array.copy() for name, array in collector.state().items()}
        play(collector, network, 0.0, rounds)
        after = {name: array.copy() for name, array in collector.state().items()}
        collector.load_state(before)
        play(collector, network, 0.0, rounds)
        again = collector.state()
        assert all(np.array_equal(again[name], array) for name, array in after.items())


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("Illegal", "agent first: 99999999 is not legal now"),
        ("NotAnInteger", "not 1.5"),
        ("Broken", r"agent first failed: KeyError: .lost. \(test_collector.py, line \d+\)"),
    ],
)
def test_failing_opponent_is_named(agent: str, message: str) -> None:
    (game,) = games_of("rlcard", 2)
    collector = Collector([game], "4x4x15", 61, Opponents([game], f"{__name__}:{agent}"), Replay(500, 240, 61), seed=2)
    with pytest.raises(InvalidInput, match=message):
        play(collector, network_for(game, "4x4x15"), 1.0, 5)


def test_agents_decide_only_recorded_beginning_of_long_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents do not decide after the recorded actions; the round continues without them."""
    (game,) = games_of("rlcard", 2)
    steps: list[int] = []
    choose_action = PythonOpponents._choose_action

    def record_and_choose(self: PythonOpponents, t: int, table: Any, action_history: Any) -> int:
        steps.append(int(table["steps"]))
        return choose_action(self, t, table, action_history)

    monkeypatch.setattr(PythonOpponents, "_choose_action", record_and_choose)
    monkeypatch.setattr("cardgames.learners.environments.collector.MAX_RECORDED_ACTIONS", 9)
    opponents = Opponents([game], "mcts:setting=paper,simulations=2")
    collector = Collector([game], "4x4x15", 61, opponents, Replay(500, 240, 61), seed=2)
    play(collector, network_for(game, "4x4x15"), 1.0, 5)
    assert steps and max(steps) < 9


def test_past_selves_are_the_latest_of_the_pool() -> None:
    games = games_of("rlcard", 2)
    opponents = Opponents(games, "past", pool=2)
    selves = [random_network((240, 61), seed, "4x4x15", "uno") for seed in range(3)]
    for network in selves:
        opponents.add_past_self(network)
    assert (opponents.selves, opponents.num_past) == (3, 2)
    expected = opponents.weights[opponents.past :]
    for row, network in zip(expected, (selves[2], selves[1]), strict=True):
        weights = network_weights(games[0], network)
        assert np.array_equal(row[: len(weights)], weights)
    again = Opponents(games, "past", pool=2)
    again.load_state(opponents.state())
    assert np.array_equal(again.weights, opponents.weights) and again.num_past == 2
    memory = Replay(500, 240, 61)
    collector = Collector(games, "4x4x15", 61, opponents, memory, seed=1)
    play(collector, network_for(games[0], "4x4x15"), 0.2, 4)
    assert len(memory)


def test_collector_continues_from_saved_state() -> None:
    games = games_of("rlcard", 2, 3)
    network = network_for(games[0], "4x4x15")

    def collector(memory: Replay) -> Collector:
        return Collector(games, "4x4x15", 61, Opponents(games, "random"), memory, tables=4, seed=3, seats="any")

    whole, parts = Replay(300, 240, 61), Replay(300, 240, 61)
    first = collector(whole)
    play(first, network, 0.5, 40)
    before = collector(parts)
    play(before, network, 0.5, 17)
    rest = Replay(300, 240, 61)
    after = collector(rest)
    rest.load_state({name: array.copy() for name, array in parts.state().items()})
    after.load_state({name: array.copy() for name, array in before.state().items()})
    play(after, network, 0.5, 40)
    assert whole.written > 300
    assert all(np.array_equal(rest.state()[name], array) for name, array in whole.state().items())


@pytest.mark.parametrize("text", ["", "random+", "0*random", "x*random", "random+random", "-1*random"])
def test_invalid_mixtures_are_refused(text: str) -> None:
    with pytest.raises(cardgames.InvalidInput, match="opponents must be"):
        parse_mixture(text)


def test_shares_with_infinite_sum_are_refused() -> None:
    with pytest.raises(cardgames.InvalidInput, match="must have a finite sum"):
        parse_mixture("1e308*random+1e308*reflex")


def test_mixture_is_normalized_to_shares() -> None:
    assert parse_mixture("random+3*reflex") == {"random": 0.25, "reflex": 0.75}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seats": "second"}, "unknown seats 'second': choose from first, any, all"),
        ({"reward": "points"}, "unknown reward"),
        ({"tables": 0}, "tables is at least 1"),
        ({"encoding": "5x5"}, "unknown encoding"),
    ],
)
def test_collector_refuses_invalid_arguments(change: dict[str, object], message: str) -> None:
    games = games_of("rlcard", 2)
    options = {"encoding": "4x4x15", "outputs": 61, "opponents": Opponents(games, "random"), **change}
    with pytest.raises(cardgames.InvalidInput, match=message):
        Collector(games, memory=Replay(10, 240, 61), **options)  # type: ignore[arg-type]
    for memory in (Replay(10, 239, 61), Replay(10, 240, 65)):
        with pytest.raises(cardgames.InvalidInput, match="the memory's rows have"):
            Collector(games, "4x4x15", 61, Opponents(games, "random"), memory)
    with pytest.raises(cardgames.InvalidInput, match="unknown agent for uno 'nobody'"):
        Opponents(games, "nobody")


def test_all_past_selves_of_the_pool_are_played() -> None:
    games = games_of("rlcard", 2)
    opponents, met = Opponents(games, "past", pool=2), set[int]()
    for seed in range(2):
        opponents.add_past_self(random_network((240, 61), seed, "4x4x15", "uno"))
    collector = Collector(games, "4x4x15", 61, opponents, Replay(500, 240, 61), seed=1)
    for rounds in range(1, 20):
        play(collector, network_for(games[0], "4x4x15"), 0.2, rounds)
        met.add(int(collector.tables["rows"][0, 1]))
    assert met == {opponents.past, opponents.past + 1}
