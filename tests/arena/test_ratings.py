"""Ratings: the fit against a slow referee, intervals over deals, agents without games, and refused arguments."""

import builtins
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgames.agents.agent_ratings import AgentRating
from cardgames.arena.match import play_match
from cardgames.arena.ratings import PairScores, check_rated, fit_ratings, pair_scores, rating_table
from cardgames.arena.results import MatchResult
from cardgames.arena.round_robin import play_round_robin
from cardgames.core.game_registry import make
from cardgames.support.errors import InvalidInput
from tests.arena.test_match import TwoSides, python_random, python_reflex


def by_name(ratings: tuple[AgentRating, ...]) -> dict[str, float]:
    return {entry.name: entry.rating for entry in ratings if entry.rating is not None}


def referee(names: list[str], pairs: list[PairScores], rounds: int = 20_000) -> dict[str, float]:
    """Return ratings by Zermelo's iteration, without regularization; the first name has the rating 0."""
    wins, games = dict.fromkeys(names, 0.0), {}
    for first, second, scores in pairs:
        played = sum(scores) * (len(scores) - 1) / 2
        won = sum(score * deals for score, deals in enumerate(scores)) / 2
        wins[first] += won
        wins[second] += played - won
        games[first, second] = games[second, first] = played
    strength = dict.fromkeys(names, 1.0)
    for _ in range(rounds):
        strength = {
            a: wins[a] / sum(games[a, b] / (strength[a] + strength[b]) for b in names if (a, b) in games) for a in names
        }
    return {name: 400 * math.log10(strength[name] / strength[names[0]]) for name in names}


def test_fit_agrees_with_zermelos_iteration() -> None:
    names = ["random", "a", "b", "c"]
    pairs = [
        PairScores("random", "a", (500, 300, 200, 0, 0)),
        PairScores("a", "b", (100, 150, 300, 250, 200)),
        PairScores("c", "random", (0, 10, 200, 300, 490)),
        PairScores("b", "c", (300, 100, 400, 0, 200)),
    ]
    fitted, slow = by_name(fit_ratings(names, pairs, resamples=2)), referee(names, pairs)
    assert fitted["random"] == 0.0
    for name in names:
        assert fitted[name] == pytest.approx(slow[name], abs=0.1)


def test_rating_of_two_agents_is_the_logarithm_of_their_odds() -> None:
    (strong, weak) = fit_ratings(["a", "b"], [PairScores("a", "b", (100, 0, 900))], "b", resamples=2)
    assert (strong.name, weak.name) == ("a", "b")
    assert strong.rating == pytest.approx(400 * math.log10(9), abs=0.1)
    assert (strong.games, strong.score, weak.score) == (1_000, pytest.approx(0.9), pytest.approx(0.1))


counts = st.lists(st.integers(0, 30), min_size=5, max_size=5).filter(lambda deals: sum(deals) > 0)


@settings(deadline=None, max_examples=30)
@given(st.tuples(counts, counts, counts), st.permutations(["random", "a", "b"]))
def test_order_of_agents_and_sides_of_pairs_do_not_matter(deals: tuple[list[int], ...], order: list[str]) -> None:
    names = ["random", "a", "b"]
    sides = [("random", "a"), ("a", "b"), ("b", "random")]
    pairs = [PairScores(*side, tuple(scores)) for side, scores in zip(sides, deals, strict=True)]
    swapped = [PairScores(second, first, scores[::-1]) for first, second, scores in pairs]
    fitted = by_name(fit_ratings(names, pairs, resamples=1))
    again = by_name(fit_ratings(order, swapped, resamples=1))
    assert fitted == pytest.approx(again, abs=1e-3) and all(map(math.isfinite, fitted.values()))


def test_agent_that_won_everything_has_a_finite_rating_and_an_interval() -> None:
    pairs = [
        PairScores("best", "random", (0, 0, 50)),
        PairScores("best", "a", (0, 0, 50)),
        PairScores("a", "random", (20, 0, 30)),
    ]
    best, second, last = fit_ratings(["random", "a", "best"], pairs)
    assert (best.name, second.name, last.name) == ("best", "a", "random")
    assert best.rating is not None and 800 < best.rating < 3_000
    assert best.ci95 is not None and best.ci95[0] < best.rating - 100, "100 games won do not exclude a loss"
    assert second.rating == pytest.approx(400 * math.log10(1.5), abs=1)


def test_interval_counts_deals_instead_of_games() -> None:
    """The two games of a deal end alike, or independently of each other: the same wins from fewer results."""
    alike, independent = (
        fit_ratings(["a", "random"], [PairScores("a", "random", scores)])[0]
        for scores in ((200, 0, 200), (100, 200, 100))
    )
    assert alike.rating == independent.rating == pytest.approx(0, abs=0.01)
    ratio = (alike.half_width or 0) / (independent.half_width or 1)
    assert ratio == pytest.approx(math.sqrt(2), rel=0.1)


