"""Questions of the auction and of doubling: dialogs answered by key, arrows, mouse, and at the table."""

from typing import Any

import pytest
from textual.widgets import OptionList

from cardgames.core.state import State
from cardgames.tui.table_app import CardGames
from cardgames.tui.widgets.actions import ActionBar, ActionButton
from tests.tui.company import (
    Scripted,
    app_at,
    click,
    dialog,
    dialog_text,
    doudizhu,
    leaves_in_sight,
    press_at_once,
    table_screen,
    text,
    until,
    until_said,
    unwrapped,
)

HANDS = ["33445566778899TTJ", None, None]


def auction(*said: str, rules: str = "classic", seed: int = 1) -> State:
    """Return an auction opened with these words, the last of them by seat 2; seat 0 is to act."""
    state = doudizhu(rules=rules).position(hands=HANDS, to_move=-len(said) % 3, seed=seed)
    for words in said:
        state.apply_action(state.game.parse_action(words))
    return state


def doubling() -> State:
    """Return a round in which seat 0 has called and decides last whether to double."""
    return auction("pass", "pass", "call", "pass", "double", rules="online")


CASES: dict[str, tuple[tuple[str, ...], str, str, dict[str, str]]] = {
    "bid": ((), "classic", "Be the landlord?", {"2": "you: bid 2", "p": "you: pass"}),
    "bid more": (("bid 1", "pass"), "classic", "Be the landlord?", {"3": "you: bid 3", "p": "you: pass"}),
    "call": ((), "online", "Be the landlord?", {"c": "you: call", "p": "you: pass"}),
    "rob": (("call", "pass"), "online", "Be the landlord?", {"r": "you: rob", "p": "you: pass"}),
}


def case(name: str) -> tuple[CardGames, str, dict[str, str]]:
    """Return an app in which a question is about to open, its title, and the answers as key -> log line."""
    said, rules, title, answers = CASES[name]
    return app_at(auction(*said, rules=rules)), title, answers


async def wait_for_question(pilot: Any, app: Any) -> None:
    await until(pilot, lambda: dialog(app) == "DecisionDialog" and app.screen.query(OptionList))
    await pilot.pause()


@pytest.mark.parametrize("name", CASES)
async def test_question_can_be_answered_by_key(name: str):
    app, title, answers = case(name)
    key, words = next(iter(answers.items()))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        assert app.screen.query_one(".box").border_title == title
        await pilot.press(key)
        await until_said(pilot, words, "#log Static")


@pytest.mark.parametrize("name", CASES)
async def test_question_can_be_answered_with_arrow_keys(name: str):
    app, _, answers = case(name)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        options = app.screen.query_one(OptionList).options
        words = next(iter(answers.values()))
        line = next(i for i, option in enumerate(options) if option.id == words.removeprefix("you: "))
        await pilot.press(*["down"] * line, "enter")
        await until_said(pilot, words, "#log Static")


async def test_key_pressed_twice_answers_once():
    app, _, _ = case("bid")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        press_at_once(app, "333")
        await until_said(pilot, "Your turn: you lead")
        assert text(app, "#log Static").count("you: ") == 1


async def test_auction_labels_fit_on_buttons():
    app, _, _ = case("call")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        buttons = list(table_screen(app).query(ActionButton))
        assert [str(button.label) for button in buttons] == ["p  Pass", "c  Call landlord"]
        assert all(len(str(button.label)) <= button.size.width for button in buttons)


async def test_question_can_be_answered_with_mouse():
    app, _, _ = case("bid")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        await click(pilot, lambda: OptionList, lambda: dialog(app) == "GamePlayerScreen", offset=(3, 3))
        await until_said(pilot, "you: bid 3", "#log Static")


@pytest.mark.parametrize("name", CASES)
async def test_question_can_be_closed_and_answered_at_the_table(name: str):
    app, _, answers = case(name)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        await pilot.press("escape")
        await until(pilot, lambda: dialog(app) == "GamePlayerScreen")
        key, words = list(answers.items())[-1]
        assert any(button.choice.key == key for button in table_screen(app).query("ActionButton"))
        assert not table_screen(app).query_one("#play").display
        await pilot.press(key)
        await until_said(pilot, words, "#log Static")


async def test_highest_bid_and_hand_stay_visible_during_auction():
    app, _, _ = case("bid more")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        assert "scripted 1 has bid 1." in unwrapped(app)
        assert [option.id for option in app.screen.query_one(OptionList).options] == ["pass", "bid 2", "bid 3"]
        box = app.screen.query_one(".box").region
        assert all(not box.overlaps(card.region) for card in table_screen(app).query("HeldCard"))


@pytest.mark.parametrize("name", ["bid more", "rob"])
@pytest.mark.parametrize("sizes", [((120, 40), (130, 44)), ((80, 24), (120, 40)), ((120, 40), (80, 24))])
async def test_question_dialog_covers_neither_table_nor_hand_nor_hints(
    name: str, sizes: tuple[tuple[int, int], tuple[int, int]]
):
    app, _, _ = case(name)
    async with app.run_test(size=sizes[0]) as pilot:
        await wait_for_question(pilot, app)

        def clear() -> bool:
            return leaves_in_sight(app, ".seat", "HeldCard", "#words", "#search")

        await until(pilot, clear)
        await pilot.resize_terminal(*sizes[1])
        await until(pilot, clear)


