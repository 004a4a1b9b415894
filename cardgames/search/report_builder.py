"""Reading a search's arrays into a `SearchReport`."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core.observation import Observation
from cardgames.search.report import ActionStatistics, ConvergencePoint, ForestDetails, Line, Node, SearchReport
from cardgames.search.tree import NO_NODE, add_root_children
from cardgames.support.intervals import standard_error

if TYPE_CHECKING:
    from cardgames.search.mcts.forest import Forest
    from cardgames.search.particle_filter import Particles


@dataclass
class Trees:
    """The part of a search that its report is read from."""

    trees: NDArray[Any]
    """NODE [trees, capacity]."""
    used: NDArray[np.int64]
    """[trees] how many nodes each has."""
    roots: NDArray[Any]
    """[n] the determinizations, one a tree, or all that simulations drew from."""


class _Row(NamedTuple):
    """One node record as plain numbers, by the names of `tree.NODE`."""

    total: float
    squares: float
    visits: int
    action: int
    child: int
    sibling: int
    mover: int
    prior: float
    available: int


def _rows(tree: Any, used: int) -> list[_Row]:
    columns = (tree[name][:used].tolist() for name in _Row._fields)
    return [_Row(*row) for row in zip(*columns, strict=True)]


def _children(rows: list[_Row], node: int) -> list[int]:
    """Return a node's children, most visited first."""
    found = []
    child = rows[node].child
    while child != NO_NODE:
        found.append(child)
        child = rows[child].sibling
    return sorted(found, key=lambda n: -rows[n].visits)


def _mean(total: float, visits: int) -> float | None:
    return total / visits if visits else None


def _error(visits: int, total: float, squares: float) -> float | None:
    """Return the standard error of a mean of `visits` numbers with this sum and this sum of squares."""
    return standard_error(total / visits, squares / visits, visits) if visits > 1 else None


class _Sums(NamedTuple):
    """What all trees together hold of an action at the root."""

    visits: int
    total: float
    squares: float
    prior: float


def _sums(observation: Observation, trees: Any) -> dict[int, _Sums]:
    """Return the sums of every legal action over all `trees`; a search may be adding to them meanwhile."""
    sums = np.zeros((observation.game.num_distinct_actions, len(_Sums._fields)))
    add_root_children(trees, sums)
    rows = {action: sums[action].tolist() for action in sorted(observation.legal_actions)}
    return {action: _Sums(int(visits), *rest) for action, (visits, *rest) in rows.items()}


def _merged(observation: Observation, trees: Any) -> tuple[ActionStatistics, ...]:
    """Return the statistics of the root's actions over all `trees`; most visited first."""
    text = observation.game.action_to_string
    found = [
        ActionStatistics(
            action,
            text(action, observation),
            visits,
            _mean(total, visits),
            _error(visits, total, squares),
            prior or None,
        )
        for action, (visits, total, squares, prior) in _sums(observation, trees).items()
    ]
    return tuple(sorted(found, key=lambda a: (-a.visits, -(a.value or 0.0), a.action)))


def convergence_point(observation: Observation, forest: "Forest | Trees") -> ConvergencePoint:
    """Return where a search stands: cheap, as it reads the children of the roots and no other nodes.

    It belongs into the thread that searches, between two slices; `simulations` are the visits of the roots.
    """
    sums = _sums(observation, forest.trees).values()
    return ConvergencePoint(
        simulations=int(forest.trees["visits"][:, 0].sum()),
        visits=tuple(found.visits for found in sums),
        values=tuple(_mean(found.total, found.visits) for found in sums),
    )


def flat_points(course: NDArray[Any]) -> list[ConvergencePoint]:
    """Return where sequential halving stood at every point of its course (`halving.COURSE` [points, actions])."""
    return [
        ConvergencePoint(
            simulations=int(row["visits"].sum()),
            visits=tuple(row["visits"].tolist()),
            values=tuple(_mean(total, visits) for visits, total in row.tolist()),
        )
        for row in course
        if row["visits"].any()
    ]


