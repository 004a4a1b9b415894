"""Who sits at the tables of these tests, and how a test looks at a screen."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

from textual.events import Key
from textual.pilot import Pilot

import cardgames
from cardgames.agents.agent import Decision, Limit
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.search.report import ActionStatistics, SearchReport
from cardgames.tui.app import CardGames, play_app
from cardgames.tui.session import Session

FAST = float("inf")
PATIENCE = 120.0
"""Seconds within which anything must happen, compiling included."""


def uno(players: int = 3, *overrides: str, rules: str = "official") -> Game:
    return cardgames.make("uno", players=players, rules=rules, overrides=overrides)


def doudizhu(*overrides: str, rules: str = "classic") -> Game:
    return cardgames.make("doudizhu", rules=rules, overrides=overrides)


def seated(game: Game, *names: str | None, seed: int = 0, recorder: Any = None) -> Session:
    """Return a table with these agents, None for the person."""
    agents = [None if name is None else cardgames.agent(name, game, seed=seat) for seat, name in enumerate(names)]
    return Session(game, agents, seed=seed, recorder=recorder)


def set_up(table: Session, state: State) -> Session:
    """Have the table's next round begin at `state` instead of a deal."""
    table.deal = lambda: table.begin(state.clone())  # type: ignore[method-assign]
    return table


def app_at(state: State, *others: Any, **options: Any) -> CardGames:
    """Return an app for a person on seat 0 at `state`; the other seats are agents, or `stuck` ones."""
    game = state.game
    agents = [*others] or [Scripted() for _ in range(game.num_players - 1)]
    return play_app(set_up(Session(game, [None, *agents]), state), speed=FAST, **options)


class Scripted:
    """Plays given actions in turn, then whatever comes first of `keep`, `accept`, `let go`, `draw`."""

    name = "scripted"

    def __init__(self, *actions: str) -> None:
        self.actions = list(actions)
        self.asked = 0

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        self.asked += 1
        texts = [observation.game.action_to_string(action, observation) for action in observation.legal_actions]
        wished = [*self.actions[:1], "keep", "pass", "accept", "let go", "quiet", "no jump", "take", "draw"]
        text = next((wish for wish in wished if wish in texts), texts[0])
        if self.actions and text == self.actions[0]:
            self.actions.pop(0)
        return Decision(observation.legal_actions[texts.index(text)])


class FakeSearch:
    """Searches until it is released or stopped, and tells how far it is."""

    name = "fake-search"

    def __init__(self) -> None:
        self.released = threading.Event()
        self.stopped = False
        self._report: SearchReport | None = None

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        done = 0
        while not self.released.is_set():
            done += 10
            self._report = _report(self.name, observation, done)
            time.sleep(0.01)
        report = _report(self.name, observation, done)
        self._report = None
        return Decision(observation.legal_actions[0], {}, 0.5, report)

    def snapshot(self) -> SearchReport | None:
        return self._report

    def stop(self) -> None:
        self.stopped = True
        self.released.set()


def _report(name: str, observation: Observation, done: int) -> SearchReport:
    actions = tuple(
        ActionStatistics(action, observation.game.action_to_string(action, observation), done, 0.5, 0.01)
        for action in observation.legal_actions
    )
    return SearchReport(name, observation.player, done * len(actions), 0.1, actions)


async def until(pilot: Pilot[Any], condition: Callable[[], Any]) -> None:
    """Wait for `condition`; fail if the app does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        failure = pilot.app.failure  # type: ignore[attr-defined]
        if failure is not None:
            raise failure
        assert time.monotonic() < end, f"waited in vain; the screen says {text(pilot.app, '#status')!r}"
        await asyncio.sleep(0.02)


async def click(
    pilot: Pilot[Any], target: Callable[[], Any], outcome: Callable[[], Any], offset: tuple[int, int] = (0, 0)
) -> None:
    """Click where `target` is until there is the `outcome`: a click before the screen is laid out goes nowhere."""
    end = time.monotonic() + PATIENCE
    while not outcome():
        assert time.monotonic() < end, "clicked in vain"
        await pilot.click(target(), offset=offset)
        await pilot.pause(0.1)


_KEYS = {"\n": "enter", ":": "colon", "/": "slash", "\b": "backspace", "\x01": "ctrl+a"}


def press_at_once(app: Any, keys: str) -> None:
    """Press keys (also enter, backspace, ctrl+a) as fast as a terminal that pastes them: nothing is done between them."""
    for character in keys:
        app.post_message(Key(_KEYS.get(character, character), character))


async def until_said(pilot: Pilot[Any], words: str, where: str = "#status") -> None:
    """Wait until a part of the table's screen says `words`."""
    await until(pilot, lambda: words in text(pilot.app, where))


def listening(app: Any) -> list[str]:
    """Return a list of what the table's screen says from now on: what is soon said over is in it too."""
    screen, said = table_screen(app), []
    say = screen.say

    def heard(words: str, **kinds: Any) -> None:
        said.append(words)
        say(words, **kinds)

    screen.say = heard
    return said


def text(app: Any, where: str) -> str:
    """Return the plain text of parts of the table's screen."""
    return "\n".join(str(part.render()) for part in table_screen(app).query(where))


def dialog_text(app: Any) -> str:
    """Return the plain text of the dialog that is open."""
    return "\n".join(str(part.render()) for part in app.screen.query("Static"))


def table_screen(app: Any) -> Any:
    return app.screen_stack[1]


def hand(app: Any) -> list[str]:
    """Return the cards of the person's hand as they are marked."""
    return [str(card.render()).rstrip() for card in table_screen(app).query("Card")]


def dialog(app: Any) -> str:
    """Return the kind of dialog that is open, `GamePlayerScreen` if none is."""
    return type(app.screen).__name__


async def still_picture(pilot: Pilot[Any]) -> str:
    """Return all that is on the screen once it has been painted: four looks in a row show the same (the line of keys
    follows a dialog late on a busy machine).
    """
    looks = [picture(pilot.app)]
    while len(looks) < 4 or len(set(looks[-4:])) > 1:
        await pilot.pause(0.1)
        looks.append(picture(pilot.app))
    return looks[-1]


def picture(app: Any) -> str:
    """Return all that is on the screen, colours included."""
    return app.export_screenshot()


def leaves_in_sight(app: CardGames, *parts: str) -> bool:
    """Return whether the dialog's box covers nothing of these parts of the table's screen, all of which are there."""
    box, shown = app.screen.query_one(".box").region, [table_screen(app).query(part) for part in parts]
    return bool(box and all(shown)) and not any(box.overlaps(part.region) for found in shown for part in found)
