"""Tests of what all search agents share: snapshots, stopping, and use by several threads."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

import pytest

import cardgames
from cardgames.search.mcts import mcts_agent
from cardgames.search.particle_filter import draw_filtered_roots, draw_roots
from cardgames.search.qtree import qtree_agent
from tests.search.mcts.test_mcts_agent import position


@pytest.mark.parametrize("name", ["mcts:setting=paper", "mcts-net", "q-tree"])
def test_running_search_gives_snapshots_and_can_be_stopped(name: str):
    state = position("rlcard")
    agent = cardgames.agent(name, state.game, seed=1, simulations=5_000_000)
    answers: list[cardgames.Decision] = []
    thread = threading.Thread(target=lambda: answers.append(agent.act(state.observation())))
    thread.start()
    while agent.snapshot() is None or agent.snapshot().simulations < 100:
        time.sleep(0.01)
    agent.stop()
    thread.join(20)
    assert not thread.is_alive() and agent.snapshot() is None
    assert 100 <= answers[0].report.simulations < 5_000_000


def test_q_tree_stopped_before_its_first_simulation_still_decides(monkeypatch: pytest.MonkeyPatch):
    state = position("rlcard")
    agent = cardgames.agent("q-tree", state.game, seed=1)

    def stopped(*arguments):
        agent.stop()
        return draw_filtered_roots(*arguments)

    monkeypatch.setattr(qtree_agent, "draw_filtered_roots", stopped)
    assert agent.act(state.observation()).action in state.legal_actions()


@pytest.mark.parametrize(
    "name", ["mcts-dbm:setting=paper,belief_policy=reflex", "champion", "expectimax:depth=1", "ddqn"]
)
def test_threads_sharing_an_agent_get_the_decisions_of_separate_agents(name: str):
    game, limit = cardgames.make("uno", players=2, rules="rlcard"), cardgames.Limit(simulations=8)
    shared = cardgames.agent(name, game, seed=1)

    def answers(agent: cardgames.Agent, seed: int) -> list[tuple[int, float | None]]:
        results, state = [], game.new_initial_state(seed=seed)
        while not state.is_terminal() and len(results) < 30:
            decision = agent.act(state.observation(), limit)
            results.append((decision.action, decision.value))
            state.apply_action(state.legal_actions()[0])
        return results

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(answers, repeat(shared), range(8)))
    assert together == [answers(cardgames.agent(name, game, seed=1), seed) for seed in range(8)]


@pytest.mark.parametrize(
    "name",
    [
        "mcts-dbm:setting=paper",
        "mcts-dbm:setting=paper,root=halving",
        "mcts-dbm:setting=paper,root=halving,simulations=1",
        "mcts-dbm:setting=paper,trees=4,threads=2",
        "ismcts",
    ],
)
def test_search_stopped_before_its_first_simulation_runs_one(name: str, monkeypatch: pytest.MonkeyPatch):
    state = position("rlcard")
    agent = cardgames.agent(name, state.game, seed=1)

    def stopped(*arguments):
        draw_roots(*arguments)
        agent.stop()

    monkeypatch.setattr(mcts_agent, "draw_roots", stopped)
    decision = agent.act(state.observation())
    assert decision.report is not None and decision.value is not None
    assert 1 <= decision.report.simulations <= 2 * len(state.legal_actions())
    assert sum(decision.policy.values()) == pytest.approx(1)
