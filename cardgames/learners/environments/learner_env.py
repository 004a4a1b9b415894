"""Vector environment of a learner: a kernel that plays every table (a round in progress) to the learner's next decision.

Opponents that are policies move inside the kernel. A table also stops when the seat to move is an agent that decides in
Python.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.vector_env import has_winner
from cardgames.kernels import masks
from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import record_type
from cardgames.kernels.rng import below, next_word, uniform
from cardgames.learners.memory.random_indices import draw_index

MAX_SEATS = 10
FIRST, ANY, ALL = range(3)
"""Seats of the learner: the first, one drawn for each round, or all."""
LEARNER = -1
PAST = -1
PYTHON_OPPONENT = -1
"""Value in place of a policy id: the opponent is an agent, which decides in Python outside the kernel."""
NO_OPPONENT = -1
NEW, OVER = -2, -1

TABLE = record_type(
    __name__,
    "TABLE",
    [
        ("rng", "u8"),  # random stream: deals, seats, the opponents' actions, exploration
        ("game_index", "i8"),  # index of the game played
        ("seat", "i8"),  # seat to move, of the learner or an agent; NEW before the first round, OVER after the last
        ("pending_opponent", "i8"),  # row in `Others` of the agent to move; NO_OPPONENT if the learner is to move
        ("naming", "i8"),  # id of the symmetry applied to inputs and actions (`ops.apply_symmetry`)
        ("deal_seed", "u8"),  # seed of the deal
        ("steps", "i8"),  # actions taken in this round, by all seats
        ("rounds_left", "i8"),  # rounds still to be dealt; negative: no limit
        ("rows", "i8", (MAX_SEATS,)),  # row in `Others` of each seat's policy, or LEARNER
        ("decisions", "i8", (MAX_SEATS,)),  # decisions of each of the learner's seats in this round
    ],
)
"""Record type of a table: its random stream, seats, counters and pending decision; the round's state is separate."""

TALLY = record_type(
    __name__, "TALLY", [("rounds", "i8"), ("wins", "i8"), ("voids", "i8"), ("paid", "f8"), ("decisions", "i8")]
)
"""Record type of results summed over the seats of the learner: rounds, wins, void rounds, pay-offs, decisions."""


class Others(NamedTuple):
    """Opponents of a learner as arrays for kernels: policies, their shares in a mixture, and past selves."""

    policy_id: NDArray[np.int64]
    """Policy id of each opponent, for `ops.policy`, or `PYTHON_OPPONENT` ([rows]).

    The past selves (earlier versions of the learner's network) are in the last rows.
    """
    weights: NDArray[np.float32]
    """Weights of the policies, padded to one width ([rows, width])."""
    shares: NDArray[np.float64]
    """Cumulative shares of the names in the mixture of opponents ([names])."""
    rows: NDArray[np.int64]
    """Row in `policy_id` of each name of the mixture, for each game; `PAST` for past selves ([games, names])."""
    past: int
    """Row in `policy_id` of the first past self."""
    num_past: int
    """Number of past selves that can be drawn as opponents."""
    default_policy: int
    """Row in `policy_id` of the policy that decides where others cannot.

    It decides if no legal action has an output of the learner's network, or a round has become too long to be recorded
    for an agent.
    """


class View(NamedTuple):
    """Pending decision of the learner at each table: observation, legal actions and extra values to store."""

    observations: NDArray[np.int8]
    """Encoded observations ([tables, inputs])."""
    legal: NDArray[np.uint64]
    """Masks of the legal actions ([tables, words], `kernels.masks`)."""
    remarks: NDArray[np.float32]
    """Extra values to store with the decisions in the memory ([tables, remarks])."""


class Decisions(NamedTuple):
    """Latest decisions of the learner in the rounds in progress, until the round ends and they are written to the memory.

    A slot is a seat; if the learner has only one seat at a table, there is only slot 0.
    """

    observations: NDArray[np.int8]
    """Encoded observations ([tables, slots, max_decisions, inputs])."""
    legal: NDArray[np.uint64]
    """Masks of the legal actions ([tables, slots, max_decisions, words])."""
    actions: NDArray[np.int64]
    """Actions taken ([tables, slots, max_decisions])."""
    remarks: NDArray[np.float32]
    """Extra values stored with the decisions ([tables, slots, max_decisions, remarks])."""


