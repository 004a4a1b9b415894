"""The benchmarks of Uno: rounds, decisions and steps of many tables, without any search."""

import statistics
import time
from collections.abc import Iterator

import numpy as np

from cardgames.bench.timing import Result, peers, playouts, result
from cardgames.core.game import Game
from cardgames.core.game_registry import make

SIMPLE_RULES = ("draw-when=stuck", "uno-call=off", "challenge=off")
"""`common` without calls and challenges: what the playout figures are for."""


def _simple(players: int = 4) -> Game:
    return make("uno", players=players, rules="common", overrides=SIMPLE_RULES)


def _rlcard_games(seconds: float = 2.0) -> tuple[float, float] | None:
    """Return RLCard's random four-player games and steps per second, None if it is not installed."""
    try:
        from rlcard.games.uno import Game as Peer
    except ImportError:
        return None
    random = np.random.RandomState(0)
    game = Peer(num_players=4)
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
    passed = time.perf_counter() - started
    return games / passed, steps / passed


def _rlcard_env_steps(seconds: float = 2.0) -> float | None:
    """Return steps per second of RLCard's environment (observations and legal actions, two players)."""
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
    """Measure random rounds of four players under simple rules."""
    seconds, decisions = playouts(_simple(), "random", 5000)
    rlcard = _rlcard_games()
    note = f"{decisions / 5000:.1f} decisions a game"
    return result("uno-random-playouts", 5000 / seconds, "games/s", peers(RLCard=rlcard and rlcard[0]), note)


def reflex_playouts() -> Result:
    """Measure reflex rounds of four players under simple rules."""
    seconds, decisions = playouts(_simple(), "reflex", 5000)
    return result("uno-reflex-playouts", 5000 / seconds, "games/s", {}, f"{decisions / 5000:.1f} decisions a game")


def preset_decisions() -> Iterator[Result]:
    """Measure random decisions under every preset as it is, four players."""
    rlcard = _rlcard_games()
    for preset in make("uno").book.presets:
        seconds, decisions = playouts(make("uno", players=4, rules=preset), "random", 200)
        others = peers(RLCard=rlcard and rlcard[1]) if preset == "rlcard" else {}
        yield result(f"uno-decisions-{preset}", decisions / seconds, "decisions/s", others)


def _python_decisions(game: Game, look: bool, seconds: float = 2.0) -> float:
    """Return random decisions per second of rounds as Python objects, each after a look at the observation if asked."""
    random = np.random.RandomState(0)
    started = time.perf_counter()
    rounds = decisions = 0
    while time.perf_counter() - started < seconds:
        state = game.new_initial_state(seed=rounds)
        while not state.is_terminal():
            legal = state.observation().legal_actions if look else state.legal_actions()
            state.apply_action(legal[random.randint(len(legal))])
            decisions += 1
        rounds += 1
    return decisions / (time.perf_counter() - started)


def python_decisions() -> Iterator[Result]:
    """Measure random decisions of `State`, by RLCard's rules with four players, without and with observations."""
    game = make("uno", players=4, rules="rlcard")
    rlcard = _rlcard_games()
    for look, others in ((False, peers(RLCard=rlcard and rlcard[1])), (True, {})):
        _python_decisions(game, look, 0.1)  # compiles
        name = "uno-python-decisions" + look * "-observed"
        yield result(name, _python_decisions(game, look), "decisions/s", others)


def vector_steps(num_envs: int = 4096, steps: int = 40) -> Result:
    """Measure vectorised stepping with observations and masks; choosing the actions is not counted."""
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
    return result("uno-vector-steps", rate, "steps/s", peers(RLCard_environment=_rlcard_env_steps()))
