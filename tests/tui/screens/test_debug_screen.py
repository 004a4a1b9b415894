"""Screen of `search-debug`."""

import asyncio
import json
import threading

import pytest
from textual.widgets import ContentSwitcher

from cardgames.agents.agent import Decision
from cardgames.cli.position import play_default_policy
from cardgames.search.report import (
    ActionStatistics,
    ConvergencePoint,
    ForestDetails,
    Node,
    PrincipalVariation,
    SearchReport,
)
from cardgames.support.errors import InvalidInput
from cardgames.tui import export
from cardgames.tui.debug_app import DebugApp
from cardgames.tui.position_history import PositionHistory
from cardgames.tui.screen_parts import card_style_of
from cardgames.tui.screens import background_task, debug_screen
from cardgames.tui.screens.debug_screen import _position
from cardgames.tui.shared_wording import fact
from cardgames.tui.widgets.agent_view import VIEWS, AgentView
from cardgames.tui.widgets.belief_heat_map import HeatMap
from cardgames.tui.widgets.line_chart import LineChart
from cardgames.tui.widgets.node_tree import HEADING, NodeTree
from tests.tui.company import FakeSearch, doudizhu, uno, until

FAKE = "tests.tui.screens.test_debug_screen:recalling"
SLOW = "tests.tui.screens.test_debug_screen:slow"


class Recalling:
    """Agent that returns a fixed search report."""

    name = "recalling"

    def act(self, observation, limit=None):
        text = observation.game.action_to_string
        legal = observation.legal_actions
        rows = tuple(
            ActionStatistics(a, text(a, observation), 10 * (i + 1), 0.1 * i, 0.01) for i, a in enumerate(legal)
        )
        leaf = Node(legal[0], "leaf", 3, 0.25, prior=0.5, share=0.5)
        low = Node(legal[0], "low", 9, 0.1, (leaf,), standard_error=0.02, prior=0.1, share=0.6)
        high = Node(legal[0], "high", 6, 0.9, prior=0.7, share=0.4)
        roots = (Node(None, "", 15, 0.4, (low, high)),)
        line = PrincipalVariation((legal[0],), "low leaf", 3, 0.25)
        details = ForestDetails((rows,), roots, (line,), line, (("r1 r2", "b3 w"),))
        points = tuple(ConvergencePoint(n, (n,) * len(legal), (0.01 * n,) * len(legal)) for n in range(1, 40))
        card_kinds = tuple(observation.game.belief.card_kinds)
        belief = {1 - observation.player: tuple(0.5 if kind == "r7" else 0.0 for kind in card_kinds)}
        report = SearchReport(
            self.name, observation.player, 15, 0.1, rows, (4,), 10, 5.0, belief, card_kinds, points, lambda: details
        )
        return Decision(legal[0], {}, 0.4, report)


def recalling(game, seed):
    return Recalling()


class Veiled(FakeSearch):
    """Agent whose snapshots fail."""

    def snapshot(self):
        raise RuntimeError("behind the veil")


def veiled(game, seed):
    return Veiled()


SEARCHES = []


def slow(game, seed):
    SEARCHES.append(FakeSearch())
    return SEARCHES[-1]


def debug_app(*names, ply=4):
    return DebugApp(PositionHistory(play_default_policy(uno(2).new_initial_state(3), 3)), ply, names or (FAKE,), 3, 2)


def words(app, where):
    return "\n".join(str(part.render()) for part in app.debug_screen.query(where))


class Compiler:
    """Fake compile process that runs until it is terminated."""

    def __init__(self):
        self.over = threading.Event()

    def poll(self):
        return 0 if self.over.is_set() else None

    def wait(self):
        assert self.over.wait(20)

    def terminate(self):
        self.over.set()


@pytest.fixture
def compilers(monkeypatch: pytest.MonkeyPatch):
    """Make agents need compilation, and list the fake processes that are started for it."""
    compilers = []
    monkeypatch.setattr(debug_screen, "is_agent_compiled", lambda *_: False)
    monkeypatch.setattr(
        background_task, "compile_in_subprocess", lambda game, name: compilers.append(Compiler()) or compilers[-1]
    )
    return compilers


async def test_one_compile_process_runs_at_a_time_and_leaving_ends_it(compilers):
    app = debug_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: compilers)
        for _ in range(3):
            await pilot.press("right")
            await asyncio.sleep(2 * debug_screen._PATIENCE)
        assert len(compilers) == 1 and compilers[0].poll() is None
    assert compilers[0].poll() == 0 and not app.debug_screen.analyses


