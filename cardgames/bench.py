"""The benchmarks behind `cardgames bench`: what is fast, beside its peers measured in the same run.

Every figure is the best of several repetitions on one core, after compilation; a decision's is the median over
positions. RLCard, OpenSpiel and torch are measured where they are installed.
"""

import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops, rng
from cardgames.core.agents import agent
from cardgames.core.errors import unknown
from cardgames.core.game import Game, make
from cardgames.core.jit import njit
from cardgames.core.network import Mlp, random_network
from cardgames.core.rng import mix
from cardgames.doudizhu.cards import DECK, hand_of, text_of
from cardgames.doudizhu.dancing_links import exact_covers
from cardgames.doudizhu.decompose import all_decompositions
from cardgames.doudizhu.movegen import follow_moves, lead_moves
from cardgames.doudizhu.moves import NUM_HELD
from cardgames.doudizhu.notation import action_text
from cardgames.doudizhu.rules import CLASSIC, ONLINE
from cardgames.doudizhu.rules import kernel_rules as doudizhu_rules
from cardgames.doudizhu.shapes import shape_table
from cardgames.doudizhu.turns import fewest_decompositions, min_turns
from cardgames.learners.benchmarks import dqn_training
from cardgames.measuring import Result, best, peers_of, result
from cardgames.search.batched import search_many
from cardgames.search.evaluators import make_evaluator

SIMPLE_RULES = ("draw-when=stuck", "uno-call=off", "challenge=off")
"""`common` without calls and challenges: what the playout figures are for."""


@njit
def play_out(rules, state, stream, which, weights, games, seed):
    """Deal and play so many rounds, every seat by policy `which`, and return the number of decisions."""
    decisions = 0
    for number in range(games):
        ops.deal(rules, state, mix(np.uint64(seed + number)))
        while not ops.is_terminal(rules, state):
            ops.apply_action(rules, state, ops.policy(rules, state, which, weights, stream))
            decisions += 1
    return decisions


def _simple(players: int = 4) -> Game:
    return make("uno", players=players, rules="common", overrides=SIMPLE_RULES)


def _playouts(game: Game, policy: str, games: int) -> tuple[float, int]:
    """Return the seconds and decisions of so many rounds."""
    state = np.zeros(1, game.state_dtype)[0]
    return best(lambda: play_out(game.kernel_rules, state, rng.stream(1), *game.policy(policy), games, 0))


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
    seconds, decisions = _playouts(_simple(), "random", 5000)
    rlcard = _rlcard_games()
    note = f"{decisions / 5000:.1f} decisions a game"
    return result("uno-random-playouts", 5000 / seconds, "games/s", peers_of(RLCard=rlcard and rlcard[0]), note)


def reflex_playouts() -> Result:
    """Measure reflex rounds of four players under simple rules."""
    seconds, decisions = _playouts(_simple(), "reflex", 5000)
    return result("uno-reflex-playouts", 5000 / seconds, "games/s", {}, f"{decisions / 5000:.1f} decisions a game")


def preset_decisions() -> Iterator[Result]:
    """Measure random decisions under every preset as it is, four players."""
    rlcard = _rlcard_games()
    for preset in make("uno").book.presets:
        seconds, decisions = _playouts(make("uno", players=4, rules=preset), "random", 200)
        peers = peers_of(RLCard=rlcard and rlcard[1]) if preset == "rlcard" else {}
        yield result(f"uno-decisions-{preset}", decisions / seconds, "decisions/s", peers)


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
    return result("uno-vector-steps", rate, "steps/s", peers_of(RLCard_environment=_rlcard_env_steps()))


def _positions(game: Game, games: int) -> Iterator[Any]:
    """Yield the observations with a choice in some rounds between reflex players."""
    player = agent("reflex", game, seed=1)
    for number in range(games):
        state = game.new_initial_state(seed=number)
        while not state.is_terminal():
            observation = state.observation()
            if len(observation.legal_actions) > 1:
                yield observation
            state.apply_action(player.act(observation).action)