async def test_question_moves_when_the_table_below_changes():
    app, _, _ = case("rob")
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_for_question(pilot, app)
        await until(pilot, lambda: app.screen.has_class("-low"))
        table_screen(app).query_one("#seats").styles.margin = (0, 0, 12, 0)
        await until(
            pilot, lambda: app.screen.has_class("-beside") and leaves_in_sight(app, ".seat", "HeldCard", "#words")
        )


@pytest.mark.parametrize(("name", "size"), [("bid more", (120, 35)), ("rob", (120, 36)), ("bid more", (80, 26))])
async def test_question_place_is_the_same_after_resizing(name: str, size: tuple[int, int]):
    async def place(*sizes: tuple[int, int]) -> object:
        app, _, _ = case(name)
        async with app.run_test(size=sizes[0]) as pilot:
            await wait_for_question(pilot, app)
            for size in sizes[1:]:
                await pilot.resize_terminal(*size)
            region = None
            while region is None or region != app.screen.query_one(".box").region:
                region = app.screen.query_one(".box").region
                await pilot.pause(0.5)
            return app.screen.classes, region

    assert await place(size) == await place((80, 24), size)


async def test_question_taller_than_log_moves_its_text_to_status_line():
    app, _, _ = case("bid more")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        await until(pilot, lambda: app.screen.has_class("-brief"))
        assert "scripted 1 has bid 1." in text(app, "#status")
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: app.screen.has_class("-low") and not app.screen.has_class("-brief"))


async def test_placing_a_closed_question_does_nothing():
    app, _, _ = case("bid more")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        closed = app.screen
        await pilot.resize_terminal(120, 35)
        await pilot.press("escape")
        await until(pilot, lambda: dialog(app) == "GamePlayerScreen")
        closed.find_place()


async def test_landlord_takes_three_cards_and_leads():
    app, _, _ = case("bid")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        assert "the three cards are  hidden" in text(app, "#words")
        await pilot.press("3")
        await until_said(pilot, "Your turn: you lead")
        assert len(table_screen(app).query("HeldCard")) == 20
        assert "you are the landlord" in text(app, "#log Static") and "you take up " in text(app, "#log Static")
        assert "hidden" not in text(app, "#words") and "stake 3" in text(app, "#words")


async def test_doubling_question_and_its_result_are_shown():
    app = app_at(doubling())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        assert app.screen.query_one(".box").border_title == "Double?"
        assert "You are the landlord" in dialog_text(app)
        assert "scripted 2\npeasant, × 2, 17 cards\ndouble" in text(app, ".seat")
        await pilot.press("d")
        await until_said(pilot, "you: double", "#log Static")
        await until_said(pilot, "Your turn: you lead")
        assert str(app.screen.query_one("#own").border_title) == "Your hand, landlord, × 2, 20 cards"
        assert "double" not in text(app, ".seat") and "pass" not in text(app, ".seat"), "that was before the play"
        assert not app.screen.query_one("#own").border_subtitle


async def test_redeal_is_logged_and_new_hand_shown():
    app = app_at(auction("pass", "pass"), Scripted("bid 3"), Scripted("bid 3"))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        before = "".join(card.card for card in table_screen(app).query("HeldCard"))
        await pilot.press("p")
        await until_said(pilot, "all passed, the cards are dealt again", "#log Static")
        await until(pilot, lambda: "".join(card.card for card in table_screen(app).query("HeldCard")) != before)
        assert "is dealt" not in text(app, "#log Static")


async def test_cards_are_rejected_during_auction():
    app, _, _ = case("bid")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        await pilot.press("escape", "colon", *"33", "enter")
        await until_said(pilot, "no cards are played yet: choose from pass, bid 1, bid 2, bid 3")


async def test_enter_in_auction_repeats_the_question():
    app, title, _ = case("bid")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        await pilot.press("escape", "enter")
        await until_said(pilot, title)


async def test_button_of_another_decision_is_ignored():
    app, _, _ = case("bid")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        await pilot.press("escape")
        table_screen(app).post_message(ActionBar.Chosen(doudizhu().parse_action("33")))
        await pilot.press("1")
        await until_said(pilot, "you: bid 1", "#log Static")


async def test_no_landlord_in_void_round():
    app = app_at(auction("pass", "pass", rules="openspiel"))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        await pilot.press("p")
        await until(pilot, lambda: dialog(app) == "RoundOverDialog")
        assert "the three cards are" in text(app, "#words")


async def test_hint_works_while_question_is_open():
    app = app_at(auction(), hint=lambda: Scripted("bid 3"))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app)
        await pilot.press("h")
        await until_said(pilot, "Hint: scripted would play bid 3")
        assert dialog(app) == "DecisionDialog"
