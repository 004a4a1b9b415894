"""Report of a search: the statistics, trees and belief behind a decision, as plain data.

Screens, files and debugging tools read searches only through this report.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

from cardgames.agents.agent import Decision

WIN_PROVEN, LOSS_PROVEN = "win", "loss"


@dataclass(frozen=True)
class ActionStatistics:
    """Statistics of one action at the root."""

    action: int
    """Action id."""
    text: str
    """Action as text."""
    visits: int
    """Number of simulations that began with the action."""
    value: float | None
    """Mean value of the simulations that began with the action, in the report's unit; None before the first one.

    For an agent without simulations it is the estimated value of the action. A network's Q is scaled so that 0 is a lost
    and 1 a won round, and may lie outside [0, 1].
    """
    standard_error: float | None
    """Standard error of the mean value, computed as if simulations were independent; None before the second simulation.

    If each tree has one determinization, its simulations share it; with few trees the true error is then two to three times
    as large.
    """
    prior: float | None = None
    """Prior probability of the action; None without a prior, or if the action has no node.

    For a policy network it is the network's probability of the action. In a search with a prior policy it is 3/4 of the
    policy's probability plus 1/4 of the uniform one.
    """
    proven: str | None = None
    """WIN_PROVEN or LOSS_PROVEN if the action wins or loses for certain, None if that is open."""


@dataclass(frozen=True)
class Node:
    """Node of a search tree: the decision reached by `action` from the parent node.

    Depending on the search, only the searching player's decisions are nodes, or those of all players.
    """

    action: int | None
    """Action id; None at the root."""
    text: str
    """Action as text, empty at the root; `1:r5` is an action of seat 1, which is not the searching player."""
    visits: int
    """Number of simulations that passed through the node."""
    value: float | None
    """Mean value, in the report's unit, for the seat that took `action`; at the root for the searching player."""
    children: tuple["Node", ...] = ()
    """Child nodes, most visited first."""
    standard_error: float | None = None
    """Standard error of the node's value; None before the second visit."""
    prior: float | None = None
    """Prior probability of `action`; None in a search without priors."""
    available: int | None = None
    """Number of visits of the parent node in which `action` was legal; None if the search does not count them."""
    share: float | None = None
    """Visits of this node divided by the visits of its parent, in [0, 1]; None at the root."""
    seat: int | None = None
    """Seat that took `action`; at the root the searching player."""


@dataclass(frozen=True)
class ConvergencePoint:
    """Statistics of the root's actions at one moment of a search, summed over all trees.

    Tuples have one entry per legal action, in ascending order of action ids.
    """

    simulations: int
    """Number of simulations finished at this moment of the search."""
    visits: tuple[int, ...]
    """Visits of each legal action at the root."""
    values: tuple[float | None, ...]
    """Mean value of each legal action at the root, in the report's unit; None for an untried action."""


@dataclass(frozen=True)
class PrincipalVariation:
    """Principal variation: the line from the root that follows the most visited action at each node.

    If only the searching player's decisions are nodes of the tree, it has only that player's actions.
    """

    actions: tuple[int, ...]
    """Ids of the actions of the principal variation, from the root on."""
    text: str
    """Actions of the principal variation as text, separated by spaces."""
    visits: int
    """Visits of the last node of the principal variation."""
    value: float | None
    """Value of the last node of the principal variation, in the report's unit, for the seat that took the last action."""


@dataclass(frozen=True)
class ForestDetails:
    """The trees of a finished search, their principal variations and determinizations; empty for a running search."""

    trees: tuple[tuple[ActionStatistics, ...], ...] = ()
    """Statistics of the root's actions in each tree."""
    roots: tuple[Node, ...] = ()
    """Root node of each tree."""
    principal_variations: tuple[PrincipalVariation, ...] = ()
    """Principal variation of each tree."""
    principal_variation: PrincipalVariation | None = None
    """Principal variation of all trees merged: the line of most visits summed over the trees."""
    determinizations: tuple[tuple[str, ...], ...] = ()
    """For each determinization the hands of all seats, as text.

    There is one determinization per tree, or a pool of them that all simulations draw from.
    """


class TreeReport(NamedTuple):
    """One tree of a finished search; a field is None if the search does not report it for each tree."""

    root: Node
    """Root node of the tree."""
    nodes: int | None
    """Number of nodes of the tree."""
    principal_variation: PrincipalVariation | None
    """Principal variation of this tree."""
    determinization: tuple[str, ...] | None
    """Hands of all seats, as text, in the determinization that the tree was grown from."""