class Options(NamedTuple):
    """Options of the kernel: encoding, network outputs and seats of the learner, and rewards of its decisions."""

    encoding: int
    """Id of the encoding of observations."""
    outputs: int
    """Number of outputs of the network."""
    seating: int
    """Seats of the learner: `FIRST`, `ANY` or `ALL`."""
    rewards_wins: bool
    """True: rewards are 1 for a win and -1 for a loss; False: they are pay-offs."""
    void_reward: float
    """Reward of a round without a winner if `rewards_wins`."""
    discount: float
    """Discount of returns per decision."""
    include_forced: bool
    """True: record also decisions with a single legal action."""


class Counts(NamedTuple):
    """Results of finished rounds: sums over all rounds, and pay-offs of the last one."""

    tally: Any
    """Sums over all rounds (`TALLY`)."""
    paid: NDArray[np.float64]
    """Pay-offs of the last round by seat ([MAX_SEATS]); overwritten."""


@njit
def choose_all(q, legal, tables, at, epsilon, actions):
    """Write an epsilon-greedy legal action for each of the tables `at` into `actions`.

    Args:
        q: Values of the actions at the tables `at` ([n, outputs] float32).
        legal: Bit masks of the legal actions ([tables, words] uint64).
        tables: Records of the tables ([tables] `TABLE`).
        at: Indices of the tables ([n]).
        epsilon: Probability of a random action ([n] float64).
        actions: Receives the actions ([n] int64).
    """
    for i in range(len(at)):
        table, mask = tables[at[i]], legal[at[i]]
        if epsilon[i] > 0.0 and uniform(table) < epsilon[i]:
            actions[i] = masks.nth(mask, below(table, masks.size(mask)))
        else:
            actions[i] = masks.argmax(q[i], mask)


@njit
def _draw_opponent(table, others):
    """Draw the opponent at one seat from the mixture, and return its row in `others.policy_id`."""
    row = others.rows[table.game_index, draw_index(table, others.shares)]
    return others.past + below(table, others.num_past) if row == PAST else row


@njit
def _seat_players(table, players, seating, others):
    table.game_index = below(table, len(players))
    n = players[table.game_index]
    learner_seat = below(table, n) if seating == ANY else 0
    for seat in range(MAX_SEATS):
        table.decisions[seat] = 0
    for seat in range(n):
        if seating == ALL or seat == learner_seat:
            table.rows[seat] = LEARNER
        else:
            table.rows[seat] = _draw_opponent(table, others)
    table.deal_seed, table.steps = next_word(table), 0


@njit
def _slot(seat, decisions):
    """Return the slot of the seat in `decisions`: the seat itself, or 0 if the learner has one seat per table."""
    return seat if decisions.actions.shape[1] > 1 else 0


@njit
def _record_decision(table, t, action, view, decisions):
    """Record the learner's `action` and its observation at the table with index `t` in `decisions`.

    Once the slot is full, the oldest decision of the round is overwritten.
    """
    slot = _slot(table.seat, decisions)
    i = table.decisions[table.seat] % decisions.actions.shape[2]
    copy_row(decisions.observations[t, slot, i], view.observations[t])
    copy_row(decisions.legal[t, slot, i], view.legal[t])
    copy_row(decisions.remarks[t, slot, i], view.remarks[t])
    decisions.actions[t, slot, i] = action
    table.decisions[table.seat] += 1


@njit
def _write_decisions(decisions, t, slot, n, reward, discount, memory):
    """Write the decisions of one seat in a finished round to the memory; the last one gets the `reward`.

    The seat took `n` decisions; if these are more than `decisions` can hold, only the last ones are written.
    """
    (observations, legal, actions, rewards, last, returns, remarks), cursor = memory
    capacity, max_decisions = len(actions), decisions.actions.shape[2]
    for number in range(max(0, n - max_decisions), n):
        row, i = cursor[0] % capacity, number % max_decisions
        copy_row(observations[row], decisions.observations[t, slot, i])
        copy_row(legal[row], decisions.legal[t, slot, i])
        copy_row(remarks[row], decisions.remarks[t, slot, i])
        actions[row], last[row], rewards[row] = decisions.actions[t, slot, i], number == n - 1, 0.0
        returns[row] = reward * discount ** (n - 1 - number)
        cursor[0] += 1
    rewards[(cursor[0] - 1) % capacity] = reward


@njit
def _reward(rules, state, seat, options, paid, is_decided):
    if options.rewards_wins:
        return options.void_reward if not is_decided else 1.0 if ops.won(rules, state, seat) else -1.0
    return paid[seat]


