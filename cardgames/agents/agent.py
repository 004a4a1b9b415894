"""What an agent is given and what it answers."""

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
    """How much an agent may think about one decision, in place of the budget its own options give it.

    Of a time and a number, whatever is reached first ends the search. Raises `InvalidInput` for what is no limit.
    """

    time: float | None = None
    """Seconds, above 0; without `simulations` beside it a search runs as many as fit in."""
    simulations: int | None = None
    """Simulated rounds in all, at least 1."""

    def __post_init__(self) -> None:
        time, number = self.time, self.simulations
        if time is not None and not _is_positive_seconds(time):
            raise InvalidInput(f"a limit's time is a number of seconds above 0, not {short_repr(time)}")
        if number is not None and (not is_integer(number) or number < 1):
            raise InvalidInput(f"a limit's simulations are a whole number from 1, not {short_repr(number)}")


@dataclass(frozen=True)
class Decision:
    """An agent's answer."""

    action: int
    policy: dict[int, float] = field(default_factory=dict)
    """Action id -> probability or share of visits, as far as the agent has one."""
    value: float | None = None
    """The agent's estimate of what the round is worth to it, in [0, 1]."""
    report: Any = None
    """What the agent has to say of it: a `search.report.SearchReport`, or None."""


@runtime_checkable
class Agent(Protocol):
    """Anything that decides from an observation. A new agent with the same seed decides the same way."""

    name: str

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Decide for `observation.player`, who is to move."""
        ...


def check_limit(limit: object) -> None:
    """Raise `InvalidInput` unless this is a limit, or None for no other than an agent's own."""
    if limit is not None and not isinstance(limit, Limit):
        raise InvalidInput(f"a limit is a Limit(time=...) or Limit(simulations=...), not {limit!r}")


def check_act_arguments(game: "Game", observation: Observation, limit: Limit | None) -> None:
    """Raise `InvalidInput` unless an agent of `game` is shown what the seat to move sees at such a table, and a limit."""
    check_limit(limit)
    game.check_observation(observation)
    if not observation.legal_actions:
        raise InvalidInput(f"seat {observation.player} is not to move: an agent decides for the seat that is")


def forced_decision(observation: Observation) -> Decision | None:
    """Return the decision where there is but one legal action, else None."""
    if len(observation.legal_actions) != 1:
        return None
    (action,) = observation.legal_actions
    return Decision(action, {action: 1.0})


def ask(agent: Agent, observation: Observation, limit: Limit | None = None) -> Decision:
    """Return what the agent decides. Raises `InvalidInput` naming one that fails, or answers with anything else than a
    `Decision`.
    """
    return checked_decision(agent, agent.act, observation, limit)


def is_cheating(agent: object) -> bool:
    """Return whether an agent cheats, by a method `peek` that is shown the whole state: a yardstick, no player."""
    return hasattr(agent, "peek")


def is_searcher(agent: object) -> bool:
    """Return whether an agent searches: it has a method `snapshot`, which returns the report of the search under way."""
    return hasattr(agent, "snapshot")


def decide(agent: Agent, state: State, limit: Limit | None = None) -> Decision:
    """Ask the agent whose turn it is. One that cheats, and so has a method `peek`, is shown the whole state.

    Raises `InvalidInput` as `ask` does.
    """
    peek: Callable[[State, Limit | None], Decision] | None = getattr(agent, "peek", None)
    return ask(agent, state.observation(), limit) if peek is None else checked_decision(agent, peek, state, limit)


def checked_decision(agent: Agent, method: Callable[..., object], *shown: object) -> Decision:
    """Return what a method of the agent decides. Raises `InvalidInput` as `ask` does."""
    try:
        decision = method(*shown)
    except KeyboardInterrupt:
        raise  # also where it is an `Exception`: `kernels.indirect_call.Interrupted`
    except InvalidInput as error:
        raise InvalidInput(f"agent {agent.name}: {error}") from error
    except (Exception, SystemExit) as error:
        raise InvalidInput(f"agent {agent.name} failed: {describe_failure(error)}") from error
    if not isinstance(decision, Decision):
        raise InvalidInput(f"agent {agent.name}: act returns a Decision, not {type(decision).__name__}")
    if decision.value is not None and not _is_probability(decision.value):
        raise InvalidInput(f"agent {agent.name}: a decision's value is a number from 0 to 1, or None")
    if not isinstance(decision.policy, dict) or not all(map(_is_probability, decision.policy.values())):
        raise InvalidInput(f"agent {agent.name}: a decision's policy has a chance from 0 to 1 for each action")
    return decision


def describe_failure(error: BaseException) -> str:
    """Return in one line what went wrong in code of somebody else's, and where: the last place of his own that led there.

    To be called where the error was caught.
    """
    words = " ".join("".join(traceback.format_exception_only(error)).split())
    called = traceback.extract_tb(error.__traceback__)[1:]
    place = ([frame for frame in called if _is_agent_code(Path(frame.filename))] or called)[-1:]
    return f"{words} ({Path(place[0].filename).name}, line {place[0].lineno})" if place else words


def _is_agent_code(path: Path) -> bool:
    """Return whether code is an agent's own: not this package's, Python's (also `<frozen ...>`) or another package's."""
    others = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")]
    within = any(path.is_relative_to(folder) for folder in (Path(__file__).parent.parent, *others))
    return not within and not path.name.startswith("<frozen")


def _is_positive_seconds(seconds: object) -> bool:
    if isinstance(seconds, bool) or not isinstance(seconds, Real):
        return False
    try:
        return 0 < float(seconds) < math.inf
    except OverflowError:  # a whole number that no float holds
        return False


def _is_probability(number: object) -> bool:
    return isinstance(number, Real) and bool(0 <= number <= 1)  # type: ignore[operator]


def play_decision(agent: Agent, state: State, action: int) -> None:
    """Play what an agent decided. Raises `InvalidInput` naming it if that is not legal now."""
    try:
        state.apply_action(action)
    except InvalidInput as error:
        raise InvalidInput(f"agent {agent.name}: {error}") from None