@dataclass(frozen=True)
class SearchReport:
    """An agent's evaluation of its legal actions: the result of a finished or running search, or outputs of a network."""

    agent: str
    """Name of the agent."""
    player: int
    """Seat of the searching player."""
    simulations: int
    """Number of simulations, 0 for an agent without simulations."""
    seconds: float
    """Duration of the search in seconds, so far if it is running."""
    actions: tuple[ActionStatistics, ...]
    """Statistics of the root's actions, summed over all trees; most visited first, or best first without visits."""
    nodes: tuple[int, ...] = ()
    """Number of nodes of each tree."""
    particles: int | None = None
    """Number of particles, None without a particle filter."""
    effective_sample_size: float | None = None
    """(sum w)^2 / sum w^2 of the particles' weights w after the last event that changed a weight, before resampling."""
    belief: dict[int, tuple[float, ...]] = field(default_factory=dict)
    """Seat of each other player -> expected number of cards of each kind in its hand, in the order of `card_kinds`.

    Empty without a particle filter.
    """
    card_kinds: tuple[str, ...] = ()
    """Names of the kinds of cards (54 in Uno, see `uno.cards.KIND_OF_CARD`); empty without a particle filter."""
    convergence: tuple[ConvergencePoint, ...] = ()
    """Statistics of the root's actions at successive moments of the search, oldest first; empty if none were recorded."""
    load_details: Callable[[], ForestDetails] = field(default=ForestDetails, repr=False, compare=False)
    """Function that builds `details` from the arrays of the search.

    It is called when `details` is first used, because it can take longer than the search itself.
    """
    unit: str = "win"
    """Unit of all values: `win`, the probability of winning in [0, 1], or `points`, the mean payoff of the round."""

    @property
    def visited(self) -> bool:
        """True if some action was simulated; networks and `expectimax` evaluate actions without simulations."""
        return any(action.visits for action in self.actions)

    @property
    def has_priors(self) -> bool:
        """True if some action has a prior probability."""
        return any(action.prior is not None for action in self.actions)

    @cached_property
    def details(self) -> ForestDetails:
        """Trees, principal variations and determinizations of the search; empty in a report of a running search."""
        return self.load_details()

    @property
    def trees(self) -> tuple[tuple[ActionStatistics, ...], ...]:
        """Statistics of the root's actions in each tree."""
        return self.details.trees

    @property
    def roots(self) -> tuple[Node, ...]:
        """Root node of each tree."""
        return self.details.roots

    @property
    def principal_variations(self) -> tuple[PrincipalVariation, ...]:
        """Principal variation of each tree."""
        return self.details.principal_variations

    @property
    def principal_variation(self) -> PrincipalVariation | None:
        """Principal variation of all trees merged; None in a report of a running search."""
        return self.details.principal_variation

    @property
    def determinizations(self) -> tuple[tuple[str, ...], ...]:
        """For each determinization the hands of all seats, as text."""
        return self.details.determinizations

    @property
    def tree_reports(self) -> list[TreeReport]:
        """One `TreeReport` per tree (root node, size, principal variation, determinization); empty for a running search."""
        n = len(self.roots)
        columns = (
            part if len(part) == n else (None,) * n
            for part in (self.nodes, self.principal_variations, self.determinizations)
        )
        return [TreeReport(*parts) for parts in zip(self.roots, *columns, strict=True)]

    @property
    def best(self) -> ActionStatistics:
        """Most visited action, which most searches choose; ties go to the greater value, then to the lower id."""
        return max(self.actions, key=lambda a: (a.visits, a.value or 0.0, -a.action))

    def convergence_of(self, action: int) -> tuple[tuple[int, ...], tuple[float | None, ...]]:
        """Return the visits and the mean values of the root action `action` at every point of `convergence`.

        Raises:
            ValueError: If `action` is not one of the root's actions.
        """
        index = sorted(a.action for a in self.actions).index(action)
        points = self.convergence
        return tuple(point.visits[index] for point in points), tuple(point.values[index] for point in points)

    def pruned(self, depth: int) -> "SearchReport":
        """Return a copy of the report with its trees cut to `depth` decisions below their roots."""
        details = self.details
        return replace(
            self, load_details=lambda: replace(details, roots=tuple(_prune(r, depth) for r in details.roots))
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON-serializable data.

        Call `pruned` first if the trees have some hundred levels: this method is recursive.
        """
        plain = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "load_details"}
        for name in ("actions", "convergence"):
            plain[name] = [asdict(entry) for entry in plain[name]]
        return plain | asdict(self.details)


def _prune(node: Node, depth: int) -> Node:
    return replace(node, children=tuple(_prune(child, depth - 1) for child in node.children) if depth > 0 else ())


def visit_shares(actions: Sequence[ActionStatistics]) -> dict[int, float]:
    """Return for each action id the action's visits divided by those of all `actions`, in [0, 1]."""
    total = sum(a.visits for a in actions) or 1
    return {a.action: a.visits / total for a in actions}


def decision_from_report(report: SearchReport, chosen: int | None = None) -> Decision:
    """Return the decision for a finished search: the action `chosen` if it is not None, else the most visited one."""
    entry = next((entry for entry in report.actions if entry.action == chosen), report.best)
    return Decision(entry.action, visit_shares(report.actions), entry.value, report, report.unit)
