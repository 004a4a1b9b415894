"""Matches: mirrored deals, the same result in kernels, Python and worker processes, limits, and refused arguments."""

import json
import multiprocessing
import os
import time
from collections.abc import Sequence
from itertools import pairwise
from multiprocessing import parent_process
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from cardgames.agents.agent import Agent, Decision, Limit
from cardgames.agents.agent_factory import agent as make_agent
from cardgames.arena import match
from cardgames.arena.kernel_matches import slots_of
from cardgames.arena.match import deal, play_match
from cardgames.arena.results import MatchResult
from cardgames.arena.round_robin import play_round_robin
from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.game_registry import make
from cardgames.core.kernel_policy import NO_WEIGHTS
from cardgames.core.observation import Observation
from cardgames.kernels import rng
from cardgames.support.errors import InvalidInput
from cardgames.uno.game import Uno
from cardgames.uno.policies.rule_policies import RANDOM, REFLEX


class PythonPolicy:
    """Agent in Python that plays a rule-based policy with the same random numbers as the match kernel does."""

    def __init__(self, name: str, game: Game, seed: int, policy_id: int):
        self.name = name
        self._game, self._policy_id, self._stream = game, policy_id, rng.stream(seed)

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        return Decision(
            int(ops.policy(self._game.kernel_rules, observation.record, self._policy_id, NO_WEIGHTS, self._stream))
        )


def python_reflex(game: Game, seed: int) -> Agent:
    return PythonPolicy("python-reflex", game, seed, REFLEX)


def python_random(game: Game, seed: int) -> Agent:
    return PythonPolicy("python-random", game, seed, RANDOM)


class IllegalAgent:
    name = "cheat"

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        return Decision(next(a for a in range(60) if a not in observation.legal_actions))


class NumberAgent:
    name = "number"

    def act(self, observation: Observation, limit: Limit | None = None) -> int:
        return observation.legal_actions[0]


def counts(result: MatchResult) -> list[tuple[int, int, float, float, float]]:
    return [(e.games, e.wins, e.mean_return, e.win_variance, e.return_variance) for e in result.agents]


def without_time(result: MatchResult) -> dict[str, object]:
    data = result.to_dict() | {"seconds": None}
    for entry in [*data["agents"], *(entry for pair in data.get("pairs", ()) for entry in pair["agents"])]:
        entry.pop("ms_per_decision", None)
        entry.pop("timed_decisions", None)
    for pair in data.get("pairs", ()):
        pair["seconds"] = None
    return data


def test_decisions_with_several_legal_actions_are_counted_and_timed() -> None:
    game = make("uno", players=2, rules="rlcard")
    result = play_match(game, [python_random, "reflex"], games=20, seed=4)
    assert all(0 < entry.timed_decisions < result.steps and entry.decision_seconds > 0 for entry in result.agents)
    assert "ms/decision" in str(result) and result.to_dict()["agents"][0]["ms_per_decision"] > 0
    again = play_match(game, [python_random, "reflex"], games=20, seed=4)
    assert all(a.timed_decisions >= b.timed_decisions for a, b in zip(again.agents, result.agents, strict=True)), (
        "nothing has to be compiled on the first deal"
    )
    assert again.agents == result.agents, "times are not compared"
    assert "ms/decision" not in str(play_match(game, ["random", "reflex"], games=20)), "a kernel plays the match"


def test_match_result_has_the_documented_keys() -> None:
    game = make("uno", players=3, rules="rlcard")
    result = play_match(game, ["random", "reflex", "random"], games=100, seed=4).to_dict()
    assert list(result) == ["game", "rules", "seed", "games", "seconds", "steps", "voids", "agents"]
    assert result["game"] == "uno" and result["seed"] == 4 and result["games"] == 102
    assert result["rules"] == {"name": "rlcard", "hash": game.rules.hash}
    assert [entry["name"] for entry in result["agents"]] == ["random", "reflex", "random"]
    assert sum(entry["wins"] for entry in result["agents"]) + result["voids"] == 102
    for entry in result["agents"]:
        assert list(entry) == ["name", "games", "wins", "win_rate", "ci95", "mean_return", "return_ci95"]
        assert entry["ci95"][0] < entry["win_rate"] < entry["ci95"][1]


