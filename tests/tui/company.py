"""Helpers of the terminal tests: games, scripted agents, sessions, and functions that read the screen."""

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
from cardgames.tui.session import Session
from cardgames.tui.table_app import CardGames, play_app

FAST = float("inf")
PATIENCE = 120.0
"""Seconds within which every awaited change must happen, including compilation."""


def uno(players: int = 3, *overrides: str, rules: str = "official") -> Game:
    return cardgames.make("uno", players=players, rules=rules, overrides=overrides)


def doudizhu(*overrides: str, rules: str = "classic") -> Game:
    return cardgames.make("doudizhu", rules=rules, overrides=overrides)


def seated(game: Game, *names: str | None, seed: int = 0, recorder: Any = None) -> Session:
    """Return a session with the agents of these names, None for the person."""
    agents = [None if name is None else cardgames.agent(name, game, seed=seat) for seat, name in enumerate(names)]
    return Session(game, agents, seed=seed, recorder=recorder)


def set_up(session: Session, state: State) -> Session:
    """Make the session's next round begin at `state` instead of a deal."""
    session.deal = lambda: session.begin(state.clone())  # type: ignore[method-assign]
    return session


def app_at(state: State, *others: Any, **options: Any) -> CardGames:
    """Return an app with the person on seat 0 at `state`; the other seats are `others`, by default scripted agents."""
    game = state.game
    agents = [*others] or [Scripted() for _ in range(game.num_players - 1)]
    return play_app(set_up(Session(game, [None, *agents]), state), speed=FAST, **options)


class Scripted:
    """Agent that plays the given actions in turn, else the first legal one of `keep`, `pass`, `accept` and so on."""

    name = "scripted"

    def __init__(self, *actions: str) -> None:
        self.actions = list(actions)
        self.decisions = 0

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        self.decisions += 1
        texts = [observation.game.action_to_string(action, observation) for action in observation.legal_actions]
        wished = [*self.actions[:1], "keep", "pass", "accept", "let go", "quiet", "no jump", "take", "draw"]
        text = next((wish for wish in wished if wish in texts), texts[0])
        if self.actions and text == self.actions[0]:
            self.actions.pop(0)
        return Decision(observation.legal_actions[texts.index(text)])


class FakeSearch:
    """Agent that searches until it is released or stopped, with a growing report."""

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
    """Wait for `condition`; fail if the app fails."""
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
    """Click on `target` until `outcome` is true: a click before the screen is laid out has no effect."""
    end = time.monotonic() + PATIENCE
    while not outcome():
        assert time.monotonic() < end, "clicked in vain"
        await pilot.click(target(), offset=offset)
        await pilot.pause(0.1)


_KEYS = {"\n": "enter", ":": "colon", "/": "slash", "\b": "backspace", "\x01": "ctrl+a"}


def press_at_once(app: Any, keys: str) -> None:
    """Send keys (also enter, backspace, ctrl+a) in one burst, as a terminal does when it pastes."""
    for character in keys:
        app.post_message(Key(_KEYS.get(character, character), character))


async def until_said(pilot: Pilot[Any], words: str, where: str = "#status") -> None:
    """Wait until a part of the table screen contains `words`."""
    await until(pilot, lambda: words in text(pilot.app, where))


def listening(app: Any) -> list[str]:
    """Return a list that collects every message of the table screen, also those that are soon replaced."""
    screen, said = table_screen(app), []
    say = screen.say

    def heard(words: str, **kinds: Any) -> None:
        said.append(words)
        say(words, **kinds)

    screen.say = heard
    return said


def text(app: Any, where: str) -> str:
    """Return the plain text of parts of the table screen."""
    return "\n".join(str(part.render()) for part in table_screen(app).query(where))


def dialog_text(app: Any) -> str:
    """Return the plain text of the open dialog."""
    return "\n".join(str(part.render()) for part in app.screen.query("Static"))


def table_screen(app: Any) -> Any:
    return app.screen_stack[1]


def unwrapped(app: Any) -> str:
    """Return the text of the open dialog in one line."""
    return " ".join(dialog_text(app).split())


def hand(app: Any) -> list[str]:
    """Return the cards of the person's hand with their markers."""
    return [str(card.render()).rstrip() for card in table_screen(app).query("Card")]


def dialog(app: Any) -> str:
    """Return the class name of the open dialog, `GamePlayerScreen` if none is open."""
    return type(app.screen).__name__


async def still_picture(pilot: Pilot[Any]) -> str:
    """Return the rendered screen once four renderings in a row are equal.

    The key bar follows a dialog late on a busy machine.
    """
    looks = [picture(pilot.app)]
    while len(looks) < 4 or len(set(looks[-4:])) > 1:
        await pilot.pause(0.1)
        looks.append(picture(pilot.app))
    return looks[-1]


def picture(app: Any) -> str:
    """Return the rendered screen, colors included."""
    return app.export_screenshot()


def leaves_in_sight(app: CardGames, *parts: str) -> bool:
    """Return whether the dialog covers none of these parts of the table screen, all of which must exist."""
    box, shown = app.screen.query_one(".box").region, [table_screen(app).query(part) for part in parts]
    return bool(box and all(shown)) and not any(box.overlaps(part.region) for widgets in shown for part in widgets)
