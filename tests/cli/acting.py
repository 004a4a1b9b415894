"""Agents at tables of these tests: some end the game they play, one talks."""

import signal
import sys
import time

from cardgames.core.agents import agent
from cardgames.core.decision import Agent, Decision, Limit
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from tests.command import PATIENCE


class Interrupting:
    """Plays the first action, and after a while Ctrl-C is pressed."""

    name = "interrupting"
    decisions = 0

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        Interrupting.decisions += 1
        return self.end() if Interrupting.decisions > 200 else Decision(observation.legal_actions[0])

    def end(self) -> Decision:
        raise KeyboardInterrupt


class Ending(Interrupting):
    """Plays the first action, and after a while the process is asked to end."""

    asked = 0
    """The signal by which."""

    def end(self) -> Decision:
        signal.raise_signal(self.asked)
        raise AssertionError


class FailingLate(Interrupting):
    """Plays the first action, and after a while one that is not legal."""

    def end(self) -> Decision:
        return Decision(9999)


class Pondering(Interrupting):
    """Plays the first action, and after a while thinks for hours."""

    def end(self) -> Decision:
        print("pondering", file=sys.stderr, flush=True)
        time.sleep(10 * PATIENCE)
        raise AssertionError


def interrupting(game: Game, seed: int) -> Agent:
    return Interrupting()


def ending(game: Game, seed: int) -> Agent:
    return Ending()


def failing_late(game: Game, seed: int) -> Agent:
    return FailingLate()


def pondering(game: Game, seed: int) -> Agent:
    return Pondering()


def talkative(game: Game, seed: int) -> Agent:
    print("here I am", flush=True)
    return agent("random", game, seed)
