"""Tests of the agents `mcts` and `mcts-dbm`: reproducibility, limits, reports, belief, and options."""

import json
import signal
import threading
import time

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.core.observation import Observation
from cardgames.kernels import rng
from cardgames.search.mcts.forest_search import Forest
from cardgames.search.mcts.mcts_settings import MctsSettings
from cardgames.search.particle_filter import run_particle_filter

PRESETS = ("official", "simplified", "rlcard")
SEARCHES = ("mcts:setting=paper", "mcts-dbm:setting=paper")
ENDLESS = 50_000_000
"""Number of simulations that would take minutes."""


def uno(players: int, rules: str = "rlcard") -> cardgames.Game:
    """Return a game of Uno."""
    return cardgames.make("uno", players=players, rules=rules)


def position(rules: str, players: int = 3, plies: int = 14, seed: int = 5) -> cardgames.State:
    """Return a state with several legal actions, at least `plies` decisions of `reflex` players into a round."""
    game = uno(players, rules)
    agent = cardgames.agent("reflex", game, seed=seed)
    state = game.new_initial_state(seed=seed)
    while plies > 0 or len(state.legal_actions()) < 2:
        state.apply_action(agent.act(state.observation()).action)
        plies -= 1
    return state


def shuffled(state: cardgames.State) -> Observation:
    """Return the mover's observation of a state that differs from `state` only in hidden cards."""
    other = state.clone()
    observation = state.observation()
    ops.determinize(state.game.kernel_rules, observation.record, rng.stream(3), other.record)
    return other.observation()


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("rules", PRESETS)
def test_equal_observation_and_seed_give_equal_decision(name: str, rules: str):
    state = position(rules)
    decisions = [cardgames.agent(name, state.game, seed=1, simulations=60).act(state.observation()) for _ in range(2)]
    hidden = cardgames.agent(name, state.game, seed=1, simulations=60).act(shuffled(state))
    for other in (decisions[1], hidden):
        assert other.action == decisions[0].action
        assert other.report.actions == decisions[0].report.actions
    assert decisions[0].action in state.legal_actions()


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("seed", [1, 69, 124])  # with ties of visits and value between two actions
def test_report_visits_add_up(name: str, seed: int):
    state = position("rlcard")
    decision = cardgames.agent(name, state.game, seed=seed, simulations=103, trees=4).act(state.observation())
    report = decision.report
    assert report.simulations == 103 == sum(a.visits for a in report.actions)
    assert [sum(a.visits for a in tree) for tree in report.trees] == [root.visits for root in report.roots]
    assert {a.action for a in report.actions} == set(state.legal_actions())
    assert sum(decision.policy.values()) == pytest.approx(1)
    assert all(0 <= a.value <= 1 for a in report.actions if a.value is not None)
    assert len(report.principal_variations) == len(report.nodes) == len(report.determinizations) == 4
    assert report.principal_variation.actions[0] == report.best.action
    json.dumps(report.to_dict())


@pytest.mark.parametrize("rules", PRESETS)
def test_particles_agree_with_the_observation(rules: str):
    observation = position(rules).observation()
    particles = run_particle_filter(observation, 40, 0.9, rng.stream(2))
    assert particles.weights.sum() == pytest.approx(1)
    assert 1 <= particles.effective_sample_size <= 40 + 1e-9
    counts = observation.record.counts[: observation.game.num_players]
    assert np.allclose(particles.belief.sum(axis=1), counts)
    seen = np.zeros(1, observation.game.state_dtype)[0]
    for particle in particles.states:
        ops.observe(observation.game.kernel_rules, particle, observation.player, seen)
        for field in ("once", "twice", "counts", "top", "color", "phase", "to_move", "n_pile", "n_discard"):
            assert np.array_equal(seen[field], observation.record[field])


def test_drawing_without_a_playable_card_excludes_cards_from_the_belief():
    game = uno(2)
    state = game.position(hands=["r1 b2 g3", "g4 y7 b8 g9"], top="r5", to_move=1, draw="y1 b4", seed=1)
    state.apply_action(game.parse_action("draw"))
    belief = run_particle_filter(state.observation(0), 200, 0.9, rng.stream(1)).belief[1]
    card_kinds = dict(zip(game.belief.card_kinds, belief, strict=True))
    assert (
        sum(card_kinds[f"r{face}"] for face in "0123456789svd") + card_kinds["b5"] + card_kinds["w"] + card_kinds["f"]
        < 0.05
    )


def test_limit_bounds_simulations_and_time():
    state = position("rlcard")
    agent = cardgames.agent("mcts:setting=paper", state.game, seed=1)
    assert agent.act(state.observation(), cardgames.Limit(simulations=30)).report.simulations == 30
    report = agent.act(state.observation(), cardgames.Limit(simulations=ENDLESS, time=0.5)).report
    assert 100 < report.simulations < ENDLESS