def mcts_dbm_decision() -> Iterator[Result]:
    """Measure decisions of `mcts-dbm` at the paper's setting, two players, and its simulations."""
    game = make("uno", players=2, rules="rlcard")
    searcher = agent("mcts-dbm", game, seed=0)
    positions = list(_positions(game, 20))
    searcher.act(positions[0])
    times, rates = [], []
    for observation in positions:
        started = time.perf_counter()
        decision = searcher.act(observation)
        times.append(time.perf_counter() - started)
        rates.append(decision.report.simulations / decision.report.seconds)
    note = f"{len(times)} decisions with a choice, 500 simulations each"
    yield result("mcts-dbm-decision", statistics.median(times) * 1e3, "ms", {}, note)
    yield result("mcts-dbm-simulations", statistics.median(rates), "simulations/s", {}, "the filter's time included")


def search_threads(simulations: int = 20_000) -> Result:
    """Measure how much faster two threads search than one."""
    game = make("uno", players=2, rules="rlcard")
    observation = next(_positions(game, 1))
    rates = []
    for threads in (1, 2):
        searcher = agent("mcts", game, seed=0, simulations=simulations, trees=8, threads=threads)
        seconds, _ = best(lambda searcher=searcher: searcher.act(observation), 5)  # type: ignore[misc]
        rates.append(simulations / seconds)
    note = f"two threads {rates[1]:,.0f} simulations/s, one {rates[0]:,.0f}"
    return result("search-threads", rates[1] / rates[0], "times", {}, note)


def _torch_leaves(game: Game, network: Mlp, inputs: NDArray[np.int8]) -> float | None:
    """Return leaves per second of torch on one core, None if it is not installed."""
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(1)
    evaluator = make_evaluator(game, network, "cpu")
    return len(inputs) / best(lambda: evaluator.outputs(inputs), 200)[0]


def network_leaves(batch: int = 64) -> Iterator[Result]:
    """Measure leaf evaluations of a Q-network 240-64-64-61: the network alone, then with encoding and reading."""
    game = make("uno", players=2, rules="rlcard")
    network = random_network((240, 64, 64, 61), 0, "4x4x15", "uno")
    evaluator = make_evaluator(game, network, "kernel")
    seen = list(itertools.islice(_positions(game, 20), batch))
    states, players = np.zeros(batch, game.state_dtype), np.array([observation.player for observation in seen])
    for i, observation in enumerate(seen):
        states[i] = observation.record
    inputs = np.stack([game.encode(observation, network.encoding).ravel() for observation in seen])
    seconds, _ = best(lambda: evaluator.outputs(inputs), 500)
    peers = peers_of(torch=_torch_leaves(game, network, inputs))
    yield result("network-leaves", batch / seconds, "leaves/s", peers, f"240-64-64-61, batches of {batch}")
    seconds, _ = best(lambda: evaluator.evaluate(states, players), 500)
    yield result("network-values", batch / seconds, "leaves/s", {}, "the same with encoding and the best legal action")


def batched_simulations(observations: int = 64) -> Result:
    """Measure the lock-step search with that network, 500 simulations for each of many observations."""
    game = make("uno", players=2, rules="rlcard")
    evaluator = make_evaluator(game, random_network((240, 64, 64, 61), 0, "4x4x15", "uno"), "kernel")
    seen = list(itertools.islice(_positions(game, 20), observations))
    seconds, decisions = best(lambda: search_many(seen, evaluator), 5)
    simulations = sum(decision.report.simulations for decision in decisions)
    note = f"240-64-64-61 in kernels, {observations} decisions at once, reports included"
    return result("batched-simulations", simulations / seconds, "simulations/s", {}, note)


def expectimax_decision() -> Result:
    """Measure decisions of `expectimax` at the paper's setting at six tables; the slowest table's median counts."""
    medians = {}
    for rules in ("rlcard", "simplified"):
        for players in (2, 3, 4):
            game = make("uno", players=players, rules=rules)
            searcher = agent("expectimax", game, seed=0)
            times = []
            for observation in _positions(game, 10):
                started = time.perf_counter()
                searcher.act(observation)
                times.append(time.perf_counter() - started)
            medians[f"{rules} {players}"] = statistics.median(times) * 1e3
    note = ", ".join(f"{table} players: {median:.3f}" for table, median in medians.items())
    return result("expectimax-decision", max(medians.values()), "ms", {}, note)


