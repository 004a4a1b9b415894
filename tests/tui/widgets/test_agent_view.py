"""Text of an agent's report: tree lines, hands, belief and charts."""

from cardgames.agents.agent import Decision
from cardgames.cli.search_debug_text import lines
from cardgames.search.position_analysis import Analysis
from cardgames.search.report import ActionStatistics, ConvergencePoint, ForestDetails, Node, SearchReport
from cardgames.tui.screen_parts import card_style_of
from cardgames.tui.widgets.agent_view import _hands, _series
from cardgames.tui.widgets.belief_heat_map import HeatMap
from cardgames.tui.widgets.node_tree import NodeTree, _label, node_words
from tests.tui.company import uno


def test_deep_tree_lines_show_their_numbers():
    line = _label("x", Node(1, "x", 3, 0.25), "win", 40)
    assert line.plain.startswith("  x") and "25.0%" in line.plain


def test_tree_report_shows_only_what_agent_provides():
    """A user's own agent may provide neither principal variations nor node counts."""
    state = uno(2).new_initial_state(3)
    root = Node(None, "", 15, 0.4, (Node(state.legal_actions()[0], "low", 9, 0.1),))
    report = SearchReport("own", 0, 15, 0.1, (), load_details=lambda: ForestDetails(roots=(root,)))
    analysis = Analysis("own", 3, 0, state, Decision(state.legal_actions()[0], {}, 0.4, report))
    text = "\n".join(lines([analysis]))
    assert "tree 0: 15 visits" in text and "low" in text and "principal" not in text and "hands" not in text
    assert "tree 0: 15 visits" in str(_hands(report, card_style_of("uno")))


def test_node_line_shows_how_often_action_was_legal():
    tree = NodeTree()
    line = tree.root.add("x", data=Node(1, "x", 3, 0.25, available=8))
    assert "3 visits" in node_words(line, "win") and "legal 8 times" in node_words(line, "win")
    assert node_words(line, "win").endswith("0 children")
    parent = tree.root.add("y", data=Node(1, "y", 3, 0.25, (Node(2, "x", 2, 0.25),)))
    assert node_words(parent, "win").endswith("1 child")


def test_searching_seat_is_marked_among_hands():
    details = ForestDetails(roots=(Node(None, "", 15, 0.4),), determinizations=(("r1 r2", "b3 w"),))
    report = SearchReport("own", 1, 15, 0.1, (), load_details=lambda: details)
    shown = str(_hands(report, card_style_of("uno")))
    assert "seat 0: r1 r2" in shown and "seat 1 (searches): b3 w" in shown


def test_heat_map_shows_small_expected_numbers():
    heat = HeatMap(card_style_of("uno"))
    assert [heat._cell("r7", number)[0] for number in (0.001, 0.01, 0.25, 1.0)] == ["   ·", " .01", " .25", " 1.0"]


def test_chart_lines_have_different_colors():
    rows = tuple(ActionStatistics(action, str(action), 9 - action, 0.5, 0.1) for action in range(4))
    points = (ConvergencePoint(1, (1,) * 4, (0.5,) * 4), ConvergencePoint(2, (2,) * 4, (0.5,) * 4))
    series = _series(SearchReport("own", 0, 9, 0.1, rows, convergence=points), values=False)
    assert [one.letter for one in series] == list("abcd") and len({one.color for one in series}) == 4