def test_kernels_and_python_agents_play_the_same_games() -> None:
    for players, rules in ((2, "rlcard"), (3, "simplified")):
        game = make("uno", players=players, rules=rules)
        names = ["reflex", "random", "random"][:players]
        fast = play_match(game, names, games=12, seed=5)
        slow = play_match(
            game, [{"reflex": python_reflex, "random": python_random}[n] for n in names], games=12, seed=5
        )
        assert counts(fast) == counts(slow)
        assert (fast.steps, fast.voids) == (slow.steps, slow.voids)


def test_every_deal_is_played_from_every_seat() -> None:
    hands: dict[str, list[str]] = {"a": [], "b": []}

    class Spy(PythonPolicy):
        def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
            hands[self.name].append(f"{observation.player}: {observation.origin.once}")
            return super().act(observation, limit)

    game = make("uno", players=2, rules="rlcard")
    play_match(game, [lambda g, seed, n=name: Spy(n, g, seed, REFLEX) for name in "ab"], games=2)
    assert len(set(hands["a"])) == 2, "two seats, two hands"
    assert set(hands["a"]) == set(hands["b"]), "both agents had the same two hands"
    assert deal(game, 0, 0).to_dict() == deal(game, 0, 0).to_dict() != deal(game, 0, 1).to_dict()


class TwoSides(Uno):
    """Uno for three players with two sides: one agent has the first seat, the other the two others."""

    roles: ClassVar[Sequence[str]] = ("player",)

    def seatings(self, entries: int) -> NDArray[np.int64]:
        return np.array([[0, 1, 1], [1, 0, 0]]) if entries == 2 else super().seatings(entries)


def test_participant_may_have_several_seats() -> None:
    game = TwoSides(3, "rlcard")
    fast = play_match(game, ["reflex", "random"], games=100, seed=5)
    slow = play_match(game, [python_reflex, python_random], games=100, seed=5)
    assert counts(fast) == counts(slow)
    assert fast.games == 100 == fast.agents[0].games
    assert [entry.roles for entry in fast.agents] == [entry.roles for entry in slow.agents]
    for entry in fast.agents:
        (role,) = entry.roles
        assert (role.name, role.games, role.wins) == ("player", 150, entry.wins), "one seat, then two"
        assert entry.to_dict()["roles"][0]["games"] == 150
    assert sum(entry.mean_return for entry in fast.agents) == pytest.approx(-1), "one wins, two lose"


def test_each_seat_has_its_own_slot() -> None:
    slots = slots_of(np.array([[0, 1, 1], [1, 0, 0]]))
    assert slots.tolist() == [[0, 1, 3], [1, 0, 2]]
    assert slots_of(make("uno", 3).seatings(3)).tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]


def test_result_does_not_depend_on_the_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make("uno", players=2, rules="rlcard")
    for agents, games in ((["reflex", "random"], 40_002), ([python_reflex, python_random], 12)):
        alone = play_match(game, agents, games, seed=9)
        with monkeypatch.context() as patched:
            patched.setattr(match, "_CHUNK_SECONDS", 0.001)  # or one process would play all before others start
            assert without_time(play_match(game, agents, games, seed=9, jobs=2)) == without_time(alone)


@pytest.mark.parametrize(("span", "parts"), [(0.0, [2, 4, 6, 8, 10]), (np.inf, [2, 6, 10])])
def test_chunks_double_until_calls_take_too_long(
    span: float, parts: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match, "_CHUNK_SECONDS", span)
    seen: list[int] = []
    play_match(make("uno", 2, "rlcard"), ["random"] * 2, games=10, progress=lambda now: seen.append(now.games))
    assert seen == parts


def killing_worker(game: Game, seed: int) -> Agent:
    """Kill the process if it is a worker."""
    if parent_process() is not None:
        os._exit(1)
    return python_random(game, seed)


def test_killed_worker_process_is_reported() -> None:
    with pytest.raises(InvalidInput, match="a worker process was killed"):
        play_match(make("uno", 2, "rlcard"), [killing_worker, "random"], games=10, jobs=2)


def test_void_rounds_are_games_without_a_winner() -> None:
    game = make("uno", players=2, overrides=["turn-limit=3"])
    for agents in (["random", "random"], [python_random, python_random]):
        result = play_match(game, agents, games=10)
        assert result.voids == 10
        assert counts(result) == [(10, 0, 0.0, 0.0, 0.0)] * 2


def test_match_ends_at_the_match_score() -> None:
    game = make("uno", players=2, overrides=["match-score=150", "draw-when=stuck"])
    result = play_match(game, ["reflex", "rlcard-rule"], games=4, seed=1, match=True)
    assert sum(entry.wins for entry in result.agents) == result.games == 4
    assert result.steps > 4 * 30, "several rounds"
    void = make("uno", players=2, overrides=["turn-limit=1"])
    assert play_match(void, ["reflex", "reflex"], games=2, match=True).voids == 2


