"""A spectator's screen."""

import re
import threading

from cardgames.agents.agent_factory import agent
from cardgames.tui.app import watch_app
from cardgames.tui.screens import background_task
from cardgames.tui.screens.watch_screen import WatchScreen
from cardgames.tui.session import PACE, Session
from tests.tui.company import (
    FAST,
    FakeSearch,
    Scripted,
    dialog,
    listening,
    press_at_once,
    seated,
    set_up,
    table_screen,
    text,
    uno,
    until,
    until_said,
)


async def test_all_hands_are_shown():
    game = uno(2)
    table = set_up(Session(game, [FakeSearch(), Scripted()]), game.position(hands=["r1 g2", "b3 w"], top="r5"))
    app = watch_app(table, speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "R1  G2", ".seat")
        assert "B3  Wild" in text(app, ".seat")
        assert "▶ fake-search 0" in text(app, ".seat")
        await until(pilot, lambda: "R1" in text(app, "#report") and "50%" in text(app, "#report"))
        assert app.screen.query_one("#search").border_title == "Search: fake-search 0"
        table.agents[0].stop()  # type: ignore[union-attr]


async def test_no_line_of_a_hand_ends_within_a_card():
    game = uno(2)
    hand = " ".join(["ys yv"] * 2 + ["rs rv"] * 2 + ["gs gv"] * 2 + ["bs bv"] * 2)
    app = watch_app(
        set_up(Session(game, [Scripted(), Scripted()]), game.position(hands=[hand, 5], top="r5")), speed=FAST
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Yskip", ".seat")
        plate = table_screen(app).query(".seat").first()
        await until(pilot, lambda: plate.size.height > 2)
        lines = ["".join(part.text for part in plate.render_line(y)).strip() for y in range(plate.size.height)]
        cards = " ".join(lines[1:]).replace("▌", "").split()[1:]
        assert len(cards) >= 16 and all(re.fullmatch(r"[RGBY](\d|skip|rev|\+2)|Wild(\+4)?", card) for card in cards)


async def test_networks_show_the_q_of_their_actions_or_how_likely_they_are():
    for name, shown in (("ddqn", r"R1 +━+─* +\d+%"), ("nfsp", r"R1 +━*─* +\d+% *$")):
        game = uno(2, rules="rlcard")
        company = [agent(name, game), Scripted()]
        app = watch_app(set_up(Session(game, company), game.position(hands=["r1 r2 g5", "b3 w"], top="r5")), FAST)
        async with app.run_test(size=(80, 24)) as pilot:
            await until_said(pilot, "no simulations", "#report")
            assert re.search(shown, text(app, "#report"), re.MULTILINE)


async def test_a_round_is_watched_to_its_end_and_another_asked_for():
    table = seated(uno(3, "hand-size=3", rules="common"), "reflex", "random", "reflex", seed=1)
    app = watch_app(table, speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: dialog(app) == "RoundOverDialog" and app.screen.query(".box"))
        assert "has won the round" in app.screen.query_one(".box").border_title
        await pilot.press("n")
        await until_said(pilot, "round 2", "#title")


async def test_the_log_is_read_while_the_game_goes_on():
    game = uno(2, rules="common")
    hands = [" ".join(f"r{number} g{number} b{number}" for number in range(1, 10)) for _ in range(2)]
    table = set_up(Session(game, [Scripted(), Scripted()]), game.position(hands=hands, top="y5"))
    app = watch_app(table, speed=FAST)

    def told() -> int:
        return len(text(app, "#log Static"))

    async with app.run_test(size=(80, 24)) as pilot:
        log = app.screen.query_one("#log")
        await pilot.press("s")
        while log.scroll_y < 5:
            before = told()
            await pilot.press("s")
            await until(pilot, lambda: told() > before)  # noqa: B023
        await until(pilot, lambda: log.is_vertical_scroll_end)
        await pilot.press("pageup")
        await until(pilot, lambda: not log.is_vertical_scroll_end)
        seen, before = log.scroll_y, told()
        await pilot.press("s")
        await until(pilot, lambda: told() > before)
        await pilot.pause()
        assert log.scroll_y == seen
        await pilot.press("pagedown", "pagedown")
        await until(pilot, lambda: log.scroll_y > seen and log.is_vertical_scroll_end)


async def test_who_leaves_does_not_wait_for_an_agent_that_cannot_be_stopped(monkeypatch):
    class Pondering(Scripted):
        def act(self, observation, limit=None):
            begun.set()
            released.wait()
            return super().act(observation, limit)

    begun, released, game = threading.Event(), threading.Event(), uno(2)
    app = watch_app(Session(game, [Pondering(), Pondering()]), FAST)
    monkeypatch.setattr(background_task, "_PATIENCE", 0.01)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, begun.is_set)
        await pilot.press("q")
        await until(pilot, lambda: not app.is_running)
    thinking = [thread for thread in app._first_screen._threads if thread.is_alive()]
    app._first_screen.wait_for_threads()
    assert thinking and all(thread.is_alive() and thread.daemon for thread in thinking)
    released.set()


