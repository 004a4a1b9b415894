"""Tests of paper 000's single-player tree: the kernels against Algorithm 1 in plain Python, and the agent `q-tree`."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cardgames
from cardgames.agents.agent import decide
from cardgames.arena.match import play_match
from cardgames.core import ops
from cardgames.kernels import rng
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import random_network, save_network
from cardgames.search.evaluators import Evaluator, PlayoutEvaluator, make_evaluator
from cardgames.search.network_evaluator import KernelEvaluator, NetworkEvaluator
from cardgames.search.qtree.batched_qtree import QForest, QForestSettings, RootStatistics, grow_trees
from cardgames.search.qtree.qtree_agent import QTreeAgent, QTreeSettings
from tests.search.mcts.test_mcts_agent import position, shuffled, uno


def q_network(game: cardgames.Game, encoding: str = "4x4x15", seed: int = 0) -> Mlp:
    """Return an untrained Q-network with rewards of -1 and 1."""
    sizes = (game.encoding(encoding).inputs, 32, game.num_distinct_actions)
    return random_network(sizes, seed, encoding, game.name, reward=(-1.0, 1.0))


def states_of(game: cardgames.Game, number: int) -> NDArray[Any]:
    """Return the first `number` unfinished states of rounds between random players."""
    state, agent = game.new_initial_state(seed=2), cardgames.agent("random", game, seed=3)
    records = []
    while len(records) < number:
        records.append(state.record.copy())
        state.apply_action(agent.act(state.observation()).action)
        if state.is_terminal():
            state = game.new_initial_state(seed=len(records))
    return np.array(records, game.state_dtype)


def seeds(number: int) -> NDArray[np.uint64]:
    """Return seeds for `number` trees."""
    return np.random.default_rng(7).integers(2**63, size=number, dtype=np.uint64)


class Node:
    """A state of Algorithm 1: its tables Q_m(s, .), N(s, .) and N(s), and the states reached from it."""

    def __init__(self, predicted: dict[int, float]):
        self.q = predicted
        self.n = dict.fromkeys(predicted, 0)
        self.visits = 0
        self.children: dict[Any, Node] = {}


class Referee:
    """Algorithm 1 in plain Python, for one tree."""

    def __init__(self, game: cardgames.Game, evaluator: Evaluator, growth: QForestSettings, seed: np.uint64):
        self.game, self.evaluator, self.growth = game, evaluator, growth
        self.rules, self.policy = game.kernel_rules, game.policy(growth.opponents or game.default_policy)
        self.stream = rng.stream(int(seed))
        self.encoding = evaluator.encoding if isinstance(evaluator, NetworkEvaluator) else "4x4x15"
        self.rewards: list[float] = []

    def run(self, roots: NDArray[Any], reshuffle: bool) -> tuple[Node, float]:
        """Grow the tree; return its root and r_m of equation 5."""
        self.player = int(ops.current_player(self.rules, roots[0]))
        root = None
        for number in range(self.growth.simulations):
            state = roots[number % len(roots)].copy()
            if reshuffle:
                state.rng = rng.next_word(self.stream)
            if root is None:
                root = self.predict(state)
            else:
                self.simulate(root, state)
        assert root is not None
        return root, sum(self.rewards) / self.growth.simulations

    def legal(self, state: Any) -> list[int]:
        """Return the legal actions."""
        out = np.zeros(self.game.num_distinct_actions, np.int32)
        return [int(action) for action in out[: ops.legal_actions(self.rules, state, out)]]

    def view(self, state: Any) -> tuple[NDArray[np.int8], int]:
        """Return the encoded view of the player, and the symmetry of the encoding."""
        encoding = self.game.encoding(self.encoding)
        out = np.zeros(encoding.inputs, np.int8)
        return out, int(ops.encode(self.rules, state, self.player, encoding.encoding_id, out))

    def predict(self, state: Any) -> Node:
        """Return the node of a new state with its predicted Q."""
        if isinstance(self.evaluator, NetworkEvaluator):
            inputs, symmetry_id = self.view(state)
            row = self.evaluator.outputs(inputs[None])[0]
            if len(row) > 1:
                return Node({a: float(row[ops.apply_symmetry(self.rules, symmetry_id, a)]) for a in self.legal(state)})
        states, players = np.array([state], self.game.state_dtype), np.array([self.player])
        value = np.float32(2 * self.evaluator.evaluate(states, players)[0] - 1)
        return Node(dict.fromkeys(self.legal(state), float(value)))

    def simulate(self, node: Node, state: Any) -> None:
        """Run a simulation from an expanded node, and update its Q (equation 4)."""
        action = self.choose(node)
        ops.apply_action(self.rules, state, action)
        while not ops.is_terminal(self.rules, state) and ops.current_player(self.rules, state) != self.player:
            ops.apply_action(self.rules, state, ops.policy(self.rules, state, *self.policy, self.stream))
        if ops.is_terminal(self.rules, state):
            back = 2 * float(ops.utility(self.rules, state, self.player)) - 1
            self.rewards.append(back)
        else:
            inputs, symmetry_id = self.view(state)
            key = (action, symmetry_id, inputs.tobytes(), *self.legal(state))
            if key in node.children:
                self.simulate(node.children[key], state)
            else:
                node.children[key] = self.predict(state)
            back = self.growth.discount * max(node.children[key].q.values())
        n = node.n[action]
        node.q[action] = (node.q[action] * n + back) / (n + 1)
        node.n[action] += 1
        node.visits += 1

    def choose(self, node: Node) -> int:
        """Return the action selected by equation 3."""
        return max(node.q, key=lambda a: node.q[a] + self.growth.c * math.sqrt(node.visits / (1 + node.n[a])))


def row_of(root_statistics: RootStatistics, tree: int) -> tuple[dict[int, float], dict[int, int]]:
    """Return Q and N of the root's actions in one tree."""
    actions = np.flatnonzero(np.isfinite(root_statistics.q[tree]))
    return (
        {int(a): float(root_statistics.q[tree, a]) for a in actions},
        {int(a): int(root_statistics.visits[tree, a]) for a in actions},
    )


