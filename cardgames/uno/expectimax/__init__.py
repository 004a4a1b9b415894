"""Paper 001's expectimax for Uno: chance nodes with opponents as a Markov chain, evaluation of a hand, the policy.

The recursion itself, for any game, is `cardgames.core.expectimax`.
"""

__all__ = ["chance_outcomes", "expectimax_policy", "hand_evaluation", "opponent_replies"]
