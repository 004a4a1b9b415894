"""Construction of a `SearchReport` from the node arrays of a search: root statistics, trees, principal variations."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core.observation import Observation
from cardgames.search.objective import ValueScale
from cardgames.search.report import (
    ActionStatistics,
    ConvergencePoint,
    ForestDetails,
    Node,
    PrincipalVariation,
    SearchReport,
)
from cardgames.search.tree import NO_NODE, add_root_children
from cardgames.support.intervals import standard_error

if TYPE_CHECKING:
    from cardgames.search.mcts.forest_search import Forest
    from cardgames.search.particle_filter import Particles


@dataclass
class ForestArrays:
    """Trees and determinizations of a search, from which its report is built."""

    trees: NDArray[Any]
    """Node records of the trees (`search.tree.NODE` [trees, capacity])."""
    num_nodes: NDArray[np.int64]
    """Number of nodes in use of each tree [trees]."""
    roots: NDArray[Any]
    """Determinizations (states [n]): one per tree, or the pool that all simulations draw from."""
    scale: ValueScale
    """Scale of the values in the trees."""


class _NodeRow(NamedTuple):
    """One node record (`tree.NODE`) as plain Python numbers."""

    total: float
    squares: float
    visits: int
    action: int
    child: int
    sibling: int
    mover: int
    prior: float
    available: int


def _node_rows(tree: Any, num_nodes: int) -> list[_NodeRow]:
    columns = (tree[name][:num_nodes].tolist() for name in _NodeRow._fields)
    return [_NodeRow(*row) for row in zip(*columns, strict=True)]


def _children(rows: list[_NodeRow], node: int) -> list[int]:
    """Return the indices of the children of the node with index `node`, most visited first."""
    children = []
    child = rows[node].child
    while child != NO_NODE:
        children.append(child)
        child = rows[child].sibling
    return sorted(children, key=lambda n: -rows[n].visits)


def _mean(scale: ValueScale, seat: int, total: float, visits: int) -> float | None:
    """Return the mean of `visits` values for `seat`, which sum to `total`, in the unit of `scale`; None without visits."""
    return scale.value(total / visits, seat) if visits else None


def _standard_error_of_mean(scale: ValueScale, seat: int, visits: int, total: float, squares: float) -> float | None:
    """Return the standard error of the mean of `visits` values, given their sum `total` and the sum of their squares.

    It is in the unit of `scale`; None for fewer than two values.
    """
    return scale.error(standard_error(total / visits, squares / visits, visits), seat) if visits > 1 else None


class _RootSums(NamedTuple):
    """Sums of a root action's statistics over all trees, and its greatest prior."""

    visits: int
    total: float
    squares: float
    prior: float


def _root_sums(observation: Observation, trees: Any) -> dict[int, _RootSums]:
    """Return for every legal action of the root the sums of its visits, values and squared values over all `trees`.

    It may be called while the search is running.
    """
    sums = np.zeros((observation.game.num_distinct_actions, len(_RootSums._fields)))
    add_root_children(trees, sums)
    rows = {action: sums[action].tolist() for action in sorted(observation.legal_actions)}
    return {action: _RootSums(int(visits), *rest) for action, (visits, *rest) in rows.items()}


def _merged_statistics(observation: Observation, trees: Any, scale: ValueScale) -> tuple[ActionStatistics, ...]:
    """Return the statistics of the root's actions, summed over all `trees`, most visited action first."""
    text = observation.game.action_to_string
    statistics = [
        ActionStatistics(
            action,
            text(action, observation),
            visits,
            _mean(scale, observation.player, total, visits),
            _standard_error_of_mean(scale, observation.player, visits, total, squares),
            prior or None,
        )
        for action, (visits, total, squares, prior) in _root_sums(observation, trees).items()
    ]
    return tuple(sorted(statistics, key=_visits_then_value))


def _visits_then_value(action: ActionStatistics) -> tuple[int, float, int]:
    return -action.visits, -(action.value or 0.0), action.action


def convergence_point(observation: Observation, forest: "Forest | ForestArrays") -> ConvergencePoint:
    """Return the present statistics of the root's actions in a running search, summed over its trees.

    It is cheap, because it reads only the children of the roots. Call it in the thread that searches, while no kernel runs.
    """
    sums = _root_sums(observation, forest.trees).values()
    return ConvergencePoint(
        simulations=int(forest.trees["visits"][:, 0].sum()),
        visits=tuple(entry.visits for entry in sums),
        values=tuple(_mean(forest.scale, observation.player, entry.total, entry.visits) for entry in sums),
    )


def halving_convergence(convergence: NDArray[Any], scale: ValueScale, player: int) -> list[ConvergencePoint]:
    """Return the convergence points of sequential halving by `player` from its records (ACTION_TOTALS [points, actions])."""
    return [
        ConvergencePoint(
            simulations=int(row["visits"].sum()),
            visits=tuple(row["visits"].tolist()),
            values=tuple(_mean(scale, player, total, visits) for visits, total in row.tolist()),
        )
        for row in convergence
        if row["visits"].any()
    ]


