"""Results of matches: counts, confidence intervals and tables."""

from collections.abc import Sequence

import numpy as np
import pytest

from cardgames.arena.match import play_match
from cardgames.arena.results import AgentResult, MatchResult
from cardgames.arena.tally import Clock, GameOutcome, Tally
from cardgames.core.game_registry import make
from cardgames.support.intervals import Z95, mean_interval, wilson


def test_interval_of_mean_return_follows_from_the_variance() -> None:
    game = make("uno", players=2, rules="rlcard")
    entry = play_match(game, ["random", "reflex"], games=400, seed=4).agents[0]
    assert entry.mean_square == 1.0, "a round pays 1 or -1"
    low, high = entry.return_ci95
    assert high - low == pytest.approx(2 * 1.96 * np.sqrt((1 - entry.mean_return**2) / 399), rel=1e-3)


def test_table_leaves_unknown_values_empty() -> None:
    role = AgentResult("landlord", 0, 0, 0.0)
    one = AgentResult("random", 1, 1, 1.0, 1.0, roles=(role,))
    result = MatchResult("uno", {"name": "rlcard", "hash": ""}, 1, 1, 0.1, 9, 0, [one])
    _, played, unplayed = str(result).splitlines()
    assert played.split()[-1] == "1.000" and unplayed.split() == ["landlord", "0", "0", "-"]


def test_mean_return_has_no_interval_if_all_games_pay_the_same() -> None:
    won = AgentResult("sarsa", 20, 20, 1.0, 1.0, deals=10)
    assert won.ci95 == wilson(20, 20) and won.to_dict()["return_ci95"] is None
    result = MatchResult("uno", {"name": "rlcard", "hash": ""}, 1, 20, 0.1, 9, 0, [won])
    assert str(result).splitlines()[1].endswith("1.000")


def test_games_of_a_single_deal_count_as_one_game() -> None:
    for won in range(7):
        one = AgentResult("frugal", 6, won, won / 6, won / 6, deals=1)
        assert one.ci95 == wilson(won / 6, 1) and one.to_dict()["return_ci95"] is None
    for won in ((0, 4), (0, 0), (6, 6)):
        two = AgentResult.total([AgentResult("frugal", 6, each, 0.3, 0.34, deals=1) for each in won])
        assert two.deals == 2 and two.ci95 == pytest.approx(wilson(sum(won) / 6, 2))
        assert two.return_ci95 == pytest.approx(mean_interval(0.3, 0.34, 9, 0.25 / 2))
    parts = [AgentResult("frugal", 60, 20, 0.3, 0.34, deals=10), AgentResult("frugal", 6, 2, 0.3, 0.34, deals=1)]
    first, both = AgentResult.total(parts[:1]), AgentResult.total(parts)
    for narrow, wide in ((first.ci95, both.ci95), (first.return_ci95, both.return_ci95)):
        assert narrow[1] - narrow[0] < wide[1] - wide[0] < 0.4, (
            "six games of a deal count as six, with the error of one"
        )
    game = make("doudizhu", rules="openspiel")
    assert play_match(game, ["frugal", "rlcard-rule"], games=6, seed=1).agents[0].deals == 1


def test_name_too_long_for_the_terminal_has_its_own_line() -> None:
    long = "dqn:weights=" + 60 * "x"
    entries = [
        AgentResult(name, 100, 40, -0.2, 1.0, timed_decisions=9, decision_seconds=0.01) for name in ("reflex", long)
    ]
    result = MatchResult("uno", {"name": "rlcard", "hash": ""}, 1, 100, 0.1, 9, 0, entries)
    head, short, name, figures = result.table(80).splitlines()
    assert name == long and len(head) == len(short) == len(figures) <= 80
    assert figures.split() == short.split()[1:] == "100 40 40.00% 30.94% - 49.80% -0.200 ± 0.193 1.11".split()
    assert len({len(line) for line in str(result).splitlines()}) == 1 and len(str(result).splitlines()) == 3


def outcome(winners: list[int], paid: list[float], clock: Clock, roles: Sequence[int] = (0, 0)) -> GameOutcome:
    return GameOutcome(9, np.isin(np.arange(len(paid)), winners), np.array(paid), np.array(roles), clock)