def test_leaving_ends_compile_process_that_is_starting(monkeypatch: pytest.MonkeyPatch):
    beginning, begun, compilers = threading.Event(), threading.Event(), []

    def slowly(game, name):
        beginning.set()
        assert begun.wait(20)
        compilers.append(Compiler())
        return compilers[-1]

    monkeypatch.setattr(background_task, "compile_in_subprocess", slowly)
    screen = debug_app().debug_screen
    waiting = [threading.Thread(target=screen.wait_for_compiler, args=("uno", FAKE)) for _ in range(2)]
    leaving = threading.Thread(target=screen.leave)
    for thread in waiting:
        thread.start()
    assert beginning.wait(20)
    leaving.start()
    begun.set()
    for thread in (leaving, *waiting):
        thread.join(20)
        assert not thread.is_alive()
    assert len(compilers) == 1 and compilers[0].over.is_set()


def test_position_line_shows_lists_without_brackets():
    assert fact([17, 3, None]) == "17, 3, -" and fact(["55", ""]) == "55, -" and fact(["", ""]) == fact([]) == "-"
    assert fact(list(range(50))).endswith("38, 39, and 10 more")
    state = doudizhu().position(hands=["5555J", "88Q", 3], landlord=0, to_move=1, last="3", bottom="355")
    app = DebugApp(PositionHistory(iter([state])), 0, [FAKE], 1, 2)
    position = _position(app.debug_screen.state, app.debug_screen.card_style).plain
    assert "counts 5, 3, 3 · known 55, -, - · " in position and "[" not in position


async def test_trees_can_be_unfolded_and_sorted():
    app = debug_app()
    async with app.run_test(size=(130, 40)) as pilot:
        await until(pilot, lambda: app.debug_screen.settled)
        await pilot.press("2")
        await pilot.pause()
        tree = app.debug_screen.query_one(NodeTree)
        root = tree.root.children[0]

        def names():
            return [child.data.text for child in root.children]

        assert names() == ["low", "high"] and not root.children[0].children
        await pilot.press("down", "enter")
        await pilot.pause()
        assert [child.data.text for child in root.children[0].children] == ["leaf"]
        await pilot.press("down")
        await until(pilot, lambda: "line: low leaf · 3 visits" in words(app, ".node"))
        assert "prior 0.500" in words(app, ".node") and "50.0% of its parent's visits" in words(app, ".node")
        await pilot.press("o")
        await pilot.pause()
        root = tree.root.children[0]
        assert names() == ["high", "low"] and root.children[1].is_expanded


async def test_debug_screen_shows_convergence_belief_and_determinizations():
    app = debug_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.debug_screen.settled)
        await pilot.pause()
        chart = str(app.debug_screen.query(LineChart).first().render())
        assert "39 simulations" in chart and "a" in chart and any(0x2800 < ord(mark) < 0x2900 for mark in chart)
        assert ".50" in words(app, "HeatMap")
        assert "tree 0: 15 visits, 4 nodes" in words(app, ".determinizations")
        assert "principal line: low leaf" in words(app, ".determinizations")


async def test_arrow_keys_step_through_the_round():
    app = debug_app(ply=1)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.debug_screen.settled)
        await pilot.press("right")
        await until(pilot, lambda: app.debug_screen.settled and app.debug_screen.ply == 2)
        assert "ply 2" in words(app, "#title") and app.debug_screen.analyses[0].ply == 2
        await pilot.press("left", "left", "left")
        await pilot.pause()
        assert app.debug_screen.ply == 0 and "the first position of the round" in words(app, "#status")
        await pilot.press("g", "9", "9", "9", "9", "enter")
        await until(pilot, lambda: "the round is over after" in words(app, "#status"))
        assert app.debug_screen.ply == 0


async def test_second_agent_can_be_added_for_comparison():
    app = debug_app()
    async with app.run_test(size=(130, 40)) as pilot:
        await until(pilot, lambda: app.debug_screen.settled)
        await pilot.press("a", *"none", "enter")
        await until(pilot, lambda: "unknown agent" in words(app, "#status"))
        await pilot.press("a", "ctrl+u", *"cheating-all", "enter")
        await until(pilot, lambda: "cheating-all sees all cards" in words(app, "#status"))
        await pilot.press("a", *"reflex", "enter")
        await until(pilot, lambda: app.debug_screen.settled and len(app.debug_screen.query(AgentView)) == 2)
        assert "no report" in words(app, ".headline")


async def test_comparison_can_be_removed_while_agent_is_thinking():
    app = debug_app(FAKE, SLOW)
    async with app.run_test(size=(130, 40)) as pilot:
        await until(pilot, lambda: "simulations" in str(app.debug_screen.query(".headline").last().render()))
        await pilot.press("a", "ctrl+u", "enter")
        await until(pilot, lambda: len(app.debug_screen.query(AgentView)) == 1 and app.debug_screen.settled)
        assert SEARCHES[-1].stopped


