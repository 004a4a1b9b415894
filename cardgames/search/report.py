"""What an agent has to say of its decision: plain data, the only source of every screen, file and debugging tool."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

from cardgames.agents.agent import Decision


@dataclass(frozen=True)
class ActionStatistics:
    """One action at the root."""

    action: int
    text: str
    visits: int
    value: float | None
    """Mean value in [0, 1] of the simulations that began with it, None before the first; for an agent without simulations
    what it takes the action to be worth: a network's Q, 0 for a lost and 1 for a won round, may lie beyond both."""
    standard_error: float | None
    """Of that mean, each simulation counted as independent; None before the second one. Where trees have a
    determinization each, their simulations share it, and with few trees the true error is two to three times this."""
    prior: float | None = None
    """Probability that the agent's policy network gives it; of a search that listens to a prior, the probability that has
    it mixed with a quarter of an even one, None for what has no node. None without either.
    """


@dataclass(frozen=True)
class Node:
    """A node of a search tree: a decision reached by `action` from its parent's, of the searching player or, where the nodes
    are all players', of anybody.
    """

    action: int | None
    """None at the root."""
    text: str
    """The action's; `1:r5` if it is one of seat 1, which is not the searching player."""
    visits: int
    value: float | None
    """In [0, 1], for the seat that took `action`; at the root for the searching player."""
    children: tuple["Node", ...] = ()
    """Most visited first."""
    standard_error: float | None = None
    """Of the value; None before the second visit."""
    prior: float | None = None
    """Probability the search gave the action beforehand; None if it uses none."""
    available: int | None = None
    """How often the action was legal when its parent was visited; None if the search does not count that."""
    share: float | None = None
    """Part of the parent's visits, in [0, 1]; None at the root."""
    seat: int | None = None
    """Who took `action`; at the root the searching player."""


@dataclass(frozen=True)
class ConvergencePoint:
    """The root at one moment of a search, all trees merged; one entry an action, in ascending order of action ids."""

    simulations: int
    """Finished by then."""
    visits: tuple[int, ...]
    values: tuple[float | None, ...]
    """Mean values in [0, 1]; None for an action not yet tried."""


@dataclass(frozen=True)
class PrincipalVariation:
    """A principal line: from the root always on to the most visited action; the searching player's own ones alone, unless
    the nodes are all players'.
    """

    actions: tuple[int, ...]
    text: str
    visits: int
    """Of its end."""
    value: float | None
    """In [0, 1], for the seat that took the last action."""


@dataclass(frozen=True)
class ForestDetails:
    """The trees of a finished search, one entry a tree."""

    trees: tuple[tuple[ActionStatistics, ...], ...] = ()
    """The root's actions in each tree alone."""
    roots: tuple[Node, ...] = ()
    """The trees themselves."""
    principal_variations: tuple[PrincipalVariation, ...] = ()
    """The principal line of each tree."""
    principal_variation: PrincipalVariation | None = None
    """The principal line of all trees merged."""
    determinizations: tuple[tuple[str, ...], ...] = ()
    """The hands each tree was searched with, as text, one a seat; or, without one a tree, all that simulations drew
    from.
    """


class TreeReport(NamedTuple):
    """One tree of a search, as far as it tells: what it does not tell of each tree is None."""

    root: Node
    nodes: int | None
    """How many it has."""
    principal_variation: PrincipalVariation | None
    """Its principal line."""
    determinization: tuple[str, ...] | None
    """The hands it was searched with, as text, one a seat."""


