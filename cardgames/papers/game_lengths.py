"""Figure 2 of paper 000: histogram of the lengths of 100,000 games with three players.

The paper says that most games end within around 40 to 80 rounds and that some go beyond 200. It does not name the players;
here they are random. It does not define a round; here it is one decision of one player, which is what RLCard counts.
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
"""Claims of the paper, in decisions per game.

`CLAIMED_RANGE` is the range in which most games end, `CLAIMED_LONG` the length that some games exceed.
"""
_BANDS = (*range(0, 201, 20), 300, 500, 1_000_000)
_TABLES = 1_000
_ACTION_SEED = 1


def lengths(games: int, seed: int, report_progress: Report) -> NDArray[np.int64]:
    """Play games of three random players under the rules `rlcard`; return their lengths in decisions ([games] int64).

    The games are played in many parallel environments, and each environment plays a fixed number of games. Counting the
    games that finish first instead would favor short ones.
    """
    tables = np.full(min(_TABLES, games), games // min(_TABLES, games))
    tables[: games - tables.sum()] += 1
    env = SETUP.make_game(SETUP.players[0]).vector(len(tables), seed)
    random = np.random.default_rng(derive(seed, _ACTION_SEED))
    running, played = np.zeros(len(tables), np.int64), np.zeros(len(tables), np.int64)
    finished: list[NDArray[np.int64]] = []
    done = 0
    _, info = env.reset()
    while (played < tables).any():
        actions = (info["action_mask"] * (1 - random.random(info["action_mask"].shape, np.float32))).argmax(1)
        _, _, terminated, truncated, info = env.step(actions)
        running += 1
        over = terminated | truncated
        finished.append(running[over & (played < tables)])
        played[over] += 1
        running[over] = 0
        done += len(finished[-1])
        report_progress(f"{done:,} of {games:,} games")
    return np.concatenate(finished)


def run(request: Request) -> Iterator[dict[str, Any]]:
    """Measure the lengths of 100,000 games by default, or of 10,000 in a quick run.

    Yields a row for each bin of the histogram, then a row that compares the lengths with the paper's claim.
    """
    decisions = lengths(request.number(GAMES, QUICK_GAMES), request.seed, request.report_progress)
    low, high = CLAIMED_RANGE
    for first, last in pairwise(_BANDS):
        number = int(((decisions >= first) & (decisions < last)).sum())
        if number:
            yield {
                "length": [first, min(last - 1, int(decisions.max()))],
                "games": number,
                "share": number / len(decisions),
            }
    within, beyond = int(((decisions >= low) & (decisions <= high)).sum()), int((decisions > CLAIMED_LONG).sum())
    within_ci95 = wilson(within, len(decisions))
    first, middle, last = np.percentile(decisions, [25, 50, 75])
    yield {
        "claim": f"most games end within {low} to {high} rounds, some go beyond {CLAIMED_LONG}",
        "measured": f"{_share(within, len(decisions))} and {_share(beyond, len(decisions))} of {len(decisions):,} games "
        f"(quartiles {first:g}, {middle:g} and {last:g}, mean {decisions.mean():.1f}, longest {decisions.max()})",
        "within": within / len(decisions),
        "within_ci95": list(within_ci95),
        "beyond": beyond / len(decisions),
        "beyond_ci95": list(wilson(beyond, len(decisions))),
        "agrees": within_ci95[1] > 0.5 and beyond > 0,
    }


def _share(number: int, games: int) -> str:
    """Return `number` as a percentage of `games`, with its 95 % Wilson interval, as text."""
    low, high = wilson(number, games)
    return f"{number / games:.2%} ({low:.2%} - {high:.2%})"
