"""The yardsticks that see hidden cards."""

import pytest

from cardgames.agents.agent import decide
from cardgames.agents.agent_factory import agent
from cardgames.arena.match import play_match
from cardgames.core.game_registry import make
from cardgames.support.errors import InvalidInput


@pytest.mark.parametrize("name", ["cheating-hands", "cheating-all"])
def test_yardsticks_need_to_be_shown_the_cards(name: str):
    state = make("uno", 2, "rlcard").position(hands=["r9 b9", "g1 g2"], top="r5", seed=1)
    yardstick = agent(name, state.game, 1, simulations=200)
    assert decide(yardstick, state).action in state.legal_actions()
    for ask in (yardstick.act, yardstick.search):
        with pytest.raises(InvalidInput, match="sees all cards"):
            ask(state.observation())


def test_knowing_the_cards_is_worth_much():
    options = "simulations=100,playout=linear,root=halving"
    for name, least in (("cheating-hands", 0.68), ("cheating-all", 0.75)):
        result = play_match(make("uno", 2, "rlcard"), [f"{name}:{options}", "random"], games=300, seed=1)
        assert result.agents[0].win_rate > least
