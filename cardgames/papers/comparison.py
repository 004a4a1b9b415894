"""Comparison of published values with reproduced ones: 95 % intervals of both, and a verdict in words.

Each comparison is a "row": a dictionary with the keys `player`, `measure`, `published` and `published_ci95` (None: not
published), `reproduced`, `ci95`, `seeds` (the reproduced value of each seed), `games` (number of games, all seeds together),
`agrees` (None: nothing to compare) and `verdict`. The interval of a reproduced value includes the variation between seeds
(`intervals.training_interval`). A paper trained once, so the interval of its value only includes the variation of its games.
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
"""Number of players -> highest known win rate of play that does not see hidden cards ("honest").

The win rates are those of the first seat, where the papers are assumed to test, against random players under the rules
`rlcard`; under `rlcard-2022` they are lower. Each value is the win rate over all seats (.70, .454, .343 and .268; measured
with searches, for five players with a network: docs/research/strength.md) plus the advantage of the first seat, measured
with the network `actor-critic`.
"""

_REWARD_RANGE: Interval = (-1.0, 1.0)
"""Range of rewards, and of differences of win rates."""


class Published(NamedTuple):
    """A win rate or mean reward that a paper published, and the number of games in which the paper measured it."""

    figure: float
    games: int


class Wins(NamedTuple):
    """Result of a player's test: number of rounds won, and number of rounds played."""

    wins: int
    games: int

    @property
    def rate(self) -> float:
        """Share of rounds won."""
        return self.wins / self.games


class Mean(NamedTuple):
    """Result of a player's test: mean payoff of a round, standard deviation of the payoffs, and number of rounds."""

    mean: float
    deviation: float
    games: int


def win_rate(
    player: str,
    tests: Sequence[Wins],
    published: Published | None = None,
    honest_limit: float | None = None,
    sees_hidden: bool = False,
) -> dict[str, Any]:
    """Compare the win rate of a reproduced player with the one that the paper published.

    Args:
        player: Name of the player, for the row.
        tests: Result of the player that was trained with each seed.
        published: Published win rate; None if there is none.
        honest_limit: Highest known win rate of play that does not see hidden cards; None if unknown.
        sees_hidden: True if the reproduced player sees hidden cards.

    Returns:
        The row of the comparison.
    """
    ours = pool(tests)
    by_seed = [test.rate for test in tests]
    interval = training_interval(by_seed, wilson(*ours), (0.0, 1.0))
    row = _row(player, "win rate", ours.rate, interval, by_seed, ours.games)
    if published is None:
        return row
    figure, games = published
    return _with_published(row, figure, wilson(round(figure * games), games), honest_limit, sees_hidden)


def reward(
    player: str,
    measure: str,
    tests: Sequence[Mean],
    published: Published | None = None,
    honest_limit: float | None = None,
    sees_hidden: bool = False,
) -> dict[str, Any]:
    """Compare the mean reward of a reproduced player, in [-1, 1], with the one that the paper published.

    The papers give no standard deviation; the interval of the published value assumes rewards of 1 and -1.

    Args:
        player: Name of the player, for the row.
        measure: Name of the reward, for the row.
        tests: Result of the player that was trained with each seed.
        published: Published mean reward; None if there is none.
        honest_limit: Highest known reward of play that does not see hidden cards; None if unknown.
        sees_hidden: True if the reproduced player sees hidden cards.

    Returns:
        The row of the comparison.
    """
    number = sum(test.games for test in tests)
    mean = sum(test.mean * test.games for test in tests) / number
    variance = sum((test.deviation**2 + (test.mean - mean) ** 2) * test.games for test in tests) / number
    half, by_seed = Z95 * math.sqrt(variance / number), [test.mean for test in tests]
    # without variation in the rewards, use the interval of wins and losses
    games_interval = (mean - half, mean + half) if half > 0 else win_loss_interval(mean, number)
    interval = training_interval(by_seed, games_interval, _REWARD_RANGE)
    row = _row(player, measure, mean, interval, by_seed, number)
    if published is None:
        return row
    return _with_published(row, published.figure, win_loss_interval(*published), honest_limit, sees_hidden)


def win_loss_interval(reward: float, games: int) -> Interval:
    """Return the 95 % Wilson interval of a mean reward whose deviation is unknown, as if all rewards were 1 or -1."""
    low, high = wilson((1 + reward) / 2 * games, games)
    return 2 * low - 1, 2 * high - 1


