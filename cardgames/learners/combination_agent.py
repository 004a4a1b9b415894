"""The agent that follows networks which judge what to split a hand into, then which group of that to play."""

from cardgames.core.observation import Observation
from cardgames.doudizhu.hands.decomposition import NO_GROUP
from cardgames.doudizhu.policies.compiled_policies import greedy_combination_move, new_combination_outputs
from cardgames.doudizhu.state import PLAY
from cardgames.learners.network_agents import ChoiceAgent
from cardgames.learners.networks.losses import Floats


class CombinationAgent(ChoiceAgent):
    """Plays the best move of the best decomposition, and says what the networks make of the moves that leaves."""

    def _score_actions(self, observation: Observation) -> tuple[list[int], Floats, float | None] | None:
        """Return the moves of the best decomposition with their Q, and the greatest of these; None before the play."""
        if observation.record.phase != PLAY:
            return None
        _, moves, q = judgement = new_combination_outputs()
        greedy_combination_move(self._game.kernel_rules, observation.record, self.policy.weights, *judgement)
        scored_actions = moves[moves != NO_GROUP].tolist()
        of_moves = q[1 : len(scored_actions) + 1]
        return scored_actions, of_moves, self._win_probability(float(of_moves.max()))
