"""A published figure beside ours: both with 95 % intervals, and a verdict in words.

Each function returns a row: `who`, `measure`, `published` and `published_ci95` (None: not published), `mean`, `ci95`,
`seeds` (ours by seed), `games` (all of ours), `agrees` (None: nothing to compare), `verdict`. Our interval holds what seeds
differ by (`intervals.training_interval`); of the paper's one training it is that of its games alone.
"""

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

from cardgames.support.intervals import (
    Z95,
    Interval,
    are_consistent,
    difference_interval,
    training_interval,
    wilson,
    win_rate_difference,
)

HONEST_WIN_RATE = {2: 0.705, 3: 0.464, 4: 0.352, 5: 0.281}
"""Number of players -> the most that honest play was found to win in the first seat, where the papers are taken to test,
when all others play at random under `rlcard`; under `rlcard-2022` it is less. That is .70, .454, .343 and .268 of all seats
alike (searches, for five players a network: docs/research/strength.md), and what the first seat adds for the network `actor-critic`.
"""

_REWARD_RANGE: Interval = (-1.0, 1.0)
"""In which rewards lie, and differences of win rates."""


class Published(NamedTuple):
    """A figure of a paper, and the number of games it is of."""

    figure: float
    games: int


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
    tests: Sequence[Wins],
    published: Published | None = None,
    honest_limit: float | None = None,
    sees_hidden: bool = False,
) -> dict[str, Any]:
    """Compare the win rate of `tests`, one a seed, with a paper's.

    `honest_limit`: what honest play can reach, if that is known; `sees_hidden`: ours sees hidden cards.
    """
    ours = pool(tests)
    by_seed = [test.rate for test in tests]
    interval = training_interval(by_seed, wilson(*ours), (0.0, 1.0))
    row = _row(who, "win rate", ours.rate, interval, by_seed, ours.games)
    if published is None:
        return row
    figure, games = published
    return _with_published(row, figure, wilson(round(figure * games), games), honest_limit, sees_hidden)


def reward(
    who: str,
    measure: str,
    tests: Sequence[Mean],
    published: Published | None = None,
    honest_limit: float | None = None,
    sees_hidden: bool = False,
) -> dict[str, Any]:
    """Compare a mean reward from -1 to 1 with a paper's, whose deviation is not given: that of wins and losses is taken."""
    number = sum(test.games for test in tests)
    mean = sum(test.mean * test.games for test in tests) / number
    variance = sum((test.deviation**2 + (test.mean - mean) ** 2) * test.games for test in tests) / number
    half, by_seed = Z95 * math.sqrt(variance / number), [test.mean for test in tests]
    # rounds that all paid the same tell no deviation
    games_interval = (mean - half, mean + half) if half > 0 else win_loss_interval(mean, number)
    interval = training_interval(by_seed, games_interval, _REWARD_RANGE)
    row = _row(who, measure, mean, interval, by_seed, number)
    if published is None:
        return row
    return _with_published(row, published.figure, win_loss_interval(*published), honest_limit, sees_hidden)


def win_loss_interval(reward: float, games: int) -> Interval:
    """Return the interval of a mean reward of which no deviation is known: taken for one of wins and losses (Wilson)."""
    low, high = wilson((1 + reward) / 2 * games, games)
    return 2 * low - 1, 2 * high - 1


def highest(
    who: str, published: float | None, tests: int, games: int, maxima: Sequence[float], honest_limit: float
) -> dict[str, Any]:
    """Compare the highest of so many `tests` of a training, each the mean reward of `games`, with what a paper's exceeds.

    That is a bound, with which nothing agrees or not. The highest of many tests overstates a player; what it would be for
    one whose true reward is always `honest_limit` is said too (Blom 1958: about the (n - 3/8) / (n + 1/4) point of the tests'
    distribution).
    """
    mean = sum(maxima) / len(maxima)
    games_interval = win_loss_interval(mean, games * len(maxima))
    measure = f"reward, the highest of {tests} tests of {games}"
    row = _row(
        who,
        measure,
        mean,
        training_interval(maxima, games_interval, _REWARD_RANGE),
        list(maxima),
        tests * games * len(maxima),
    )
    if published is None:
        return row
    expected_maximum = honest_limit + math.sqrt((1 - honest_limit**2) / games) * NormalDist().inv_cdf(
        (tests - 0.375) / (tests + 0.25)
    )
    above = sum(top > published for top in maxima)
    words = f"a player of {honest_limit:.3g}, the most that honest play was found to reach, has about {expected_maximum:.3f} so"
    return row | {"published": published, "verdict": f"exceeded with {above} of {len(maxima)} seeds; {words}"}