def highest(
    player: str, published: float | None, tests: int, games: int, maxima: Sequence[float], honest_limit: float
) -> dict[str, Any]:
    """Compare the highest evaluation during a training with a bound that the paper's highest evaluation exceeds.

    The row has no `agrees`, since the paper gives only a bound. The highest of many evaluations overstates a player.
    Therefore the verdict also gives the expected highest evaluation of a player whose true reward is always `honest_limit`:
    about the (n - 3/8) / (n + 1/4) quantile of the distribution of one evaluation (Blom 1958).

    Args:
        player: Name of the player, for the row.
        published: Bound that the paper's curve exceeds; None if there is none.
        tests: Number n of evaluations of a training.
        games: Number of games in an evaluation.
        maxima: [seeds] highest mean reward of each training.
        honest_limit: Highest known reward of play that does not see hidden cards.

    Returns:
        The row of the comparison.
    """
    mean = sum(maxima) / len(maxima)
    games_interval = win_loss_interval(mean, games * len(maxima))
    measure = f"reward, highest of {tests} evaluations of {games} games"
    row = _row(
        player,
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
    expectation = (
        f"best known honest play, with a reward of {honest_limit:.3g}, would reach about {expected_maximum:.3f}"
    )
    return row | {"published": published, "verdict": f"exceeded with {above} of {len(maxima)} seeds; {expectation}"}


def lead(
    player: str,
    first: Sequence[Wins],
    second: Sequence[Wins],
    published: tuple[Published, Published] | None = None,
    same_games: bool = False,
) -> dict[str, Any]:
    """Compare the difference of two players' win rates with the published difference.

    Args:
        player: Name of the two players, for the row.
        first: Result of the first player for each training seed.
        second: Result of the second player for each training seed.
        published: Published win rates of both players; None if there are none.
        same_games: True if both play in the same games, where at most one of them wins.

    Returns:
        The row of the comparison.
    """
    interval_of = _difference_at_one_table if same_games else _difference
    ours, others = pool(first), pool(second)
    by_seed = [mine.rate - other.rate for mine, other in zip(first, second, strict=True)]
    low, high = training_interval(by_seed, interval_of(ours, others), _REWARD_RANGE)
    row = _row(player, "win rate, difference", ours.rate - others.rate, (low, high), by_seed, ours.games)
    row["verdict"] = _lead_verdict(low, high, by_seed)
    if published is None:
        return row
    theirs = interval_of(*(Wins(round(rate * games), games) for rate, games in published))
    return _lead_with_published(row, published[0].figure - published[1].figure, theirs)


def lead_in_reward(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Compare the difference of two players' mean rewards with the published difference.

    The intervals of both rewards are combined as if they were independent (`intervals.difference_interval`). This is
    conservative, since both players get the same cards.

    Args:
        first: Row of `reward`, with a published value.
        second: Row of `reward`, with a published value and the same seeds.

    Returns:
        The row of the comparison.
    """
    own_interval, theirs = (
        difference_interval(first[value], first[interval], second[value], second[interval])
        for value, interval in (("reproduced", "ci95"), ("published", "published_ci95"))
    )
    by_seed = [mine - other for mine, other in zip(first["seeds"], second["seeds"], strict=True)]
    player, measure = f"{first['player']} over {second['player']}", f"{first['measure']}, difference"
    row = _row(player, measure, first["reproduced"] - second["reproduced"], own_interval, by_seed, first["games"])
    row["verdict"] = _lead_verdict(*own_interval, by_seed)
    return _lead_with_published(row, first["published"] - second["published"], theirs)


def pool(tests: Sequence[Wins]) -> Wins:
    """Return the total numbers of wins and games of several test results."""
    return Wins(sum(test.wins for test in tests), sum(test.games for test in tests))


def _row(
    player: str,
    measure: str,
    mean: float,
    ci95: Interval,
    seeds: list[float],
    games: int,
) -> dict[str, Any]:
    """Return a row with the reproduced value, its interval and its seeds, but no published value and an empty verdict."""
    return {
        "player": player,
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
    """Return the 95 % interval of the difference of two win rates from different games."""
    return win_rate_difference((first.wins, second.wins), (first.games, second.games))


def _difference_at_one_table(first: Wins, second: Wins) -> Interval:
    """Return the 95 % normal-approximation interval of the difference of two players' win rates in the same games."""
    lead = first.rate - second.rate
    half = Z95 * math.sqrt((first.rate + second.rate - lead**2) / first.games)
    return lead - half, lead + half


def _with_published(
    row: dict[str, Any], published: float, published_ci95: Interval, honest_limit: float | None, sees_hidden: bool
) -> dict[str, Any]:
    """Return a row with a published value, its 95 % interval and a verdict added.

    The verdict is "agrees" or "differs". It also says whether the published value exceeds the highest of honest play.
    """
    row = _with_agreement(row, published, published_ci95)
    parts = [agreement(row["agrees"])]
    if honest_limit is not None and published > honest_limit:
        parts.append(f"published is above {honest_limit:.3g}, the best known honest play")
        if sees_hidden and row["reproduced"] > honest_limit:
            parts.append("so is ours, which sees the other hands")
    return row | {"verdict": "; ".join(parts)}


def _lead_with_published(row: dict[str, Any], published: float, published_ci95: Interval) -> dict[str, Any]:
    """Return the row of a difference with the published difference and its 95 % interval added.

    The word "agrees" or "differs" is put before its verdict.
    """
    row = _with_agreement(row, published, published_ci95)
    return row | {"verdict": f"{agreement(row['agrees'])}; {row['verdict']}"}


def _with_agreement(row: dict[str, Any], published: float, published_ci95: Interval) -> dict[str, Any]:
    """Return a row with a published value and its 95 % interval added, and with `agrees` set.

    `agrees` is True if the published and the reproduced value are consistent (`intervals.are_consistent`).
    """
    agrees = are_consistent(row["reproduced"], row["ci95"], published, published_ci95)
    return row | {"published": published, "published_ci95": list(published_ci95), "agrees": agrees}


def agreement(agrees: bool) -> str:
    """Return "agrees" or "differs", the first word of a verdict."""
    return "agrees" if agrees else "differs"


def _lead_verdict(low: float, high: float, by_seed: Sequence[float]) -> str:
    """Return in words whether a difference with the 95 % interval `low` to `high` is above 0, below, or not significant.

    The text also gives the number of seeds with a positive difference.
    """
    words = "more" if low > 0 else "less" if high < 0 else "not significantly different"
    return f"{words} (more with {sum(lead > 0 for lead in by_seed)} of {len(by_seed)} seeds)"
