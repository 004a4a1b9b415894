"""Nothing hidden reaches the person's screen: it is the same, colours and all, whatever the others hold."""

from typing import Any

import pytest
from textual.widgets import Static

from cardgames.core import ops
from cardgames.core.state import State
from cardgames.kernels import rng
from tests.tui.company import FakeSearch, Scripted, app_at, dialog, still_picture, text, uno, until, until_said


def shuffled(state: State, seed: int) -> State:
    """Return a state with the hidden cards dealt anew, which seat 0 cannot tell from `state`."""
    record = state.record.copy()
    ops.determinize(state.game.kernel_rules, state.observation(0).record, rng.stream(seed), record)
    other = State(state.game, record, state.game.opening_events(record))
    assert other.observation(0).to_bytes() == state.observation(0).to_bytes()
    assert other.to_dict()["hands"][1:] != state.to_dict()["hands"][1:]
    return other


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """All that ever changes on the screen, in its order: which part, and what it says from then on."""
    journal: list[tuple[str, str]] = []
    update = Static.update

    def noted(self: Static, content: Any = "", **options: Any) -> None:
        name, said = self.id or f"{type(self).__name__} {getattr(self, 'seat', '')}", str(content)
        if next((before for part, before in reversed(journal) if part == name), None) != said:
            journal.append((name, said))
        update(self, content, **options)

    monkeypatch.setattr(Static, "update", noted)
    # who is asked in private and takes long is waited for with a word: however slow the machine, not here
    monkeypatch.setattr("cardgames.tui.screens.table_screen.PACE", 60)
    return journal


def taken(journal: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return what is in the journal, leaving it empty."""
    entries = journal[:]
    journal.clear()
    return entries


async def seen(state: State, *others: Any) -> str:
    """Return the person's screen when it is his turn."""
    app = app_at(state, *others)
    async with app.run_test(size=(120, 40)) as pilot:
        await until_said(pilot, "Your turn")
        return await still_picture(pilot)


@pytest.mark.parametrize("seed", [1, 2])
async def test_the_first_picture_does_not_depend_on_hidden_cards(seed: int):
    state = uno(3).position(hands=["r1 r2 g5", 7, 7], top="r5", seed=seed)
    assert await seen(state) == await seen(shuffled(state, seed))


async def test_drawing_and_keeping_looks_the_same_with_and_without_a_choice(shown: list[tuple[str, str]]):
    game = uno(3)
    hands = ["r1 r2 g5", "b1 b2 b3", "b4 b6 b7"]
    choice = game.position(hands=hands, top="r5", to_move=1, draw="r9 y1")
    none = game.position(hands=hands, top="r5", to_move=1, draw="y9 y1")
    agents = Scripted("draw", "keep"), Scripted("draw", "keep")
    others = Scripted("draw"), Scripted("draw")
    pictures, journals = [], []
    for state, company in ((choice, agents), (none, others)):
        pictures.append(await seen(state, *company))
        journals.append(taken(shown))
    assert pictures[0] == pictures[1] and journals[0] == journals[1]
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


ABLE_OR_NOT = {
    "to jump in": ("jump-in=identical", "r1 r2 g5", "r1 b2 b3", "y1 b2 b3", "r1"),
    "to stack": ("stacking=same", "rd r2 g5", "gd b2 b3", "g9 b2 b3", "rd"),
}


@pytest.mark.parametrize("what", ABLE_OR_NOT)
async def test_being_able_looks_the_same_as_not_from_first_to_last(what: str, shown: list[tuple[str, str]]):
    rule, own, able, unable, card = ABLE_OR_NOT[what]
    game = uno(3, rule)
    pictures, journals, asked = [], [], []
    for hand in (able, unable):
        company = Scripted("no jump", "take", "draw", "keep"), Scripted("draw", "keep")
        app = app_at(game.position(hands=[own, hand, "b4 b6 b7"], top="r5", draw="y9 y8 y7 y6"), *company)
        async with app.run_test(size=(120, 40)) as pilot:
            await until_said(pilot, "Your turn")
            await pilot.press(*card, "enter")
            await until_said(pilot, f"you: {card}", "#log Static")
            await until_said(pilot, "Your turn")
            pictures.append(await still_picture(pilot))
            assert dialog(app) == "GamePlayerScreen"
        journals.append(taken(shown))
        asked.append(company[0].asked)
    assert pictures[0] == pictures[1] and journals[0] == journals[1]
    assert asked[0] > asked[1], "the one who was able has been asked"


async def test_hands_are_revealed_only_once_the_round_is_over():
    app = app_at(uno(2).position(hands=["r1", "y1 y2 y8"], top="r5"))
    async with app.run_test(size=(120, 40)) as pilot:
        await until_said(pilot, "Your turn")
        assert "Y8" not in text(app, "Static") and "y8" not in text(app, "Static")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "RoundOverDialog")
        assert any("Y8" in str(part.render()) for part in app.screen.query("Static"))
