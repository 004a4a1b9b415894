"""Screen of a person who plays Dou Di Zhu: keys, mouse, typed moves, hints, the end of a round."""

from typing import Any

import pytest
from textual.events import Paste
from textual.widgets import OptionList

from cardgames.tui.table_app import play_app
from cardgames.tui.widgets.move_input import MoveInput
from tests.tui.company import (
    FAST,
    FakeSearch,
    Scripted,
    app_at,
    click,
    dialog,
    dialog_text,
    doudizhu,
    press_at_once,
    seated,
    table_screen,
    text,
    until,
    until_said,
)
from tests.tui.doudizhu.scenes import HAND, chosen, following, held, leading


@pytest.mark.parametrize("rules", ["classic", "online"])
async def test_whole_round_can_be_played_with_keys(rules: str):
    app = play_app(seated(doudizhu(rules=rules), None, "rhcp", "random", seed=2), lambda: Scripted(), speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        while dialog(app) != "RoundOverDialog":
            await until(pilot, lambda: dialog(app) != "GamePlayerScreen" or table_screen(app).deciding)
            if dialog(app) == "DecisionDialog":
                await pilot.press("enter")
            elif dialog(app) == "GamePlayerScreen":
                await pilot.press("h")
                await until(pilot, lambda: dialog(app) != "GamePlayerScreen" or "Hint" in text(app, "#status"))
                await pilot.press(*("p" if "pass" in text(app, "#status") else ["enter"]))
            await pilot.pause()
        await until(pilot, lambda: app.screen.query(".box"))
        assert app.screen.query_one(".box").border_title.endswith("round")
        await pilot.press("n")
        await until_said(pilot, "round 2", "#title")


async def test_table_shows_cards_and_facts_in_words():
    hands = ["334455667788QR", "4569TJQQKK", "56789TJJA"]
    state = leading(hands=hands, bottom="3KR", bid=2, bombs=1, to_move=1)
    for move in ("QQ", "pass"):
        state.apply_action(state.game.parse_action(move))
    app = app_at(state)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn: beat QQ or pass (p)")
        assert "".join(card.card for card in held(app)) == "334455667788QR"
        assert table_screen(app).query_one("#own").border_title == "Your hand, landlord, 14 cards"
        assert "scripted 1\npeasant, 8 cards\nQQ" in text(app, ".seat")
        assert "scripted 2\npeasant, 9 cards\npass" in text(app, ".seat")
        words = text(app, "#words")
        assert "the landlord took up  3 K R" in words and "stake 2, 1 bomb" in words
        assert "QQ\npair, by scripted 1" in words


async def test_other_peasant_is_called_partner():
    app = app_at(doudizhu().position(hands=["34567", 5, 5], landlord=2, to_move=0))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn: you lead")
        assert "scripted 1\npartner, 5 cards" in text(app, ".seat")
        assert "scripted 2\nlandlord, 5 cards" in text(app, ".seat")
        assert table_screen(app).query_one("#own").border_title == "Your hand, peasant, 5 cards"
        assert "you lead" in text(app, "#words")


async def test_twenty_cards_fit_on_the_smallest_screen():
    app = app_at(leading())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.pause()
        room = table_screen(app).query_one("#own").content_region
        assert len(held(app)) == 20
        for part in [*held(app), table_screen(app).query_one("#play")]:
            assert room.contains_region(part.region), part


async def test_space_raises_cards_and_enter_plays_them():
    app = app_at(leading())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn: you lead; play any combination")
        await pilot.press("space", "right", "space", "right", "up")
        await until_said(pilot, "333: trio (enter: play)")
        assert chosen(app) == "333"
        await pilot.press("down")
        await until_said(pilot, "33: pair (enter: play)")
        await pilot.press("left", "space")
        await until_said(pilot, "3: solo")
        await pilot.press("left", "enter")
        await until_said(pilot, "you: 3", "#log Static")
        await until_said(pilot, "Your turn")
        assert "".join(card.card for card in held(app)) == HAND[1:] and chosen(app) == ""


async def test_escape_puts_all_cards_back():
    app = app_at(leading())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("space", "right", "space")
        await until_said(pilot, "33: pair")
        await pilot.press("escape")
        await until_said(pilot, "Your turn: you lead")
        assert chosen(app) == ""


async def test_mouse_raises_plays_and_passes():
    app = app_at(following("TT"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn: beat TT or pass (p)")
        for card in held(app)[13:15]:
            await click(pilot, lambda card=card: card, lambda card=card: card.chosen)
        assert chosen(app) == "QQ"
        await click(pilot, lambda: held(app)[14], lambda: not held(app)[14].chosen)
        await click(pilot, lambda: held(app)[15], lambda: held(app)[15].chosen)
        await click(pilot, lambda: "#play", lambda: "you: QQ" in text(app, "#log Static"))
    app = app_at(following("TT"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await click(pilot, lambda: "ActionButton", lambda: "you: pass" in text(app, "#log Static"))


async def test_typed_cards_are_raised_in_the_hand():
    app = app_at(leading())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press(*"qq3")
        await until_said(pilot, "3QQ is not a combination")
        assert chosen(app) == "3QQ"
        await pilot.press("backspace", *"q33", "enter")
        await until_said(pilot, "you: 33QQQ", "#log Static")
        assert not table_screen(app).query_one("#move").display


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("33", "33: pair"),
        ("aa", "you do not hold AA"),
        ("QQQ+3", "QQQ+3: trio with a solo"),
        ("33p", "Your turn: you lead"),
    ],
)
async def test_description_covers_all_typed_cards_held_or_not(typed: str, said: str):
    app = app_at(leading())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("colon", *typed)
        await until_said(pilot, said)


@pytest.mark.parametrize("keys", ["qqq33", ":qqq33"])
async def test_burst_of_keys_types_a_whole_move(keys: str):
    app = app_at(leading())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        press_at_once(app, f"{keys}\n")
        await until_said(pilot, "you: 33QQQ", "#log Static")


async def test_pasted_move_replaces_raised_card():
    app = app_at(leading())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("space")
        app.post_message(Paste(" qqq33 \n"))
        press_at_once(app, "\n")
        await until_said(pilot, "you: 33QQQ", "#log Static")


async def test_mistyped_key_and_enter_do_not_play_raised_card():
    app = app_at(leading())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("space")
        press_at_once(app, "z\n")
        await until_said(pilot, "'z' is not a card")
        assert "you:" not in text(app, "#log Static")


async def test_typing_the_same_card_again_raises_it_again():
    app = app_at(leading())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        for _ in range(2):
            await pilot.press("5")
            await until_said(pilot, "5: solo")
            assert chosen(app) == "5"
            await pilot.press("escape", "escape")
            await until_said(pilot, "Your turn: you lead")
            assert chosen(app) == ""


async def test_pass_has_key_and_can_be_typed():
    for keys in (["p"], ["colon", *"pass", "enter"]):
        app = app_at(following("TT"))
        async with app.run_test(size=(80, 24)) as pilot:
            await until_said(pilot, "Your turn")
            await pilot.press(*keys)
            await until_said(pilot, "you: pass", "#log Static")


async def test_typed_text_is_cleared_for_next_round():
    search = FakeSearch()
    app = app_at(leading(hands=[17, "3", 17], to_move=1, landlord=1), search, Scripted())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "is thinking")
        await pilot.press("5", "6")
        assert app.screen.query_one(MoveInput).display
        search.released.set()
        await until(pilot, lambda: dialog(app) == "RoundOverDialog")
        await pilot.press("n")
        await until_said(pilot, "round 2", "#title")
        assert not table_screen(app).query_one(MoveInput).display


async def test_move_typed_before_the_turn_stays():
    search = FakeSearch()
    app = app_at(following("TT", to_move=2, last_by=1), Scripted(), search)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "fake-search 2 is thinking")
        await pilot.press(*"q", *"q", "enter")
        await until_said(pilot, "it is not your turn")
        search.released.set()
        await until_said(pilot, "Your turn")
        assert chosen(app) == "QQ"
        await pilot.press("enter")
        await until_said(pilot, "you: QQ", "#log Static")


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        (["enter"], "no cards are chosen: choose a card with space, or type the cards"),
        (["space", "right", "right", "right", "space", "enter"], "34 is not a combination"),
        ([*"99", "enter"], "99, a pair, does not beat TT: that takes a higher pair, a bomb or the rocket"),
        ([*"aa", "enter"], "you do not hold AA"),
        (["colon", *"hello", "enter"], "'H' in 'hello' is not a card"),
    ],
)
async def test_illegal_cards_are_refused_with_reason(keys: list[str], why: str):
    app = app_at(following("TT"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press(*keys)
        await until(pilot, lambda: why in " ".join(text(app, "#status").split()))
        assert table_screen(app).query_one("#status").has_class("-warning")
        assert "you" not in text(app, "#log Static").replace("you are", "").replace("you take", "")


async def test_leader_may_not_pass():
    app = app_at(leading())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        for keys in (["p"], ["colon", *"pass", "enter"]):
            await pilot.press(*keys)
            await until_said(pilot, "you lead and may not pass")
            await pilot.press("escape", "space")
            await until_said(pilot, "3: solo")
            await pilot.press("space")


@pytest.mark.parametrize("typed", [True, False])
async def test_cards_with_several_readings_open_a_question(typed: bool):
    app = app_at(leading("333444555666789TJQKA", rules="openspiel"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        cards = [*"333444555666"] if typed else ["space", *["right", "space"] * 11]
        await pilot.press(*cards, "enter")
        await until(pilot, lambda: dialog(app) == "DecisionDialog" and app.screen.query(OptionList))
        shown = "\n".join(str(line.prompt) for line in app.screen.query_one(OptionList).options)
        assert "1  chain of 4 trios" in shown and "3  444555666 with 333" in shown
        await pilot.press("escape")
        await until(pilot, lambda: dialog(app) == "GamePlayerScreen")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "DecisionDialog" and app.screen.query(OptionList))
        await pilot.press("2")
        await until_said(pilot, "you: 333444555+666", "#log Static")


async def test_hint_shows_live_search_and_raises_cards():
    search = FakeSearch()
    app = app_at(following("TT"), hint=lambda: search)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("h")
        await until_said(pilot, "QQQQ", "#report")
        first = text(app, "#report")
        await until(pilot, lambda: text(app, "#report") != first)
        search.released.set()
        await until_said(pilot, "Hint: fake-search would play pass")
        assert chosen(app) == ""
    app = app_at(following("TT"), hint=lambda: Scripted("QQ"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("h")
        await until_said(pilot, "Hint: scripted would play QQ")
        assert chosen(app) == "QQ"
        await pilot.press("enter")
        await until_said(pilot, "you: QQ", "#log Static")


async def test_search_of_opponent_shows_only_simulation_count():
    search = FakeSearch()
    app = app_at(doudizhu().position(hands=["3456", "TJQK", 3], landlord=1), search, Scripted())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "fake-search 1 is thinking", "#report")
        assert not set(text(app, "#report")) & set("TJQK")
        search.released.set()
        await until_said(pilot, "Your turn")


async def test_round_over_dialog_shows_both_peasants_as_winners():
    app = app_at(doudizhu().position(hands=["9", "345QQQ", "78"], landlord=1, to_move=0, bid=3, bombs=2))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("enter", "space", "enter")
        await until(pilot, lambda: dialog(app) == "RoundOverDialog" and app.screen.query(".box"))
        assert app.screen.query_one(".box").border_title == "You and scripted 2 have won the round"
        shown = dialog_text(app)
        assert "you               +3   3 points" in shown and "scripted 1        -6   -6 points" in shown
        assert "3 4 5 Q Q Q" in shown and "no cards" in shown
        assert "landlord: scripted 1, stake 3, 2 bombs" in shown
        await pilot.press("n")
        await until_said(pilot, "round 2 · you 3 · scripted 1 -6 · scripted 2 3 · points", "#title")


async def test_round_over_dialog_names_stake_multipliers():
    state = leading("R", "spring=double", "shutout=none", "bomb-doubling=double", hands=["R", 17, 17], bombs=1, bid=2)
    app = app_at(state)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        assert "stake 2 × 2, 1 bomb" in text(app, "#words")
        await pilot.press("space", "enter")
        await until(pilot, lambda: dialog(app) == "RoundOverDialog" and app.screen.query(".box"))
        shown = dialog_text(app)
        assert "landlord: you, stake 2 × 4, 1 bomb, spring" in shown and "+16" in shown


async def test_x_leaves_and_q_types_a_queen():
    app = app_at(leading())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("q")
        await until_said(pilot, "Q: solo")
        assert app.is_running
        await pilot.press("escape", "x", "x")
        await until(pilot, lambda: not app.is_running)


async def test_help_names_the_keys_and_the_rules():
    app = app_at(leading())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("f1")
        await until(pilot, lambda: dialog(app) == "HelpDialog" and app.screen.query(".box"))
        shown = dialog_text(app)
        assert "space, up, down choose a card" in shown and "adjoining-kickers allowed" in shown


async def test_no_color_environment_variable_removes_colors(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NO_COLOR", "1")
    app: Any = app_at(leading())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        assert app.no_color
        await pilot.press("space")
        await until_said(pilot, "3: solo")
        high, low = (str(card.render()) for card in held(app)[:2])
        assert (high, low) == ("3\n ", " \n3")


async def test_ambiguous_move_chosen_twice_in_a_burst_opens_one_question():
    hands = ["3334445556667", "789TJ", "789TJ"]
    app = app_at(doudizhu(rules="douzero").position(hands=hands, landlord=0, to_move=0))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        press_at_once(app, "333444555666")
        await until_said(pilot, "333444555666")
        press_at_once(app, "\n\n")
        await until(pilot, lambda: dialog(app) == "DecisionDialog")
        await pilot.pause(0.3)
        assert [type(screen).__name__ for screen in app.screen_stack].count("DecisionDialog") == 1
        await pilot.press("q")
        await until(pilot, lambda: dialog(app) == "GamePlayerScreen")
        assert app.is_running, "a queen is typed"


async def test_queen_typed_as_round_ends_does_not_leave():
    state = leading(hands=["QQQ88", "3", "456789"], to_move=1)
    app = app_at(state, Scripted("3"), Scripted())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: dialog(app) == "RoundOverDialog" and app.screen.query(".box"))
        await pilot.press("q", "q")
        assert app.is_running and dialog(app) == "RoundOverDialog"
        await pilot.press("escape")
        await until_said(pilot, "n: next round, x: quit")
        await pilot.press("x")
        await until(pilot, lambda: not app.is_running)
