"""Paper 001's expectimax: opponents as a Markov chain, the chance node, the evaluation of a hand, the policy.

The generic recursion is `cardgames.core.expectimax`.
"""

__all__ = ["chance_node", "expectimax_policy", "hand_evaluation", "opponent_replies"]
