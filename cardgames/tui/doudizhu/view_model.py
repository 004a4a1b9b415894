"""View model of Dou Di Zhu: all that a screen may show of the table to one seat or to a spectator, with cards as text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from cardgames.core.events import ACTION
from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.doudizhu.events import LANDLORD, REDEALT
from cardgames.doudizhu.notation import action_text
from cardgames.doudizhu.rules.anti_spring import anti_spring_factor
from cardgames.doudizhu.rules.multiplier_cap import cap_multiplier
from cardgames.doudizhu.rules.payoff import stake_multiplier
from cardgames.doudizhu.rules.shutout import shutout_factor
from cardgames.doudizhu.rules.spring import spring_factor
from cardgames.doudizhu.state import PLAYERS

_FINAL_MULTIPLIERS = {"spring": spring_factor, "anti-spring": anti_spring_factor, "shutout": shutout_factor}
"""Rule that may multiply the stake at the end of a round -> function that returns the factor for a finished round."""


@dataclass(frozen=True)
class ViewModel:
    """Everything of the table that one seat, or a spectator, may see at one moment."""

    to_move: int
    """Seat that has to decide next; -1 when the round is over."""
    phase: str
    """Kind of the next decision, one of the names in `doudizhu.state.PHASES`."""
    hands: tuple[str | None, ...]
    """Hand of each seat as text in ascending order; None if it is hidden from the viewer."""
    counts: tuple[int, ...]
    """Number of cards of each seat."""
    landlord: int | None
    """Seat of the landlord; None during the auction."""
    bidder: int | None
    """Seat that would be the landlord if the auction ended now; None if no seat has bid or called."""
    bottom: str
    """The three cards that the landlord gets in addition; empty if they are hidden."""
    last: int
    """Action (a move) that the next move must beat; 0 if the seat to move leads."""
    last_by: int | None
    """Seat that played `last`; None if no seat has."""
    last_actions: tuple[str | None, ...]
    """Last action of each seat as text; None for a seat that has not acted.

    Only actions in the current phase of the round count: auction, doubling or play.
    """
    bid: int
    """Stake of the round before any multiplication; 0 until a seat has bid."""
    factor: int
    """Factor by which the stake is multiplied so far, without the factors in `doubles`."""
    final_multipliers: tuple[str, ...]
    """Names of the rules, such as `spring`, that multiplied the stake at the end of the round; empty before."""
    robs: int
    """Number of times that a seat robbed the landlord's role in the auction."""
    bombs: int
    """Number of bombs played."""
    rockets: int
    """Number of rockets played."""
    doubles: tuple[int, ...]
    """Factor by which each seat has multiplied its own stake by doubling; 1 if it has not doubled."""
    legal: tuple[int, ...]
    """Legal actions of the viewing seat; empty for a spectator."""


def seat_view(observation: Observation) -> ViewModel:
    """Return the view model for the seat of an observation."""
    plain = observation.to_dict()
    hands: list[str | None] = [None] * PLAYERS
    hands[observation.player] = plain["hand"]
    return _make_view(observation, plain, hands, observation.events.tolist(), observation.legal_actions)


def full_view(state: State) -> ViewModel:
    """Return the view model with all hands shown, for spectators, and for everybody once the round is over."""
    plain = state.to_dict()
    return _make_view(state, plain, plain["hands"], state.history(), ())


def _make_view(
    seen: Observation | State,
    plain: dict[str, Any],
    hands: Sequence[str | None],
    rows: Iterable[Sequence[int]],
    legal: tuple[int, ...],
) -> ViewModel:
    """Return the view model.

    Args:
        seen: Observation or state.
        plain: `seen` as plain data.
        hands: Hand of each seat; None if it is hidden.
        rows: Events of the round.
        legal: Legal actions of the viewing seat.
    """
    same = ("to_move", "phase", "landlord", "bidder", "bottom", "last_by", "bid", "robs", "bombs", "rockets")
    in_play = plain["landlord"] is not None and plain["phase"] != "doubling"
    last_actions = _last_actions(rows, int(seen.record.turns) if in_play else None)
    if plain["last"] is not None and last_actions[plain["last_by"]] is None:  # a position that was set up
        last_actions[plain["last_by"]] = plain["last"]
    rules, record = seen.game.kernel_rules, seen.record
    # called for every position, so that everything it needs is compiled before the first one is shown
    multiplied = [name for name, factor in _FINAL_MULTIPLIERS.items() if factor(rules, record) > 1]
    return ViewModel(
        **{name: plain[name] for name in same},
        hands=tuple(hands),
        counts=tuple(int(count) for count in record.counts),
        last=int(record.last),
        last_actions=tuple(last_actions),
        factor=int(cap_multiplier(rules, stake_multiplier(rules, record))),
        final_multipliers=tuple(multiplied) if plain["phase"] == "over" else (),
        doubles=tuple(plain["doubles"]),
        legal=legal,
    )


def _last_actions(rows: Iterable[Sequence[int]], turns: int | None) -> list[str | None]:
    """Return the last action of each seat as text; None for a seat that has not acted.

    Args:
        rows: Events of the round.
        turns: Number of turns since the first move; only these count. None in the auction and while doubling.
    """
    decisions: list[tuple[int, int]] = []
    for kind, seat, value, *_ in rows:
        if kind == ACTION:
            decisions.append((seat, value))
        elif kind in (LANDLORD, REDEALT):
            decisions.clear()
    if turns is not None:
        decisions = decisions[max(0, len(decisions) - turns) :]
    last = {seat: action_text(value) for seat, value in decisions}
    return [last.get(seat) for seat in range(PLAYERS)]