@dataclass(frozen=True)
class SearchReport:
    """What an agent makes of its actions: a search's trees and belief, finished or under way, or a network's outputs."""

    agent: str
    player: int
    simulations: int
    seconds: float
    actions: tuple[ActionStatistics, ...]
    """All trees merged by visits; most visited first, or best first where nothing is visited."""
    nodes: tuple[int, ...] = ()
    """The number of nodes of each tree."""
    particles: int | None = None
    effective_sample_size: float | None = None
    """(sum w)^2 / sum w^2 after the last event that changed a weight, before resampling."""
    belief: dict[int, tuple[float, ...]] = field(default_factory=dict)
    """Opponent's seat -> expected number of cards of each kind in that hand (for Uno 54 kinds, see
    `uno.cards.KIND_OF_CARD`)."""
    card_kinds: tuple[str, ...] = ()
    """The kinds' names, in the order of `belief`."""
    convergence: tuple[ConvergencePoint, ...] = ()
    """The course of the search, oldest point first; empty if the agent keeps none."""
    load_details: Callable[[], ForestDetails] = field(default=ForestDetails, repr=False, compare=False)
    """Reads the trees out of the search's arrays: that takes longer than the search, so it waits until somebody asks."""

    @property
    def visited(self) -> bool:
        """Whether some action was simulated; networks and `expectimax` judge without."""
        return any(action.visits for action in self.actions)

    @property
    def has_priors(self) -> bool:
        """Whether a policy network, or a search's prior, tells probabilities."""
        return any(action.prior is not None for action in self.actions)

    @cached_property
    def details(self) -> ForestDetails:
        """The trees; empty in a snapshot of a search under way."""
        return self.load_details()

    @property
    def trees(self) -> tuple[tuple[ActionStatistics, ...], ...]:
        """The root's actions in each tree alone."""
        return self.details.trees

    @property
    def roots(self) -> tuple[Node, ...]:
        """The trees themselves."""
        return self.details.roots

    @property
    def principal_variations(self) -> tuple[PrincipalVariation, ...]:
        """The principal line of each tree."""
        return self.details.principal_variations

    @property
    def principal_variation(self) -> PrincipalVariation | None:
        """The principal line of all trees merged; None in a snapshot."""
        return self.details.principal_variation

    @property
    def determinizations(self) -> tuple[tuple[str, ...], ...]:
        """The hands each tree was searched with, as text, one a seat."""
        return self.details.determinizations

    @property
    def tree_reports(self) -> list[TreeReport]:
        """What is told of each tree of a finished search."""
        n = len(self.roots)
        columns = (
            part if len(part) == n else (None,) * n
            for part in (self.nodes, self.principal_variations, self.determinizations)
        )
        return [TreeReport(*parts) for parts in zip(self.roots, *columns, strict=True)]

    @property
    def best(self) -> ActionStatistics:
        """The action visited most, which most searches decide on; of equals that of greater value, then of lower id."""
        return max(self.actions, key=lambda a: (a.visits, a.value or 0.0, -a.action))

    def convergence_of(self, action: int) -> tuple[tuple[int, ...], tuple[float | None, ...]]:
        """Return the visits and the values of one of the root's actions at every point of `convergence`.

        Raises `ValueError` for an action the root does not have.
        """
        index = sorted(a.action for a in self.actions).index(action)
        points = self.convergence
        return tuple(point.visits[index] for point in points), tuple(point.values[index] for point in points)

    def pruned(self, depth: int) -> "SearchReport":
        """Return the same report with trees of at most `depth` decisions below the root."""
        details = self.details
        return replace(
            self, load_details=lambda: replace(details, roots=tuple(_prune(r, depth) for r in details.roots))
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data that `json.dumps` takes; trees of some hundred levels are to be `pruned` before."""
        plain = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "load_details"}
        for name in ("actions", "convergence"):
            plain[name] = [asdict(entry) for entry in plain[name]]
        return plain | asdict(self.details)


def _prune(node: Node, depth: int) -> Node:
    return replace(node, children=tuple(_prune(child, depth - 1) for child in node.children) if depth > 0 else ())


def visit_shares(actions: Sequence[ActionStatistics]) -> dict[int, float]:
    """Return each action's share of the visits."""
    total = sum(a.visits for a in actions) or 1
    return {a.action: a.visits / total for a in actions}


def decision_from_report(report: SearchReport, chosen: int | None = None) -> Decision:
    """Return the decision of a search: the action it has `chosen`, else the one with the most visits."""
    entry = next((entry for entry in report.actions if entry.action == chosen), report.best)
    return Decision(entry.action, visit_shares(report.actions), entry.value, report)
