"""Answers of the rule-based policies to questions beside the play."""

import pytest

import cardgames


@pytest.mark.parametrize("policy", ["reflex", "rlcard-rule", "human-rule", "linear"])
@pytest.mark.parametrize(
    ("others", "chosen"),
    [
        (["g1 g2 g3", "b1 b2", "y1 y2 y3"], "swap 2"),
        (["g1 g2 g3", "b1 b2", "y1 y2"], "swap 2"),
        (["g1 g2", "b1 b2 b3", "y1 y2"], "swap 1"),
    ],
)
def test_rule_policies_swap_with_the_smallest_hand_next_among_equals(
    policy: str, others: list[str], chosen: str
) -> None:
    game = cardgames.make("uno", players=4, rules="common", overrides=["seven-zero=seven"])
    state = game.position(hands=["r7 r1 r2 r3", *others], top="r5", to_move=0, seed=1)
    state.apply_action(game.parse_action("r7"))
    assert game.action_to_string(cardgames.agent(policy, game, seed=1).act(state.observation()).action) == chosen
