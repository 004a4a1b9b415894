"""Widget of `search-debug` for one agent's search: actions, convergence charts, trees, belief and determinizations."""

from collections.abc import Sequence
from string import ascii_letters

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import ContentSwitcher, Static, Tree

from cardgames.search.position_analysis import Analysis
from cardgames.search.report import Node, SearchReport
from cardgames.tui.screen_parts import CardStyle
from cardgames.tui.shared_wording import effort, error_text, percent, progress, unreported, value_text, widest
from cardgames.tui.widgets.belief_heat_map import HeatMap
from cardgames.tui.widgets.line_chart import COLORS, LineChart, Series
from cardgames.tui.widgets.node_tree import HEADING, NodeTree, node_words
from cardgames.tui.widgets.waiting_text import WaitingText

VIEWS = ("actions", "tree", "belief", "hands")
_NAME = 10
"""Minimum width of the names of actions, in columns."""
_NUMBERS, _PRIOR = 23, 7
"""Width, in columns, of the numbers beside an action's name without its prior, and of the prior."""
_LINES = 8
"""Maximum number of actions that are drawn as lines in the charts."""


class AgentView(Vertical):
    """Widget that shows the `SearchReport` of one agent, of a finished or a running search, in the views of `VIEWS`."""

    def __init__(self, name: str, card_style: CardStyle) -> None:
        super().__init__(classes="agent")
        self.agent_name, self._card_style = name, card_style
        self._report: SearchReport | None = None
        self.border_title = Content(name)
        self.border_subtitle = " ".join(f"{i} {view}" for i, view in enumerate(VIEWS, 1))

    def compose(self) -> ComposeResult:
        """Lay out the views of `VIEWS`; one of them is visible."""
        yield WaitingText(classes="headline")
        with ContentSwitcher(initial="actions"):
            with VerticalScroll(id="actions"):
                yield Static("", classes="rows")
                yield LineChart("visits", lambda y: f"{y:,.0f}")
                yield LineChart("value", percent)
            with Vertical(id="tree"):
                yield Static(HEADING, classes="heading", markup=False)
                yield NodeTree()
                yield Static("", classes="node", markup=False)
            with VerticalScroll(id="belief"):
                yield HeatMap(self._card_style)
            with VerticalScroll(id="hands"):
                yield Static("", classes="determinizations")

    def switch(self, view: str) -> None:
        """Show one of the views in `VIEWS` and hide all others."""
        self.query_one(ContentSwitcher).current = view

    def take_keys(self) -> None:
        """Focus the visible view, so that keys scroll it."""
        shown = self.query_one(ContentSwitcher).visible_content
        if shown is not None:
            (self.query_one(NodeTree) if shown.id == "tree" else shown).focus()

    def say(self, text: str) -> None:
        """Show a line of text above the visible view."""
        self.query_one(".headline", WaitingText).say(text)

    def wait(self, text: str) -> None:
        """Show above the visible view what the agent is waiting for, and for how long."""
        self.query_one(".headline", WaitingText).wait(text)

    def clear(self, text: str) -> None:
        """Show a line of text and no report."""
        self.say(text)
        self._show(None)
        self.query_one(NodeTree).show(None)

    def progress(self, report: SearchReport) -> None:
        """Show the report of a running search, without its trees."""
        self.say(f"thinking… {progress(report)}")
        self._show(report)

    def show(self, analysis: Analysis) -> None:
        """Show a finished analysis: the action played, its value, and the report of the search with its trees."""
        report = analysis.report
        words = f"plays {analysis.best}"
        if report is None:
            self.clear(f"{words}; {unreported(analysis)}")
            return
        value = value_text(analysis.decision.value, report.unit)
        self.say(f"{words} · value {value} · {effort(report)}")
        self._show(report)
        self.query_one(NodeTree).show(report)

    def on_resize(self) -> None:
        """Show as many columns of numbers as fit into the new width."""
        self.call_after_refresh(self._show_rows)

    def _show(self, report: SearchReport | None) -> None:
        self._report = report
        self._show_rows()
        visits, values = self.query(LineChart)
        visits.show(_series(report, values=False) if report else None)
        unit = report.unit if report else "win"
        values.show(_series(report, values=True) if report else None, lambda value: value_text(value, unit))
        self.query_one(HeatMap).show(report)
        self.query_one(".determinizations", Static).update(_hands(report, self._card_style) if report else "")

    def _show_rows(self) -> None:
        if not self.is_attached:  # removed before the screen was refreshed
            return
        columns = self.query_one(ContentSwitcher).size.width - 1  # beside the scrollbar
        rows = _rows(self._report, self._card_style, columns) if self._report else ""
        self.query_one(".rows", Static).update(rows)

    def on_tree_node_highlighted(self, event: Tree.NodeHighlighted[Node]) -> None:
        """Show the statistics of the node under the cursor."""
        self.query_one(".node", Static).update(node_words(event.node, self.query_one(NodeTree).unit))


