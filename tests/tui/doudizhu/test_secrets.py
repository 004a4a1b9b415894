"""Hidden cards never influence the person's screen: equal, colors included, for all hands of the opponents."""

import pytest

from cardgames.core.state import State
from tests.tui.company import Scripted, app_at, dialog, doudizhu, still_picture, table_screen, text, until, until_said
from tests.tui.test_secrets import picture_at_own_turn, screen_changes, shuffled, take_all

__all__ = ["screen_changes"]

HANDS = ["33445566778899TTJ", None, None]


def auction(seed: int) -> State:
    return doudizhu().position(hands=HANDS, to_move=0, seed=seed)


async def first_question(state: State) -> str:
    app = app_at(state)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: dialog(app) == "DecisionDialog" and app.screen.query("OptionList"))
        return await still_picture(pilot)


@pytest.mark.parametrize("seed", [1, 2])
async def test_auction_screen_does_not_depend_on_hidden_cards(seed: int):
    state = auction(seed)
    other = shuffled(state, seed)
    assert other.to_dict()["bottom"] != state.to_dict()["bottom"]
    assert await first_question(state) == await first_question(other)


@pytest.mark.parametrize("landlord", [0, 1])
async def test_play_screen_does_not_depend_on_hidden_cards(landlord: int):
    state = doudizhu().position(hands=["34567TTQ2", 8, 9], landlord=landlord, to_move=0, bottom="38K", seed=3)
    assert await picture_at_own_turn(state) == await picture_at_own_turn(shuffled(state, 4))


async def test_screen_does_not_depend_on_hands_if_moves_are_equal(screen_changes: list[tuple[str, str]]):
    pictures, all_changes = [], []
    game = doudizhu()
    for second, third in (("33448JK", "55669QA"), ("33669QK", "44558JA")):
        state = game.position(hands=["789TJ2R", second, third], landlord=0, seed=5)
        app = app_at(state, Scripted("K"), Scripted("A"))
        async with app.run_test(size=(120, 40)) as pilot:
            await until_said(pilot, "Your turn")
            await pilot.press(*"7", "enter")
            await until_said(pilot, "Your turn: beat A")
            pictures.append(await still_picture(pilot))
        all_changes.append(take_all(screen_changes))
    assert pictures[0] == pictures[1] and all_changes[0] == all_changes[1]


async def test_hands_are_revealed_only_after_the_round():
    app = app_at(doudizhu().position(hands=["2", "3456789TJJ", "34567QQKK"], landlord=0, seed=1))
    async with app.run_test(size=(120, 40)) as pilot:
        await until_said(pilot, "Your turn")
        everything = text(app, "Static")
        assert "Q" not in everything and "J" not in everything
        assert [str(card.render()).strip() for card in table_screen(app).query("HeldCard")] == ["2"]
        await pilot.press("space", "enter")
        await until(pilot, lambda: dialog(app) == "RoundOverDialog" and app.screen.query("Static"))
        assert any("Q Q K K" in str(part.render()) for part in app.screen.query("Static"))