async def test_a_match_goes_on_by_itself():
    table = seated(uno(2, "hand-size=2", "match-score=200"), "reflex", "reflex", seed=1)
    app = watch_app(table, speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: table.match_over)
        await until(pilot, lambda: dialog(app) == "RoundOverDialog" and app.screen.query(".box"))
        assert "has won the match" in app.screen.query_one(".box").border_title
    assert table.round > 1  # whoever has 200 points with hands of two cards has won several rounds


async def paused(pilot):
    await until_said(pilot, "thinks")
    await pilot.press("space")
    await until_said(pilot, "Paused")
    await pilot.pause(0.25)


async def test_pause_and_single_steps():
    app = watch_app(seated(uno(2), "random", "random", seed=1), speed=8)
    async with app.run_test(size=(80, 24)) as pilot:
        await paused(pilot)
        before = text(app, "#log Static")
        await pilot.pause(0.25)
        assert text(app, "#log Static") == before
        await pilot.press("s")
        await until(pilot, lambda: text(app, "#log Static") != before)
        stepped = text(app, "#log Static")
        await pilot.pause(0.25)
        assert text(app, "#log Static") == stepped
        await pilot.press("space")
        await until(pilot, lambda: text(app, "#log Static") != stepped)


async def test_every_press_shows_one_move_more(monkeypatch):
    hold, shown = WatchScreen.hold, []

    async def count(screen):
        await hold(screen)
        shown.append(None)

    monkeypatch.setattr(WatchScreen, "hold", count)
    app = watch_app(seated(uno(2), "random", "random", seed=1), speed=8)
    async with app.run_test(size=(80, 24)) as pilot:
        await paused(pilot)
        before = len(shown)
        press_at_once(app, "sss")
        await until(pilot, lambda: len(shown) >= before + 3)
        await pilot.pause(0.25)
        assert len(shown) == before + 3


async def test_a_pace_too_slow_is_left_at_once(monkeypatch):
    monkeypatch.setattr("cardgames.tui.screens.table_screen.PACE", 1000 * PACE)
    app = watch_app(seated(uno(2), "random", "random", seed=1), speed=8000)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "thinks")
        for _ in range(24):
            await pilot.press("minus")
        assert app._table_screen.speed == 1 / 16
        before = text(app, "#log Static")
        await pilot.press("s")
        await until(pilot, lambda: text(app, "#log Static") != before)
        before = text(app, "#log Static")
        await pilot.press("space")
        for _ in range(12):
            await pilot.press("plus")
        await pilot.press("s")
        await until(pilot, lambda: text(app, "#log Static") != before)
        assert app._table_screen.speed == 64


async def test_space_keeps_the_end_of_a_round_in_sight(monkeypatch):
    monkeypatch.setattr("cardgames.tui.screens.watch_screen._REST", 5000.0)
    table = seated(uno(2, "hand-size=2", "match-score=200"), "reflex", "reflex", seed=1)
    app = watch_app(table, speed=1000)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: dialog(app) == "RoundOverDialog" and app.screen.query(".box"))
        await pilot.press("space")
        assert "paused" in str(app.screen.query_one(".box").border_subtitle)
        await pilot.pause(6)
        assert dialog(app) == "RoundOverDialog" and table.round == 1
        await pilot.press("n")
        await until(pilot, lambda: table.round == 2)


async def test_the_end_of_a_round_waits_until_the_help_is_closed():
    app = watch_app(seated(uno(2, "hand-size=2"), "reflex", "reflex", seed=1), speed=4)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "thinks")
        await pilot.press("question_mark")
        await until(pilot, lambda: table_screen(app).table.round_over)
        await pilot.pause(0.5)
        assert dialog(app) == "HelpDialog"
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "RoundOverDialog")
        assert table_screen(app).table.round == 1


async def test_light_and_dark_take_turns():
    app = watch_app(seated(uno(2), "random", "random", seed=1), speed=8)
    async with app.run_test(size=(80, 24)) as pilot:
        assert app.current_theme.dark
        await pilot.press("f2")
        assert not app.current_theme.dark
        await pilot.press("question_mark", "f2")
        assert dialog(app) == "HelpDialog"
        assert app.current_theme.dark


async def test_speed_can_be_changed():
    app = watch_app(seated(uno(2), "random", "random", seed=1), speed=1)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "thinks")
        said = listening(app)
        await pilot.press("plus", "plus", "minus")
        await until(pilot, lambda: "Speed 2" in said)


async def test_what_is_owed_is_told():
    game = uno(2, "stacking=same", rules="common")
    search = FakeSearch()
    state = game.position(hands=["gd r1", "rd b2 b3"], top="g5")
    state.apply_action(game.parse_action("gd"))
    app = watch_app(set_up(Session(game, [Scripted("quiet"), search]), state), speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "owed   2 cards", "#words")
        search.stop()
