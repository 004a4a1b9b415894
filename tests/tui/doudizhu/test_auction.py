"""What is said before the play is asked in dialogs, and can be answered by key, by arrows, by mouse and at the table."""

from typing import Any

import pytest
from textual.widgets import OptionList

from cardgames.core.state import State
from cardgames.tui.app import CardGames
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
)

HANDS = ["33445566778899TTJ", None, None]


def auction(*said: str, rules: str = "classic", seed: int = 1) -> State:
    """Return an auction that seat 0, the first to speak, has opened, or the others with these words."""
    state = doudizhu(rules=rules).position(hands=HANDS, to_move=-len(said) % 3, seed=seed)
    for words in said:
        state.apply_action(state.game.parse_action(words))
    return state


def doubling() -> State:
    """Return a round in which seat 0 has called, and is asked last whether to double."""
    return auction("pass", "pass", "call", "pass", "double", rules="online")


CASES: dict[str, tuple[tuple[str, ...], str, str, dict[str, str]]] = {
    "bid": ((), "classic", "Be the landlord?", {"2": "you: bid 2", "p": "you: pass"}),
    "bid more": (("bid 1", "pass"), "classic", "Be the landlord?", {"3": "you: bid 3", "p": "you: pass"}),
    "call": ((), "online", "Be the landlord?", {"c": "you: call", "p": "you: pass"}),
    "rob": (("call", "pass"), "online", "Be the landlord?", {"r": "you: rob", "p": "you: pass"}),
}


def case(name: str) -> tuple[CardGames, str, dict[str, str]]:
    """Return an app in which the person is about to be asked, the dialog's title, and key -> the log's words."""
    said, rules, title, answers = CASES[name]
    return app_at(auction(*said, rules=rules)), title, answers


async def asked(pilot: Any, app: Any) -> None:
    await until(pilot, lambda: dialog(app) == "QuestionDialog" and app.screen.query(OptionList))
    await pilot.pause()


@pytest.mark.parametrize("name", CASES)
async def test_a_question_is_answered_by_its_key(name: str):
    app, title, answers = case(name)
    key, words = next(iter(answers.items()))
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        assert app.screen.query_one(".box").border_title == title
        await pilot.press(key)
        await until_said(pilot, words, "#log Static")


@pytest.mark.parametrize("name", CASES)
async def test_a_question_is_answered_with_the_arrows(name: str):
    app, _, answers = case(name)
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        options = app.screen.query_one(OptionList).options
        words = next(iter(answers.values()))
        line = next(i for i, option in enumerate(options) if option.id == words.removeprefix("you: "))
        await pilot.press(*["down"] * line, "enter")
        await until_said(pilot, words, "#log Static")


async def test_a_key_pressed_twice_answers_once():
    app, _, _ = case("bid")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        press_at_once(app, "333")
        await until_said(pilot, "Your turn: you lead")
        assert text(app, "#log Static").count("you: ") == 1


async def test_what_may_be_said_fits_on_its_button():
    app, _, _ = case("call")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        buttons = list(table_screen(app).query(ActionButton))
        assert [str(button.label) for button in buttons] == ["p  Pass", "c  Call: be landlord"]
        assert all(len(str(button.label)) <= button.size.width for button in buttons)


async def test_a_question_is_answered_with_the_mouse():
    app, _, _ = case("bid")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        await click(pilot, lambda: OptionList, lambda: dialog(app) == "GamePlayerScreen", offset=(3, 3))
        await until_said(pilot, "you: bid 3", "#log Static")


@pytest.mark.parametrize("name", CASES)
async def test_the_table_can_be_looked_at_and_the_answer_given_there(name: str):
    app, _, answers = case(name)
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        await pilot.press("escape")
        await until(pilot, lambda: dialog(app) == "GamePlayerScreen")
        key, words = list(answers.items())[-1]
        assert any(button.choice.key == key for button in table_screen(app).query("ActionButton"))
        assert not table_screen(app).query_one("#play").display
        await pilot.press(key)
        await until_said(pilot, words, "#log Static")


async def test_the_highest_bid_and_the_hand_are_in_sight():
    app, _, _ = case("bid more")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        assert "So far scripted 1 would be it, at stake 1." in " ".join(dialog_text(app).split())
        assert [option.id for option in app.screen.query_one(OptionList).options] == ["pass", "bid 2", "bid 3"]
        box = app.screen.query_one(".box").region
        assert all(not box.overlaps(card.region) for card in table_screen(app).query("HeldCard"))


@pytest.mark.parametrize("name", ["bid more", "rob"])
@pytest.mark.parametrize("sizes", [((120, 40), (130, 44)), ((80, 24), (120, 40)), ((120, 40), (80, 24))])
async def test_a_question_leaves_the_table_the_hand_and_hints_in_sight(
    name: str, sizes: tuple[tuple[int, int], tuple[int, int]]
):
    app, _, _ = case(name)
    async with app.run_test(size=sizes[0]) as pilot:
        await asked(pilot, app)

        def clear() -> bool:
            return leaves_in_sight(app, ".seat", "HeldCard", "#words", "#search")

        await until(pilot, clear)
        await pilot.resize_terminal(*sizes[1])
        await until(pilot, clear)


