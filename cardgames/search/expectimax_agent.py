"""The agent `expectimax`: expectimax search over a fixed number of own decisions.

Everything between two decisions of the searching player is one chance node. The game's `chance_outcomes` gives the outcomes
of a chance node, its `evaluate_hand` the value of a hand at the leaves. Source: paper 001, section 3.3, with the settings of
section 4.0.1.
"""

import math
import time
from typing import Annotated, Any

import numpy as np

from cardgames.agents.agent import Decision, Limit, check_act_arguments, forced_decision
from cardgames.agents.option_defaults import DerivedDefault
from cardgames.core import ops
from cardgames.core.capabilities import ExpectimaxSupport
from cardgames.core.expectimax import action_values, allocate
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.kernels import rng
from cardgames.search.option_parsing import parse_option
from cardgames.search.proven_moves import Prover
from cardgames.search.report import ActionStatistics, SearchReport
from cardgames.support.errors import InvalidInput, check_integer_in, unknown_name

MAX_DEPTH = 3
"""Largest search depth, in own decisions. Depth 4 would take minutes: each decision multiplies the nodes by hundreds."""
_TOLERANCE = 1e-9
_VALUE_SCALE = 10.0


class ExpectimaxAgent:
    """Agent that takes the action of greatest expectimax value, at random if several have it.

    The `value` of a decision is the logistic function of a tenth of the expectimax value. It lies in [0, 1] and ranks
    positions, but is not a probability of winning.
    """

    def __init__(
        self,
        game: Game,
        support: ExpectimaxSupport,
        seed: int,
        depth: int,
        chain: str,
        weights: dict[str, float],
        *,
        exact: bool = True,
    ):
        self.name = "expectimax"
        self._prover = Prover(game) if exact else None
        self.depth = depth
        self._game, self._seed = game, seed
        self._max_outcomes = support.max_outcomes
        self._chain = np.int64(support.chance_models[chain])
        self._weights = np.array([weights[part] for part in support.evaluation_weights])

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Return the action of greatest expectimax value, at random if several have it; `limit` has no effect.

        In states that the game's chance model does not cover, the game's default policy chooses the action.
        """
        check_act_arguments(self._game, observation, limit)
        stream = rng.decision_stream(self._seed, observation.record.tobytes())
        if (only := forced_decision(observation)) is not None:
            return only
        if self._prover and (proven := self._prover.decision(self.name, observation)) is not None:
            return proven
        started = time.perf_counter()
        values = self.values(observation)
        if not values:  # the game's chance model does not cover this state
            rules, policy = self._game.kernel_rules, self._game.policy(self._game.default_policy)
            action = int(ops.policy(rules, observation.record, *policy, stream))
            return Decision(action, {action: 1.0})
        best_value = max(values.values())
        best_actions = [action for action, value in values.items() if value >= best_value - _TOLERANCE]
        action = best_actions[rng.below(stream, len(best_actions))]
        report = self._report(observation, values, time.perf_counter() - started)
        return Decision(action, dict.fromkeys(best_actions, 1.0 / len(best_actions)), _logistic(best_value), report)

    def _report(self, observation: Observation, values: dict[int, float], seconds: float) -> SearchReport:
        """Return a report with the value of every action, best first; visits are 0, since nothing is simulated."""
        ranked = sorted(values, key=lambda action: -values[action])
        actions = (
            ActionStatistics(
                action, self._game.action_to_string(action, observation), 0, _logistic(values[action]), None
            )
            for action in ranked
        )
        return SearchReport(self.name, observation.player, 0, seconds, tuple(actions))

    def values(self, observation: Observation) -> dict[int, float]:
        """Return the expectimax value of every legal action (action -> value), in units of the game's `evaluate_hand`.

        The result is empty if the game's chance model does not cover the state.
        """
        game, out = self._game, np.zeros(self._game.num_distinct_actions)
        arrays = (*allocate(self.depth, game.state_dtype, self._max_outcomes, game.num_distinct_actions), out)
        n = action_values(game.kernel_rules, observation.record, self._chain, self._weights, *arrays)
        return {action: float(out[i]) for i, action in enumerate(observation.legal_actions[: max(n, 0)])}


def _logistic(value: float) -> float:
    return 0.5 + 0.5 * math.tanh(0.5 * value / _VALUE_SCALE)


def _weight(name: str, value: Any) -> float:
    number = float(parse_option(name, float, value))
    if not math.isfinite(number):
        raise InvalidInput(f"{name} is a finite number, not {value!r}")
    return number


def _first_chance_model(game: Game | type[Game]) -> str:
    return next(iter(game.expectimax.chance_models)) if game.expectimax else ""


def make_expectimax(
    game: Game,
    seed: int,
    depth: Any = 2,
    chain: Annotated[str, DerivedDefault(_first_chance_model)] = "",
    exact: Any = True,
    **weights: Any,
) -> ExpectimaxAgent:
    """Return the agent `expectimax`.

    Args:
        game: A game with `Game.expectimax`.
        seed: Seed of the random choice among equally good actions.
        depth: Number of own decisions that the search looks ahead, 1 to `MAX_DEPTH`.
        chain: Name of one of the game's chance models, by default its first one.
        exact: Whether certain wins decide without a search (`search.proven_moves`).
        weights: Weights of the leaf evaluation by name, where they differ from the game's defaults.

    Raises:
        InvalidInput: If the game does not support expectimax, or an option is unknown or out of range.
    """
    support = game.expectimax
    if support is None:
        raise InvalidInput(f"{game.name} does not support expectimax: it has no chance model")
    chain = chain or _first_chance_model(game)
    if chain not in support.chance_models:
        raise unknown_name("chain", chain, support.chance_models)
    for name in weights:
        if name not in support.evaluation_weights:
            raise unknown_name("weight", name, support.evaluation_weights)
    evaluation_weights = {
        name: _weight(name, weights.get(name, default)) for name, default in support.evaluation_weights.items()
    }
    depth = check_integer_in("depth", parse_option("depth", int, depth), 1, MAX_DEPTH)
    exact = parse_option("exact", bool, exact)
    return ExpectimaxAgent(game, support, seed, depth, chain, evaluation_weights, exact=exact)