def _letters(report: SearchReport) -> dict[int, str]:
    """Return action id -> letter that identifies the action in rows and charts; it stays the same during a search."""
    return dict(zip(sorted(a.action for a in report.actions), ascii_letters, strict=False))


def _rows(report: SearchReport, card_style: CardStyle, columns: int) -> Content:
    """Return the statistics of each action as a line of text, with its prior if that fits into `columns`."""
    letters = _letters(report)
    width = widest((row.text for row in report.actions), _NAME - 1) + 1
    with_priors = report.has_priors and width + _NUMBERS + _PRIOR <= columns
    width = max(_NAME, min(width, columns - _NUMBERS - _PRIOR * with_priors))
    prior = f"{'prior':>{_PRIOR}}" if with_priors else ""
    lines = [Content.styled(f"  {'action':<{width}}{'visits':>8}{'value':>7}{'+-':>6}{prior}", "$foreground-muted")]
    for row in report.actions:
        letter = letters.get(row.action, " ")
        prior = f"{percent(row.prior):>{_PRIOR}}" if with_priors else ""
        value, error = value_text(row.value, report.unit), error_text(row.standard_error, report.unit)
        numbers = f"{row.visits:>8}{value:>7}{error:>6}{prior}"
        name = f"{row.text[: width - 1]:<{width}}"
        proven = "" if row.proven is None else f" proven {row.proven}"
        lines.append(Content.assemble((letter, _color(letter)), " ", card_style.line(name), numbers, proven))
    return Content("\n").join(lines)


def _color(letter: str) -> str:
    return COLORS[ascii_letters.find(letter) % len(COLORS)]


def _series(report: SearchReport, *, values: bool) -> list[Series]:
    """Return the chart lines of the most visited actions: visits, or with `values` the values, by simulations."""
    letters, series = _letters(report), []
    times = [float(point.simulations) for point in report.convergence]
    for row in report.actions[:_LINES]:
        letter = letters.get(row.action, " ")
        ys = report.convergence_of(row.action)[1 if values else 0]
        points = tuple((x, float(y)) for x, y in zip(times, ys, strict=True) if y is not None)
        series.append(Series(letter, _color(letter), points))
    return series


def _hands(report: SearchReport, card_style: CardStyle) -> Content:
    """Return the determinization (sampled hands) and the principal variation of each search tree as text."""
    trees = report.tree_reports
    if not trees:
        words = "trees are shown when the search is done" if report.nodes else "this agent grows no trees"
        return Content.styled(words, "$foreground-muted")
    lines: list[Content] = []
    if report.principal_variation is not None:
        lines.append(
            Content.assemble(("best line of all trees: ", "bold"), card_style.line(report.principal_variation.text))
        )
    for i, tree in enumerate(trees):
        nodes = "" if tree.nodes is None else f", {tree.nodes} nodes"
        lines.append(Content.styled(f"\ntree {i}: {tree.root.visits} visits{nodes}", "bold"))
        if tree.determinization is not None:
            lines += _seats(report, tree.determinization, card_style)
        if tree.principal_variation is not None:
            lines.append(Content.assemble("  principal line: ", card_style.line(tree.principal_variation.text)))
    if trees[0].determinization is None:
        for i, hands in enumerate(report.determinizations):
            lines += [Content.styled(f"\ndeterminization {i}", "bold"), *_seats(report, hands, card_style)]
    return Content("\n").join(lines)


def _seats(report: SearchReport, hands: Sequence[str], card_style: CardStyle) -> list[Content]:
    """Return the hands of one determinization (sampled hands) as text, one line per seat."""
    lines = []
    for seat, hand in enumerate(hands):
        own = " (searches)" if seat == report.player else ""
        lines.append(Content.assemble(f"  seat {seat}{own}: ", card_style.line(hand)))
    return lines