@njit
def _finish_round(rules, state, table, t, seats, options, decisions, memory, counts):
    """Add a finished round to the tally of results, and write the learner's decisions in it to the memory."""
    tally, paid = counts
    ops.returns(rules, state, paid[:seats])
    is_decided = has_winner(rules, state, seats)
    for seat in range(seats):
        if table.rows[seat] == LEARNER:
            n = table.decisions[seat]
            if n > 0:
                reward = _reward(rules, state, seat, options, paid, is_decided)
                _write_decisions(decisions, t, _slot(seat, decisions), n, reward, options.discount, memory)
            tally.wins += ops.won(rules, state, seat)
            tally.paid += paid[seat]
            tally.decisions += n
    tally.rounds += 1
    tally.voids += not is_decided


@njit
def _encode_legal(rules, state, symmetry_id, legal_buffer, legal, outputs):
    """Write the legal actions with an id below `outputs` into the bit mask `legal`, and return their number.

    The symmetry `symmetry_id` of the game is applied to the actions first.
    """
    legal[:] = np.uint64(0)
    count = 0
    for i in range(ops.legal_actions(rules, state, legal_buffer)):
        if legal_buffer[i] < outputs:
            masks.insert(legal, ops.apply_symmetry(rules, symmetry_id, np.int64(legal_buffer[i])))
            count += 1
    return count


@njit
def _apply_action(rules, state, table, action_history, action):
    """Take an action at a table, and append it to `action_history`, from which rounds are replayed for agents."""
    if table.steps < len(action_history):
        action_history[table.steps] = action
    table.steps += 1
    ops.apply_action(rules, state, action)


@njit
def _next_round(rules, players, state, table, seating, others):
    """Deal the next round at a table and return True; if no rounds are left, mark the table as over and return False."""
    if table.rounds_left == 0:
        table.seat = OVER
        return False
    table.rounds_left -= 1
    _seat_players(table, players, seating, others)
    ops.deal(rules[table.game_index], state, table.deal_seed)
    return True


@njit
def _observe(rules, state, table, seat, options, observation, legal, legal_buffer):
    """Write the observation and legal actions of the learner's seat; return False if no legal action has an output."""
    symmetry_id = ops.encode(rules, state, seat, options.encoding, observation)
    if _encode_legal(rules, state, symmetry_id, legal_buffer, legal, options.outputs) == 0:
        return False
    table.seat, table.naming = seat, symmetry_id
    return True


@njit
def play_until_decision(
    actions,
    at,
    rules,
    players,
    states,
    tables,
    action_history,
    view,
    decisions,
    memory,
    others,
    options,
    counts,
    legal_buffer,
):
    """Take `actions` ([n] int64) at the tables `at` ([n] int64), and play each until the learner or an agent must decide.

    The other arguments are owned by `collector.Collector`, which describes them.
    """
    # not split further: each call of a kernel counts the references of all arrays it is passed, which takes time
    for i in range(len(at)):
        t = at[i]
        table, state = tables[t], states[t]
        playing = table.seat >= 0
        if playing:
            action = actions[i]
            if table.pending_opponent == NO_OPPONENT:
                _record_decision(table, t, action, view, decisions)
                action = ops.apply_symmetry(rules[table.game_index], -table.naming, action)
            table.pending_opponent = NO_OPPONENT
            _apply_action(rules[table.game_index], state, table, action_history[t], action)
        else:
            playing = _next_round(rules, players, state, table, options.seating, others)
        while playing:
            game_rules = rules[table.game_index]
            if ops.is_terminal(game_rules, state):
                _finish_round(
                    game_rules, state, table, t, players[table.game_index], options, decisions, memory, counts
                )
                playing = _next_round(rules, players, state, table, options.seating, others)
                continue
            seat = ops.current_player(game_rules, state)
            row = table.rows[seat]
            if row == LEARNER:
                if not options.include_forced and ops.legal_actions(game_rules, state, legal_buffer) == 1:
                    _apply_action(game_rules, state, table, action_history[t], np.int64(legal_buffer[0]))
                    continue
                if _observe(game_rules, state, table, seat, options, view.observations[t], view.legal[t], legal_buffer):
                    break
                row = others.default_policy
            elif others.policy_id[row] == PYTHON_OPPONENT:
                if table.steps < action_history.shape[1]:
                    table.seat, table.pending_opponent = seat, row
                    break
                row = others.default_policy
            _apply_action(
                game_rules,
                state,
                table,
                action_history[t],
                ops.policy(game_rules, state, others.policy_id[row], others.weights[row], table),
            )
