"""Dou Di Zhu agent of combinational Q-learning: networks rate decompositions of a hand, then the moves of the best one."""

from cardgames.core.observation import Observation
from cardgames.doudizhu.hands.decomposition import NO_GROUP
from cardgames.doudizhu.policies.compiled_policies import greedy_combination_move, new_combination_outputs
from cardgames.doudizhu.state import PLAY
from cardgames.learners.network_agents import ChoiceAgent
from cardgames.learners.networks.losses import Floats


class CombinationAgent(ChoiceAgent):
    """Agent that plays the best move of the best decomposition, and reports Q of all moves in that decomposition."""

    def _score_actions(self, observation: Observation) -> tuple[list[int], Floats, float | None] | None:
        """Return the moves of the best decomposition, their Q, and the value of the best; None during the auction."""
        if observation.record.phase != PLAY:
            return None
        _, moves, q = outputs = new_combination_outputs()
        greedy_combination_move(self._game.kernel_rules, observation.record, self.policy.weights, *outputs)
        scored_actions = moves[moves != NO_GROUP].tolist()
        move_values = q[1 : len(scored_actions) + 1]
        return scored_actions, move_values, self._win_probability(float(move_values.max()))