def test_tally_sums_payoffs_squares_and_timed_decisions() -> None:
    tally, seating = Tally.of(make("uno", 2, "rlcard"), 2), np.array([1, 0])
    clock = Clock(2)
    clock.add(0, 3, 0.5)
    for paid, timed in ((30.0, False), (-10.0, True)):
        tally.count(outcome([0] if paid > 0 else [1], [paid, -paid], clock), seating, timed)
    tally.close_block()
    second, first = tally.results(["a", "b"], [])[::-1]
    assert (first.games, first.wins, first.mean_return, first.mean_square) == (2, 1, -10.0, 500.0)
    assert (second.mean_return, second.mean_square) == (10.0, 500.0)
    assert (first.timed_decisions, second.timed_decisions, second.decision_seconds) == (0, 3, 0.5), (
        "only the second game is timed"
    )


def test_correlated_games_of_a_deal_count_as_fewer_games() -> None:
    tally, clock = Tally.of(make("uno", 2, "rlcard"), 2), Clock(2)
    for won in [0, 1, 1, 0, 1, 1, 1, 0, 1, 1]:
        for seating in (np.array([0, 1]), np.array([1, 0])):
            seat = int(np.flatnonzero(seating == won)[0])
            paid = [1.0 if place == seat else -1.0 for place in range(2)]
            tally.count(outcome([seat], paid, clock), seating, timed=False)
        tally.close_block()
    result, _ = tally.results(["a", "b"], [])
    assert (result.games, result.wins) == (20, 6)
    assert result.win_variance == pytest.approx(0.3 * 0.7 / 9) and result.return_variance == pytest.approx(0.84 / 9)
    factor = (Z95 / 2.262) ** 2
    assert result.ci95 == pytest.approx(wilson(2.7 * factor, 9 * factor)), "the two games of each deal ended alike"
    low, high = result.return_ci95
    assert (high - low) / 2 == pytest.approx(2.262 * np.sqrt(0.84 / 9), abs=1e-4)
    both = AgentResult.total([result, result])
    assert both.win_variance == pytest.approx(result.win_variance / 2) and both.degrees_of_freedom == 18
    low, high = both.return_ci95
    assert (high - low) / 2 == pytest.approx(2.101 * np.sqrt(0.84 / 18), abs=1e-4)


def test_games_of_a_deal_that_end_differently_count_in_full() -> None:
    tally, clock = Tally.of(make("uno", 2, "rlcard"), 2), Clock(2)
    for _ in range(10):
        for seating in (np.array([0, 1]), np.array([1, 0])):
            tally.count(outcome([0], [1.0, -1.0], clock), seating, timed=False)
        tally.close_block()
    result, _ = tally.results(["a", "b"], [])
    assert result.win_variance == result.return_variance == 0
    assert result.ci95 == wilson(10, 20)


def test_total_sums_timed_decisions() -> None:
    parts = [AgentResult("a", 2, 1, 0.0, 1.0, timed_decisions=n, decision_seconds=n / 10) for n in (3, 5)]
    total = AgentResult.total(parts)
    assert (total.timed_decisions, total.decision_seconds) == (8, pytest.approx(0.8))


def test_seat_counts_in_its_own_role() -> None:
    game = make("doudizhu", rules="rlcard")
    tally = Tally.of(game, 2)
    tally.count(outcome([0, 1], [1.0, 1.0, -2.0], Clock(3), roles=[1, 2, 0]), np.array([1, 1, 0]), timed=False)
    tally.close_block()
    first, second = tally.results(["a", "b"], game.roles)
    assert [(role.games, role.wins) for role in first.roles] == [(1, 0), (0, 0), (0, 0)]
    assert [(role.games, role.wins) for role in second.roles] == [(0, 0), (1, 1), (1, 1)]


def test_total_sums_each_role_separately() -> None:
    roles = [(AgentResult("landlord", 2, won, 0.0), AgentResult("peasant", 4, 1, 0.0)) for won in (0, 2)]
    total = AgentResult.total([AgentResult("a", 6, 3, 0.0, roles=each) for each in roles])
    assert [(role.name, role.games, role.wins) for role in total.roles] == [("landlord", 4, 2), ("peasant", 8, 2)]


def test_sum_of_tallies_sums_timed_decisions_of_each_agent() -> None:
    tally, other = (Tally.of(make("uno", 2, "rlcard"), 2) for _ in range(2))
    tally.clock.add(0, 3, 0.5)
    other.clock.add(1, 4, 0.25)
    tally.add(other)
    assert (tally.clock.timed_decisions, tally.clock.seconds) == ([3, 4], [0.5, 0.25])
