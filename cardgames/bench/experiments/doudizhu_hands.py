"""Measure the time of decomposing Dou Di Zhu hands into groups, and of decisions of `rhcp`: percentiles over random hands.

    python -m cardgames.bench.experiments.doudizhu_hands --preset classic --hands 2000

Prints the CPU time of one call, after compilation, in microseconds. Replies are to random leads of another hand.
"""

import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from cardgames.bench.arguments import count, parser_of, run
from cardgames.doudizhu.cards import DECK, hand_from_text, hand_to_text
from cardgames.doudizhu.hands.dancing_links import exact_covers
from cardgames.doudizhu.hands.decomposition import (
    NO_GROUP,
    all_decompositions,
    count_decompositions,
    list_leads,
    sample_decompositions,
)
from cardgames.doudizhu.hands.min_turns import fewest_decompositions, min_turns
from cardgames.doudizhu.hands.shapes import shape_table
from cardgames.doudizhu.moves.move_table import PASS
from cardgames.doudizhu.policies.rhcp import rhcp
from cardgames.doudizhu.rules import BOOK, kernel_rules
from cardgames.kernels import rng


def report(name: str, run: Callable[..., Any], cases: Iterable[tuple[Any, ...]]) -> None:
    """Print the median, 99th percentile and maximum CPU time of `run` in microseconds over the arguments in `cases`."""
    times = []
    for case in cases:
        if not times:
            run(*case)  # compiles
        started = time.process_time_ns()
        run(*case)
        times.append((time.process_time_ns() - started) / 1e3)
    median, high, highest = np.quantile(times, [0.5, 0.99, 1])
    print(f"{name:30}{median:12,.1f}{high:12,.1f}{highest:12,.1f}", flush=True)


def main() -> None:
    """Parse the arguments, and print the times of decompositions and of `rhcp` decisions for random hands."""
    parser = parser_of(__doc__)
    parser.add_argument("--preset", default="classic", choices=BOOK.presets)
    parser.add_argument("--hands", type=count, default=1000)
    options = parser.parse_args()
    rules = kernel_rules(BOOK.presets[options.preset])
    table, random, stream = shape_table(rules), np.random.default_rng(0), rng.stream(0)
    deck, rows = list(hand_to_text(DECK)), np.full((100, 20), NO_GROUP, np.int32)

    def hands(size: int) -> list[np.uint64]:
        return [np.uint64(hand_from_text("".join(random.permutation(deck)[:size]))) for _ in range(options.hands)]

    twenty, seventeen = hands(20), hands(17)
    counts = np.array([count_decompositions(rules, hand) for hand in twenty])
    print(
        f"{options.preset}, {options.hands} hands; decompositions of 20 cards: median {np.median(counts):,.0f}, ",
        end="",
    )
    print(f"99 % {np.quantile(counts, 0.99):,.0f}, maximum {counts.max():,}")
    print(f"{'microseconds':30}{'median':>12}{'99 %':>12}{'maximum':>12}")
    report("all, depth first", all_decompositions, ((rules, hand, 2**62) for hand in twenty))
    report("all, dancing links", exact_covers, ((rules, hand) for hand in twenty))
    report("a sample of 100", sample_decompositions, ((rules, hand, PASS, stream, rows) for hand in twenty))
    report("fewest", fewest_decompositions, ((rules, table, hand) for hand in twenty))
    report("fewest, number of groups", min_turns, ((rules, table, hand) for hand in twenty))
    report("rhcp leads 20 cards", rhcp, ((rules, hand, PASS) for hand in twenty))
    lasts = [int(random.choice(list_leads(rules, hand))) for hand in twenty]
    report("rhcp replies from 17 cards", rhcp, ((rules, *case) for case in zip(seventeen, lasts, strict=True)))


if __name__ == "__main__":
    run(main)
