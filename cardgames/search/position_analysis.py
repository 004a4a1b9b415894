"""Analysis of one position by one agent: its decision and search report, and their conversion to plain data."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cardgames.agents.agent import Agent, Decision, checked_decision, is_cheating
from cardgames.agents.agent_factory import agent, agent_seed
from cardgames.core.game_definition import GameDefinition
from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.search.report import SearchReport
from cardgames.support.errors import InvalidInput


@dataclass(frozen=True)
class Analysis:
    """An agent's decision in a position."""

    agent: str
    """Name of the agent as requested, with its options."""
    seed: int
    """Seed of the analysis, from which the seed of the agent is derived."""
    ply: int
    """Number of decisions taken earlier in the round."""
    state: State
    """Position in which the agent decided."""
    decision: Decision
    """Decision of the agent."""

    @property
    def report(self) -> SearchReport | None:
        """Search report of the decision; None if the agent does not search."""
        report = self.decision.report
        return report if isinstance(report, SearchReport) else None

    @property
    def best(self) -> str:
        """Text of the action that the agent chose."""
        return self.state.action_to_string(self.decision.action)

    def pruned(self, depth: int) -> "Analysis":
        """Return a copy of the analysis with the search trees of its report cut to `depth` decisions below their roots."""
        report = self.report
        return self if report is None else replace(self, decision=replace(self.decision, report=report.pruned(depth)))

    def to_dict(self, depth: int) -> dict[str, Any]:
        """Return position, decision and search report as JSON-serializable data, with trees cut to `depth` decisions."""
        state = self.state
        return {
            "game": state.game.name,
            "rules": state.game.rules.name_and_hash(),
            "seed": self.seed,
            "ply": self.ply,
            "position": state.to_dict(),
            "observation": state.observation().to_dict(),
            **self.decision_dict(depth),
        }

    def decision_dict(self, depth: int) -> dict[str, Any]:
        """Return the agent's decision and search report, without the position, as JSON-serializable data.

        Search trees are cut to `depth` decisions below their roots.
        """
        decision = self.decision
        report = self.report or SearchReport(self.agent, self.state.current_player(), 0, 0.0, ())
        return {
            "best": self.best,
            "value": decision.value,
            "policy": {self.state.action_to_string(action): share for action, share in decision.policy.items()},
            **report.pruned(depth).to_dict(),
            "agent": self.agent,
        }


def comparison(analyses: Sequence[Analysis], depth: int) -> dict[str, Any]:
    """Return one or two agents' analyses of the same position as JSON-serializable data.

    The decision and search report of the second agent are under the key `against`. Search trees are cut to `depth`
    decisions below their roots.
    """
    first, *others = analyses
    data = first.to_dict(depth)
    return data | {"against": others[0].decision_dict(depth)} if others else data


def make_analyzed_agent(name: str, game: GameDefinition, seed: int) -> Agent:
    """Create the agent `name`, with a seed derived from `seed`, to analyze positions.

    Raises:
        InvalidInput: If there is no agent `name`, or it sees all cards.
    """
    analyzed_agent = agent(name, game, agent_seed(seed))
    if is_cheating(analyzed_agent):
        raise InvalidInput(f"{name} sees all cards: such agents cannot be analyzed here")
    return analyzed_agent


def think(agent: Agent, observation: Observation) -> Decision:
    """Return the decision of `agent` in the position that `observation` shows.

    It comes from the agent's method `search` if there is one, otherwise from `act`. Unlike `act`, `search` runs a search
    even if only one action is legal.

    Raises:
        InvalidInput: If the agent does not decide on a legal action; the message names the agent.
    """
    search: Callable[[Observation], Decision] = getattr(agent, "search", agent.act)
    decision = checked_decision(agent, search, observation)
    if decision.action not in observation.legal_actions:
        raise InvalidInput(f"agent {agent.name}: {decision.action!r} is not legal now")
    return decision