def test_match_ends_when_a_seat_has_exactly_the_match_score() -> None:
    """A round pays 1 or -1: a match to 1 is one round, a match to 2 ends with the second round that a seat wins."""
    for match_score, winner_totals in ((1, {1.0}), (2, {1.0, 2.0})):
        game = make("uno", players=2, rules="rlcard", overrides=[f"match-score={match_score}"])
        results: list[MatchResult] = []
        play_match(game, [python_reflex, python_random], games=20, seed=1, match=True, progress=results.append)
        sums = [0.0, *(result.agents[0].mean_square * result.games for result in results)]
        squares = {round(after - before, 6) for before, after in pairwise(sums)}
        expected = {first**2 + second**2 for first in winner_totals for second in winner_totals}
        assert squares == expected, f"squares of two games, match score {match_score}"


def test_match_sums_the_payoffs_of_winners_and_moves_the_dealer(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = [(0, 60), None, None, (1, 50), None, None, (0, 30), (0, 20)]
    dealers, seeds = [], []

    def new_initial_state(seed: int, dealer: int) -> SimpleNamespace:
        played = rounds[len(dealers)]
        dealers.append(dealer)
        seeds.append(seed)
        paid = (
            [0.0, 0.0, 0.0] if played is None else [float(played[1] if seat == played[0] else -5) for seat in range(3)]
        )
        return SimpleNamespace(winners=lambda: [] if played is None else [played[0]], returns=lambda: paid)

    monkeypatch.setattr(match, "play_round", lambda *_: 7)
    monkeypatch.setattr(match, "_MAX_VOID_ROUNDS", 3)
    game = SimpleNamespace(rules={"match-score": 100}, new_initial_state=new_initial_state)
    plan = match._MatchPlan(game, (), (), None, 5, None, True)  # type: ignore[arg-type]
    outcome = match._one_match(plan, 4, [None] * 3)  # type: ignore[list-item]
    assert outcome.won.tolist() == [True, False, False] and outcome.steps == 7 * len(rounds)
    assert outcome.paid.tolist() == [60 + 30 + 20 - 5, 50 - 3 * 5, -4 * 5]
    assert dealers == [(dealers[0] + number) % 3 for number in range(len(rounds))]
    assert len(set(seeds)) == len(rounds)
    rounds[:] = [(0, 60), None, None, None]
    dealers.clear()
    assert not match._one_match(plan, 4, [None] * 3).won.any()  # type: ignore[list-item]


def test_round_robin_plays_every_pair_and_sums_games() -> None:
    game = make("uno", players=2, rules="rlcard")
    seen: list[int] = []
    result = play_round_robin(
        game, ["reflex", "random", "rlcard-rule"], games=100, progress=lambda part: seen.append(part.games)
    )
    assert [[entry.name for entry in pair.agents] for pair in result.pairs] == [
        ["reflex", "random"],
        ["reflex", "rlcard-rule"],
        ["random", "rlcard-rule"],
    ]
    assert [entry.games for entry in result.agents] == [200, 200, 200]
    assert result.games == seen[-1] == 300
    assert sum(entry.wins for entry in result.agents) + result.voids == 300
    assert len(result.to_dict()["pairs"]) == 3


def test_round_robin_takes_a_numpy_integer_as_seed() -> None:
    result = play_round_robin(make("uno", players=2), ["reflex", "random"], games=2, seed=np.int64(3))  # type: ignore[arg-type]
    assert json.loads(json.dumps(result.to_dict()))["seed"] == 3


def test_pairs_of_a_round_robin_have_own_deals_and_are_reproducible() -> None:
    game = make("uno", players=2, rules="rlcard")
    result = play_round_robin(game, ["random"] * 3, games=400, seed=1)
    assert result.seed == 1 and len({tuple(counts(pair)) for pair in result.pairs}) > 1, "each pair has its own deals"
    again = play_match(game, ["random"] * 2, games=400, seed=result.pairs[1].seed)
    assert counts(again) == counts(result.pairs[1])


class SleepingAgent(PythonPolicy):
    """Agent that sleeps for 30 seconds after a hundred decisions, and then writes a file."""

    decisions = 0

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        SleepingAgent.decisions += 1
        if SleepingAgent.decisions > 100:
            time.sleep(30)
            Path(os.environ["WAKE_FILE"]).touch()
        return super().act(observation, limit)


def sleeping(game: Game, seed: int) -> Agent:
    return SleepingAgent("sleeping", game, seed, RANDOM)


def test_exception_in_progress_ends_running_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAKE_FILE", str(tmp_path / "woken"))

    def fail(result: MatchResult) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        play_match(make("uno", 2, "rlcard"), [sleeping, "random"], games=1000, jobs=2, progress=fail)
    assert not (tmp_path / "woken").exists()


def test_progress_is_called_after_each_chunk() -> None:
    game = make("uno", players=2, rules="rlcard")
    seen: list[MatchResult] = []
    result = play_match(game, [python_random, python_random], games=6, progress=seen.append)
    assert [part.games for part in seen] == [2, 4, 6]
    assert counts(seen[-1]) == counts(result)


def test_daemonic_process_cannot_start_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)  # type: ignore[attr-defined]
    with pytest.raises(InvalidInput, match="a daemonic process"):
        play_match(make("uno", 2, "rlcard"), [sleeping, "random"], games=1, jobs=2)


