"""Certain wins are played without a search, by every agent that searches, and marked in reports."""

import pytest

import cardgames
from cardgames.agents.agent import decide
from cardgames.search.report import WIN_PROVEN, SearchReport

COMMON = cardgames.make("uno", players=2, rules="common")
SKIPS = COMMON.position(hands=["rs ys gs w", "bs"], top="r8")
"""One on one each skip gives another turn, and the wild goes last: `rs` wins whatever the other seat holds."""


@pytest.mark.parametrize(
    "name",
    ["mcts", "mcts-dbm", "ismcts", "mcts-net", "q-tree", "expectimax", "champion", "cheating-hands", "cheating-all"],
)
def test_every_search_plays_a_row_of_skips_that_wins(name: str) -> None:
    for seed in range(4):
        agent, state = cardgames.agent(name, COMMON, seed=seed), SKIPS.clone()
        while not state.is_terminal():
            assert state.current_player() == 0
            decision = decide(agent, state)
            if len(state.legal_actions()) > 1:
                assert isinstance(decision.report, SearchReport)
                assert decision.report.actions[0].proven == WIN_PROVEN and decision.value == 1
            state.apply_action(decision.action)
        assert state.winners() == [0]


def test_champion_that_does_not_search_plays_certain_wins() -> None:
    game = cardgames.make("uno", players=2, rules="simplified")
    assert game.champion == "actor-critic"
    state = game.position(hands=["rs ys gs w", "bs"], top="r8")
    agent = cardgames.agent("champion", game, seed=1)
    assert game.certain_win(state.observation())
    assert game.certain_win(state.observation())[0] == agent.act(state.observation()).action
    with pytest.raises(cardgames.InvalidInput, match="is not one of"):
        agent.act(SKIPS.observation())


def test_search_of_the_paper_has_no_proofs() -> None:
    report = cardgames.agent("mcts-dbm:setting=paper", COMMON, seed=1).act(SKIPS.observation()).report
    assert report.simulations == 500 and all(row.proven is None for row in report.actions)


def test_exact_can_be_switched_off() -> None:
    report = cardgames.agent("mcts-dbm:exact=false,simulations=200", COMMON, seed=1).act(SKIPS.observation()).report
    assert report.simulations > 100
