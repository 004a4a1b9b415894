"""Spectator's screen of Dou Di Zhu."""

from cardgames.tui.session import Session
from cardgames.tui.table_app import watch_app
from tests.tui.company import FAST, FakeSearch, Scripted, dialog, doudizhu, seated, set_up, text, until, until_said


async def test_spectator_sees_all_hands():
    game = doudizhu()
    state = game.position(hands=["3456TR", "789QQ", "22JJ"], landlord=0, bid=2)
    session = set_up(Session(game, [FakeSearch(), FakeSearch(), Scripted()]), state)
    app = watch_app(session, speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "▶ fake-search 0\nlandlord, 6 cards\n3 4 5 6 T R", ".seat")
        assert "scripted 2\npeasant, 4 cards\nJ J 2 2" in text(app, ".seat")
        await until(pilot, lambda: "R" in text(app, "#report") and "50 %" in text(app, "#report"))
        assert "fake-search 0 leads" in text(app, "#words")
        session.agents[0].stop()  # type: ignore[union-attr]
        await until_said(pilot, "fake-search 0\nlandlord, 5 cards: 3\n", ".seat")
        session.agents[1].stop()  # type: ignore[union-attr]


async def test_spectator_can_start_next_round_after_the_first():
    session = seated(doudizhu(rules="online"), "rhcp", "random", "rhcp", seed=1)
    app = watch_app(session, speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: dialog(app) == "RoundOverDialog" and app.screen.query(".box"))
        assert "won the round" in app.screen.query_one(".box").border_title
        await pilot.press("n")
        await until_said(pilot, "round 2", "#title")


async def test_twenty_cards_and_all_plates_fit_on_smallest_screen():
    game = doudizhu()
    hands = ["33445566778899TTJJQQ", "3456789TJQKKAA22B", "3456789TJQKKAA22R"]
    session = set_up(Session(game, [FakeSearch(), Scripted(), Scripted()]), game.position(hands=hands, landlord=0))
    app = watch_app(session, speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "3 3 4 4 5 5 6 6 7 7 8 8 9 9 T T J J Q Q", ".seat")
        await pilot.pause()
        screen = app.screen_stack[1]
        room = screen.query_one("#table").content_region
        assert all(room.contains_region(part.region) for part in [*screen.query(".seat"), screen.query_one("#words")])
        session.agents[0].stop()  # type: ignore[union-attr]


async def test_both_peasants_win_and_few_cards_are_marked():
    game = doudizhu()
    state = game.position(hands=["33", "345QQQ", "78"], landlord=1, to_move=0)
    app = watch_app(set_up(Session(game, [Scripted(), Scripted(), Scripted()]), state), speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "peasant, 2 cards!", ".seat")
        await until(pilot, lambda: dialog(app) == "RoundOverDialog" and app.screen.query(".box"))
        assert app.screen.query_one(".box").border_title == "scripted 0 and scripted 2 have won the round"
