"""The interface of agents (`Agent`, `Limit`, `Decision`), and checked calls of an agent's methods."""

import math
import sysconfig
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.support.errors import InvalidInput, is_integer, short_repr

if TYPE_CHECKING:
    from cardgames.core.game import Game


@dataclass(frozen=True)
class Limit:
    """Budget of one decision; it replaces the budget that the agent's own options set.

    If both time and simulations are given, the search ends when the first of them is used up.

    Raises:
        InvalidInput: If a bound is out of range.
    """

    time: float | None = None
    """Seconds for the decision, above 0. If only the time is given, a search runs as many simulations as fit in."""
    simulations: int | None = None
    """Total number of simulations of the search, at least 1."""

    def __post_init__(self) -> None:
        time, number = self.time, self.simulations
        if time is not None and not _is_positive_seconds(time):
            raise InvalidInput(f"a limit's time is a number of seconds above 0, not {short_repr(time)}")
        if number is not None and (not is_integer(number) or number < 1):
            raise InvalidInput(f"a limit's simulations are a whole number from 1, not {short_repr(number)}")


UNITS = ("win", "points")
"""Units of a decision's value: the probability of winning in [0, 1], or the mean payoff of the round."""


@dataclass(frozen=True)
class Decision:
    """An agent's decision: the action, and optionally its probabilities, value estimate and search report."""

    action: int
    policy: dict[int, float] = field(default_factory=dict)
    """Action id -> probability or share of the visits; empty if the agent computes none."""
    value: float | None = None
    """The agent's estimate of the round's value for itself, in `unit`."""
    report: Any = None
    """Report of the search behind the decision, a `search.report.SearchReport`; None without a search."""
    unit: str = "win"
    """Unit of `value`: `win`, the probability of winning in [0, 1], or `points`, the mean payoff of the round."""


@runtime_checkable
class Agent(Protocol):
    """Protocol of agents: objects that decide from an observation.

    Two new agents with the same seed make the same decisions.
    """

    name: str

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Return a decision for the player to move, `observation.player`, within `limit` (None: the agent's own budget)."""
        ...


def check_limit(limit: object) -> None:
    """Raise `InvalidInput` unless `limit` is a `Limit` or None."""
    if limit is not None and not isinstance(limit, Limit):
        raise InvalidInput(f"a limit is a Limit(time=...) or Limit(simulations=...), not {limit!r}")


def check_act_arguments(game: "Game", observation: Observation, limit: Limit | None) -> None:
    """Check that the arguments of `Agent.act` fit the agent's game.

    Raises:
        InvalidInput: If the observation is of another game or of a seat that is not to move, or `limit` is not a `Limit`.
    """
    check_limit(limit)
    game.check_observation(observation)
    if not observation.legal_actions:
        raise InvalidInput(f"it is not the turn of seat {observation.player}: an agent decides for the player to move")


def forced_decision(observation: Observation) -> Decision | None:
    """Return the decision for the only legal action (probability 1); None if there are several or none."""
    if len(observation.legal_actions) != 1:
        return None
    (action,) = observation.legal_actions
    return Decision(action, {action: 1.0})


def ask(agent: Agent, observation: Observation, limit: Limit | None = None) -> Decision:
    """Return the decision of an agent that sees only `observation`, after checks.

    Raises:
        InvalidInput: If the agent raises an exception, or does not return a valid `Decision`; the message names the agent.
    """
    return checked_decision(agent, agent.act, observation, limit)


def is_cheating(agent: object) -> bool:
    """Return whether an agent sees hidden cards: it has a method `peek`, which takes the state."""
    return hasattr(agent, "peek")


def is_searcher(agent: object) -> bool:
    """Return whether an agent searches: it has a method `snapshot`, which returns the report of the running search."""
    return hasattr(agent, "snapshot")


def decide(agent: Agent, state: State, limit: Limit | None = None) -> Decision:
    """Return the decision of an agent for the player to move. An agent with a method `peek` gets the whole state.

    Raises:
        InvalidInput: If the agent raises an exception, or does not return a valid `Decision`.
    """
    peek: Callable[[State, Limit | None], Decision] | None = getattr(agent, "peek", None)
    return ask(agent, state.observation(), limit) if peek is None else checked_decision(agent, peek, state, limit)


def checked_decision(agent: Agent, method: Callable[..., object], *arguments: object) -> Decision:
    """Call a method of an agent and return its decision, after a check that value and probabilities are in [0, 1].

    Raises:
        InvalidInput: If the method raises an exception, or does not return a valid `Decision`; the message names the agent.
    """
    try:
        decision = method(*arguments)
    except KeyboardInterrupt:
        raise  # `kernels.indirect_call.CompilationInterrupted` is both a KeyboardInterrupt and an Exception
    except InvalidInput as error:
        raise InvalidInput(f"agent {agent.name}: {error}") from error
    except (Exception, SystemExit) as error:
        raise InvalidInput(f"agent {agent.name} failed: {describe_failure(error)}") from error
    if not isinstance(decision, Decision):
        raise InvalidInput(f"agent {agent.name}: act returns a Decision, not {type(decision).__name__}")
    if decision.unit not in UNITS:
        raise InvalidInput(f"agent {agent.name}: a decision's unit is {' or '.join(UNITS)}, not {decision.unit!r:.40}")
    if decision.value is not None and not is_value(decision.value, decision.unit):
        raise InvalidInput(f"agent {agent.name}: a decision's value is a number, in the unit win from 0 to 1, or None")
    if not isinstance(decision.policy, dict) or not all(map(_is_probability, decision.policy.values())):
        raise InvalidInput(f"agent {agent.name}: a decision's policy has a probability from 0 to 1 for each action")
    return decision


def describe_failure(error: BaseException) -> str:
    """Return one line about an exception raised by a user's code: its message, file and line number.

    The line is the last one of the user's own code on the stack. Call this in the function that caught the exception.
    """
    message = " ".join("".join(traceback.format_exception_only(error)).split())
    frames = traceback.extract_tb(error.__traceback__)[1:]
    place = ([frame for frame in frames if _is_user_code(Path(frame.filename))] or frames)[-1:]
    return f"{message} ({Path(place[0].filename).name}, line {place[0].lineno})" if place else message


def _is_user_code(path: Path) -> bool:
    """Return whether a source file is the user's own: not of this package, of Python or of an installed package."""
    installed = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")]
    is_library = any(path.is_relative_to(folder) for folder in (Path(__file__).parent.parent, *installed))
    return not is_library and not path.name.startswith("<frozen")


def _is_positive_seconds(seconds: object) -> bool:
    if isinstance(seconds, bool) or not isinstance(seconds, Real):
        return False
    try:
        return 0 < float(seconds) < math.inf
    except OverflowError:  # a whole number too large for a float
        return False


def is_value(number: object, unit: str) -> bool:
    """Return whether a number can be a value in `unit` (one of `UNITS`): finite, and in [0, 1] if the unit is `win`."""
    return _is_probability(number) if unit == "win" else isinstance(number, Real) and _is_finite(number)


def _is_finite(number: Real) -> bool:
    try:
        return math.isfinite(float(number))
    except OverflowError:  # a whole number too large for a float
        return False


def _is_probability(number: object) -> bool:
    return isinstance(number, Real) and bool(0 <= number <= 1)  # type: ignore[operator]


def play_decision(agent: Agent, state: State, action: int) -> None:
    """Play in `state` the action that an agent chose.

    Raises:
        InvalidInput: If the action is not legal; the message names the agent.
    """
    try:
        state.apply_action(action)
    except InvalidInput as error:
        raise InvalidInput(f"agent {agent.name}: {error}") from None