def test_interval_contains_the_true_rating_about_as_often_as_it_says() -> None:
    generator, true, inside = np.random.default_rng(5), 400 * math.log10(3), 0
    for seed in range(100):
        deals = np.bincount(generator.binomial(2, 0.75, 150) * 2, minlength=5)
        pairs = [PairScores("a", "random", tuple(deals.tolist()))]
        low, high = fit_ratings(["a", "random"], pairs, seed=seed, resamples=200)[0].ci95 or (0.0, 0.0)
        inside += low < true < high
    assert 88 <= inside <= 99


def test_agents_without_games_against_the_others_have_no_rating() -> None:
    pairs = [PairScores("random", "a", (1, 2, 3)), PairScores("b", "c", (1, 2, 3)), PairScores("a", "d", (0, 0, 0))]
    ratings = fit_ratings(["b", "random", "a", "c", "d"], pairs, resamples=2)
    assert [entry.name for entry in ratings if entry.rating is None] == ["b", "c", "d"]
    assert ratings[-1] == AgentRating("d", None, None, 0, None)
    (alone,) = fit_ratings(["random"], [], resamples=2)
    assert (alone.rating, alone.ci95, alone.score) == (0.0, (0.0, 0.0), None)


def test_ratings_follow_from_the_seed() -> None:
    pairs = [PairScores("random", "a", (10, 20, 30))]
    first, again, other = (fit_ratings(["random", "a"], pairs, seed=seed, resamples=50) for seed in (1, 1, 2))
    assert first == again != other and by_name(first) == by_name(other)


def test_wrong_agents_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match="reflex is named twice"):
        check_rated(["reflex", "random", "reflex"], "random")
    with pytest.raises(InvalidInput, match="ratings count from random, which is not among the agents"):
        fit_ratings(["reflex", "linear"], [])
    real = builtins.__import__

    def without_choix(name: str, *rest: Any) -> Any:
        if name == "choix":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_choix)
    with pytest.raises(InvalidInput, match=r"pip install 'cardgames\[ratings\]'"):
        check_rated(["random", "reflex"], "random")


def scores_of(result: MatchResult) -> tuple[int, float]:
    """Return the number of deals and the games won by the first agent, void games as half, from the scores of deals."""
    return sum(result.deal_scores), sum(score * deals for score, deals in enumerate(result.deal_scores)) / 2


def test_scores_of_deals_count_wins_and_half_of_void_games() -> None:
    for rule in ("turn-limit=40", "turn-limit=3"):
        game = make("uno", players=2, overrides=[rule])
        result = play_match(game, ["reflex", "random"], games=200, seed=3)
        assert scores_of(result) == (100, result.agents[0].wins + result.voids / 2) and result.voids


def test_kernels_and_python_agents_have_the_same_scores_of_deals() -> None:
    for game in (make("uno", players=2, rules="rlcard"), TwoSides(3, "rlcard")):
        fast = play_match(game, ["reflex", "random"], games=40, seed=5)
        slow = play_match(game, [python_reflex, python_random], games=40, seed=5)
        assert fast.deal_scores == slow.deal_scores and sum(fast.deal_scores) == 20
    assert play_match(make("uno", players=3, rules="rlcard"), ["random"] * 3, games=3).deal_scores == ()


def test_agent_with_the_greater_payoff_wins_if_both_have_a_winning_seat() -> None:
    """After an auction an agent may hold the landlord and a peasant: what it gains as one it loses as the other."""
    game = make("doudizhu", rules="classic")
    forward = play_match(game, ["frugal", "rlcard-rule"], games=120, seed=4)
    deals, won = scores_of(forward)
    first, second = forward.agents
    assert first.wins + second.wins > forward.games - forward.voids, "both won some games"
    assert deals == 20 and 0 < won < forward.games
    assert forward.games - second.wins <= won <= first.wins + forward.voids


def test_table_of_a_round_robin_says_how_it_was_made() -> None:
    game = make("uno", players=2, rules="rlcard")
    names = ["random", "reflex", "linear"]
    result = play_round_robin(game, names, games=100, seed=1)
    table = rating_table(game, names, pair_scores(result), "random", 1, "a command", {})
    assert (table.game, table.players, table.games, table.seed, table.command) == ("uno", 2, 300, 1, "a command")
    assert table.rules == game.rules.name_and_hash() and table.anchor == table.agents[-1].name == "random"
    assert [entry.games for entry in table.agents] == [200] * 3
    assert not result.deal_scores and "deal_scores" not in result.to_dict()
