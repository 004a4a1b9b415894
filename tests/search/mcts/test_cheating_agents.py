"""Tests of the agents that see hidden cards."""

import pytest

from cardgames.agents.agent import decide
from cardgames.agents.agent_factory import agent
from cardgames.arena.match import play_match
from cardgames.core.game_registry import make
from cardgames.support.errors import InvalidInput


@pytest.mark.parametrize("name", ["cheating-hands", "cheating-all"])
def test_cheating_agents_refuse_observations(name: str):
    state = make("uno", 2, "rlcard").position(hands=["r9 b9", "g1 g2"], top="r5", seed=1)
    cheating_agent = agent(name, state.game, 1, simulations=200)
    assert decide(cheating_agent, state).action in state.legal_actions()
    for decide_on in (cheating_agent.act, cheating_agent.search):
        with pytest.raises(InvalidInput, match="sees all cards"):
            decide_on(state.observation())


@pytest.mark.parametrize("name", ["cheating-hands", "cheating-all"])
@pytest.mark.parametrize("mover", [0, 1, 2])
def test_cheating_agents_search_the_true_hands(name: str, mover: int):
    game = make("uno", 3, "rlcard")
    state = game.position(hands=["r9 r8", "g1 r2 r3", "y4 b5 r6 w"], top="r5", to_move=mover, seed=1)
    report = decide(agent(name, game, 1, simulations=20), state).report
    assert report is not None and report.player == mover
    for hands in report.determinizations:
        assert [sorted(hand.split()) for hand in hands] == [["r8", "r9"], ["g1", "r2", "r3"], ["b5", "r6", "w", "y4"]]


def test_cheating_agents_beat_random_players_clearly():
    options = "simulations=100,playout=linear,root=halving"
    for name, min_win_rate in (("cheating-hands", 0.68), ("cheating-all", 0.75)):
        result = play_match(make("uno", 2, "rlcard"), [f"{name}:{options}", "random"], games=300, seed=1)
        assert result.agents[0].win_rate > min_win_rate