def test_wrong_arguments_and_illegal_actions_are_refused() -> None:
    game = make("uno", players=2)
    with pytest.raises(InvalidInput, match="3 agents were given for 2 players"):
        play_match(game, ["random"] * 3, games=1)
    with pytest.raises(InvalidInput, match="games is a number from 1"):
        play_match(game, ["random"] * 2, games=0)
    with pytest.raises(InvalidInput, match="jobs is a number from 1"):
        play_match(game, ["random"] * 2, games=1, jobs=0)
    with pytest.raises(InvalidInput, match="unknown agent"):
        play_match(game, ["random", "nobody"], games=1)
    with pytest.raises(InvalidInput, match=r"agent cheat: .* is not legal now"):
        play_match(game, [IllegalAgent(), "random"], games=1)
    with pytest.raises(InvalidInput, match="agent number: act returns a Decision, not int"):
        play_match(game, [NumberAgent(), "random"], games=1)  # type: ignore[list-item]
    for entry in (lambda g, seed: IllegalAgent(), make_agent("random", game, seed=3)):
        with pytest.raises(InvalidInput, match="more than one job"):
            play_match(game, [entry, "random"], games=1, jobs=2)
    with pytest.raises(InvalidInput, match="round robin"):
        play_round_robin(game, ["random"], games=1)
    with pytest.raises(InvalidInput, match="a round robin needs a game for two, not for 3"):
        play_round_robin(make("uno", players=3), ["random"] * 3, games=1)


@pytest.mark.parametrize("kind", ["rounds", "match", "robin"])
def test_limit_is_passed_to_every_decision(kind: str) -> None:
    limits = set()

    class LimitSpy:
        name = "limit-spy"

        def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
            limits.add(limit)
            return Decision(observation.legal_actions[0])

    game, limit = make("uno", 2, "rlcard", overrides=["turn-limit=50", "match-score=1"]), Limit(simulations=3)
    play = play_round_robin if kind == "robin" else play_match
    play(game, [LimitSpy(), LimitSpy()], games=2, limit=limit, match=kind == "match")
    assert limits == {limit}


def test_round_robin_sums_the_results_of_each_agent() -> None:
    game = make("uno", players=2, rules="rlcard")
    result = play_round_robin(game, ["reflex", "random", "rlcard-rule"], games=100)
    (first, second), (first_again, third), (second_again, third_again) = (pair.agents for pair in result.pairs)
    parts = (first, first_again), (second, second_again), (third, third_again)
    for entry, (one, other) in zip(result.agents, parts, strict=True):
        assert entry.wins == one.wins + other.wins
        assert entry.mean_return == pytest.approx((one.mean_return + other.mean_return) / 2)
    assert result.steps == sum(pair.steps for pair in result.pairs)
    assert result.seconds == pytest.approx(sum(pair.seconds for pair in result.pairs))


def test_round_robin_with_match_plays_matches() -> None:
    game = make("uno", players=2, rules="rlcard", overrides=["match-score=3"])
    result = play_round_robin(game, ["reflex", "random"], games=2, seed=1, match=True)
    again = play_match(game, ["reflex", "random"], games=2, seed=result.pairs[0].seed, match=True)
    assert result.steps == again.steps and counts(result.pairs[0]) == counts(again)


def test_round_robin_sums_void_rounds() -> None:
    game = make("uno", players=2, overrides=["turn-limit=3"])
    assert play_round_robin(game, ["random"] * 3, games=2).voids == 6
