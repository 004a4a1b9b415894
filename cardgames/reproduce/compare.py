"""A published figure beside ours: both with 95 % intervals, and a verdict in words.

Each function returns a row: `who`, `measure`, `published` and `published_ci95` (None: not published), `here`, `ci95`,
`seeds` (ours by seed), `games` (all of ours), `agrees` (None: nothing to compare), `verdict`.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from cardgames.core.intervals import Z95, difference, wilson

HONEST = {2: 0.70, 3: 0.454, 4: 0.343, 5: 0.26}
"""Number of players -> the most that honest play was found to win when all others play at random, under `rlcard` (searches,
docs/results.md); under `rlcard-2022` it is less.
"""


class Wins(NamedTuple):
    """Rounds won of those played."""

    wins: int
    games: int

    @property
    def rate(self) -> float:
        """Their share."""
        return self.wins / self.games


class Mean(NamedTuple):
    """A mean over rounds, and its standard deviation."""

    mean: float
    deviation: float
    games: int


def win_rate(
    who: str,
    published: float | None,
    games: int,
    tests: Sequence[Wins],
    honest: float | None = None,
    cheats: bool = False,
) -> dict[str, Any]:
    """Compare a win rate the paper took from so many `games` with that of `tests`, one a seed.

    `honest`: what honest play can reach, if that is known; `cheats`: ours sees hidden cards.
    """
    ours = together(tests)
    row = _row(who, "win rate", published, ours.rate, wilson(*ours), [test.rate for test in tests], ours.games)
    if published is None:
        return row
    theirs = Wins(round(published * games), games)
    low, high = _difference(ours, theirs)
    agrees = low <= 0 <= high
    verdict = _verdict(agrees, published, ours.rate, honest, cheats)
    return row | {"published_ci95": list(wilson(*theirs)), "agrees": agrees, "verdict": verdict}


def reward(
    who: str,
    measure: str,
    published: float | None,
    games: int,
    tests: Sequence[Mean],
    honest: float | None = None,
    cheats: bool = False,
) -> dict[str, Any]:
    """Compare a mean reward from -1 to 1, of which the paper gives no deviation: taken for that of wins and losses."""
    number = sum(test.games for test in tests)
    here = sum(test.mean * test.games for test in tests) / number
    variance = sum((test.deviation**2 + (test.mean - here) ** 2) * test.games for test in tests) / number
    ours = Z95 * math.sqrt(variance / number)
    row = _row(who, measure, published, here, (here - ours, here + ours), [test.mean for test in tests], number)
    if published is None:
        return row
    theirs = Z95 * math.sqrt((1 - published**2) / games)
    agrees = abs(here - published) <= math.hypot(ours, theirs)
    verdict = _verdict(agrees, published, here, honest, cheats)
    return row | {"published_ci95": [published - theirs, published + theirs], "agrees": agrees, "verdict": verdict}


def lead(
    who: str,
    published: tuple[float, float] | None,
    games: int,
    first: Sequence[Wins],
    second: Sequence[Wins],
    same_games: bool = False,
) -> dict[str, Any]:
    """Compare by how much the first of two players wins more often; `published` are both win rates.

    `same_games`: they sat at one table, where what one wins the other does not.
    """
    between = _difference_at_one_table if same_games else _difference
    ours, others = together(first), together(second)
    low, high = between(ours, others)
    by_seed = [mine.rate - other.rate for mine, other in zip(first, second, strict=True)]
    row = _row(who, "win rate, difference", None, ours.rate - others.rate, (low, high), by_seed, ours.games)
    row["verdict"] = _lead(low, high, by_seed)
    if published is not None:
        theirs = between(*(Wins(round(rate * games), games) for rate in published))
        row |= {"published": published[0] - published[1], "published_ci95": list(theirs)}
    return row


def together(tests: Sequence[Wins]) -> Wins:
    """Return several tests as one."""
    return Wins(sum(test.wins for test in tests), sum(test.games for test in tests))


def _row(
    who: str,
    measure: str,
    published: float | None,
    here: float,
    ci95: tuple[float, float],
    seeds: list[float],
    games: int,
) -> dict[str, Any]:
    """Return a row that compares nothing yet."""
    return {
        "who": who,
        "measure": measure,
        "published": published,
        "published_ci95": None,
        "here": here,
        "ci95": list(ci95),
        "seeds": seeds,
        "games": games,
        "agrees": None,
        "verdict": "",
    }


def _difference(first: Wins, second: Wins) -> tuple[float, float]:
    return difference((first.wins, second.wins), (first.games, second.games))


def _difference_at_one_table(first: Wins, second: Wins) -> tuple[float, float]:
    """Return the normal interval of the difference of two shares of the same games."""
    lead = first.rate - second.rate
    half = Z95 * math.sqrt((first.rate + second.rate - lead**2) / first.games)
    return lead - half, lead + half


def _verdict(agrees: bool, published: float, here: float, honest: float | None, cheats: bool) -> str:
    words = "agrees" if agrees else "differs"
    if honest is None or published <= honest:
        return words
    words += f"; published is above {honest:.3g}, the most that honest play was found to reach"
    return words + "; so is ours, which sees the other hands" if cheats and here > honest else words


def _lead(low: float, high: float, by_seed: Sequence[float]) -> str:
    words = "more" if low > 0 else "less" if high < 0 else "not told apart"
    return f"{words} (more with {sum(lead > 0 for lead in by_seed)} of {len(by_seed)} seeds)"
