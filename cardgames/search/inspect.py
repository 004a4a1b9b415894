"""Reading a search's arrays into a `SearchReport`."""

import math
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgames.core.observation import Observation
from cardgames.search.report import ActionStatistics, ForestDetails, Line, Node, SearchReport
from cardgames.search.tree import NO_NODE

if TYPE_CHECKING:
    from cardgames.search.forest import Forest
    from cardgames.search.mcts import Particles


class _Row(NamedTuple):
    """One node record as plain numbers, in the order of `tree.NODE`."""

    total: float
    squares: float
    visits: int
    available: int
    action: int
    child: int
    sibling: int
    mover: int
    prior: float


def _rows(tree: Any, used: int) -> list[_Row]:
    return [_Row(*row) for row in tree[:used].tolist()]


def _children(rows: list[_Row], node: int) -> list[int]:
    """Return a node's children, most visited first."""
    found = []
    child = rows[node].child
    # a search under way may add a child beyond the rows that were read
    while child != NO_NODE and child < len(rows):
        found.append(child)
        child = rows[child].sibling
    return sorted(found, key=lambda n: -rows[n].visits)


def _statistics(action: int, text: str, visits: int, total: float, squares: float) -> ActionStatistics:
    if visits == 0:
        return ActionStatistics(action, text, 0, None, None)
    mean = total / visits
    spread = max(0.0, squares / visits - mean * mean)
    error = math.sqrt(spread / (visits - 1)) if visits > 1 else None
    return ActionStatistics(action, text, visits, mean, error)


def _merged(observation: Observation, trees: list[list[_Row]]) -> tuple[ActionStatistics, ...]:
    """Return the root's actions with the visits of all `trees` together."""
    sums = {action: [0.0, 0.0, 0.0] for action in observation.legal_actions}
    for rows in trees:
        for child in _children(rows, 0):
            row, total = rows[child], sums[rows[child].action]
            for i, number in enumerate((row.visits, row.total, row.squares)):
                total[i] += number
    text = observation.game.action_to_string
    found = [_statistics(a, text(a, observation), int(n), s, q) for a, (n, s, q) in sums.items()]
    return tuple(sorted(found, key=lambda a: (-a.visits, -(a.value or 0.0), a.action)))


def _mean(row: _Row) -> float | None:
    return row.total / row.visits if row.visits else None


def _root(observation: Observation, rows: list[_Row]) -> Node:
    """Return a whole tree; without recursion, for trees can be deeper than Python's stack allows."""
    text = observation.game.action_to_string
    built: dict[int, Node] = {}
    # a child is always made after its parent, so backwards every node finds its children built
    for at in range(len(rows) - 1, -1, -1):
        row = rows[at]
        below = tuple(built[child] for child in _children(rows, at))
        action, name = (row.action, text(row.action)) if at else (None, "")
        built[at] = Node(action, name, row.visits, _mean(row), below)
    return built[0]


def _line(observation: Observation, trees: list[list[_Row]]) -> Line:
    """Return the line that is visited most in all `trees` together; it ends where none of them goes on."""
    actions: list[int] = []
    reached = [(rows, 0) for rows in trees]
    while steps := _steps(reached):
        action, reached = max(steps.items(), key=lambda step: sum(rows[at].visits for rows, at in step[1]))
        actions.append(action)
    text = " ".join(observation.game.action_to_string(a) for a in actions)
    visits = sum(rows[at].visits for rows, at in reached)
    total = sum(rows[at].total for rows, at in reached)
    return Line(tuple(actions), text, visits, total / visits if visits else None)


def _steps(reached: list[tuple[list[_Row], int]]) -> dict[int, list[tuple[list[_Row], int]]]:
    """Return for every action tried after the nodes `reached` the nodes it leads to, one a tree."""
    steps: dict[int, list[tuple[list[_Row], int]]] = {}
    for rows, node in reached:
        for child in _children(rows, node):
            steps.setdefault(rows[child].action, []).append((rows, child))
    return steps


def _details(observation: Observation, forest: "Forest") -> ForestDetails:
    trees = [_rows(tree, int(used)) for tree, used in zip(forest.trees, forest.used, strict=True)]
    return ForestDetails(
        trees=tuple(_merged(observation, [rows]) for rows in trees),
        roots=tuple(_root(observation, rows) for rows in trees),
        lines=tuple(_line(observation, [rows]) for rows in trees),
        best_line=_line(observation, trees),
        determinizations=tuple(tuple(observation.game.hands_of(root)) for root in forest.roots),
    )


def report_of(
    name: str,
    observation: Observation,
    forest: "Forest",
    simulations: int,
    seconds: float,
    particles: "Particles | None",
    *,
    complete: bool,
) -> SearchReport:
    """Return the report of a search; only a `complete` one can be asked for its trees."""
    game = observation.game
    belief = {}
    if particles is not None:
        others = [seat for seat in range(game.num_players) if seat != observation.player]
        belief = {seat: tuple(particles.belief[seat].tolist()) for seat in others}
    trees = [_rows(tree, int(used)) for tree, used in zip(forest.trees, forest.used, strict=True)]
    return SearchReport(
        agent=name,
        player=observation.player,
        simulations=simulations,
        seconds=seconds,
        actions=_merged(observation, trees),
        nodes=tuple(len(rows) for rows in trees),
        particles=len(particles.states) if particles is not None else None,
        effective_sample_size=particles.effective_sample_size if particles is not None else None,
        belief=belief,
        kinds=tuple(game.kinds) if particles is not None else (),
        inspect=partial(_details, observation, forest) if complete else ForestDetails,
    )
