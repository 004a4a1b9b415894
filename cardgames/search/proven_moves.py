"""Decisions that need no simulations: wins that are certain, and values that the game has fitted."""

import time

import numpy as np

from cardgames.agents.agent import Decision
from cardgames.core import ops
from cardgames.core.game import check_is_game
from cardgames.core.observation import Observation
from cardgames.search.report import WIN_PROVEN, ActionStatistics, SearchReport


def proven_decision(name: str, observation: Observation) -> Decision | None:
    """Return the first action of a win that is certain whatever the others hold and do, None if none is found.

    Args:
        name: Name of the agent, for the report.
        observation: Observation of the player to move.
    """
    started = time.perf_counter()
    line = check_is_game(observation.game).certain_win(observation)
    if not line:
        return None
    return _decision(name, observation, {line[0]: 1.0}, "win", time.perf_counter() - started, proven=WIN_PROVEN)


def fitted_decision(name: str, observation: Observation) -> Decision | None:
    """Return the action of greatest expected payoff by the game's fitted model (verb `estimate_payoffs`).

    None in positions without such a model. Arguments as for `proven_decision`.
    """
    started, game = time.perf_counter(), observation.game
    payoffs = np.empty(len(observation.legal_actions))
    actions = np.array(observation.legal_actions, np.int32)
    if not ops.estimate_payoffs(game.kernel_rules, observation.record, actions, payoffs):
        return None
    low, high = ops.stakes(game.kernel_rules, observation.record, observation.player)
    unit = "points" if game.pays_points else "win"
    values = payoffs if game.pays_points else np.clip((payoffs - low) / (high - low), 0.0, 1.0)
    by_action = dict(zip(observation.legal_actions, values.tolist(), strict=True))
    return _decision(name, observation, by_action, unit, time.perf_counter() - started)


def known_decision(name: str, observation: Observation) -> Decision | None:
    """Return a decision that is proven, or best by fitted values; None if there is neither. Arguments as above."""
    return proven_decision(name, observation) or fitted_decision(name, observation)


def _decision(
    name: str,
    observation: Observation,
    values: dict[int, float],
    unit: str,
    seconds: float,
    proven: str | None = None,
) -> Decision:
    """Return the decision for the action of greatest value, with a report of all actions, best first."""
    text = observation.game.action_to_string
    ranked = sorted(observation.legal_actions, key=lambda action: (-values.get(action, -np.inf), action))
    rows = tuple(
        ActionStatistics(
            action, text(action, observation), 0, values.get(action), None, proven=proven if action in values else None
        )
        for action in ranked
    )
    report = SearchReport(name, observation.player, 0, seconds, rows, unit=unit)
    return Decision(ranked[0], {ranked[0]: 1.0}, values[ranked[0]], report, unit)
