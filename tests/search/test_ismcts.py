"""Tests of the agent `ismcts` in Dou Di Zhu: endgames with one right move, partners, the auction, hidden cards."""

from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.kernels import rng

LANDLORD, DOWN, UP = range(3)
GAME = cardgames.make("doudizhu", rules="rlcard")
VARIANTS = ("playout=frugal", "root=tree,nodes=all,c=0.7,widen=0,bias=0", "root=tree", "nodes=own,playout=random")


def ismcts(options: str = "", game: cardgames.Game = GAME, seed: int = 0) -> Any:
    """Return the agent with few simulations."""
    return cardgames.agent(f"ismcts:simulations=300{options and ','}{options}", game, seed=seed)


def endgame(hands: list[str], to_move: int, **parts: Any) -> cardgames.State:
    """Return a position after the auction; seat 0 is the landlord."""
    return GAME.position(hands=hands, landlord=LANDLORD, to_move=to_move, seed=1, **parts)


def chosen_action(state: cardgames.State, options: str) -> str:
    """Return the action of the agent as text."""
    return GAME.action_to_string(ismcts(options).act(state.observation()).action)


@pytest.mark.parametrize("options", VARIANTS)
def test_ismcts_finds_the_right_move_in_endgames(options: str) -> None:
    # nobody beats the joker, and the three is the last card
    assert chosen_action(endgame(["3R", "45", "46"], LANDLORD), options) == "R"
    # nobody can beat the two, and then the kings are the last cards; led first they lose to the aces
    if "random" not in options:  # random playouts lead a single king as often as both
        assert chosen_action(endgame(["2KK", "AA3", "QQ4"], LANDLORD), options) == "2"
    # the landlord has one card left and must not get the lead
    assert chosen_action(endgame(["9", "3K7", "46"], DOWN, last="J", last_by=LANDLORD), options) == "K"


@pytest.mark.parametrize("options", VARIANTS)
def test_ismcts_peasant_plays_for_its_partner(options: str) -> None:
    # up has one card, which beats a three; any other lead can be beaten by the landlord
    assert chosen_action(endgame(["KK77A", "3QQ", "5"], DOWN), options) == "3"
    # up wins if nobody beats its card
    assert chosen_action(endgame(["799", "5KA", "4"], DOWN, last="Q", last_by=UP), options) == "pass"


@pytest.mark.parametrize("options", VARIANTS)
@pytest.mark.parametrize("plies", [0, 1, 9])
def test_ismcts_is_reproducible_and_ignores_hidden_cards(options: str, plies: int) -> None:
    player, state = cardgames.agent("frugal", GAME), GAME.new_initial_state(seed=3)
    for _ in range(plies):
        state.apply_action(player.act(state.observation()).action)
    other = state.clone()
    ops.determinize(GAME.kernel_rules, state.observation().record, rng.stream(3), other.record)
    reports = [ismcts(options).search(s.observation()).report for s in (state, state, other)]
    assert not np.array_equal(other.record.hands, state.record.hands)
    assert reports[0].actions == reports[1].actions == reports[2].actions
    # halving does not use the remainder of a budget that does not divide evenly
    assert 200 < sum(a.visits for a in reports[0].actions) == reports[0].simulations <= 300


@pytest.mark.parametrize("rules", ["classic", "online"])
@pytest.mark.parametrize("options", VARIANTS[:2])
def test_ismcts_bids_and_plays_whole_rounds(rules: str, options: str) -> None:
    game = cardgames.make("doudizhu", rules=rules)
    agent, state = cardgames.agent(f"ismcts:simulations=60,{options}", game, seed=1), game.new_initial_state(seed=2)
    action_texts = []
    while not state.is_terminal():
        action = agent.act(state.observation()).action
        assert action in state.legal_actions()
        action_texts.append(game.action_to_string(action))
        state.apply_action(action)
    assert {"bid 1", "bid 2", "bid 3", "call"} & set(action_texts)


def test_ismcts_bids_with_a_strong_hand_only() -> None:
    game = cardgames.make("doudizhu", rules="classic")
    strong, weak = "33334444AAA222KBR", "334466788TTJQQKKA"
    for hand, expected in ((strong, {"bid 1", "bid 2", "bid 3"}), (weak, {"pass"})):
        state = game.position(hands=[hand, None, None], to_move=0, seed=1)
        action = ismcts("", game).act(state.observation()).action
        assert game.action_to_string(action) in expected


@pytest.mark.parametrize("belief_policy", ["frugal", "rlcard-rule"])
def test_belief_policy_weights_hidden_hands(belief_policy: str) -> None:
    state = GAME.new_initial_state(seed=5)
    player = cardgames.agent("frugal", GAME)
    for _ in range(12):
        state.apply_action(player.act(state.observation()).action)
    report = ismcts(f"belief_policy={belief_policy}").search(state.observation()).report
    assert 1 <= report.effective_sample_size <= report.particles


def root_of_search(state: cardgames.State, options: str) -> Any:
    """Return the root node of a search."""
    report = ismcts(options).search(state.observation()).report
    return report.roots[0]


def test_nodes_all_adds_unforced_decisions_of_all_players() -> None:
    state = endgame(["3355667", "99JJQ", "TTK2"], LANDLORD)
    root = root_of_search(state, "nodes=all,widen=0")
    (pair,) = [child for child in root.children if child.text == "55"]
    texts = {child.text for child in pair.children}
    assert "1:pass" in texts and texts & {"1:99", "1:JJ", "1:TT"}
    alone = root_of_search(endgame(["33445", "6", "7"], LANDLORD), "root=tree,nodes=all,widen=0,bias=0")
    pairs = next(child for child in alone.children if child.text == "33")
    assert {child.text for child in pairs.children} <= {"44", "4", "5"}, (
        "nobody can reply, and forced passes are no nodes"
    )


def test_progressive_widening_starts_with_the_action_of_the_prior() -> None:
    state = endgame(["3456789TJQ2", "3344556677", "JJQQKKAA"], LANDLORD)
    root = root_of_search(state, "root=tree,widen=0.3,bias=0")
    assert len(root.children) <= 0.3 * 301**0.5 + 1
    assert "3456789TJQ" in {child.text for child in root.children}


def test_ismcts_plays_uno() -> None:
    game = cardgames.make("uno", players=3, rules="rlcard")
    state = game.new_initial_state(seed=1)
    decision = cardgames.agent("ismcts:simulations=100", game, seed=1).act(state.observation())
    assert decision.action in state.legal_actions()


@pytest.mark.parametrize(
    ("playout", "opponents", "deterministic"), [("random", "frugal", True), ("frugal", "random", False)]
)
def test_nodes_observed_gives_opponents_the_actions_of_their_policy(
    playout: str, opponents: str, deterministic: bool
) -> None:
    state = endgame(["3345", "6789TJQ", "QQKKAA2"], LANDLORD)
    options = f"nodes=observed,trees=1,chance=fixed,playout={playout},opponents={opponents},simulations=200"
    root = cardgames.agent(f"mcts:setting=paper,{options}", GAME, seed=1).act(state.observation()).report.roots[0]
    num_replies = [len(child.children) for child in root.children]
    assert num_replies and (set(num_replies) == {1} if deterministic else min(num_replies) > 1)