async def test_agent_compared_with_itself_is_analyzed_twice():
    app = debug_app(FAKE, FAKE)
    async with app.run_test(size=(130, 40)) as pilot:
        await until(pilot, lambda: app.debug_screen.settled)
        assert len(app.debug_screen.analyses) == 2 and words(app, ".headline").count("15 simulations") == 2


async def test_overlong_ply_is_rejected():
    app = debug_app()
    async with app.run_test(size=(130, 40)) as pilot:
        await until(pilot, lambda: app.debug_screen.settled)
        await pilot.press("g")
        app.screen.query_one("TextInput").value = "9" * 5000
        await pilot.press("enter")
        await until(pilot, lambda: "invalid ply" in words(app, "#status"))


async def test_two_agents_fit_on_the_smallest_screen():
    app = debug_app(FAKE, "reflex")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.debug_screen.settled)
        assert "15 simulations in 100 ms" in words(app, ".headline")
        await pilot.press("2")
        await pilot.pause()
        tree = app.debug_screen.query(NodeTree).first()
        assert HEADING.index("value") + len("value") <= tree.scrollable_content_region.width
        keys = app.debug_screen.query("FooterKey")
        assert keys.last().action == "app.quit" and all(key.region.right <= 80 for key in keys)


async def test_long_views_scroll_by_keys():
    app = debug_app(FAKE, "reflex")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.debug_screen.settled)
        shown = app.debug_screen.query("#actions").first()
        assert app.focused is shown and shown.max_scroll_y > 0 == shown.scroll_y
        await pilot.press("pagedown")
        await until(pilot, lambda: shown.scroll_y > 0)
        await pilot.press("3")
        assert app.focused is app.debug_screen.query("#belief").first()


@pytest.mark.parametrize(("columns", "priors"), [(80, False), (120, True)])
async def test_priors_are_shown_if_they_fit(columns: int, priors: bool):
    app = debug_app(FAKE, "champion")
    async with app.run_test(size=(columns, 40)) as pilot:
        await until(pilot, lambda: app.debug_screen.settled)
        await pilot.pause()
        rows = app.debug_screen.query(".rows").last()
        assert ("prior" in str(rows.render())) == priors
        assert rows.size.height == len(str(rows.render()).splitlines()), "no line is broken"
        await pilot.press("2", "right")
        await until(pilot, lambda: app.debug_screen.settled)
        await pilot.press("1")
        await pilot.pause()
        assert ("prior" in str(rows.render())) == priors, "they were written while they were hidden"


async def test_waiting_agent_shows_no_report():
    app = debug_app(SLOW, FAKE)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "thinking… " in words(app, ".headline"))
        assert "waiting for the first agent" in words(app, ".headline")
        assert "no convergence" not in str(app.debug_screen.query(LineChart).last().render())
        assert "no belief" not in str(app.debug_screen.query(HeatMap).last().render())
        await pilot.press("s")
        await until(pilot, lambda: app.debug_screen.settled)


async def test_running_search_is_shown_and_can_be_stopped():
    app = debug_app(SLOW)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "thinking… " in words(app, ".headline") and "simulations" in words(app, ".headline"))
        await pilot.press("s")
        await until(pilot, lambda: app.debug_screen.settled)
        assert "plays" in words(app, ".headline")


async def test_stop_key_does_nothing_while_agent_is_compiled(compilers):
    app = debug_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: compilers)
        await pilot.press("s")
        await pilot.pause()
        assert "compiling" in words(app, ".headline") and "no search is running" in words(app, "#status")
        compilers[0].over.set()
        await until(pilot, lambda: app.debug_screen.settled)


async def test_failing_snapshot_ends_app_with_its_error():
    app = debug_app("tests.tui.screens.test_debug_screen:veiled")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.failure is not None)
    assert "behind the veil" in str(app.failure)


async def test_damaged_record_is_shown_up_to_the_damage():
    game = uno(2)

    def positions():
        for ply, state in enumerate(play_default_policy(game.new_initial_state(3), 3)):
            if ply == 5:
                raise InvalidInput("line 7 is damaged")
            yield state

    app = DebugApp(PositionHistory(positions()), 4, [FAKE], 3, 2)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.debug_screen.settled)
        assert "then" not in words(app, "#title")
        for _ in range(2):
            await pilot.press("right")
            await pilot.pause()
            assert app.debug_screen.ply == 4 and "line 7 is damaged" in words(app, "#status")