async def test_a_question_follows_what_moves_below_it():
    app, _, _ = case("rob")
    async with app.run_test(size=(120, 40)) as pilot:
        await asked(pilot, app)
        await until(pilot, lambda: app.screen.has_class("-low"))
        table_screen(app).query_one("#seats").styles.margin = (0, 0, 12, 0)
        await until(
            pilot, lambda: app.screen.has_class("-beside") and leaves_in_sight(app, ".seat", "HeldCard", "#words")
        )


@pytest.mark.parametrize(("name", "size"), [("bid more", (120, 35)), ("rob", (120, 36)), ("bid more", (80, 26))])
async def test_a_question_finds_the_same_place_at_once_and_after_a_change_of_size(name: str, size: tuple[int, int]):
    async def place(*sizes: tuple[int, int]) -> object:
        app, _, _ = case(name)
        async with app.run_test(size=sizes[0]) as pilot:
            await asked(pilot, app)
            for size in sizes[1:]:
                await pilot.resize_terminal(*size)
            found = None
            while found is None or found != app.screen.query_one(".box").region:
                found = app.screen.query_one(".box").region
                await pilot.pause(0.5)
            return app.screen.classes, found

    assert await place(size) == await place((80, 24), size)


async def test_a_question_longer_than_the_log_is_asked_below_the_table():
    app, _, _ = case("bid more")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        await until(pilot, lambda: app.screen.has_class("-brief"))
        assert "So far scripted 1 would be it" in text(app, "#status")
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: app.screen.has_class("-low") and not app.screen.has_class("-brief"))


async def test_a_question_that_is_closed_already_needs_no_place():
    app, _, _ = case("bid more")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        closed = app.screen
        await pilot.resize_terminal(120, 35)
        await pilot.press("escape")
        await until(pilot, lambda: dialog(app) == "GamePlayerScreen")
        closed.find_place()


async def test_the_landlord_takes_up_three_cards_and_leads():
    app, _, _ = case("bid")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        assert "the three cards are  hidden" in text(app, "#words")
        await pilot.press("3")
        await until_said(pilot, "Your turn: you lead")
        assert len(table_screen(app).query("HeldCard")) == 20
        assert "you are the landlord" in text(app, "#log Static") and "you take up " in text(app, "#log Static")
        assert "hidden" not in text(app, "#words") and "stake 3" in text(app, "#words")


async def test_doubling_is_asked_and_shown():
    app = app_at(doubling())
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        assert app.screen.query_one(".box").border_title == "Double?"
        assert "You are the landlord" in dialog_text(app)
        assert "scripted 2\npeasant, × 2, 17 cards\ndouble" in text(app, ".seat")
        await pilot.press("d")
        await until_said(pilot, "you: double", "#log Static")
        await until_said(pilot, "Your turn: you lead")
        assert str(app.screen.query_one("#own").border_title) == "Your hand, landlord, × 2, 20 cards"
        assert "double" not in text(app, ".seat") and "pass" not in text(app, ".seat"), "that was before the play"
        assert not app.screen.query_one("#own").border_subtitle


async def test_a_redeal_is_told_and_the_new_hand_shown():
    app = app_at(auction("pass", "pass"), Scripted("bid 3"), Scripted("bid 3"))
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        before = "".join(card.card for card in table_screen(app).query("HeldCard"))
        await pilot.press("p")
        await until_said(pilot, "all passed, the cards are dealt again", "#log Static")
        await until(pilot, lambda: "".join(card.card for card in table_screen(app).query("HeldCard")) != before)
        assert "is dealt" not in text(app, "#log Static")


async def test_cards_are_not_played_yet():
    app, _, _ = case("bid")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        await pilot.press("escape", "colon", *"33", "enter")
        await until_said(pilot, "no cards are played yet: choose from pass, bid 1, bid 2, bid 3")


async def test_enter_plays_nothing_yet_and_asks_again():
    app, title, _ = case("bid")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        await pilot.press("escape", "enter")
        await until_said(pilot, title)


async def test_a_button_of_another_decision_answers_nothing():
    app, _, _ = case("bid")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        await pilot.press("escape")
        table_screen(app).post_message(ActionBar.Chosen(doudizhu().parse_action("33")))
        await pilot.press("1")
        await until_said(pilot, "you: bid 1", "#log Static")


async def test_nobody_takes_up_cards_in_a_void_round():
    app = app_at(auction("pass", "pass", rules="openspiel"))
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        await pilot.press("p")
        await until(pilot, lambda: dialog(app) == "RoundOverDialog")
        assert "the three cards are" in text(app, "#words")


async def test_a_hint_can_be_had_during_a_question():
    app = app_at(auction(), hint=lambda: Scripted("bid 3"))
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app)
        await pilot.press("h")
        await until_said(pilot, "Hint: scripted would play bid 3")
        assert dialog(app) == "QuestionDialog"
