"""Benchmarks of the Uno engine, without search: rounds, decisions, and steps of vectorized environments."""

import statistics
import time
from collections.abc import Iterator

import numpy as np

from cardgames.bench.timing import Result, make_result, peer_figures, time_playouts
from cardgames.core.game import Game
from cardgames.core.game_registry import make

SIMPLE_RULES = ("draw-when=stuck", "uno-call=off", "challenge=off")
"""Overrides of the preset `common` for playout benchmarks: no drawing with a playable card, no UNO calls, no challenges."""


def _simple_game(players: int = 4) -> Game:
    return make("uno", players=players, rules="common", overrides=SIMPLE_RULES)


def _rlcard_games(seconds: float = 2.0) -> tuple[float, float] | None:
    """Return the games and the steps per second of RLCard's Uno with four random players; None if RLCard is not installed.

    It is measured for `seconds`.
    """
    try:
        from rlcard.games.uno import Game as RlcardGame
    except ImportError:
        return None
    random = np.random.RandomState(0)
    game = RlcardGame(num_players=4)
    games = steps = 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        game.init_game()
        try:
            while not game.is_over():
                legal = list(dict.fromkeys(game.get_legal_actions()))
                game.step(legal[random.randint(len(legal))])
                steps += 1
        except IndexError:  # RLCard's empty piles
            continue
        games += 1
    elapsed = time.perf_counter() - started
    return games / elapsed, steps / elapsed


def _rlcard_env_steps(seconds: float = 2.0) -> float | None:
    """Return the random steps per second of RLCard's two-player Uno environment, observations and legal actions included.

    Returns None if RLCard is not installed. It is measured for `seconds`.
    """
    try:
        import rlcard
    except ImportError:
        return None
    env = rlcard.make("uno", config={"seed": 0})
    random = np.random.RandomState(0)
    steps = 0
    started = time.perf_counter()
    state, _ = env.reset()
    while time.perf_counter() - started < seconds:
        legal = list(state["legal_actions"])
        state, _ = env.step(legal[random.randint(len(legal))])
        steps += 1
        if env.is_over():
            state, _ = env.reset()
    return steps / (time.perf_counter() - started)


def random_playouts() -> Result:
    """Measure Uno games per second of four random players under `SIMPLE_RULES`."""
    seconds, decisions = time_playouts(_simple_game(), "random", 5000)
    rlcard = _rlcard_games()
    note = f"{decisions / 5000:.1f} decisions a game"
    return make_result(
        "uno-random-playouts", 5000 / seconds, "games/s", peer_figures(RLCard=rlcard and rlcard[0]), note
    )


def reflex_playouts() -> Result:
    """Measure Uno games per second of four players with the policy `reflex` under `SIMPLE_RULES`."""
    seconds, decisions = time_playouts(_simple_game(), "reflex", 5000)
    return make_result("uno-reflex-playouts", 5000 / seconds, "games/s", {}, f"{decisions / 5000:.1f} decisions a game")


def preset_decisions() -> Iterator[Result]:
    """Measure decisions per second of four random players in Uno, under each rule preset."""
    rlcard = _rlcard_games()
    for preset in make("uno").rule_book.presets:
        seconds, decisions = time_playouts(make("uno", players=4, rules=preset), "random", 200)
        others = peer_figures(RLCard=rlcard and rlcard[1]) if preset == "rlcard" else {}
        yield make_result(f"uno-decisions-{preset}", decisions / seconds, "decisions/s", others)


def _python_decisions(game: Game, observe: bool, seconds: float = 2.0) -> float:
    """Return the decisions per second of random play through `State` objects in Python, measured for `seconds`.

    If `observe` is true, an observation is made for every decision.
    """
    random = np.random.RandomState(0)
    started = time.perf_counter()
    rounds = decisions = 0
    while time.perf_counter() - started < seconds:
        state = game.new_initial_state(seed=rounds)
        while not state.is_terminal():
            legal = state.observation().legal_actions if observe else state.legal_actions()
            state.apply_action(legal[random.randint(len(legal))])
            decisions += 1
        rounds += 1
    return decisions / (time.perf_counter() - started)


def python_decisions() -> Iterator[Result]:
    """Measure decisions per second of random four-player Uno through `State` objects in Python, under RLCard's rules.

    The first result is without observations, the second makes an observation for every decision.
    """
    game = make("uno", players=4, rules="rlcard")
    rlcard = _rlcard_games()
    for observe, others in ((False, peer_figures(RLCard=rlcard and rlcard[1])), (True, {})):
        _python_decisions(game, observe, 0.1)  # compiles
        name = "uno-python-decisions" + observe * "-observed"
        yield make_result(name, _python_decisions(game, observe), "decisions/s", others)


def vector_steps(num_envs: int = 4096, steps: int = 40) -> Result:
    """Measure steps per second of the vectorized environment in four-player Uno, under RLCard's rules.

    Observations and action masks are included; the choice of actions is not.
    """
    env = make("uno", players=4, rules="rlcard").vector(num_envs, seed=0)
    env.reset()
    random = np.random.default_rng(0)
    times = []
    for _ in range(steps):
        actions = (random.random(env.action_mask.shape) * env.action_mask).argmax(1)
        started = time.perf_counter()
        env.step(actions)
        times.append(time.perf_counter() - started)
    rate = num_envs / statistics.median(times[5:])
    return make_result("uno-vector-steps", rate, "steps/s", peer_figures(RLCard_environment=_rlcard_env_steps()))
