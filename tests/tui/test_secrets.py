"""Hidden cards never influence the person's screen: equal, colors included, for all hands of the opponents."""

from typing import Any

import pytest
from textual.widgets import Static

from cardgames.core import ops
from cardgames.core.state import State
from cardgames.kernels import rng
from cardgames.tui.uno.wording import card_name
from tests.differences import assert_same_observation
from tests.tui.company import FakeSearch, Scripted, app_at, dialog, still_picture, text, uno, until, until_said


def shuffled(state: State, seed: int) -> State:
    """Return a state with the hidden cards dealt again, which seat 0 cannot distinguish from `state`."""
    record = state.record.copy()
    ops.determinize(state.game.kernel_rules, state.observation(0).record, rng.stream(seed), record)
    other = State(state.game, record, state.game.opening_events(record))
    assert_same_observation(other.observation(0), state.observation(0))
    assert other.to_dict()["hands"][1:] != state.to_dict()["hands"][1:]
    return other


@pytest.fixture
def screen_changes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Record every change of the screen in order: the part and its new text."""
    changes: list[tuple[str, str]] = []
    update = Static.update

    def record_update(self: Static, content: Any = "", **options: Any) -> None:
        name, said = self.id or f"{type(self).__name__} {getattr(self, 'seat', '')}", str(content)
        if next((before for part, before in reversed(changes) if part == name), None) != said:
            changes.append((name, said))
        update(self, content, **options)

    monkeypatch.setattr(Static, "update", record_update)
    # long private decisions are announced; on a slow machine that would make the screens differ
    monkeypatch.setattr("cardgames.tui.screens.base_table_screen.PACE", 60)
    return changes


def take_all(changes: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the recorded changes and clear the list."""
    entries = changes[:]
    changes.clear()
    return entries


async def picture_at_own_turn(state: State, *others: Any) -> str:
    """Return the person's screen when it is the person's turn."""
    app = app_at(state, *others)
    async with app.run_test(size=(120, 40)) as pilot:
        await until_said(pilot, "Your turn")
        return await still_picture(pilot)


@pytest.mark.parametrize("seed", [1, 2])
async def test_first_screen_does_not_depend_on_hidden_cards(seed: int):
    state = uno(3).position(hands=["r1 r2 g5", 7, 7], top="r5", seed=seed)
    assert await picture_at_own_turn(state) == await picture_at_own_turn(shuffled(state, seed))


async def test_keeping_drawn_card_looks_the_same_with_and_without_a_choice(screen_changes: list[tuple[str, str]]):
    game = uno(3)
    hands = ["r1 r2 g5", "b1 b2 b3", "b4 b6 b7"]
    choice = game.position(hands=hands, top="r5", to_move=1, draw="r9 y1")
    none = game.position(hands=hands, top="r5", to_move=1, draw="y9 y1")
    agents = Scripted("draw", "keep"), Scripted("draw", "keep")
    others = Scripted("draw"), Scripted("draw")
    pictures, all_changes = [], []
    for state, players in ((choice, agents), (none, others)):
        pictures.append(await picture_at_own_turn(state, *players))
        all_changes.append(take_all(screen_changes))
    assert pictures[0] == pictures[1] and all_changes[0] == all_changes[1]
    assert agents[0].decisions == 2 and others[0].decisions == 1


async def test_search_of_private_decision_is_not_shown():
    game, search = uno(3), FakeSearch()
    state = game.position(hands=["r1 r2 g5", "b1 b2 b3", "b4 b6 b7"], top="r5", to_move=1, draw="r9")
    state.apply_action(game.parse_action("draw"))
    app = app_at(state, search, Scripted())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "scripted 2 is thinking")
        await until(pilot, lambda: search.snapshot() is not None)
        await pilot.pause(0.3)
        assert text(app, "#report") == ""
        search.released.set()
        await until_said(pilot, "Your turn")


ABLE_OR_NOT = {
    "to jump in": ("jump-in=identical", "r1 r2 g5", "r1 b2 b3", "y1 b2 b3", "r1"),
    "to stack": ("stacking=same", "rd r2 g5", "gd b2 b3", "g9 b2 b3", "rd"),
}


@pytest.mark.parametrize("what", ABLE_OR_NOT)
async def test_private_option_of_opponent_does_not_show(what: str, screen_changes: list[tuple[str, str]]):
    rule, own, able, unable, card = ABLE_OR_NOT[what]
    game = uno(3, rule)
    pictures, all_changes, decisions = [], [], []
    for hand in (able, unable):
        opponents = Scripted("no jump", "take", "draw", "keep"), Scripted("draw", "keep")
        app = app_at(game.position(hands=[own, hand, "b4 b6 b7"], top="r5", draw="y9 y8 y7 y6"), *opponents)
        async with app.run_test(size=(120, 40)) as pilot:
            await until_said(pilot, "Your turn")
            await pilot.press(*card, "enter")
            await until_said(pilot, f"you: {card_name(card)}", "#log Static")
            await until_said(pilot, "Your turn")
            pictures.append(await still_picture(pilot))
            assert dialog(app) == "GamePlayerScreen"
        all_changes.append(take_all(screen_changes))
        decisions.append(opponents[0].decisions)
    assert pictures[0] == pictures[1] and all_changes[0] == all_changes[1]
    assert decisions[0] > decisions[1], "only the opponent with the option decides"


async def test_hands_are_revealed_only_after_the_round():
    app = app_at(uno(2).position(hands=["r1", "y1 y2 y8"], top="r5"))
    async with app.run_test(size=(120, 40)) as pilot:
        await until_said(pilot, "Your turn")
        assert "Y8" not in text(app, "Static") and "y8" not in text(app, "Static")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "RoundOverDialog")
        assert any("Y8" in str(part.render()) for part in app.screen.query("Static"))