def test_trees_take_turns_under_a_time_limit():
    observation = position("rlcard").observation()
    for seconds in (1e-6, 0.01, 0.05):
        report = (
            cardgames.agent("mcts:setting=paper,trees=7", observation.game, seed=1)
            .act(observation, cardgames.Limit(time=seconds))
            .report
        )
        visits = [root.visits for root in report.roots]
        assert sum(visits) == report.simulations and max(visits) - min(visits) <= 1


def test_tiny_time_limit_runs_one_simulation():
    observation = position("rlcard").observation()
    agent = cardgames.agent("mcts:setting=paper,trees=50", observation.game, seed=1)
    assert agent.act(observation, cardgames.Limit(time=1e-9)).report.simulations == 1


@pytest.mark.parametrize("options", ["", ",root=halving"])
def test_huge_time_limit_is_accepted(options: str):
    state = position("rlcard")
    agent = cardgames.agent("mcts:setting=paper" + options, state.game, seed=1)
    limit = cardgames.Limit(time=1e308, simulations=300)
    assert 200 < agent.act(state.observation(), limit).report.simulations <= 300


def test_simulations_respect_the_turn_limit():
    """One decision before the turn limit the round becomes void after every action."""
    game = cardgames.make("uno", players=2, rules="rlcard", overrides=["turn-limit=30"])
    reflex = cardgames.agent("reflex", game, seed=1)
    for seed in range(100):
        state = game.new_initial_state(seed=seed)
        while not state.is_terminal() and state.record.decisions < 29:
            state.apply_action(reflex.act(state.observation()).action)
        if not state.is_terminal() and len(state.legal_actions()) > 1 and state.record.counts[:2].min() > 1:
            break
    report = cardgames.agent("mcts:setting=paper,simulations=200", game, seed=1).act(state.observation()).report
    assert [row.value for row in report.actions] == [0.5] * len(state.legal_actions())


def test_ctrl_c_stops_a_long_search():
    state = position("rlcard")
    agent = cardgames.agent("mcts:setting=paper", state.game, seed=1, simulations=ENDLESS)
    ended, done = threading.Event(), []

    def interrupt() -> None:
        while agent.snapshot() is None or agent.snapshot().simulations < 100:
            time.sleep(0.01)
        # Python ignores an interrupt that arrives during garbage collection, so repeat it
        while not ended.is_set():
            snapshot = agent.snapshot()
            done.append(0 if snapshot is None else snapshot.simulations)
            signal.raise_signal(signal.SIGINT)
            ended.wait(2)

    # a script's background process inherits a handler that ignores Ctrl-C
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            agent.act(state.observation())
    finally:
        ended.set()
        signal.signal(signal.SIGINT, before)
    assert max(done) < ENDLESS // 2


def test_mcts_plays_the_winning_card():
    game = uno(2)
    state = game.position(hands=["r9", "g1 g2 g3"], top="r5")
    assert cardgames.agent("mcts:setting=paper", game, seed=0).act(state.observation()).action == game.parse_action(
        "r9"
    )


@pytest.mark.parametrize(
    "options", ["c=nan", "c=-1", "simulations=0", "trees=x", "playout=nobody", "mismatch_weight=1", "x=1"]
)
def test_mcts_dbm_refuses_wrong_options(options: str):
    with pytest.raises(cardgames.InvalidInput):
        cardgames.agent(f"mcts-dbm:setting=paper,{options}", uno(2))


OPTIONS = (
    "select=ucb-tuned",
    "select=puct,playout=linear",
    "nodes=all,determinize=simulation,trees=1",
    "nodes=all,select=puct,prior=reflex",
    "bias=2,prior=linear,c=0.5",
    "root=halving,playout=linear,bias=4",
    "opponents=random,playout=linear",
)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("rules", PRESETS)
def test_search_options_are_reproducible_and_ignore_hidden_cards(rules: str, options: str):
    state = position(rules)
    for name in SEARCHES:
        decisions = [
            cardgames.agent(f"{name},{options}", state.game, seed=1, simulations=300).act(observation)
            for observation in (state.observation(), state.observation(), shuffled(state))
        ]
        assert decisions[0].report.actions == decisions[1].report.actions == decisions[2].report.actions
        assert decisions[0].action in state.legal_actions()
        assert 100 < decisions[0].report.simulations <= 300
        assert sum(a.visits for a in decisions[0].report.actions) == decisions[0].report.simulations


@pytest.mark.parametrize("options", ["", "select=puct,playout=linear", "nodes=all", "root=halving"])
def test_search_options_find_the_winning_card(options: str):
    game = uno(3)
    state = game.position(hands=["r9", "g1 g2 g3", "b1 b2"], top="r5", to_move=0, seed=2)
    agent = cardgames.agent(f"mcts:setting=paper,{options}" if options else "mcts:setting=paper", game, seed=0)
    assert agent.act(state.observation()).action == game.parse_action("r9")


def test_puct_tries_every_action():
    game = uno(2)
    state = game.position(hands=["r5 rd r7 w", "g1"], top="r3", seed=1)
    report = cardgames.agent("mcts:setting=paper,select=puct", game, seed=0).act(state.observation()).report
    assert all(row.visits > 0 for row in report.actions)


