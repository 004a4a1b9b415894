"""View model of Dou Di Zhu: what a screen may show to one seat or to a spectator, with cards as text."""

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
"""Rules that may multiply the stake at the end of a round -> function that returns the factor."""


@dataclass(frozen=True)
class ViewModel:
    """Table as one seat, or a spectator, sees it."""

    to_move: int
    """Seat to decide; -1 when the round is over."""
    phase: str
    """Kind of decision, by the names of `doudizhu.state.PHASES`."""
    hands: tuple[str | None, ...]
    """Cards of each seat in ascending order, None if they are hidden."""
    counts: tuple[int, ...]
    landlord: int | None
    bidder: int | None
    """Seat that would be the landlord if the auction ended now, None if there is none."""
    bottom: str
    """The landlord's three cards; empty if they are hidden."""
    last: int
    """Action to beat, 0 if the seat to move leads."""
    last_by: int | None
    last_actions: tuple[str | None, ...]
    """Last action of each seat in the current part of the round (auction, doubling or play), None if it has not acted."""
    bid: int
    """Stake before any multiplication; 0 until a seat has bid."""
    factor: int
    """Factor of the stake so far, or at the end of the round; without the seats' own doubling."""
    final_multipliers: tuple[str, ...]
    """Names of the rules that multiplied the stake at the end of the round."""
    robs: int
    bombs: int
    rockets: int
    doubles: tuple[int, ...]
    """Factor by which each seat has multiplied its own stake."""
    legal: tuple[int, ...]
    """Legal actions of the viewing seat; empty for a spectator."""


def seat_view(observation: Observation) -> ViewModel:
    """Return what the observing seat sees."""
    plain = observation.to_dict()
    hands: list[str | None] = [None] * PLAYERS
    hands[observation.player] = plain["hand"]
    return _make_view(observation, plain, hands, observation.events.tolist(), observation.legal_actions)


def full_view(state: State) -> ViewModel:
    """Return everything: for spectators, and for all players once the round is over."""
    plain = state.to_dict()
    return _make_view(state, plain, plain["hands"], state.history(), ())


def _make_view(
    seen: Observation | State,
    plain: dict[str, Any],
    hands: Sequence[str | None],
    rows: Iterable[Sequence[int]],
    legal: tuple[int, ...],
) -> ViewModel:
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
    """Return the last action of each seat. In the play, after `turns` turns, actions from before the play do not count."""
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
