"""What all searches share: other threads look at them while they think, and stop them."""

import threading
import time

import pytest

import cardgames
from tests.search.test_mcts import position


@pytest.mark.parametrize("name", ["mcts", "mcts-net", "q-tree"])
def test_a_search_can_be_looked_at_and_stopped(name: str):
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