@njit
def _count_leads(rules, hands, out):
    total = 0
    for i in range(len(hands)):
        total += lead_moves(rules, hands[i], out)
    return total


@njit
def _count_replies(rules, hands, lasts, out):
    total = 0
    for i in range(len(hands)):
        total += follow_moves(rules, hands[i], lasts[i], out)
    return total


def _hands(size: int, count: int) -> NDArray[np.uint64]:
    """Return random hands of Dou Di Zhu."""
    random = np.random.default_rng(size)
    deck = list(text_of(DECK))
    return np.array([hand_of("".join(random.permutation(deck)[:size])) for _ in range(count)], np.uint64)


def _rlcard_leads(hands: NDArray[np.uint64]) -> float | None:
    """Return the microseconds RLCard takes for the moves of a hand, None if it is not installed."""
    try:
        from rlcard.games.doudizhu.judger import DoudizhuJudger
    except ImportError:
        return None
    texts = [text_of(hand) for hand in hands]
    return 1e6 / len(texts) * best(lambda: [DoudizhuJudger.playable_cards_from_hand(text) for text in texts], 1)[0]


def _rlcard_replies(hands: NDArray[np.uint64], lasts: NDArray[np.int64]) -> float | None:
    """Return the microseconds RLCard takes for the replies of a hand, None if it is not installed."""
    try:
        from rlcard.games.doudizhu.utils import CARD_TYPE, get_gt_cards
    except ImportError:
        return None
    pairs = [
        (SimpleNamespace(current_hand=[SimpleNamespace(rank=card, suit="") for card in text_of(hand)]), cards)
        for hand, cards in zip(hands, map(action_text, lasts), strict=True)
        if cards in CARD_TYPE[0]
    ]

    def reply_to_all() -> None:
        for player, cards in pairs:
            get_gt_cards(player, SimpleNamespace(played_cards=cards))

    return 1e6 / len(pairs) * best(reply_to_all, 1)[0]


def _openspiel_leads(count: int) -> float | None:
    """Return the microseconds OpenSpiel takes for the moves of a dealt landlord, None if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    random, game, bid_three = np.random.default_rng(0), pyspiel.load_game("dou_dizhu"), 3
    states = []
    for _ in range(count):
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(int(random.choice(state.legal_actions())))
        state.apply_action(bid_three)
        states.append(state)
    return 1e6 / count * best(lambda: [state.legal_actions() for state in states])[0]


def _openspiel_games(count: int = 200) -> float | None:
    """Return OpenSpiel's random games per second, moves chosen in Python, None if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    random, game = np.random.default_rng(0), pyspiel.load_game("dou_dizhu")

    def play() -> None:
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[random.integers(len(legal))])

    return count / best(play, 1)[0]


def random_doudizhu(count: int = 20_000) -> Result:
    """Measure random rounds of Dou Di Zhu, the auction included, under OpenSpiel's rules."""
    seconds, decisions = _playouts(make("doudizhu", rules="openspiel"), "random", count)
    note = f"{decisions / count:.1f} decisions a game"
    return result("doudizhu-random-games", count / seconds, "games/s", peers_of(OpenSpiel=_openspiel_games()), note)


def legal_leads(count: int = 4000) -> Result:
    """Measure all moves of random 20-card hands, every kicker allowed."""
    hands, out, rules = _hands(20, count), np.zeros(NUM_HELD, np.int32), doudizhu_rules(ONLINE)
    seconds, moves = best(lambda: _count_leads(rules, hands, out), 20)
    peers = peers_of(RLCard=_rlcard_leads(hands[:1000]), OpenSpiel=_openspiel_leads(200))
    return result("doudizhu-legal-lead20", seconds / count * 1e6, "us", peers, f"{moves / count:.1f} moves a hand")


