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


@pytest.mark.parametrize("name", ["mcts", "mcts-dbm", "ismcts", "champion"])
def test_position_with_one_deal_is_solved(name: str) -> None:
    """The landlord's rest is the open bottom, so the peasant to move knows all hands; only the long chain wins."""
    game = cardgames.make("doudizhu", rules="online")
    state = game.position(hands=["8JR", "566789T2", "3"], landlord=0, to_move=1, bottom="8JR", seed=10)
    decision = cardgames.agent(name, game, seed=1).act(state.observation())
    assert game.action_to_string(decision.action) == "56789T"
    proofs = {row.text: row.proven for row in decision.report.actions}
    assert [text for text, proven in proofs.items() if proven == WIN_PROVEN] == ["56789T"]


def test_lost_position_with_one_deal_is_left_to_the_search_of_wins() -> None:
    game = cardgames.make("doudizhu", rules="rlcard")
    state = game.position(hands=["8R", "4567", "3"], landlord=0, to_move=1, bottom="8JR", last="J", last_by=0)
    decision = cardgames.agent("mcts-dbm:simulations=50", game, seed=1).act(state.observation())
    assert decision.action in state.legal_actions()
