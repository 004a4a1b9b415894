"""What one pair of eyes sees of a table of Dou Di Zhu at one moment: all that a screen may show, cards as text."""

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

_AT_THE_END = {"spring": spring_factor, "anti-spring": anti_spring_factor, "shutout": shutout_factor}
"""What may multiply the stake when a round is over -> by how much it does."""


@dataclass(frozen=True)
class ViewModel:
    """The table as one seat, or a spectator, sees it."""

    to_move: int
    """The seat that decides; -1 when the round is over."""
    phase: str
    """What is being decided, by the names of `doudizhu.state.PHASES`."""
    hands: tuple[str | None, ...]
    """Each seat's cards in ascending order, None where they are hidden."""
    counts: tuple[int, ...]
    landlord: int | None
    bidder: int | None
    """Who would be the landlord if the auction ended now."""
    bottom: str
    """The landlord's three cards; empty where they are hidden."""
    last: int
    """The action to beat, 0 for one who leads."""
    last_by: int | None
    said: tuple[str | None, ...]
    """The last decision of each seat in what is being decided: the auction, doubling, or the play."""
    bid: int
    """The stake before anything multiplies it, 0 as long as nobody has bid."""
    factor: int
    """What the stake is multiplied by, without what players doubled for themselves: so far, or when the round is over."""
    at_the_end: tuple[str, ...]
    """What multiplied it when the round was over, by the names of the rules."""
    robs: int
    bombs: int
    rockets: int
    doubles: tuple[int, ...]
    """What each seat has multiplied its own stake by."""
    legal: tuple[int, ...]
    """The viewer's legal action ids; none for a spectator."""


def seat_view(observation: Observation) -> ViewModel:
    """Return what the observing seat sees."""
    plain = observation.to_dict()
    hands: list[str | None] = [None] * PLAYERS
    hands[observation.player] = plain["hand"]
    return _sight(observation, plain, hands, observation.events.tolist(), observation.legal_actions)


def full_view(state: State) -> ViewModel:
    """Return everything: for spectators, and for all once the round is over."""
    plain = state.to_dict()
    return _sight(state, plain, plain["hands"], state.history(), ())


def _sight(
    seen: Observation | State,
    plain: dict[str, Any],
    hands: Sequence[str | None],
    rows: Iterable[Sequence[int]],
    legal: tuple[int, ...],
) -> ViewModel:
    same = ("to_move", "phase", "landlord", "bidder", "bottom", "last_by", "bid", "robs", "bombs", "rockets")
    in_play = plain["landlord"] is not None and plain["phase"] != "doubling"
    said = _said(rows, int(seen.record.turns) if in_play else None)
    if plain["last"] is not None and said[plain["last_by"]] is None:  # a position that was set up
        said[plain["last_by"]] = plain["last"]
    rules, record = seen.game.kernel_rules, seen.record
    # asked of every position: what is compiled or loaded for it should be before the first is shown
    multiplied = [name for name, factor in _AT_THE_END.items() if factor(rules, record) > 1]
    return ViewModel(
        **{name: plain[name] for name in same},
        hands=tuple(hands),
        counts=tuple(int(count) for count in record.counts),
        last=int(record.last),
        said=tuple(said),
        factor=int(cap_multiplier(rules, stake_multiplier(rules, record))),
        at_the_end=tuple(multiplied) if plain["phase"] == "over" else (),
        doubles=tuple(plain["doubles"]),
        legal=legal,
    )


def _said(rows: Iterable[Sequence[int]], turns: int | None) -> list[str | None]:
    """Return what each seat said or played last; of the play, which has had so many `turns`, no word from before it."""
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
