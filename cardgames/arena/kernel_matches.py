"""Matches between policies, played entirely in a kernel; also the counts (`TALLY`) and the seeds of every match.

A match consists of blocks. A block is one deal, played once for each way to seat the participants (`Game.seatings`).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.kernel_policy import Policy, stack_policies
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import new_record, record_type
from cardgames.kernels.rng import STREAM, mix

_BLOCK = np.uint64(0x9E3779B97F4A7C15)
_PART = np.uint64(0xD1B54A32D192ED03)

DEAL = 0
AGENT = 1
MATCH = 1_000
"""Values of `part` in `seed_word`: which seed of a block (all games of one deal) is meant.

`DEAL` is the seed of the deal, `AGENT + e` that of agent e, and `MATCH + r` that of round r in a game of several rounds.
"""

COUNTS = [
    ("games", "i8"),
    ("wins", "i8"),
    ("paid", "f8"),
    ("squares", "f8"),  # sum of the squared payoffs of games
    ("blocks", "i8"),  # number of blocks with a game
    # sums over blocks of products of the block's totals: games of one block are correlated
    ("games_squared", "f8"),
    ("games_wins", "f8"),
    ("wins_squared", "f8"),
    ("games_paid", "f8"),
    ("paid_squared", "f8"),
]
TALLY = record_type(__name__, "TALLY", COUNTS)
"""Record of one participant's counts: games, wins, payoffs and sums of products for variances; records can be added."""


@njit
def seed_word(seed: Any, block: Any, part: Any) -> Any:
    """Return one seed (uint64) of block number `block` (all games of one deal) in a match with seed `seed` (uint64).

    `part` says which: DEAL, AGENT + agent index, or MATCH + round index.
    """
    return mix(mix(seed + np.uint64(block) * _BLOCK) + np.uint64(part) * _PART)


