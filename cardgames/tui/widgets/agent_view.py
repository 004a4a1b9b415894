"""One agent's thoughts: actions and their course, trees, belief, determinizations."""

from collections.abc import Sequence
from string import ascii_letters

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import ContentSwitcher, Static, Tree

from cardgames.search.analysis import Analysis
from cardgames.search.report import Node, SearchReport
from cardgames.tui.screen_theme import CardStyle
from cardgames.tui.widgets.heat_map import HeatMap
from cardgames.tui.widgets.line_chart import COLORS, LineChart, Series
from cardgames.tui.widgets.node_tree import HEADING, NodeTree, node_words
from cardgames.tui.widgets.waiting_text import WaitingText
from cardgames.tui.wording import effort, percent, progress, unreported, widest

VIEWS = ("actions", "tree", "belief", "hands")
_NAME = 10
"""The names of actions have at least so many columns."""
_NUMBERS, _PRIOR = 23, 7
"""Columns of a line beside the name, and of its prior."""
_LINES = 8
"""So many actions have a line in the charts."""


class AgentView(Vertical):
    """The report of one agent, finished or growing; all of it is read off the `SearchReport`."""

    def __init__(self, name: str, card_style: CardStyle) -> None:
        super().__init__(classes="agent")
        self.agent_name, self._card_style = name, card_style
        self._report: SearchReport | None = None
        self.border_title = Content(name)
        self.border_subtitle = " ".join(f"{i} {view}" for i, view in enumerate(VIEWS, 1))

    def compose(self) -> ComposeResult:
        """Make room for every view; one of them is to be seen."""
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
        """Show one of `VIEWS`."""
        self.query_one(ContentSwitcher).current = view

    def take_keys(self) -> None:
        """Have the view that is shown scroll by keys."""
        shown = self.query_one(ContentSwitcher).visible_content
        if shown is not None:
            (self.query_one(NodeTree) if shown.id == "tree" else shown).focus()

    def say(self, text: str) -> None:
        """Put a line above the view."""
        self.query_one(".headline", WaitingText).say(text)

    def wait(self, text: str) -> None:
        """Put a line above the view that says what it waits for."""
        self.query_one(".headline", WaitingText).wait(text)

    def clear(self, text: str) -> None:
        """Show nothing but a line of words."""
        self.say(text)
        self._show(None)
        self.query_one(NodeTree).show(None)

    def progress(self, report: SearchReport) -> None:
        """Show a search under way."""
        self.say(f"thinks… {progress(report)}")
        self._show(report)

    def show(self, analysis: Analysis) -> None:
        """Show a finished thought."""
        report = analysis.report
        words = f"plays {analysis.best}"
        if report is None:
            self.clear(f"{words}; {unreported(analysis)}")
            return
        value = percent(analysis.decision.value)
        self.say(f"{words} · value {value} · {effort(report)}")
        self._show(report)
        self.query_one(NodeTree).show(report)

    def on_resize(self) -> None:
        """Show as many columns as there is room for now."""
        self.call_after_refresh(self._show_rows)

    def _show(self, report: SearchReport | None) -> None:
        self._report = report
        self._show_rows()
        visits, values = self.query(LineChart)
        visits.show(_series(report, values=False) if report else None)
        values.show(_series(report, values=True) if report else None)
        self.query_one(HeatMap).show(report)
        self.query_one(".determinizations", Static).update(_hands(report, self._card_style) if report else "")

    def _show_rows(self) -> None:
        if not self.is_attached:  # it went before the screen was refreshed
            return
        columns = self.query_one(ContentSwitcher).size.width - 1  # beside the scrollbar
        rows = _rows(self._report, self._card_style, columns) if self._report else ""
        self.query_one(".rows", Static).update(rows)

    def on_tree_node_highlighted(self, event: Tree.NodeHighlighted[Node]) -> None:
        """Show the statistics of the node under the cursor."""
        self.query_one(".node", Static).update(node_words(event.node))


def _letters(report: SearchReport) -> dict[int, str]:
    """Return a letter for each action, the same throughout a search."""
    return dict(zip(sorted(a.action for a in report.actions), ascii_letters, strict=False))


def _rows(report: SearchReport, card_style: CardStyle, columns: int) -> Content:
    """Return a line for each action; priors where there is room for them, and names as far as there is."""
    letters = _letters(report)
    width = widest((row.text for row in report.actions), _NAME - 1) + 1
    with_priors = report.has_priors and width + _NUMBERS + _PRIOR <= columns
    width = max(_NAME, min(width, columns - _NUMBERS - _PRIOR * with_priors))
    prior = f"{'prior':>{_PRIOR}}" if with_priors else ""
    lines = [Content.styled(f"  {'action':<{width}}{'visits':>8}{'value':>7}{'+-':>6}{prior}", "$foreground-muted")]
    for row in report.actions:
        letter = letters.get(row.action, " ")
        prior = f"{percent(row.prior):>{_PRIOR}}" if with_priors else ""
        numbers = f"{row.visits:>8}{percent(row.value):>7}{percent(row.standard_error):>6}{prior}"
        name = f"{row.text[: width - 1]:<{width}}"
        lines.append(Content.assemble((letter, _color(letter)), " ", card_style.line(name), numbers))
    return Content("\n").join(lines)


def _color(letter: str) -> str:
    return COLORS[ascii_letters.find(letter) % len(COLORS)]


def _series(report: SearchReport, *, values: bool) -> list[Series]:
    """Return the lines of the most visited actions."""
    letters, found = _letters(report), []
    times = [float(point.simulations) for point in report.convergence]
    for row in report.actions[:_LINES]:
        letter = letters.get(row.action, " ")
        ys = report.convergence_of(row.action)[1 if values else 0]
        points = tuple((x, float(y)) for x, y in zip(times, ys, strict=True) if y is not None)
        found.append(Series(letter, _color(letter), points))
    return found


def _hands(report: SearchReport, card_style: CardStyle) -> Content:
    """Return the hands every tree was searched with, and its principal line."""
    trees = report.tree_reports
    if not trees:
        words = "the trees are read when the search is done" if report.nodes else "it grows no trees"
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
    """Return the hands of one determinization, a line a seat."""
    lines = []
    for seat, hand in enumerate(hands):
        own = " (searches)" if seat == report.player else ""
        lines.append(Content.assemble(f"  seat {seat}{own}: ", card_style.line(hand)))
    return lines
