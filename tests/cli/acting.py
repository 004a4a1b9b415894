"""Agents at tables of these tests: some end the game they play, one talks."""

import signal
import sys
import time

from cardgames.agents.agent import Agent, Decision, Limit
from cardgames.agents.agent_factory import agent
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


class Pondering:
    """Plays the first action, and thinks for hours at the tenth deal of its process: of two that share an arena, nine deals
    ahead at most, the first deal is told by then.
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
