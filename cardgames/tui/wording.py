"""Words that every game's table needs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardgames.search.analysis import Analysis
    from cardgames.search.report import SearchReport

_LISTED = 40
"""So many things of a list are told."""
_LIKELY = 5
"""Of so many actions their chances, in one line."""
NOTHING = "-"
"""What stands for plain data that tells nothing."""


@dataclass(frozen=True)
class Choice:
    """One legal action, offered as a button or a line of a dialog."""

    action: int
    text: str
    """The action as it is written."""
    words: str
    key: str


def cards(count: int) -> str:
    """Return a number of cards in words."""
    return "1 card" if count == 1 else f"{count} cards"


def percent(value: float | None) -> str:
    """Return a share in [0, 1] as people read it, `-` for none."""
    return "-" if value is None else f"{value:z.1%}"


def duration(seconds: float) -> str:
    """Return a time as people read it."""
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


def progress(report: "SearchReport") -> str:
    """Return how far a search is."""
    return f"{report.simulations:,} simulations in {duration(report.seconds)}"


def effort(report: "SearchReport") -> str:
    """Return how much an agent has thought; some do without simulations."""
    return progress(report) if report.visited else f"no simulations, {duration(report.seconds)}"


def unreported(analysis: "Analysis") -> str:
    """Return what an agent that keeps no report tells of its decision: its value and chances, if it has any."""
    decision, told = analysis.decision, []
    if decision.value is not None:
        told.append(f"value {percent(decision.value)}")
    if len(decision.policy) > 1:
        likely = sorted(decision.policy.items(), key=lambda pair: -pair[1])[:_LIKELY]
        chances = (f"{analysis.state.action_to_string(action)} {percent(share)}" for action, share in likely)
        told.append(f"chances {', '.join(chances)}{', ...' if len(decision.policy) > _LIKELY else ''}")
    return "; ".join(told) or "it reports nothing here"


def widest(texts: Iterable[str], least: int) -> int:
    """Return how wide a column of these texts is, which has at least so many letters."""
    return max([least, *map(len, texts)])


def fact(value: object) -> str:
    """Return plain data in words: lists without brackets, their ends cut off if they are long."""
    if isinstance(value, list):
        if all(part in (None, "") for part in value):
            return NOTHING
        more = [f"and {len(value) - _LISTED} more"] if len(value) > _LISTED else []
        return ", ".join([*map(fact, value[:_LISTED]), *more])
    return NOTHING if value in (None, "") else str(value)


def listed(names: Sequence[str]) -> str:
    """Return names as an enumeration: `a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1] if names else "") if part)