def legal_replies(count: int = 4000) -> Result:
    """Measure what random 17-card hands can reply to moves drawn from the leads of other such hands."""
    hands, out, rules = _hands(17, count), np.zeros(NUM_HELD, np.int32), doudizhu_rules(ONLINE)
    random = np.random.default_rng(0)
    lasts = np.array([random.choice(out[: lead_moves(rules, hand, out)]) for hand in np.roll(hands, 1)], np.int64)
    seconds, moves = best(lambda: _count_replies(rules, hands, lasts, out), 20)
    peers = peers_of(RLCard=_rlcard_replies(hands[:500], lasts[:500]))
    return result("doudizhu-legal-follow", seconds / count * 1e6, "us", peers, f"{moves / count:.1f} replies a hand")


def _times(run: Callable[[np.uint64], Any], hands: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Return the milliseconds that each hand takes, the best of three runs."""
    return np.array([1e3 * best(lambda hand=hand: run(hand), 3)[0] for hand in hands])  # type: ignore[misc]


def decomposing(count: int = 1000) -> Result:
    """Measure all decompositions of random 20-card hands under paper 004's grammar."""
    hands, rules = _hands(20, count), doudizhu_rules(CLASSIC)
    times = _times(lambda hand: all_decompositions(rules, hand, 2**62), hands)
    linked = _times(lambda hand: exact_covers(rules, hand), hands)
    note = f"99th percentile {np.quantile(times, 0.99):.2f}; with dancing links {np.median(linked):.2f}, "
    note += f"99th percentile {np.quantile(linked, 0.99):.2f}"
    return result("doudizhu-decompose20", float(np.median(times)), "ms", {}, note)


def decomposing_into_fewest(count: int = 1000) -> Result:
    """Measure the decompositions into the fewest groups of random 20-card hands under paper 004's grammar."""
    hands, rules = _hands(20, count), doudizhu_rules(CLASSIC)
    table = shape_table(rules)
    times = _times(lambda hand: fewest_decompositions(rules, table, hand), hands)
    note = f"99th percentile {np.quantile(times, 0.99):.3f}"
    return result("doudizhu-decompose20-fewest", float(np.median(times)), "ms", {}, note)


@njit
def _count_turns(rules, table, hands):
    total = 0
    for i in range(len(hands)):
        total += min_turns(rules, table, hands[i])
    return total


def fewest_turns(count: int = 4000) -> Result:
    """Measure the fewest groups of random 20-card hands under paper 004's grammar."""
    hands, rules = _hands(20, count), doudizhu_rules(CLASSIC)
    table = shape_table(rules)
    seconds, turns = best(lambda: _count_turns(rules, table, hands), 20)
    return result("doudizhu-min-turns20", seconds / count * 1e6, "us", {}, f"{turns / count:.2f} turns a hand")


BENCHMARKS: dict[str, Callable[[], Result | Iterator[Result]]] = {
    "uno-random-playouts": random_playouts,
    "uno-reflex-playouts": reflex_playouts,
    "uno-decisions": preset_decisions,
    "uno-vector-steps": vector_steps,
    "mcts-dbm-decision": mcts_dbm_decision,
    "search-threads": search_threads,
    "network-leaves": network_leaves,
    "batched-simulations": batched_simulations,
    "expectimax-decision": expectimax_decision,
    "dqn-training": dqn_training,
    "doudizhu-random-games": random_doudizhu,
    "doudizhu-legal-lead20": legal_leads,
    "doudizhu-legal-follow": legal_replies,
    "doudizhu-decompose20": decomposing,
    "doudizhu-decompose20-fewest": decomposing_into_fewest,
    "doudizhu-min-turns20": fewest_turns,
}


def run(names: list[str]) -> Iterator[Result]:
    """Run the benchmarks named (all, if none is) and yield their results as they come. Raises `InvalidInput`."""
    for name in names:
        if name not in BENCHMARKS:
            raise unknown("benchmark", name, BENCHMARKS)
    for name in names or BENCHMARKS:
        found = BENCHMARKS[name]()
        yield from [found] if isinstance(found, dict) else found
