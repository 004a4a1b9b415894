"""Agents for tests of the command line: they interrupt, fail, block or print during a game."""

import signal
import sys
import time

from cardgames.agents.agent import Agent, Decision, Limit
from cardgames.agents.agent_factory import agent
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from tests.command import PATIENCE


class Interrupting:
    """Plays the first legal action; after 200 decisions it raises `KeyboardInterrupt`, as Ctrl-C does."""

    name = "interrupting"
    decisions = 0

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        Interrupting.decisions += 1
        return self.end() if Interrupting.decisions > 200 else Decision(observation.legal_actions[0])

    def end(self) -> Decision:
        raise KeyboardInterrupt


class Ending(Interrupting):
    """Plays the first legal action; after 200 decisions it sends a signal to its own process."""

    signal_number = 0
    """The signal to send."""

    def end(self) -> Decision:
        signal.raise_signal(self.signal_number)
        raise AssertionError


class FailingLate(Interrupting):
    """Plays the first legal action; after 200 decisions it plays an illegal one."""

    def end(self) -> Decision:
        return Decision(9999)


class Pondering:
    """Plays the first legal action, and blocks for hours from the tenth deal of its process on.

    When two processes share an arena, at least one deal has been reported by then.
    """

    name = "pondering"
    deals = 0

    def __init__(self) -> None:
        Pondering.deals += 1

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        if Pondering.deals < 10:
            return Decision(observation.legal_actions[0])
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