def lead(
    who: str,
    first: Sequence[Wins],
    second: Sequence[Wins],
    published: tuple[Published, Published] | None = None,
    same_games: bool = False,
) -> dict[str, Any]:
    """Compare by how much the first of two players wins more often; `published` are both win rates.

    `same_games`: they sat at one table, where what one wins the other does not.
    """
    interval_of = _difference_at_one_table if same_games else _difference
    ours, others = pool(first), pool(second)
    by_seed = [mine.rate - other.rate for mine, other in zip(first, second, strict=True)]
    low, high = training_interval(by_seed, interval_of(ours, others), _REWARD_RANGE)
    row = _row(who, "win rate, difference", ours.rate - others.rate, (low, high), by_seed, ours.games)
    row["verdict"] = _lead_verdict(low, high, by_seed)
    if published is None:
        return row
    theirs = interval_of(*(Wins(round(rate * games), games) for rate, games in published))
    return _lead_with_published(row, published[0].figure - published[1].figure, theirs)


def lead_in_reward(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Compare by how much the first of two rows of `reward`, of published figures and the same seeds, has more than the
    second; their intervals are combined as independent (`intervals.difference_interval`), though the cards are the same: that is the
    more cautious.
    """
    own_interval, theirs = (
        difference_interval(first[value], first[interval], second[value], second[interval])
        for value, interval in (("reproduced", "ci95"), ("published", "published_ci95"))
    )
    by_seed = [mine - other for mine, other in zip(first["seeds"], second["seeds"], strict=True)]
    who, measure = f"{first['player']} over {second['player']}", f"{first['measure']}, difference"
    row = _row(who, measure, first["reproduced"] - second["reproduced"], own_interval, by_seed, first["games"])
    row["verdict"] = _lead_verdict(*own_interval, by_seed)
    return _lead_with_published(row, first["published"] - second["published"], theirs)


def pool(tests: Sequence[Wins]) -> Wins:
    """Return several tests as one."""
    return Wins(sum(test.wins for test in tests), sum(test.games for test in tests))


def _row(
    who: str,
    measure: str,
    mean: float,
    ci95: Interval,
    seeds: list[float],
    games: int,
) -> dict[str, Any]:
    """Return a row that compares nothing yet."""
    return {
        "player": who,
        "measure": measure,
        "published": None,
        "published_ci95": None,
        "reproduced": mean,
        "ci95": list(ci95),
        "seeds": seeds,
        "games": games,
        "agrees": None,
        "verdict": "",
    }


def _difference(first: Wins, second: Wins) -> Interval:
    return win_rate_difference((first.wins, second.wins), (first.games, second.games))


def _difference_at_one_table(first: Wins, second: Wins) -> Interval:
    """Return the normal interval of the difference of two shares of the same games."""
    lead = first.rate - second.rate
    half = Z95 * math.sqrt((first.rate + second.rate - lead**2) / first.games)
    return lead - half, lead + half


def _with_published(
    row: dict[str, Any], published: float, published_ci95: Interval, honest_limit: float | None, sees_hidden: bool
) -> dict[str, Any]:
    """Return the row with how what was published, and its interval, compares."""
    row = _with_agreement(row, published, published_ci95)
    words = [agreement(row["agrees"])]
    if honest_limit is not None and published > honest_limit:
        words.append(f"published is above {honest_limit:.3g}, the most that honest play was found to reach")
        if sees_hidden and row["reproduced"] > honest_limit:
            words.append("so is ours, which sees the other hands")
    return row | {"verdict": "; ".join(words)}


def _lead_with_published(row: dict[str, Any], published: float, published_ci95: Interval) -> dict[str, Any]:
    """Return the row of a lead with how the published one, and its interval, compares."""
    row = _with_agreement(row, published, published_ci95)
    return row | {"verdict": f"{agreement(row['agrees'])}; {row['verdict']}"}


def _with_agreement(row: dict[str, Any], published: float, published_ci95: Interval) -> dict[str, Any]:
    """Return the row with what was published, its interval, and whether they agree."""
    agrees = are_consistent(row["reproduced"], row["ci95"], published, published_ci95)
    return row | {"published": published, "published_ci95": list(published_ci95), "agrees": agrees}


def agreement(agrees: bool) -> str:
    """Return whether figures agree, as verdicts have it."""
    return "agrees" if agrees else "differs"


def _lead_verdict(low: float, high: float, by_seed: Sequence[float]) -> str:
    words = "more" if low > 0 else "less" if high < 0 else "not told apart"
    return f"{words} (more with {sum(lead > 0 for lead in by_seed)} of {len(by_seed)} seeds)"