def _build_tree(observation: Observation, rows: list[_NodeRow], scale: ValueScale) -> Node:
    """Return the root of a tree built from its node rows; not recursive, since trees can be deeper than Python's stack."""
    children_of = [_children(rows, index) for index in range(len(rows))]
    parent = {child: index for index, children in enumerate(children_of) for child in children}
    built: dict[int, Node] = {}
    # a child always has a greater index than its parent, so in descending order its children are built before a node
    for index in range(len(rows) - 1, -1, -1):
        visits_above = rows[parent[index]].visits if index else 0
        built[index] = _build_node(
            observation, rows[index], tuple(built[child] for child in children_of[index]), visits_above, scale
        )
    return built[0]


def _build_node(
    observation: Observation, row: _NodeRow, children: tuple[Node, ...], visits_above: int, scale: ValueScale
) -> Node:
    at_root = row.action == NO_NODE
    return Node(
        action=None if at_root else row.action,
        text="" if at_root else _text(observation, row.action, row.mover),
        visits=row.visits,
        value=_mean(scale, row.mover, row.total, row.visits),
        children=children,
        standard_error=_standard_error_of_mean(scale, row.mover, row.visits, row.total, row.squares),
        prior=row.prior or None,
        available=row.available or None,
        share=row.visits / visits_above if visits_above else None,
        seat=row.mover,
    )


def _principal_variation(
    observation: Observation, trees: list[list[_NodeRow]], scale: ValueScale
) -> PrincipalVariation:
    """Return the line that follows at each step the action with most visits, summed over all `trees`.

    It ends where no tree has a further node.
    """
    actions: list[int] = []
    texts: list[str] = []
    mover = observation.player
    frontier = [(rows, 0) for rows in trees]
    while continuations := _continuations(frontier):
        (action, mover), frontier = max(
            continuations.items(), key=lambda step: (_visits_and_total(step[1]), -step[0][0], -step[0][1])
        )
        actions.append(action)
        texts.append(_text(observation, action, mover))
    visits, total = _visits_and_total(frontier)
    return PrincipalVariation(tuple(actions), " ".join(texts), visits, _mean(scale, mover, total, visits))


def _text(observation: Observation, action: int, mover: int) -> str:
    """Return an action of a tree as text; `1:r5` is an action of seat 1, which is not the searching player."""
    text = observation.game.action_to_string(action)
    return text if mover == observation.player else f"{mover}:{text}"


def _visits_and_total(frontier: list[tuple[list[_NodeRow], int]]) -> tuple[int, float]:
    """Return the visits and the total values, each summed over the nodes `frontier`, which lie in several trees."""
    return sum(rows[node].visits for rows, node in frontier), sum(rows[node].total for rows, node in frontier)


def _continuations(
    frontier: list[tuple[list[_NodeRow], int]],
) -> dict[tuple[int, int], list[tuple[list[_NodeRow], int]]]:
    """Return the children of the nodes `frontier` (one per tree), grouped by (action, seat that took it)."""
    continuations: dict[tuple[int, int], list[tuple[list[_NodeRow], int]]] = {}
    for rows, node in frontier:
        for child in _children(rows, node):
            continuations.setdefault((rows[child].action, rows[child].mover), []).append((rows, child))
    return continuations


def _details(observation: Observation, forest: "Forest | ForestArrays") -> ForestDetails:
    trees = [_node_rows(tree, int(num_nodes)) for tree, num_nodes in zip(forest.trees, forest.num_nodes, strict=True)]
    return ForestDetails(
        trees=tuple(
            _merged_statistics(observation, forest.trees[i : i + 1], forest.scale) for i in range(len(forest.trees))
        ),
        roots=tuple(_build_tree(observation, rows, forest.scale) for rows in trees),
        principal_variations=tuple(_principal_variation(observation, [rows], forest.scale) for rows in trees),
        principal_variation=_principal_variation(observation, trees, forest.scale),
        determinizations=tuple(tuple(observation.game.hands_of(root)) for root in forest.roots),
    )


def build_report(
    name: str,
    observation: Observation,
    forest: "Forest | ForestArrays",
    simulations: int,
    seconds: float,
    particles: "Particles | None",
    *,
    complete: bool,
    convergence: Sequence[ConvergencePoint] = (),
) -> SearchReport:
    """Build the `SearchReport` of a finished or running search.

    Args:
        name: Name of the agent.
        observation: Observation from which the agent searched.
        forest: Trees and determinizations of the search.
        simulations: Number of simulations run so far.
        seconds: Duration of the search so far, in seconds.
        particles: Particles of the particle filter, None without one.
        complete: Whether the search is finished; only then does the report give access to the trees.
        convergence: Root statistics recorded during the search.
    """
    game = observation.game
    belief = {}
    if particles is not None:
        others = [seat for seat in range(game.num_players) if seat != observation.player]
        belief = {seat: tuple(particles.belief[seat].tolist()) for seat in others}
    return SearchReport(
        agent=name,
        player=observation.player,
        simulations=simulations,
        seconds=seconds,
        unit=forest.scale.unit,
        actions=_merged_statistics(observation, forest.trees, forest.scale),
        nodes=tuple(int(num_nodes) for num_nodes in forest.num_nodes),
        particles=len(particles.states) if particles is not None else None,
        effective_sample_size=particles.effective_sample_size if particles is not None else None,
        belief=belief,
        card_kinds=tuple(game.belief.card_kinds) if particles is not None else (),
        convergence=tuple(convergence),
        load_details=partial(_details, observation, forest) if complete else ForestDetails,
    )
