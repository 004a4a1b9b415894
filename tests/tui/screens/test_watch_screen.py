"""Spectator's screen of Uno."""

import re
import threading

from cardgames.agents.agent_factory import agent
from cardgames.tui.screens import background_task
from cardgames.tui.screens.watch_screen import WatchScreen
from cardgames.tui.session import PACE, Session
from cardgames.tui.table_app import watch_app
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


async def test_spectator_sees_all_hands():
    game = uno(2)
    session = set_up(Session(game, [FakeSearch(), Scripted()]), game.position(hands=["r1 g2", "b3 w"], top="r5"))
    app = watch_app(session, speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "R1  G2", ".seat")
        assert "B3  Wild" in text(app, ".seat")
        assert "▶ fake-search 0" in text(app, ".seat")
        await until(pilot, lambda: "R1" in text(app, "#report") and "50 %" in text(app, "#report"))
        assert app.screen.query_one("#search").border_title == "Search: fake-search 0"
        session.agents[0].stop()  # type: ignore[union-attr]


async def test_hand_lines_break_only_between_cards():
    game = uno(2)
    hand = " ".join(["ys yv"] * 2 + ["rs rv"] * 2 + ["gs gv"] * 2 + ["bs bv"] * 2)
    app = watch_app(
        set_up(Session(game, [Scripted(), Scripted()]), game.position(hands=[hand, 5], top="r5")), speed=FAST
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Y-skip", ".seat")
        plate = table_screen(app).query(".seat").first()
        await until(pilot, lambda: plate.size.height > 2)
        lines = ["".join(part.text for part in plate.render_line(y)).strip() for y in range(plate.size.height)]
        cards = " ".join(lines[1:]).replace("▌", "").split()[1:]
        assert len(cards) >= 16 and all(re.fullmatch(r"[RGBY](\d|-skip|-rev|\+2)|Wild(\+4)?", card) for card in cards)


async def test_network_reports_show_q_value_or_probability():
    for name, shown in (("ddqn", r"R1 +━+─* +\d+ %"), ("nfsp", r"R1 +━*─* +\d+ % *$")):
        game = uno(2, rules="rlcard")
        company = [agent(name, game), Scripted()]
        app = watch_app(set_up(Session(game, company), game.position(hands=["r1 r2 g5", "b3 w"], top="r5")), FAST)
        async with app.run_test(size=(80, 24)) as pilot:
            await until_said(pilot, "no simulations", "#report")
            assert re.search(shown, text(app, "#report"), re.MULTILINE)


async def test_spectator_can_start_next_round_after_the_first():
    session = seated(uno(3, "hand-size=3", rules="common"), "reflex", "random", "reflex", seed=1)
    app = watch_app(session, speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: dialog(app) == "RoundOverDialog" and app.screen.query(".box"))
        assert "has won the round" in app.screen.query_one(".box").border_title
        await pilot.press("n")
        await until_said(pilot, "round 2", "#title")


async def test_log_can_be_scrolled_during_the_game():
    game = uno(2, rules="common")
    hands = [" ".join(f"r{number} g{number} b{number}" for number in range(1, 10)) for _ in range(2)]
    session = set_up(Session(game, [Scripted(), Scripted()]), game.position(hands=hands, top="y5"))
    app = watch_app(session, speed=FAST)

    def log_length() -> int:
        return len(text(app, "#log Static"))

    async with app.run_test(size=(80, 24)) as pilot:
        log = app.screen.query_one("#log")
        await pilot.press("s")
        while log.scroll_y < 5:
            before = log_length()
            await pilot.press("s")
            await until(pilot, lambda: log_length() > before)  # noqa: B023
        await until(pilot, lambda: log.is_vertical_scroll_end)
        await pilot.press("pageup")
        await until(pilot, lambda: not log.is_vertical_scroll_end)
        seen, before = log.scroll_y, log_length()
        await pilot.press("s")
        await until(pilot, lambda: log_length() > before)
        await pilot.pause()
        assert log.scroll_y == seen
        await pilot.press("pagedown", "pagedown")
        await until(pilot, lambda: log.scroll_y > seen and log.is_vertical_scroll_end)


async def test_leaving_does_not_wait_for_unstoppable_agent(monkeypatch):
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


async def test_match_continues_by_itself():
    session = seated(uno(2, "hand-size=2", "match-score=200"), "reflex", "reflex", seed=1)
    app = watch_app(session, speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: session.match_over)
        await until(pilot, lambda: dialog(app) == "RoundOverDialog" and app.screen.query(".box"))
        assert "has won the match" in app.screen.query_one(".box").border_title
    assert session.round > 1  # 200 points take several rounds with hands of two cards


async def paused(pilot):
    await until_said(pilot, "is thinking")
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


async def test_each_step_key_shows_one_more_move(monkeypatch):
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


async def test_speed_change_takes_effect_at_once(monkeypatch):
    monkeypatch.setattr("cardgames.tui.screens.base_table_screen.PACE", 1000 * PACE)
    app = watch_app(seated(uno(2), "random", "random", seed=1), speed=8000)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "is thinking")
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


async def test_space_keeps_round_over_dialog_open(monkeypatch):
    monkeypatch.setattr("cardgames.tui.screens.watch_screen._REST", 5000.0)
    session = seated(uno(2, "hand-size=2", "match-score=200"), "reflex", "reflex", seed=1)
    app = watch_app(session, speed=1000)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: dialog(app) == "RoundOverDialog" and app.screen.query(".box"))
        await pilot.press("space")
        assert "paused" in str(app.screen.query_one(".box").border_subtitle)
        await pilot.pause(6)
        assert dialog(app) == "RoundOverDialog" and session.round == 1
        await pilot.press("n")
        await until(pilot, lambda: session.round == 2)


async def test_round_over_dialog_waits_until_help_is_closed():
    app = watch_app(seated(uno(2, "hand-size=2"), "reflex", "reflex", seed=1), speed=4)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "is thinking")
        await pilot.press("question_mark")
        await until(pilot, lambda: table_screen(app).session.round_over)
        await pilot.pause(0.5)
        assert dialog(app) == "HelpDialog"
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "RoundOverDialog")
        assert table_screen(app).session.round == 1


async def test_f2_switches_between_light_and_dark():
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
        await until_said(pilot, "is thinking")
        said = listening(app)
        await pilot.press("plus", "plus", "minus")
        await until(pilot, lambda: "Speed 2" in said)


async def test_table_center_shows_penalty():
    game = uno(2, "stacking=same", rules="common")
    search = FakeSearch()
    state = game.position(hands=["gd r1", "rd b2 b3"], top="g5")
    state.apply_action(game.parse_action("gd"))
    app = watch_app(set_up(Session(game, [Scripted("quiet"), search]), state), speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "penalty 2 cards", "#words")
        search.stop()
