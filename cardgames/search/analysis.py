"""What an agent thought in a position: its decision and all that belongs to it, as plain data."""

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
    """A decision and the position it was taken in."""

    agent: str
    """As it was named, options included."""
    seed: int
    """From which the agent's is drawn."""
    ply: int
    """Decisions taken before."""
    state: State
    decision: Decision

    @property
    def report(self) -> SearchReport | None:
        """What the agent says of its decision, None if it keeps no report."""
        report = self.decision.report
        return report if isinstance(report, SearchReport) else None

    @property
    def best(self) -> str:
        """The action decided on, as text."""
        return self.state.action_to_string(self.decision.action)

    def pruned(self, depth: int) -> "Analysis":
        """Return the same thought with trees of at most `depth` decisions below their roots."""
        report = self.report
        return self if report is None else replace(self, decision=replace(self.decision, report=report.pruned(depth)))

    def to_dict(self, depth: int) -> dict[str, Any]:
        """Return position and opinion as plain data that `json.dumps` takes, trees down to `depth` decisions."""
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
        """Return the part of `to_dict` that another agent would fill differently."""
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
    """Return what one agent, or two, thought in the same position; the second one's opinion is under `against`."""
    first, *others = analyses
    plain = first.to_dict(depth)
    return plain | {"against": others[0].decision_dict(depth)} if others else plain


def make_analyzed_agent(name: str, game: GameDefinition, seed: int) -> Agent:
    """Return an agent to be looked at. Raises `InvalidInput`, also for one that has to be shown all cards."""
    analyzed_agent = agent(name, game, agent_seed(seed))
    if is_cheating(analyzed_agent):
        raise InvalidInput(f"{name} sees all cards: it cannot be looked at here")
    return analyzed_agent


def think(agent: Agent, observation: Observation) -> Decision:
    """Let the agent decide; one that can search where the move is forced does so. Raises `InvalidInput` naming one that
    decides on anything else than a legal action.
    """
    search: Callable[[Observation], Decision] = getattr(agent, "search", agent.act)
    decision = checked_decision(agent, search, observation)
    if decision.action not in observation.legal_actions:
        raise InvalidInput(f"agent {agent.name}: {decision.action!r} is not legal now")
    return decision
