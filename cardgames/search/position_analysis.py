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


def make_analyzed_agent(name: str, game: GameDefinition, seed: int, *, all_cards: bool = False) -> Agent:
    """Create the agent `name`, with a seed derived from `seed`, to analyze positions.

    Args:
        name: Name of the agent.
        game: Game of the positions.
        seed: Seed of the analysis.
        all_cards: Whether agents that see all cards are allowed, because all cards of the positions are known.

    Raises:
        InvalidInput: If there is no agent `name`, or it sees all cards and that is not allowed.
    """
    analyzed_agent = agent(name, game, agent_seed(seed))
    if is_cheating(analyzed_agent) and not all_cards:
        raise InvalidInput(f"{name} sees all cards: it needs a record, or a position in which all cards are given")
    return analyzed_agent


def think(agent: Agent, source: Observation | State) -> Decision:
    """Return the decision of `agent` in a position.

    It comes from the agent's method `peek` if it sees all cards, else from `search` if there is one, otherwise from `act`.
    Unlike `act`, `search` runs a search even if only one action is legal.

    Args:
        agent: Agent that decides.
        source: Position; for an agent that sees all cards a state, for others a state or what the seat to move sees of it.

    Raises:
        InvalidInput: If the agent does not decide on a legal action; the message names the agent.
    """
    if is_cheating(agent):
        decision = checked_decision(agent, agent.peek, source)  # type: ignore[attr-defined]
        legal: Sequence[int] = source.legal_actions() if isinstance(source, State) else source.legal_actions
    else:
        observation = source.observation() if isinstance(source, State) else source
        search: Callable[[Observation], Decision] = getattr(agent, "search", agent.act)
        decision, legal = checked_decision(agent, search, observation), observation.legal_actions
    if decision.action not in legal:
        raise InvalidInput(f"agent {agent.name}: {decision.action!r} is not legal now")
    return decision
