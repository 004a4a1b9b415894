"""What is told of an agent's thoughts: lines of trees, hands, belief and charts."""

from cardgames.agents.agent import Decision
from cardgames.cli.search_debug_text import lines
from cardgames.search.analysis import Analysis
from cardgames.search.report import ActionStatistics, ConvergencePoint, ForestDetails, Node, SearchReport
from cardgames.tui.screen_theme import card_style_of
from cardgames.tui.widgets.agent_view import _hands, _series
from cardgames.tui.widgets.heat_map import HeatMap
from cardgames.tui.widgets.node_tree import NodeTree, _label, node_words
from tests.tui.company import uno


def test_deep_lines_of_a_tree_have_their_numbers():
    line = _label("x", Node(1, "x", 3, 0.25), 40)
    assert line.plain.startswith("  x") and "25.0%" in line.plain


def test_an_agent_tells_of_its_trees_what_it_knows():
    """Of one's own agents some have no principal lines, nor count their nodes."""
    state = uno(2).new_initial_state(3)
    root = Node(None, "", 15, 0.4, (Node(state.legal_actions()[0], "low", 9, 0.1),))
    report = SearchReport("own", 0, 15, 0.1, (), load_details=lambda: ForestDetails(roots=(root,)))
    analysis = Analysis("own", 3, 0, state, Decision(state.legal_actions()[0], {}, 0.4, report))
    text = "\n".join(lines([analysis]))
    assert "tree 0: 15 visits" in text and "low" in text and "principal" not in text and "hands" not in text
    assert "tree 0: 15 visits" in str(_hands(report, card_style_of("uno")))


def test_a_node_tells_how_often_it_was_legal():
    tree = NodeTree()
    line = tree.root.add("x", data=Node(1, "x", 3, 0.25, available=8))
    assert "3 visits" in node_words(line) and "legal 8 times" in node_words(line)


def test_the_seat_that_searches_is_marked_among_the_hands():
    details = ForestDetails(roots=(Node(None, "", 15, 0.4),), determinizations=(("r1 r2", "b3 w"),))
    report = SearchReport("own", 1, 15, 0.1, (), load_details=lambda: details)
    shown = str(_hands(report, card_style_of("uno")))
    assert "seat 0: r1 r2" in shown and "seat 1 (searches): b3 w" in shown


def test_little_expected_of_a_card_is_shown_still():
    heat = HeatMap(card_style_of("uno"))
    assert [heat._cell("r7", number)[0] for number in (0.001, 0.01, 0.25, 1.0)] == ["   ·", " .01", " .25", " 1.0"]


def test_lines_of_a_chart_have_colours_of_their_own():
    rows = tuple(ActionStatistics(action, str(action), 9 - action, 0.5, 0.1) for action in range(4))
    points = (ConvergencePoint(1, (1,) * 4, (0.5,) * 4), ConvergencePoint(2, (2,) * 4, (0.5,) * 4))
    series = _series(SearchReport("own", 0, 9, 0.1, rows, convergence=points), values=False)
    assert [one.letter for one in series] == list("abcd") and len({one.color for one in series}) == 4
