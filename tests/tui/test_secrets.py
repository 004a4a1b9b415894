"""Nothing hidden reaches the person's screen: it is the same, colours and all, whatever the others hold."""

from typing import Any

import pytest

from cardgames.core import ops, rng
from cardgames.core.game import State
from tests.tui.company import FakeSearch, Scripted, app_at, dialog, picture, text, uno, until, until_said


def shuffled(state: State, seed: int) -> State:
    """Return a state with the hidden cards dealt anew, which seat 0 cannot tell from `state`."""
    record = state.record.copy()
    ops.determinize(state.game.kernel_rules, state.observation(0).record, rng.stream(seed), record)
    other = State(state.game, record, state.game.opening_events(record))
    assert other.observation(0).to_bytes() == state.observation(0).to_bytes()
    assert other.to_dict()["hands"][1:] != state.to_dict()["hands"][1:]
    return other


async def seen(state: State, *others: Any) -> str:
    """Return the person's screen when it is his turn."""
    app = app_at(state, *others)
    async with app.run_test(size=(120, 40)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.pause()
        return picture(app)


@pytest.mark.parametrize("seed", [1, 2])
async def test_the_first_picture_does_not_depend_on_hidden_cards(seed: int):
    state = uno(3).position(hands=["r1 r2 g5", 7, 7], top="r5", seed=seed)
    assert await seen(state) == await seen(shuffled(state, seed))


async def test_drawing_and_keeping_looks_the_same_with_and_without_a_choice():
    game = uno(3)
    hands = ["r1 r2 g5", "b1 b2 b3", "b4 b6 b7"]
    choice = game.position(hands=hands, top="r5", to_move=1, draw="r9 y1")
    none = game.position(hands=hands, top="r5", to_move=1, draw="y9 y1")
    agents = Scripted("draw", "keep"), Scripted("draw", "keep")
    others = Scripted("draw"), Scripted("draw")
    assert await seen(choice, *agents) == await seen(none, *others)
    assert agents[0].asked == 2 and others[0].asked == 1


async def test_a_search_in_private_is_not_shown():
    game, search = uno(3), FakeSearch()
    state = game.position(hands=["r1 r2 g5", "b1 b2 b3", "b4 b6 b7"], top="r5", to_move=1, draw="r9")
    state.apply_action(game.parse_action("draw"))
    app = app_at(state, search, Scripted())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "scripted 2 thinks")
        await until(pilot, lambda: search.snapshot() is not None)
        await pilot.pause(0.3)
        assert text(app, "#report") == ""
        search.released.set()
        await until_said(pilot, "Your turn")


async def test_being_able_to_jump_in_looks_the_same_as_not():
    game = uno(3, "jump-in=identical")
    able = game.position(hands=["r1 r2 g5", "r1 b2 b3", "b4 b6 b7"], top="r5")
    unable = game.position(hands=["r1 r2 g5", "y1 b2 b3", "b4 b6 b7"], top="r5")
    pictures = []
    for state in (able, unable):
        app = app_at(state, Scripted("draw", "keep"), Scripted("draw", "keep"))
        async with app.run_test(size=(120, 40)) as pilot:
            await until_said(pilot, "Your turn")
            await pilot.press("enter")
            await until_said(pilot, "you: r1", "#lines")
            await until_said(pilot, "Your turn")
            await pilot.pause()
            pictures.append(picture(app))
            assert dialog(app) == "PlayScreen"
    assert pictures[0] == pictures[1]


async def test_hands_are_revealed_only_once_the_round_is_over():
    app = app_at(uno(2).position(hands=["r1", "y1 y2 y8"], top="r5"))
    async with app.run_test(size=(120, 40)) as pilot:
        await until_said(pilot, "Your turn")
        assert "Y8" not in text(app, "Static") and "y8" not in text(app, "Static")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "RoundOver")
        assert any("Y8" in str(part.render()) for part in app.screen.query("Static"))