async def test_leaving_position_or_app_stops_searches():
    app = debug_app(SLOW)
    async with app.run_test(size=(80, 24)) as pilot:
        for ply in (5, 6):
            await until(
                pilot, lambda: "thinking… " in words(app, ".headline") and "simulations" in words(app, ".headline")
            )
            await pilot.press("right")
            await pilot.pause()
            assert app.debug_screen.ply == ply
        await until(pilot, lambda: "simulations" in words(app, ".headline"))
        await pilot.press("q")
    assert all(agent.stopped for agent in SEARCHES[-3:])


async def test_analysis_is_exported_as_json_and_svg(tmp_path):
    app = debug_app()
    async with app.run_test(size=(130, 40)) as pilot:
        await until(pilot, lambda: app.debug_screen.settled)
        for name, what in (("a.json", "wrote"), ("a.svg", "wrote"), ("none/a.svg", "there is no folder")):
            await pilot.press("e")
            await pilot.pause()
            app.screen.query_one("Input").value = str(tmp_path / name)
            await pilot.press("enter")
            await until(pilot, lambda what=what, name=name: what in words(app, "#status"))
    assert json.loads((tmp_path / "a.json").read_text())["convergence"][0]["simulations"] == 1
    assert (tmp_path / "a.svg").read_text().startswith("<svg")


def test_failed_export_keeps_existing_file(tmp_path, monkeypatch):
    existing = tmp_path / "a.svg"
    existing.write_text("before")

    def full(self, text, **options):
        self.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_text", full)
    with pytest.raises(InvalidInput, match="No space left on device"):
        export.write(str(existing), "after")
    assert existing.read_text() == "before" and list(tmp_path.iterdir()) == [existing]


async def test_debug_screen_shows_required_terminal_size():
    app = debug_app()
    async with app.run_test(size=(70, 20)) as pilot:
        await pilot.pause()
        assert app.debug_screen.query_one("#too-small").display
        assert "needed: 80 x 24" in words(app, "#too-small")


async def test_title_shows_next_decision_of_the_round():
    position_history = PositionHistory(play_default_policy(uno(2).new_initial_state(3), 3))
    before, after = position_history.at(1), position_history.at(2)
    assert before is not None and after is not None
    row = after.history(len(before.history()))[0]
    app = debug_app(ply=1)
    async with app.run_test(size=(130, 40)) as pilot:
        await until(pilot, lambda: app.debug_screen.settled)
        assert words(app, "#title").endswith(f"ply 1 · then {after.game.event_to_string(row[:3])}")


def test_position_shows_its_last_events():
    state = uno(2).new_initial_state(3)
    for _ in range(6):
        state.apply_action(state.legal_actions()[0])
    history = state.observation().to_dict()["history"]
    assert _position(state, card_style_of("uno")).plain.endswith("\n" + "; ".join(history[-4:]))


async def test_export_cuts_trees_at_given_depth(tmp_path):
    app = DebugApp(PositionHistory(play_default_policy(uno(2).new_initial_state(3), 3)), 4, [FAKE], 3, 1)
    async with app.run_test(size=(130, 40)) as pilot:
        await until(pilot, lambda: app.debug_screen.settled)
        app.debug_screen._write(str(tmp_path / "a.json"))
    (root,) = json.loads((tmp_path / "a.json").read_text())["roots"]
    assert [child["children"] for child in root["children"]] == [[], []]


async def test_trees_can_be_sorted_by_prior():
    app = debug_app()
    async with app.run_test(size=(130, 40)) as pilot:
        await until(pilot, lambda: app.debug_screen.settled)
        await pilot.press("2", "o", "o")
        await until(pilot, lambda: "sorted by prior" in words(app, "#status"))
        root = app.debug_screen.query_one(NodeTree).root.children[0]
        assert [child.data.text for child in root.children] == ["high", "low"]


async def test_every_view_has_its_key():
    app = debug_app()
    async with app.run_test(size=(130, 40)) as pilot:
        await until(pilot, lambda: app.debug_screen.settled)
        for key, view in enumerate(VIEWS, 1):
            await pilot.press(str(key))
            await until(pilot, lambda view=view: app.debug_screen.query_one(ContentSwitcher).current == view)


async def test_chart_labels_maximum_above_and_minimum_below():
    app = debug_app()
    async with app.run_test(size=(80, 40)) as pilot:
        await until(pilot, lambda: app.debug_screen.settled)
        chart = app.debug_screen.query(LineChart).first()
        await until(pilot, lambda: "39" in str(chart.render()))
        first, *_, last, _ = str(chart.render()).splitlines()
        assert (first.split()[0], last.split()[0]) == ("39", "1")