def _root(observation: Observation, rows: list[_Row]) -> Node:
    """Return a whole tree; without recursion, for trees can be deeper than Python's stack allows."""
    below = [_children(rows, at) for at in range(len(rows))]
    parent = {child: at for at, children in enumerate(below) for child in children}
    built: dict[int, Node] = {}
    # a child is always made after its parent, so backwards every node finds its children built
    for at in range(len(rows) - 1, -1, -1):
        visits_above = rows[parent[at]].visits if at else 0
        built[at] = _node(observation, rows[at], tuple(built[child] for child in below[at]), visits_above)
    return built[0]


def _node(observation: Observation, row: _Row, children: tuple[Node, ...], visits_above: int) -> Node:
    at_root = row.action == NO_NODE
    return Node(
        action=None if at_root else row.action,
        text="" if at_root else _text(observation, row.action, row.mover),
        visits=row.visits,
        value=_mean(row.total, row.visits),
        children=children,
        standard_error=_error(row.visits, row.total, row.squares),
        prior=row.prior or None,
        available=row.available or None,
        share=row.visits / visits_above if visits_above else None,
        seat=row.mover,
    )


def _line(observation: Observation, trees: list[list[_Row]]) -> Line:
    """Return the line that is visited most in all `trees` together; it ends where none of them goes on."""
    actions: list[int] = []
    texts: list[str] = []
    reached = [(rows, 0) for rows in trees]
    while steps := _steps(reached):
        (action, mover), reached = max(steps.items(), key=lambda step: (_weight(step[1]), -step[0][0], -step[0][1]))
        actions.append(action)
        texts.append(_text(observation, action, mover))
    visits, total = _weight(reached)
    return Line(tuple(actions), " ".join(texts), visits, _mean(total, visits))


def _text(observation: Observation, action: int, mover: int) -> str:
    """Return an action of a tree as text; `1:r5` is one of seat 1, which is not the searching player."""
    text = observation.game.action_to_string(action)
    return text if mover == observation.player else f"{mover}:{text}"


def _weight(reached: list[tuple[list[_Row], int]]) -> tuple[int, float]:
    """Return the visits of nodes in several trees, and their total value."""
    return sum(rows[at].visits for rows, at in reached), sum(rows[at].total for rows, at in reached)


def _steps(reached: list[tuple[list[_Row], int]]) -> dict[tuple[int, int], list[tuple[list[_Row], int]]]:
    """Return for every action tried after the nodes `reached`, and the seat that took it, the nodes it leads to, one a
    tree.
    """
    steps: dict[tuple[int, int], list[tuple[list[_Row], int]]] = {}
    for rows, node in reached:
        for child in _children(rows, node):
            steps.setdefault((rows[child].action, rows[child].mover), []).append((rows, child))
    return steps


def _details(observation: Observation, forest: "Forest | Trees") -> ForestDetails:
    trees = [_rows(tree, int(used)) for tree, used in zip(forest.trees, forest.used, strict=True)]
    return ForestDetails(
        trees=tuple(_merged(observation, forest.trees[i : i + 1]) for i in range(len(forest.trees))),
        roots=tuple(_root(observation, rows) for rows in trees),
        lines=tuple(_line(observation, [rows]) for rows in trees),
        best_line=_line(observation, trees),
        determinizations=tuple(tuple(observation.game.hands_of(root)) for root in forest.roots),
    )


def report_of(
    name: str,
    observation: Observation,
    forest: "Forest | Trees",
    simulations: int,
    seconds: float,
    particles: "Particles | None",
    *,
    complete: bool,
    convergence: Sequence[ConvergencePoint] = (),
) -> SearchReport:
    """Return the report of a search; only a `complete` one can be asked for its trees.

    `convergence` holds what `convergence_point` returned in the course of it.
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
        actions=_merged(observation, forest.trees),
        nodes=tuple(int(used) for used in forest.used),
        particles=len(particles.states) if particles is not None else None,
        effective_sample_size=particles.effective_sample_size if particles is not None else None,
        belief=belief,
        kinds=tuple(game.belief.card_kinds) if particles is not None else (),
        convergence=tuple(convergence),
        inspect=partial(_details, observation, forest) if complete else ForestDetails,
    )