@pytest.mark.parametrize("rules", ["rlcard", "official", "common"])
@pytest.mark.parametrize("policy", ["random", "reflex"])
def test_kernels_equal_algorithm_1_in_python(rules: str, policy: str):
    game = uno(3, rules)
    growth = QForestSettings(simulations=40, c=0.7, discount=0.9, opponents=policy)
    roots, tree_seeds = states_of(game, 24).reshape(8, 3)[:, :1], seeds(8)
    for evaluator, reshuffle in (
        (KernelEvaluator(game, q_network(game)), False),
        (KernelEvaluator(game, q_network(game, "54x5")), True),
        (KernelEvaluator(game, q_network(game, "seat-canonical")), True),
        (KernelEvaluator(game, random_network((240, 8, 1), 0, "4x4x15", "uno")), False),
        (PlayoutEvaluator(game), True),
    ):
        root_statistics = grow_trees(game, roots, evaluator, growth, tree_seeds, reshuffle=reshuffle, batch=5)
        for tree, seed in enumerate(tree_seeds):
            root, reward = Referee(game, evaluator, growth, seed).run(roots[tree], reshuffle)
            assert row_of(root_statistics, tree) == (root.q, root.n)
            assert root_statistics.reward[tree] == pytest.approx(reward, abs=1e-12)
            assert sum(root.n.values()) == root.visits == 39


def test_simulations_take_determinizations_in_turn():
    state = position("rlcard")
    game = state.game
    roots = np.zeros((1, 4), game.state_dtype)
    for root in roots[0]:
        ops.determinize(game.kernel_rules, state.observation().record, rng.stream(5), root)
    evaluator, growth = KernelEvaluator(game, q_network(game)), QForestSettings(simulations=30)
    root_statistics = grow_trees(game, roots, evaluator, growth, seeds(1))
    root, _ = Referee(game, evaluator, growth, seeds(1)[0]).run(roots[0], reshuffle=False)
    assert row_of(root_statistics, 0) == (root.q, root.n)


