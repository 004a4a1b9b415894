"""Dou Di Zhu agent that plays by networks trained with combinational Q-learning (paper 004).

One network rates decompositions of the hand into groups of cards, another the moves in the best decomposition.
"""

from cardgames.core.observation import Observation
from cardgames.doudizhu.hands.decomposition import NO_GROUP
from cardgames.doudizhu.policies.compiled_policies import greedy_combination_move, new_combination_outputs
from cardgames.doudizhu.state import PLAY
from cardgames.learners.network_agents import ChoiceAgent
from cardgames.learners.networks.losses import Floats


class CombinationAgent(ChoiceAgent):
    """Agent that plays the move of greatest Q in the best decomposition of the hand; reports Q of all moves in it."""

    def _score_actions(self, observation: Observation) -> tuple[list[int], Floats, float | None] | None:
        """Return the legal moves in the best decomposition of the hand, their Q, and the greatest Q scaled to [0, 1].

        Return None during the auction, which the networks do not decide.
        """
        if observation.record.phase != PLAY:
            return None
        _, moves, q = outputs = new_combination_outputs()
        greedy_combination_move(self._game.kernel_rules, observation.record, self.policy.weights, *outputs)
        scored_actions = moves[moves != NO_GROUP].tolist()
        move_values = q[1 : len(scored_actions) + 1]
        return scored_actions, move_values, self._win_probability(float(move_values.max()))