def slots_of(seatings: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the slot of each seat: the index of the agent that decides there.

    A participant with several seats has a separate agent on each: on its k-th seat (from 0), participant p has the slot
    p + k * (number of participants).

    Args:
        seatings: Index of the participant on each seat, int64 [seatings, players].

    Returns:
        Slot of each seat, int64 [seatings, players].
    """
    participants, slots = int(seatings.max()) + 1, seatings.copy()
    for row in slots:
        for participant in range(participants):
            seats = np.flatnonzero(row == participant)
            row[seats] = participant + participants * np.arange(len(seats))
    return slots


def new_deal_scores(seatings: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return zeros to count deals by the score of the first of two participants over the games of a deal.

    Args:
        seatings: Index of the participant on each seat, int64 [games of a deal, players].

    Returns:
        int64 [2 * games of a deal + 1], indexed by the score in half points; empty unless there are two participants.
    """
    return np.zeros(2 * len(seatings) + 1 if seatings.max() == 1 else 0, np.int64)


@njit
def _play_out(rules: Any, state: Any, policy_ids: Any, weights: Any, streams: Any, slots: Any) -> Any:
    """Play the round in `state` to its end by policies, and return the number of decisions.

    On seat s the policy of participant `slots[s] % participants` decides, with the random stream `streams[slots[s]]`.
    """
    participants = len(policy_ids)
    steps = 0
    while not ops.is_terminal(rules, state):
        slot = slots[ops.current_player(rules, state)]
        participant = slot % participants
        ops.apply_action(
            rules, state, ops.policy(rules, state, policy_ids[participant], weights[participant], streams[slot])
        )
        steps += 1
    return steps


@njit
def _add_result(row: Any, won: Any, paid: Any) -> None:
    row.games += 1
    row.wins += won
    row.paid += paid
    row.squares += paid * paid


@njit
def count_game(tally: Any, seating: Any, won: Any, paid: Any, roles: Any) -> Any:
    """Add the result of one game to `tally`, the counts of the games of one deal.

    Of two participants the first one scores 2 half points if it alone won, and 0 if the other one alone won. In a void game
    it scores 1. If both have a seat that won, the one with the greater payoff counts as the winner.

    Args:
        tally: TALLY [participants, 1 + roles]: column 0 for all games, the others for the games in each role.
        seating: Index of the participant on each seat, int64 [players].
        won: Whether each seat won, bool [players].
        paid: Payoff of each seat, float64 [players].
        roles: Role of each seat, int64 [players].

    Returns:
        Score of the first of two participants in half points (0, 1 or 2); 1 with any other number of participants.
    """
    winners, lead = 0, 0.0
    for participant in range(len(tally)):
        participant_won, participant_paid = False, 0.0
        for seat in range(len(seating)):
            if seating[seat] == participant:
                participant_won |= won[seat]
                participant_paid += paid[seat]
                if tally.shape[1] > 1:
                    _add_result(tally[participant, 1 + roles[seat]], won[seat], paid[seat])
        _add_result(tally[participant, 0], participant_won, participant_paid)
        if participant_won:
            winners += 1 << participant
        lead += participant_paid if participant == 0 else -participant_paid
    if len(tally) != 2 or winners == 0:
        return 1
    if winners == 3:
        return 1 + np.int64(np.sign(lead))
    return 2 if winners == 1 else 0


@njit
def add_block(tally: Any, block: Any) -> None:
    """Add `block`, the counts of all games of one deal, to `tally`, and set `block` to 0.

    Both are TALLY [participants, 1 + roles]. Sums of products are added too, since games of one deal are correlated.
    """
    for participant in range(len(tally)):
        for part in range(tally.shape[1]):
            total, one = tally[participant, part], block[participant, part]
            games, wins, paid = np.float64(one.games), np.float64(one.wins), one.paid
            total.games += one.games
            total.wins += one.wins
            total.paid += paid
            total.squares += one.squares
            total.blocks += one.games > 0
            total.games_squared += games * games
            total.games_wins += games * wins
            total.wins_squared += wins * wins
            total.games_paid += games * paid
            total.paid_squared += paid * paid
            one.games = one.wins = 0
            one.paid = one.squares = 0.0


@njit
def _play_blocks(
    rules: Any,
    state: Any,
    policy_ids: Any,
    weights: Any,
    seed: Any,
    first: Any,
    last: Any,
    seatings: Any,
    slots: Any,
    streams: Any,
    block_tally: Any,
    tally: Any,
    deal_scores: Any,
) -> Any:
    """Play the blocks (deals) `first` to `last` - 1, each once per seating, and add their counts to `tally`.

    With two participants, `deal_scores[s]` is increased by the number of blocks in which the first one scored s half points.

    Returns:
        The number of decisions and the number of void rounds (rounds without a winner).
    """
    players, participants = seatings.shape[1], len(policy_ids)
    won, paid, roles = np.zeros(players, np.bool_), np.zeros(players), np.zeros(players, np.int64)
    steps = voids = 0
    for block in range(first, last):
        for slot in range(len(streams)):
            streams[slot].rng = seed_word(seed, block, AGENT + slot)
        score = 0
        for i in range(len(seatings)):
            ops.deal(rules, state, seed_word(seed, block, DEAL))
            steps += _play_out(rules, state, policy_ids, weights, streams, slots[i])
            ops.returns(rules, state, paid)
            for seat in range(players):
                won[seat], roles[seat] = ops.won(rules, state, seat), ops.role(rules, state, seat)
            voids += not won.any()
            score += count_game(block_tally, seatings[i], won, paid, roles)
        add_block(tally, block_tally)
        if participants == 2:
            deal_scores[score] += 1
    return steps, voids


def play_blocks(
    game: Game, policies: Sequence[Policy], seed: np.uint64, first: int, last: int
) -> tuple[NDArray[Any], int, int, NDArray[np.int64]]:
    """Play the blocks `first` to `last` - 1 of a match between `policies`.

    A block is one deal, played once for each of `game.seatings`.

    Returns:
        The counts, TALLY [participants, 1 + roles] (column 0 for all games, the others for each role), the number of
        decisions, the number of void rounds (rounds without a winner), and the number of blocks by score (see
        `new_deal_scores`).
    """
    policy_ids, weights = stack_policies(policies)
    seatings = game.seatings(len(policies))
    slots = slots_of(seatings)
    tally = np.zeros((len(policies), 1 + len(game.roles)), TALLY)
    state = new_record(game.state_dtype)
    streams, block_tally = np.zeros(int(slots.max()) + 1, STREAM), np.zeros_like(tally)
    deal_scores = new_deal_scores(seatings)
    steps, voids = _play_blocks(
        game.kernel_rules,
        state,
        policy_ids,
        weights,
        seed,
        first,
        last,
        seatings,
        slots,
        streams,
        block_tally,
        tally,
        deal_scores,
    )
    return tally, int(steps), int(voids), deal_scores
