"""Benchmarks of Dou Di Zhu: random rounds, move generation, and decomposition of hands into groups."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.bench.timing import Result, best_time, make_result, peer_figures, time_playouts
from cardgames.core.game_registry import make
from cardgames.doudizhu.cards import DECK, hand_from_text, hand_to_text
from cardgames.doudizhu.hands.dancing_links import exact_covers
from cardgames.doudizhu.hands.decomposition import all_decompositions
from cardgames.doudizhu.hands.min_turns import fewest_decompositions, min_turns
from cardgames.doudizhu.hands.shapes import shape_table
from cardgames.doudizhu.moves.move_generation import follow_moves, lead_moves
from cardgames.doudizhu.moves.move_table import NUM_HOLDABLE_ACTIONS
from cardgames.doudizhu.notation import action_text
from cardgames.doudizhu.rules import CLASSIC, ONLINE
from cardgames.doudizhu.rules import kernel_rules as doudizhu_rules
from cardgames.kernels.jit import njit


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
    """Return `count` hands of `size` cards, each drawn at random from a full deck, [count] uint64."""
    random = np.random.default_rng(size)
    deck = list(hand_to_text(DECK))
    return np.array([hand_from_text("".join(random.permutation(deck)[:size])) for _ in range(count)], np.uint64)


def _rlcard_leads(hands: NDArray[np.uint64]) -> float | None:
    """Return the microseconds per hand that RLCard takes to list all moves of a hand, None if RLCard is not installed."""
    try:
        from rlcard.games.doudizhu.judger import DoudizhuJudger
    except ImportError:
        return None
    texts = [hand_to_text(hand) for hand in hands]
    return 1e6 / len(texts) * best_time(lambda: [DoudizhuJudger.playable_cards_from_hand(text) for text in texts], 1)[0]


def _rlcard_replies(hands: NDArray[np.uint64], lasts: NDArray[np.int64]) -> float | None:
    """Return the microseconds that RLCard takes to list a hand's replies to a move; None if RLCard is not installed.

    Pairs of a hand and a move that RLCard does not know are left out.
    """
    try:
        from rlcard.games.doudizhu.utils import CARD_TYPE, get_gt_cards
    except ImportError:
        return None
    pairs = [
        (SimpleNamespace(current_hand=[SimpleNamespace(rank=card, suit="") for card in hand_to_text(hand)]), cards)
        for hand, cards in zip(hands, map(action_text, lasts), strict=True)
        if cards in CARD_TYPE[0]
    ]

    def reply_to_all() -> None:
        for player, cards in pairs:
            get_gt_cards(player, SimpleNamespace(played_cards=cards))

    return 1e6 / len(pairs) * best_time(reply_to_all, 1)[0]


def _openspiel_leads(count: int) -> float | None:
    """Return the microseconds that OpenSpiel takes to list the moves of a landlord's first hand.

    The time is the mean over `count` random deals; None if OpenSpiel is not installed.
    """
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
    return 1e6 / count * best_time(lambda: [state.legal_actions() for state in states])[0]


def _openspiel_games(count: int = 200) -> float | None:
    """Return the random Dou Di Zhu games per second that OpenSpiel plays, with moves chosen in Python.

    Returns None if OpenSpiel is not installed.
    """
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

    return count / best_time(play, 1)[0]


def random_doudizhu(count: int = 20_000) -> Result:
    """Measure games per second of random Dou Di Zhu rounds, auction included, under OpenSpiel's rules."""
    seconds, decisions = time_playouts(make("doudizhu", rules="openspiel"), "random", count)
    note = f"{decisions / count:.1f} decisions a game"
    return make_result(
        "doudizhu-random-games", count / seconds, "games/s", peer_figures(OpenSpiel=_openspiel_games()), note
    )


def legal_leads(count: int = 4000) -> Result:
    """Measure the microseconds per hand to list all leads of random 20-card hands, with all kickers allowed."""
    hands, out, rules = _hands(20, count), np.zeros(NUM_HOLDABLE_ACTIONS, np.int32), doudizhu_rules(ONLINE)
    seconds, moves = best_time(lambda: _count_leads(rules, hands, out), 20)
    others = peer_figures(RLCard=_rlcard_leads(hands[:1000]), OpenSpiel=_openspiel_leads(200))
    return make_result(
        "doudizhu-legal-lead20", seconds / count * 1e6, "us", others, f"{moves / count:.1f} moves a hand"
    )


def legal_replies(count: int = 4000) -> Result:
    """Measure the microseconds per hand to list the replies of random 17-card hands to a random lead of another hand."""
    hands, out, rules = _hands(17, count), np.zeros(NUM_HOLDABLE_ACTIONS, np.int32), doudizhu_rules(ONLINE)
    random = np.random.default_rng(0)
    lasts = np.array([random.choice(out[: lead_moves(rules, hand, out)]) for hand in np.roll(hands, 1)], np.int64)
    seconds, moves = best_time(lambda: _count_replies(rules, hands, lasts, out), 20)
    others = peer_figures(RLCard=_rlcard_replies(hands[:500], lasts[:500]))
    return make_result(
        "doudizhu-legal-follow", seconds / count * 1e6, "us", others, f"{moves / count:.1f} replies a hand"
    )


def _times(run: Callable[[np.uint64], Any], hands: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Return the milliseconds that `run` takes for each of `hands`, the shortest of three calls, [hands] float64."""
    return np.array([1e3 * best_time(lambda hand=hand: run(hand), 3)[0] for hand in hands])  # type: ignore[misc]


def decompositions(count: int = 1000) -> Result:
    """Measure the median milliseconds to find all decompositions of a random 20-card hand under paper 004's rules.

    The note also gives the time with dancing links.
    """
    hands, rules = _hands(20, count), doudizhu_rules(CLASSIC)
    times = _times(lambda hand: all_decompositions(rules, hand, 2**62), hands)
    dancing_links_times = _times(lambda hand: exact_covers(rules, hand), hands)
    note = f"99th percentile {np.quantile(times, 0.99):.2f}; with dancing links {np.median(dancing_links_times):.2f}, "
    note += f"99th percentile {np.quantile(dancing_links_times, 0.99):.2f}"
    return make_result("doudizhu-decompose20", float(np.median(times)), "ms", {}, note)


def decompositions_into_fewest(count: int = 1000) -> Result:
    """Measure the median milliseconds to find all decompositions of a random 20-card hand into the fewest groups.

    The rules are those of paper 004.
    """
    hands, rules = _hands(20, count), doudizhu_rules(CLASSIC)
    table = shape_table(rules)
    times = _times(lambda hand: fewest_decompositions(rules, table, hand), hands)
    note = f"99th percentile {np.quantile(times, 0.99):.3f}"
    return make_result("doudizhu-decompose20-fewest", float(np.median(times)), "ms", {}, note)


@njit
def _count_turns(rules, table, hands):
    total = 0
    for i in range(len(hands)):
        total += min_turns(rules, table, hands[i])
    return total


def fewest_turns(count: int = 4000) -> Result:
    """Measure the microseconds to compute the minimum number of groups of a random 20-card hand, under paper 004's rules."""
    hands, rules = _hands(20, count), doudizhu_rules(CLASSIC)
    table = shape_table(rules)
    seconds, turns = best_time(lambda: _count_turns(rules, table, hands), 20)
    return make_result("doudizhu-min-turns20", seconds / count * 1e6, "us", {}, f"{turns / count:.2f} turns a hand")
