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
        if Interrupting.decisions > 200:
            raise KeyboardInterrupt
        return Decision(observation.legal_actions[0])


class Ending(Interrupting):
    """Plays the first action, and after a while the process is asked to end."""

    asked = 0
    """The signal by which."""

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        try:
            return super().act(observation, limit)
        except KeyboardInterrupt:
            signal.raise_signal(self.asked)
            raise AssertionError from None


def interrupting(game: Game, seed: int) -> Agent:
    return Interrupting()


def ending(game: Game, seed: int) -> Agent:
    return Ending()


class FailingLate(Interrupting):
    """Plays the first action, and after a while one that is not legal."""

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        try:
            return super().act(observation, limit)
        except KeyboardInterrupt:
            return Decision(9999)


def failing_late(game: Game, seed: int) -> Agent:
    return FailingLate()


class Pondering(Interrupting):
    """Plays the first action, and after a while thinks for hours."""

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        try:
            return super().act(observation, limit)
        except KeyboardInterrupt:
            print("pondering", file=sys.stderr, flush=True)
            time.sleep(10 * PATIENCE)
            raise AssertionError from None


def pondering(game: Game, seed: int) -> Agent:
    return Pondering()


def talkative(game: Game, seed: int) -> Agent:
    print("here I am")
    return agent("random", game, seed)
