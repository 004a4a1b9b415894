"""Widget that shows search trees, unfolded node by node, and texts with the statistics of a node."""

import math
from collections.abc import Callable, Iterable

from rich.text import Text
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from cardgames.search.report import Node, SearchReport
from cardgames.tui.shared_wording import error_text, percent, value_text

ORDERS: dict[str, Callable[[Node], float]] = {
    "visits": lambda node: node.visits,
    "value": lambda node: -math.inf if node.value is None else node.value,
    "prior": lambda node: -1.0 if node.prior is None else node.prior,
}
"""Name of an order of a node's children -> key by which they are sorted, descending."""
_NAME = 16
"""Width of an action's name, in columns: with two agents on the smallest screen, visits and values still fit beside them."""


class NodeTree(Tree[Node]):
    """Widget with the search trees of a `SearchReport`.

    The children of a node become lines only when the node is unfolded, since a forest has thousands of nodes.
    """

    def __init__(self) -> None:
        super().__init__("", classes="node-tree")
        self.show_root = False
        self.guide_depth = 2
        self.order = "visits"
        self.unit = "win"
        """Unit of the nodes' values (`SearchReport.unit`)."""
        self._roots: tuple[Node, ...] = ()

    def show(self, report: SearchReport | None) -> None:
        """Show the trees of a finished search, with the root of the first tree unfolded; None shows no trees."""
        self._roots, self.unit = (report.roots, report.unit) if report is not None else ((), "win")
        self._rebuild({id(root) for root in self._roots[:1]})

    def sort_by(self, order: str) -> None:
        """Sort the children of all nodes by `order`, a key of `ORDERS`; unfolded nodes stay unfolded."""
        self.order = order
        self._rebuild({id(line.data) for line in _iter_lines(self.root) if line.is_expanded and line.data is not None})

    def _rebuild(self, unfolded: set[int]) -> None:
        self.clear()
        for i, root in enumerate(self._roots):
            line = self.root.add(_label(f"tree {i}", root, self.unit, 0), data=root, allow_expand=bool(root.children))
            self._unfold(line, unfolded)
        self.call_after_refresh(self._to_the_top)

    def _to_the_top(self) -> None:
        if self.root.children:
            self.move_cursor(self.root.children[0])

    def _unfold(self, line: TreeNode[Node], unfolded: set[int]) -> None:
        if line.data is None or id(line.data) not in unfolded:
            return
        self._fill(line)
        line.expand()
        for child in line.children:
            self._unfold(child, unfolded)

    def _fill(self, line: TreeNode[Node]) -> None:
        if line.data is None or line.children:
            return
        depth = len(path_to(line))
        for node in sorted(line.data.children, key=ORDERS[self.order], reverse=True):
            line.add(_label(node.text, node, self.unit, depth + 1), data=node, allow_expand=bool(node.children))

    def on_tree_node_expanded(self, event: Tree.NodeExpanded[Node]) -> None:
        """Add a line for each child of a node that is unfolded for the first time."""
        self._fill(event.node)


def _iter_lines(line: TreeNode[Node]) -> Iterable[TreeNode[Node]]:
    yield line
    for child in line.children:
        yield from _iter_lines(child)


def path_to(line: TreeNode[Node]) -> list[str]:
    """Return the actions, as texts, on the path from the root of the search tree to the node of a line."""
    path: list[str] = []
    at: TreeNode[Node] | None = line
    while at is not None and at.data is not None:
        path.append(at.data.text)
        at = at.parent
    return path[::-1][1:]


def _label(name: str, node: Node, unit: str, depth: int) -> Text:
    room = max(0, _NAME - 2 * depth)
    name = name if node.children else f"  {name}"
    value, error = value_text(node.value, unit), error_text(node.standard_error, unit)
    numbers = f"{node.visits:>8} {value:>7} {error:>6} {percent(node.share):>6}"
    return Text(f"{name:<{room}}{numbers} {'-' if node.prior is None else f'{node.prior:.3f}':>6}")


HEADING = f"{'  action':<{_NAME}}{'visits':>10} {'value':>7} {'+-':>6} {'share':>6} {'prior':>6}"
"""Column headings above the lines of a `NodeTree`."""


def node_words(line: TreeNode[Node], unit: str) -> str:
    """Return the statistics of the search node of a line as text, with values in `unit`."""
    node = line.data
    if node is None:
        return ""
    of = "" if node.seat is None else f" for seat {node.seat}"
    children = "1 child" if len(node.children) == 1 else f"{len(node.children)} children"
    error = error_text(node.standard_error, unit)
    value = f"value {value_text(node.value, unit)}{of}, standard error {error}"
    facts = [f"line: {' '.join(path_to(line)) or 'the root'}", f"{node.visits} visits", value]
    if node.share is not None:
        facts.append(f"{percent(node.share)} of its parent's visits")
    if node.prior is not None:
        facts.append(f"prior {node.prior:.3f}")
    if node.available is not None:
        facts.append(f"legal {node.available} times")
    return " · ".join([*facts, children])
