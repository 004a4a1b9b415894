"""Figure 2 of paper 000: how long 100,000 games of three players last.

The figure is a histogram; the text says that most end within around 40 to 80 rounds and that some go beyond 200. It names
neither who plays, here random players, nor what a round is, here a decision of one player: what RLCard counts.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.rng import derive
from cardgames.papers.paper_settings import SETUPS
from cardgames.papers.request import Report, Request
from cardgames.support.intervals import wilson

GAMES, QUICK_GAMES = 100_000, 10_000
SETUP = SETUPS["000"]
CLAIMED_RANGE, CLAIMED_LONG = (40, 80), 200
"""What the paper says of them."""
_BANDS = (*range(0, 201, 20), 300, 500, 1_000_000)
_TABLES = 1_000
_ACTION_SEED = 1


def lengths(games: int, seed: int, report_progress: Report) -> NDArray[np.int64]:
    """Return the number of decisions in each of `games` games of three random players under `rlcard`.

    They are played at many tables, at each so many and no more: whoever counted the first to end would count short ones.
    """
    tables = np.full(min(_TABLES, games), games // min(_TABLES, games))
    tables[: games - tables.sum()] += 1
    env = SETUP.make_game(SETUP.players[0]).vector(len(tables), seed)
    random = np.random.default_rng(derive(seed, _ACTION_SEED))
    running, played = np.zeros(len(tables), np.int64), np.zeros(len(tables), np.int64)
    found: list[NDArray[np.int64]] = []
    done = 0
    _, info = env.reset()
    while (played < tables).any():
        actions = (info["action_mask"] * (1 - random.random(info["action_mask"].shape, np.float32))).argmax(1)
        _, _, terminated, truncated, info = env.step(actions)
        running += 1
        over = terminated | truncated
        found.append(running[over & (played < tables)])
        played[over] += 1
        running[over] = 0
        done += len(found[-1])
        report_progress(f"{done:,} of {games:,} games")
    return np.concatenate(found)


def run(request: Request) -> Iterator[dict[str, Any]]:
    """Play 100,000 games unless told, in a quick run 10,000; yield how many are how long, then what the paper says."""
    found = lengths(request.number(GAMES, QUICK_GAMES), request.seed, request.report_progress)
    low, high = CLAIMED_RANGE
    for first, last in pairwise(_BANDS):
        number = int(((found >= first) & (found < last)).sum())
        if number:
            yield {"length": [first, min(last - 1, int(found.max()))], "games": number, "share": number / len(found)}
    most, beyond = int(((found >= low) & (found <= high)).sum()), int((found > CLAIMED_LONG).sum())
    within_ci95 = wilson(most, len(found))
    first, middle, last = np.percentile(found, [25, 50, 75])
    yield {
        "claim": f"most games end within {low} to {high} rounds, some go beyond {CLAIMED_LONG}",
        "measured": f"{_share(most, len(found))} and {_share(beyond, len(found))} of {len(found):,} games (a quarter up to "
        f"{first:g}, half up to {middle:g}, three quarters up to {last:g}, mean {found.mean():.1f}, longest {found.max()})",
        "within": most / len(found),
        "within_ci95": list(within_ci95),
        "beyond": beyond / len(found),
        "beyond_ci95": list(wilson(beyond, len(found))),
        "agrees": within_ci95[1] > 0.5 and beyond > 0,
    }


def _share(number: int, games: int) -> str:
    least, most = wilson(number, games)
    return f"{number / games:.2%} ({least:.2%} - {most:.2%})"