@pytest.mark.parametrize("simulations", [1, 5, 13, 100])
def test_halving_stays_within_its_budget(simulations: int):
    state = position("rlcard")
    agent = cardgames.agent("mcts:setting=paper,root=halving", state.game, seed=1)
    assert agent.act(state.observation(), cardgames.Limit(simulations=simulations)).report.simulations <= simulations


@pytest.mark.parametrize("simulations", [1, 20, 300])
@pytest.mark.parametrize("rules", ["simplified", "rlcard"])
def test_strong_prior_decides_sequential_halving(rules: str, simulations: int):
    state = position(rules)
    preferred = cardgames.agent("linear", state.game, seed=1).act(state.observation()).action
    options = f"root=halving,playout=linear,bias=1e9,simulations={simulations}"
    decision = cardgames.agent(f"mcts:setting=paper,{options}", state.game, seed=1).act(state.observation())
    assert decision.action == preferred
    assert decision.report.simulations <= simulations


@pytest.mark.parametrize("rules", ["official", "rlcard"])
def test_children_are_unique_by_action_and_mover(rules: str):
    state = position(rules)
    player = state.current_player()
    settings = MctsSettings(nodes="all", determinize="simulation", trees=1, simulations=2000)
    roots = np.zeros(50, state.game.state_dtype)
    stream = rng.stream(1)
    for root in roots:
        ops.determinize(state.game.kernel_rules, state.observation().record, stream, root)
    forest = Forest(state.game, settings, settings.simulator(state.game), player, roots, 1, 2000)
    forest.run(2000, None, 0.0)
    tree = forest.trees[0][: forest.num_nodes[0]]
    children: dict[int, list[tuple[int, int]]] = {}
    for number, node in enumerate(tree):
        child = int(node.child)
        while child > 0:
            children.setdefault(number, []).append((int(tree[child].action), int(tree[child].mover)))
            child = int(tree[child].sibling)
    assert all(len(pairs) == len(set(pairs)) for pairs in children.values())
    assert {int(node.mover) for node in tree} == set(range(3))


def test_number_of_threads_does_not_change_the_decision():
    state = position("rlcard")
    reports = [
        cardgames.agent("mcts-dbm:setting=paper", state.game, seed=1, simulations=400, trees=8, threads=threads)
        .act(state.observation())
        .report
        for threads in (1, 2, 3)
    ]
    assert reports[0].actions == reports[1].actions == reports[2].actions


def test_belief_policy_learns_from_actions_of_others():
    game = uno(2)
    hands = ["r1 b2 g3 y5 y6", 7]
    expected_cards = [0.0, 0.0]
    for seed in range(40):
        state = game.position(hands=hands, top="r5", to_move=1, seed=seed)
        symbols = [action for action in state.legal_actions() if 10 <= action < 13]
        if not symbols:
            continue
        state.apply_action(symbols[0])
        for i, belief_policy in enumerate((None, game.policy("reflex"))):
            particles = run_particle_filter(state.observation(0), 100, 0.9, rng.stream(seed), belief_policy)
            card_kinds = dict(zip(game.belief.card_kinds, particles.belief[1], strict=True))
            expected_cards[i] += sum(card_kinds[f"r{face}"] for face in "0123456789")
    assert expected_cards[1] < 0.7 * expected_cards[0], "reflex plays red numbers before red action cards"


@pytest.mark.parametrize("chance", ["fixed", "fresh"])
def test_chance_fixed_continues_the_random_stream_of_the_determinization(chance: str) -> None:
    state = position("rlcard")
    settings, roots = MctsSettings(chance=chance, trees=1), np.zeros(1, state.game.state_dtype)
    roots[0] = state.record
    forest = Forest(state.game, settings, settings.simulator(state.game), state.current_player(), roots, 1, 20)
    for _ in range(5):
        forest.run(1, None, 0.0)
        ended = forest._workspaces[0].scratch[0]
        # number of words drawn since: SplitMix64 adds an odd constant each time, so multiply by its inverse
        words = (int(ended.rng) - int(roots[0].rng)) * pow(int(rng._GAMMA), -1, 2**64) % 2**64
        assert (words < 10_000) == (chance == "fixed"), "the stream of the state continues if chance is fixed"


def test_trees_of_equal_determinizations_differ() -> None:
    state = position("rlcard")
    settings, roots = MctsSettings(trees=3), np.zeros(3, state.game.state_dtype)
    roots[:] = state.record
    forest = Forest(state.game, settings, settings.simulator(state.game), state.current_player(), roots, 1, 60)
    forest.run(60, None, 0.0)
    assert len({tree[: forest.num_nodes.min()].tobytes() for tree in forest.trees}) == 3


def test_principal_variation_sums_over_all_trees() -> None:
    state = position("rlcard")
    report = (
        cardgames.agent("mcts:setting=paper", state.game, seed=1, simulations=103, trees=4)
        .act(state.observation())
        .report
    )
    nodes = list(report.roots)
    for action in report.principal_variation.actions:
        nodes = [child for node in nodes for child in node.children if child.action == action]
    assert report.principal_variation.visits == sum(node.visits for node in nodes)