def test_trees_grow_the_same_alone_and_together():
    game = uno(2)
    roots, tree_seeds = states_of(game, 20), seeds(20)
    evaluator, growth = KernelEvaluator(game, q_network(game)), QForestSettings()
    together = grow_trees(game, roots, evaluator, growth, tree_seeds)
    for alone in (
        grow_trees(game, roots[i : i + 1], evaluator, growth, tree_seeds[i : i + 1]) for i in range(0, 20, 7)
    ):
        i = int(np.flatnonzero((together.q == alone.q[0]).all(axis=1))[0])
        assert (together.visits[i] == alone.visits[0]).all() and together.reward[i] == alone.reward[0]
    assert grow_trees(game, roots[:0], evaluator, growth, tree_seeds[:0]).q.shape == (0, game.num_distinct_actions)


class ConstantEvaluator(NetworkEvaluator):
    """Evaluator that predicts the same Q for every action, and counts the states."""

    def __init__(self, game: cardgames.Game, q: float):
        super().__init__(game, "4x4x15", (-1.0, 1.0))
        self.q, self.actions, self.num_states = q, game.num_distinct_actions, 0

    def outputs(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the constant Q for all actions of all states."""
        self.num_states += len(inputs)
        return np.full((len(inputs), self.actions), self.q, np.float32)


def test_immediate_win_has_q_1():
    game = uno(2)
    state = game.position(hands=["r9", "g1 g2 g3"], top="r5")
    root_statistics = grow_trees(
        game, state.record.reshape(1), ConstantEvaluator(game, 0.25), QForestSettings(simulations=10), seeds(1)
    )
    won = game.parse_action("r9")
    assert (root_statistics.q[0, won], root_statistics.visits[0, won], root_statistics.reward[0]) == (1.0, 9, 0.9)
    assert np.isneginf(np.delete(root_statistics.q[0], won)).all()


def test_first_simulation_predicts_and_second_discounts():
    state = position("rlcard")
    game, legal = state.game, state.legal_actions()
    for simulations, visited in ((1, 0), (2, 1)):
        growth = QForestSettings(simulations=simulations, discount=0.5)
        root_statistics = grow_trees(game, state.record.reshape(1), ConstantEvaluator(game, 0.25), growth, seeds(1))
        assert root_statistics.visits.sum() == visited
        assert root_statistics.q[0, legal].tolist() == [0.125] * visited + [0.25] * (len(legal) - visited)
        assert root_statistics.reward[0] == 0


def test_every_new_state_is_predicted_once():
    game = uno(3)
    evaluator, roots = ConstantEvaluator(game, 0.0), states_of(game, 10)
    grow_trees(game, roots, evaluator, QForestSettings(simulations=20), seeds(10))
    assert 10 < evaluator.num_states <= 1 + 10 * 20


def test_grow_trees_refuses_roots_without_q_or_without_player_to_move():
    game = uno(2, "official")
    state = game.new_initial_state(seed=1)
    with pytest.raises(cardgames.InvalidInput, match="no Q"):
        few = KernelEvaluator(game, random_network((240, 8, 2), 0, "4x4x15", "uno"))
        grow_trees(game, state.record.reshape(1), few, QForestSettings(), seeds(1))
    agent = cardgames.agent("reflex", game)
    while not state.is_terminal():
        state.apply_action(agent.act(state.observation()).action)
    with pytest.raises(cardgames.InvalidInput, match="to move"):
        grow_trees(game, state.record.reshape(1), PlayoutEvaluator(game), QForestSettings(), seeds(1))


def saved(folder: Path, game: cardgames.Game) -> str:
    """Save an untrained Q-network and return its path."""
    path = folder / "q.safetensors"
    save_network(q_network(game), path)
    return str(path)


@pytest.mark.parametrize("particles", [0, 20])
@pytest.mark.parametrize("rules", ["rlcard", "official"])
def test_equal_observation_and_seed_give_equal_decision(tmp_path: Path, rules: str, particles: int):
    state = position(rules)
    for network in ({}, {"network": saved(tmp_path, state.game)}):
        agents = [
            cardgames.agent("q-tree", state.game, seed=seed, particles=particles, **network) for seed in (1, 1, 1, 2)
        ]
        first, again, other = (agents[i].act(state.observation()) for i in (0, 1, 3))
        hidden = agents[2].act(shuffled(state))
        assert first.action == again.action == hidden.action
        assert first.report.roots == again.report.roots == hidden.report.roots != other.report.roots
        assert first.report.determinizations == hidden.report.determinizations


def test_report_visits_add_up(tmp_path: Path):
    state = position("rlcard")
    agent = cardgames.agent("q-tree", state.game, network=saved(tmp_path, state.game), simulations=200, particles=30)
    decision = agent.act(state.observation())
    report = decision.report
    assert report.simulations == 200 and report.particles == 30 and len(report.determinizations) == 200
    assert {a.action for a in report.actions} == set(state.legal_actions())
    assert sum(a.visits for a in report.actions) == 199 == report.roots[0].visits
    assert sum(decision.policy.values()) == pytest.approx(1) and 0 <= decision.value <= 1
    tried = [a for a in report.actions if a.value is not None]
    assert decision.action == max(tried, key=lambda a: a.value).action
    nodes = [report.roots[0]]
    for node in nodes:
        nodes.extend(node.children)
        below = sum(child.visits for child in node.children)
        assert 0 <= node.value <= 1 and below <= node.visits
        assert len({child.action for child in node.children}) == len(node.children)
    assert len(nodes) == report.nodes[0] > 10
    assert set(report.belief) == {0, 1, 2} - {state.current_player()}


def test_report_has_convergence_points():
    state = position("rlcard")
    report = cardgames.agent("q-tree", state.game, seed=1, simulations=400).search(state.observation()).report
    assert {point.simulations for point in report.convergence} >= set(range(19, 400, 20))


def test_report_of_timed_search_has_convergence_to_the_end():
    state = position("rlcard")
    agent = cardgames.agent("q-tree", state.game, seed=1)
    report = agent.search(state.observation(), cardgames.Limit(time=0.05)).report
    points = [point.simulations for point in report.convergence]
    assert points == sorted(set(points)) and points[-1] == report.simulations - 1


def test_q_tree_refuses_network_with_nan_outputs():
    state = position("rlcard")
    network = q_network(state.game)
    network.weights[:] = math.nan
    agent = QTreeAgent(state.game, 0, make_evaluator(state.game, network, "kernel", batch=1), QTreeSettings())
    with pytest.raises(cardgames.InvalidInput, match="outputs are not all finite numbers"):
        agent.act(state.observation())


def test_limit_bounds_simulations_and_determinizations():
    observation = position("rlcard").observation()
    agent = cardgames.agent("q-tree", observation.game)
    assert agent.act(observation, cardgames.Limit(simulations=7)).report.simulations == 7
    assert sum(agent.act(observation, cardgames.Limit(simulations=1)).policy.values()) == 1
    report = agent.act(observation, cardgames.Limit(time=0.5)).report
    assert report.simulations > 1000 and len(report.determinizations) == 1000


def test_q_tree_plays_the_winning_card():
    game = uno(2)
    state = game.position(hands=["r9", "g1 g2 g3"], top="r5")
    decision = cardgames.agent("q-tree", game).search(state.observation())
    assert (decision.action, decision.value) == (game.parse_action("r9"), 1)


def test_torch_module_works_when_no_tree_has_a_new_state():
    nn = pytest.importorskip("torch").nn
    game = uno(2)
    evaluator = make_evaluator(game, nn.Linear(240, 61), device="cpu", encoding="4x4x15", reward=(-1.0, 1.0))
    agent = QTreeAgent(game, 0, evaluator, QTreeSettings(simulations=5))
    decision = agent.search(game.position(hands=["r9", "g1 g2 g3"], top="r5").observation())
    assert (decision.action, decision.value) == (game.parse_action("r9"), 1)


def test_true_state_refuses_observations_and_depends_on_hidden_cards():
    state = position("rlcard")
    agent = cardgames.agent("q-tree:true_state=true", state.game, seed=1)
    for decide_on in (agent.act, agent.search):
        with pytest.raises(cardgames.InvalidInput, match="sees all cards"):
            decide_on(state.observation())
    decision = decide(agent, state)
    assert decision.report.determinizations == (tuple(state.game.hands_of(state.record)),)
    other = state.clone()
    ops.determinize(state.game.kernel_rules, state.observation().record, rng.stream(3), other.record)
    assert decide(agent, other).report.roots != decision.report.roots == decide(agent, state).report.roots


@pytest.mark.parametrize("name", ["q-tree:simulations=6", "mcts-net:simulations=6,trees=1"])
def test_network_without_q_for_some_actions_plays_rounds(name: str, tmp_path: Path):
    path = tmp_path / "q.safetensors"
    save_network(random_network((240, 8, 61), 0, "4x4x15", "uno", reward=(-1.0, 1.0)), path)
    game = uno(2, "official")
    agent, state = cardgames.agent(f"{name},network={path}", game), game.new_initial_state(seed=1)
    for _ in range(40):  # an untrained network may draw forever
        if not state.is_terminal():
            state.apply_action(agent.act(state.observation()).action)


def test_decision_without_q_is_that_of_the_policy():
    game = uno(2, "official")
    observation = game.new_initial_state(seed=1).observation()
    few = KernelEvaluator(game, random_network((240, 8, 2), 0, "4x4x15", "uno"))
    decision = QTreeAgent(game, 0, few, QTreeSettings(simulations=5)).search(observation)
    assert decision.action == cardgames.agent("reflex", game).act(observation).action and decision.report is None


def test_q_tree_plays_rounds():
    result = play_match(uno(2), ["q-tree:simulations=20", "q-tree:true_state=true,simulations=20"], games=10, seed=1)
    assert sum(agent.wins for agent in result.agents) == 10


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"simulations": 0}, "simulations is a whole number from 1"),
        ({"c": -1}, "c is a finite number from 0"),
        ({"discount": 1.5}, "discount is a number from 0 to 1"),
        ({"opponents": "nobody"}, "'nobody': choose from"),
        ({"true_state": "perhaps"}, "true_state is true or false"),
        ({"particles": -1}, "particles is a whole number from 0"),
        ({"true_state": "true", "particles": 10}, "particles has no effect with true_state=true"),
        ({"mismatch_weight": 1}, "mismatch_weight is a number between"),
        ({"network": "none"}, "unknown network 'none'"),
        ({"trees": 4}, "trees"),
    ],
)
def test_q_tree_refuses_wrong_options(options: dict[str, Any], words: str):
    with pytest.raises(cardgames.InvalidInput, match=words) as caught:
        cardgames.agent("q-tree", uno(2), **options)
    assert "\n" not in str(caught.value)


def test_q_tree_agent_accepts_any_evaluator():
    state = position("rlcard")
    value = KernelEvaluator(state.game, random_network((270, 8, 1), 0, "54x5", "uno"))
    agent = QTreeAgent(state.game, 0, value, QTreeSettings(simulations=30))
    assert agent.act(state.observation()).action in state.legal_actions()


def test_merged_tree_keeps_the_variance_of_q() -> None:
    state = position("rlcard")
    game, roots = state.game, np.zeros((1, 1), state.game.state_dtype)
    roots[0, 0] = state.record
    evaluator = KernelEvaluator(game, q_network(game))
    forest = QForest(game, roots, evaluator, QForestSettings(), np.ones(1, np.uint64), reshuffle=True)
    for _ in range(60):
        forest.simulate()
    tree, root, spreads = forest.merged_tree(), forest._nodes[0], dict[int, float]()
    for edge in forest._edges[root.first : root.first + root.count]:
        if edge.visits:
            spreads[int(edge.action)] = (edge.squares / edge.visits - edge.q**2) / 4
    child, variances = int(tree[0].child), dict[int, float]()
    while child > 0:
        node = tree[child]
        variances[int(node.action)] = node.squares / node.visits - (node.total / node.visits) ** 2
        child = int(node.sibling)
    assert max(spreads.values()) > 1e-4
    assert variances == {action: pytest.approx(max(0.0, spread), abs=1e-9) for action, spread in spreads.items()}
