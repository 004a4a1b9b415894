"""The agent `expectimax`: a fixed number of its own decisions looked ahead, everything between two of them one chance node.

Source: paper 001, section 3.3 and its setting in 4.0.1. What a chance node holds is the game's verb `round_outcomes`;
what a hand is worth its verb `appraise`.
"""

import math
import time
from typing import Any

import numpy as np

from cardgames.core import ops, rng
from cardgames.core.decision import Decision, Limit, check_asked, forced
from cardgames.core.errors import InvalidInput, unknown, within
from cardgames.core.game import Game
from cardgames.core.lookahead import action_values, room
from cardgames.core.observation import Observation
from cardgames.search.options import parse_option
from cardgames.search.report import ActionStatistics, SearchReport

MOST_DEPTH = 3
"""A fourth decision of his own would take minutes: each multiplies the nodes by some hundreds."""
_SAME = 1e-9
_SCALE = 10.0


class ExpectimaxAgent:
    """Takes the action of greatest expected worth; of equals, any.

    A decision's `value` is the logistic of a tenth of that worth: it lies in [0, 1] and orders positions, but is no
    chance of winning.
    """

    def __init__(self, name: str, game: Game, seed: int, depth: int, chain: str, weights: dict[str, float]):
        self.name = name
        self.depth = depth
        self._game, self._seed = game, seed
        self._chain = np.int64(game.chains[chain])
        self._weights = np.array([weights[part] for part in game.appraisal])

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Decide; `limit` does not matter."""
        check_asked(self._game, observation, limit)
        stream = rng.stream_of(self._seed, observation.record.tobytes())
        if (only := forced(observation)) is not None:
            return only
        started = time.perf_counter()
        values = self.values(observation)
        if not values:  # the game's model has no answer
            rules, policy = self._game.kernel_rules, self._game.policy(self._game.pacemaker)
            action = int(ops.policy(rules, observation.record, *policy, stream))
            return Decision(action, {action: 1.0})
        top = max(values.values())
        best = [action for action, value in values.items() if value >= top - _SAME]
        action = best[rng.below(stream, len(best))]
        report = self._report(observation, values, time.perf_counter() - started)
        return Decision(action, dict.fromkeys(best, 1.0 / len(best)), _squashed(top), report)

    def _report(self, observation: Observation, values: dict[int, float], seconds: float) -> SearchReport:
        """Return the worth of every action, best first; nothing is visited at random, so there are no simulations."""
        ranked = sorted(values, key=lambda action: -values[action])
        actions = (
            ActionStatistics(
                action, self._game.action_to_string(action, observation), 0, _squashed(values[action]), None
            )
            for action in ranked
        )
        return SearchReport(self.name, observation.player, 0, seconds, tuple(actions))

    def values(self, observation: Observation) -> dict[int, float]:
        """Return the expectimax value of every legal action, in the units of the game's `appraise`; empty where its
        model has no answer.
        """
        game, out = self._game, np.zeros(self._game.num_distinct_actions)
        arrays = (*room(self.depth, game.state_dtype, game.most_outcomes, game.num_distinct_actions), out)
        n = action_values(game.kernel_rules, observation.record, self._chain, self._weights, *arrays)
        return {action: float(out[i]) for i, action in enumerate(observation.legal_actions[: max(n, 0)])}


def _squashed(value: float) -> float:
    return 0.5 + 0.5 * math.tanh(0.5 * value / _SCALE)


def _weight(name: str, value: Any) -> float:
    number = float(parse_option(name, float, value))
    if not math.isfinite(number):
        raise InvalidInput(f"{name} is a finite number, not {value!r}")
    return number


def make_expectimax(game: Game, seed: int, depth: Any = 2, chain: str = "", **weights: Any) -> ExpectimaxAgent:
    """Return the agent `expectimax`; `chain` names one of `game.chains` (the first by default), `weights` those of
    `game.appraisal` that differ from their defaults. Raises `InvalidInput`.
    """
    if not game.chains:
        raise InvalidInput(f"{game.name} has no chance nodes for expectimax")
    chain = chain or next(iter(game.chains))
    if chain not in game.chains:
        raise unknown("chain", chain, game.chains)
    for name in weights:
        if name not in game.appraisal:
            raise unknown("weight", name, game.appraisal)
    chosen = {name: _weight(name, weights.get(name, default)) for name, default in game.appraisal.items()}
    depth = within("depth", parse_option("depth", int, depth), 1, MOST_DEPTH)
    return ExpectimaxAgent("expectimax", game, seed, depth, chain, chosen)
